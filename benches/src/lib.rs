//! Three real-looking tools, each as generated code would bind it and as serde's derive would read it.

pub mod medium;
pub mod nested;
pub mod small;

use serde_json::Value;
use std::task::{Context, Poll, Waker};
use toolcast::{CallFuture, Reply};

/// One tool to measure: its binding, its arguments, and what reads them without Toolcast.
pub struct Case {
    /// What it is called in reports.
    pub name: &'static str,
    /// The tool.
    pub tool: toolcast::Tool,
    /// Arguments that its contract accepts.
    pub arguments: Value,
}

/// All three cases.
pub fn cases() -> [Case; 3] {
    [small::case(), medium::case(), nested::case()]
}

/// What each handler does: nothing, in the box that a generated trait's method returns.
pub fn handle() -> CallFuture<'static, Reply> {
    Box::pin(async { Ok(Reply::from(())) })
}

/// Runs a future that never waits.
///
/// # Panics
///
/// Where it waits all the same.
pub fn now<F: Future>(future: F) -> F::Output {
    let mut future = std::pin::pin!(future);
    match future.as_mut().poll(&mut Context::from_waker(Waker::noop())) {
        Poll::Ready(output) => output,
        Poll::Pending => panic!("a benchmark's future waits for nothing"),
    }
}
