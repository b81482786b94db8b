//! Where large results go. Names are made here; nothing that a tool or a model says becomes a path.

use crate::artifact::Artifact;
use crate::error::BoxError;
use std::pin::Pin;

/// A future of storing something.
pub type Storing<'a> = Pin<Box<dyn Future<Output = Result<String, BoxError>> + Send + 'a>>;

/// Keeps artifacts and says where they are.
pub trait ArtifactStore: Send + Sync {
    /// Keeps an artifact and gives the URI under which it is found.
    fn store<'a>(&'a self, artifact: &'a Artifact) -> Storing<'a>;
}
