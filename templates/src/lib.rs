//! The file layouts of generated code, each beside its context struct. Nothing is decided here.
//!
//! What is rendered is text: no template escapes anything, whatever its ending.

use askama::Template;

/// The file of one tool.
#[derive(Template)]
#[template(path = "tool.rs.askama", escape = "none")]
pub struct ToolFile<'a> {
    /// The first line: who wrote the file, and from what.
    pub header: &'a str,
    /// Imports of shared definitions.
    pub imports: &'a [String],
    /// The tool's name: letters, digits, `_` and `-`.
    pub name: &'a str,
    /// The name as a Rust literal.
    pub name_literal: &'a str,
    /// The description as a Rust literal.
    pub description_literal: &'a str,
    /// Calls on the contract's builder, such as `title("Search")`.
    pub calls: &'a [String],
    /// The items, formatted, each with its wire form.
    pub items: &'a str,
    /// The note under a missing handler, as a Rust literal.
    pub note_literal: &'a str,
    /// Lines of the call's doc comment, each with its leading space.
    pub docs: &'a [String],
    /// What a handler answers: `Output` or `Reply`.
    pub answer: &'a str,
    /// The constructor that binds a handler: `typed` or `replying`.
    pub bind: &'a str,
}

/// The index of a folder: its modules, its contracts and the function that binds them.
#[derive(Template)]
#[template(path = "mod.rs.askama", escape = "none")]
pub struct IndexFile<'a> {
    /// The first line: who wrote the file, and from what.
    pub header: &'a str,
    /// The modules of this folder, as identifiers.
    pub modules: &'a [String],
    /// The lints that a contract's words, names and sizes may trip.
    pub lints: &'a [&'a str],
    /// Why they are allowed.
    pub reason: &'a str,
    /// Paths to the tools' modules, from here, ordered by file.
    pub tools: &'a [String],
    /// Whether the folder is a toolset: one of shared definitions alone is none.
    pub binds: bool,
}

/// The file of shared definitions.
#[derive(Template)]
#[template(path = "definitions.rs.askama", escape = "none")]
pub struct DefinitionsFile<'a> {
    /// The first line: who wrote the file, and from what.
    pub header: &'a str,
    /// Imports of other definitions.
    pub imports: &'a [String],
    /// The file of the schemas that branches are told apart by, as a Rust literal, where there is one.
    pub schemas_literal: Option<&'a str>,
    /// The items, formatted, each with its wire form.
    pub items: &'a str,
}

/// Renders a file.
///
/// # Errors
///
/// Where a template fails, which none of these can: they only print strings.
pub fn render(template: &impl Template) -> Result<String, askama::Error> {
    let mut text = template.render()?;
    if !text.ends_with('\n') {
        text.push('\n');
    }
    Ok(text)
}
