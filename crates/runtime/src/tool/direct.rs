//! A tool without a registry: called alone, and asked what it holds.

use crate::call::execute;
use crate::call::interrupted::Interrupted;
use crate::run::limits;
use crate::run::registry::Registry;
use crate::tool::Tool;
use crate::tool::specification::Specification;
use crate::{BindError, Binding, Call, Outcome, RunOptions};
use serde_json::Value;
use std::time::Duration;
use toolcast_contract::Annotations;

impl Tool {
    /// Calls the tool in a run of its own, without collaborators: validation, decoding, the call and all else as in
    /// [`Registry::execute`]. For tests, and for whoever brings a registry of their own.
    ///
    /// Availability is not asked, and what [`Tool::on_close`] declares is not run: the tool's run is whoever calls.
    ///
    /// ```
    /// # use serde_json::{Value, json};
    /// # use toolcast::{Definition, Invocation, Tool};
    /// # tokio::runtime::Builder::new_current_thread().enable_time().build()?.block_on(async {
    /// let tool = Tool::define(Definition::new("ping", "Answers."), |_: Value| "pong")?;
    /// let outcome = tool.execute(json!({}), Invocation::new()).await?;
    /// assert_eq!(outcome.text(), "pong");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// # })?;
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    ///
    /// [`Interrupted`]: cancellation and deadlines of the call.
    pub fn execute(
        &self,
        arguments: Value,
        call: impl Into<Call>,
    ) -> impl Future<Output = Result<Outcome, Interrupted>> + Send + 'static {
        self.execute_with(arguments, call, Binding::new(), RunOptions::new())
    }

    /// As [`Tool::execute`], with collaborators and what else the application says of a run.
    ///
    /// # Errors
    ///
    /// As [`Tool::execute`], and cancellation and deadline of the options.
    pub fn execute_with(
        &self,
        mut arguments: Value,
        call: impl Into<Call>,
        binding: Binding,
        options: RunOptions,
    ) -> impl Future<Output = Result<Outcome, Interrupted>> + Send + 'static {
        let (tool, call) = (self.clone(), call.into());
        let name = self.name().to_owned();
        // Before the first await: a future that is dropped unpolled must not drop a deep value recursively.
        let too_large = limits::cap(&mut arguments, &options.limits).err();
        let registry = Registry::of_one(tool, binding, options);
        async move { execute::execute(&registry, &name, arguments, too_large, call).await }
    }

    /// The name by which the contract calls the tool, whatever it was renamed to.
    pub fn declared_name(&self) -> &str {
        &self.inner.definition.name
    }

    /// The title that a person sees.
    pub fn title(&self) -> Option<&str> {
        self.inner.definition.title.as_deref()
    }

    /// What the model reads.
    pub fn description(&self) -> &str {
        &self.inner.definition.description
    }

    /// MCP's hints.
    pub fn annotations(&self) -> &Annotations {
        &self.inner.definition.annotations
    }

    /// Whether calls take the run-wide exclusive lock.
    pub fn is_exclusive(&self) -> bool {
        self.inner.definition.exclusive
    }

    /// How long one call may take by the contract.
    pub fn timeout(&self) -> Option<Duration> {
        self.inner.definition.timeout()
    }

    /// Whether small mistakes are mended, where that was said of this tool: see [`Tool::lenient`].
    pub fn leniency(&self) -> Option<bool> {
        self.inner.lenient
    }

    /// The members that are left out of the arguments: see [`Tool::ignore_members`].
    pub fn ignored_members(&self) -> &[String] {
        &self.inner.ignored
    }

    /// What models and clients are shown of the tool, its schemas included.
    ///
    /// # Errors
    ///
    /// [`BindError::Contract`] where the contract's own text is not JSON, which generated code's always is.
    pub fn specification(&self) -> Result<Specification, BindError> {
        let fault = |message| BindError::Contract { name: self.name().to_owned(), message };
        self.inner.definition.specification(self.name()).map_err(fault)
    }
}
