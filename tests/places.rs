//! What the command says, and leaves alone, where files and folders are not what they should be: names that a terminal would
//! obey, files in the place of folders, texts in other encodings, places that clash.

mod scratch;

use scratch::{contract, stderr, stdout};
use serde_json::Value;
use std::fs;
use std::path::Path;
use std::process::{Command, Output};
use tempfile::TempDir;

fn toolcast(folder: &Path, arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_toolcast"))
        .args(arguments)
        .current_dir(folder)
        .env_remove("TOOLCAST_MIRROR")
        .env_remove("CLICOLOR_FORCE")
        .output()
        .expect("cargo built the command before this test")
}

/// A folder with one contract in `schemas/`.
fn folder() -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    fs::create_dir(folder.path().join("schemas")).unwrap();
    fs::write(folder.path().join("schemas/greet.json"), contract("Greet a person.", "person"))
        .unwrap();
    folder
}

/// Every file and folder below a folder.
fn entries(root: &Path) -> Vec<String> {
    let mut found = Vec::new();
    let mut folders = vec![root.to_owned()];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(&folder).unwrap() {
            let path = entry.unwrap().path();
            found.push(path.strip_prefix(root).unwrap().to_string_lossy().into_owned());
            if path.is_dir() {
                folders.push(path);
            }
        }
    }
    found.sort();
    found
}

/// A name with what clears a screen, begins a line of its own, and turns the order of characters round.
const HOSTILE: &str = "a\u{1b}[2J\nerror: forged\r\u{9b}\u{202e}\u{2066}";

#[cfg(unix)]
#[test]
fn names_of_files_are_shown_and_not_obeyed() {
    let folder = folder();
    let root = folder.path();
    let schema = format!("schemas/{HOSTILE}.json");
    fs::write(root.join(&schema), "{").unwrap();
    let tools = format!("{HOSTILE}.tools");
    fs::write(root.join(&tools), r#"[{ "name": "a", "inputSchema": 1 }]"#).unwrap();
    fs::create_dir(root.join("old")).unwrap();
    fs::write(root.join("old/greet.json"), contract("Greet a person.", "person")).unwrap();
    let within = format!("{HOSTILE}/deep");
    for arguments in [
        &["check"][..],
        &["check", "--json"],
        &["check", HOSTILE],
        &["check", &schema],
        &["generate"],
        &["generate", "--json"],
        &["generate", "--schemas", HOSTILE],
        &["generate", "--schemas", "old", "--out", &schema],
        &["generate", "--schemas", "old", "--out", &within, "--check"],
        &["diff", "--against", "old"],
        &["diff", "--against", "old", "--format", "github"],
        &["diff", "--against", "old", "--json"],
        &["diff", "--against", &schema],
        &["diff", "--against", "old", HOSTILE],
        &["diff", "--against", HOSTILE],
        &["import", HOSTILE],
        &["import", &tools],
        &["import", &tools, "--json"],
        &["import", &schema],
        &["import", &tools, "--into", &schema],
        &["new", HOSTILE],
        &["new", "fine", "--schemas", &schema],
        &["init", &schema],
        &["init", "shop", "--toolcast-path", HOSTILE],
        &["init", "shop", "--name", HOSTILE],
    ] {
        let output = toolcast(root, arguments);
        let text = stdout(&output) + &stderr(&output);
        assert!(!text.is_empty(), "{arguments:?}");
        let obeyed = |c: char| c != '\n' && (c.is_control() || "\u{202e}\u{2066}".contains(c));
        assert!(!text.contains(obeyed), "{arguments:?}: {text:?}");
        assert!(!text.contains("\nerror: forged"), "{arguments:?}: {text}");
    }
    let shown = stdout(&toolcast(root, &["check"]));
    assert!(
        shown.contains(r"a\u{1b}[2J\nerror: forged\r\u{9b}\u{202e}\u{2066}.json:1:2:"),
        "{shown}"
    );
    // A script still reads the name as it is.
    let result: Value =
        serde_json::from_slice(&toolcast(root, &["check", "--json"]).stdout).unwrap();
    assert_eq!(result["findings"][0]["file"], schema);
}

#[test]
fn a_file_where_a_folder_is_wanted_is_called_one() {
    let folder = folder();
    let root = folder.path();
    fs::write(root.join("file"), "a file").unwrap();
    fs::write(root.join("tools.json"), r#"[{ "name": "a", "inputSchema": { "type": "object" } }]"#)
        .unwrap();
    let before = entries(root);
    for arguments in [
        &["check", "file"][..],
        &["generate", "--schemas", "file"],
        &["generate", "--out", "file"],
        &["generate", "--out", "file/deeper"],
        &["generate", "--out", "file", "--check"],
        &["import", "tools.json", "--into", "file"],
        &["import", "tools.json", "--into", "file/deeper"],
        &["new", "wave", "--schemas", "file"],
        &["init", "file"],
        &["init", "file/shop"],
    ] {
        let output = toolcast(root, arguments);
        assert_eq!(output.status.code(), Some(2), "{arguments:?}: {}", stdout(&output));
        let said = stderr(&output);
        assert!(
            said.starts_with("error: file: this is a file, where a folder is wanted\n  help: "),
            "{arguments:?}: {said}"
        );
        assert_eq!(entries(root), before, "{arguments:?}");
    }
}

#[test]
fn other_encodings_are_called_by_their_names() {
    let folder = folder();
    let text = contract("Greet a person.", "person");
    let wide = |bytes: fn(u16) -> [u8; 2]| text.encode_utf16().flat_map(bytes).collect::<Vec<u8>>();
    for (bytes, message) in [
        ([b"\xef\xbb\xbf", text.as_bytes()].concat(), "begins with a byte order mark"),
        ([&b"\xff\xfe"[..], &wide(u16::to_le_bytes)].concat(), "the file is UTF-16"),
        ([&b"\xfe\xff"[..], &wide(u16::to_be_bytes)].concat(), "the file is UTF-16"),
        (wide(u16::to_le_bytes), "the file is UTF-16"),
        (wide(u16::to_be_bytes), "the file is UTF-16"),
    ] {
        fs::write(folder.path().join("schemas/greet.json"), &bytes).unwrap();
        for arguments in [
            &["check"][..],
            &["generate"],
            &["import", "schemas/greet.json"],
            &["diff", "--as", "input", "--against", "schemas/greet.json", "schemas/greet.json"],
        ] {
            let output = toolcast(folder.path(), arguments);
            let said = stdout(&output) + &stderr(&output);
            if arguments[0] == "import" && message.contains("byte order mark") {
                // A list of tools is read once, and what is written has no mark: this one is no list.
                assert!(said.contains("schemas/greet.json:1:1:"), "{said}");
                continue;
            }
            assert!(
                said.contains(message) && said.contains("help: save it as UTF-8"),
                "{arguments:?}: {said}"
            );
        }
    }
}

#[test]
fn an_empty_list_of_tools_is_said_to_be_one() {
    let folder = folder();
    let before = entries(folder.path());
    for list in ["[]", r#"{ "tools": [] }"#] {
        fs::write(folder.path().join("schemas/../tools.json"), list).unwrap();
        let output = toolcast(folder.path(), &["import", "tools.json"]);
        assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
        assert!(
            stdout(&output).contains("tools.json: warning[no-tools]: the list of tools is empty"),
            "{}",
            stdout(&output)
        );
        let json = toolcast(folder.path(), &["import", "tools.json", "--json"]);
        let result: Value = serde_json::from_slice(&json.stdout).unwrap();
        assert_eq!(result["findings"][0]["rule"], "no-tools");
        fs::remove_file(folder.path().join("tools.json")).unwrap();
        assert_eq!(entries(folder.path()), before);
    }
}

#[test]
fn a_new_contract_clashes_with_none() {
    let folder = folder();
    let before = entries(folder.path());
    let output = toolcast(folder.path(), &["new", "Greet"]);
    assert_eq!(output.status.code(), Some(2), "{}", stdout(&output));
    assert!(stderr(&output).contains("differ only in case"), "{}", stderr(&output));
    assert_eq!(entries(folder.path()), before);
    // What is wrong already is no reason to refuse.
    fs::write(folder.path().join("schemas/GREET.json"), contract("Greet loudly.", "person"))
        .unwrap();
    let output = toolcast(folder.path(), &["new", "wave"]);
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
}

#[test]
fn a_project_that_cannot_be_started_leaves_nothing() {
    for (there, blocked) in
        [("shop/src", "src"), ("shop/schemas", "schemas"), ("shop/generated", "generated")]
    {
        let folder = tempfile::tempdir().unwrap();
        fs::create_dir(folder.path().join("shop")).unwrap();
        fs::write(folder.path().join(there), "mine").unwrap();
        fs::write(folder.path().join("shop/README.md"), "mine too").unwrap();
        let before = entries(folder.path());
        let output = toolcast(folder.path(), &["init", "shop"]);
        assert_eq!(output.status.code(), Some(2), "{}", stdout(&output));
        assert!(stderr(&output).contains(blocked), "{}", stderr(&output));
        assert_eq!(entries(folder.path()), before);
        assert_eq!(fs::read_to_string(folder.path().join(there)).unwrap(), "mine");
    }
}

#[test]
fn sets_of_bindings_leave_each_other_alone() {
    let folder = folder();
    let root = folder.path();
    fs::create_dir_all(root.join("api/schemas/boards")).unwrap();
    for name in ["schemas/wave.json", "api/schemas/list.json", "api/schemas/boards/rename.json"] {
        fs::write(root.join(name), contract("Does a thing.", "person")).unwrap();
    }
    // Nested and side by side, and from folders of the same name.
    let sets = [("schemas", "."), ("api/schemas", "api"), ("api/schemas", "wide/deep")];
    let generate = |(schemas, out): (&str, &str)| {
        let output = toolcast(root, &["generate", "--schemas", schemas, "--out", out]);
        assert_eq!(output.status.code(), Some(0), "{}{}", stdout(&output), stderr(&output));
        stdout(&output)
    };
    for set in sets {
        generate(set);
    }
    for set in sets {
        let said = generate(set);
        assert!(said.contains("is up to date"), "{set:?}: {said}");
        assert!(!said.contains("removed"), "{set:?}: {said}");
    }
    fs::remove_file(root.join("schemas/wave.json")).unwrap();
    fs::remove_file(root.join("api/schemas/boards/rename.json")).unwrap();
    assert_eq!(generate(sets[0]).matches("removed").count(), 2, "its Rust and its input");
    assert!(root.join("wide/deep/boards/rename.rs").exists());
    generate(sets[2]);
    assert!(!root.join("wide/deep/boards").exists());
    assert!(root.join("api/boards/rename.rs").exists());
}
