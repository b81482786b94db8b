//! The run-wide lock of exclusive tools: first come, first served; a waiter that gives up leaves no trace; a holder
//! that panics or is dropped releases.
//!
//! Ownership is handed over, never raced for: releasing names the next owner, so nobody overtakes.

use crate::sync::{Mutex, MutexGuard, PoisonError};
use std::collections::VecDeque;
use std::future::Future;
use std::pin::Pin;
use std::task::{Context, Poll, Waker};

#[derive(Default)]
pub(crate) struct Exclusive {
    line: Mutex<Line>,
}

#[derive(Default)]
struct Line {
    /// The ticket that holds the lock.
    owner: Option<u64>,
    /// Those who wait, in order of arrival.
    waiting: VecDeque<(u64, Waker)>,
    next_ticket: u64,
}

impl Line {
    /// Hands the lock to the first in line. The waker is woken by the caller, outside of the line's own lock.
    fn hand_over(&mut self) -> Option<Waker> {
        let (ticket, waker) = self.waiting.pop_front().unzip();
        self.owner = ticket;
        waker
    }
}

impl Exclusive {
    /// Waits for the lock. Dropping the future gives up the place in line.
    pub(crate) fn acquire(&self) -> Acquire<'_> {
        Acquire { lock: self, ticket: None }
    }

    /// Whether the lock is held under a ticket right now.
    pub(crate) fn is_held_under(&self, ticket: u64) -> bool {
        self.line().owner == Some(ticket)
    }

    // Nothing in here panics while the line is locked; a poisoned line is as good as another.
    fn line(&self) -> MutexGuard<'_, Line> {
        self.line.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn release(&self) {
        let next = self.line().hand_over();
        if let Some(waker) = next {
            waker.wake();
        }
    }
}

pub(crate) struct Acquire<'a> {
    lock: &'a Exclusive,
    ticket: Option<u64>,
}

impl<'a> Future for Acquire<'a> {
    type Output = Held<'a>;

    fn poll(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Held<'a>> {
        let lock = self.lock;
        let mut line = lock.line();
        let ticket = *self.ticket.get_or_insert_with(|| {
            line.next_ticket += 1;
            line.next_ticket
        });
        if line.owner.is_none() && line.waiting.is_empty() {
            line.owner = Some(ticket);
        }
        if line.owner == Some(ticket) {
            drop(line);
            self.ticket = None;
            return Poll::Ready(Held { lock, ticket });
        }
        match line.waiting.iter_mut().find(|(waiting, _)| *waiting == ticket) {
            Some((_, waker)) => waker.clone_from(cx.waker()),
            None => line.waiting.push_back((ticket, cx.waker().clone())),
        }
        Poll::Pending
    }
}

impl Drop for Acquire<'_> {
    fn drop(&mut self) {
        let Some(ticket) = self.ticket else { return };
        let mut line = self.lock.line();
        if line.owner == Some(ticket) {
            // Named the owner, but given up before it heard of it.
            drop(line);
            self.lock.release();
        } else {
            line.waiting.retain(|(waiting, _)| *waiting != ticket);
        }
    }
}

/// The lock, held until dropped.
pub(crate) struct Held<'a> {
    lock: &'a Exclusive,
    ticket: u64,
}

impl Held<'_> {
    /// What this hold is known by; no other ever has the number.
    pub(crate) fn ticket(&self) -> u64 {
        self.ticket
    }
}

impl Drop for Held<'_> {
    fn drop(&mut self) {
        self.lock.release();
    }
}
