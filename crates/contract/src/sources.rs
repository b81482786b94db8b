//! The bytes of a schemas folder. Reading never fails as a whole: what cannot be read is a diagnostic, the rest goes on.

use crate::reader::{Root, Unread};
use crate::rules::Rule;
use crate::rules::files::{
    NO_FOLDER, NOT_READ, PATH_NOT_UTF8, SYMLINK, TOO_LARGE, TOO_MANY_FILES, UNREADABLE,
};
use camino::{Utf8Path, Utf8PathBuf};
use std::collections::BTreeMap;
use toolcast_schema::diagnostic::Diagnostic;
use toolcast_schema::limits::Limits;

/// A folder's JSON files, from wherever they come.
#[derive(Clone, Debug, Default)]
pub struct Sources {
    root: Utf8PathBuf,
    files: BTreeMap<Utf8PathBuf, Vec<u8>>,
    folders: Vec<Utf8PathBuf>,
    faults: Vec<Diagnostic>,
}

impl Sources {
    /// Reads every `.json` file under `folder`, within the default [`Limits`].
    pub fn read(folder: &Utf8Path) -> Self {
        Self::read_within(folder, &Limits::default())
    }

    /// Reads every `.json` file under `folder`. Names that begin with a dot are passed over.
    pub fn read_within(folder: &Utf8Path, limits: &Limits) -> Self {
        let mut sources = Self { root: folder.to_owned(), ..Self::default() };
        let Ok(within) = Root::folder(folder) else {
            let message = format!("there is no folder `{folder}`");
            let help = "create it, or name another folder".to_owned();
            sources.fault(NO_FOLDER, "", message, Some(help));
            return sources;
        };
        if !folder.is_dir() {
            let message = "this is a file, where a folder is wanted".to_owned();
            let help = "name the folder that holds it".to_owned();
            sources.fault(NO_FOLDER, "", message, Some(help));
            return sources;
        }
        let mut reader =
            Reader { sources: &mut sources, within: &within, limits, seen: 0, bytes: 0 };
        reader.folder(Utf8Path::new(""));
        sources
    }

    /// Files that come from elsewhere than the disk: a git tree, a test, a fuzzer. Paths are relative to the schemas
    /// folder; `root` is how messages name that folder. As on a disk, only `.json` files count, and no hidden ones.
    pub fn from_files(
        root: impl Into<Utf8PathBuf>,
        files: impl IntoIterator<Item = (Utf8PathBuf, Vec<u8>)>,
    ) -> Self {
        let counts = |path: &Utf8Path| {
            let hidden = path.components().any(|part| part.as_str().starts_with('.'));
            path.extension() == Some("json") && !hidden
        };
        let files: BTreeMap<_, _> = files
            .into_iter()
            .map(|(path, bytes)| (slashed(&path), bytes))
            .filter(|(path, _)| counts(path))
            .collect();
        let mut folders: Vec<Utf8PathBuf> = vec![Utf8PathBuf::new()];
        for path in files.keys() {
            folders.extend(path.ancestors().skip(1).map(Utf8Path::to_owned));
        }
        folders.sort();
        folders.dedup();
        Self { root: root.into(), files, folders, faults: Vec::new() }
    }

    /// The folder, as messages name it.
    pub fn root(&self) -> &Utf8Path {
        &self.root
    }

    /// The files' paths, relative to the folder and in order.
    pub fn files(&self) -> impl Iterator<Item = &Utf8Path> {
        self.files.keys().map(Utf8PathBuf::as_path)
    }

    /// The folders that were looked into, relative to the folder, itself (empty) first: a build script that watches them
    /// sees files come and go.
    pub fn folders(&self) -> impl Iterator<Item = &Utf8Path> {
        self.folders.iter().map(Utf8PathBuf::as_path)
    }

    /// The bytes of one file.
    pub fn bytes(&self, path: &Utf8Path) -> Option<&[u8]> {
        self.files.get(path).map(Vec::as_slice)
    }

    /// What could not be read.
    pub fn faults(&self) -> &[Diagnostic] {
        &self.faults
    }

    pub(crate) fn entries(&self) -> impl Iterator<Item = (&Utf8PathBuf, &Vec<u8>)> {
        self.files.iter()
    }

    fn fault(&mut self, rule: Rule, path: &str, message: String, help: Option<String>) {
        let file = if path.is_empty() { self.root.clone() } else { self.root.join(path) };
        self.faults.push(Diagnostic {
            severity: rule.severity,
            rule: rule.id,
            file,
            position: None,
            message,
            help,
        });
    }
}

const FEWER: &str = "keep contracts in a folder of their own";

struct Reader<'a> {
    sources: &'a mut Sources,
    within: &'a Root,
    limits: &'a Limits,
    seen: usize,
    bytes: usize,
}

impl Reader<'_> {
    fn folder(&mut self, folder: &Utf8Path) {
        // Deeper than any path a system takes; the bound keeps a file system that lies from the stack.
        const DEEPEST: usize = 64;
        self.sources.folders.push(folder.to_owned());
        if folder.components().count() > DEEPEST {
            let message = format!("folders nested deeper than {DEEPEST}");
            return self.sources.fault(
                TOO_MANY_FILES,
                folder.as_str(),
                message,
                Some(FEWER.to_owned()),
            );
        }
        let here = self.sources.root.join(folder);
        let entries = match std::fs::read_dir(&here) {
            Ok(entries) => entries,
            Err(error) => return self.unreadable(folder.as_str(), &error),
        };
        let mut names = Vec::new();
        for entry in entries {
            match entry {
                Ok(entry) => names.push(entry.file_name()),
                Err(error) => return self.unreadable(folder.as_str(), &error),
            }
        }
        names.sort();
        for name in names {
            let Some(name) = name.to_str() else {
                let shown = folder.join(name.to_string_lossy().as_ref());
                let help = "rename it: tools and Rust modules are named after files".to_owned();
                let message = "the file's name is not UTF-8".to_owned();
                self.sources.fault(PATH_NOT_UTF8, shown.as_str(), message, Some(help));
                continue;
            };
            if !name.starts_with('.') {
                self.entry(&slashed(&folder.join(name)));
            }
        }
    }

    fn entry(&mut self, path: &Utf8Path) {
        self.seen += 1;
        if self.seen > self.limits.files {
            if self.seen == self.limits.files + 1 {
                let message = format!("more than {} files (limit `files`)", self.limits.files);
                self.sources.fault(TOO_MANY_FILES, "", message, Some(FEWER.to_owned()));
            }
            return;
        }
        let full = self.sources.root.join(path);
        let kind = match std::fs::symlink_metadata(&full) {
            Ok(metadata) => metadata.file_type(),
            Err(error) => return self.unreadable(path.as_str(), &error),
        };
        if kind.is_symlink() {
            self.link(path);
        } else if kind.is_dir() {
            self.folder(path);
        } else if path.extension() == Some("json") {
            self.file(path);
        } else if path.extension().is_some_and(is_nearly_json) {
            let message = "this file is not read: a contract is a `.json` file".to_owned();
            let help =
                "write it as JSON in a file that ends in `.json`, or move it elsewhere".to_owned();
            self.sources.fault(NOT_READ, path.as_str(), message, Some(help));
        }
    }

    fn link(&mut self, path: &Utf8Path) {
        let message = match self.within.resolve(path) {
            Ok(target) if target.is_dir() => "a symbolic link to a folder",
            Ok(_) if path.extension() != Some("json") => return,
            Ok(_) => return self.file(path),
            Err(Unread::Io(error)) => return self.unreadable(path.as_str(), &error),
            Err(_) => "a symbolic link that leads out of the schemas folder",
        };
        let help = "put the files themselves here: a contract is what is checked in".to_owned();
        self.sources.fault(SYMLINK, path.as_str(), message.to_owned(), Some(help));
    }

    fn file(&mut self, path: &Utf8Path) {
        let limit = self.limits.file_bytes;
        let bytes = match self.within.read(path, limit) {
            Ok(content) => content.bytes,
            // The parser says which file is too large, and needs no more than its length.
            Err(Unread::TooLarge(_)) => vec![0; limit + 1],
            Err(Unread::Io(error)) => return self.unreadable(path.as_str(), &error),
            Err(unread) => {
                let help = Some(unread.help().to_owned());
                return self.sources.fault(UNREADABLE, path.as_str(), unread.to_string(), help);
            }
        };
        self.bytes += bytes.len();
        if self.bytes > self.limits.total_bytes {
            if self.bytes - bytes.len() <= self.limits.total_bytes {
                let most = self.limits.total_bytes;
                let message = format!(
                    "the folder's files are larger than {most} bytes (limit `total_bytes`)"
                );
                self.sources.fault(TOO_LARGE, "", message, Some(FEWER.to_owned()));
            }
            return;
        }
        self.sources.files.insert(path.to_owned(), bytes);
    }

    fn unreadable(&mut self, path: &str, error: &std::io::Error) {
        let help = "see that it is there and may be read".to_owned();
        self.sources.fault(UNREADABLE, path, format!("cannot be read: {error}"), Some(help));
    }
}

/// Endings of files that someone may take for contracts.
fn is_nearly_json(extension: &str) -> bool {
    ["json", "jsonc", "json5", "yaml", "yml"].contains(&extension.to_ascii_lowercase().as_str())
}

/// One spelling on every system: later stages compare and print paths.
fn slashed(path: &Utf8Path) -> Utf8PathBuf {
    if std::path::MAIN_SEPARATOR == '/' {
        path.to_owned()
    } else {
        path.as_str().replace(std::path::MAIN_SEPARATOR, "/").into()
    }
}
