//! How a run ends, and what is released before its end: nothing is lost without somebody hearing of it, and nothing is
//! released that the run never had, or that a call still works on.

mod support;

use serde_json::{Value, json};
use std::sync::{Arc, Mutex};
use std::time::Duration;
use support::bind;
use toolcast::{
    Binding, Call, Code, Context, Definition, Error, Interrupted, Invocation, Registry, RunOptions,
    Tool, Toolset,
};

/// What was closed, in order.
#[derive(Clone, Default)]
struct Log(Arc<Mutex<Vec<String>>>);

impl Log {
    fn add(&self, what: &str) {
        self.0.lock().unwrap().push(what.to_owned());
    }

    fn seen(&self) -> Vec<String> {
        self.0.lock().unwrap().clone()
    }

    fn tool(&self, name: &str) -> Tool {
        self.closing(named(name), name)
    }

    fn closing(&self, tool: Tool, what: &str) -> Tool {
        let (log, what) = (self.clone(), what.to_owned());
        tool.on_close(move || {
            log.add(&what);
            async { Ok(()) }
        })
    }

    fn toolset(&self, toolset: Toolset, what: &str) -> Toolset {
        let (log, what) = (self.clone(), what.to_owned());
        toolset.on_close(move || {
            log.add(&what);
            async { Ok(()) }
        })
    }
}

fn named(name: &str) -> Tool {
    Tool::define(Definition::new(name, "Does nothing."), |_: Value| "done").unwrap()
}

fn clockless() -> tokio::runtime::Runtime {
    tokio::runtime::Builder::new_current_thread().build().unwrap()
}

#[test]
fn a_runtime_without_a_clock_loses_no_close() {
    let log = Log::default();
    let fails = named("fails").on_close(|| async { Err(Error::tool("stuck")) });
    let hangs = named("hangs").on_close(std::future::pending);
    let toolset = Toolset::of([log.tool("first"), fails, hangs, log.tool("last")]);
    let options = RunOptions::new().close_timeout(Duration::from_millis(30));
    let closed = clockless().block_on(async {
        let registry = toolset.bind_with(Binding::new(), options).await.unwrap();
        registry.close().await
    });
    assert_eq!(log.seen(), ["last", "first"]);
    let failed = closed.unwrap_err();
    let failures: Vec<String> = failed.failures().iter().map(ToString::to_string).collect();
    assert_eq!(failures, ["a close took longer than 30ms", "stuck"]);
}

#[test]
fn deadlines_hold_without_a_clock_and_without_a_runtime() {
    let waits = || {
        let definition = Definition::new("wait", "Waits.").timeout_seconds(0.03);
        Tool::define(definition, |_: Value| std::future::pending::<&str>()).unwrap()
    };
    let asked =
        async move |call: Call| bind([waits()]).await.execute("wait", json!({}), call).await;
    let outcome = clockless().block_on(asked(Call::default())).unwrap();
    assert_eq!(outcome.code(), Some(Code::Timeout));
    let soon = Call::default().timeout(Duration::from_millis(5));
    let ended = block_on(asked(soon));
    assert!(matches!(ended, Err(Interrupted::DeadlineExceeded)));
}

/// Polls a future on this thread, without any runtime.
fn block_on<F: Future>(future: F) -> F::Output {
    struct Unpark(std::thread::Thread);
    impl std::task::Wake for Unpark {
        fn wake(self: Arc<Self>) {
            self.0.unpark();
        }
    }
    let waker = Arc::new(Unpark(std::thread::current())).into();
    let mut future = std::pin::pin!(future);
    loop {
        let mut cx = std::task::Context::from_waker(&waker);
        if let std::task::Poll::Ready(output) = future.as_mut().poll(&mut cx) {
            return output;
        }
        std::thread::park();
    }
}

#[tokio::test]
async fn a_close_that_panics_as_it_is_dropped_is_a_failure_and_stops_no_other() {
    struct Bomb;
    impl Drop for Bomb {
        fn drop(&mut self) {
            panic!("dropped badly");
        }
    }
    let log = Log::default();
    let bad = named("bad").on_close(|| {
        let bomb = Bomb;
        async move {
            // Held until the future itself is dropped.
            let _held = &bomb;
            Ok(())
        }
    });
    let registry = bind([log.tool("first"), bad, log.tool("last")]).await;
    let failed = registry.close().await.unwrap_err();
    assert_eq!(failed.to_string(), "closing failed: a close panicked: dropped badly");
    assert_eq!(log.seen(), ["last", "first"]);
}

#[tokio::test]
async fn a_failure_is_told_to_whoever_waits_to_the_end() {
    let fails = named("fails").on_close(|| async {
        tokio::time::sleep(Duration::from_millis(20)).await;
        Err(Error::tool("stuck"))
    });
    let registry = bind([fails]).await;
    let impatient = tokio::time::timeout(Duration::from_millis(1), registry.close()).await;
    assert!(impatient.is_err());
    assert_eq!(registry.close().await.unwrap_err().to_string(), "closing failed: stuck");
    registry.close().await.unwrap();
}

#[test]
fn a_close_that_ends_with_its_runtime_is_a_failure() {
    let waits = named("waits").on_close(std::future::pending);
    let log = Log::default();
    let runtime = tokio::runtime::Builder::new_current_thread().enable_time().build().unwrap();
    let registry = runtime.block_on(async {
        let registry = bind([log.tool("first"), waits]).await;
        let closing = tokio::time::timeout(Duration::from_millis(10), registry.close()).await;
        assert!(closing.is_err());
        registry
    });
    drop(runtime);
    assert_eq!(log.seen(), ["first"], "the rest is released by a thread");
    let failed = clockless().block_on(registry.close()).unwrap_err();
    assert_eq!(failed.to_string(), "closing failed: a close was dropped with its runtime");
}

#[test]
fn a_close_that_is_given_up_without_a_runtime_waits_for_running_calls() {
    let log = Log::default();
    let waits =
        Tool::define(Definition::new("wait", "."), |_: Value| std::future::pending::<&str>());
    let registry = block_on(bind([log.tool("first"), waits.unwrap()]));
    let mut call = Box::pin(registry.execute("wait", json!({}), Invocation::new()));
    let mut cx = std::task::Context::from_waker(std::task::Waker::noop());
    assert!(call.as_mut().poll(&mut cx).is_pending());
    let mut closing = Box::pin(registry.close());
    assert!(closing.as_mut().poll(&mut cx).is_pending());
    drop(closing);
    std::thread::sleep(Duration::from_millis(20));
    assert!(log.seen().is_empty(), "a call is still inside");
    drop(call);
    block_on(registry.close()).unwrap();
    assert_eq!(log.seen(), ["first"]);
}

#[tokio::test]
async fn only_what_the_run_has_is_closed() {
    let log = Log::default();
    let replaced = log.tool("replacement");
    let toolset = log
        .toolset(
            Toolset::of([
                log.tool("stays"),
                log.tool("filtered"),
                log.tool("barred"),
                log.tool("old"),
            ])
            .filter(|name| name != "filtered")
            .configure("barred", |tool| tool.available_if(|_| false))
            .configure("old", move |_| replaced.clone()),
            "component",
        )
        .merge(log.toolset(Toolset::of([log.tool("a")]).available_if(|_| false), "absent"))
        .merge(log.toolset(Toolset::of([log.tool("b").available_if(|_| false)]), "empty"))
        .merge(log.toolset(Toolset::of([log.tool("c")]).filter(|_| false), "emptied"));
    let registry = toolset.bind(Binding::new()).await.unwrap();
    assert_eq!(registry.names(), ["stays", "replacement"]);
    registry.close().await.unwrap();
    assert_eq!(log.seen(), ["component", "replacement", "stays"]);
}

#[tokio::test]
async fn what_a_provider_made_is_closed_even_if_nothing_of_it_is_listed() {
    let log = Log::default();
    let making = log.clone();
    let toolset =
        Toolset::provider(move |_| making.toolset(Toolset::of([making.tool("made")]), "instance"));
    let registry = toolset.filter(|_| false).bind(Binding::new()).await.unwrap();
    registry.close().await.unwrap();
    assert_eq!(log.seen(), ["instance", "made"]);
}

#[tokio::test]
async fn a_provider_that_panics_fails_the_binding() {
    let log = Log::default();
    let made = log.clone();
    let toolset = Toolset::provider(move |_| made.tool("made"))
        .merge(Toolset::provider(|_| -> Tool { panic!("no database") }));
    let failed = toolset.bind(Binding::new()).await.unwrap_err();
    assert!(failed.to_string().starts_with("a provider of tools failed: panic"), "{failed}");
    assert_eq!(log.seen(), ["made"]);
}

/// A tool that waits to be told, then answers with its version.
fn waiting(version: &'static str, go: &Arc<tokio::sync::Notify>) -> Tool {
    let go = Arc::clone(go);
    Tool::define(Definition::new("tool", "Waits."), move |_: Value| {
        let go = Arc::clone(&go);
        async move {
            go.notified().await;
            version
        }
    })
    .unwrap()
}

#[tokio::test]
async fn a_replaced_tool_is_released_when_the_last_call_has_left_it() {
    let (log, go) = (Log::default(), Arc::new(tokio::sync::Notify::new()));
    let registry = bind([log.closing(waiting("old", &go), "old")]).await;
    let calling = registry.clone();
    let call =
        tokio::spawn(async move { calling.execute("tool", json!({}), Invocation::new()).await });
    tokio::task::yield_now().await;
    let replacing = registry.clone();
    let replaced = tokio::spawn(async move { replacing.replace(named("tool")).await });
    for _ in 0..20 {
        tokio::task::yield_now().await;
    }
    assert!(log.seen().is_empty(), "a call still works on it");
    let next = registry.execute("tool", json!({}), Invocation::new()).await.unwrap();
    assert_eq!(next.text(), "done", "the successor answers already");
    go.notify_one();
    assert_eq!(call.await.unwrap().unwrap().text(), "old");
    replaced.await.unwrap().unwrap();
    assert_eq!(log.seen(), ["old"]);
    registry.close().await.unwrap();
    assert_eq!(log.seen(), ["old"], "once");
}

#[tokio::test]
async fn a_replacing_that_is_given_up_and_a_close_release_all_the_same() {
    let (log, go) = (Log::default(), Arc::new(tokio::sync::Notify::new()));
    let old = waiting("old", &go).on_close(|| async { Err(Error::tool("old is stuck")) });
    let registry = bind([log.tool("other"), log.closing(old, "old")]).await;
    let calling = registry.clone();
    let call =
        tokio::spawn(async move { calling.execute("tool", json!({}), Invocation::new()).await });
    tokio::task::yield_now().await;
    let given_up =
        tokio::time::timeout(Duration::from_millis(5), registry.replace(log.tool("tool")));
    assert!(given_up.await.is_err());
    assert!(log.seen().is_empty());
    let failed = registry.close().await.unwrap_err();
    assert_eq!(failed.to_string(), "closing failed: old is stuck");
    assert!(matches!(call.await.unwrap(), Err(Interrupted::Cancelled)));
    assert_eq!(log.seen(), ["old", "tool", "other"]);
}

#[tokio::test]
async fn a_tool_may_replace_itself() {
    let log = Log::default();
    let noting = log.clone();
    let old =
        Tool::define_with(Definition::new("tool", "Replaces itself."), move |_: Value, ctx| {
            let log = noting.clone();
            Box::pin(async move {
                let registry = ctx.registry().unwrap();
                registry
                    .replace(log.tool("tool"))
                    .await
                    .map_err(|fault| Error::tool(fault.to_string()))?;
                assert!(log.seen().is_empty(), "not under its own call");
                Ok("replaced")
            })
        });
    let registry = bind([log.closing(old.unwrap(), "old")]).await;
    let soon = Duration::from_secs(10);
    let first = registry.execute("tool", json!({}), Invocation::new());
    let first = tokio::time::timeout(soon, first).await.expect("it does not wait for itself");
    assert_eq!(first.unwrap().text(), "replaced");
    registry.close().await.unwrap();
    assert_eq!(log.seen(), ["old", "tool"]);
}

#[tokio::test]
async fn a_successor_that_is_not_available_is_not_listed() {
    let log = Log::default();
    let registry = bind([log.tool("tool")]).await;
    registry.replace(log.tool("tool").available_if(|_| false)).await.unwrap();
    assert_eq!(log.seen(), ["tool"], "the predecessor is released");
    assert!(registry.names().is_empty());
    let outcome = registry.execute("tool", json!({}), Invocation::new()).await.unwrap();
    assert_eq!(outcome.code(), Some(Code::UnknownTool));
    registry.close().await.unwrap();
    assert_eq!(log.seen().len(), 1, "the run never had the successor");
}

#[tokio::test]
async fn a_handler_that_panics_as_it_is_dropped_harms_nobody() {
    struct Bomb;
    impl Drop for Bomb {
        fn drop(&mut self) {
            panic!("dropped badly");
        }
    }
    let bomb = || {
        let bomb = Bomb;
        Tool::define(Definition::new("tool", "Explodes."), move |_: Value| {
            let _held = &bomb;
            "done"
        })
        .unwrap()
    };
    let registry = Toolset::provider(move |_| bomb()).bind(Binding::new()).await.unwrap();
    registry.replace(named("tool")).await.unwrap();
    registry.close().await.unwrap();
}

/// A tool that calls another one of its run, and says what that one answered.
fn calls(name: &str, exclusive: bool, other: &'static str) -> Tool {
    let definition = Definition::new(name, "Calls another.");
    let definition = if exclusive { definition.exclusive() } else { definition };
    Tool::define_with(definition, move |_: Value, ctx: &Context| {
        Box::pin(async move {
            let registry = ctx.registry().unwrap();
            let outcome = registry.execute(other, json!({}), ctx.invocation()).await?;
            Ok(outcome.code().map_or_else(|| outcome.text(), |code| code.to_string()))
        })
    })
    .unwrap()
}

fn alone(name: &str) -> Tool {
    Tool::define(Definition::new(name, "Runs alone.").exclusive(), |_: Value| "alone").unwrap()
}

async fn answer(registry: &Registry, name: &str) -> String {
    let call = registry.execute(name, json!({}), Invocation::new());
    let answered = tokio::time::timeout(Duration::from_secs(10), call).await;
    answered.expect("it is answered").unwrap().text()
}

#[tokio::test]
async fn an_exclusive_call_within_an_exclusive_call_is_answered() {
    let registry = bind([
        alone("alone"),
        calls("direct", true, "alone"),
        calls("itself", true, "itself"),
        calls("through", false, "alone"),
        calls("around", true, "through"),
    ])
    .await;
    assert_eq!(answer(&registry, "direct").await, "deadlock");
    assert_eq!(answer(&registry, "itself").await, "deadlock");
    assert_eq!(answer(&registry, "around").await, "deadlock");
    assert_eq!(answer(&registry, "through").await, "alone", "nothing exclusive is around it");
    assert_eq!(answer(&registry, "alone").await, "alone", "the lock is free again");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn exclusive_calls_from_other_tasks_of_the_call_are_answered_too() {
    let batch = Tool::define_with(Definition::new("batch", ".").exclusive(), |_: Value, ctx| {
        Box::pin(async move {
            let registry = ctx.registry().unwrap();
            let requests = ["alone", "free"]
                .map(|name| toolcast::Request::new(name, json!({}), Invocation::new()));
            let mut texts = Vec::new();
            for answered in registry.execute_all(requests, 2).await {
                let outcome = answered?;
                texts.push(outcome.code().map_or_else(|| outcome.text(), |code| code.to_string()));
            }
            Ok(texts.join(" "))
        })
    });
    let spawns = Tool::define_with(Definition::new("spawns", ".").exclusive(), |_: Value, ctx| {
        Box::pin(async move {
            let registry = ctx.registry().unwrap();
            let task = tokio::spawn(async move {
                registry.execute("through", json!({}), Invocation::new()).await
            });
            Ok(task.await??.text())
        })
    });
    let registry = bind([
        alone("alone"),
        named("free"),
        calls("through", false, "alone"),
        batch.unwrap(),
        spawns.unwrap(),
    ])
    .await;
    assert_eq!(answer(&registry, "batch").await, "deadlock done");
    assert_eq!(answer(&registry, "spawns").await, "deadlock");
    assert_eq!(answer(&registry, "alone").await, "alone");
}

#[tokio::test]
async fn exclusive_tools_of_another_run_are_free() {
    let other = Arc::new(bind([alone("alone")]).await);
    let calling = Arc::clone(&other);
    let tool = Tool::define(Definition::new("calls", ".").exclusive(), move |_: Value| {
        let other = Arc::clone(&calling);
        async move {
            let outcome = other.execute("alone", json!({}), Invocation::new()).await?;
            Ok::<_, Error>(outcome.text())
        }
    });
    assert_eq!(answer(&bind([tool.unwrap()]).await, "calls").await, "alone");
}

#[tokio::test]
async fn a_tool_that_reaches_its_registry_does_not_hold_the_run() {
    let log = Log::default();
    let registry = bind([calls("calls", false, "other"), log.tool("other")]).await;
    assert_eq!(answer(&registry, "calls").await, "done");
    drop(registry);
    for _ in 0..500 {
        if !log.seen().is_empty() {
            break;
        }
        tokio::time::sleep(Duration::from_millis(2)).await;
    }
    assert_eq!(log.seen(), ["other"], "dropping the last clone closes");
    assert!(toolcast::testing::Setup::new().context().registry().is_none());
}
