//! Starts projects and contracts. What is written stands in `project/` and `contract.rs`; files that exist are never
//! overwritten.

mod contract;
mod project;

pub use contract::{Created, new};
pub use project::init;

use crate::failure::Failure;
use camino::{Utf8Path, Utf8PathBuf};
use std::fs;
use std::io::Write;

/// Writes all of the files or none of them.
fn create(files: &[(Utf8PathBuf, String)]) -> Result<(), Failure> {
    let existing: Vec<&str> = files
        .iter()
        .map(|(path, _)| path.as_str())
        .filter(|path| fs::symlink_metadata(path).is_ok())
        .collect();
    if !existing.is_empty() {
        return Err(Failure::new(format!("{}: exists already", existing.join(", ")))
            .help("choose another place, or move what is there out of the way"));
    }
    for (done, (path, text)) in files.iter().enumerate() {
        if let Err(failure) = create_file(path, text) {
            for (path, _) in &files[..done] {
                // The failure matters, not that of tidying up.
                let _ = fs::remove_file(path);
            }
            return Err(failure);
        }
    }
    Ok(())
}

fn create_file(path: &Utf8Path, text: &str) -> Result<(), Failure> {
    if let Some(folder) = path.parent() {
        fs::create_dir_all(folder).map_err(|error| Failure::io(folder, &error))?;
    }
    // `create_new` rather than `write`: a file that appeared since the look above stays as it is.
    let mut file = fs::File::create_new(path).map_err(|error| Failure::io(path, &error))?;
    file.write_all(text.as_bytes()).map_err(|error| {
        // A contract cut short would be a fault of every later build.
        let _ = fs::remove_file(path);
        Failure::io(path, &error)
    })
}
