//! Running somebody else's future: its panics are caught, and it is dropped at its next await point once the call is
//! cancelled or out of time.

use crate::call::context::Context;
use crate::call::nesting::Frame;
use crate::outcome::error::Panic;
use crate::run::clock;
use crate::tool::{Answer, Answered, Handle};
use std::any::Any;
use std::future::{pending, poll_fn};
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::pin::{Pin, pin};
use std::task::{self, Poll};
use tokio::time::Instant;

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
pub(crate) enum Begun<F, T> {
    Ready(T),
    Pending(F),
}

/// Polls a future for the first time. A panic goes on, but not before the future is dropped: what panics while it is
/// dropped by a panic would abort the process.
pub(crate) fn first_poll<F: Future + Unpin>(
    mut future: F,
    cx: &mut task::Context<'_>,
) -> Begun<F, F::Output> {
    match catch_unwind(AssertUnwindSafe(|| Pin::new(&mut future).poll(cx))) {
        Ok(Poll::Pending) => Begun::Pending(future),
        Ok(Poll::Ready(output)) => {
            abandon(future);
            Begun::Ready(output)
        }
        Err(panic) => {
            abandon(future);
            resume_unwind(panic)
        }
    }
}

/// Drops what a call leaves behind. The call has ended already; a panic in here changes no answer.
pub(crate) fn abandon<T>(rest: T) {
    let dropped = catch_unwind(AssertUnwindSafe(|| drop(rest)));
    if let Err(panic) = dropped
        && let Err(again) = catch_unwind(AssertUnwindSafe(|| drop(panic)))
    {
        // A payload whose own end panics, and panics again, is left where it is.
        std::mem::forget(again);
    }
}

/// The rest of a call, whose panics are caught while it runs and while it is dropped.
struct Guarded<'a> {
    answer: Option<Answer<'a>>,
}

impl Guarded<'_> {
    fn poll(
        &mut self,
        frame: Frame,
        cx: &mut task::Context<'_>,
        answered: &mut Answered,
    ) -> Poll<End<()>> {
        let Some(answer) = &mut self.answer else { return Poll::Pending };
        let _entered = frame.enter();
        match catch_unwind(AssertUnwindSafe(|| answer.as_mut().poll(cx))) {
            Ok(Poll::Ready(gave)) => {
                answered.put(gave);
                Poll::Ready(End::Done(()))
            }
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

/// Somebody else's future, whose panics are caught while it runs and while it is dropped.
pub(crate) struct Caught<'a, T> {
    future: Option<Pin<Box<dyn Future<Output = T> + Send + 'a>>>,
}

impl<'a, T> Caught<'a, T> {
    pub(crate) fn new(future: impl Future<Output = T> + Send + 'a) -> Self {
        Self { future: Some(Box::pin(future)) }
    }
}

impl<T> Future for Caught<'_, T> {
    type Output = Result<T, Panic>;

    fn poll(mut self: Pin<&mut Self>, cx: &mut task::Context<'_>) -> Poll<Self::Output> {
        let Some(future) = &mut self.future else { return Poll::Pending };
        let polled = match catch_unwind(AssertUnwindSafe(|| future.as_mut().poll(cx))) {
            Ok(Poll::Pending) => return Poll::Pending,
            Ok(Poll::Ready(output)) => Ok(output),
            Err(panic) => Err(panic),
        };
        // What it leaves behind is still its own: a panic there is a panic of the future.
        let rest = self.future.take();
        let dropped = catch_unwind(AssertUnwindSafe(|| drop(rest)));
        Poll::Ready(polled.and_then(|output| dropped.map(|()| output)).map_err(Panic::new))
    }
}

impl<T> Drop for Caught<'_, T> {
    fn drop(&mut self) {
        abandon(self.future.take());
    }
}

/// Runs a handler to its end, or to the call's. What it gave stands in `answered` once it is done.
pub(crate) async fn guard(ctx: &Context, handler: &dyn Handle, answered: &mut Answered) -> End<()> {
    // Most handlers are ready at once; tokens and clocks are asked only where one is not.
    let begun = poll_fn(|cx| {
        let _entered = ctx.frame.enter();
        Poll::Ready(catch_unwind(AssertUnwindSafe(|| handler.call(ctx, cx, &mut *answered))))
    });
    match begun.await {
        Ok(None) => End::Done(()),
        Ok(answer) => Box::pin(finish(ctx, Guarded { answer }, answered)).await,
        Err(panic) => End::Panicked(panic),
    }
}

/// Waits for the rest of a call, or for the call's end.
async fn finish(ctx: &Context, mut rest: Guarded<'_>, answered: &mut Answered) -> End<()> {
    let mut ending = pin!(ends(ctx));
    // It has just been polled.
    let mut woken = false;
    poll_fn(|cx| {
        if std::mem::replace(&mut woken, true)
            && let Poll::Ready(end) = rest.poll(ctx.frame, cx, answered)
        {
            return Poll::Ready(end);
        }
        ending.as_mut().poll(cx)
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
        Some(deadline) => clock::reached(deadline).await,
        None => pending().await,
    }
}
