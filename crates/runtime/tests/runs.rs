//! What belongs to one run, and what a run lets in.

mod support;

use serde_json::{Value, json};
use std::panic::{AssertUnwindSafe, catch_unwind};
use support::bind;
use toolcast::testing::Setup;
use toolcast::{
    BindError, Binding, Definition, Invocation, Registry, RunOptions, State, Tool, Toolset,
};

/// A toolset whose one tool counts in the state of its run.
fn counting() -> Toolset {
    let count =
        Tool::define(Definition::new("count", "Counts."), |_: Value, ctx: &toolcast::Context| {
            ctx.state().update("count", |count| {
                *count = (count.as_i64().unwrap_or(0) + 1).into();
                count.clone()
            })
        });
    Toolset::of([count.unwrap()])
}

async fn count(registry: &Registry) -> Value {
    let outcome = registry.execute("count", json!({}), Invocation::new()).await.unwrap();
    outcome.into_value().unwrap()
}

#[tokio::test]
async fn cloned_options_give_each_run_a_state_of_its_own() {
    let options = RunOptions::new();
    let bound = async |options: &RunOptions| {
        counting().bind_with(Binding::new(), options.clone()).await.unwrap()
    };
    let (one, other) = (bound(&options).await, bound(&options).await);
    assert_eq!([count(&one).await, count(&one).await, count(&other).await], [1, 2, 1]);

    let restored = State::new();
    restored.set("count", 10);
    let options = options.state(restored.clone());
    let (one, other) = (bound(&options).await, bound(&options).await);
    assert_eq!([count(&one).await, count(&one).await, count(&other).await], [11, 12, 11]);
    assert_eq!(restored.get("count"), Some(json!(10)), "a run starts with a copy");
    assert_eq!(one.state().get("count"), Some(json!(12)));

    let options = options.shared_state(restored.clone());
    let (one, other) = (bound(&options).await, bound(&options).await);
    assert_eq!([count(&one).await, count(&other).await], [11, 12], "shared where it is asked for");
    assert_eq!(restored.get("count"), Some(json!(12)));
}

#[tokio::test]
async fn a_test_set_up_makes_runs_that_share_nothing() {
    let setup = Setup::new();
    for _ in 0..2 {
        let outcome = setup.clone().call(&counting(), "count", json!({})).await;
        assert_eq!(outcome.value(), Some(&json!(1)));
    }
    setup.context().state().set("seen", true);
    assert_eq!(setup.context().state().get("seen"), None);
    assert_eq!(setup.bind(&counting()).await.state().get("seen"), None);
}

#[test]
fn an_update_that_uses_its_own_state_fails_instead_of_waiting_for_ever() {
    let (state, other) = (State::new(), State::new());
    let again = || state.update("a", |_| state.get("b"));
    assert!(catch_unwind(AssertUnwindSafe(again)).is_err());
    state.update("a", |a| {
        other.set("b", 1);
        *a = json!(2);
    });
    assert_eq!((state.get("a"), other.get("b")), (Some(json!(2)), Some(json!(1))));
}

fn named(name: &str) -> Tool {
    Tool::define(Definition::new(name, "Does nothing."), |_: Value| "done").unwrap()
}

#[tokio::test]
async fn a_registry_says_what_is_available() {
    let registry = bind([named("here"), named("elsewhere").available_if(|_| false)]).await;
    assert!(registry.is_available("here"));
    assert!(!registry.is_available("elsewhere") && !registry.is_available("nowhere"));
    registry.close().await.unwrap();
    assert!(!registry.is_available("here"));
    struct Admin;
    let audit = named("audit").available_if(|binding| binding.has::<Admin>());
    assert!(!audit.is_available(&Binding::new()));
    assert!(audit.is_available(&Binding::new().with(Admin)));
}

#[tokio::test]
async fn registering_checks_names_and_the_run_even_where_a_tool_is_not_available() {
    let registry = bind([]).await;
    let unavailable = |name: &str| named("good").renamed(name).available_if(|_| false);
    let refused = registry.register(unavailable("not a name"));
    assert!(matches!(refused, Err(BindError::Name { .. })));
    registry.register(unavailable("good")).unwrap();
    assert!(registry.names().is_empty());
    registry.close().await.unwrap();
    assert!(matches!(registry.register(unavailable("good")), Err(BindError::Closed)));
}

#[test]
fn a_binding_holds_the_agent() {
    struct Agent(&'static str);
    let binding = Binding::new().agent(Agent("support"));
    assert_eq!(binding.agent_as::<Agent>().unwrap().0, "support");
    assert!(format!("{binding:?}").contains("agent: true"));
}
