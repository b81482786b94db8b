//! What a handler may fail with, and who gets to read it.

use crate::Interrupted;
use std::any::Any;
use std::fmt;

/// Any error, boxed.
pub type BoxError = Box<dyn std::error::Error + Send + Sync>;

/// Why a call did not succeed.
///
/// Any error type converts into [`Error::Unexpected`], so `?` works in handlers and never leaks a message to a model.
///
/// ```
/// use toolcast::Error;
///
/// fn lookup(id: &str) -> Result<u32, Error> {
///     if id.is_empty() {
///         return Err(Error::tool("no ticket has an empty id")); // the model reads this
///     }
///     Ok(id.parse()?) // the model reads `ParseIntError`, the application gets the error
/// }
/// assert_eq!(lookup("x").unwrap_err().to_string(), "ParseIntError");
/// ```
#[non_exhaustive]
#[derive(Debug)]
pub enum Error {
    /// A failure in words that the model reads. They must be safe to disclose.
    Tool(String),
    /// A failure in words that the model reads, with its cause for the application.
    Caused {
        /// What the model reads.
        message: String,
        /// Why, for the application only.
        source: BoxError,
    },
    /// Anything else: the model is told the type's name only, the application gets the error.
    Unexpected {
        /// The type's name, without its path: all that a model reads.
        type_name: &'static str,
        /// The error itself, for the application.
        source: BoxError,
    },
    /// The handler panicked: the model is told `panic`, the application gets what the panic said.
    Panic(String),
    /// The run or the call was cancelled. Propagates out of `execute`.
    Cancelled,
    /// A deadline of the call or the run passed. Propagates out of `execute`.
    DeadlineExceeded,
    /// A `close` failed. Propagates; further failures are attached.
    Cleanup(Vec<BoxError>),
}

impl Error {
    /// A failure in words that the model reads. They must be safe to disclose.
    pub fn tool(message: impl Into<String>) -> Self {
        Self::Tool(message.into())
    }

    /// A failure in words that the model reads, with the cause that only the application sees.
    pub fn caused(message: impl Into<String>, source: impl Into<BoxError>) -> Self {
        Self::Caused { message: message.into(), source: source.into() }
    }

    /// The cause that the application may follow, where there is one.
    pub fn source(&self) -> Option<&(dyn std::error::Error + Send + Sync + 'static)> {
        match self {
            Self::Caused { source, .. } | Self::Unexpected { source, .. } => Some(&**source),
            Self::Cleanup(failures) => failures.first().map(|failure| &**failure),
            _ => None,
        }
    }

    pub(crate) fn panic(payload: &(dyn Any + Send)) -> Self {
        let said = payload.downcast_ref::<&str>().copied();
        let said = said.or_else(|| payload.downcast_ref::<String>().map(String::as_str));
        Self::Panic(said.unwrap_or("a payload that is no text").to_owned())
    }
}

/// What a model may read: never the message of an unexpected error or a panic.
impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Tool(message) | Self::Caused { message, .. } => f.write_str(message),
            Self::Unexpected { type_name, .. } => f.write_str(type_name),
            Self::Panic(_) => f.write_str("panic"),
            Self::Cancelled => f.write_str("cancelled"),
            Self::DeadlineExceeded => f.write_str("deadline exceeded"),
            Self::Cleanup(_) => f.write_str("cleanup failed"),
        }
    }
}

// `Error` deliberately does not implement `std::error::Error`: this conversion would overlap with `From<Error>`.
impl<E: std::error::Error + Send + Sync + 'static> From<E> for Error {
    fn from(source: E) -> Self {
        let source: BoxError = Box::new(source);
        // A handler that calls other tools with `?` passes their interruption on as what it is.
        let source = match source.downcast::<Interrupted>() {
            Ok(interrupted) => match *interrupted {
                Interrupted::Cancelled => return Self::Cancelled,
                Interrupted::DeadlineExceeded => return Self::DeadlineExceeded,
                Interrupted::Cleanup(failed) => return Self::Cleanup(failed.failures),
                closed @ Interrupted::Closed => Box::new(closed),
            },
            Err(source) => source,
        };
        let path = std::any::type_name::<E>();
        let head = path.split('<').next().unwrap_or(path);
        let type_name = head.rsplit("::").next().unwrap_or(head);
        Self::Unexpected { type_name, source }
    }
}
