//! Tools bound to one run: names are unique, calls enter only while it is open, and it is closed once.

use crate::call::Call;
use crate::call::context::Run;
use crate::call::exclusive::Exclusive;
use crate::call::execute;
use crate::call::gate::Gate;
use crate::call::guard::abandon;
use crate::call::interrupted::{CleanupError, Interrupted};
use crate::call::nesting;
use crate::run::bind_error::BindError;
use crate::run::lifecycle::{Released, Remaining};
use crate::run::limits;
use crate::run::run_options::RunOptions;
use crate::schema::explain::wording;
use crate::tool::Tool;
use crate::tool::definition::is_name;
use crate::tool::specification::Specification;
use crate::tool::toolset::{Entry, Flat, Level};
use crate::{Binding, Outcome, State, Toolset};
use indexmap::IndexMap;
use indexmap::map::Entry as Place;
use serde_json::Value;
use std::borrow::Cow;
use std::fmt;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{
    Arc, Mutex, MutexGuard, OnceLock, PoisonError, RwLock, RwLockReadGuard, RwLockWriteGuard, Weak,
};
use tokio::runtime::{Builder, Handle};

/// The tools of one run. Cheap to clone; clones are the same run.
///
/// Close it with [`Registry::close`]. Whatever else happens (an early return, a panic, cancellation), dropping the last
/// clone closes it too, with nobody to hear of failures.
#[derive(Clone)]
pub struct Registry {
    pub(crate) inner: Arc<Inner>,
    /// The ticket of the exclusive lock under which the call runs that this registry was made for.
    pub(crate) within: Option<u64>,
}

type Tools = IndexMap<Cow<'static, str>, Arc<Bound>>;

pub(crate) struct Inner {
    pub tools: RwLock<Tools>,
    pub run: Arc<Run>,
    pub options: RunOptions,
    pub gate: Gate,
    pub exclusive: Exclusive,
    pub calls: AtomicU64,
    closes: Mutex<Remaining>,
    /// How closing went.
    released: Arc<Released>,
    /// Tools that were replaced, and are released once the last call has left them.
    replaced: Mutex<Vec<Arc<Released>>>,
}

/// A tool of a run. Calls hold it as long as they run.
pub(crate) struct Bound {
    tool: Option<Tool>,
    origin: Option<Arc<str>>,
    /// What is to be released with it: set once it is replaced.
    rest: OnceLock<Remaining>,
}

impl Registry {
    pub(crate) async fn bind(
        toolset: &Toolset,
        binding: Binding,
        options: RunOptions,
    ) -> Result<Self, BindError> {
        let mut flat = Flat::new(Remaining::new(options.close_timeout));
        let built = toolset.flatten(&binding, Level::default(), &mut flat).await;
        let Flat { tools, closes, .. } = flat;
        let named = built.and_then(|_| {
            let mut named = IndexMap::with_capacity(tools.len());
            tools.into_iter().filter(|entry| entry.available).try_for_each(|entry| {
                let Entry { tool, origin, .. } = entry;
                insert(&mut named, &Arc::new(Bound::new(tool, origin)))
            })?;
            Ok(named)
        });
        match named {
            Ok(tools) => Ok(Self::open(tools, closes, binding, options)),
            Err(fault) => match closes.attended().await {
                Ok(()) => Err(fault),
                Err(cleanup) => Err(BindError::Unreleased { fault: Box::new(fault), cleanup }),
            },
        }
    }

    fn open(tools: Tools, closes: Remaining, binding: Binding, options: RunOptions) -> Self {
        let inner = Arc::new_cyclic(|registry| {
            let run = Run {
                binding,
                state: options.state.for_run(),
                // A child: closing the registry cancels its calls, and nothing of the application's.
                token: options.cancellation.child_token(),
                deadline: options.deadline,
                registry: Weak::clone(registry),
            };
            Inner {
                tools: RwLock::new(tools),
                run: Arc::new(run),
                options,
                gate: Gate::default(),
                exclusive: Exclusive::default(),
                calls: AtomicU64::new(0),
                released: closes.released(),
                closes: Mutex::new(closes),
                replaced: Mutex::default(),
            }
        });
        Self { inner, within: None }
    }

    /// The ticket of the exclusive lock that is held around this place, as far as that is known.
    pub(crate) fn within(&self) -> Option<u64> {
        nesting::ticket(Arc::as_ptr(&self.inner.run).addr()).or(self.within)
    }

    /// A run of one tool that has nothing to release, whatever the tool's name and availability.
    pub(crate) fn of_one(tool: Tool, binding: Binding, options: RunOptions) -> Self {
        let closes = Remaining::new(options.close_timeout);
        let tools = IndexMap::from([(tool.key(), Arc::new(Bound::new(tool, None)))]);
        Self::open(tools, closes, binding, options)
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
            self.inner.tools().values().map(|bound| bound.tool().clone()).collect();
        tools.iter().map(Tool::specification).collect()
    }

    /// Whether the run has a tool of this name: one that was available to it, and that a call would reach.
    pub fn is_available(&self, name: &str) -> bool {
        !self.is_closed() && self.inner.tools().contains_key(name)
    }

    /// One tool by its name.
    pub fn fetch(&self, name: &str) -> Option<Tool> {
        Some(self.inner.tools().get(name)?.tool().clone())
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
        // Held here, so that a tool which is refused is dropped when the table is no longer locked.
        let bound = Arc::new(Bound::later(tool));
        insert(&mut self.inner.tools_mut(), &bound)?;
        self.inner.closes().extend(None, &closes);
        Ok(())
    }

    /// Puts a tool in the place of the one that has its name. Calls that already run finish on the tool they began on, and
    /// that one is released once the last of them has left it.
    ///
    /// A successor that is not available in the run is accepted and not listed, as [`Registry::register`] does it: the run
    /// has no tool of the name then.
    ///
    /// It waits for the release, except within a call of the very tool that is replaced: that one is released after the
    /// call, and a failure is [`Registry::close`]'s to tell.
    ///
    /// # Errors
    ///
    /// No tool of the name, an empty description, a closed registry; and where the successor is accepted but releasing
    /// its predecessor failed, [`BindError::Cleanup`].
    pub async fn replace(&self, tool: Tool) -> Result<(), BindError> {
        let (replaced, released) = self.put(tool)?;
        let is_within = nesting::is_within(Arc::as_ptr(&replaced).addr());
        // The last to drop it releases it: this, or the last call.
        drop(replaced);
        if is_within {
            return Ok(());
        }
        released.wait().await;
        released.take().map_err(BindError::Cleanup)
    }

    /// The tool that was replaced, and how its release goes.
    fn put(&self, tool: Tool) -> Result<(Arc<Bound>, Arc<Released>), BindError> {
        let _inside = self.inner.gate.enter().ok_or(BindError::Closed)?;
        check(&tool)?;
        // The application's own code, asked before anything is locked.
        let is_available = tool.is_available(&self.inner.run.binding);
        let (name, closes) = (tool.name().to_owned(), tool.inner.close.clone());
        let successor = Arc::new(Bound::later(tool));
        let mut tools = self.inner.tools_mut();
        let Some(place) = tools.get_mut(&*name) else {
            drop(tools);
            return Err(BindError::NoSuchTool { name });
        };
        let mut remaining = self.inner.closes();
        let replaced = if is_available {
            remaining.extend(None, &closes);
            std::mem::replace(place, successor)
        } else {
            let replaced = Arc::clone(place);
            tools.shift_remove(&*name);
            replaced
        };
        let rest = remaining.take(&replaced.tool().inner.close);
        let released = rest.released();
        // A tool is replaced once: it has just left the table.
        let _ = replaced.rest.set(rest);
        let mut all = self.inner.replaced();
        all.retain(|released| !released.is_done());
        all.push(Arc::clone(&released));
        Ok((replaced, released))
    }

    /// Calls a tool: size cap, validation, decoding, the call, validation of the result, and all of it as an outcome.
    ///
    /// Invalid arguments, a failing tool, a panic and an unknown tool are outcomes too, in words for the model. The
    /// handler runs only with arguments that its contract accepts.
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
        execute::execute(self, name, arguments, too_large, call.into())
    }

    /// Ends the run: new calls are refused, running ones cancelled and waited for, then everything is released, last
    /// built first. A failing release does not stop the others.
    ///
    /// It happens once: a second call waits for the first. Once begun, it is finished even if this future is dropped; a
    /// failure is told to the first call that waits to the end.
    ///
    /// # Errors
    ///
    /// The first failure, with the rest attached. A close that panics, takes too long, or could not be run to its end is one.
    pub async fn close(&self) -> Result<(), CleanupError> {
        if self.inner.gate.close() {
            self.inner.run.token.cancel();
            let closing = Inner::release(Arc::clone(&self.inner));
            // In a task, so that dropping this future does not stop it.
            match Handle::try_current() {
                Ok(runtime) => drop(runtime.spawn(closing)),
                Err(_) => closing.await,
            }
        }
        self.inner.released.wait().await;
        self.inner.released.take()
    }

    /// Whether the run has ended, or is about to.
    pub fn is_closed(&self) -> bool {
        self.inner.gate.is_closed()
    }
}

impl Inner {
    // Nothing panics while the table, the closes or the replaced tools are locked.
    pub(crate) fn tools(&self) -> RwLockReadGuard<'_, Tools> {
        self.tools.read().unwrap_or_else(PoisonError::into_inner)
    }

    fn tools_mut(&self) -> RwLockWriteGuard<'_, Tools> {
        self.tools.write().unwrap_or_else(PoisonError::into_inner)
    }

    fn closes(&self) -> MutexGuard<'_, Remaining> {
        self.closes.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn replaced(&self) -> MutexGuard<'_, Vec<Arc<Released>>> {
        self.replaced.lock().unwrap_or_else(PoisonError::into_inner)
    }

    async fn release(self: Arc<Self>) {
        let releasing = Releasing(self);
        let inner = &*releasing.0;
        inner.gate.empty().await;
        let replaced = std::mem::take(&mut *inner.replaced());
        for released in replaced {
            released.wait().await;
            inner.released.adopt(&released);
        }
        let rest = inner.closes().take_all();
        rest.release().await;
    }
}

/// A run being closed. However that ends, everything is released, and whoever waits for it hears of it.
struct Releasing(Arc<Inner>);

impl Drop for Releasing {
    fn drop(&mut self) {
        if self.0.gate.is_empty() {
            let rest = self.0.closes().take_all();
            drop(rest);
            return;
        }
        // Given up while calls still run: a thread waits for them to leave.
        let inner = Arc::clone(&self.0);
        let thread = std::thread::Builder::new().name("toolcast-close".to_owned());
        let waiting = thread.spawn(move || {
            if let Ok(runtime) = Builder::new_current_thread().enable_time().build() {
                runtime.block_on(inner.release());
            }
        });
        if let Err(failure) = waiting {
            tracing::error!(%failure, "a run is closed only when it is dropped");
        }
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

fn insert(tools: &mut Tools, bound: &Arc<Bound>) -> Result<(), BindError> {
    check(bound.tool())?;
    match tools.entry(bound.tool().key()) {
        Place::Vacant(place) => {
            place.insert(Arc::clone(bound));
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
    fn new(tool: Tool, origin: Option<Arc<str>>) -> Self {
        Self { tool: Some(tool), origin, rest: OnceLock::new() }
    }

    fn later(tool: Tool) -> Self {
        Self::new(tool, Some("registered later".into()))
    }

    pub(crate) fn tool(&self) -> &Tool {
        self.tool.as_ref().expect("a tool is taken out only as it is dropped")
    }

    /// Where a tool comes from, for a person who has to find it.
    fn origin(&self) -> String {
        let declared = &self.tool().inner.definition.name;
        match &self.origin {
            Some(origin) => format!("`{declared}` of {origin}"),
            None => format!("`{declared}`"),
        }
    }
}

// The last call drops a tool that was replaced, and the last clone of a registry drops the others. A handler that panics
// as it is dropped is no answer to either.
impl Drop for Bound {
    fn drop(&mut self) {
        abandon(self.tool.take());
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
