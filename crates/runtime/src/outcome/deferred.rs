//! A reference that is produced when somebody asks for it, once.

use crate::Error;
use crate::call::guard::Caught;
use std::pin::Pin;
use std::sync::Arc;
use tokio::sync::OnceCell;

type Producing = Pin<Box<dyn Future<Output = Result<String, Error>> + Send>>;

/// A reference that is produced later: see [`Artifact::deferred`](crate::Artifact::deferred). Clones share what was
/// produced.
#[derive(Clone)]
pub struct Deferred {
    inner: Arc<Inner>,
}

struct Inner {
    produce: Box<dyn Fn() -> Producing + Send + Sync>,
    uri: OnceCell<String>,
}

impl Deferred {
    pub(crate) fn new(produce: impl Fn() -> Producing + Send + Sync + 'static) -> Self {
        Self { inner: Arc::new(Inner { produce: Box::new(produce), uri: OnceCell::new() }) }
    }

    /// The URI, produced now where nobody has asked before.
    pub(crate) async fn uri(&self) -> Result<&str, Error> {
        let produce = || async {
            let produced = Caught::new(async { (self.inner.produce)().await }).await;
            produced.unwrap_or_else(|panic| Err(Error::Panic(panic)))
        };
        self.inner.uri.get_or_try_init(produce).await.map(String::as_str)
    }

    /// The URI, where it has been produced.
    pub(crate) fn known(&self) -> Option<&str> {
        self.inner.uri.get().map(String::as_str)
    }
}

/// Whether they are one and the same reference: what is not produced yet cannot be compared.
impl PartialEq for Deferred {
    fn eq(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.inner, &other.inner)
    }
}
