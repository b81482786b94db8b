//! Tools bound to one run: names are unique, calls enter only while it is open, and it is closed once.

use crate::call::Call;
use crate::call::context::Run;
use crate::call::exclusive::Exclusive;
use crate::call::execute;
use crate::call::gate::Gate;
use crate::call::interrupted::{CleanupError, Interrupted};
use crate::outcome::error::Error;
use crate::run::lifecycle::Remaining;
use crate::run::limits;
use crate::run::run_options::RunOptions;
use crate::schema::explain::wording;
use crate::tool::Tool;
use crate::tool::definition::is_name;
use crate::tool::specification::Specification;
use crate::tool::toolset::{Entry, Flat};
use crate::{Binding, Outcome, State, Toolset};
use indexmap::IndexMap;
use indexmap::map::Entry as Place;
use serde_json::Value;
use std::borrow::Cow;
use std::fmt;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError, RwLock};
use tokio::runtime::Handle;
use tokio_util::sync::CancellationToken;

/// The tools of one run. Cheap to clone; clones are the same run.
///
/// Close it with [`Registry::close`]. Whatever else happens (an early return, a panic, cancellation), dropping the last
/// clone closes it too, with nobody to hear of failures.
#[derive(Clone)]
pub struct Registry {
    pub(crate) inner: Arc<Inner>,
}

pub(crate) struct Inner {
    pub tools: RwLock<IndexMap<Cow<'static, str>, Bound>>,
    pub run: Arc<Run>,
    pub options: RunOptions,
    pub gate: Gate,
    pub exclusive: Exclusive,
    pub calls: AtomicU64,
    closes: Mutex<Remaining>,
    /// Cancelled once everything is released.
    closed: CancellationToken,
}

#[derive(Clone)]
pub(crate) struct Bound {
    pub tool: Tool,
    pub origin: Option<Arc<str>>,
}

impl Registry {
    pub(crate) async fn bind(
        toolset: &Toolset,
        binding: Binding,
        options: RunOptions,
    ) -> Result<Self, BindError> {
        let mut flat = Flat::new(Remaining::new(options.close_timeout));
        let built = toolset.flatten(&binding, 0, &mut flat).await;
        let Flat { tools, closes, .. } = flat;
        let named = built.and_then(|()| {
            let mut named = IndexMap::with_capacity(tools.len());
            tools.into_iter().filter(|entry| entry.available).try_for_each(|entry| {
                let Entry { tool, origin, .. } = entry;
                insert(&mut named, Bound { tool, origin })
            })?;
            Ok(named)
        });
        match named {
            Ok(tools) => Ok(Self::open(tools, closes, binding, options)),
            Err(fault) => match closes.release().await {
                Ok(()) => Err(fault),
                Err(cleanup) => Err(BindError::Unreleased { fault: Box::new(fault), cleanup }),
            },
        }
    }

    fn open(
        tools: IndexMap<Cow<'static, str>, Bound>,
        closes: Remaining,
        binding: Binding,
        options: RunOptions,
    ) -> Self {
        let run = Run {
            binding,
            state: options.state.for_run(),
            // A child: closing the registry cancels its calls, and nothing of the application's.
            token: options.cancellation.child_token(),
            deadline: options.deadline,
        };
        let inner = Inner {
            tools: RwLock::new(tools),
            run: Arc::new(run),
            options,
            gate: Gate::default(),
            exclusive: Exclusive::default(),
            calls: AtomicU64::new(0),
            closes: Mutex::new(closes),
            closed: CancellationToken::new(),
        };
        Self { inner: Arc::new(inner) }
    }

    /// The names of the tools, in order of declaration.
    pub fn names(&self) -> Vec<String> {
        let tools = self.inner.tools();
        tools.keys().map(|name| name.clone().into_owned()).collect()
    }

    /// What models are shown of the tools, in order of declaration.
    ///
    /// # Errors
    ///
    /// [`BindError::Contract`] where a contract's own text is not JSON, which generated code's always is.
    pub fn specifications(&self) -> Result<Vec<Specification>, BindError> {
        let tools: Vec<Tool> =
            self.inner.tools().values().map(|bound| bound.tool.clone()).collect();
        let specify = |tool: &Tool| {
            let fault = |message| BindError::Contract { name: tool.name().to_owned(), message };
            tool.inner.definition.specification(tool.name()).map_err(fault)
        };
        tools.iter().map(specify).collect()
    }

    /// Whether the run has a tool of this name: one that was available to it, and that a call would reach.
    pub fn is_available(&self, name: &str) -> bool {
        !self.is_closed() && self.inner.tools().contains_key(name)
    }

    /// One tool by its name.
    pub fn fetch(&self, name: &str) -> Option<Tool> {
        Some(self.inner.tools().get(name)?.tool.clone())
    }

    /// The working state that the tools of this run share.
    pub fn state(&self) -> &State {
        &self.inner.run.state
    }

    /// The run's collaborators.
    pub fn binding(&self) -> &Binding {
        &self.inner.run.binding
    }

    /// Calls made so far, refused ones included.
    pub fn calls(&self) -> u64 {
        self.inner.calls.load(Ordering::Relaxed)
    }

    /// Adds a tool to the run. A tool that is not available in it is accepted and not listed.
    ///
    /// # Errors
    ///
    /// A bad or taken name, an empty description, a closed registry.
    pub fn register(&self, tool: Tool) -> Result<(), BindError> {
        let _inside = self.inner.gate.enter().ok_or(BindError::Closed)?;
        check(&tool)?;
        if !tool.is_available(&self.inner.run.binding) {
            return Ok(());
        }
        let closes = tool.inner.close.clone();
        let bound = Bound { tool, origin: Some("registered later".into()) };
        insert(&mut self.inner.tools_mut(), bound)?;
        self.inner.closes().extend(&closes);
        Ok(())
    }

    /// Puts a tool in the place of the one that has its name, and releases that one once its successor is accepted.
    /// Calls that already run finish on the tool they began on.
    ///
    /// # Errors
    ///
    /// No tool of the name, an empty description, a closed registry; and where the successor is accepted but releasing
    /// its predecessor failed, [`BindError::Cleanup`].
    pub async fn replace(&self, tool: Tool) -> Result<(), BindError> {
        let released = {
            let _inside = self.inner.gate.enter().ok_or(BindError::Closed)?;
            check(&tool)?;
            let mut tools = self.inner.tools_mut();
            let Some(place) = tools.get_mut(tool.name()) else {
                return Err(BindError::NoSuchTool { name: tool.name().to_owned() });
            };
            let mut closes = self.inner.closes();
            closes.extend(&tool.inner.close);
            let origin = Some("registered later".into());
            let replaced = std::mem::replace(place, Bound { tool, origin });
            closes.take(&replaced.tool.inner.close)
        };
        released.release().await.map_err(BindError::Cleanup)
    }

    /// Calls a tool: size cap, validation, decoding, the call, validation of the result, and all of it as an outcome.
    ///
    /// Invalid arguments, a failing tool, a panic and an unknown tool are outcomes too, in words for the model. The
    /// handler runs only with arguments that its contract accepts.
    ///
    /// Deadlines need a tokio runtime with its clock enabled.
    ///
    /// # Errors
    ///
    /// [`Interrupted`]: cancellation, deadlines of the call or the run, a failed cleanup, a closed registry. None of them
    /// is tool output. Dropping the future cancels the call.
    pub fn execute<'a>(
        &'a self,
        name: &'a str,
        mut arguments: Value,
        call: impl Into<Call>,
    ) -> impl Future<Output = Result<Outcome, Interrupted>> + Send + 'a {
        // Before the first await: a future that is dropped unpolled must not drop a deep value recursively.
        let too_large = limits::cap(&mut arguments, &self.inner.options.limits).err();
        execute::execute(&self.inner, name, arguments, too_large, call.into())
    }

    /// Ends the run: new calls are refused, running ones cancelled and waited for, then everything is released, last
    /// built first. A failing release does not stop the others.
    ///
    /// It happens once: a second call waits for the first and gives nothing more. Once begun, it is finished even if this
    /// future is dropped.
    ///
    /// # Errors
    ///
    /// The first failure, with the rest attached.
    pub async fn close(&self) -> Result<(), CleanupError> {
        if !self.inner.gate.close() {
            self.inner.closed.cancelled().await;
            return Ok(());
        }
        self.inner.run.token.cancel();
        let closing = Arc::clone(&self.inner).release();
        // In a task, so that dropping this future does not stop it.
        match Handle::try_current() {
            Ok(runtime) => match runtime.spawn(closing).await {
                Ok(released) => released,
                // Nothing in there panics; the runtime is shutting down, and the rest is released on a thread.
                Err(_) => Ok(()),
            },
            Err(_) => closing.await,
        }
    }

    /// Whether the run has ended, or is about to.
    pub fn is_closed(&self) -> bool {
        self.inner.gate.is_closed()
    }
}

impl Inner {
    pub(crate) fn tools(
        &self,
    ) -> std::sync::RwLockReadGuard<'_, IndexMap<Cow<'static, str>, Bound>> {
        // Nothing panics while the table is being changed.
        self.tools.read().unwrap_or_else(PoisonError::into_inner)
    }

    fn tools_mut(&self) -> std::sync::RwLockWriteGuard<'_, IndexMap<Cow<'static, str>, Bound>> {
        self.tools.write().unwrap_or_else(PoisonError::into_inner)
    }

    fn closes(&self) -> std::sync::MutexGuard<'_, Remaining> {
        self.closes.lock().unwrap_or_else(PoisonError::into_inner)
    }

    async fn release(self: Arc<Self>) -> Result<(), CleanupError> {
        // However this ends, whoever waits for it must not wait for ever.
        let _closed = self.closed.clone().drop_guard();
        self.gate.empty().await;
        let rest = self.closes().take_all();
        rest.release().await
    }
}

/// Checks what a name and a description must be.
fn check(tool: &Tool) -> Result<(), BindError> {
    let name = tool.name();
    if !is_name(name) {
        return Err(BindError::Name { name: wording::shortened(name, 100) });
    }
    let definition = &tool.inner.definition;
    if definition.description.trim().is_empty() {
        return Err(BindError::Description { name: name.to_owned() });
    }
    Ok(())
}

fn insert(tools: &mut IndexMap<Cow<'static, str>, Bound>, bound: Bound) -> Result<(), BindError> {
    check(&bound.tool)?;
    match tools.entry(bound.tool.key()) {
        Place::Vacant(place) => {
            place.insert(bound);
            Ok(())
        }
        Place::Occupied(taken) => Err(BindError::Collision {
            name: taken.key().clone().into_owned(),
            first: taken.get().origin(),
            second: bound.origin(),
        }),
    }
}

impl Bound {
    /// Where a tool comes from, for a person who has to find it.
    fn origin(&self) -> String {
        let declared = &self.tool.inner.definition.name;
        match &self.origin {
            Some(origin) => format!("`{declared}` of {origin}"),
            None => format!("`{declared}`"),
        }
    }
}

impl fmt::Debug for Registry {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Registry")
            .field("tools", &self.inner.tools().len())
            .field("closed", &self.is_closed())
            .finish()
    }
}

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
