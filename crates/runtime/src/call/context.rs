//! One call's surroundings. The four sources stay apart: model input, who asks, the run's state, its collaborators.

use crate::call::{Call, Progress};
use crate::outcome::artifact::Artifact;
use crate::outcome::error::Error;
use crate::{Binding, Invocation, State};
use serde_json::Value;
use std::borrow::Cow;
use std::fmt;
use std::sync::{Arc, Mutex, OnceLock, PoisonError};
use std::time::Duration;
use tokio::time::Instant;
use tokio_util::sync::CancellationToken;

/// What all calls of a run share.
#[derive(Debug, Default)]
pub(crate) struct Run {
    pub binding: Binding,
    pub state: State,
    pub token: CancellationToken,
    pub deadline: Option<Instant>,
}

/// One call: what the model sent, who asks, the run it belongs to, cancellation, deadline, progress.
///
/// | accessor | whose word it is | trust it for |
/// |---|---|---|
/// | the handler's `input`, [`Context::arguments`] | the model's | nothing but its shape, which the schema checked |
/// | [`Context::invocation`] | the application's, after it authenticated the caller | authorisation |
/// | [`Context::state`] | any tool's of this run, perhaps restored from a session | nothing without a check |
/// | [`Context::binding`] | the application's, for the run | as objects to work with |
///
/// An order's status is looked up for the account that the application vouches for, never for one in the arguments:
///
/// ```
/// # use toolcast::{Context, Error};
/// # struct Input { order_number: String }
/// # struct Orders;
/// # impl Orders { fn of(&self, _account: &str, _number: &str) -> Option<String> { None } }
/// async fn call(orders: &Orders, input: Input, ctx: &Context) -> Result<String, Error> {
///     let account = ctx.invocation().require_text("account_id")?;
///     orders.of(account, &input.order_number).ok_or_else(|| Error::tool("no such order"))
/// }
/// ```
#[derive(Default)]
pub struct Context {
    pub(crate) arguments: Value,
    pub(crate) call: Call,
    pub(crate) run: Arc<Run>,
    pub(crate) number: u64,
    pub(crate) timeout: Option<Instant>,
    pub(crate) kept: Kept,
}

/// What a call gathers while it runs. Most calls gather nothing, and pay for no more than the room of a pointer.
#[derive(Default)]
pub(crate) struct Kept(OnceLock<Box<Gathered>>);

#[derive(Default)]
struct Gathered {
    token: OnceLock<CancellationToken>,
    artifacts: Mutex<Vec<Artifact>>,
    progress: Mutex<Option<f64>>,
}

impl Kept {
    fn gathered(&self) -> &Gathered {
        self.0.get_or_init(Box::default)
    }

    fn token(&self) -> Option<&CancellationToken> {
        self.0.get()?.token.get()
    }
}

impl Context {
    /// The arguments as the model sent them and the schema accepted them, undeclared members included.
    pub fn arguments(&self) -> &Value {
        &self.arguments
    }

    /// Who asks, as the application states it. Authorise by this and by nothing else.
    pub fn invocation(&self) -> &Invocation {
        &self.call.invocation
    }

    /// The working state that the tools of this run share.
    pub fn state(&self) -> &State {
        &self.run.state
    }

    /// The run's collaborators.
    pub fn binding(&self) -> &Binding {
        &self.run.binding
    }

    /// The id of this call: the caller's, else one that is unique in the run.
    pub fn call_id(&self) -> Cow<'_, str> {
        match &self.call.id {
            Some(id) => id.as_str().into(),
            None => format!("call-{}", self.number).into(),
        }
    }

    /// A token that is cancelled once the call is: by its caller, its run, a deadline, or because nobody waits for it
    /// any more. Clone it into work that outlives an await point.
    pub fn cancellation(&self) -> &CancellationToken {
        self.kept.gathered().token.get_or_init(|| match &self.call.cancellation {
            Some(token) => token.child_token(),
            None => self.run.token.child_token(),
        })
    }

    /// The earliest of the deadlines of the contract, the call and the run.
    pub fn deadline(&self) -> Option<Instant> {
        [self.timeout, self.interruption_deadline()].into_iter().flatten().min()
    }

    /// The earlier of the deadlines that propagate: the call's and the run's.
    pub(crate) fn interruption_deadline(&self) -> Option<Instant> {
        [self.call.deadline, self.run.deadline].into_iter().flatten().min()
    }

    /// How long the call may still take, but no longer than `max`: what to hand to a client as its timeout.
    pub fn remaining_time(&self, max: Duration) -> Duration {
        let remaining = self.deadline().map(|deadline| deadline.duration_since(Instant::now()));
        remaining.map_or(max, |remaining| remaining.min(max))
    }

    /// Ends a call that should end: to be asked in long loops that never await.
    ///
    /// # Errors
    ///
    /// [`Error::Cancelled`] and [`Error::DeadlineExceeded`], to be passed on with `?`. A contract's own timeout is
    /// noticed as well; `execute` makes the tool error of it.
    pub fn check(&self) -> Result<(), Error> {
        if self.is_cancelled() || self.kept.token().is_some_and(CancellationToken::is_cancelled) {
            return Err(Error::Cancelled);
        }
        match self.deadline() {
            Some(deadline) if deadline <= Instant::now() => Err(Error::DeadlineExceeded),
            _ => Ok(()),
        }
    }

    /// Whether the caller or the run cancelled.
    pub(crate) fn is_cancelled(&self) -> bool {
        self.run.token.is_cancelled()
            || self.call.cancellation.as_ref().is_some_and(CancellationToken::is_cancelled)
    }

    /// Tells the caller how far the work is. Values that do not grow are dropped, as MCP asks.
    pub fn progress(&self, progress: impl Into<Progress>) {
        let Some(sink) = &self.call.progress else { return };
        let progress = progress.into();
        let mut last = self.kept.gathered().progress.lock().unwrap_or_else(PoisonError::into_inner);
        if progress.value.is_finite() && last.is_none_or(|last| progress.value > last) {
            *last = Some(progress.value);
            // The lock is held, so that the caller sees values in the order in which they grow.
            sink(progress);
        }
    }

    /// Runs work that blocks its thread (disk, a synchronous client, long computing) where it may block.
    ///
    /// When the call is cancelled meanwhile, the call ends at once; the work itself goes on until it returns or asks
    /// [`Context::cancellation`], of which it should hold a clone. A panic of the work is a panic of the call.
    ///
    /// Needs a tokio runtime.
    pub async fn blocking<T: Send + 'static>(
        &self,
        work: impl FnOnce() -> T + Send + 'static,
    ) -> T {
        // Made now, so that dropping the call cancels what the work may have cloned.
        self.cancellation();
        match tokio::task::spawn_blocking(work).await {
            Ok(result) => result,
            Err(failed) => match failed.try_into_panic() {
                Ok(panic) => std::panic::resume_unwind(panic),
                // The runtime shuts down; nobody is left to answer.
                Err(_) => std::future::pending().await,
            },
        }
    }

    /// Adds a file to the result, beside the value that the handler returns.
    pub fn attach(&self, artifact: Artifact) {
        let artifacts = &self.kept.gathered().artifacts;
        artifacts.lock().unwrap_or_else(PoisonError::into_inner).push(artifact);
    }

    pub(crate) fn take_artifacts(&self) -> Vec<Artifact> {
        let Some(gathered) = self.kept.0.get() else { return Vec::new() };
        std::mem::take(&mut gathered.artifacts.lock().unwrap_or_else(PoisonError::into_inner))
    }
}

// A call's last act, also when it is dropped midway: whatever outlives it learns that it ended.
impl Drop for Kept {
    fn drop(&mut self) {
        if let Some(token) = self.token() {
            token.cancel();
        }
    }
}

/// Names what there is, and shows no argument.
impl fmt::Debug for Context {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Context")
            .field("call_id", &self.call_id())
            .field("invocation", self.invocation())
            .field("binding", self.binding())
            .finish_non_exhaustive()
    }
}
