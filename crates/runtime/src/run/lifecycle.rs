//! Releasing what a run built: once, in reverse order, on every path, whatever fails. What was begun is finished even
//! if nobody waits for it any more, and what could not be done is a failure that somebody hears of.

use crate::Error;
use crate::call::guard::{Caught, abandon};
use crate::call::interrupted::CleanupError;
use crate::outcome::error::{BoxError, Panic};
use crate::run::clock;
use std::fmt;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::pin::Pin;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;
use tokio::runtime::Handle;
use tokio_util::sync::CancellationToken;

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

/// How a release went, for whoever asks, wherever it was finished.
#[derive(Default)]
pub(crate) struct Released {
    failures: Mutex<Vec<BoxError>>,
    /// Cancelled once nothing is left to be released.
    done: CancellationToken,
}

impl Released {
    // Nothing panics while the failures are locked.
    fn failures(&self) -> MutexGuard<'_, Vec<BoxError>> {
        self.failures.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(crate) async fn wait(&self) {
        self.done.cancelled().await;
    }

    pub(crate) fn is_done(&self) -> bool {
        self.done.is_cancelled()
    }

    /// The failures that nobody has heard of.
    pub(crate) fn take(&self) -> Result<(), CleanupError> {
        let failures = std::mem::take(&mut *self.failures());
        if failures.is_empty() { Ok(()) } else { Err(CleanupError { failures }) }
    }

    /// Takes over what another release failed at.
    pub(crate) fn adopt(&self, other: &Self) {
        let failures = std::mem::take(&mut *other.failures());
        self.failures().extend(failures);
    }
}

impl Drop for Released {
    fn drop(&mut self) {
        if let Err(failed) = self.take() {
            // Nobody asked. A failure is the application's type, and may panic as it is shown.
            let told =
                AssertUnwindSafe(|| tracing::error!(error = %failed, "closing tools failed"));
            abandon(catch_unwind(told));
            abandon(failed);
        }
    }
}

/// What is still to be released, in the order in which it was built. Dropping it releases the rest, so that a run that
/// is forgotten, cancelled or shut down with its runtime misses none.
pub(crate) struct Remaining {
    closes: Vec<Owned>,
    patience: Duration,
    unattended: Unattended,
    /// Taken along by whoever releases.
    released: Option<Arc<Released>>,
}

/// A close, and whose it is: the tool of a number, or nobody's.
struct Owned {
    close: Close,
    owner: Option<usize>,
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
        let released = Some(Arc::default());
        Self { closes: Vec::new(), patience, unattended: Unattended::Nowhere, released }
    }

    /// How the release goes that this is for.
    pub(crate) fn released(&self) -> Arc<Released> {
        self.released.clone().unwrap_or_default()
    }

    /// Adds what was built, for nobody in particular or for a tool.
    pub(crate) fn extend<'a>(
        &mut self,
        owner: Option<usize>,
        closes: impl IntoIterator<Item = &'a Close>,
    ) {
        let owned = closes.into_iter().map(|close| Owned { close: Arc::clone(close), owner });
        self.closes.extend(owned);
    }

    /// Leaves to a tool only these of its closes: the others were never its own in this run.
    pub(crate) fn restrict(&mut self, owner: usize, to: &[Close]) {
        self.closes.retain(|owned| {
            owned.owner != Some(owner) || to.iter().any(|close| Arc::ptr_eq(close, &owned.close))
        });
    }

    /// Takes out some of the closes, for a tool that is released before its run.
    pub(crate) fn take(&mut self, closes: &[Close]) -> Self {
        let mut taken = Self::new(self.patience);
        for close in closes {
            let is_it = |owned: &Owned| Arc::ptr_eq(&owned.close, close);
            if let Some(place) = self.closes.iter().rposition(is_it) {
                taken.closes.push(self.closes.remove(place));
            }
        }
        taken
    }

    /// Takes out everything, and whoever waits for it.
    pub(crate) fn take_all(&mut self) -> Self {
        Self {
            closes: std::mem::take(&mut self.closes),
            patience: self.patience,
            unattended: self.unattended,
            released: self.released.take(),
        }
    }

    /// Releases everything, last built first. A panic and a close that takes longer than its patience are failures.
    pub(crate) async fn release(mut self) {
        while let Some(Owned { close, .. }) = self.closes.pop() {
            let mut one = One { released: self.released(), is_done: false };
            let failed = self.one(close).await.err();
            one.is_done = true;
            one.released.failures().extend(failed);
        }
    }

    /// As [`Remaining::release`], for somebody who waits.
    ///
    /// # Errors
    ///
    /// The first failure with the rest attached.
    pub(crate) async fn attended(self) -> Result<(), CleanupError> {
        let released = self.released();
        self.release().await;
        released.take()
    }

    async fn one(&self, close: Close) -> Result<(), BoxError> {
        let limit = self.patience;
        let mut closing = Caught::new(async move { close().await });
        let closed = tokio::select! {
            biased;
            closed = &mut closing => closed,
            () = clock::passed(limit) => {
                return Err(format!("a close took longer than {limit:?}").into());
            }
        };
        let failure = match closed {
            Ok(Ok(())) => return Ok(()),
            Ok(Err(Error::Panic(panic))) | Err(panic) => return Err(ClosePanicked(panic).into()),
            Ok(Err(failure)) => failure,
        };
        Err(match failure {
            Error::Caused { source, .. } | Error::Unexpected { source, .. } => source,
            Error::Cleanup(failures) => CleanupError { failures }.into(),
            other => other.to_string().into(),
        })
    }
}

/// A close that is running. Its runtime may end before it does.
struct One {
    released: Arc<Released>,
    is_done: bool,
}

impl Drop for One {
    fn drop(&mut self) {
        if !self.is_done {
            self.released.failures().push("a close was dropped with its runtime".into());
        }
    }
}

impl Drop for Remaining {
    fn drop(&mut self) {
        if self.closes.is_empty() {
            if let Some(released) = &self.released {
                released.done.cancel();
            }
            return;
        }
        let mut rest = self.take_all();
        match (self.unattended, Handle::try_current()) {
            // A runtime that shuts down drops the task at once, and the thread takes over.
            (Unattended::Nowhere, Ok(runtime)) => {
                rest.unattended = Unattended::Runtime;
                runtime.spawn(rest.release());
            }
            (Unattended::Nowhere | Unattended::Runtime, _) => {
                rest.unattended = Unattended::Thread;
                on_a_thread(rest);
            }
            // No task and no thread to be had: nothing can run them.
            (Unattended::Thread, _) => {
                let missed = format!("{} closes could not be run", rest.closes.len());
                rest.closes.clear();
                rest.released().failures().push(missed.into());
            }
        }
    }
}

fn on_a_thread(rest: Remaining) {
    let thread = std::thread::Builder::new().name("toolcast-close".to_owned());
    let releasing = thread.spawn(move || {
        if let Ok(runtime) = tokio::runtime::Builder::new_current_thread().enable_time().build() {
            runtime.block_on(rest.release());
        }
    });
    // Waiting keeps a program that ends from ending before its tools are released.
    if let Ok(releasing) = releasing {
        let _ = releasing.join();
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
