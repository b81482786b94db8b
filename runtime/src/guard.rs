//! Running somebody else's future: its panics are caught, and it is dropped at its next await point once the call is
//! cancelled or out of time.

use crate::context::Context;
use crate::tool::{Answer, Given, Handle};
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

/// A future that has been polled once. Most handlers are ready then, and cost no further box.
pub(crate) enum Begun<'a, T> {
    Ready(T),
    Pending(Pin<Box<dyn Future<Output = T> + Send + 'a>>),
    Panicked(Box<dyn Any + Send>),
}

impl<'a, T> Begun<'a, T> {
    /// Polls a future for the first time.
    pub(crate) fn new(
        mut future: Pin<Box<dyn Future<Output = T> + Send + 'a>>,
        cx: &mut task::Context<'_>,
    ) -> Self {
        let polled = catch_unwind(AssertUnwindSafe(|| future.as_mut().poll(cx)));
        let begun = match polled {
            Ok(Poll::Pending) => return Self::Pending(future),
            Ok(Poll::Ready(given)) => Self::Ready(given),
            Err(panic) => Self::Panicked(panic),
        };
        abandon(future);
        begun
    }

    /// Changes what the future gives.
    pub(crate) fn map<U>(self, change: impl FnOnce(T) -> U + Send + 'a) -> Begun<'a, U>
    where
        T: 'a,
        U: 'a,
    {
        match self {
            Self::Ready(given) => Begun::Ready(change(given)),
            Self::Pending(future) => Begun::Pending(Box::pin(async move { change(future.await) })),
            Self::Panicked(panic) => Begun::Panicked(panic),
        }
    }
}

/// Drops what a call leaves behind. The call has ended already; a panic in here changes no answer.
fn abandon<T>(rest: T) {
    let _ = catch_unwind(AssertUnwindSafe(|| drop(rest)));
}

/// A handler's future, whose panics are caught while it runs and while it is dropped.
struct Guarded<'a> {
    answer: Option<Answer<'a>>,
}

impl<'a> Guarded<'a> {
    /// Calls the handler: what it gave where it is ready at once.
    fn start(
        ctx: &'a Context,
        handler: &'a dyn Handle,
        cx: &mut task::Context<'_>,
    ) -> Result<Self, End<Given>> {
        match catch_unwind(AssertUnwindSafe(|| handler.call(ctx, cx))) {
            Ok(Ok(Begun::Ready(given))) => Err(End::Done(given)),
            Ok(Ok(Begun::Pending(answer))) => Ok(Self { answer: Some(answer) }),
            Ok(Ok(Begun::Panicked(panic))) | Err(panic) => Err(End::Panicked(panic)),
            Ok(Err(failed)) => Err(End::Done(Err(failed))),
        }
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
        abandon(self.answer.take());
    }
}

/// Runs a handler to its end, or to the call's.
pub(crate) async fn guard(ctx: &Context, handler: &dyn Handle) -> End<Given> {
    let mut guarded: Option<Guarded<'_>> = None;
    // Most handlers are ready soon; tokens and clocks are asked only once one is not.
    let mut ending: Option<Pin<Box<dyn Future<Output = End<Given>> + Send + '_>>> = None;
    poll_fn(|cx| {
        match &mut guarded {
            Some(guarded) => {
                if let Poll::Ready(end) = guarded.poll(cx) {
                    return Poll::Ready(end);
                }
            }
            None => match Guarded::start(ctx, handler, cx) {
                Ok(waits) => guarded = Some(waits),
                Err(end) => return Poll::Ready(end),
            },
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
