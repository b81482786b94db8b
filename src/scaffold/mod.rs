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
use toolcast_codegen::contract::one_line;

/// Writes all of the files or none of them.
fn create(files: &[(Utf8PathBuf, String)]) -> Result<(), Failure> {
    let existing: Vec<&str> = files
        .iter()
        .map(|(path, _)| path.as_str())
        .filter(|path| fs::symlink_metadata(path).is_ok())
        .collect();
    if !existing.is_empty() {
        let existing = one_line(&existing.join(", ")).into_owned();
        return Err(Failure::new(format!("{existing}: exists already"))
            .help("choose another place, or move what is there out of the way"));
    }
    let mut made = Vec::new();
    for (done, (path, text)) in files.iter().enumerate() {
        if let Err(failure) = create_file(path, text, &mut made) {
            // The failure matters, not that of tidying up; a folder that holds anything else stays.
            for (path, _) in &files[..done] {
                let _ = fs::remove_file(path);
            }
            for folder in made.iter().rev() {
                let _ = fs::remove_dir(folder);
            }
            return Err(failure);
        }
    }
    Ok(())
}

/// Writes one file; `made` gains the folders that were made for it, outermost first.
fn create_file(path: &Utf8Path, text: &str, made: &mut Vec<Utf8PathBuf>) -> Result<(), Failure> {
    if let Some(folder) = path.parent() {
        if let Some(failure) = Failure::no_folder(folder) {
            return Err(failure);
        }
        let missing = folder.ancestors().take_while(|folder| {
            !folder.as_str().is_empty() && fs::symlink_metadata(folder).is_err()
        });
        let mut missing: Vec<_> = missing.map(Utf8Path::to_owned).collect();
        missing.reverse();
        made.extend(missing);
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_fails_midway_leaves_the_folder_as_it_was() {
        let place = tempfile::tempdir().expect("there is a folder for temporary files");
        let root = Utf8Path::from_path(place.path()).expect("its name is UTF-8");
        fs::create_dir(root.join("there")).expect("the folder is ours");
        fs::write(root.join("there/mine"), "mine").expect("the folder is ours");
        fs::write(root.join("blocked"), "a file").expect("the folder is ours");
        let files = ["there/new", "made/deep/new", "made/other", "blocked/new", "never/new"]
            .map(|path| (root.join(path), "text".to_owned()));
        let failure = create(&files).expect_err("a file stands where a folder is to be");
        assert!(failure.to_string().contains("blocked"), "{failure}");
        let names = |folder: &Utf8Path| {
            let entries = folder.read_dir_utf8().expect("it is there");
            let mut names: Vec<_> =
                entries.map(|entry| entry.expect("it is UTF-8").file_name().to_owned()).collect();
            names.sort();
            names
        };
        assert_eq!(names(root), ["blocked", "there"]);
        assert_eq!(names(&root.join("there")), ["mine"]);
        assert_eq!(fs::read_to_string(root.join("blocked")).ok().as_deref(), Some("a file"));
        assert_eq!(fs::read_to_string(root.join("there/mine")).ok().as_deref(), Some("mine"));
    }
}
