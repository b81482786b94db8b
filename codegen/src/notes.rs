//! What no type says, for `check`: each place with its reason.

use crate::model::About;
use crate::{Error, Side, lower};
use toolcast_contract::{Catalog, Diagnostic, Part, Severity};

/// The rule that notes about types go by.
pub const RULE: &str = "unrepresentable";

/// The rule that notes about an `x-rust-name` go by.
pub const UNUSED_NAME: &str = "unused-rust-name";

/// Lists every part of every contract that the generated types do not say: there they hold a `serde_json::Value`.
/// The run time still validates it. And every `x-rust-name` that names nothing.
///
/// # Errors
///
/// Where a contract meets a bound on size or work.
pub fn notes(catalog: &Catalog) -> Result<Vec<Diagnostic>, Error> {
    let mut notes = Vec::new();
    for contract in &catalog.contracts {
        for note in lower(contract, Vec::new(), "notes".into())?.notes {
            let part = match note.side {
                Side::Input => Part::Input,
                Side::Output => Part::Output,
            };
            let origin = catalog.origin(contract, part, &note.pointer);
            let (file, position) = match origin {
                Some(origin) => (origin.file, origin.position),
                None => (catalog.root().join(&contract.source), None),
            };
            let (rule, message) = match note.about {
                About::Type => {
                    (RULE, format!("the type of this is any JSON value: {}", note.reason))
                }
                About::Name => (UNUSED_NAME, note.reason),
            };
            notes.push(Diagnostic {
                severity: Severity::Note,
                rule,
                file,
                position,
                message,
                help: None,
            });
        }
    }
    Ok(notes)
}
