//! Typed, validated tools for language models: what a user's binary links.

mod artifact;
mod artifact_store;
mod batch;
mod binding;
mod call;
mod content;
mod context;
mod definition;
mod dynamic;
mod error;
mod exclusive;
mod execute;
mod explain;
mod gate;
pub mod generated;
mod guard;
mod interrupted;
mod invocation;
mod lifecycle;
mod limits;
mod load;
mod normalise;
mod outcome;
mod registry;
mod repair;
mod reply;
mod schema;
mod spec;
mod specification;
mod state;
mod sync;
mod tool;
mod toolset;

#[cfg(feature = "cli")]
pub mod cli;
#[cfg(feature = "testing")]
pub mod testing;

pub use artifact::{Artifact, ArtifactBody};
pub use artifact_store::{ArtifactStore, FolderStore, Storing};
pub use batch::Request;
pub use binding::{Binding, NotBound};
pub use call::{Call, Progress};
pub use content::{Content, Media, ResourceLink};
pub use context::Context;
pub use definition::{Definition, DefinitionBuilder, DefinitionError};
pub use dynamic::{ClosureHandler, Fallible, IntoDefinition, IntoHandler, IntoReply, Plain};
pub use error::{BoxError, Error};
pub use explain::{Fault, TextLimits};
pub use interrupted::{CleanupError, Interrupted};
pub use invocation::Invocation;
pub use limits::Limits;
pub use load::LoadError;
pub use outcome::{Code, Outcome};
pub use registry::{BindError, Registry, RunOptions};
pub use repair::Repair;
pub use reply::{Parts, Reply};
pub use spec::ToolSpec;
pub use specification::Specification;
pub use state::State;
pub use tool::{CallFuture, Tool};
pub use toolset::{IntoToolset, Toolset};

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
