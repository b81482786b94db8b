//! The tools as an application calls them: a run is bound, calls go through validation, outcomes come back.

use helpdesk::{Database, HelpDesk, tools};
use serde_json::{Value, json};
use toolcast::{Binding, Code, Invocation, Outcome, Registry};

/// The tools of one run, on a database of its own.
async fn run() -> Registry {
    let database = Database::in_memory().expect("the seed is valid SQL");
    tools::toolset(HelpDesk::new(database))
        .bind(Binding::new())
        .await
        .expect("the contracts are sound")
}

/// A call of a signed-in member of the account `acme`.
async fn call(registry: &Registry, tool: &str, arguments: Value) -> Outcome {
    let caller = Invocation::new().actor("user-1").context("account_id", "acme");
    registry.execute(tool, arguments, caller).await.expect("nothing interrupts the call")
}

#[tokio::test]
async fn a_ticket_has_a_status() {
    let registry = run().await;
    let outcome = call(&registry, "ticket_status", json!({ "ticket_id": "SUP-480" })).await;
    assert_eq!(outcome.value(), Some(&json!({ "ticket_id": "SUP-480", "status": "open" })));
}

#[tokio::test]
async fn what_does_not_fit_the_contract_never_reaches_the_handler() {
    let registry = run().await;
    let outcome =
        call(&registry, "help_center_lookup", json!({ "topic": "weather", "limit": 99 })).await;
    assert_eq!(outcome.code(), Some(Code::InvalidInput));
    let pointers: Vec<&str> = outcome.faults().iter().map(|fault| fault.pointer.as_str()).collect();
    assert_eq!(pointers, ["/limit", "/topic"], "every fault is named at once");
}

#[tokio::test]
async fn an_absent_argument_takes_the_default_of_its_schema() {
    let registry = run().await;
    let lines = |outcome: Outcome| outcome.text().lines().map(str::to_owned).collect::<Vec<_>>();
    let default = lines(call(&registry, "help_center_lookup", json!({ "topic": "returns" })).await);
    assert_eq!(default.len(), 3);
    assert_eq!(default[0], "Send something back: https://help.example/returns/start");
    let one = lines(
        call(&registry, "help_center_lookup", json!({ "topic": "returns", "limit": 1.0 })).await,
    );
    assert_eq!(one, default[..1], "1.0 is a whole number, as it is in JSON Schema");
}

#[tokio::test]
async fn an_order_is_found_only_for_a_member_of_its_account() {
    let registry = run().await;
    let own = call(&registry, "order_status", json!({ "order_number": "482" })).await;
    assert_eq!(
        own.value(),
        Some(&json!({ "order_number": "482", "status": "processing", "placed_on": "2026-11-29" })),
        "what is not there yet is absent, not null"
    );

    let others = call(&registry, "order_status", json!({ "order_number": "611" })).await;
    let missing = call(&registry, "order_status", json!({ "order_number": "999" })).await;
    assert_eq!(others.code(), Some(Code::ToolError));
    assert_eq!(others.to_mcp(), missing.to_mcp(), "another account's order looks like none at all");

    let anonymous = registry
        .execute("order_status", json!({ "order_number": "482" }), Invocation::new())
        .await
        .expect("nothing interrupts the call");
    assert_eq!(anonymous.code(), Some(Code::ToolError));
}

#[tokio::test]
async fn a_board_is_renamed() {
    let registry = run().await;
    let renamed =
        call(&registry, "rename_board", json!({ "board": "triage", "title": "Triage, week 49" }))
            .await;
    assert_eq!(renamed.text(), "Renamed.");
    let boards = call(&registry, "list_boards", json!({})).await;
    assert_eq!(
        boards.value(),
        Some(&json!({ "boards": [
            { "id": "escalations", "title": "Escalations" },
            { "id": "triage", "title": "Triage, week 49" },
        ] }))
    );
    let unknown =
        call(&registry, "rename_board", json!({ "board": "attic", "title": "Attic" })).await;
    assert!(
        unknown.is_error() && unknown.text().contains("list_boards"),
        "the model learns what to do"
    );
    let long =
        call(&registry, "rename_board", json!({ "board": "triage", "title": "x".repeat(121) }))
            .await;
    assert_eq!(long.code(), Some(Code::InvalidInput));
}

#[tokio::test]
async fn every_example_of_a_contract_is_a_call_that_works() {
    let registry = run().await;
    for tool in registry.specifications().expect("the contracts are sound") {
        for example in tool.input_schema["examples"].as_array().into_iter().flatten() {
            let outcome = call(&registry, &tool.name, example.clone()).await;
            assert!(!outcome.is_error(), "{} {example}: {}", tool.name, outcome.text());
        }
    }
}
