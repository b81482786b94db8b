//! `toolcast new`: a contract, and the handler to paste.

use super::create;
use crate::cli::New;
use crate::failure::Failure;
use camino::Utf8PathBuf;
use serde_json::Value;

/// What `new` made.
pub struct Created {
    /// The contract's file.
    pub contract: Utf8PathBuf,
    /// A first version of its handler.
    pub handler: String,
}

/// Writes a contract with one argument and spells a handler for it.
pub fn new(options: &New) -> Result<Created, Failure> {
    let parts: Vec<&str> = options.name.split('/').collect();
    let (tool, toolset) = parts.split_last().expect("`split` yields at least one part");
    if let Some(wrong) = parts.iter().find(|part| !is_tool_name(part)) {
        return Err(Failure::new(format!("{wrong:?} is no name for a tool or a toolset"))
            .help("use 1 to 64 of A-Z, a-z, 0-9, `_` and `-`; folders stand before the name: `boards/archive_board`"));
    }
    if toolset.contains(&"defs") {
        return Err(Failure::new("a folder named `defs` holds shared definitions, not tools")
            .help("choose another toolset"));
    }
    let contract = options.schemas.join(format!("{}.json", options.name));
    let description = match &options.description {
        Some(text) if text.trim().is_empty() => {
            return Err(Failure::new("the description is empty")
                .help("say what the tool does and when to use it"));
        }
        Some(text) => text.clone(),
        None => format!("Say here what {tool} does and when a model should use it."),
    };
    create(&[(contract.clone(), contract_text(tool, &description))])?;
    Ok(Created { contract, handler: handler_text(&parts) })
}

fn is_tool_name(name: &str) -> bool {
    (1..=64).contains(&name.len())
        && name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_' || c == '-')
}

fn contract_text(tool: &str, description: &str) -> String {
    include_str!("contract.json.in")
        .replace("{{title}}", &Value::from(title(tool)).to_string())
        .replace("{{description}}", &Value::from(description).to_string())
}

/// `archive_board` as a person would write it: `Archive board`.
fn title(tool: &str) -> String {
    let words = tool.replace(['_', '-'], " ");
    let mut chars = words.trim().chars();
    chars.next().map(|first| first.to_ascii_uppercase()).into_iter().chain(chars).collect()
}

fn handler_text(parts: &[&str]) -> String {
    include_str!("contract.rs.in").replace("{{module}}", &parts.join("::"))
}
