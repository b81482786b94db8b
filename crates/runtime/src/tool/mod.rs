//! A tool: a contract bound to the code that answers it.

pub(crate) mod close;
pub(crate) mod definition;
pub(crate) mod direct;
pub(crate) mod dynamic;
pub(crate) mod load;
pub(crate) mod spec;
pub(crate) mod specification;
pub(crate) mod toolset;

use crate::call::guard::{self, Begun};
use crate::generated::encode;
use crate::generated::{Decode, DecodeError, Encode};
use crate::run::lifecycle::{Close, declared};
use crate::tool::definition::Definition;
use crate::{Binding, Content, Context, Error, Outcome, Reply, ToolSpec};
use serde_json::Value;
use std::borrow::Cow;
use std::fmt;
use std::marker::PhantomData;
use std::pin::Pin;
use std::sync::Arc;
use std::task;

/// A boxed future of one call.
pub type CallFuture<'a, O> = Pin<Box<dyn Future<Output = Result<O, Error>> + Send + 'a>>;

/// Whether something is available in a run.
pub(crate) type Predicate = Arc<dyn Fn(&Binding) -> bool + Send + Sync>;

/// A contract bound to the code that answers it. Cheap to clone.
#[derive(Clone)]
pub struct Tool {
    pub(crate) inner: Arc<Inner>,
}

#[derive(Clone)]
pub(crate) struct Inner {
    pub definition: Arc<Definition>,
    pub handler: Arc<dyn Handle>,
    /// The name in this run, where it is not the contract's.
    pub alias: Option<Arc<str>>,
    pub lenient: Option<bool>,
    /// Members that clients add of their own accord.
    pub ignored: Arc<[String]>,
    pub available: Vec<Predicate>,
    pub close: Vec<Close>,
}

impl Tool {
    /// Binds a handler whose contract has an output schema. Generated code calls this.
    pub fn typed<H, I, O, F>(spec: &'static ToolSpec, handler: Arc<H>, call: F) -> Self
    where
        H: Send + Sync + 'static,
        I: Decode + Send + 'static,
        O: Encode + Send + 'static,
        F: for<'a> Fn(&'a H, I, &'a Context) -> CallFuture<'a, O> + Send + Sync + 'static,
    {
        Self::from_parts(spec.into(), Typed { handler, call, types: PhantomData::<fn(I) -> O> })
    }

    /// Binds a handler whose contract has no output schema: it answers with a [`Reply`]. Generated code calls this.
    pub fn replying<H, I, F>(spec: &'static ToolSpec, handler: Arc<H>, call: F) -> Self
    where
        H: Send + Sync + 'static,
        I: Decode + Send + 'static,
        F: for<'a> Fn(&'a H, I, &'a Context) -> CallFuture<'a, Reply> + Send + Sync + 'static,
    {
        Self::from_parts(spec.into(), Replying { handler, call, types: PhantomData::<fn(I)> })
    }

    pub(crate) fn from_parts(definition: Definition, handler: impl Handle + 'static) -> Self {
        let inner = Inner {
            definition: Arc::new(definition),
            handler: Arc::new(handler),
            alias: None,
            lenient: None,
            ignored: Arc::default(),
            available: Vec::new(),
            close: Vec::new(),
        };
        Self { inner: Arc::new(inner) }
    }

    fn change(mut self, change: impl FnOnce(&mut Inner)) -> Self {
        change(Arc::make_mut(&mut self.inner));
        self
    }

    /// The name by which it is called.
    pub fn name(&self) -> &str {
        self.inner.alias.as_deref().unwrap_or(&self.inner.definition.name)
    }

    /// The name as a run's table keeps it, without copying.
    pub(crate) fn key(&self) -> Cow<'static, str> {
        match (&self.inner.alias, &self.inner.definition.name) {
            (None, Cow::Borrowed(name)) => Cow::Borrowed(name),
            _ => Cow::Owned(self.name().to_owned()),
        }
    }

    /// Gives the tool another name. The new name is checked when the tool is bound.
    pub fn renamed(self, name: impl Into<String>) -> Self {
        let name: String = name.into();
        self.change(|inner| inner.alias = Some(name.into()))
    }

    /// The tool is listed and callable only in runs whose binding satisfies the predicate; several must all agree.
    pub fn available_if(
        self,
        predicate: impl Fn(&Binding) -> bool + Send + Sync + 'static,
    ) -> Self {
        self.change(|inner| inner.available.push(Arc::new(predicate)))
    }

    /// Runs once for every run that has the tool, when that run's registry closes or the tool is replaced.
    pub fn on_close<F, R>(self, close: F) -> Self
    where
        F: Fn() -> R + Send + Sync + 'static,
        R: Future<Output = Result<(), Error>> + Send + 'static,
    {
        self.change(|inner| inner.close.push(declared(close)))
    }

    /// Mends arguments that miss the schema by a certain, small step: see [`Repair`](crate::Repair). Off by default.
    pub fn lenient(self, lenient: bool) -> Self {
        self.change(|inner| inner.lenient = Some(lenient))
    }

    /// Leaves these members out of the arguments wherever the contract does not declare them: clients add some of
    /// their own accord, such as `toolCallId` or `_meta`. Each is recorded as a [`Repair`](crate::Repair). Further
    /// names add to those that are set.
    pub fn ignore_members<N: Into<String>>(self, names: impl IntoIterator<Item = N>) -> Self {
        let names = names.into_iter().map(Into::into);
        self.change(|inner| inner.ignored = inner.ignored.iter().cloned().chain(names).collect())
    }

    /// Whether every predicate of [`Tool::available_if`] agrees to a binding: whether a run with it would list the tool.
    pub fn is_available(&self, binding: &Binding) -> bool {
        self.inner.available.iter().all(|predicate| predicate(binding))
    }

    /// Whether the tool's validator has been built: it is, on the first call.
    pub fn is_compiled(&self) -> bool {
        self.inner.definition.input.is_compiled()
    }
}

impl fmt::Debug for Tool {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Tool").field("name", &self.name()).finish_non_exhaustive()
    }
}

/// What a handler gave, before it is checked against the contract.
pub(crate) enum Produced {
    Value(Value),
    Reply(Reply),
    /// A typed result that is nested too deep to be written.
    TooDeep,
}

/// Why a handler gave nothing.
pub(crate) enum Failed {
    Decode(DecodeError),
    Handler(Error),
    /// The result is nested deeper than anything here recurses.
    TooDeep,
}

/// What a handler gave, or why it gave nothing.
pub(crate) type Given = Result<Produced, Failed>;

/// A future of what a handler gives.
pub(crate) type Answer<'a> = Pin<Box<dyn Future<Output = Given> + Send + 'a>>;

/// The code behind a tool, its types forgotten. The context's arguments are valid when it is called.
///
/// A call begins at once. What is ready then stands in `answered`; else the rest of the call is returned. (Answers are
/// large: each is written where it stays, for moving one from hand to hand costs more than many a handler.)
pub(crate) trait Handle: Send + Sync {
    fn call<'a>(
        &'a self,
        ctx: &'a Context,
        cx: &mut task::Context<'_>,
        answered: &mut Answered,
    ) -> Option<Answer<'a>>;
}

/// What comes of a call: the outcome of one that succeeds, not yet checked, or why the handler failed.
#[derive(Default)]
pub(crate) struct Answered {
    pub outcome: Outcome,
    pub failed: Option<Box<Failed>>,
}

impl Answered {
    #[inline]
    pub(crate) fn put(&mut self, given: Given) {
        let outcome = &mut self.outcome;
        match given {
            Ok(Produced::Value(value) | Produced::Reply(Reply::Json(value))) => {
                outcome.value = Some(value);
            }
            Ok(Produced::Reply(Reply::Text(text))) => outcome.content.push(Content::Text(text)),
            Ok(Produced::Reply(Reply::Parts(parts))) => {
                outcome.value = parts.value;
                outcome.content = parts.content;
                outcome.artifacts = parts.artifacts;
            }
            Ok(Produced::TooDeep) => self.failed = Some(Box::new(Failed::TooDeep)),
            Err(failed) => self.failed = Some(Box::new(failed)),
        }
    }
}

/// Decodes the input of a call, and begins it.
#[inline]
pub(crate) fn begin<'a, I: Decode, T: Send + 'a>(
    ctx: &'a Context,
    cx: &mut task::Context<'_>,
    answered: &mut Answered,
    call: impl FnOnce(I) -> CallFuture<'a, T>,
    produce: fn(T) -> Produced,
) -> Option<Answer<'a>> {
    let input = match I::decode(ctx.arguments()) {
        Ok(input) => input,
        Err(fault) => {
            answered.put(Err(Failed::Decode(fault)));
            return None;
        }
    };
    let finish = move |gave: Result<T, Error>| gave.map(produce).map_err(Failed::Handler);
    match guard::first_poll(call(input), cx) {
        Begun::Ready(gave) => {
            answered.put(finish(gave));
            None
        }
        Begun::Pending(rest) => Some(Box::pin(async move { finish(rest.await) })),
    }
}

/// The JSON value of a typed result.
fn write<O: Encode>(output: O) -> Produced {
    match encode::bounded(&output) {
        Some(value) => Produced::Value(value),
        None => {
            // Dropping it recurses once a level, and would end the process where writing it would: it is left where it is.
            std::mem::forget(output);
            Produced::TooDeep
        }
    }
}

struct Typed<H, F, T> {
    handler: Arc<H>,
    call: F,
    types: PhantomData<T>,
}

impl<H, I, O, F> Handle for Typed<H, F, fn(I) -> O>
where
    H: Send + Sync + 'static,
    I: Decode + Send + 'static,
    O: Encode + Send + 'static,
    F: for<'a> Fn(&'a H, I, &'a Context) -> CallFuture<'a, O> + Send + Sync + 'static,
{
    fn call<'a>(
        &'a self,
        ctx: &'a Context,
        cx: &mut task::Context<'_>,
        answered: &mut Answered,
    ) -> Option<Answer<'a>> {
        let call = |input| (self.call)(&self.handler, input, ctx);
        begin(ctx, cx, answered, call, write)
    }
}

struct Replying<H, F, T> {
    handler: Arc<H>,
    call: F,
    types: PhantomData<T>,
}

impl<H, I, F> Handle for Replying<H, F, fn(I)>
where
    H: Send + Sync + 'static,
    I: Decode + Send + 'static,
    F: for<'a> Fn(&'a H, I, &'a Context) -> CallFuture<'a, Reply> + Send + Sync + 'static,
{
    fn call<'a>(
        &'a self,
        ctx: &'a Context,
        cx: &mut task::Context<'_>,
        answered: &mut Answered,
    ) -> Option<Answer<'a>> {
        begin(ctx, cx, answered, |input| (self.call)(&self.handler, input, ctx), Produced::Reply)
    }
}
