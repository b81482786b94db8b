//! What a handler may fail with, and who gets to read it.

use std::fmt;

/// Why a call did not succeed.
///
/// Any error type converts into [`Error::Unexpected`], so `?` works in handlers and never leaks a message to a model.
#[non_exhaustive]
#[derive(Debug)]
pub enum Error {
    /// A failure in words that the model reads. They must be safe to disclose.
    Tool(String),
    /// Anything else: the model is told the type's name only, the application gets the error.
    Unexpected {
        /// The type's name, without its path: all that a model reads.
        type_name: &'static str,
        /// The error itself, for the application.
        source: Box<dyn std::error::Error + Send + Sync>,
    },
    /// The run or the call was cancelled. Propagates out of `execute`.
    Cancelled,
    /// A deadline of the call or the run passed. Propagates out of `execute`.
    DeadlineExceeded,
    /// A `close` failed. Propagates; further failures are attached.
    Cleanup(Vec<Box<dyn std::error::Error + Send + Sync>>),
}

impl Error {
    /// A failure in words that the model reads. They must be safe to disclose.
    pub fn tool(message: impl Into<String>) -> Self {
        Self::Tool(message.into())
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Tool(message) => f.write_str(message),
            Self::Unexpected { type_name, .. } => f.write_str(type_name),
            Self::Cancelled => f.write_str("cancelled"),
            Self::DeadlineExceeded => f.write_str("deadline exceeded"),
            Self::Cleanup(_) => f.write_str("cleanup failed"),
        }
    }
}

// `Error` deliberately does not implement `std::error::Error`: this conversion would overlap with `From<Error>`.
impl<E: std::error::Error + Send + Sync + 'static> From<E> for Error {
    fn from(source: E) -> Self {
        let path = std::any::type_name::<E>();
        let head = path.split('<').next().unwrap_or(path);
        let type_name = head.rsplit("::").next().unwrap_or(head);
        Self::Unexpected { type_name, source: Box::new(source) }
    }
}
