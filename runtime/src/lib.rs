//! Typed, validated tools for language models: what a user's binary links.

mod context;
mod error;
pub mod generated;
mod reply;
mod spec;
mod tool;
mod toolset;

pub use context::Context;
pub use error::Error;
pub use reply::Reply;
pub use spec::ToolSpec;
pub use tool::Tool;
pub use toolset::Toolset;
