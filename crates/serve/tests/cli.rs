//! A program's tools on its command line: what goes to standard output, to standard error, and the exit code.

use serde_json::{Value, json};
use std::ffi::OsString;
use toolcast::{Context, Definition, Tool, Toolset};
use toolcast_serve::{Answer, Cli};

fn ticket_status() -> Tool {
    let definition = Definition::new("ticket_status", "Look up a ticket's status.").input(json!({
        "type": "object",
        "properties": { "ticket_id": { "type": "string" } },
        "required": ["ticket_id"],
        "additionalProperties": false,
    }));
    let answer =
        |input: Value| json!({ "ticket_id": input["ticket_id"], "status": "waiting_on_customer" });
    Tool::define(definition, answer).expect("the definition is right")
}

async fn run(line: &[&str]) -> Answer {
    let order = Definition::new("order_status", "Look up an order.\nOf the current account.");
    let order =
        order.input(json!({ "type": "object", "properties": { "n": { "type": "string" } } }));
    let order = Tool::define(order, |_: Value, ctx: &Context| {
        let account = ctx.invocation().require_text("account_id")?;
        Ok::<_, toolcast::Error>(format!("{} of {account}", ctx.invocation().require_actor()?))
    });
    let tools = Toolset::of([ticket_status(), order.unwrap()]);
    let line = std::iter::once("helpdesk").chain(line.iter().copied()).map(OsString::from);
    Cli::new(tools).answer(line).await
}

fn answer(stdout: &str, stderr: &str, code: u8) -> Answer {
    Answer { stdout: stdout.to_owned(), stderr: stderr.to_owned(), code }
}

#[tokio::test]
async fn call_prints_the_result_and_nothing_else() {
    let line = r#"{"ticket_id":"SUP-481","status":"waiting_on_customer"}"#;
    let called = run(&["call", "ticket_status", r#"{"ticket_id":"SUP-481"}"#]).await;
    assert_eq!(called, answer(&format!("{line}\n"), "", 0));
    let called = run(&["call", "ticket_status", r#"{"ticket_id":"SUP-481"}"#, "--json"]).await;
    assert_eq!(called, answer(&format!("{{\"is_error\":false,\"value\":{line}}}\n"), "", 0));
}

#[tokio::test]
async fn invalid_input_is_one_text_and_exit_1() {
    let called = run(&["call", "ticket_status", r#"{"ticket_idd":7,"x":1}"#]).await;
    let text = "Invalid arguments for `ticket_status`: 3 faults.\n\
        - /ticket_id: missing; expected a string\n\
        - /ticket_idd: unknown property; did you mean `ticket_id`?\n\
        - /x: unknown property; known: `ticket_id`\n";
    assert_eq!(called, answer("", text, 1));
    let called = run(&["call", "ticket_status", "{}", "--json"]).await;
    let outcome: Value = serde_json::from_str(&called.stdout).unwrap();
    assert_eq!((outcome["code"].as_str(), called.code), (Some("invalid_input"), 1));
    assert_eq!(outcome["faults"][0]["pointer"], "/ticket_id");
}

#[tokio::test]
async fn actor_and_context_come_from_the_command_line() {
    let line = ["call", "order_status", "{}", "--actor", "user-1", "--context", "account_id=acme"];
    assert_eq!(run(&line).await, answer("user-1 of acme\n", "", 0));
    let missing = run(&line[..5]).await;
    assert_eq!(
        missing,
        answer("", "this tool needs `account_id` from the application, which gave none\n", 1)
    );
    assert_eq!(run(&["call", "order_status", "{}", "--context", "nonsense"]).await.code, 2);
}

#[tokio::test]
async fn what_could_not_run_is_exit_2() {
    let unknown = run(&["call", "ticket_state", "{}"]).await;
    assert_eq!(
        unknown,
        answer("", "error: there is no tool `ticket_state`; did you mean `ticket_status`?\n", 2)
    );
    for line in [
        &["call", "ticket_status", "{nope"][..],
        &["call", "ticket_status", "@/no/such/file"],
        &["spec", "x"],
        &["nope"],
        &[],
    ] {
        let answer = run(line).await;
        assert_eq!((answer.code, &*answer.stdout), (2, ""), "{line:?}");
        assert!(!answer.stderr.is_empty());
    }
}

#[tokio::test]
async fn arguments_come_from_a_file_too() {
    let path = std::env::temp_dir().join(format!("toolcast-arguments-{}.json", std::process::id()));
    std::fs::write(&path, r#"{"ticket_id":"SUP-1"}"#).unwrap();
    let called = run(&["call", "ticket_status", &format!("@{}", path.display())]).await;
    std::fs::remove_file(&path).unwrap();
    assert_eq!(called.code, 0);
    assert!(called.stdout.contains("SUP-1"));
}

#[tokio::test]
async fn list_and_spec_show_contracts_in_mcps_form() {
    let listed = run(&["list"]).await;
    assert_eq!(
        listed.stdout,
        "ticket_status  Look up a ticket's status.\norder_status   Look up an order.\n"
    );
    let listed: Value = serde_json::from_str(&run(&["list", "--json"]).await.stdout).unwrap();
    assert_eq!(listed["tools"][0]["name"], "ticket_status");
    assert_eq!(listed["tools"][0]["inputSchema"]["required"], json!(["ticket_id"]));
    assert_eq!(listed["tools"][1]["outputSchema"], Value::Null);
    let spec: Value = serde_json::from_str(&run(&["spec", "ticket_status"]).await.stdout).unwrap();
    assert_eq!(spec, listed["tools"][0]);
}

#[tokio::test]
async fn help_is_plain_and_no_error() {
    let help = run(&["--help"]).await;
    assert_eq!((help.code, &*help.stderr), (0, ""));
    assert!(help.stdout.contains("call") && !help.stdout.contains('\u{1b}'));
}
