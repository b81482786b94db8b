//! A tool: a contract bound to the code that answers it.

use crate::generated::Decode;
use crate::{Context, Error, Reply, ToolSpec};
use std::pin::Pin;
use std::sync::Arc;

/// A boxed future of one call.
pub type CallFuture<'a, O> = Pin<Box<dyn Future<Output = Result<O, Error>> + Send + 'a>>;

/// A contract bound to the code that answers it. Cheap to clone.
#[derive(Clone)]
pub struct Tool {
    pub(crate) spec: &'static ToolSpec,
}

impl Tool {
    /// Binds a handler whose contract has an output schema. Generated code calls this.
    pub fn typed<H, I, O, F>(spec: &'static ToolSpec, handler: Arc<H>, call: F) -> Self
    where
        H: Send + Sync + 'static,
        I: Decode + Send + 'static,
        O: serde::Serialize + Send + 'static,
        F: for<'a> Fn(&'a H, I, &'a Context) -> CallFuture<'a, O> + Send + Sync + 'static,
    {
        let _ = (handler, call);
        Self { spec }
    }

    /// Binds a handler whose contract has no output schema: it answers with a [`Reply`]. Generated code calls this.
    pub fn replying<H, I, F>(spec: &'static ToolSpec, handler: Arc<H>, call: F) -> Self
    where
        H: Send + Sync + 'static,
        I: Decode + Send + 'static,
        F: for<'a> Fn(&'a H, I, &'a Context) -> CallFuture<'a, Reply> + Send + Sync + 'static,
    {
        let _ = (handler, call);
        Self { spec }
    }
}
