//! Tools that the program defines at run time, under the same rules as generated ones.

use crate::generated::Decode;
use crate::tool::definition::{Definition, DefinitionBuilder, DefinitionError};
use crate::tool::{self, Answer, Answered, CallFuture, Failed, Handle, Produced, Tool};
use crate::{Context, Error, Reply};
use serde_json::Value;
use std::marker::PhantomData;
use std::task;

impl Tool {
    /// Makes a tool from a contract and a closure, synchronous or not.
    ///
    /// The closure takes the decoded arguments (a [`Value`], or any type that decodes) and gives a [`Reply`], what
    /// converts into one, or a `Result` of it. A closure that wants the [`Context`] too is synchronous here; see
    /// [`Tool::define_with`] for one that is not.
    ///
    /// ```
    /// use serde_json::{Value, json};
    /// use toolcast::{Context, Definition, Error, Tool};
    ///
    /// let schema = json!({ "type": "object", "properties": { "text": { "type": "string" } }, "required": ["text"] });
    /// let definition = || Definition::new("echo", "Says a text again.").input(schema.clone());
    ///
    /// Tool::define(definition(), |input: Value| input["text"].clone())?;
    /// Tool::define(definition(), |input: Value| async move { Ok::<_, Error>(input["text"].clone()) })?;
    /// Tool::define(definition(), |_: Value, ctx: &Context| ctx.call_id().into_owned())?;
    /// # Ok::<(), toolcast::DefinitionError>(())
    /// ```
    ///
    /// # Errors
    ///
    /// A contract that is not valid: see [`DefinitionBuilder::build`].
    pub fn define<M>(
        definition: impl IntoDefinition,
        closure: impl IntoHandler<M>,
    ) -> Result<Self, DefinitionError> {
        Ok(Self::from_parts(definition.into_definition(Sealed)?, closure.into_handler(Sealed)))
    }

    /// Makes a tool from a contract and an asynchronous closure that takes the call's context too.
    ///
    /// ```
    /// use toolcast::{Definition, Tool, Value};
    ///
    /// let tool = Tool::define_with(Definition::new("whoami", "Tells who asks."), |_: Value, ctx| {
    ///     Box::pin(async move { Ok(ctx.invocation().require_actor()?.to_owned()) })
    /// })?;
    /// # Ok::<(), toolcast::DefinitionError>(())
    /// ```
    ///
    /// # Errors
    ///
    /// As [`Tool::define`].
    pub fn define_with<I, R, F>(
        definition: impl IntoDefinition,
        closure: F,
    ) -> Result<Self, DefinitionError>
    where
        I: Decode + Send + 'static,
        R: Into<Reply> + Send + 'static,
        F: for<'a> Fn(I, &'a Context) -> CallFuture<'a, R> + Send + Sync + 'static,
    {
        let handler = WithContext { closure, types: PhantomData::<fn(I) -> R> };
        Ok(Self::from_parts(definition.into_definition(Sealed)?, handler))
    }
}

/// The last parameter of methods that only this crate may implement: its type has no name elsewhere.
pub struct Sealed;

/// What states a contract: a builder, a definition that is built, a contract that was loaded, or a value as in MCP's
/// `tools/list`. Sealed: no type of another crate states one.
#[diagnostic::on_unimplemented(
    message = "`{Self}` states no contract",
    label = "no contract",
    note = "give `Definition::new(name, description).input(schema)`, what `Definition::load` or `Definition::parse` \
            gave, or one tool of MCP's `tools/list` as a `serde_json::Value`"
)]
pub trait IntoDefinition {
    /// The definition.
    ///
    /// # Errors
    ///
    /// As [`DefinitionBuilder::build`].
    #[doc(hidden)]
    fn into_definition(self, sealed: Sealed) -> Result<Definition, DefinitionError>;
}

impl IntoDefinition for DefinitionBuilder {
    fn into_definition(self, _: Sealed) -> Result<Definition, DefinitionError> {
        self.build()
    }
}

impl IntoDefinition for Definition {
    fn into_definition(self, _: Sealed) -> Result<Definition, DefinitionError> {
        Ok(self)
    }
}

/// What a closure may give: a [`Reply`], what converts into one, or a `Result` of it. `M` tells the two apart and is always
/// inferred. Sealed: a type of another crate implements `Into<Reply>` instead.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is no reply of a tool",
    label = "no reply",
    note = "give text, `()`, a `bool`, a number, a `serde_json::Value`, a list, map or `Option` of these, \
            `Reply::json(&value)?` for what serde serialises, or a `Result` of one of them"
)]
pub trait IntoReply<M> {
    /// The reply, or why there is none.
    ///
    /// # Errors
    ///
    /// The closure's own.
    #[doc(hidden)]
    fn into_reply(self, sealed: Sealed) -> Result<Reply, Error>;
}

/// Marks what converts into a [`Reply`] as it is.
pub struct Plain;
/// Marks a `Result` of what converts into a [`Reply`].
pub struct Fallible;

impl<T: Into<Reply>> IntoReply<Plain> for T {
    fn into_reply(self, _: Sealed) -> Result<Reply, Error> {
        Ok(self.into())
    }
}

impl<T: Into<Reply>, E: Into<Error>> IntoReply<Fallible> for Result<T, E> {
    fn into_reply(self, _: Sealed) -> Result<Reply, Error> {
        self.map(Into::into).map_err(Into::into)
    }
}

/// A closure that can answer calls. `M` tells the kinds of closures apart and is always inferred. Sealed.
#[diagnostic::on_unimplemented(
    message = "this cannot answer calls of a tool",
    label = "not a closure from arguments to a reply",
    note = "write `|input: Value| ...`, `|input: Value| async move {{ ... }}` or `|input: Value, ctx: &Context| ...`; the \
            input may be any type that decodes, and the answer is a reply or a `Result` of one",
    note = "an asynchronous closure that takes the context goes to `Tool::define_with`; `Send`, `Sync` and `'static` must hold"
)]
pub trait IntoHandler<M> {
    #[doc(hidden)]
    fn into_handler(self, sealed: Sealed) -> ClosureHandler;
}

/// A closure, its types forgotten.
pub struct ClosureHandler(Box<Answering>);

type Answering = dyn for<'a> Fn(&'a Context, &mut task::Context<'_>, &mut Answered) -> Option<Answer<'a>>
    + Send
    + Sync;

impl Handle for ClosureHandler {
    fn call<'a>(
        &'a self,
        ctx: &'a Context,
        cx: &mut task::Context<'_>,
        answered: &mut Answered,
    ) -> Option<Answer<'a>> {
        (self.0)(ctx, cx, answered)
    }
}

fn reply<M>(given: impl IntoReply<M>) -> Result<Produced, Failed> {
    given.into_reply(Sealed).map(Produced::Reply).map_err(Failed::Handler)
}

#[doc(hidden)]
pub struct Sync1<I, R, M>(PhantomData<(I, R, M)>);
#[doc(hidden)]
pub struct Sync2<I, R, M>(PhantomData<(I, R, M)>);
#[doc(hidden)]
pub struct Async1<I, R, M>(PhantomData<(I, R, M)>);

impl<F, I, R, M> IntoHandler<Sync1<I, R, M>> for F
where
    F: Fn(I) -> R + Send + Sync + 'static,
    I: Decode,
    R: IntoReply<M>,
{
    fn into_handler(self, _: Sealed) -> ClosureHandler {
        ClosureHandler(Box::new(move |ctx, _, answered| {
            let input = I::decode(ctx.arguments()).map_err(Failed::Decode);
            answered.put(input.and_then(|input| reply(self(input))));
            None
        }))
    }
}

impl<F, I, R, M> IntoHandler<Sync2<I, R, M>> for F
where
    F: Fn(I, &Context) -> R + Send + Sync + 'static,
    I: Decode,
    R: IntoReply<M>,
{
    fn into_handler(self, _: Sealed) -> ClosureHandler {
        ClosureHandler(Box::new(move |ctx, _, answered| {
            let input = I::decode(ctx.arguments()).map_err(Failed::Decode);
            answered.put(input.and_then(|input| reply(self(input, ctx))));
            None
        }))
    }
}

impl<F, I, R, M> IntoHandler<Async1<I, R, M>> for F
where
    F: Fn(I) -> R + Send + Sync + 'static,
    I: Decode,
    R: Future<Output: IntoReply<M>> + Send + 'static,
{
    fn into_handler(self, _: Sealed) -> ClosureHandler {
        ClosureHandler(Box::new(move |ctx, cx, answered| {
            let call = |input| {
                let answer = self(input);
                Box::pin(async move { answer.await.into_reply(Sealed) }) as CallFuture<'_, Reply>
            };
            tool::begin(ctx, cx, answered, call, Produced::Reply)
        }))
    }
}

struct WithContext<F, T> {
    closure: F,
    types: PhantomData<T>,
}

impl<I, R, F> Handle for WithContext<F, fn(I) -> R>
where
    I: Decode + Send + 'static,
    R: Into<Reply> + Send + 'static,
    F: for<'a> Fn(I, &'a Context) -> CallFuture<'a, R> + Send + Sync + 'static,
{
    fn call<'a>(
        &'a self,
        ctx: &'a Context,
        cx: &mut task::Context<'_>,
        answered: &mut Answered,
    ) -> Option<Answer<'a>> {
        let call = |input| (self.closure)(input, ctx);
        tool::begin(ctx, cx, answered, call, |gave: R| Produced::Reply(gave.into()))
    }
}

/// A contract as one JSON value: `name`, `description`, and the schema under `inputSchema`, as in MCP's `tools/list`.
impl IntoDefinition for Value {
    fn into_definition(mut self, _: Sealed) -> Result<Definition, DefinitionError> {
        let text = |value: Option<&Value>| value.and_then(Value::as_str).unwrap_or("").to_owned();
        let mut builder = Definition::new(text(self.get("name")), text(self.get("description")));
        let mut take = |member: &str| self.get_mut(member).map(Value::take);
        if let Some(schema) = take("inputSchema") {
            builder = builder.input(schema);
        }
        if let Some(schema) = take("outputSchema") {
            builder = builder.output(schema);
        }
        if let Some(Value::String(title)) = take("title") {
            builder = builder.title(title);
        }
        builder.build()
    }
}
