//! Who is inside: calls enter while the gate is open; closing it turns newcomers away and waits until all have left.

use crate::sync::{Mutex, MutexGuard, PoisonError};
use std::future::poll_fn;
use std::task::{Poll, Waker};

#[derive(Default)]
pub(crate) struct Gate {
    door: Mutex<Door>,
}

#[derive(Default)]
struct Door {
    closed: bool,
    inside: usize,
    waiting: Vec<Waker>,
}

impl Gate {
    /// Goes in, unless the gate is closed.
    pub(crate) fn enter(&self) -> Option<Pass<'_>> {
        let mut door = self.door();
        if door.closed {
            return None;
        }
        door.inside += 1;
        Some(Pass { gate: self })
    }

    /// Closes the gate; true for the one caller that closed it.
    pub(crate) fn close(&self) -> bool {
        !std::mem::replace(&mut self.door().closed, true)
    }

    pub(crate) fn is_closed(&self) -> bool {
        self.door().closed
    }

    /// Waits until nobody is inside. Meant for a closed gate; an open one may fill again.
    pub(crate) async fn empty(&self) {
        poll_fn(|cx| {
            let mut door = self.door();
            if door.inside == 0 {
                return Poll::Ready(());
            }
            if !door.waiting.iter().any(|waker| waker.will_wake(cx.waker())) {
                door.waiting.push(cx.waker().clone());
            }
            Poll::Pending
        })
        .await;
    }

    // Nothing in here panics while the door is locked; a poisoned door is as good as another.
    fn door(&self) -> MutexGuard<'_, Door> {
        self.door.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// A place inside, given back when dropped.
pub(crate) struct Pass<'a> {
    gate: &'a Gate,
}

impl Drop for Pass<'_> {
    fn drop(&mut self) {
        let mut door = self.gate.door();
        door.inside -= 1;
        let woken = if door.inside == 0 { std::mem::take(&mut door.waiting) } else { Vec::new() };
        drop(door);
        woken.into_iter().for_each(Waker::wake);
    }
}
