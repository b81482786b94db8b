//! Which calls are being polled on this thread, outermost first: what a call within a call must know so as not to wait for
//! its own end.

use std::cell::RefCell;

/// One call that is being polled.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Frame {
    /// The places of its run and its tool: they outlive the call.
    pub run: usize,
    pub tool: usize,
    /// The ticket of the run's exclusive lock that it, or a call around it, holds.
    pub ticket: Option<u64>,
}

thread_local! {
    static FRAMES: RefCell<Vec<Frame>> = const { RefCell::new(Vec::new()) };
}

/// A call being polled, until dropped.
pub(crate) struct Entered;

impl Frame {
    /// Begins a poll of the call.
    #[inline]
    pub(crate) fn enter(self) -> Entered {
        FRAMES.with_borrow_mut(|frames| frames.push(self));
        Entered
    }
}

impl Drop for Entered {
    #[inline]
    fn drop(&mut self) {
        FRAMES.with_borrow_mut(Vec::pop);
    }
}

/// The ticket of a run's exclusive lock that a call around this place holds.
pub(crate) fn ticket(run: usize) -> Option<u64> {
    FRAMES.with_borrow(|frames| {
        let mut around = frames.iter().rev().filter(|frame| frame.run == run);
        around.find_map(|frame| frame.ticket)
    })
}

/// Whether this place is within a call of a tool.
pub(crate) fn is_within(tool: usize) -> bool {
    FRAMES.with_borrow(|frames| frames.iter().any(|frame| frame.tool == tool))
}
