//! Generated files as values, and the one place where they are written.

mod known;

use crate::Error;
use crate::render::MARK;
use camino::{Utf8Path, Utf8PathBuf};
use known::Known;
use std::collections::{BTreeMap, BTreeSet};
use std::io::Write;
use std::time::SystemTime;
use std::{fs, io};
use toolcast_contract::reader::{Unread, read_regular};

/// Bytes of a file that may be ours: 256 MiB. The largest contract that is read gives less.
const LARGEST: usize = 256 << 20;

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
/// A file is written only where its text differs (line ends aside, which a checkout may have changed), beside its place and
/// then renamed into it. Replaced is only what is ours: a Rust file with our header, a schema that such a file names. Removed
/// is only what the indexes that stand in the folder name, and what was made from the same schemas folder: they are the
/// manifest of what we wrote. No link below the folder is followed.
///
/// # Errors
///
/// Where a file cannot be read or written, and where something that is not ours stands in the way: all of it is named, and
/// nothing is written.
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
    let mut known = Known::new(folder);
    let mut in_the_way = Vec::new();
    let mut right = BTreeSet::new();
    for (path, text) in files.iter() {
        if let Some(what) = known.obstacle(path)? {
            in_the_way.push(what);
            continue;
        }
        let target = folder.join(path);
        match read_regular(target.as_std_path(), LARGEST) {
            Ok(bytes) if is_same(&bytes, text) => {
                report.unchanged += 1;
                right.insert(path);
                continue;
            }
            Ok(bytes) if bytes.is_empty() || known.is_ours(path, &bytes) => {}
            Ok(_) | Err(Unread::TooLarge(_)) => {
                in_the_way.push((target, "a file"));
                continue;
            }
            Err(unread) if unread.is_missing() => {}
            Err(Unread::Io(source)) => return Err(Error::Io { path: target, source }),
            Err(_) => {
                let what = kind(&target);
                in_the_way.push((target, what));
                continue;
            }
        }
        report.written.push(path.to_owned());
        differing.push((target, text));
    }
    if !in_the_way.is_empty() {
        in_the_way.dedup();
        return Err(Error::InTheWay(in_the_way));
    }
    let Some(label) = label(files) else { return Ok(report) };
    let mut stale = known.named(label, &right);
    stale.retain(|path| files.get(path).is_none());
    // All was looked at before anything is written: what stands in the way leaves the folder as it was.
    if mode == Mode::Write {
        remove_leftovers(files, &stale, folder);
        // The indexes come last: until then the old ones name what is still to go.
        differing.sort_by_key(|(target, _)| target.file_name() == Some("mod.rs"));
        let indexes = differing.iter().filter(|(target, _)| target.file_name() == Some("mod.rs"));
        let (others, indexes) = differing.split_at(differing.len() - indexes.count());
        write_all(others, modified)?;
        for path in &stale {
            remove(folder, path)?;
        }
        write_all(indexes, modified)?;
    }
    report.removed = stale.into_iter().collect();
    Ok(report)
}

/// Whether a file says what it should. A checkout may have given it other line ends; ours are `\n`.
fn is_same(bytes: &[u8], text: &str) -> bool {
    bytes == text.as_bytes()
        || (bytes.len() > text.len()
            && std::str::from_utf8(bytes).is_ok_and(|known| known.replace("\r\n", "\n") == text))
}

/// What the header of a file names as its source.
fn source(text: &str) -> Option<&str> {
    let line = text.lines().next()?;
    Some(line.strip_prefix(MARK)?.split_once(". Do not edit")?.0)
}

/// The schemas folder that the files were made from.
fn label(files: &Files) -> Option<&str> {
    files.iter().find_map(|(_, text)| source(text)?.split('/').next())
}

/// What something that is no file is, for messages.
fn kind(path: &Utf8Path) -> &'static str {
    match path.symlink_metadata() {
        Ok(metadata) if metadata.is_symlink() => "a symbolic link",
        Ok(metadata) if metadata.is_dir() => "a folder",
        Ok(metadata) if metadata.is_file() => "a file",
        _ => "what is no regular file",
    }
}

fn write_all(files: &[(Utf8PathBuf, &str)], modified: Option<SystemTime>) -> Result<(), Error> {
    for (target, text) in files {
        write(target, text, modified)
            .map_err(|source| Error::Io { path: target.clone(), source })?;
    }
    Ok(())
}

fn write(target: &Utf8Path, text: &str, modified: Option<SystemTime>) -> io::Result<()> {
    if let Some(parent) = target.parent() {
        fs::create_dir_all(parent)?;
    }
    let name = target.file_name().unwrap_or("file");
    let beside = target.with_file_name(format!(".{name}.{}.tmp", std::process::id()));
    let written = (|| {
        // Made and never opened: what stands there already, a link for one, is not written through.
        let mut file = match fs::File::create_new(&beside) {
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {
                fs::remove_file(&beside)?;
                fs::File::create_new(&beside)?
            }
            made => made?,
        };
        file.write_all(text.as_bytes())?;
        if let Some(modified) = modified {
            file.set_modified(modified)?;
        }
        drop(file);
        fs::rename(&beside, target)
    })();
    if written.is_err() {
        // The error of the write matters, not that of tidying up.
        let _ = fs::remove_file(&beside);
    }
    written
}

/// Removes a file of ours, and the folders that it leaves empty.
fn remove(folder: &Utf8Path, path: &Utf8Path) -> Result<(), Error> {
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
    Ok(())
}

/// Removes what a run left that was stopped between writing a file and renaming it.
fn remove_leftovers(files: &Files, stale: &BTreeSet<Utf8PathBuf>, folder: &Utf8Path) {
    let mut folders: BTreeMap<&Utf8Path, BTreeSet<&str>> = BTreeMap::new();
    for path in files.0.keys().chain(stale) {
        if let (Some(parent), Some(name)) = (path.parent(), path.file_name()) {
            folders.entry(parent).or_default().insert(name);
        }
    }
    for (inner, names) in folders {
        let Ok(entries) = folder.join(inner).read_dir_utf8() else { continue };
        for entry in entries.flatten() {
            let left = entry.file_name().strip_prefix('.').and_then(|name| {
                let (name, process) = name.strip_suffix(".tmp")?.rsplit_once('.')?;
                let number = !process.is_empty() && process.bytes().all(|b| b.is_ascii_digit());
                Some(number && names.contains(name))
            });
            if left == Some(true) {
                // It harms nobody where it stays.
                let _ = fs::remove_file(entry.path());
            }
        }
    }
}
