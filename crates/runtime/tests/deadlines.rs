//! Rules 2 and 3: cancellation, deadlines, progress, and exclusive tools.

mod support;

use serde_json::{Value, json};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;
use support::bind;
use toolcast::{
    Binding, Call, CancellationToken, Code, Context, Definition, Error, Instant, Interrupted,
    Invocation, Progress, Request, RunOptions, Tool, Toolset,
};

/// A tool that never answers by itself.
fn waiting(seconds: Option<f64>) -> Tool {
    let mut definition = Definition::new("wait", "Waits.");
    if let Some(seconds) = seconds {
        definition = definition.timeout_seconds(seconds);
    }
    let wait = |_: Value, _: &Context| std::future::pending::<Result<&str, Error>>();
    Tool::define_with(definition, move |input, ctx| Box::pin(wait(input, ctx))).unwrap()
}

#[tokio::test(start_paused = true)]
async fn a_contracts_own_timeout_is_a_tool_error() {
    let registry = bind([waiting(Some(2.0))]).await;
    let begun = Instant::now();
    let outcome = registry.execute("wait", json!({}), Invocation::new()).await.unwrap();
    assert_eq!(outcome.code(), Some(Code::Timeout));
    assert_eq!(outcome.text(), "`wait` took longer than its limit of 2 seconds");
    assert_eq!(begun.elapsed().as_secs(), 2);
}

#[tokio::test(start_paused = true)]
async fn the_earliest_deadline_wins_and_propagates() {
    let second = Duration::from_secs(1);
    for (run, call, ends_after) in [(5, 1, 1), (1, 5, 1), (5, 9, 5)] {
        let options = RunOptions::new().deadline(Instant::now() + run * second);
        let toolset = Toolset::of([waiting(Some(7.0))]);
        let registry = toolset.bind_with(Binding::new(), options).await.unwrap();
        let begun = Instant::now();
        let call = Call::default().timeout(call * second);
        let ended = registry.execute("wait", json!({}), call).await;
        assert!(matches!(ended, Err(Interrupted::DeadlineExceeded)));
        assert_eq!(begun.elapsed().as_secs(), ends_after);
    }
}

#[tokio::test]
async fn a_call_or_a_run_is_cancelled_at_its_next_await() {
    let run = CancellationToken::new();
    let options = RunOptions::new().cancellation(run.clone());
    let registry = Toolset::of([waiting(None)]).bind_with(Binding::new(), options).await.unwrap();
    let call = CancellationToken::new();
    for (asked, token) in
        [(Call::default().cancellation(call.clone()), call), (Call::default(), run)]
    {
        let (ended, ()) = tokio::join!(registry.execute("wait", json!({}), asked), async {
            tokio::task::yield_now().await;
            token.cancel();
        });
        assert!(matches!(ended, Err(Interrupted::Cancelled)));
    }
}

#[tokio::test]
async fn a_call_that_comes_cancelled_or_late_never_runs() {
    let ran = Arc::new(AtomicUsize::new(0));
    let counted = Arc::clone(&ran);
    let tool = Tool::define(Definition::new("count", "Counts."), move |_: Value| {
        counted.fetch_add(1, Ordering::Relaxed);
        "ran"
    });
    let registry = bind([tool.unwrap()]).await;
    let token = CancellationToken::new();
    token.cancel();
    let cancelled = registry.execute("count", json!({}), Call::default().cancellation(token)).await;
    assert!(matches!(cancelled, Err(Interrupted::Cancelled)));
    let late = registry.execute("count", json!({}), Call::default().deadline(Instant::now())).await;
    assert!(matches!(late, Err(Interrupted::DeadlineExceeded)));
    assert_eq!(ran.load(Ordering::Relaxed), 0);
}

#[tokio::test]
async fn loops_that_never_await_ask() {
    let token = CancellationToken::new();
    let cancelling = token.clone();
    let tool = Tool::define(Definition::new("loop", "Loops."), move |_: Value, ctx: &Context| {
        for step in 0.. {
            if step == 100 {
                cancelling.cancel();
            }
            ctx.check()?;
        }
        Ok::<_, Error>("never")
    });
    let registry = bind([tool.unwrap()]).await;
    let ended = registry.execute("loop", json!({}), Call::default().cancellation(token)).await;
    assert!(matches!(ended, Err(Interrupted::Cancelled)));
}

#[tokio::test]
async fn blocking_work_blocks_nobody_and_learns_of_the_end() {
    let learned = Arc::new(Mutex::new(None));
    let told = Arc::clone(&learned);
    let tool = Tool::define_with(Definition::new("block", "Blocks."), move |_: Value, ctx| {
        let told = Arc::clone(&told);
        Box::pin(async move {
            let token = ctx.cancellation().clone();
            ctx.blocking(move || {
                let begun = std::time::Instant::now();
                while !token.is_cancelled() && begun.elapsed() < Duration::from_secs(10) {
                    std::thread::sleep(Duration::from_millis(1));
                }
                *told.lock().unwrap() = Some(token.is_cancelled());
            })
            .await;
            Ok("done")
        })
    });
    let registry = bind([tool.unwrap()]).await;
    let call = Call::default().timeout(Duration::from_millis(20));
    let ended = registry.execute("block", json!({}), call).await;
    assert!(matches!(ended, Err(Interrupted::DeadlineExceeded)));
    for _ in 0..500 {
        if learned.lock().unwrap().is_some() {
            break;
        }
        tokio::time::sleep(Duration::from_millis(2)).await;
    }
    assert_eq!(*learned.lock().unwrap(), Some(true));
}

#[tokio::test]
async fn a_panic_of_blocking_work_is_the_calls() {
    let tool = Tool::define_with(Definition::new("block", "Blocks."), |_: Value, ctx| {
        Box::pin(async move {
            ctx.blocking(|| panic!("disk on fire")).await;
            Ok("never")
        })
    });
    let registry = bind([tool.unwrap()]).await;
    let outcome = registry.execute("block", json!({}), Invocation::new()).await.unwrap();
    assert_eq!(outcome.text(), "panic");
    assert!(matches!(outcome.error(), Some(Error::Panic(said)) if said == "disk on fire"));
}

#[tokio::test]
async fn progress_only_grows() {
    let tool = Tool::define(Definition::new("work", "Works."), |_: Value, ctx: &Context| {
        for value in [1.0, 2.0, 2.0, 1.0, f64::NAN, 3.0] {
            ctx.progress(Progress::new(value).total(3.0));
        }
        "done"
    });
    let registry = bind([tool.unwrap()]).await;
    let heard = Arc::new(Mutex::new(Vec::new()));
    let hearing = Arc::clone(&heard);
    let call =
        Call::default().on_progress(move |progress| hearing.lock().unwrap().push(progress.value));
    registry.execute("work", json!({}), call).await.unwrap();
    assert_eq!(*heard.lock().unwrap(), [1.0, 2.0, 3.0]);
}

#[tokio::test]
async fn remaining_time_never_exceeds_what_was_asked_for() {
    let tool = Tool::define(Definition::new("time", "Tells."), |_: Value, ctx: &Context| {
        let longest = Duration::from_secs(60);
        json!([
            ctx.remaining_time(longest) <= Duration::from_secs(5),
            ctx.remaining_time(Duration::from_secs(1)).as_secs(),
        ])
    });
    let registry = bind([tool.unwrap()]).await;
    let call = Call::default().timeout(Duration::from_secs(5));
    let outcome = registry.execute("time", json!({}), call).await.unwrap();
    assert_eq!(outcome.value(), Some(&json!([true, 1])));
}

/// Counts how many calls are inside at once.
#[derive(Clone, Default)]
struct Inside {
    now: Arc<AtomicUsize>,
    most: Arc<AtomicUsize>,
}

impl Inside {
    fn tool(&self, name: &str, exclusive: bool) -> Tool {
        let definition = Definition::new(name, "Stays a while.");
        let definition = if exclusive { definition.exclusive() } else { definition };
        let inside = self.clone();
        let stay = move |_: Value| {
            let inside = inside.clone();
            async move {
                let now = inside.now.fetch_add(1, Ordering::SeqCst) + 1;
                inside.most.fetch_max(now, Ordering::SeqCst);
                tokio::time::sleep(Duration::from_millis(5)).await;
                inside.now.fetch_sub(1, Ordering::SeqCst);
                "left"
            }
        };
        Tool::define(definition, stay).unwrap()
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn exclusive_tools_never_overlap_each_other_and_others_proceed() {
    let (exclusive, shared) = (Inside::default(), Inside::default());
    let registry = bind([
        exclusive.tool("write", true),
        exclusive.tool("rename", true),
        shared.tool("read", false),
    ])
    .await;
    let names = ["write", "read", "rename", "read", "write", "read"];
    let requests = names.map(|name| Request::new(name, json!({}), Invocation::new()));
    let outcomes = registry.execute_all(requests, 6).await;
    assert!(outcomes.iter().all(|outcome| !outcome.as_ref().unwrap().is_error()));
    assert_eq!(exclusive.most.load(Ordering::SeqCst), 1);
    assert!(shared.most.load(Ordering::SeqCst) > 1);
}

#[tokio::test(start_paused = true)]
async fn waiting_for_the_lock_can_be_cancelled_and_a_panic_releases_it() {
    let definition = |name| Definition::new(name, "Waits alone.").exclusive();
    let hold = Tool::define(definition("hold"), |_: Value| async {
        tokio::time::sleep(Duration::from_secs(3)).await;
        "held"
    });
    let panics = Tool::define(definition("panic"), |_: Value| -> &str { panic!("inside") });
    let registry = bind([hold.unwrap(), panics.unwrap()]).await;
    let soon = || Call::default().timeout(Duration::from_secs(1));
    let (held, given_up) = tokio::join!(
        registry.execute("hold", json!({}), Invocation::new()),
        registry.execute("hold", json!({}), soon()),
    );
    assert!(!held.unwrap().is_error());
    assert!(matches!(given_up, Err(Interrupted::DeadlineExceeded)));
    registry.execute("panic", json!({}), Invocation::new()).await.unwrap();
    let outcome = registry.execute("hold", json!({}), Call::default()).await.unwrap();
    assert!(!outcome.is_error(), "the lock is free after a panic");
}

#[tokio::test]
async fn a_batch_keeps_order_and_its_limit() {
    let inside = Inside::default();
    let registry = bind([inside.tool("stay", false)]).await;
    let requests = (0..20).map(|number| {
        let name = if number == 7 { "gone" } else { "stay" };
        Request::new(name, json!({}), Call::default().id(number.to_string()))
    });
    let outcomes = registry.execute_all(requests, 3).await;
    assert_eq!(outcomes.len(), 20);
    for (number, outcome) in outcomes.iter().enumerate() {
        let outcome = outcome.as_ref().unwrap();
        assert_eq!(outcome.is_error(), number == 7);
        if number != 7 {
            assert_eq!(outcome.call_id(), Some(&*number.to_string()));
        }
    }
    assert!(inside.most.load(Ordering::SeqCst) <= 3);
}

#[tokio::test]
async fn a_run_may_make_so_many_calls() {
    let tool = Tool::define(Definition::new("do", "Does."), |_: Value| "done").unwrap();
    let options = RunOptions::new().max_calls(2);
    let registry = Toolset::of([tool]).bind_with(Binding::new(), options).await.unwrap();
    let mut codes = Vec::new();
    for _ in 0..3 {
        let outcome = registry.execute("do", json!({}), Invocation::new()).await.unwrap();
        codes.push(outcome.code());
    }
    assert_eq!(codes, [None, None, Some(Code::CallLimit)]);
    assert_eq!(registry.calls(), 3);
}
