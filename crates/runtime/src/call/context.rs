//! One call's surroundings. The four sources stay apart: model input, who asks, the run's state, its collaborators.

use crate::call::nesting::Frame;
use crate::call::{Call, Progress};
use crate::outcome::artifact::Artifact;
use crate::outcome::error::{Error, Panic};
use crate::run::registry::{Inner, Registry};
use crate::{Binding, Invocation, NotBound, State};
use serde_json::Value;
use std::borrow::Cow;
use std::collections::VecDeque;
use std::fmt;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::pin::Pin;
use std::sync::{Arc, Mutex, OnceLock, PoisonError, Weak};
use std::task::{self, Poll, Wake};
use std::time::Duration;
use tokio::time::Instant;
use tokio_util::sync::{CancellationToken, WaitForCancellationFutureOwned};

/// What all calls of a run share.
#[derive(Debug, Default)]
pub(crate) struct Run {
    pub binding: Binding,
    pub state: State,
    pub token: CancellationToken,
    pub deadline: Option<Instant>,
    /// The registry of the run, as long as somebody has it.
    pub registry: Weak<Inner>,
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
    pub(crate) gathered: Gathering,
    pub(crate) frame: Frame,
}

/// What a call gathers while it runs. Most calls gather nothing, and pay for no more than the room of a pointer.
#[derive(Default)]
pub(crate) struct Gathering(OnceLock<Box<Gathered>>);

#[derive(Default)]
struct Gathered {
    token: OnceLock<CallToken>,
    artifacts: Mutex<Vec<Artifact>>,
    reports: Mutex<Reports>,
}

/// A call's own token, and what cancels it besides the run.
struct CallToken {
    token: CancellationToken,
    /// Waits for the caller's token as long as the call lives; nobody has to poll it.
    _caller: Option<Mutex<Pin<Box<WaitForCancellationFutureOwned>>>>,
}

impl CallToken {
    /// A token that the run cancels, and the caller: whoever comes first.
    fn new(run: &CancellationToken, caller: Option<&CancellationToken>) -> Self {
        let token = run.child_token();
        let waiting = caller.and_then(|caller| {
            let mut cancelled = Box::pin(caller.clone().cancelled_owned());
            let waker = Arc::new(CancelWhenWoken(token.clone())).into();
            match cancelled.as_mut().poll(&mut task::Context::from_waker(&waker)) {
                Poll::Ready(()) => {
                    token.cancel();
                    None
                }
                Poll::Pending => Some(Mutex::new(cancelled)),
            }
        });
        Self { token, _caller: waiting }
    }
}

/// Cancels a call on the thread that cancels its caller's token, at once: a handler that never awaits must see it too.
struct CancelWhenWoken(CancellationToken);

impl Wake for CancelWhenWoken {
    fn wake(self: Arc<Self>) {
        self.0.cancel();
    }
}

/// Progress that was reported and not yet heard. The listener runs without the lock: it is the caller's code.
#[derive(Default)]
struct Reports {
    last: Option<f64>,
    waiting: VecDeque<Progress>,
    /// Whether a thread is telling the listener; it goes on until nothing waits, so that order holds.
    is_told: bool,
}

/// Reports that wait for a listener who is slower than the tool; past these only the newest is kept.
const REPORTS: usize = 256;

impl Gathering {
    fn all(&self) -> &Gathered {
        self.0.get_or_init(Box::default)
    }

    fn token(&self) -> Option<&CancellationToken> {
        self.0.get()?.token.get().map(|own| &own.token)
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

    /// The collaborator of type `T`, or an error that `?` makes an unexpected one: as [`Binding::require`].
    ///
    /// # Errors
    ///
    /// [`NotBound`] where the application bound no `T`.
    pub fn require<T: Send + Sync + 'static>(&self) -> Result<&T, NotBound> {
        self.binding().require()
    }

    /// The registry of this run, for a tool that calls other tools; `None` where the context belongs to no registry, or
    /// to one that nobody has any more.
    ///
    /// Do not store it in a tool: the run would hold itself alive, and would not be closed when it is dropped. The context
    /// of a call reaches it without holding it.
    ///
    /// A call of an exclusive tool does not begin before the exclusive call around it has ended; where it is made through
    /// this registry, it is answered with [`Code::Deadlock`](crate::Code) instead of waiting for ever.
    pub fn registry(&self) -> Option<Registry> {
        let inner = self.run.registry.upgrade()?;
        Some(Registry { inner, within: self.frame.ticket })
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
        let own = || CallToken::new(&self.run.token, self.call.cancellation.as_ref());
        &self.gathered.all().token.get_or_init(own).token
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
        if self.is_cancelled() || self.gathered.token().is_some_and(CancellationToken::is_cancelled)
        {
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
    ///
    /// A listener that panics is not the tool's fault: it is logged, and the call goes on.
    pub fn progress(&self, progress: impl Into<Progress>) {
        let Some(listener) = &self.call.progress else { return };
        let progress = progress.into();
        let reports = || {
            // Nothing in here panics while the reports are locked.
            self.gathered.all().reports.lock().unwrap_or_else(PoisonError::into_inner)
        };
        let mut waiting = reports();
        if !progress.value.is_finite() || waiting.last.is_some_and(|last| progress.value <= last) {
            return;
        }
        waiting.last = Some(progress.value);
        if waiting.waiting.len() == REPORTS {
            waiting.waiting.pop_back();
        }
        waiting.waiting.push_back(progress);
        if std::mem::replace(&mut waiting.is_told, true) {
            return;
        }
        drop(waiting);
        // One thread tells, so that the caller sees values in the order in which they grow.
        loop {
            let mut waiting = reports();
            let Some(next) = waiting.waiting.pop_front() else {
                waiting.is_told = false;
                return;
            };
            drop(waiting);
            if let Err(panic) = catch_unwind(AssertUnwindSafe(|| listener(next))) {
                tracing::error!(said = %Panic::new(panic), "a listener to progress panicked");
            }
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
        let artifacts = &self.gathered.all().artifacts;
        artifacts.lock().unwrap_or_else(PoisonError::into_inner).push(artifact);
    }

    pub(crate) fn take_artifacts(&self) -> Vec<Artifact> {
        let Some(gathered) = self.gathered.0.get() else { return Vec::new() };
        std::mem::take(&mut gathered.artifacts.lock().unwrap_or_else(PoisonError::into_inner))
    }
}

// A call's last act, also when it is dropped midway: whatever outlives it learns that it ended.
impl Drop for Gathering {
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
