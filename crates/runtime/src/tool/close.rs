//! A handler's type that says itself how it is released.

use crate::outcome::error::Error;
use crate::tool::Tool;
use crate::tool::toolset::Toolset;
use std::sync::Arc;

/// A type that owns what its tools work with, and releases it when their run ends: see [`Toolset::closed_by`].
///
/// ```
/// use toolcast::{Close, Error, Toolset};
///
/// #[derive(Clone)]
/// struct HelpDesk; // a connection, a temporary folder, ...
///
/// impl Close for HelpDesk {
///     async fn close(&self) -> Result<(), Error> {
///         Ok(())
///     }
/// }
/// # fn toolset(_: HelpDesk) -> Toolset { Toolset::new() }
///
/// // A help desk for each run, released with it.
/// let tools = Toolset::provider(|_| {
///     let desk = HelpDesk;
///     toolset(desk.clone()).closed_by(desk)
/// });
/// ```
#[diagnostic::on_unimplemented(
    message = "`{Self}` does not say how it is released",
    label = "has no `close`",
    note = "implement `toolcast::Close` for it, or give a closure to `on_close`"
)]
pub trait Close: Send + Sync + 'static {
    /// Releases what the value owns. It is called once for every run that has the tools.
    ///
    /// # Errors
    ///
    /// Why that failed: it reaches whoever closes the run.
    fn close(&self) -> impl Future<Output = Result<(), Error>> + Send;
}

impl<T: Close> Close for Arc<T> {
    fn close(&self) -> impl Future<Output = Result<(), Error>> + Send {
        T::close(self)
    }
}

impl Toolset {
    /// As [`Toolset::on_close`], where the owner of what is to be released says how.
    pub fn closed_by(self, owner: impl Close) -> Self {
        let owner = Arc::new(owner);
        self.on_close(move || {
            let owner = Arc::clone(&owner);
            async move { owner.close().await }
        })
    }
}

impl Tool {
    /// As [`Tool::on_close`], where the owner of what is to be released says how.
    pub fn closed_by(self, owner: impl Close) -> Self {
        let owner = Arc::new(owner);
        self.on_close(move || {
            let owner = Arc::clone(&owner);
            async move { owner.close().await }
        })
    }
}
