//! Aids for testing tools: a context and a run in one line, assertions on outcomes, contract examples as tests, and a
//! driver that throws valid input at handlers.
//!
//! ```
//! use serde_json::json;
//! use toolcast::testing::{Setup, assert_outcome};
//! use toolcast::{Code, Context, Definition, Tool, Toolset, Value};
//!
//! # tokio::runtime::Builder::new_current_thread().enable_time().build().unwrap().block_on(async {
//! let tool = Tool::define(Definition::new("whoami", "Tells who asks."), |_: Value, ctx: &Context| {
//!     ctx.invocation().require_actor().map(str::to_owned)
//! })?;
//! let tools = Toolset::of([tool]);
//!
//! let outcome = Setup::new().actor("user-1").call(&tools, "whoami", json!({})).await;
//! assert_outcome!(outcome, "user-1");
//! let outcome = Setup::new().call(&tools, "whoami", json!({})).await;
//! assert_outcome!(outcome, Code::ToolError, "authenticated actor");
//! # Ok::<(), toolcast::DefinitionError>(())
//! # }).unwrap();
//! ```

mod drive;
mod generate;
mod sample;

pub use crate::assert_outcome;
pub use drive::{Report, exercise, run_examples};
pub use generate::Generator;

use crate::call::Call;
use crate::call::context::{Context, Gathering, Run};
use crate::call::nesting::Frame;
use crate::{Binding, Code, Invocation, Outcome, Registry, RunOptions, Toolset};
use serde_json::Value;
use std::sync::Arc;

/// Who asks and what a run has, for one test. A clone prepares another run: no state is shared.
#[derive(Clone, Default)]
pub struct Setup {
    invocation: Invocation,
    binding: Binding,
    options: RunOptions,
}

impl Setup {
    /// An anonymous caller, a run without collaborators.
    pub fn new() -> Self {
        Self::default()
    }

    /// Sets the authenticated actor.
    pub fn actor(mut self, id: impl Into<String>) -> Self {
        self.invocation = self.invocation.actor(id);
        self
    }

    /// Sets one value of the application's context.
    pub fn context_value(mut self, key: impl Into<String>, value: impl Into<Value>) -> Self {
        self.invocation = self.invocation.context(key, value);
        self
    }

    /// Adds a collaborator of the run.
    pub fn with<T: Send + Sync + 'static>(mut self, part: T) -> Self {
        self.binding = self.binding.with(part);
        self
    }

    /// Sets the run's options.
    pub fn options(mut self, options: RunOptions) -> Self {
        self.options = options;
        self
    }

    /// A context, for calling a handler's own method. Its run is no registry's; its state is its own and starts as the
    /// options say, empty unless they say otherwise.
    pub fn context(&self) -> Context {
        self.context_of(Call::new(self.invocation.clone()))
    }

    /// As [`Setup::context`], of a call that has an id, a deadline, a token or a listener. Who asks is the call's word.
    pub fn context_of(&self, call: Call) -> Context {
        let run = Run {
            binding: self.binding.clone(),
            state: self.options.state.for_run(),
            token: self.options.cancellation.child_token(),
            deadline: self.options.deadline,
            ..Run::default()
        };
        Context {
            arguments: Value::Null,
            call,
            run: Arc::new(run),
            number: 1,
            timeout: None,
            gathered: Gathering::default(),
            frame: Frame::default(),
        }
    }

    /// The invocation.
    pub fn invocation(&self) -> &Invocation {
        &self.invocation
    }

    /// Binds tools to a run.
    ///
    /// # Panics
    ///
    /// Where they cannot be bound.
    pub async fn bind(&self, tools: &Toolset) -> Registry {
        match tools.bind_with(self.binding.clone(), self.options.clone()).await {
            Ok(registry) => registry,
            Err(fault) => panic!("the tools do not bind: {fault}"),
        }
    }

    /// Binds tools, calls one, closes the run.
    ///
    /// # Panics
    ///
    /// Where the tools cannot be bound or closed, and where the call is interrupted.
    pub async fn call(&self, tools: &Toolset, name: &str, arguments: Value) -> Outcome {
        let registry = self.bind(tools).await;
        let outcome = match registry.execute(name, arguments, &self.invocation).await {
            Ok(outcome) => outcome,
            Err(interrupted) => panic!("`{name}` was interrupted: {interrupted}"),
        };
        if let Err(failed) = registry.close().await {
            panic!("{failed}");
        }
        outcome
    }
}

/// What [`assert_outcome!`] can compare an outcome with.
pub trait Expected {
    #[doc(hidden)]
    fn check(&self, outcome: &Outcome) -> Result<(), String>;
}

impl Expected for Value {
    fn check(&self, outcome: &Outcome) -> Result<(), String> {
        if !outcome.is_error() && outcome.value() == Some(self) {
            return Ok(());
        }
        Err(format!("expected the value {self}"))
    }
}

impl Expected for &str {
    fn check(&self, outcome: &Outcome) -> Result<(), String> {
        if !outcome.is_error() && outcome.text() == *self {
            return Ok(());
        }
        Err(format!("expected the text {self:?}"))
    }
}

impl Expected for Code {
    fn check(&self, outcome: &Outcome) -> Result<(), String> {
        if outcome.code() == Some(*self) {
            Ok(())
        } else {
            Err(format!("expected the error `{self}`"))
        }
    }
}

#[doc(hidden)]
#[track_caller]
pub fn check(outcome: &Outcome, expected: &dyn Expected, part: Option<&str>) {
    let came = match outcome.code() {
        Some(code) => format!("the error `{code}`: {}", outcome.text()),
        None => format!("success: {}", outcome.text()),
    };
    let original =
        outcome.error().map(|error| format!("\n  original: {error:?}")).unwrap_or_default();
    if let Err(wanted) = expected.check(outcome) {
        panic!("{wanted}\n  got {came}{original}");
    }
    if let Some(part) = part
        && !outcome.text().contains(part)
    {
        panic!("expected a text with {part:?}\n  got {came}{original}");
    }
}

/// Asserts what a call gave: a value, a text, or an error's code with a part of its text.
///
/// `assert_outcome!(outcome, json!({ "ok": true }))`, `assert_outcome!(outcome, "Renamed.")`,
/// `assert_outcome!(outcome, Code::ToolError, "no such board")`.
#[macro_export]
macro_rules! assert_outcome {
    ($outcome:expr, $expected:expr $(,)?) => {
        $crate::testing::check(&$outcome, &$expected, ::core::option::Option::None)
    };
    ($outcome:expr, $expected:expr, $part:expr $(,)?) => {
        $crate::testing::check(&$outcome, &$expected, ::core::option::Option::Some($part))
    };
}
