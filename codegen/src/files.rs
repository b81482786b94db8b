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
/// our header are never touched; the schemas beside a Rust file of ours are ours.
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
    find_stale(files, folder, Utf8Path::new(""), &mut stale)?;
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

/// Files of ours below a folder that are not among the files.
fn find_stale(
    files: &Files,
    folder: &Utf8Path,
    inner: &Utf8Path,
    stale: &mut Vec<Utf8PathBuf>,
) -> Result<(), Error> {
    let here = folder.join(inner);
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
            find_stale(files, folder, &path, stale)?;
        } else if kind.is_file() && files.get(&path).is_none() && owned(files, folder, &path) {
            stale.push(path);
        }
    }
    Ok(())
}

fn owned(files: &Files, folder: &Utf8Path, path: &Utf8Path) -> bool {
    let marked = |path: &Utf8Path| {
        use io::Read;
        let mut start = Vec::new();
        let file = fs::File::open(folder.join(path));
        file.is_ok_and(|file| {
            file.take(MARK.len() as u64).read_to_end(&mut start).is_ok() && is_ours(&start)
        })
    };
    if path.extension() == Some("rs") {
        return marked(path);
    }
    let name = path.file_name().unwrap_or_default();
    let stem = name.strip_suffix(".input.json").or_else(|| name.strip_suffix(".output.json"));
    stem.is_some_and(|stem| {
        let beside = path.with_file_name(format!("{stem}.rs"));
        files.get(&beside).is_some() || marked(&beside)
    })
}
