//! Where artifacts and large results go, and what a call owes its store: whatever one call stored is committed if the call
//! succeeds, and discarded on every other path.

use crate::call::guard::abandon;
use crate::outcome::artifact::Artifact;
use crate::outcome::error::{BoxError, Panic};
use std::io::ErrorKind;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::pin::Pin;

/// A future of storing something: the URI under which it is found.
pub type Storing<'a> = Pin<Box<dyn Future<Output = Result<String, BoxError>> + Send + 'a>>;

/// Keeps artifacts and says where they are.
///
/// A store runs within its call: the call's deadlines and its cancellation end it at its next await point, and its panics
/// are failures to store. A failure is told to the application; the model learns that the result could not be stored, and
/// that there is no room for it where the failure is (or stands on) an [`std::io::Error`] of the kind `StorageFull`,
/// `QuotaExceeded` or `FileTooLarge`.
pub trait ArtifactStore: Send + Sync {
    /// Keeps an artifact of bytes and gives the URI under which it is found. It must leave nothing behind where the
    /// future is dropped before it is done.
    fn store<'a>(&'a self, artifact: &'a Artifact) -> Storing<'a>;

    /// The call succeeded that stored under a URI: what it stored is to stay. Called once for every URI that
    /// [`ArtifactStore::store`] gave, unless [`ArtifactStore::discard`] is; it must return soon.
    ///
    /// # Errors
    ///
    /// Where it cannot stay. The call fails then, and everything it stored is discarded.
    fn commit(&self, uri: &str) -> Result<(), BoxError> {
        let _ = uri;
        Ok(())
    }

    /// The call failed or was cancelled that stored under a URI: nobody will ever ask for it on that call's account. It
    /// must return soon.
    fn discard(&self, uri: &str) {
        let _ = uri;
    }
}

/// What one call has stored so far. Dropping it discards all.
pub(crate) struct Stored<'a> {
    store: &'a dyn ArtifactStore,
    uris: Vec<String>,
}

impl<'a> Stored<'a> {
    pub(crate) fn new(store: &'a dyn ArtifactStore) -> Self {
        Self { store, uris: Vec::new() }
    }

    /// Stores one artifact.
    pub(crate) async fn store(&mut self, artifact: &Artifact) -> Result<String, BoxError> {
        let uri = self.store.store(artifact).await?;
        self.uris.push(uri.clone());
        Ok(uri)
    }

    /// The call succeeded: everything stays, or nothing does.
    pub(crate) fn commit(mut self) -> Result<(), BoxError> {
        for uri in &self.uris {
            let committed = catch_unwind(AssertUnwindSafe(|| self.store.commit(uri)));
            committed.unwrap_or_else(|panic| Err(Panic::new(panic).into()))?;
        }
        self.uris.clear();
        Ok(())
    }
}

impl Drop for Stored<'_> {
    fn drop(&mut self) {
        for uri in self.uris.drain(..).rev() {
            if let Err(panic) = catch_unwind(AssertUnwindSafe(|| self.store.discard(&uri))) {
                tracing::error!("an artifact store panicked as it discarded an artifact");
                abandon(panic);
            }
        }
    }
}

/// Whether a store has no room, or none for so much, by the error it gave.
pub(crate) fn room(failure: &BoxError) -> Option<&'static str> {
    let mut below: Option<&(dyn std::error::Error + 'static)> = Some(&**failure);
    for _ in 0..32 {
        let error = below?;
        match error.downcast_ref::<std::io::Error>().map(std::io::Error::kind) {
            Some(ErrorKind::FileTooLarge) => return Some("it is too large for the store"),
            Some(ErrorKind::StorageFull | ErrorKind::QuotaExceeded) => {
                return Some("the store is full");
            }
            _ => below = error.source(),
        }
    }
    None
}
