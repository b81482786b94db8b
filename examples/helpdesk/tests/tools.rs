//! The tools as an application calls them: a run is bound, calls go through validation, outcomes come back.

use helpdesk::Database;
use serde_json::{Value, json};
use toolcast::{ArtifactBody, Binding, Code, Invocation, Outcome, Registry, Toolset};

/// The tools of one run, on a database of its own.
async fn run() -> Registry {
    bind(&helpdesk::toolset(Database::in_memory().expect("the seed is valid SQL"))).await
}

async fn bind(tools: &Toolset) -> Registry {
    tools.bind(Binding::new()).await.expect("the contracts are sound")
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
async fn renaming_is_exclusive_within_a_run() {
    let registry = run().await;
    let exclusive: Vec<String> = registry
        .specifications()
        .expect("the contracts are sound")
        .into_iter()
        .filter_map(|tool| tool.exclusive.then_some(tool.name))
        .collect();
    assert_eq!(exclusive, ["rename_board"]);
}

#[tokio::test]
async fn a_file_goes_to_the_application_and_not_into_the_answer() {
    let registry = run().await;
    let outcome = call(&registry, "export_orders", json!({})).await;
    assert_eq!(outcome.value(), Some(&json!({ "orders": 2 })));
    let [file] = outcome.artifacts() else { panic!("one file is attached") };
    assert_eq!((file.name(), file.media_type()), ("orders.csv", "text/csv"));
    let csv = "number,status,placed_on\n481,shipped,2026-11-24\n482,processing,2026-11-29\n";
    assert_eq!(file.body(), &ArtifactBody::Bytes(csv.into()));
    let shipped = call(&registry, "export_orders", json!({ "status": "shipped" })).await;
    assert_eq!(shipped.value(), Some(&json!({ "orders": 1 })));
}

#[tokio::test]
async fn notes_belong_to_one_conversation_and_are_filed_when_it_ends() {
    let file = tempfile::tempdir().expect("the temporary folder can be written to");
    let path = file.path().join("helpdesk.db");
    let tools = helpdesk::toolset(Database::open(&path).expect("the seed is valid SQL"));
    let (one, other) = (bind(&tools).await, bind(&tools).await);
    for (registry, note, notes) in
        [(&one, "Call after six.", 1), (&other, "Sent a refund.", 1), (&one, "VIP.", 2)]
    {
        let outcome = call(registry, "leave_note", json!({ "note": note })).await;
        assert_eq!(outcome.value(), Some(&json!({ "notes": notes })));
    }

    let filed = || -> Vec<String> {
        let database = Database::open(&path).expect("the file is a database");
        let database = database.lock();
        let mut query =
            database.prepare("SELECT text FROM notes ORDER BY filed").expect("the table is there");
        let notes = query.query_map([], |row| row.get(0)).expect("the query takes no parameters");
        notes.collect::<Result<_, _>>().expect("notes are text")
    };
    assert!(filed().is_empty(), "nothing is filed while conversations go on");
    one.close().await.expect("the notes can be filed");
    assert_eq!(filed(), ["Call after six.\nVIP."]);
    // Nobody closes this one: the last handle goes away, as after an error.
    drop(other);
    for _ in 0..200 {
        if filed().len() == 2 {
            return;
        }
        tokio::time::sleep(std::time::Duration::from_millis(10)).await;
    }
    panic!("the notes of a dropped run are filed too: {:?}", filed());
}

#[tokio::test]
async fn a_tool_made_at_run_time_keeps_to_the_same_rules() {
    let registry = run().await;
    let hours = call(&registry, "office_hours", json!({ "office": "berlin" })).await;
    assert_eq!(hours.text(), "Monday to Friday, 9:00 to 18:00 CET");
    let unknown = call(&registry, "office_hours", json!({ "office": "Berlin" })).await;
    assert_eq!(unknown.code(), Some(Code::InvalidInput));
    assert!(
        unknown.text().contains("berlin"),
        "the model learns what is allowed: {}",
        unknown.text()
    );
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
