//! What answers our own contracts. The command line calls these through the same toolset, and so through the same
//! validation, as any other caller.

mod check;
mod diff;
mod finding;
mod generate;

use camino::Utf8Path;
use toolcast::Error;
use toolcast_codegen::contract::{Catalog, Diagnostic, load};

/// Answers the tools of the command line.
pub struct Operations;

/// Loads a folder of contracts; a folder that is not there is an error, not a finding.
fn load_folder(folder: &str) -> Result<(Catalog, Vec<Diagnostic>), Error> {
    let folder = Utf8Path::new(folder);
    if !folder.is_dir() {
        return Err(Error::tool(format!(
            "{folder}: there is no such folder\n  help: name the folder that holds the contracts, or start one with \
             `toolcast new`"
        )));
    }
    Ok(load(folder))
}
