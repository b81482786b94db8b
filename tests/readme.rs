//! What README.md shows is what stands in the example.

use std::fs;
use std::path::Path;

fn read(path: &str) -> String {
    fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join(path))
        .unwrap_or_else(|error| panic!("{path}: {error}"))
}

/// The fenced blocks of a language, in order.
fn blocks(markdown: &str, language: &str) -> Vec<String> {
    let fence = format!("```{language}\n");
    markdown
        .split(&fence)
        .skip(1)
        .map(|rest| rest.split("```").next().unwrap_or_default().to_owned())
        .collect()
}

#[test]
fn the_contract_and_its_handler_are_those_of_the_example() {
    let readme = read("README.md");
    assert_eq!(blocks(&readme, "json"), [read("examples/helpdesk/schemas/ticket_status.json")]);
    assert_eq!(blocks(&readme, "rust"), [read("examples/helpdesk/src/handlers/ticket_status.rs")]);
}

#[test]
fn two_commands_come_first_the_main_job_and_the_tests() {
    let commands = blocks(&read("README.md"), "sh");
    assert_eq!(commands.len(), 2);
    assert!(commands[0].starts_with("cargo run "), "{}", commands[0]);
    assert!(
        read(".ci/run").contains(commands[1].trim()),
        "`.ci/run` runs the tests as README.md says"
    );
}
