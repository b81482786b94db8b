//! Typed, validated tools for language models: what a user's binary links.
//!
//! A tool's contract is a JSON Schema file that is checked in. `toolcast-codegen` turns it into a typed input, a
//! specification and a handler trait at build time; this crate runs the calls. Each call is validated against the very
//! schema that models are shown, and a handler never sees anything else.
//!
//! # A tool, from contract to answer
//!
//! `schemas/ticket_status.json`:
//!
//! ```json
//! {
//!   "description": "Look up a support ticket's status.",
//!   "type": "object",
//!   "properties": { "ticket_id": { "type": "string", "description": "Ticket number, for example SUP-481." } },
//!   "required": ["ticket_id"],
//!   "additionalProperties": false
//! }
//! ```
//!
//! With a build script of one line, `toolcast_codegen::Build::new("schemas").compile()`, and
//! `mod tools { toolcast::include_tools!(); }` in the program, what is left to write is the handler:
//!
//! ```
//! # mod tools {
//! #     pub mod ticket_status {
//! #         use ::toolcast::generated::v1::*;
//! #         pub const SPEC: ToolSpec = ToolSpec::new("ticket_status", "Look up a support ticket's status.")
//! #             .input(r#"{"type":"object","properties":{"ticket_id":{"type":"string"}},"required":["ticket_id"],"additionalProperties":false}"#);
//! #         #[derive(Clone, Debug, PartialEq)]
//! #         pub struct Input { pub ticket_id: String }
//! #         object!(Input { ticket_id });
//! #         pub trait Handler: Send + Sync + 'static {
//! #             fn call(&self, input: Input, ctx: &Context) -> impl Future<Output = Result<Reply, Error>> + Send;
//! #         }
//! #         pub fn tool<H: Handler>(handler: Arc<H>) -> Tool {
//! #             Tool::replying(&SPEC, handler, |handler, input, ctx| Box::pin(handler.call(input, ctx)))
//! #         }
//! #     }
//! #     pub fn toolset<H: ticket_status::Handler>(handlers: H) -> ::toolcast::Toolset {
//! #         ::toolcast::Toolset::of([ticket_status::tool(::std::sync::Arc::new(handlers))])
//! #     }
//! # }
//! use serde_json::json;
//! use std::collections::HashMap;
//! use toolcast::{Binding, Code, Context, Error, Invocation, Reply};
//!
//! struct HelpDesk {
//!     tickets: HashMap<String, String>,
//! }
//!
//! impl tools::ticket_status::Handler for HelpDesk {
//!     async fn call(&self, input: tools::ticket_status::Input, _ctx: &Context) -> Result<Reply, Error> {
//!         let status = self.tickets.get(&input.ticket_id);
//!         let status = status.ok_or_else(|| Error::tool("there is no such ticket"))?;
//!         Ok(json!({ "ticket_id": input.ticket_id, "status": status }).into())
//!     }
//! }
//!
//! # tokio::runtime::Builder::new_current_thread().enable_time().build()?.block_on(async {
//! let tickets = HashMap::from([("SUP-481".to_owned(), "waiting_on_customer".to_owned())]);
//! let toolset = tools::toolset(HelpDesk { tickets }); // once, for the life of the program
//!
//! let registry = toolset.bind(Binding::new()).await?; // for each run of an agent
//! let outcome = registry
//!     .execute("ticket_status", json!({ "ticket_id": "SUP-481" }), Invocation::new())
//!     .await?;
//! assert_eq!(outcome.text(), r#"{"ticket_id":"SUP-481","status":"waiting_on_customer"}"#);
//!
//! // A model that errs reads all that is wrong, and what to do.
//! let outcome = registry
//!     .execute("ticket_status", json!({ "ticket_idd": 7 }), Invocation::new())
//!     .await?;
//! assert_eq!(outcome.code(), Some(Code::InvalidInput));
//! assert_eq!(
//!     outcome.text(),
//!     "Invalid arguments for `ticket_status`: 2 faults.\n\
//!      - /ticket_id: missing; expected a string\n\
//!      - /ticket_idd: unknown property; did you mean `ticket_id`?"
//! );
//! registry.close().await?;
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! # })?;
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # What is told to whom
//!
//! | what happened | the model reads | the application gets |
//! |---|---|---|
//! | arguments miss the contract | every fault: where, what was expected, what came | [`Outcome::faults`] |
//! | the handler returned [`Error::tool`] | its text | the error, with its cause |
//! | any other error, with `?` | the name of its type | the error itself, [`Outcome::error`] |
//! | a panic | `panic` | what it said |
//! | the result misses the contract | that it does | what is wrong with it |
//! | the contract's `timeoutSeconds` passed | that it did | [`Code::Timeout`] |
//! | cancellation, a deadline of the call or the run, a failed cleanup | nothing | [`Interrupted`] |
//!
//! # Whom to trust
//!
//! Four sources meet in a call, with four accessors. The handler's `input` and [`Context::arguments`] are the model's: the
//! schema checked their shape, nobody their right. [`Context::invocation`] is the application's word about the
//! authenticated caller, and the only source to authorise by. [`Context::state`] is the run's working memory, writable by
//! every tool and perhaps restored from a session: check before trusting. [`Context::binding`] holds the run's
//! collaborators. So an order is looked up by the number that the model gave, within the account that the application
//! vouches for; and one of another account reads as one that does not exist:
//!
//! ```
//! # use toolcast::{Context, Error};
//! # struct Orders;
//! # impl Orders { fn of_account(&self, _: &str, _: &str) -> Option<String> { None } }
//! async fn order_status(orders: &Orders, order_number: &str, ctx: &Context) -> Result<String, Error> {
//!     let account = ctx.invocation().require_text("account_id")?;
//!     orders.of_account(account, order_number).ok_or_else(|| Error::tool("there is no such order"))
//! }
//! ```
//!
//! # Runs
//!
//! A [`Toolset`] is declared once. [`Toolset::bind`] gives the [`Registry`] of one run: availability is asked
//! ([`Toolset::available_if`]), instances are made ([`Toolset::provider`]), and names are checked. [`Registry::close`]
//! releases what was made ([`Toolset::on_close`]), once, in reverse order, on every path. Tools whose contract says
//! `exclusive` never overlap each other within a run. A tool that calls other tools of its run reaches them through
//! [`Context::registry`], which does not hold the run alive.
//!
//! # Features
//!
//! None is on by default. `testing` gives `toolcast::testing`, aids for tests. A command line over a program's tools is
//! a crate of its own, `toolcast-serve`.
//!
//! [`Context::blocking`] and [`Registry::execute_all`] need a tokio runtime. Deadlines hold on any executor: by tokio's clock
//! where it is enabled, else by a thread that waits.

mod call;
pub mod generated;
mod outcome;
mod run;
mod schema;
mod sync;
mod tool;

#[cfg(feature = "testing")]
pub mod testing;

pub use call::batch::Request;
pub use call::context::Context;
pub use call::interrupted::{CleanupError, Interrupted};
pub use call::invocation::Invocation;
pub use call::{Call, Progress};
pub use outcome::artifact::{Artifact, ArtifactBody};
pub use outcome::artifact_store::{ArtifactStore, Storing};
pub use outcome::content::{Content, Media, ResourceLink};
pub use outcome::deferred::Deferred;
pub use outcome::error::{BoxError, Error, Panic};
pub use outcome::folder_store::FolderStore;
pub use outcome::reply::{Parts, Reply};
pub use outcome::{Code, Outcome};
pub use run::bind_error::BindError;
pub use run::binding::{Binding, NotBound};
pub use run::limits::Limits;
pub use run::registry::Registry;
pub use run::run_options::RunOptions;
pub use run::state::State;
pub use schema::explain::{Fault, TextLimits};
pub use schema::repair::Repair;
pub use tool::close::Close;
pub use tool::definition::{Definition, DefinitionBuilder, DefinitionError};
pub use tool::dynamic::{ClosureHandler, Fallible, IntoDefinition, IntoHandler, IntoReply, Plain};
pub use tool::load::LoadError;
pub use tool::spec::ToolSpec;
pub use tool::specification::Specification;
pub use tool::toolset::{IntoToolset, Toolset};
pub use tool::{CallFuture, Tool};

#[doc(inline)]
pub use toolcast_contract::Annotations;

#[doc(no_inline)]
pub use serde_json::{Map, Value};
#[doc(no_inline)]
pub use tokio::time::Instant;
#[doc(no_inline)]
pub use tokio_util::sync::CancellationToken;

/// Includes the bindings that the build script generated: `mod tools { toolcast::include_tools!(); }`.
///
/// Needs `toolcast_codegen::Build` in `build.rs`.
#[macro_export]
macro_rules! include_tools {
    () => {
        ::core::include!(::core::concat!(::core::env!("OUT_DIR"), "/toolcast/mod.rs"));
    };
}
