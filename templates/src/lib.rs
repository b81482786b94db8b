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
    /// The items, formatted.
    pub items: &'a str,
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
    pub lints: &'a str,
    /// Why they are allowed.
    pub reason: &'a str,
    /// Paths to the tools' modules, from here, ordered by file.
    pub tools: &'a [String],
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
