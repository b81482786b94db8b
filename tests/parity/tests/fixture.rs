//! The harness on its own fixture, which needs nothing from outside: it passes what is right and finds what is not.

use parity::bindings::{self, Batch, Bindings};
use parity::corpus;
use parity::run::{self, Row};
use parity::scratch::{self, Scratch, Settings};
use std::fs;
use std::path::Path;

fn settings(name: &str) -> Settings {
    Settings {
        folder: scratch::scratch_folder(name),
        edition: "2024",
        arbitrary_precision: false,
        release: false,
        jobs: 2,
        quality: false,
        clock: Some(env!("CARGO_BIN_EXE_parity").into()),
    }
}

fn fixture() -> Vec<Batch> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixture");
    corpus::read(&folder).unwrap().iter().map(bindings::import).collect()
}

fn misses(rows: &[Row]) -> Vec<String> {
    let all = rows.iter().flat_map(|row| &row.misses);
    all.map(|miss| format!("{}: {}", miss.tool, miss.what)).collect()
}

#[test]
fn every_call_comes_back_as_it_was_sent() {
    let rows = run::run(&fixture(), &Settings { quality: true, ..settings("fixture") }).unwrap();
    assert_eq!(misses(&rows), [""; 0]);
    let [library] = rows.as_slice() else { panic!("one server in the fixture") };
    assert_eq!(library.calls, library.accepted);
    assert_eq!((library.tools, library.imported, library.compiled), (6, 6, 6));
}

#[test]
fn the_older_edition_and_arbitrary_precision_change_nothing() {
    let settings = Settings {
        edition: "2021",
        arbitrary_precision: true,
        quality: true,
        ..settings("fixture_2021")
    };
    assert_eq!(misses(&run::run(&fixture(), &settings).unwrap()), [""; 0]);
}

#[test]
fn clippy_and_rustdoc_find_what_is_planted() {
    let scratch = Scratch::new(settings("planted"));
    let index = "/// See [`nothing`].
pub fn late(a: i32) -> i32 { return a; }
pub fn must() -> u8 { 1 }
pub fn toolset<T>(_: T) -> toolcast::Toolset { toolcast::Toolset::of([]) }
";
    let files = [("mod.rs".to_owned(), index.to_owned())].into();
    scratch.write(&[Bindings { files, tools: Vec::new() }]).unwrap();
    let clippy = scratch.clippy(1).unwrap().remove(0).errors.join("\n");
    // One lint of clippy's own choice, one of its pedantic ones.
    for lint in ["needless_return", "must_use_candidate"] {
        assert!(clippy.contains(lint), "{lint}\n{clippy}");
    }
    let rustdoc = scratch.document(1).unwrap().remove(0).errors.join("\n");
    assert!(rustdoc.contains("unresolved link"), "{rustdoc}");
}

#[test]
fn every_kind_of_fault_is_a_miss_and_costs_no_other() {
    let folder = scratch::scratch_folder("faulty_corpus");
    for inner in ["servers", "calls"] {
        fs::create_dir_all(folder.join(inner)).unwrap();
    }
    let write = |path: &str, text: &[u8]| fs::write(folder.join(path), text).unwrap();
    write("servers/bytes.json", b"\xff\xfe");
    write("servers/cut.json", br#"{"tools": [{"name": "a""#);
    write("servers/number.json", b"7");
    write(
        "servers/half.json",
        br##"{"tools": [
            {"name": "good", "description": "Good.", "inputSchema": {"type": "object", "properties": {"a": {"type": "integer"}}}},
            {"name": "dangling", "description": "Bad.", "inputSchema": {"$ref": "#/nowhere"}},
            {"name": 7}, null, "tool"
        ]}"##,
    );
    write(
        "calls/half.jsonl",
        br#"{"tool": "good", "arguments": {"a": 1}}

{"tool": "good", "arguments": {"a": "1"}}
{"tool": "unheard_of", "arguments": {}}
{"arguments": {}}
{
"#,
    );
    write("calls/orphan.jsonl", b"{}\n");
    let batches: Vec<Batch> = corpus::read(&folder).unwrap().iter().map(bindings::import).collect();
    let rows = run::run(&batches, &settings("faulty")).unwrap();
    let found = misses(&rows).join("\n");
    for expected in [
        "bytes.json is not UTF-8",
        "good: refused though valid: {\"a\":\"1\"}",
        "unheard_of: 1 calls, and no bindings",
        "calls/half.jsonl:5: the line names no `tool`",
        "calls/half.jsonl:6: ",
        "calls/orphan.jsonl has no servers/orphan.json",
    ] {
        assert!(found.contains(expected), "{expected}\n---\n{found}");
    }
    for row in &rows {
        assert!(!row.misses.is_empty(), "{} has a fault", row.name);
    }
    // What the importer leaves out it says itself, with the place.
    let notes: Vec<&String> = rows.iter().flat_map(|row| &row.notes).collect();
    assert!(
        notes.iter().any(|note| note.contains("half.json:3") && note.contains("dangling")),
        "{notes:?}"
    );
    let half = rows.iter().find(|row| row.name == "half").unwrap();
    assert_eq!((half.tools, half.compiled, half.accepted, half.refused), (5, 1, 1, 1), "{found}");
}
