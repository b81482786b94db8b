//! The one reader of files. A file is read whole or not at all: it is a regular file, it is within a bound, and no link on
//! the way to it leaves the folder that was looked into. Nothing waits on a pipe or a device.

use camino::{Utf8Component, Utf8Path, Utf8PathBuf};
use std::fmt;
use std::fs::{File, OpenOptions};
use std::io::{self, Read};
use std::path::{Path, PathBuf};
use toolcast_schema::diagnostic::one_line;

/// A folder that links may not leave.
///
/// Whoever opens a pull request decides what a path in the checkout leads to. A link is followed where its target lies in
/// the folder too, and is not hidden there: `.git/config` and `.env` are no one's contracts.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Root {
    /// Where paths start, as the system knows it.
    start: PathBuf,
    /// The start, or a folder above it.
    bound: PathBuf,
}

/// A file that was read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Content {
    /// Its bytes.
    pub bytes: Vec<u8>,
    /// Whether a link led to it. Messages then quote nothing of it: it may be a file that was never checked in.
    pub linked: bool,
}

/// Why a file was not read.
#[derive(Debug)]
#[non_exhaustive]
pub enum Unread {
    /// The system says why.
    Io(io::Error),
    /// A folder, a pipe, a device or a socket.
    NoFile,
    /// A link leads out of the folder, or to something hidden in it.
    Leaves,
    /// The file is larger than this many bytes.
    TooLarge(usize),
}

impl Root {
    /// The folder itself: what is read lies in it. `folder` may be a link, its entries may not lead elsewhere.
    ///
    /// # Errors
    ///
    /// Where the folder is not there.
    pub fn folder(folder: &Utf8Path) -> io::Result<Self> {
        let start = folder.canonicalize()?;
        Ok(Self { bound: start.clone(), start })
    }

    /// The project that a path belongs to which a person or a script named, and the path as it is seen from there.
    ///
    /// A path below the current folder is the checkout's to decide, from its first part on; it may not leave the working
    /// tree (the nearest folder above that holds `.git`, `.hg` or `.jj`, else `Cargo.lock`). Of a path elsewhere, only the
    /// last part may lead astray: who names it knows the rest.
    ///
    /// # Errors
    ///
    /// Where the current folder, or the folder of a path elsewhere, is not there.
    pub fn of(path: &Utf8Path) -> io::Result<(Self, Utf8PathBuf)> {
        let here = std::env::current_dir()?;
        // A path that spells the current folder out is as good as one that does not.
        let inner = Utf8Path::from_path(&here).and_then(|here| path.strip_prefix(here).ok());
        let inner = inner.unwrap_or(path);
        let (start, rest) = if inner.is_absolute() {
            match (inner.parent(), inner.file_name()) {
                (Some(parent), Some(name)) => (parent.canonicalize()?, name.into()),
                _ => (inner.canonicalize()?, Utf8PathBuf::new()),
            }
        } else {
            climb(here.canonicalize()?, inner)
        };
        let bound = working_tree(&start).unwrap_or(&start).to_owned();
        Ok((Self { start, bound }, rest))
    }

    /// Where a path below the root leads.
    ///
    /// # Errors
    ///
    /// Where nothing is there, or it lies outside.
    pub fn resolve(&self, path: &Utf8Path) -> Result<PathBuf, Unread> {
        let target = self.start.join(path).canonicalize()?;
        let inner = target.strip_prefix(&self.bound).map_err(|_| Unread::Leaves)?;
        let hidden = |path: &Path| {
            path.components().any(|part| {
                let text = part.as_os_str().to_string_lossy();
                text.starts_with('.') && text != "." && text != ".."
            })
        };
        if self.is_linked(path, &target) && hidden(inner) {
            return Err(Unread::Leaves);
        }
        Ok(target)
    }

    fn is_linked(&self, path: &Utf8Path, target: &Path) -> bool {
        let (start, rest) = climb(self.start.clone(), path);
        start.join(rest) != target
    }

    /// Reads a file below the root, of at most so many bytes.
    ///
    /// # Errors
    ///
    /// Where it is not there, is no regular file, is larger, or lies outside.
    pub fn read(&self, path: &Utf8Path, most: usize) -> Result<Content, Unread> {
        let target = self.resolve(path)?;
        let bytes = read_regular(&target, most)?;
        Ok(Content { bytes, linked: self.is_linked(path, &target) })
    }
}

/// Reads a file that a person or a script named: [`Root::of`] its path.
///
/// # Errors
///
/// Where it is not there, is no regular file, is larger, or a link leads out of the project.
pub fn read_named(path: &Utf8Path, most: usize) -> Result<Content, Unread> {
    let (root, inner) = Root::of(path)?;
    root.read(&inner, most)
}

/// Reads a regular file of at most so many bytes, where the folder is known and only the last part of the path may be a
/// link: it is not followed.
///
/// # Errors
///
/// Where it is not there, is no regular file, or is larger.
pub fn read_regular(path: &Path, most: usize) -> Result<Vec<u8>, Unread> {
    // Asked before opening too: merely opening some devices does something.
    if !path.symlink_metadata()?.is_file() {
        return Err(Unread::NoFile);
    }
    let file = open(path)?;
    let metadata = file.metadata()?;
    if !metadata.is_file() {
        return Err(Unread::NoFile);
    }
    let length = usize::try_from(metadata.len()).unwrap_or(usize::MAX);
    if length > most {
        return Err(Unread::TooLarge(most));
    }
    let mut bytes = Vec::with_capacity(length + 1);
    // It may grow meanwhile, and files such as those under `/proc` do not tell their size.
    file.take(most as u64 + 1).read_to_end(&mut bytes)?;
    if bytes.len() > most { Err(Unread::TooLarge(most)) } else { Ok(bytes) }
}

/// Opens for reading, and waits for nothing: a pipe that took the file's place must not hold us up.
fn open(path: &Path) -> io::Result<File> {
    let mut options = OpenOptions::new();
    options.read(true);
    #[cfg(unix)]
    {
        use std::os::unix::fs::OpenOptionsExt;
        options.custom_flags(NONBLOCK);
    }
    options.open(path)
}

/// `O_NONBLOCK`, spelled out since the build dependencies shall not grow by `libc`; none where it is not known, which
/// leaves the look before opening.
#[cfg(unix)]
const NONBLOCK: i32 = if cfg!(all(
    any(target_os = "linux", target_os = "android"),
    not(any(
        target_arch = "mips",
        target_arch = "mips64",
        target_arch = "mips32r6",
        target_arch = "mips64r6",
        target_arch = "sparc",
        target_arch = "sparc64"
    ))
)) {
    0o4000
} else if cfg!(any(
    target_vendor = "apple",
    target_os = "freebsd",
    target_os = "netbsd",
    target_os = "openbsd",
    target_os = "dragonfly"
)) {
    4
} else {
    0
};

/// The nearest folder that is a working tree's root; without version control, the nearest of a Cargo workspace.
fn working_tree(folder: &Path) -> Option<&Path> {
    let nearest = |names: &[&str]| {
        folder.ancestors().find(|folder| names.iter().any(|name| folder.join(name).exists()))
    };
    nearest(&[".git", ".hg", ".jj"]).or_else(|| nearest(&["Cargo.lock"]))
}

/// A relative path's leading `..` taken from the folder, and what is left of the path without dots.
fn climb(mut start: PathBuf, path: &Utf8Path) -> (PathBuf, Utf8PathBuf) {
    let mut rest = Utf8PathBuf::new();
    for part in path.components() {
        match part {
            Utf8Component::CurDir => {}
            Utf8Component::ParentDir if rest.as_str().is_empty() => {
                start.pop();
            }
            part => rest.push(part),
        }
    }
    (start, rest)
}

impl Unread {
    /// Whether there is nothing at the path.
    pub fn is_missing(&self) -> bool {
        matches!(self, Self::Io(error) if error.kind() == io::ErrorKind::NotFound)
    }

    /// What to do.
    pub fn help(&self) -> &'static str {
        match self {
            Self::Io(_) => "see that it is there and may be read",
            Self::NoFile => "remove it, or put a file in its place",
            Self::Leaves => "put the file itself here: what is read is what is checked in",
            Self::TooLarge(_) => "make it smaller, or split it",
        }
    }
}

impl fmt::Display for Unread {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Io(error) => write!(f, "cannot be read: {}", one_line(&error.to_string())),
            Self::NoFile => f.write_str("this is not a regular file"),
            Self::Leaves => f.write_str("a symbolic link that leads out of the folder"),
            Self::TooLarge(most) => write!(f, "larger than {most} bytes"),
        }
    }
}

impl std::error::Error for Unread {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            Self::Io(error) => Some(error),
            _ => None,
        }
    }
}

impl From<io::Error> for Unread {
    fn from(error: io::Error) -> Self {
        Self::Io(error)
    }
}
