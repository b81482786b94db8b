//! The `helpdesk` command as a person or a script meets it.

use std::process::{Command, Output};

fn helpdesk(arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_helpdesk"))
        .args(arguments)
        .env_remove("HELPDESK_DB")
        .output()
        .expect("cargo built the command before this test")
}

fn stdout(output: &Output) -> &str {
    std::str::from_utf8(&output.stdout).expect("the command prints UTF-8")
}

fn stderr(output: &Output) -> &str {
    std::str::from_utf8(&output.stderr).expect("the command prints UTF-8")
}

/// What a failed call says, wherever it says it.
fn said(output: &Output) -> String {
    format!("{}{}", stdout(output), stderr(output))
}

#[test]
fn a_call_prints_its_answer_and_nothing_else() {
    let output = helpdesk(&["call", "ticket_status", r#"{"ticket_id":"SUP-481"}"#]);
    assert_eq!(stdout(&output), "{\"ticket_id\":\"SUP-481\",\"status\":\"waiting_on_customer\"}\n");
    assert_eq!(stderr(&output), "");
    assert_eq!(output.status.code(), Some(0));
}

#[test]
fn one_answer_names_every_fault_of_the_arguments() {
    let output = helpdesk(&["call", "ticket_status", r#"{"ticket_idd":7,"x":1}"#]);
    assert_eq!(output.status.code(), Some(1));
    let text = said(&output);
    let fault = |pointer: &str| {
        let start = format!("- {pointer}: ");
        text.lines()
            .find(|line| line.starts_with(&start))
            .unwrap_or_else(|| panic!("{pointer} is not in:\n{text}"))
    };
    assert!(fault("/ticket_id").contains("missing"), "{text}");
    assert!(fault("/ticket_idd").contains("did you mean `ticket_id`?"), "{text}");
    assert!(fault("/x").contains("unknown"), "{text}");
    assert!(!text.contains('7'), "values are not repeated: {text}");
}

#[test]
fn an_order_belongs_to_the_account_of_the_caller() {
    let order = r#"{"order_number":"481"}"#;
    let acme = ["--actor", "user-1", "--context", "account_id=acme"];
    let own = helpdesk(&[&["call", "order_status", order], &acme[..]].concat());
    assert_eq!(
        stdout(&own),
        "{\"order_number\":\"481\",\"status\":\"shipped\",\"placed_on\":\"2026-11-24\",\"tracking_number\":\"PX-2209\"}\n"
    );
    assert_eq!(own.status.code(), Some(0));

    let missing =
        helpdesk(&[&["call", "order_status", r#"{"order_number":"999"}"#], &acme[..]].concat());
    assert_eq!(missing.status.code(), Some(1));

    for (whose, arguments) in [
        (
            "another account's order",
            &[&["call", "order_status", r#"{"order_number":"611"}"#], &acme[..]].concat(),
        ),
        (
            "another account, asked for outright",
            &vec![
                "call",
                "order_status",
                order,
                "--actor",
                "user-1",
                "--context",
                "account_id=globex",
            ],
        ),
        (
            "an actor who is no member of the account",
            &vec![
                "call",
                "order_status",
                order,
                "--actor",
                "user-2",
                "--context",
                "account_id=acme",
            ],
        ),
    ] {
        let output = helpdesk(arguments);
        assert_eq!(said(&output), said(&missing), "{whose} reads like a missing one");
        assert_eq!(output.status, missing.status, "{whose} ends like a missing one");
    }
}

#[test]
fn without_an_authenticated_caller_an_order_is_a_tool_error() {
    let order = r#"{"order_number":"481"}"#;
    for arguments in [
        vec!["call", "order_status", order],
        vec!["call", "order_status", order, "--actor", "user-1"],
        vec!["call", "order_status", order, "--context", "account_id=acme"],
    ] {
        let output = helpdesk(&arguments);
        assert_eq!(output.status.code(), Some(1), "{arguments:?}");
        assert!(!said(&output).contains("shipped"), "{arguments:?}");
    }
}

#[test]
fn a_model_cannot_choose_the_account() {
    let arguments = r#"{"order_number":"481","account_id":"acme","actor":"user-1"}"#;
    let output = helpdesk(&["call", "order_status", arguments]);
    assert_eq!(output.status.code(), Some(1));
    assert!(said(&output).contains("account_id"), "{}", said(&output));
}

#[test]
fn the_list_is_that_of_mcp() {
    let output = helpdesk(&["list", "--json"]);
    assert_eq!(output.status.code(), Some(0));
    let list: serde_json::Value = serde_json::from_slice(&output.stdout).expect("the list is JSON");
    let tools = list["tools"].as_array().expect("the list holds tools");
    let names: Vec<&str> = tools.iter().filter_map(|tool| tool["name"].as_str()).collect();
    for name in
        ["help_center_lookup", "list_boards", "order_status", "rename_board", "ticket_status"]
    {
        assert!(names.contains(&name), "{name} is listed among {names:?}");
    }
    for tool in tools {
        assert_eq!(tool["inputSchema"]["type"], "object", "{tool}");
        assert!(tool["description"].is_string(), "{tool}");
        assert!(tool["inputSchema"].get("x-tool").is_none(), "{tool}");
    }
    let rename =
        tools.iter().find(|tool| tool["name"] == "rename_board").expect("rename_board is listed");
    assert_eq!(rename["annotations"]["idempotentHint"], true);
    assert_eq!(rename["inputSchema"]["properties"]["title"]["maxLength"], 120);
}

#[test]
fn a_database_file_outlives_the_command() {
    let folder = tempfile::tempdir().expect("the temporary folder can be written to");
    let file = folder.path().join("helpdesk.db");
    let call = |arguments: &[&str]| {
        Command::new(env!("CARGO_BIN_EXE_helpdesk"))
            .args(arguments)
            .env("HELPDESK_DB", &file)
            .output()
            .expect("cargo built the command before this test")
    };
    let renamed =
        call(&["call", "rename_board", r#"{"board":"triage","title":"Triage, week 49"}"#]);
    assert_eq!(renamed.status.code(), Some(0), "{}", stderr(&renamed));
    let boards = call(&["call", "list_boards", "{}"]);
    assert!(stdout(&boards).contains("Triage, week 49"), "{}", stdout(&boards));
}

#[test]
fn processes_that_open_a_new_database_together_seed_it_once() {
    let folder = tempfile::tempdir().expect("the temporary folder can be written to");
    let file = folder.path().join("helpdesk.db");
    let children: Vec<_> = (0..8)
        .map(|_| {
            Command::new(env!("CARGO_BIN_EXE_helpdesk"))
                .args(["call", "list_boards", "{}"])
                .env("HELPDESK_DB", &file)
                .stdout(std::process::Stdio::piped())
                .stderr(std::process::Stdio::piped())
                .spawn()
                .expect("cargo built the command before this test")
        })
        .collect();
    for child in children {
        let output = child.wait_with_output().expect("the command ends");
        assert_eq!(stdout(&output).matches("\"id\"").count(), 2, "{}", stderr(&output));
    }
}

#[cfg(target_os = "linux")]
#[test]
fn an_answer_that_could_not_be_printed_is_a_failure() {
    let full = std::fs::File::options().write(true).open("/dev/full").expect("linux has it");
    let output = Command::new(env!("CARGO_BIN_EXE_helpdesk"))
        .args(["call", "list_boards", "{}"])
        .env_remove("HELPDESK_DB")
        .stdout(full)
        .output()
        .expect("cargo built the command before this test");
    assert_eq!(output.status.code(), Some(2));
    assert!(stderr(&output).starts_with("error: standard output: "), "{}", stderr(&output));
}
