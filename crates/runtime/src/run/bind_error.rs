//! Why tools could not be bound to a run.

use crate::CleanupError;
use crate::outcome::error::Error;
use std::fmt;

/// Why tools could not be bound, or registered.
#[non_exhaustive]
#[derive(Debug)]
pub enum BindError {
    /// A provider failed.
    Provider(Error),
    /// A name is not 1 to 64 of `A-Z a-z 0-9 _ -`.
    Name {
        /// The name, shortened.
        name: String,
    },
    /// A tool has no description: models choose tools by it.
    Description {
        /// The tool's name.
        name: String,
    },
    /// Two tools have one name.
    Collision {
        /// The name.
        name: String,
        /// Where the first comes from.
        first: String,
        /// Where the second comes from.
        second: String,
    },
    /// A tool to configure or to replace is not there.
    NoSuchTool {
        /// The name that was looked for.
        name: String,
    },
    /// A contract's own text is broken.
    Contract {
        /// The tool's name.
        name: String,
        /// What is wrong with it.
        message: String,
    },
    /// Providers yield providers without end.
    TooDeep,
    /// The registry is closed: its run has ended.
    Closed,
    /// The successor is in place, but releasing its predecessor failed.
    Cleanup(CleanupError),
    /// Binding failed, and releasing what was built before failed too.
    Unreleased {
        /// Why binding failed.
        fault: Box<BindError>,
        /// What could not be released.
        cleanup: CleanupError,
    },
}

impl fmt::Display for BindError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Provider(error) => {
                write!(f, "a provider of tools failed: {error}")?;
                error.source().map_or(Ok(()), |source| write!(f, ": {source}"))
            }
            Self::Name { name } => {
                write!(f, "the name `{name}` is not 1 to 64 of A-Z a-z 0-9 _ -")
            }
            Self::Description { name } => write!(f, "the tool `{name}` has no description"),
            Self::Collision { name, first, second } => {
                write!(f, "the name `{name}` is used twice: by {first} and by {second}")
            }
            Self::NoSuchTool { name } => write!(f, "there is no tool `{name}`"),
            Self::Contract { name, message } => {
                write!(f, "the contract of `{name}` is broken: {message}")
            }
            Self::TooDeep => f.write_str("providers yield providers without end"),
            Self::Closed => f.write_str("the registry is closed: its run has ended"),
            Self::Cleanup(failed) => write!(f, "replaced, but {failed}"),
            Self::Unreleased { fault, cleanup } => write!(f, "{fault}; and {cleanup}"),
        }
    }
}

impl std::error::Error for BindError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            Self::Provider(error) => error.source().map(|source| source as _),
            Self::Cleanup(failed) => Some(failed),
            Self::Unreleased { fault, .. } => Some(fault),
            _ => None,
        }
    }
}
