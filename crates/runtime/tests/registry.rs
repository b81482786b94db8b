//! Rules 4 and 5: what a run has, and how it ends.

mod support;

use serde_json::{Value, json};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;
use support::{bind, ticket_status};
use toolcast::{
    BindError, Binding, Code, Context, Definition, Error, Interrupted, Invocation, Tool, Toolset,
};

/// What was closed, in order.
#[derive(Clone, Default)]
struct Log(Arc<Mutex<Vec<&'static str>>>);

impl Log {
    fn note(&self, what: &'static str) {
        self.0.lock().unwrap().push(what);
    }

    fn seen(&self) -> Vec<&'static str> {
        self.0.lock().unwrap().clone()
    }

    /// A tool that notes its close, and fails at it where told to.
    fn tool(&self, name: &'static str) -> Tool {
        self.tool_closing(name, || Ok(()))
    }

    fn tool_closing(
        &self,
        name: &'static str,
        end: impl Fn() -> Result<(), Error> + Clone + Send + Sync + 'static,
    ) -> Tool {
        let log = self.clone();
        named(name).on_close(move || {
            let (log, end) = (log.clone(), end.clone());
            async move {
                tokio::task::yield_now().await;
                log.note(name);
                end()
            }
        })
    }

    async fn wait_for(&self, closes: usize) {
        for _ in 0..500 {
            if self.seen().len() >= closes {
                return;
            }
            tokio::time::sleep(Duration::from_millis(2)).await;
        }
        panic!("only {:?} were closed", self.seen());
    }
}

fn named(name: &str) -> Tool {
    Tool::define(Definition::new(name, "Does nothing."), |_: Value| "done").unwrap()
}

#[tokio::test]
async fn close_runs_once_in_reverse_order_and_collects_failures() {
    let log = Log::default();
    let registry = bind([
        log.tool("first"),
        log.tool_closing("second", || Err(std::io::Error::other("second is stuck").into())),
        log.tool_closing("third", || panic!("third is gone")),
        log.tool("fourth"),
    ])
    .await;
    let failed = registry.close().await.unwrap_err();
    assert_eq!(log.seen(), ["fourth", "third", "second", "first"]);
    let failures: Vec<String> = failed.failures().iter().map(ToString::to_string).collect();
    assert_eq!(failures, ["a close panicked: third is gone", "second is stuck"]);
    registry.close().await.unwrap();
    drop(registry);
    tokio::task::yield_now().await;
    assert_eq!(log.seen().len(), 4);
}

#[tokio::test]
async fn a_toolset_closes_after_what_was_built_within_it() {
    let log = Log::default();
    let (outer, inner) = (log.clone(), log.clone());
    let toolset = Toolset::provider(move |_| {
        let inner = inner.clone();
        let instance = Toolset::of([inner.tool("tool")]);
        instance.on_close(move || {
            inner.note("instance");
            async { Ok(()) }
        })
    })
    .on_close(move || {
        outer.note("component");
        async { Ok(()) }
    });
    toolset.bind(Binding::new()).await.unwrap().close().await.unwrap();
    assert_eq!(log.seen(), ["component", "instance", "tool"]);
}

#[tokio::test]
async fn dropping_the_last_clone_closes() {
    let log = Log::default();
    let registry = bind([log.tool("one"), log.tool("two")]).await;
    let clone = registry.clone();
    drop(registry);
    tokio::time::sleep(Duration::from_millis(10)).await;
    assert!(log.seen().is_empty(), "a clone is the same run");
    drop(clone);
    log.wait_for(2).await;
    assert_eq!(log.seen(), ["two", "one"]);
}

#[tokio::test]
async fn a_panicking_owner_closes() {
    let log = Log::default();
    let registry = bind([log.tool("one")]).await;
    let owner = tokio::spawn(async move {
        let _registry = registry;
        panic!("the owner fails");
    });
    assert!(owner.await.unwrap_err().is_panic());
    log.wait_for(1).await;
}

#[tokio::test]
async fn a_close_that_nobody_waits_for_is_finished() {
    let log = Log::default();
    let slow = Arc::clone(&log.0);
    let tool = named("slow").on_close(move || {
        let slow = Arc::clone(&slow);
        async move {
            tokio::time::sleep(Duration::from_millis(30)).await;
            slow.lock().unwrap().push("slow");
            Ok(())
        }
    });
    let registry = bind([log.tool("first"), tool]).await;
    let impatient = tokio::time::timeout(Duration::from_millis(5), registry.close()).await;
    assert!(impatient.is_err());
    registry.close().await.unwrap();
    assert_eq!(log.seen(), ["slow", "first"], "the second call waited for the first");
}

#[test]
fn a_runtime_that_shuts_down_and_a_thread_without_one_close_too() {
    let log = Log::default();
    let runtime = tokio::runtime::Builder::new_current_thread().enable_time().build().unwrap();
    let forgotten = runtime.block_on(bind([log.tool("dropped-after")]));
    let owned = runtime.block_on(bind([log.tool("owned-by-a-task")]));
    runtime.spawn(async move {
        let _owned = owned;
        std::future::pending::<()>().await;
    });
    runtime.block_on(tokio::task::yield_now());
    drop(runtime);
    assert_eq!(log.seen(), ["owned-by-a-task"]);
    drop(forgotten);
    assert_eq!(log.seen(), ["owned-by-a-task", "dropped-after"]);
}

#[tokio::test]
async fn a_close_that_hangs_is_a_failure_after_its_patience() {
    let hanging = named("hanging").on_close(std::future::pending);
    let options = toolcast::RunOptions::new().close_timeout(Duration::from_millis(10));
    let registry = Toolset::of([hanging]).bind_with(Binding::new(), options).await.unwrap();
    let failed = registry.close().await.unwrap_err();
    assert_eq!(failed.to_string(), "closing failed: a close took longer than 10ms");
}

#[tokio::test]
async fn close_cancels_running_calls_and_waits_for_them() {
    let log = Log::default();
    let noted = log.clone();
    let waiting = Tool::define_with(Definition::new("wait", "Waits."), move |_: Value, _| {
        let noted = noted.clone();
        Box::pin(async move {
            struct Noted(Log);
            impl Drop for Noted {
                fn drop(&mut self) {
                    self.0.note("call dropped");
                }
            }
            let _noted = Noted(noted);
            std::future::pending::<Result<&str, Error>>().await
        })
    });
    let registry = bind([waiting.unwrap(), log.tool("tool-closed")]).await;
    let caller = registry.clone();
    let call =
        tokio::spawn(async move { caller.execute("wait", json!({}), Invocation::new()).await });
    tokio::time::sleep(Duration::from_millis(5)).await;
    registry.close().await.unwrap();
    assert!(matches!(call.await.unwrap(), Err(Interrupted::Cancelled)));
    assert_eq!(log.seen(), ["call dropped", "tool-closed"]);
}

#[tokio::test]
async fn a_closed_registry_refuses_calls_and_registrations() {
    let registry = bind([ticket_status()]).await;
    registry.close().await.unwrap();
    let call = registry.execute("ticket_status", json!({}), Invocation::new()).await;
    assert!(matches!(call, Err(Interrupted::Closed)));
    assert!(matches!(registry.register(named("late")), Err(BindError::Closed)));
    assert!(matches!(registry.replace(ticket_status()).await, Err(BindError::Closed)));
}

#[tokio::test]
async fn a_replaced_tool_is_closed_once_its_successor_is_accepted() {
    let log = Log::default();
    let registry = bind([log.tool("tool"), log.tool("other")]).await;
    let refused = registry.replace(log.tool("unknown")).await;
    assert!(matches!(refused, Err(BindError::NoSuchTool { .. })));
    assert!(log.seen().is_empty());
    let closed = log.clone();
    let successor = named("tool").on_close(move || {
        closed.note("successor");
        async { Ok(()) }
    });
    registry.replace(successor).await.unwrap();
    assert_eq!(log.seen(), ["tool"]);
    assert_eq!(registry.names(), ["tool", "other"]);
    registry.close().await.unwrap();
    assert_eq!(log.seen(), ["tool", "successor", "other"]);
}

#[tokio::test]
async fn what_was_built_before_a_failing_registration_is_closed() {
    let log = Log::default();
    let built = log.clone();
    let toolset = Toolset::provider(move |_| built.tool("built"))
        .merge(Toolset::provider(|_| Err::<Tool, _>(Error::tool("no database"))));
    let failed = toolset.bind(Binding::new()).await.unwrap_err();
    assert_eq!(failed.to_string(), "a provider of tools failed: no database");
    assert_eq!(log.seen(), ["built"]);

    let built = log.clone();
    let twice = Toolset::provider(move |_| vec![built.tool("same"), built.tool("same")]);
    assert!(matches!(twice.bind(Binding::new()).await, Err(BindError::Collision { .. })));
    assert_eq!(log.seen(), ["built", "same", "same"]);
}

#[tokio::test]
async fn availability_is_asked_before_anything_is_made() {
    struct Admin;
    let made = Arc::new(AtomicBool::new(false));
    let making = Arc::clone(&made);
    let admin = Toolset::provider(move |_| {
        making.store(true, Ordering::Relaxed);
        named("delete_everything")
    })
    .available_if(|binding| binding.has::<Admin>());
    let toolset =
        Toolset::of([ticket_status(), named("audit").available_if(|_| false)]).merge(admin);

    let registry = toolset.bind(Binding::new()).await.unwrap();
    assert_eq!(registry.names(), ["ticket_status"]);
    assert!(!made.load(Ordering::Relaxed));
    let call = registry.execute("delete_everything", json!({}), Invocation::new()).await.unwrap();
    assert_eq!(call.code(), Some(Code::UnknownTool));

    let registry = toolset.bind(Binding::new().with(Admin)).await.unwrap();
    assert_eq!(registry.names(), ["ticket_status", "delete_everything"]);
}

#[tokio::test]
async fn handler_state_made_by_a_provider_belongs_to_one_run() {
    let toolset = Toolset::provider(|_| {
        let counted = Arc::new(Mutex::new(0));
        Tool::define(Definition::new("count", "Counts."), move |_: Value| {
            let mut counted = counted.lock().unwrap();
            *counted += 1;
            json!(*counted)
        })
        .unwrap()
    });
    let (one, other) =
        (toolset.bind(Binding::new()).await.unwrap(), toolset.bind(Binding::new()).await.unwrap());
    let mut counts = Vec::new();
    for registry in [&one, &one, &other] {
        let outcome = registry.execute("count", json!({}), Invocation::new()).await.unwrap();
        counts.push(outcome.into_value().unwrap());
    }
    assert_eq!(counts, [1, 2, 1]);
}

#[tokio::test]
async fn collisions_name_both_origins() {
    let toolset = Toolset::of([named("search")])
        .named("the orders component")
        .merge(Toolset::of([named("find")]).rename("find", "search").named("the wiki component"));
    let failed = toolset.bind(Binding::new()).await.unwrap_err();
    assert_eq!(
        failed.to_string(),
        "the name `search` is used twice: by `search` of the orders component and by `find` of the wiki component"
    );
}

#[tokio::test]
async fn names_are_checked_as_they_are_in_the_run() {
    for (prefix, good) in [("a-B_9", true), ("ü", false), ("a.b", false), (&*"x".repeat(62), false)]
    {
        let toolset = Toolset::of([named("one")]).prefix(prefix);
        assert_eq!(toolset.bind(Binding::new()).await.is_ok(), good, "{prefix}");
    }
    const SILENT: toolcast::ToolSpec = toolcast::ToolSpec::new("silent", "  ");
    let silent = Tool::replying(&SILENT, Arc::new(()), |(), _: Value, _| {
        Box::pin(async { Ok("never".into()) })
    });
    let failed = Toolset::of([silent]).bind(Binding::new()).await.unwrap_err();
    assert_eq!(failed.to_string(), "the tool `silent` has no description");
}

#[tokio::test]
async fn toolsets_compose_filter_rename_and_configure() {
    let toolset = Toolset::of([named("list"), named("rename"), named("delete")])
        .filter(|name| name != "delete")
        .rename("rename", "retitle")
        .prefix("boards_")
        .with(named("help"));
    let registry = toolset.bind(Binding::new()).await.unwrap();
    assert_eq!(registry.names(), ["boards_list", "boards_retitle", "help"]);
    assert_eq!(registry.specifications().unwrap()[1].name, "boards_retitle");
    let failed = toolset.configure("gone", |tool| tool).bind(Binding::new()).await;
    assert!(matches!(failed, Err(BindError::NoSuchTool { name }) if name == "gone"));
}

#[tokio::test]
async fn providers_may_nest_but_not_for_ever() {
    fn endless() -> Toolset {
        Toolset::provider(|_| endless())
    }
    let nested = Toolset::provider(|_| Some(Toolset::provider_async(|_| async { named("deep") })));
    assert_eq!(nested.bind(Binding::new()).await.unwrap().names(), ["deep"]);
    assert!(matches!(endless().bind(Binding::new()).await, Err(BindError::TooDeep)));
}

#[tokio::test]
async fn the_four_sources_are_four_accessors() {
    struct Database(&'static str);
    let definition = Definition::new("sources", "Shows its sources.")
        .input(json!({ "type": "object", "properties": { "a": {} } }));
    let tool = Tool::define(definition, |input: Value, ctx: &Context| {
        ctx.state().set("seen", true);
        json!({
            "input": input["a"],
            "undeclared": ctx.arguments()["b"],
            "actor": ctx.invocation().actor_id(),
            "account": ctx.invocation().text("account_id"),
            "database": ctx.binding().get::<Database>().map(|database| database.0),
        })
    })
    .unwrap();
    let registry = Toolset::of([tool]).bind(Binding::new().with(Database("orders"))).await.unwrap();
    let asked = Invocation::new().actor("user-1").context("account_id", "acme");
    let outcome = registry.execute("sources", json!({ "a": 1, "b": 2 }), asked).await.unwrap();
    assert_eq!(
        outcome.value().unwrap(),
        &json!({ "input": 1, "undeclared": 2, "actor": "user-1", "account": "acme", "database": "orders" })
    );
    let snapshot = registry.state().snapshot();
    assert_eq!(Value::from(snapshot), json!({ "seen": true }));
}
