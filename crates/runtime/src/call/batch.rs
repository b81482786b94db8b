//! Several calls at once: as many side by side as allowed, answers in the order of the calls.

use crate::Outcome;
use crate::call::Call;
use crate::call::execute;
use crate::call::interrupted::Interrupted;
use crate::run::limits;
use crate::run::registry::Registry;
use crate::schema::explain::wording;
use serde_json::Value;
use std::collections::VecDeque;
use std::fmt;
use std::sync::Arc;
use tokio::task::JoinSet;

/// One call of a batch.
pub struct Request {
    name: String,
    arguments: Value,
    call: Call,
}

impl Request {
    /// A call of a tool.
    pub fn new(name: impl Into<String>, arguments: Value, call: impl Into<Call>) -> Self {
        Self { name: name.into(), arguments, call: call.into() }
    }
}

/// Names the tool and who asks, and shows no argument.
impl fmt::Debug for Request {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Request")
            .field("name", &wording::shortened(&self.name, 64))
            .field("call", &self.call)
            .finish_non_exhaustive()
    }
}

impl Registry {
    /// Makes several calls, at most `limit` at a time (at least one), and gives their answers in the order of the
    /// calls. Exclusive tools still run one after another.
    ///
    /// Needs a tokio runtime; the calls run on its threads. Dropping the future cancels them.
    pub async fn execute_all(
        &self,
        requests: impl IntoIterator<Item = Request>,
        limit: usize,
    ) -> Vec<Result<Outcome, Interrupted>> {
        // Measured before the first await: what is dropped early must not be a deep value.
        let measured = requests.into_iter().map(|Request { name, mut arguments, call }| {
            let too_large = limits::cap(&mut arguments, &self.inner.options.limits).err();
            (name, arguments, too_large, call)
        });
        let mut waiting: VecDeque<_> = measured.enumerate().collect();
        let mut answers: Vec<_> =
            std::iter::repeat_with(|| Err(Interrupted::Cancelled)).take(waiting.len()).collect();
        let mut running = JoinSet::new();
        loop {
            while running.len() < limit.max(1)
                && let Some((position, (name, arguments, too_large, call))) = waiting.pop_front()
            {
                // A call that is made from within an exclusive one says so, on whatever thread it runs.
                let registry = Registry { inner: Arc::clone(&self.inner), within: self.within() };
                running.spawn(async move {
                    let answer = execute::execute(&registry, &name, arguments, too_large, call);
                    (position, answer.await)
                });
            }
            match running.join_next().await {
                Some(Ok((position, answer))) => answers[position] = answer,
                // Calls do not panic; the runtime is shutting down, and the answer stays `Cancelled`.
                Some(Err(_)) => {}
                None => return answers,
            }
        }
    }
}
