//! What a handler may fail with, and who gets to read it.

use crate::call::guard;
use crate::{BindError, CleanupError, Interrupted};
use std::any::Any;
use std::fmt;
use std::sync::{Mutex, PoisonError};

/// Any error, boxed.
pub type BoxError = Box<dyn std::error::Error + Send + Sync>;

/// Why a call did not succeed.
///
/// Any error type converts into [`Error::Unexpected`], so `?` works in handlers and never leaks a message to a model:
/// errors of libraries, boxed errors and `anyhow::Error` alike.
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
    /// The handler panicked: the model is told `panic`, the application gets what the panic said, and its payload.
    Panic(Panic),
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

    /// A failure that no model may read: it is told the name of the error's type, the application gets the error.
    ///
    /// What `?` does, where there is no `Result` to use it on.
    ///
    /// ```
    /// let error = toolcast::Error::unexpected("the index is older than the database");
    /// assert_eq!(error.to_string(), "Error");
    /// assert_eq!(error.source().unwrap().to_string(), "the index is older than the database");
    /// ```
    pub fn unexpected<E: Into<BoxError>>(error: E) -> Self {
        Self::Unexpected { type_name: shown_name::<E>(), source: error.into() }
    }

    /// The cause that the application may follow, where there is one.
    pub fn source(&self) -> Option<&(dyn std::error::Error + Send + Sync + 'static)> {
        match self {
            Self::Caused { source, .. } | Self::Unexpected { source, .. } => Some(&**source),
            Self::Cleanup(failures) => failures.first().map(|failure| &**failure),
            _ => None,
        }
    }
}

/// What a panic left behind. It reads as what the panic said, where that is text.
///
/// ```
/// # use toolcast::{Binding, Definition, Error, Invocation, Tool, Toolset, Value};
/// # tokio::runtime::Builder::new_current_thread().build().unwrap().block_on(async {
/// let tool = Tool::define(Definition::new("count", "Counts."), |_: Value| -> &str { std::panic::panic_any(7_u8) });
/// let registry = Toolset::of([tool?]).bind(Binding::new()).await?;
/// let outcome = registry.execute("count", Value::Object(Default::default()), Invocation::new()).await?;
/// assert_eq!(outcome.text(), "panic");
/// let Some(Error::Panic(panic)) = outcome.error() else { panic!("it panicked") };
/// assert_eq!(*panic.take_payload().unwrap().downcast::<u8>().unwrap(), 7);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// # }).unwrap();
/// ```
pub struct Panic {
    text: String,
    payload: Mutex<Option<Payload>>,
}

type Payload = Box<dyn Any + Send>;

impl Panic {
    pub(crate) fn new(payload: Payload) -> Self {
        let text = payload.downcast_ref::<&str>().copied();
        let text = text.or_else(|| payload.downcast_ref::<String>().map(String::as_str));
        let text = text.unwrap_or("a payload that is no text").to_owned();
        Self { text, payload: Mutex::new(Some(payload)) }
    }

    /// What the panic said. For the application: a model reads `panic`.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// What the panic carried, for whoever knows its type or passes it to [`std::panic::resume_unwind`]; once.
    pub fn take_payload(&self) -> Option<Box<dyn Any + Send>> {
        self.payload.lock().unwrap_or_else(PoisonError::into_inner).take()
    }
}

// The application's type may panic when it is dropped; whoever drops an outcome is not to blame.
impl Drop for Panic {
    fn drop(&mut self) {
        guard::abandon(self.take_payload());
    }
}

impl fmt::Debug for Panic {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Panic").field(&self.text).finish()
    }
}

impl fmt::Display for Panic {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}

impl std::error::Error for Panic {}

impl PartialEq<str> for Panic {
    fn eq(&self, text: &str) -> bool {
        self.text == text
    }
}

impl From<String> for Panic {
    fn from(text: String) -> Self {
        Self::new(Box::new(text))
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

// `Error` deliberately does not implement `std::error::Error`: this conversion would overlap with `From<Error>`. It takes
// what boxes itself, and not only what is an error, for `anyhow::Error` and boxed errors are none.
impl<E: Into<BoxError>> From<E> for Error {
    fn from(error: E) -> Self {
        match propagated(error.into()) {
            Ok(error) => error,
            Err(source) => Self::Unexpected { type_name: shown_name::<E>(), source },
        }
    }
}

/// The name of an error's type without its path. A box or a text says nothing by its own.
fn shown_name<E>() -> &'static str {
    let path = std::any::type_name::<E>();
    let head = path.split('<').next().unwrap_or(path);
    match head.rsplit("::").next().unwrap_or(head) {
        "Box" | "String" | "&str" | "Cow" => "Error",
        name => name,
    }
}

/// Errors that an error may stand on: none of ours is further down, and a chain may be a circle.
const LONGEST_CHAIN: usize = 32;

/// What a handler passes on with `?` from calling tools and closing runs stays what it is, also where an error type of the
/// handler's own stands on it: cancellation, a deadline and a failed cleanup are no tool output.
fn propagated(source: BoxError) -> Result<Error, BoxError> {
    let source = match source.downcast::<Interrupted>() {
        Ok(interrupted) => match *interrupted {
            Interrupted::Cancelled => return Ok(Error::Cancelled),
            Interrupted::DeadlineExceeded => return Ok(Error::DeadlineExceeded),
            Interrupted::Cleanup(failed) => return Ok(Error::Cleanup(failed.failures)),
            closed @ Interrupted::Closed => return Err(Box::new(closed)),
        },
        Err(source) => source,
    };
    let source = match source.downcast::<CleanupError>() {
        Ok(failed) => return Ok(Error::Cleanup(failed.failures)),
        Err(source) => source,
    };
    let source = match source.downcast::<Panic>() {
        Ok(panic) => return Ok(Error::Panic(*panic)),
        Err(source) => source,
    };
    let mut below: Option<&(dyn std::error::Error + 'static)> = Some(&*source);
    for _ in 0..LONGEST_CHAIN {
        let Some(error) = below else { break };
        match error.downcast_ref::<Interrupted>() {
            Some(Interrupted::Cancelled) => return Ok(Error::Cancelled),
            Some(Interrupted::DeadlineExceeded) => return Ok(Error::DeadlineExceeded),
            Some(Interrupted::Cleanup(_)) => return Ok(Error::Cleanup(vec![source])),
            Some(Interrupted::Closed) | None => {}
        }
        let is_cleanup = error.is::<CleanupError>()
            || matches!(
                error.downcast_ref::<BindError>(),
                Some(BindError::Cleanup(_) | BindError::Unreleased { .. })
            );
        if is_cleanup {
            return Ok(Error::Cleanup(vec![source]));
        }
        below = match error.downcast_ref::<std::io::Error>().map(std::io::Error::get_ref) {
            // Such an error hides what it holds: its source is that one's source.
            Some(Some(held)) => Some(held),
            _ => error.source(),
        };
    }
    Err(source)
}
