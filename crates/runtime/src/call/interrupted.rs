//! Why a call gave no outcome at all. None of these is tool output.

use crate::outcome::error::BoxError;
use std::fmt;

/// Why `execute` gave no outcome: control flow of the application, which no model reads.
#[non_exhaustive]
#[derive(Debug)]
pub enum Interrupted {
    /// The run or the call was cancelled.
    Cancelled,
    /// A deadline of the run or the call passed.
    DeadlineExceeded,
    /// Releasing something failed.
    Cleanup(CleanupError),
    /// The registry is closed.
    Closed,
}

impl fmt::Display for Interrupted {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Cancelled => f.write_str("the call was cancelled"),
            Self::DeadlineExceeded => f.write_str("the deadline passed"),
            Self::Cleanup(failed) => failed.fmt(f),
            Self::Closed => f.write_str("the registry is closed: its run has ended"),
        }
    }
}

impl std::error::Error for Interrupted {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            Self::Cleanup(failed) => Some(failed),
            _ => None,
        }
    }
}

/// One or more `close`s failed; the others ran all the same.
#[derive(Debug)]
pub struct CleanupError {
    /// The failures in the order in which they happened, at least one.
    pub(crate) failures: Vec<BoxError>,
}

impl CleanupError {
    /// The failures in the order in which they happened, at least one.
    pub fn failures(&self) -> &[BoxError] {
        &self.failures
    }
}

impl fmt::Display for CleanupError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("closing failed")?;
        for (position, failure) in self.failures.iter().enumerate() {
            write!(f, "{}{failure}", if position == 0 { ": " } else { "; then " })?;
        }
        Ok(())
    }
}

impl std::error::Error for CleanupError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        self.failures.first().map(|first| &**first as _)
    }
}
