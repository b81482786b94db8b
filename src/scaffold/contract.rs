//! `toolcast new`: a contract, and the handler to paste.

use super::create;
use crate::cli::New;
use crate::failure::Failure;
use camino::{Utf8Path, Utf8PathBuf};
use serde_json::Value;
use toolcast_codegen::contract::{Catalog, Limits, Severity, Sources};
use toolcast_codegen::module_paths;

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
    if let Some(failure) = Failure::no_folder(&options.schemas) {
        return Err(failure);
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
    let text = contract_text(tool, &description);
    let module =
        module(&options.schemas, &Utf8PathBuf::from(format!("{}.json", options.name)), &text)?;
    create(&[(contract.clone(), text)])?;
    Ok(Created { contract, handler: include_str!("contract.rs.in").replace("{{module}}", &module) })
}

/// The path of the new contract's module, once it stands beside the others. What is wrong with it is said before it is
/// written: a name, for one, may be taken.
fn module(schemas: &Utf8Path, source: &Utf8Path, text: &str) -> Result<String, Failure> {
    let known = if schemas.is_dir() { Sources::read(schemas) } else { Sources::default() };
    let there: Vec<_> = known
        .files()
        .filter_map(|path| Some((path.to_owned(), known.bytes(path)?.to_vec())))
        .collect();
    let limits = Limits::default();
    let (_, before) = Catalog::parse(&Sources::from_files(schemas, there.clone()), &limits);
    let files = there.into_iter().chain([(source.to_owned(), text.as_bytes().to_vec())]);
    let (catalog, diagnostics) = Catalog::parse(&Sources::from_files(schemas, files), &limits);
    let errors = diagnostics.iter().filter(|diagnostic| diagnostic.severity == Severity::Error);
    // Also what is said of another file, where only this one brings it about: two names that differ in case.
    let brought = errors.clone().any(|error| !before.contains(error));
    match catalog.contracts.iter().position(|contract| contract.source == source) {
        Some(index) if !brought => Ok(module_paths(&catalog).swap_remove(index)),
        _ => {
            let (own, others): (Vec<_>, Vec<_>) = errors
                .filter(|error| !brought || !before.contains(error))
                .partition(|error| error.file == schemas.join(source));
            let told = if own.is_empty() { others } else { own };
            Err(Failure::new(told.iter().map(ToString::to_string).collect::<Vec<_>>().join("\n")))
        }
    }
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
