//! One call, from raw arguments to an outcome. Nothing reaches a handler that its contract does not accept, and nothing
//! leaves it that its contract does not promise.

use crate::call::Call;
use crate::call::context::{Context, Gathering};
use crate::call::gate::Pass;
use crate::call::guard::{Caught, End, guard, until};
use crate::call::interrupted::{CleanupError, Interrupted};
use crate::call::nesting::{self, Frame};
use crate::outcome::error::{Error, Panic};
use crate::outcome::{Code, Outcome};
use crate::outcome::{large, normalise};
use crate::run::limits::{self, Limits, TooLarge};
use crate::run::registry::{Inner, Registry};
use crate::schema::Compiled;
use crate::schema::explain::{self, Fault, wording};
use crate::schema::ignore;
use crate::schema::repair::{self, Repair};
use crate::tool::{Answered, Failed, Tool};
use serde_json::Value;
use std::sync::Arc;
use std::sync::atomic::Ordering;
use tokio::time::Instant;
use toolcast_contract::nearest;
use tracing::field::Empty;
use tracing::{Instrument, Span};

/// Makes a call. Arguments that exceed a cap are gone already; `too_large` says which.
pub(crate) fn execute<'a>(
    registry: &'a Registry,
    name: &'a str,
    arguments: Value,
    too_large: Option<TooLarge>,
    call: Call,
) -> impl Future<Output = Result<Outcome, Interrupted>> + Send + 'a {
    let inner = &*registry.inner;
    let run = Arc::clone(&inner.run);
    let frame = Frame { run: Arc::as_ptr(&run).addr(), tool: 0, ticket: registry.within };
    let ctx = Context {
        arguments,
        call,
        run,
        number: 0,
        timeout: None,
        gathered: Gathering::default(),
        frame,
    };
    let mut execution = Execution { ctx, too_large, answered: Answered::default(), pass: None };
    async move {
        execution.run(inner, name).await?;
        Ok(execution.answered.outcome)
    }
}

/// One call. It stands in one place from the start, and so does what comes of it: the futures below only borrow it, for
/// moving it costs more than most handlers do.
struct Execution<'a> {
    ctx: Context,
    /// The cap that the arguments exceed; they are gone then.
    too_large: Option<TooLarge>,
    answered: Answered,
    /// Given back last.
    pass: Option<Pass<'a>>,
}

impl<'a> Execution<'a> {
    async fn run(&mut self, inner: &'a Inner, name: &str) -> Result<(), Interrupted> {
        self.pass = Some(inner.gate.enter().ok_or(Interrupted::Closed)?);
        let bound = inner.tools().get(name).map(Arc::clone);
        self.ctx.frame.tool = bound.as_ref().map_or(0, |bound| Arc::as_ptr(bound).addr());
        let tool = bound.as_ref().map(|bound| bound.tool());
        self.ctx.number = inner.calls.fetch_add(1, Ordering::Relaxed).saturating_add(1);
        let span = self.span(inner, name, tool.is_some());
        if span.is_disabled() {
            return self.call(inner, name, tool).await;
        }
        // Boxed, so that only those who trace pay for the room.
        let called = Box::pin(self.call(inner, name, tool).instrument(span.clone())).await;
        record(&span, inner, called.as_ref().map(|()| &self.answered.outcome));
        called
    }

    /// A span by OpenTelemetry's conventions for `execute_tool`. Arguments and results stay out unless asked for.
    fn span(&self, inner: &Inner, name: &str, is_known: bool) -> Span {
        let span = tracing::info_span!(
            "execute_tool",
            otel.name = Empty,
            gen_ai.operation.name = "execute_tool",
            gen_ai.tool.name = Empty,
            gen_ai.tool.type = "function",
            gen_ai.tool.call.id = Empty,
            gen_ai.tool.call.arguments = Empty,
            gen_ai.tool.call.result = Empty,
            toolcast.outcome = Empty,
            error.type = Empty,
        );
        if !span.is_disabled() {
            // An unknown name is whatever a model said.
            let name = if is_known { name } else { &wording::shortened(name, 64) };
            span.record("otel.name", format!("execute_tool {name}"));
            span.record("gen_ai.tool.name", name);
            if let Some(id) = &self.ctx.call.id {
                span.record("gen_ai.tool.call.id", id);
            }
            if inner.options.record_values && self.too_large.is_none() {
                span.record("gen_ai.tool.call.arguments", self.ctx.arguments.to_string());
            }
        }
        span
    }

    async fn call(
        &mut self,
        inner: &Inner,
        name: &str,
        tool: Option<&Tool>,
    ) -> Result<(), Interrupted> {
        match self.admit(inner, name, tool) {
            Ok((tool, repairs)) => {
                self.handle(inner, tool).await?;
                self.answered.outcome.repairs = repairs;
            }
            Err(refused) => self.answered.outcome = *refused,
        }
        // However a call is answered, the answer says which call it belongs to.
        self.answered.outcome.call_id = self.ctx.call.id.take();
        Ok(())
    }

    /// Passes a call that the run allows, of a tool that it has, with arguments that the contract accepts.
    fn admit<'t>(
        &mut self,
        inner: &Inner,
        name: &str,
        tool: Option<&'t Tool>,
    ) -> Result<(&'t Tool, Vec<Repair>), Box<Outcome>> {
        let tool = tool.ok_or_else(|| Box::new(unknown(inner, name)))?;
        if self.ctx.number > inner.options.max_calls {
            return Err(Box::new(used_up(inner.options.max_calls)));
        }
        if let Some(cap) = self.too_large {
            return Err(Box::new(too_large(inner, tool, cap)));
        }
        let input = match tool.inner.definition.input.compiled() {
            Ok(compiled) => compiled,
            Err(message) => return Err(Box::new(broken_contract(message))),
        };
        let accepted = accept(tool, input, &mut self.ctx.arguments, &inner.options.limits);
        match accepted {
            Ok(repairs) => Ok((tool, repairs)),
            Err(faults) => Err(Box::new(invalid(inner, tool, faults))),
        }
    }

    /// Calls the handler, whose arguments are valid.
    async fn handle(&mut self, inner: &Inner, tool: &Tool) -> Result<(), Interrupted> {
        let definition = &tool.inner.definition;
        interrupted(&self.ctx)?;
        let around = nesting::ticket(self.ctx.frame.run);
        self.ctx.frame.ticket = around.or(self.ctx.frame.ticket);
        // Waits that most calls never have are boxed: every call moves the future that holds them.
        let _alone = if definition.exclusive {
            let holder = self.ctx.frame.ticket;
            if holder.is_some_and(|ticket| inner.exclusive.is_held_under(ticket)) {
                self.answered.outcome = deadlock(tool);
                return Ok(());
            }
            match Box::pin(until(&self.ctx, inner.exclusive.acquire())).await {
                End::Done(held) => {
                    self.ctx.frame.ticket = Some(held.ticket());
                    Some(held)
                }
                End::Cancelled => return Err(Interrupted::Cancelled),
                _ => return Err(Interrupted::DeadlineExceeded),
            }
        } else {
            None
        };
        // A tool's own time begins when it does: waiting for its turn is not its fault.
        self.ctx.timeout =
            definition.timeout().and_then(|timeout| Instant::now().checked_add(timeout));
        let outcome = match guard(&self.ctx, &*tool.inner.handler, &mut self.answered).await {
            End::Done(()) => match self.answered.failed.take() {
                None => {
                    return self.complete(inner, tool).await;
                }
                Some(failed) => failure(inner, tool, &self.ctx, *failed)?,
            },
            End::Panicked(panic) => {
                let error = Error::Panic(Panic::new(panic));
                Outcome::failed(Code::Panic, error.to_string()).because(error)
            }
            End::Cancelled => return Err(Interrupted::Cancelled),
            End::DeadlineExceeded => return Err(Interrupted::DeadlineExceeded),
            End::TimedOut => timed_out(tool),
        };
        self.answered.outcome = outcome;
        Ok(())
    }

    /// Checks what the handler gave, and stores what no model should read whole.
    async fn complete(&mut self, inner: &Inner, tool: &Tool) -> Result<(), Interrupted> {
        let outcome = &mut self.answered.outcome;
        normalise::complete(inner, tool, &self.ctx, outcome);
        let Some(store) = &inner.options.artifacts else { return Ok(()) };
        if !large::is_to_be_stored(outcome, inner.options.max_result_bytes) {
            return Ok(());
        }
        // The store is the application's code: it may hang, and it may panic.
        let storing = large::store(&**store, inner.options.max_result_bytes, tool, outcome);
        let ended = Box::pin(until(&self.ctx, Caught::new(storing))).await;
        self.answered.outcome = match ended {
            End::Done(Ok(Ok(()))) => return Ok(()),
            End::Done(Ok(Err(failure))) => large::unstored(failure),
            End::Done(Err(panic)) => large::unstored(panic.into()),
            End::Cancelled => return Err(Interrupted::Cancelled),
            End::DeadlineExceeded => return Err(Interrupted::DeadlineExceeded),
            End::Panicked(panic) => large::unstored(Panic::new(panic).into()),
            End::TimedOut => timed_out(tool),
        };
        Ok(())
    }
}

/// Passes arguments that the contract accepts, without the members that the application ignores, and mended in place
/// where the tool is lenient.
fn accept(
    tool: &Tool,
    input: &Compiled,
    arguments: &mut Value,
    limits: &Limits,
) -> Result<Vec<Repair>, Vec<Fault>> {
    let mut repairs = ignore::drop_members(&tool.inner.ignored, input, arguments);
    if input.validator.is_valid(arguments) {
        return Ok(repairs);
    }
    if tool.inner.lenient == Some(true)
        && let Some((mended, made)) = repair::mend(input, arguments, limits)
    {
        *arguments = mended;
        repairs.extend(made);
        return Ok(repairs);
    }
    Err(explain::faults(input, arguments))
}

fn interrupted(ctx: &Context) -> Result<(), Interrupted> {
    if ctx.is_cancelled() {
        return Err(Interrupted::Cancelled);
    }
    match ctx.interruption_deadline() {
        Some(deadline) if deadline <= Instant::now() => Err(Interrupted::DeadlineExceeded),
        _ => Ok(()),
    }
}

/// What a handler's failure is: an outcome for the model, or an interruption that propagates.
fn failure(
    inner: &Inner,
    tool: &Tool,
    ctx: &Context,
    failed: Failed,
) -> Result<Outcome, Interrupted> {
    let error = match failed {
        Failed::Decode(fault) => {
            let fault = Fault { code: "decode", pointer: fault.pointer, message: fault.message };
            return Ok(invalid(inner, tool, vec![fault]));
        }
        Failed::TooDeep => {
            let depth = inner.options.limits.max_depth.min(Limits::DEEPEST);
            return Ok(*normalise::too_large(tool, TooLarge::Depth(depth)));
        }
        Failed::Handler(error) => error,
    };
    let now = Instant::now();
    let has_passed = |deadline: Option<Instant>| deadline.is_some_and(|deadline| deadline <= now);
    match error {
        Error::Cancelled => Err(Interrupted::Cancelled),
        Error::DeadlineExceeded
            if has_passed(ctx.timeout) && !has_passed(ctx.interruption_deadline()) =>
        {
            Ok(timed_out(tool))
        }
        Error::DeadlineExceeded => Err(Interrupted::DeadlineExceeded),
        Error::Cleanup(failures) => Err(Interrupted::Cleanup(CleanupError { failures })),
        Error::Tool(ref message) | Error::Caused { ref message, .. } => {
            let text = limits::bounded(message, inner.options.limits.max_bytes).into_owned();
            Ok(Outcome::failed(Code::ToolError, text).because(error))
        }
        Error::Panic(_) => Ok(Outcome::failed(Code::Panic, error.to_string()).because(error)),
        Error::Unexpected { .. } => {
            Ok(Outcome::failed(Code::Unexpected, error.to_string()).because(error))
        }
    }
}

fn invalid(inner: &Inner, tool: &Tool, faults: Vec<Fault>) -> Outcome {
    let subject = format!("Invalid arguments for `{}`", tool.name());
    let text = explain::text(&subject, &faults, &inner.options.text);
    Outcome::failed(Code::InvalidInput, text).with_faults(faults)
}

fn too_large(inner: &Inner, tool: &Tool, cap: TooLarge) -> Outcome {
    let message = format!("the arguments are {cap}");
    invalid(inner, tool, vec![Fault { code: "size", pointer: String::new(), message }])
}

fn broken_contract(message: &str) -> Outcome {
    let error = Error::caused("the tool's contract is broken", message.to_owned());
    Outcome::failed(Code::InvalidContract, error.to_string()).because(error)
}

fn timed_out(tool: &Tool) -> Outcome {
    let limit = tool.inner.definition.timeout_seconds.unwrap_or_default();
    let text = format!("`{}` took longer than its limit of {limit} seconds", tool.name());
    Outcome::failed(Code::Timeout, text)
}

fn deadlock(tool: &Tool) -> Outcome {
    let text = format!(
        "`{}` runs alone, and so does the tool that calls it: it could begin only after that one \
         has ended",
        tool.name()
    );
    Outcome::failed(Code::Deadlock, text)
}

fn used_up(limit: u64) -> Outcome {
    let text = format!("the limit of {limit} tool calls in this run is used up");
    Outcome::failed(Code::CallLimit, text)
}

pub(crate) fn unknown(inner: &Inner, name: &str) -> Outcome {
    let tools = inner.tools();
    let known = || tools.keys().map(|name| &**name);
    let hint = match nearest(name, known()) {
        Some(near) => format!("; did you mean {}?", wording::quoted(near)),
        None if tools.is_empty() => String::new(),
        None => format!("; there are {}", wording::names(known())),
    };
    Outcome::failed(Code::UnknownTool, format!("there is no tool {}{hint}", wording::quoted(name)))
}

fn record(span: &Span, inner: &Inner, result: Result<&Outcome, &Interrupted>) {
    if span.is_disabled() {
        return;
    }
    let (outcome, error) = match result {
        Ok(outcome) => match outcome.code() {
            None => ("success", None),
            Some(code) => ("error", Some(code.as_str())),
        },
        Err(Interrupted::Cancelled) => ("cancelled", Some("cancelled")),
        Err(Interrupted::DeadlineExceeded) => ("deadline_exceeded", Some("deadline_exceeded")),
        Err(Interrupted::Cleanup(_)) => ("error", Some("cleanup")),
        Err(Interrupted::Closed) => ("error", Some("closed")),
    };
    span.record("toolcast.outcome", outcome);
    if let Some(error) = error {
        span.record("error.type", error);
    }
    if let (true, Ok(outcome)) = (inner.options.record_values, result) {
        span.record("gen_ai.tool.call.result", outcome.text());
    }
}
