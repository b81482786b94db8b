//! What the application says of a run besides its collaborators.

use crate::State;
use crate::outcome::artifact_store::ArtifactStore;
use crate::run::limits::Limits;
use crate::schema::explain::TextLimits;
use std::sync::Arc;
use std::time::Duration;
use tokio::time::Instant;
use tokio_util::sync::CancellationToken;

/// Where a run's state comes from. A run has its own unless the application says in so many words that runs share one.
#[derive(Clone, Default)]
pub(crate) enum InitialState {
    #[default]
    Empty,
    CopyOf(State),
    Shared(State),
}

impl InitialState {
    /// The state of one more run.
    pub(crate) fn for_run(&self) -> State {
        match self {
            Self::Empty => State::new(),
            Self::CopyOf(state) => State::from(state.snapshot()),
            Self::Shared(state) => state.clone(),
        }
    }
}

/// What a run may do and for how long. A clone gives a second run the same rules, and no share in the first one's state.
#[derive(Clone)]
pub struct RunOptions {
    pub(crate) state: InitialState,
    pub(crate) cancellation: CancellationToken,
    pub(crate) deadline: Option<Instant>,
    pub(crate) max_calls: u64,
    pub(crate) limits: Limits,
    pub(crate) text: TextLimits,
    pub(crate) close_timeout: Duration,
    pub(crate) record_values: bool,
    pub(crate) artifacts: Option<Arc<dyn ArtifactStore>>,
    pub(crate) max_result_bytes: usize,
}

impl Default for RunOptions {
    fn default() -> Self {
        Self {
            state: InitialState::default(),
            cancellation: CancellationToken::new(),
            deadline: None,
            max_calls: u64::MAX,
            limits: Limits::default(),
            text: TextLimits::default(),
            close_timeout: Duration::from_secs(30),
            record_values: false,
            artifacts: None,
            max_result_bytes: 64 << 10,
        }
    }
}

impl RunOptions {
    /// No deadline, no limit of calls, the default limits of sizes.
    pub fn new() -> Self {
        Self::default()
    }

    /// What the state of each run starts with: a copy of what `state` holds when the run is bound. What a run then
    /// changes is its own, and is read through [`Registry::state`](crate::Registry::state).
    pub fn state(mut self, state: State) -> Self {
        self.state = InitialState::CopyOf(state);
        self
    }

    /// Lets every run that is bound with these options, or a clone of them, work on one and the same state: for
    /// runs that are parts of one piece of work.
    pub fn shared_state(mut self, state: State) -> Self {
        self.state = InitialState::Shared(state);
        self
    }

    /// The token that cancels the run; calls that run or come are then cancelled too.
    pub fn cancellation(mut self, token: CancellationToken) -> Self {
        self.cancellation = token;
        self
    }

    /// The moment after which no call of the run has time left.
    pub fn deadline(mut self, deadline: Instant) -> Self {
        self.deadline = Some(deadline);
        self
    }

    /// How many calls the run may make; refused ones count. The model is told when they are used up.
    pub fn max_calls(mut self, calls: u64) -> Self {
        self.max_calls = calls;
        self
    }

    /// How large arguments and results may be.
    pub fn limits(mut self, limits: Limits) -> Self {
        self.limits = limits;
        self
    }

    /// How much an error text may say.
    pub fn text_limits(mut self, limits: TextLimits) -> Self {
        self.text = limits;
        self
    }

    /// How long one `close` may take. Default: 30 seconds.
    pub fn close_timeout(mut self, limit: Duration) -> Self {
        self.close_timeout = limit;
        self
    }

    /// Records arguments and results in tracing spans. Off by default: they may hold secrets.
    pub fn record_values(mut self, record: bool) -> Self {
        self.record_values = record;
        self
    }

    /// Where results go that are larger than [`RunOptions::max_result_bytes`], and artifacts of bytes: the model gets a
    /// preview and a reference. Without a store, results pass whole.
    pub fn artifacts(mut self, store: impl ArtifactStore + 'static) -> Self {
        self.artifacts = Some(Arc::new(store));
        self
    }

    /// Bytes of a result's text above which it is stored. Default: 64 KiB.
    pub fn max_result_bytes(mut self, bytes: usize) -> Self {
        self.max_result_bytes = bytes;
        self
    }
}
