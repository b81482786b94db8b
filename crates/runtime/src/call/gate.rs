//! Who is inside: calls enter while the gate is open; closing it turns newcomers away and waits until all have left.
//!
//! One number tells both whether the gate is closed and how many are inside, so that entering and leaving are one step
//! each. Only the last to leave a closed gate looks for who waits; who waits is on the list before looking at the number.

use crate::sync::{AtomicUsize, Mutex, MutexGuard, Ordering, PoisonError};
use std::future::poll_fn;
use std::task::{Poll, Waker};

/// The bit of a closed gate; whoever is inside counts for [`ONE`].
const CLOSED: usize = 1;
const ONE: usize = 2;

#[derive(Default)]
pub(crate) struct Gate {
    state: AtomicUsize,
    waiting: Mutex<Vec<Waker>>,
}

impl Gate {
    /// Goes in, unless the gate is closed.
    #[inline]
    pub(crate) fn enter(&self) -> Option<Pass<'_>> {
        let before = self.state.fetch_add(ONE, Ordering::SeqCst);
        // Whoever is turned away was inside for a moment, and leaves like everybody.
        let pass = Pass { gate: self };
        (before & CLOSED == 0).then_some(pass)
    }

    /// Closes the gate; true for the one caller that closed it.
    pub(crate) fn close(&self) -> bool {
        self.state.fetch_or(CLOSED, Ordering::SeqCst) & CLOSED == 0
    }

    /// Whether nobody is inside.
    pub(crate) fn is_empty(&self) -> bool {
        self.state.load(Ordering::SeqCst) < ONE
    }

    pub(crate) fn is_closed(&self) -> bool {
        self.state.load(Ordering::SeqCst) & CLOSED != 0
    }

    /// Waits until nobody is inside a closed gate.
    pub(crate) async fn empty(&self) {
        poll_fn(|cx| {
            let mut waiting = self.waiting();
            if !waiting.iter().any(|waker| waker.will_wake(cx.waker())) {
                waiting.push(cx.waker().clone());
            }
            if self.state.load(Ordering::SeqCst) < ONE { Poll::Ready(()) } else { Poll::Pending }
        })
        .await;
    }

    #[cold]
    fn last_has_left(&self) {
        let woken = std::mem::take(&mut *self.waiting());
        woken.into_iter().for_each(Waker::wake);
    }

    // Nothing in here panics while the list is locked; a poisoned list is as good as another.
    fn waiting(&self) -> MutexGuard<'_, Vec<Waker>> {
        self.waiting.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// A place inside, given back when dropped.
pub(crate) struct Pass<'a> {
    gate: &'a Gate,
}

impl Drop for Pass<'_> {
    #[inline]
    fn drop(&mut self) {
        if self.gate.state.fetch_sub(ONE, Ordering::SeqCst) == ONE | CLOSED {
            self.gate.last_has_left();
        }
    }
}
