//! What no type says, for `check`: each place with its reason.

use crate::{Error, Side, lower};
use toolcast_contract::{Catalog, Diagnostic, Part, Severity};

/// The rule that these notes go by.
pub const RULE: &str = "unrepresentable";

/// Lists every part of every contract that the generated types do not say: there they hold a `serde_json::Value`.
/// The run time still validates it.
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
            notes.push(Diagnostic {
                severity: Severity::Note,
                rule: RULE,
                file,
                position,
                message: format!("the type of this is any JSON value: {}", note.reason),
                help: None,
            });
        }
    }
    Ok(notes)
}
