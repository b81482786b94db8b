//! Releasing what a run built: once, in reverse order, on every path, whatever fails. What was begun is finished even
//! if nobody waits for it any more.

use crate::Error;
use crate::call::interrupted::CleanupError;
use crate::outcome::error::{BoxError, Panic};
use std::fmt;
use std::future::poll_fn;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::pin::Pin;
use std::sync::Arc;
use std::task::Poll;
use std::time::Duration;
use tokio::runtime::Handle;

type Closing = Pin<Box<dyn Future<Output = Result<(), Error>> + Send>>;

/// How something is released, as it was declared: each run that builds the thing runs it once.
pub(crate) type Close = Arc<dyn Fn() -> Closing + Send + Sync>;

pub(crate) fn declared<F, R>(close: F) -> Close
where
    F: Fn() -> R + Send + Sync + 'static,
    R: Future<Output = Result<(), Error>> + Send + 'static,
{
    Arc::new(move || Box::pin(close()))
}

/// What is still to be released, in the order in which it was built. Dropping it releases the rest, so that a run that
/// is forgotten, cancelled or shut down with its runtime misses none.
pub(crate) struct Remaining {
    closes: Vec<Close>,
    patience: Duration,
    unattended: Unattended,
}

/// Where a dropped remainder was last handed to.
#[derive(Clone, Copy, PartialEq)]
enum Unattended {
    Nowhere,
    Runtime,
    Thread,
}

impl Remaining {
    pub(crate) fn new(patience: Duration) -> Self {
        Self { closes: Vec::new(), patience, unattended: Unattended::Nowhere }
    }

    pub(crate) fn extend<'a>(&mut self, closes: impl IntoIterator<Item = &'a Close>) {
        self.closes.extend(closes.into_iter().map(Arc::clone));
    }

    /// Takes out some of the closes, for a tool that is released before its run.
    pub(crate) fn take(&mut self, closes: &[Close]) -> Self {
        let mut taken = Self::new(self.patience);
        for close in closes {
            if let Some(place) = self.closes.iter().rposition(|other| Arc::ptr_eq(other, close)) {
                taken.closes.push(self.closes.remove(place));
            }
        }
        taken
    }

    /// Takes out everything.
    pub(crate) fn take_all(&mut self) -> Self {
        let closes = std::mem::take(&mut self.closes);
        Self { closes, ..Self::new(self.patience) }
    }

    /// Releases everything, last built first.
    ///
    /// # Errors
    ///
    /// The first failure with the rest attached; a panic and a close that takes longer than its patience are failures.
    pub(crate) async fn release(mut self) -> Result<(), CleanupError> {
        let mut failures = Vec::new();
        while let Some(close) = self.closes.pop() {
            if let Err(failure) = self.one(close).await {
                failures.push(failure);
            }
        }
        if failures.is_empty() { Ok(()) } else { Err(CleanupError { failures }) }
    }

    async fn one(&self, close: Close) -> Result<(), BoxError> {
        let limit = self.patience;
        let closing = uninterrupted(close);
        // A thread without a runtime has no clock either; there a close takes as long as it takes.
        let closed = match Handle::try_current() {
            Ok(_) => match tokio::time::timeout(limit, closing).await {
                Ok(closed) => closed,
                Err(_) => return Err(format!("a close took longer than {limit:?}").into()),
            },
            Err(_) => closing.await,
        };
        closed.map_err(|failure| match failure {
            Error::Caused { source, .. } | Error::Unexpected { source, .. } => source,
            Error::Panic(panic) => ClosePanicked(panic).into(),
            Error::Cleanup(failures) => CleanupError { failures }.into(),
            other => other.to_string().into(),
        })
    }
}

impl Drop for Remaining {
    fn drop(&mut self) {
        if self.closes.is_empty() {
            return;
        }
        let mut rest = self.take_all();
        match (self.unattended, Handle::try_current()) {
            // A runtime that shuts down drops the task at once, and the thread takes over.
            (Unattended::Nowhere, Ok(runtime)) => {
                rest.unattended = Unattended::Runtime;
                runtime.spawn(async move { report(rest.release().await) });
            }
            (Unattended::Nowhere | Unattended::Runtime, _) => {
                rest.unattended = Unattended::Thread;
                on_a_thread(rest);
            }
            // No task and no thread to be had: nothing can run them.
            (Unattended::Thread, _) => {
                tracing::error!(missed = rest.closes.len(), "closing tools was not possible");
                rest.closes.clear();
            }
        }
    }
}

fn on_a_thread(rest: Remaining) {
    let thread = std::thread::Builder::new().name("toolcast-close".to_owned());
    let releasing = thread.spawn(move || {
        if let Ok(runtime) = tokio::runtime::Builder::new_current_thread().enable_time().build() {
            report(runtime.block_on(rest.release()));
        }
    });
    // Waiting keeps a program that ends from ending before its tools are released.
    if let Ok(releasing) = releasing {
        let _ = releasing.join();
    }
}

fn report(released: Result<(), CleanupError>) {
    if let Err(failed) = released {
        tracing::error!(error = %failed, "closing tools failed");
    }
}

/// A close panicked. Its source is the [`Panic`], with the payload.
#[derive(Debug)]
struct ClosePanicked(Panic);

impl fmt::Display for ClosePanicked {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "a close panicked: {}", self.0)
    }
}

impl std::error::Error for ClosePanicked {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        Some(&self.0)
    }
}

/// Runs a close to its end and turns its panic into a failure.
async fn uninterrupted(close: Close) -> Result<(), Error> {
    let started = catch_unwind(AssertUnwindSafe(|| close()));
    let mut closing = started.map_err(|panic| Error::Panic(Panic::new(panic)))?;
    poll_fn(|cx| match catch_unwind(AssertUnwindSafe(|| closing.as_mut().poll(cx))) {
        Ok(polled) => polled,
        Err(panic) => Poll::Ready(Err(Error::Panic(Panic::new(panic)))),
    })
    .await
}
