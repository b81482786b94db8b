//! Generated files as values, and the one place where they are written.

use crate::Error;
use crate::render::MARK;
use camino::{Utf8Path, Utf8PathBuf};
use std::collections::BTreeMap;
use std::time::SystemTime;
use std::{fs, io};

/// Generated files by their path below the output folder.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Files(BTreeMap<Utf8PathBuf, String>);

impl Files {
    /// Adds a file.
    pub fn insert(&mut self, path: Utf8PathBuf, text: String) {
        self.0.insert(path, text);
    }

    /// Adds all files of another set.
    pub fn extend(&mut self, other: Self) {
        self.0.extend(other.0);
    }

    /// The text of a file.
    pub fn get(&self, path: impl AsRef<Utf8Path>) -> Option<&str> {
        self.0.get(path.as_ref()).map(String::as_str)
    }

    /// The files in the order of their paths.
    pub fn iter(&self) -> impl Iterator<Item = (&Utf8Path, &str)> {
        self.0.iter().map(|(path, text)| (path.as_path(), text.as_str()))
    }

    /// How many files there are.
    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// Whether there is no file.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}

/// What [`place`] may do.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mode {
    /// Bring the folder up to date.
    Write,
    /// Only say what is not.
    Check,
}

/// What was, or under [`Mode::Check`] would be, changed; paths below the output folder, sorted.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Report {
    /// Files that are new or differ.
    pub written: Vec<Utf8PathBuf>,
    /// Files of ours that no contract stands behind any more.
    pub removed: Vec<Utf8PathBuf>,
    /// How many files were right already.
    pub unchanged: usize,
}

impl Report {
    /// Whether nothing was to do.
    pub fn is_clean(&self) -> bool {
        self.written.is_empty() && self.removed.is_empty()
    }
}

/// Brings a folder up to date with the files, or says what is not.
///
/// A file is written only where its bytes differ, beside its place and then renamed into it. Files that do not carry
/// our header are never touched; the schemas beside a Rust file of ours are ours. Removed is only what was made from the
/// same schemas folder for the same output folder: another set may stand beside this one or below it.
///
/// # Errors
///
/// Where a file cannot be read or written, or a file that is not ours stands in the way.
pub fn place(files: &Files, folder: &Utf8Path, mode: Mode) -> Result<Report, Error> {
    place_dated(files, folder, mode, None)
}

/// [`place`], with the time that written files carry.
pub(crate) fn place_dated(
    files: &Files,
    folder: &Utf8Path,
    mode: Mode,
    modified: Option<SystemTime>,
) -> Result<Report, Error> {
    let mut report = Report::default();
    let mut differing = Vec::new();
    for (path, text) in files.iter() {
        let target = folder.join(path);
        match fs::read(&target) {
            Ok(known) if known == text.as_bytes() => {
                report.unchanged += 1;
                continue;
            }
            Ok(known)
                if path.extension() == Some("rs") && !known.is_empty() && !is_ours(&known) =>
            {
                let kind = io::ErrorKind::AlreadyExists;
                let source =
                    io::Error::new(kind, "stands in the way and was not written by toolcast");
                return Err(Error::Io { path: target, source });
            }
            Ok(_) => {}
            Err(error) if error.kind() == io::ErrorKind::NotFound => {}
            Err(source) => return Err(Error::Io { path: target, source }),
        }
        report.written.push(path.to_owned());
        differing.push((target, text));
    }
    let mut stale = Vec::new();
    if let Some(label) = label(files) {
        find_stale(&Set { files, folder, label }, Utf8Path::new(""), &mut stale)?;
    }
    stale.sort();
    // All was looked at before anything is written: what stands in the way leaves the folder as it was.
    if mode == Mode::Write {
        for (target, text) in differing {
            write(&target, text, modified).map_err(|source| Error::Io { path: target, source })?;
        }
        for path in &stale {
            let target = folder.join(path);
            match fs::remove_file(&target) {
                Err(source) if source.kind() != io::ErrorKind::NotFound => {
                    return Err(Error::Io { path: target, source });
                }
                _ => {}
            }
            // A folder that still holds anything is not removed, and that is as it should be.
            let mut parent = path.parent();
            while let Some(inner) = parent.filter(|inner| !inner.as_str().is_empty()) {
                if fs::remove_dir(folder.join(inner)).is_err() {
                    break;
                }
                parent = inner.parent();
            }
        }
    }
    report.removed = stale;
    Ok(report)
}

fn is_ours(bytes: &[u8]) -> bool {
    bytes.starts_with(MARK.as_bytes())
}

fn write(target: &Utf8Path, text: &str, modified: Option<SystemTime>) -> io::Result<()> {
    if let Some(parent) = target.parent() {
        fs::create_dir_all(parent)?;
    }
    let name = target.file_name().unwrap_or("file");
    let beside = target.with_file_name(format!(".{name}.{}.tmp", std::process::id()));
    let written = (|| {
        fs::write(&beside, text)?;
        if let Some(modified) = modified {
            fs::File::options().write(true).open(&beside)?.set_modified(modified)?;
        }
        fs::rename(&beside, target)
    })();
    if written.is_err() {
        // The error of the write matters, not that of tidying up.
        let _ = fs::remove_file(&beside);
    }
    written
}

/// What a file must be held against to be known as one of this set: another set may stand beside it or below it.
struct Set<'a> {
    files: &'a Files,
    folder: &'a Utf8Path,
    /// The schemas folder as our headers name it.
    label: &'a str,
}

/// The schemas folder that the files were made from.
fn label(files: &Files) -> Option<&str> {
    files.iter().find_map(|(_, text)| source(text)?.split('/').next())
}

/// What the header of a file names as its source.
fn source(text: &str) -> Option<&str> {
    let line = text.lines().next()?;
    Some(line.strip_prefix(MARK)?.split_once(". Do not edit")?.0)
}

/// Files of this set below a folder that are not among its files any more.
fn find_stale(set: &Set<'_>, inner: &Utf8Path, stale: &mut Vec<Utf8PathBuf>) -> Result<(), Error> {
    let here = set.folder.join(inner);
    let entries = match here.read_dir_utf8() {
        Ok(entries) => entries,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(()),
        Err(source) => return Err(Error::Io { path: here, source }),
    };
    let fail = |source| Error::Io { path: here.clone(), source };
    for entry in entries {
        // What is not UTF-8 is not ours.
        let Ok(entry) = entry else { continue };
        let kind = entry.file_type().map_err(fail)?;
        let path = inner.join(entry.file_name());
        if kind.is_dir() {
            find_stale(set, &path, stale)?;
        } else if kind.is_file() && set.files.get(&path).is_none() && set.owns(&path) {
            stale.push(path);
        }
    }
    Ok(())
}

impl Set<'_> {
    /// Whether a file that we no longer write was written for this set.
    fn owns(&self, path: &Utf8Path) -> bool {
        if path.extension() == Some("rs") {
            return self.wrote(path);
        }
        let name = path.file_name().unwrap_or_default();
        let stem = name.strip_suffix(".input.json").or_else(|| name.strip_suffix(".output.json"));
        stem.is_some_and(|stem| {
            let beside = path.with_file_name(format!("{stem}.rs"));
            self.files.get(&beside).is_some() || self.wrote(&beside)
        })
    }

    /// Whether a Rust file's header names our schemas folder, and a source as deep in it as the file is in the output: the
    /// root of a set that lies below ours is deeper here than there.
    fn wrote(&self, path: &Utf8Path) -> bool {
        use io::Read;
        /// Bytes of a header, which names one path.
        const LONGEST: u64 = 8 << 10;
        let mut start = Vec::new();
        let file = fs::File::open(self.folder.join(path));
        if !file.is_ok_and(|file| file.take(LONGEST).read_to_end(&mut start).is_ok()) {
            return false;
        }
        let start = String::from_utf8_lossy(&start);
        let Some((label, inner)) = source(&start).and_then(|source| source.split_once('/')) else {
            return false;
        };
        // An index names a folder, with a slash at its end; its own name is the folder's.
        let depth = inner.matches('/').count();
        label == self.label && depth == path.components().count() - 1
    }
}
