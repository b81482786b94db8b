//! Running somebody else's future: its panics are caught, and it is dropped at its next await point once the call is
//! cancelled or out of time.

use crate::context::Context;
use crate::execute::Given;
use crate::tool::Answer;
use std::any::Any;
use std::future::{pending, poll_fn};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::pin::{Pin, pin};
use std::task::{self, Poll};
use tokio::time::{Instant, sleep_until};

/// How a guarded future ended.
pub(crate) enum End<T> {
    Done(T),
    Panicked(Box<dyn Any + Send>),
    Cancelled,
    DeadlineExceeded,
    /// The contract's own timeout.
    TimedOut,
}

/// A handler's future, whose panics are caught while it runs and while it is dropped.
pub(crate) struct Guarded<'a> {
    answer: Option<Answer<'a>>,
}

impl<'a> Guarded<'a> {
    pub(crate) fn new(answer: Answer<'a>) -> Self {
        Self { answer: Some(answer) }
    }

    fn poll(&mut self, cx: &mut task::Context<'_>) -> Poll<End<Given>> {
        let Some(answer) = &mut self.answer else { return Poll::Pending };
        match catch_unwind(AssertUnwindSafe(|| answer.as_mut().poll(cx))) {
            Ok(Poll::Ready(given)) => Poll::Ready(End::Done(given)),
            Ok(Poll::Pending) => Poll::Pending,
            Err(panic) => Poll::Ready(End::Panicked(panic)),
        }
    }
}

impl Drop for Guarded<'_> {
    fn drop(&mut self) {
        let answer = self.answer.take();
        // The call has ended already; a panic of what it leaves behind changes no answer.
        let _ = catch_unwind(AssertUnwindSafe(|| drop(answer)));
    }
}

/// Runs a handler's future to its end, or to the call's.
pub(crate) async fn guard(ctx: &Context, mut guarded: Guarded<'_>) -> End<Given> {
    // Most handlers are ready soon; tokens and clocks are asked only once one is not.
    let mut ending: Option<Pin<Box<dyn Future<Output = End<Given>> + Send + '_>>> = None;
    poll_fn(|cx| {
        if let Poll::Ready(end) = guarded.poll(cx) {
            return Poll::Ready(end);
        }
        ending.get_or_insert_with(|| Box::pin(ends(ctx))).as_mut().poll(cx)
    })
    .await
}

/// Waits for something of our own, or for the call's end.
pub(crate) async fn until<F: Future>(ctx: &Context, future: F) -> End<F::Output> {
    let mut future = pin!(future);
    let first = poll_fn(|cx| Poll::Ready(future.as_mut().poll(cx))).await;
    if let Poll::Ready(done) = first {
        return End::Done(done);
    }
    tokio::select! {
        biased;
        done = future => End::Done(done),
        end = ends(ctx) => end,
    }
}

/// Waits for whatever ends a call from outside: cancellation, then the earliest deadline.
async fn ends<T>(ctx: &Context) -> End<T> {
    let interruption = ctx.interruption_deadline();
    let own = ctx.timeout.filter(|own| interruption.is_none_or(|other| *own < other));
    let caller = async {
        match &ctx.call.cancellation {
            Some(token) => token.cancelled().await,
            None => pending().await,
        }
    };
    tokio::select! {
        biased;
        () = ctx.run.token.cancelled() => End::Cancelled,
        () = caller => End::Cancelled,
        () = reached(own.or(interruption)) => {
            if own.is_some() { End::TimedOut } else { End::DeadlineExceeded }
        }
    }
}

async fn reached(deadline: Option<Instant>) {
    match deadline {
        Some(deadline) => sleep_until(deadline).await,
        None => pending().await,
    }
}
