//! What no type says, for `check`: each place with its reason.

use crate::externs::Externs;
use crate::model::{About, Note};
use crate::render::{lower_all, survey};
use crate::{Error, Side};
use toolcast_contract::{Catalog, Contract, Diagnostic, Part, Severity};

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
    let (places, definitions) = survey(catalog);
    let modules = lower_all(catalog, &places, &definitions, &Externs::default())?;
    let mut found = Vec::new();
    for (contract, module) in catalog.contracts.iter().zip(modules.tools) {
        for note in module.notes {
            let part = match note.side {
                Side::Output => Part::Output,
                Side::Input | Side::Definitions => Part::Input,
            };
            let pointer = note.pointer.clone();
            found.push(diagnostic(catalog, contract, part, &pointer, note));
        }
    }
    for note in modules.definitions.into_iter().flat_map(|module| module.notes) {
        // Each definition stands in some contract, which knows where it was written.
        let Some((definition, rest)) = definitions.split(&note.pointer) else { continue };
        let (contract, part, start) = &definition.seen_at;
        let pointer = format!("{start}{rest}");
        found.push(diagnostic(catalog, &catalog.contracts[*contract], *part, &pointer, note));
    }
    Ok(found)
}

fn diagnostic(
    catalog: &Catalog,
    contract: &Contract,
    part: Part,
    pointer: &str,
    note: Note,
) -> Diagnostic {
    let (file, position) = match catalog.origin(contract, part, pointer) {
        Some(origin) => (origin.file, origin.position),
        None => (catalog.root().join(&contract.source), None),
    };
    let (rule, message) = match note.about {
        About::Type => (RULE, format!("the type of this is any JSON value: {}", note.reason)),
        About::Name => (UNUSED_NAME, note.reason),
    };
    Diagnostic { severity: Severity::Note, rule, file, position, message, help: None }
}
