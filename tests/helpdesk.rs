//! What a user of Toolcast sees of a contract change, tried on a copy of the example.

mod scratch;

use scratch::Scratch;

#[test]
fn a_renamed_property_is_an_error_at_the_line_that_used_it() {
    let project = Scratch::helpdesk("scratch-renamed");
    project.build();

    let contract = project.read("schemas/ticket_status.json");
    // The arguments stand before the output schema, which keeps its own `ticket_id`.
    let (arguments, output) = contract.split_once("\"x-tool\"").unwrap();
    project.write(
        "schemas/ticket_status.json",
        &format!("{}\"x-tool\"{output}", arguments.replace("\"ticket_id\"", "\"ticket_number\"")),
    );
    let printed = project.build_fails();

    assert!(project.read("generated/ticket_status.rs").contains("pub ticket_number: String"));
    let handler = project.read("src/handlers/ticket_status.rs");
    let lines: Vec<usize> = handler
        .lines()
        .enumerate()
        .filter_map(|(index, line)| line.contains("Input { ticket_id }").then_some(index + 1))
        .collect();
    assert!(!lines.is_empty());
    for line in lines {
        let place = format!("src/handlers/ticket_status.rs:{line}:");
        assert!(printed.contains(&place), "{place} is not in:\n{printed}");
    }
    assert!(printed.contains("does not have a field named `ticket_id`"), "{printed}");
}

#[test]
fn new_contracts_are_named_until_they_have_a_handler() {
    let project = Scratch::helpdesk("scratch-unhandled");
    project.write("schemas/close_ticket.json", &scratch::contract("Close a ticket.", "ticket_id"));
    project.write(
        "schemas/boards/archive_board.json",
        &scratch::contract("Archive a board.", "board"),
    );
    let printed = project.build_fails();
    for tool in ["close_ticket", "archive_board"] {
        let message = format!("the tool `{tool}` has no handler");
        assert!(printed.contains(&message), "{message} is not in:\n{printed}");
    }
    assert!(printed.contains("schemas/close_ticket.json"), "the contract is named:\n{printed}");
    assert!(project.has("generated/close_ticket.rs"), "the mirror shows what is to be handled");
}
