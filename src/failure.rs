//! Why the command could not do its work: what, and what to do. Findings are no failure.

use camino::Utf8Path;
use std::fmt;
use toolcast_codegen::contract::one_line;
use toolcast_codegen::contract::reader::{Root, Unread};

/// Why the command could not do its work. The exit status is then 2.
#[derive(Debug)]
pub struct Failure {
    message: String,
    help: Option<String>,
}

impl Failure {
    /// A failure that says where and what.
    pub fn new(message: impl Into<String>) -> Self {
        Self { message: message.into(), help: None }
    }

    /// Adds what to do.
    pub fn help(mut self, help: impl Into<String>) -> Self {
        self.help = Some(help.into());
        self
    }

    /// A file or folder that could not be read or written.
    pub fn io(path: &Utf8Path, error: &std::io::Error) -> Self {
        Self::new(format!("{}: {error}", one_line(path.as_str())))
    }

    /// A file that was not read.
    pub fn unread(path: &Utf8Path, why: &Unread) -> Self {
        match why {
            Unread::Io(error) => Self::io(path, error),
            why => Self::new(format!("{}: {why}", one_line(path.as_str()))).help(why.help()),
        }
    }

    /// Why a path cannot be a folder of ours: something else stands there, or a link leads out of the project. `None` where
    /// it can.
    pub fn no_folder(path: &Utf8Path) -> Option<Self> {
        // `shop/src/main.rs` under a file `shop` is "not a directory" itself.
        let other = path.ancestors().find(|part| !part.as_str().is_empty() && part.exists())?;
        let shown = one_line(other.as_str());
        if !other.is_dir() {
            let failure = Self::new(format!("{shown}: this is a file, where a folder is wanted"));
            return Some(failure.help("name a folder, or move the file out of the way"));
        }
        match Root::of(other).map_err(Unread::Io).and_then(|(root, inner)| root.resolve(&inner)) {
            Err(Unread::Leaves) => Some(
                Self::new(format!("{shown}: a symbolic link that leads out of the project"))
                    .help("name the folder that it leads to, or put a folder in its place"),
            ),
            // What else is wrong is told by whoever uses the folder.
            _ => None,
        }
    }
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)?;
        match &self.help {
            Some(help) => write!(f, "\n  help: {help}"),
            None => Ok(()),
        }
    }
}

impl std::error::Error for Failure {}
