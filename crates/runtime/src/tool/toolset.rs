//! Declared tools: what a program has, before any run. Nothing is built or checked until a toolset is bound.

use crate::call::guard::Caught;
use crate::outcome::error::Error;
use crate::run::lifecycle::{Close, Remaining, declared};
use crate::tool::dynamic::Sealed;
use crate::tool::{Predicate, Tool};
use crate::{BindError, Binding, Registry, RunOptions};
use std::fmt;
use std::pin::Pin;
use std::sync::Arc;

/// Providers within providers: a provider that yields itself ends here.
const DEEPEST: usize = 64;

/// Declared tools, for the lifetime of the application. Cheap to clone; toolsets compose.
///
/// ```
/// # use toolcast::{Binding, Definition, Tool, Toolset};
/// # let tool = |name: &str| Tool::define(Definition::new(name, "."), |_: toolcast::Value| "done").unwrap();
/// # let (search, rename) = (tool("search"), tool("rename"));
/// struct Admin;
/// let boards = Toolset::of([search, rename]).prefix("boards_");
/// let everything = Toolset::new()
///     .merge(boards)
///     .configure("boards_rename", |tool| tool.available_if(|binding| binding.has::<Admin>()));
/// # tokio::runtime::Builder::new_current_thread().enable_time().build().unwrap().block_on(async {
/// let registry = everything.bind(Binding::new()).await?;
/// assert_eq!(registry.names(), ["boards_search"]);
/// registry.close().await?;
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// # }).unwrap();
/// ```
#[derive(Clone, Default)]
pub struct Toolset {
    nodes: Vec<Arc<Node>>,
}

enum Node {
    Tool(Tool),
    Provider(Provider),
    Changed { inner: Toolset, change: Change },
}

type Provided = Pin<Box<dyn Future<Output = Result<Toolset, Error>> + Send>>;
type Provider = Box<dyn Fn(&Binding) -> Provided + Send + Sync>;

enum Change {
    Prefix(String),
    Filter(Box<dyn Fn(&str) -> bool + Send + Sync>),
    Configure(String, Box<dyn Fn(Tool) -> Tool + Send + Sync>),
    Available(Predicate),
    Lenient(bool),
    Ignore(Arc<[String]>),
    Close(Close),
    Named(String),
}

impl Toolset {
    /// A toolset without tools.
    pub fn new() -> Self {
        Self::default()
    }

    /// A toolset of some tools, in their order.
    pub fn of(tools: impl IntoIterator<Item = Tool>) -> Self {
        Self { nodes: tools.into_iter().map(|tool| Arc::new(Node::Tool(tool))).collect() }
    }

    /// Tools that are made for each run from its binding: none, one, many, or nested toolsets.
    ///
    /// What a provider makes belongs to one run: this is where mutable handler state lives. [`Toolset::on_close`] on
    /// what it returns releases it.
    pub fn provider<F, R>(provide: F) -> Self
    where
        F: Fn(&Binding) -> R + Send + Sync + 'static,
        R: IntoToolset,
    {
        Self::node(Node::Provider(Box::new(move |binding| {
            let provided = provide(binding).into_toolset(Sealed);
            Box::pin(std::future::ready(provided))
        })))
    }

    /// As [`Toolset::provider`], where making them has to wait for something.
    pub fn provider_async<F, R>(provide: F) -> Self
    where
        F: Fn(Binding) -> R + Send + Sync + 'static,
        R: Future<Output: IntoToolset> + Send + 'static,
    {
        Self::node(Node::Provider(Box::new(move |binding| {
            let provided = provide(binding.clone());
            Box::pin(async move { provided.await.into_toolset(Sealed) })
        })))
    }

    fn node(node: Node) -> Self {
        Self { nodes: vec![Arc::new(node)] }
    }

    fn changed(self, change: Change) -> Self {
        Self::node(Node::Changed { inner: self, change })
    }

    /// Adds a tool.
    pub fn with(mut self, tool: Tool) -> Self {
        self.nodes.push(Arc::new(Node::Tool(tool)));
        self
    }

    /// Adds the tools of another toolset: a component brings its own.
    pub fn merge(mut self, other: Self) -> Self {
        self.nodes.extend(other.nodes);
        self
    }

    /// Puts a prefix before every name.
    pub fn prefix(self, prefix: impl Into<String>) -> Self {
        self.changed(Change::Prefix(prefix.into()))
    }

    /// Keeps the tools whose name satisfies the predicate.
    pub fn filter(self, keep: impl Fn(&str) -> bool + Send + Sync + 'static) -> Self {
        self.changed(Change::Filter(Box::new(keep)))
    }

    /// Gives one tool another name.
    pub fn rename(self, from: impl Into<String>, to: impl Into<String>) -> Self {
        let to: String = to.into();
        self.configure(from, move |tool| tool.renamed(to.clone()))
    }

    /// Changes one tool, found by its name: its availability, leniency, release. Where the toolset has no such tool,
    /// binding fails.
    pub fn configure(
        self,
        name: impl Into<String>,
        change: impl Fn(Tool) -> Tool + Send + Sync + 'static,
    ) -> Self {
        self.changed(Change::Configure(name.into(), Box::new(change)))
    }

    /// The toolset is there only in runs whose binding satisfies the predicate. It is asked before any provider within
    /// makes anything; a tool that is not available is not listed, and a call to it is a call to an unknown tool.
    pub fn available_if(
        self,
        predicate: impl Fn(&Binding) -> bool + Send + Sync + 'static,
    ) -> Self {
        self.changed(Change::Available(Arc::new(predicate)))
    }

    /// Mends arguments that miss a schema by a certain, small step: see [`Repair`](crate::Repair). A tool's own setting
    /// goes before its toolset's.
    pub fn lenient(self, lenient: bool) -> Self {
        self.changed(Change::Lenient(lenient))
    }

    /// Leaves these members out of the arguments of every tool whose contract does not declare them: clients add some of
    /// their own accord, such as `toolCallId` or `_meta`. See [`Tool::ignore_members`].
    pub fn ignore_members<N: Into<String>>(self, names: impl IntoIterator<Item = N>) -> Self {
        self.changed(Change::Ignore(names.into_iter().map(Into::into).collect()))
    }

    /// Runs once for every run that has the toolset, when that run's registry closes: in reverse order of declaration,
    /// on success, error, panic, cancellation and drop alike.
    pub fn on_close<F, R>(self, close: F) -> Self
    where
        F: Fn() -> R + Send + Sync + 'static,
        R: Future<Output = Result<(), Error>> + Send + 'static,
    {
        self.changed(Change::Close(declared(close)))
    }

    /// Names where the tools come from, for the message when two have the same name.
    pub fn named(self, origin: impl Into<String>) -> Self {
        self.changed(Change::Named(origin.into()))
    }

    /// The tools of one run: instances made, names checked.
    ///
    /// # Errors
    ///
    /// A provider that failed; a name that is not 1 to 64 of `A-Z a-z 0-9 _ -`, or used twice; an empty description; a
    /// tool to configure that is not there. What was built before is released first.
    pub async fn bind(&self, binding: Binding) -> Result<Registry, BindError> {
        self.bind_with(binding, RunOptions::default()).await
    }

    /// As [`Toolset::bind`], with limits, a deadline, a way to cancel, and more.
    ///
    /// # Errors
    ///
    /// As [`Toolset::bind`].
    pub async fn bind_with(
        &self,
        binding: Binding,
        options: RunOptions,
    ) -> Result<Registry, BindError> {
        Registry::bind(self, binding, options).await
    }
}

impl fmt::Debug for Toolset {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Toolset").field("nodes", &self.nodes.len()).finish()
    }
}

/// What a provider may return: nothing, a tool, several, a toolset, or an error instead of any. Sealed.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is no set of tools",
    label = "no tools",
    note = "a provider returns a `Toolset`, a `Tool`, a `Vec<Tool>`, an `Option` of one, or a `Result<_, toolcast::Error>` of one"
)]
pub trait IntoToolset {
    /// The toolset.
    ///
    /// # Errors
    ///
    /// The provider's own error: binding fails with it.
    #[doc(hidden)]
    fn into_toolset(self, sealed: Sealed) -> Result<Toolset, Error>;
}

impl IntoToolset for Toolset {
    fn into_toolset(self, _: Sealed) -> Result<Toolset, Error> {
        Ok(self)
    }
}

impl IntoToolset for Tool {
    fn into_toolset(self, _: Sealed) -> Result<Toolset, Error> {
        Ok(Toolset::of([self]))
    }
}

impl IntoToolset for Vec<Tool> {
    fn into_toolset(self, _: Sealed) -> Result<Toolset, Error> {
        Ok(Toolset::of(self))
    }
}

impl<T: IntoToolset> IntoToolset for Option<T> {
    fn into_toolset(self, _: Sealed) -> Result<Toolset, Error> {
        self.map_or_else(|| Ok(Toolset::new()), |toolset| toolset.into_toolset(Sealed))
    }
}

impl<T: IntoToolset> IntoToolset for Result<T, Error> {
    fn into_toolset(self, _: Sealed) -> Result<Toolset, Error> {
        self?.into_toolset(Sealed)
    }
}

/// Tools that a run has, and what is to be released, in the order of building.
pub(crate) struct Flat {
    pub tools: Vec<Entry>,
    pub closes: Remaining,
    /// Whether some toolset was left out unbuilt: nobody knows which names it would have had.
    skipped: bool,
    /// Tools that were looked at so far.
    numbers: usize,
}

pub(crate) struct Entry {
    pub tool: Tool,
    pub origin: Option<Arc<str>>,
    pub available: bool,
    /// The number under which its closes are known.
    number: usize,
    /// Whether a provider made it for this run: it exists then, even if the run never lists it.
    is_made: bool,
}

impl Flat {
    pub(crate) fn new(closes: Remaining) -> Self {
        Self { tools: Vec::new(), closes, skipped: false, numbers: 0 }
    }

    /// Adds a tool; whether the run has it.
    fn push(&mut self, tool: &Tool, binding: &Binding, is_made: bool) -> bool {
        let (available, number) = (tool.is_available(binding), self.numbers);
        self.numbers += 1;
        if available {
            self.closes.extend(Some(number), &tool.inner.close);
        }
        let tool = tool.clone();
        self.tools.push(Entry { tool, origin: None, available, number, is_made });
        available
    }

    /// Takes out the tools from a position on that a filter refuses. Theirs is nothing to release, unless they were made.
    fn filter(&mut self, first: usize, keeps: &(dyn Fn(&str) -> bool + Send + Sync)) {
        for entry in self.tools.split_off(first) {
            if keeps(entry.tool.name()) {
                self.tools.push(entry);
            } else if !entry.is_made {
                self.closes.restrict(entry.number, &[]);
            }
        }
    }

    /// Puts a changed tool in the place of one: what it brings along is released with it, what it lost is not.
    fn change(&mut self, position: usize, tool: Tool, binding: &Binding) {
        let entry = &mut self.tools[position];
        let had = std::mem::replace(&mut entry.tool, tool);
        let was_available =
            std::mem::replace(&mut entry.available, entry.tool.is_available(binding));
        let closes = &entry.tool.inner.close;
        if !entry.is_made {
            self.closes.restrict(entry.number, if entry.available { closes } else { &[] });
        }
        if entry.available {
            let is_new = |close: &&Close| {
                !was_available || !had.inner.close.iter().any(|other| Arc::ptr_eq(other, close))
            };
            self.closes.extend(Some(entry.number), closes.iter().filter(is_new));
        }
    }
}

impl Toolset {
    /// Builds the tools of a run; whether the run has anything of the toolset, be it only what a provider made. On
    /// failure, `flat` holds what was built until then.
    pub(crate) fn flatten<'a>(
        &'a self,
        binding: &'a Binding,
        level: Level,
        flat: &'a mut Flat,
    ) -> Pin<Box<dyn Future<Output = Result<bool, BindError>> + Send + 'a>> {
        Box::pin(async move {
            if level.depth == DEEPEST {
                return Err(BindError::TooDeep);
            }
            let deeper = Level { depth: level.depth + 1, ..level };
            let mut has_any = self.nodes.is_empty();
            for node in &self.nodes {
                match &**node {
                    Node::Tool(tool) => has_any |= flat.push(tool, binding, level.is_made),
                    Node::Provider(provide) => {
                        let provided = Caught::new(async { provide(binding).await }).await;
                        let provided = provided.map_err(Error::Panic).flatten();
                        let provided = provided.map_err(BindError::Provider)?;
                        let made = Level { is_made: true, ..deeper };
                        provided.flatten(binding, made, flat).await?;
                        has_any = true;
                    }
                    Node::Changed { change: Change::Available(predicate), .. }
                        if !predicate(binding) =>
                    {
                        flat.skipped = true;
                    }
                    Node::Changed { inner, change } => {
                        let first = flat.tools.len();
                        let built = inner.flatten(binding, deeper, flat).await;
                        // What a provider made exists already, however far its tools came.
                        let has_built = level.is_made || built.as_ref().map_or(true, |has| *has);
                        if let Change::Close(close) = change
                            && has_built
                        {
                            flat.closes.extend(None, [close]);
                        }
                        let had_any = built?;
                        let within = &flat.tools[first..];
                        let has_made = within.is_empty() || within.iter().any(|tool| tool.is_made);
                        change.apply(first, flat, binding)?;
                        let has_left = has_made || flat.tools.len() > first;
                        has_any |= had_any && has_left;
                    }
                }
            }
            Ok(has_any)
        })
    }
}

/// Where in nested toolsets a run's tools are being built.
#[derive(Clone, Copy, Default)]
pub(crate) struct Level {
    depth: usize,
    /// Whether a provider is around: what stands here was made for this run.
    is_made: bool,
}

impl Change {
    /// Changes the tools of a run from a position on.
    fn apply(&self, first: usize, flat: &mut Flat, binding: &Binding) -> Result<(), BindError> {
        let entries = &mut flat.tools[first..];
        match self {
            Self::Prefix(prefix) => {
                for entry in entries {
                    let name = format!("{prefix}{}", entry.tool.name());
                    entry.tool = entry.tool.clone().renamed(name);
                }
            }
            Self::Filter(keeps) => flat.filter(first, keeps),
            Self::Configure(name, change) => {
                let Some(at) = entries.iter().position(|entry| entry.tool.name() == name) else {
                    let missing = BindError::NoSuchTool { name: name.clone() };
                    return if flat.skipped { Ok(()) } else { Err(missing) };
                };
                let changed = change(entries[at].tool.clone());
                flat.change(first + at, changed, binding);
            }
            Self::Lenient(lenient) => {
                for entry in entries {
                    if entry.tool.inner.lenient.is_none() {
                        entry.tool = entry.tool.clone().lenient(*lenient);
                    }
                }
            }
            Self::Ignore(names) => {
                for entry in entries {
                    entry.tool = entry.tool.clone().ignore_members(names.iter().cloned());
                }
            }
            Self::Named(origin) => {
                let origin: Arc<str> = origin.as_str().into();
                for entry in entries {
                    entry.origin.get_or_insert_with(|| Arc::clone(&origin));
                }
            }
            Self::Available(_) | Self::Close(_) => {}
        }
        Ok(())
    }
}
