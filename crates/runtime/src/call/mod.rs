//! What a caller says of one call besides its arguments.

pub(crate) mod batch;
pub(crate) mod context;
pub(crate) mod exclusive;
pub(crate) mod execute;
pub(crate) mod gate;
pub(crate) mod guard;
pub(crate) mod interrupted;
pub(crate) mod invocation;
pub(crate) mod nesting;

use crate::Invocation;
use std::fmt;
use std::sync::Arc;
use std::time::Duration;
use tokio::time::Instant;
use tokio_util::sync::CancellationToken;

/// What a caller says of one call besides its arguments: who asks, an id, a deadline, a way to cancel, a listener to
/// progress. An [`Invocation`] alone is one too.
#[derive(Clone, Default)]
pub struct Call {
    pub(crate) invocation: Invocation,
    pub(crate) id: Option<String>,
    pub(crate) deadline: Option<Instant>,
    pub(crate) cancellation: Option<CancellationToken>,
    pub(crate) progress: Option<Arc<dyn Fn(Progress) + Send + Sync>>,
}

impl Call {
    /// A call on behalf of someone.
    pub fn new(invocation: Invocation) -> Self {
        // Spelt out: a default would make an invocation only to drop it.
        Self { invocation, id: None, deadline: None, cancellation: None, progress: None }
    }

    /// Sets the id by which the model or the client knows the call.
    pub fn id(mut self, id: impl Into<String>) -> Self {
        self.id = Some(id.into());
        self
    }

    /// Sets the moment after which the answer is of no use.
    pub fn deadline(mut self, deadline: Instant) -> Self {
        self.deadline = Some(deadline);
        self
    }

    /// As [`Call::deadline`], from now.
    pub fn timeout(self, after: Duration) -> Self {
        // What overflows is no deadline at all.
        match Instant::now().checked_add(after) {
            Some(deadline) => self.deadline(deadline),
            None => self,
        }
    }

    /// Sets the token that cancels the call.
    pub fn cancellation(mut self, token: CancellationToken) -> Self {
        self.cancellation = Some(token);
        self
    }

    /// Sets who hears of progress. It is called on the tool's thread and must return soon.
    pub fn on_progress(mut self, listener: impl Fn(Progress) + Send + Sync + 'static) -> Self {
        self.progress = Some(Arc::new(listener));
        self
    }
}

impl From<Invocation> for Call {
    fn from(invocation: Invocation) -> Self {
        Self::new(invocation)
    }
}

impl From<&Invocation> for Call {
    fn from(invocation: &Invocation) -> Self {
        Self::new(invocation.clone())
    }
}

impl fmt::Debug for Call {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Call")
            .field("id", &self.id)
            .field("invocation", &self.invocation)
            .finish_non_exhaustive()
    }
}

/// How far a call is.
#[non_exhaustive]
#[derive(Clone, Debug, PartialEq)]
pub struct Progress {
    /// Work done, in units of the tool's choice; grows from report to report.
    pub value: f64,
    /// All work there is, in the same units, where it is known.
    pub total: Option<f64>,
    /// What is being done, for a person.
    pub message: Option<String>,
}

impl Progress {
    /// So much is done.
    pub fn new(value: f64) -> Self {
        Self { value, total: None, message: None }
    }

    /// Out of so much.
    pub fn total(mut self, total: f64) -> Self {
        self.total = Some(total);
        self
    }

    /// What is being done.
    pub fn message(mut self, message: impl Into<String>) -> Self {
        self.message = Some(message.into());
        self
    }
}

impl From<f64> for Progress {
    fn from(value: f64) -> Self {
        Self::new(value)
    }
}
