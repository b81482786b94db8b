//! Waiting for a moment, wherever a call or a close runs: by the runtime's clock where it has one, else by a thread. A
//! deadline holds everywhere, and nothing panics for want of a clock.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::pin::Pin;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::task::{Context, Poll, Waker};
use std::time::Duration;
use tokio::runtime::Handle;
use tokio::time::{Instant, sleep_until};

/// Waits until a moment has come.
pub(crate) async fn reached(deadline: Instant) {
    if Handle::try_current().is_ok() {
        // Nothing but trying tells whether a runtime has its clock enabled; it panics at once where it has not.
        let by_runtime = catch_unwind(AssertUnwindSafe(|| Box::pin(sleep_until(deadline))));
        if let Ok(sleeping) = by_runtime {
            return sleeping.await;
        }
    }
    Alarm::at(deadline).await;
}

/// As [`reached`], from now. What no clock can tell never comes.
pub(crate) async fn passed(duration: Duration) {
    match Instant::now().checked_add(duration) {
        Some(deadline) => reached(deadline).await,
        None => std::future::pending().await,
    }
}

/// A thread that wakes whoever waits for it.
struct Alarm {
    shared: Arc<Shared>,
}

#[derive(Default)]
struct Shared {
    state: Mutex<State>,
    given_up: Condvar,
}

#[derive(Default)]
struct State {
    has_rung: bool,
    is_given_up: bool,
    waker: Option<Waker>,
}

impl Shared {
    // Nothing panics while the state is locked.
    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn ring_at(&self, deadline: Instant) {
        let mut state = self.state();
        while !state.is_given_up {
            let left = deadline.saturating_duration_since(Instant::now());
            if left.is_zero() {
                state.has_rung = true;
                let waker = state.waker.take();
                drop(state);
                if let Some(waker) = waker {
                    waker.wake();
                }
                return;
            }
            let waited = self.given_up.wait_timeout(state, left);
            state = waited.unwrap_or_else(PoisonError::into_inner).0;
        }
    }
}

impl Alarm {
    fn at(deadline: Instant) -> Self {
        let shared = Arc::new(Shared::default());
        let ringing = Arc::clone(&shared);
        let thread = std::thread::Builder::new().name("toolcast-clock".to_owned());
        if let Err(failure) = thread.spawn(move || ringing.ring_at(deadline)) {
            tracing::error!(%failure, "a deadline cannot be kept: there is no clock and no thread");
        }
        Self { shared }
    }
}

impl Future for Alarm {
    type Output = ();

    fn poll(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<()> {
        let mut state = self.shared.state();
        if state.has_rung {
            return Poll::Ready(());
        }
        state.waker = Some(cx.waker().clone());
        Poll::Pending
    }
}

impl Drop for Alarm {
    fn drop(&mut self) {
        self.shared.state().is_given_up = true;
        self.shared.given_up.notify_one();
    }
}
