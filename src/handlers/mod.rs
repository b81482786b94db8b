//! What answers our own contracts. The command line calls these through the same toolset, and so through the same
//! validation, as any other caller.

mod check;
pub mod diff;
mod finding;
mod generate;

use crate::failure::Failure;
use camino::Utf8Path;
use toolcast::Error;
use toolcast_codegen::contract::{Catalog, Diagnostic, Severity, load, one_line};

/// Answers the tools of the command line.
pub struct Operations;

/// Loads a folder of contracts; a folder that is not there is an error, not a finding.
fn load_folder(folder: &str) -> Result<(Catalog, Vec<Diagnostic>), Error> {
    let folder = Utf8Path::new(folder);
    if let Some(failure) = Failure::no_folder(folder) {
        return Err(Error::tool(failure.to_string()));
    }
    if !folder.is_dir() {
        return Err(Error::tool(format!(
            "{}: there is no such folder\n  help: name the folder that holds the contracts, or start one with \
             `toolcast new`",
            one_line(folder.as_str())
        )));
    }
    Ok(load(folder))
}

/// A contract that meets a bound of the generator is a finding like its other faults; what else goes wrong is said of the
/// caller's own files, and so is the caller's to read.
fn bound(error: toolcast_codegen::Error, catalog: &Catalog) -> Result<Diagnostic, Error> {
    match &error {
        toolcast_codegen::Error::Limit { contract, .. } => Ok(Diagnostic {
            severity: Severity::Error,
            rule: "generation-limit",
            file: catalog.root().join(contract),
            position: None,
            message: error.to_string(),
            help: Some("make the schema smaller, or split the tool".to_owned()),
        }),
        _ => Err(Error::caused(error.to_string(), error)),
    }
}
