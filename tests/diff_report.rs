//! What the reports of `toolcast diff` say: every break and every edit, no two texts that contradict each other, levels that
//! mean what they say, acceptances that fit one change, witnesses that can be tried again.

use serde_json::{Value, json};
use std::fs;
use std::path::Path;
use std::process::{Command, Output};
use tempfile::TempDir;

fn run(here: &Path, arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_toolcast"))
        .current_dir(here)
        .args(arguments)
        .output()
        .expect("the command starts")
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

fn write(folder: &Path, name: &str, contents: &str) {
    let path = folder.join(name);
    fs::create_dir_all(path.parent().expect("the file has a folder")).expect("a scratch folder");
    fs::write(path, contents).expect("a scratch folder");
}

/// Two folders with the tool `search`.
fn folders(old: &Value, new: &Value) -> TempDir {
    let scratch = tempfile::tempdir().expect("a scratch folder");
    for (folder, contract) in [("old", old), ("new", new)] {
        let mut contract = contract.clone();
        if contract.get("description").is_none() {
            contract["description"] = "Find orders.".into();
        }
        write(scratch.path(), &format!("{folder}/search.json"), &contract.to_string());
    }
    scratch
}

fn compare(here: &Path, more: &[&str]) -> (i32, String) {
    let output = run(here, &[&["diff", "--against", "./old", "new"], more].concat());
    let said = text(&output.stdout) + &text(&output.stderr);
    (output.status.code().expect("an exit status"), said)
}

/// The rules and messages of all changes.
fn changes(old: &Value, new: &Value) -> Vec<(String, String, String)> {
    let scratch = folders(old, new);
    let (_, said) = compare(scratch.path(), &["--json"]);
    let report: Value = serde_json::from_str(&said).unwrap_or_else(|_| panic!("{said}"));
    let text = |change: &Value, name: &str| change[name].as_str().unwrap_or_default().to_owned();
    let changes = report["changes"].as_array().expect("a list of changes");
    changes
        .iter()
        .map(|change| (text(change, "rule"), text(change, "pointer"), text(change, "message")))
        .collect()
}

fn of_rule<'a>(changes: &'a [(String, String, String)], rule: &str) -> Vec<&'a str> {
    let own = changes.iter().filter(|(known, ..)| known == rule);
    own.map(|(_, pointer, _)| pointer.as_str()).collect()
}

#[test]
fn all_breaks_of_a_tool_are_told() {
    let old = json!({"type": "object", "properties": {
        "a": {"type": "integer", "maximum": 100}, "b": {"type": "string"}, "c": {"enum": ["x", "y"]}
    }});
    let new = json!({"type": "object", "properties": {
        "a": {"type": "integer", "maximum": 50}, "b": {"type": "string", "minLength": 2}, "c": {"enum": ["x"]}
    }, "required": ["b", "c"]});
    let found = changes(&old, &new);
    assert_eq!(
        of_rule(&found, "call-breaks"),
        [
            "/properties/a/maximum",
            "/properties/b/minLength",
            "/properties/c/enum",
            "/required/0",
            "/required/1"
        ],
        "{found:?}"
    );
}

#[test]
fn every_ignored_parameter_is_named_and_none_is_refused() {
    let old = json!({"type": "object", "properties": {
        "a": {"type": "integer"}, "b": {"type": "string"}, "c": {"type": "string"}
    }});
    let new = json!({"type": "object", "properties": {"c": {"type": "string"}}});
    let found = changes(&old, &new);
    let ignored = of_rule(&found, "call-parameter-ignored");
    assert_eq!(ignored, ["/properties/a", "/properties/b"], "{found:?}");
    let scratch = folders(&old, &new);
    let (status, said) = compare(scratch.path(), &[]);
    assert_eq!(status, 0, "{said}");
    assert!(said.contains("`a` is no longer declared") && said.contains("`b` is no"), "{said}");
    assert!(!said.contains("refused"), "{said}");
}

#[test]
fn whatever_changed_is_no_no_change() {
    let plain = json!({"type": "object", "properties": {"a": {"type": "string"}}});
    let with = |pointer: &str, name: &str, value: Value| {
        let mut schema = plain.clone();
        schema.pointer_mut(pointer).expect("a place")[name] = value;
        schema
    };
    for new in [
        with("", "title", json!("Search")),
        with("/properties/a", "title", json!("A")),
        with("/properties/a", "default", json!("x")),
        with("/properties/a", "deprecated", json!(true)),
        with("/properties/a", "description", json!("The a.")),
        with("/properties/a", "examples", json!(["x"])),
        with("", "additionalProperties", json!(true)),
        with("", "additionalProperties", json!(false)),
        with("", "x-tool", json!({"meta": {"a": 1}})),
        with("/properties", "b", json!({"type": "string"})),
    ] {
        for (old, new) in [(&plain, &new), (&new, &plain)] {
            let scratch = folders(old, new);
            let (_, said) = compare(scratch.path(), &[]);
            assert!(!said.contains("no change"), "{old} {new}: {said}");
            assert_eq!(compare(scratch.path(), &["--fail-on", "info"]).0, 1, "{old} {new}");
        }
    }
}

#[test]
fn a_result_member_that_goes_away_is_a_warning() {
    let output = |members: Value| json!({"type": "object", "x-tool": {"output": {"type": "object", "properties": members}}});
    let old = output(json!({"id": {"type": "string"}, "note": {"type": "string"}}));
    let new = output(json!({"id": {"type": "string"}}));
    let found = changes(&old, &new);
    assert_eq!(of_rule(&found, "result-member-gone"), ["/properties/note"], "{found:?}");
    let scratch = folders(&old, &new);
    assert_eq!(compare(scratch.path(), &["--fail-on", "warn"]).0, 1);
}

#[test]
fn an_empty_list_of_items_is_not_shown() {
    let old =
        json!({"type": "object", "properties": {"a": {"type": "string"}, "b": {"type": "string"}}});
    let new =
        json!({"type": "object", "properties": {"b": {"type": "string"}, "a": {"type": "string"}}});
    assert_eq!(of_rule(&changes(&old, &new), "api-changed"), Vec::<&str>::new());
}

#[test]
fn levels_mean_what_they_say() {
    let old = json!({"type": "object", "properties": {"a": {"type": "string"}}});
    let new = json!({"type": "object", "properties": {"a": {"type": "string", "default": "x"}}});
    let scratch = folders(&old, &new);
    for (level, status) in
        [("breaking", 0), ("unproven", 0), ("warn", 1), ("warning", 1), ("info", 1)]
    {
        let (found, said) = compare(scratch.path(), &["--fail-on", level]);
        assert_eq!(found, status, "{level}: {said}");
        let (_, said) = compare(scratch.path(), &["--fail-on", level, "--json"]);
        let report: Value = serde_json::from_str(&said).expect("JSON");
        assert_eq!(report["fails"], status == 1, "{level}");
        let expected = if level == "warn" { "warning" } else { level };
        assert_eq!(report["fail_on"], expected);
        let (_, said) = compare(scratch.path(), &["--fail-on", level, "--format", "junit"]);
        assert_eq!(said.contains("<failure"), status == 1, "{level}: {said}");
        write(scratch.path(), "toolcast.toml", &format!("[diff]\nfail-on = \"{level}\"\n"));
        assert_eq!(compare(scratch.path(), &[]).0, status, "{level}");
        assert_eq!(compare(scratch.path(), &["--json"]).0, status, "{level}");
        fs::remove_file(scratch.path().join("toolcast.toml")).expect("a scratch folder");
    }
}

#[test]
fn an_acceptance_fits_one_change() {
    let schema = |a: u32, b: u32| json!({"type": "object", "properties": {"a": {"maximum": a}, "b": {"maximum": b}}});
    let scratch = folders(&schema(100, 100), &schema(50, 100));
    let (_, said) = compare(scratch.path(), &["--json"]);
    let report: Value = serde_json::from_str(&said).expect("JSON");
    let entry = report["changes"][0]["acceptance"].as_str().expect("an entry");
    let entry = entry.replace("WHY", "agreed").replace("YYYY-MM-DD", "2999-12-31");
    write(scratch.path(), "toolcast.toml", &entry);
    let (status, said) = compare(scratch.path(), &[]);
    assert_eq!(status, 0, "{said}");
    assert!(said.contains("accepted[call-breaks]: search: agreed"), "{said}");
    // Neither another break of the tool, nor a worse one of the same place.
    for new in [schema(50, 50), schema(20, 100)] {
        write(scratch.path(), "new/search.json", &{
            let mut new = new;
            new["description"] = "Find orders.".into();
            new.to_string()
        });
        let (status, said) = compare(scratch.path(), &[]);
        assert_eq!(status, 1, "{said}");
    }
    // Its day passes.
    let scratch = folders(&schema(100, 100), &schema(50, 100));
    write(scratch.path(), "toolcast.toml", &entry.replace("2999", "2020"));
    assert_eq!(compare(scratch.path(), &[]).0, 1);
    // The form that accepted whatever came is refused, with what to write instead.
    let sweeping = "[[diff.accepted]]\nrule = \"call-breaks\"\ntool = \"search\"\nreason = \"agreed\"\nuntil = \"2999-12-31\"\n";
    write(scratch.path(), "toolcast.toml", sweeping);
    let (status, said) = compare(scratch.path(), &[]);
    assert_eq!(status, 2, "{said}");
    for line in entry.lines() {
        assert!(said.contains(line), "{line}: {said}");
    }
}

#[test]
fn an_invalid_bare_schema_is_not_compared() {
    let scratch = tempfile::tempdir().expect("a scratch folder");
    write(scratch.path(), "good.json", r#"{"type": "string"}"#);
    for (at, bad) in
        [r#"{"type": "strin"}"#, r#"{"minLength": -1}"#, r#"{"pattern": "("}"#, "[]", "7", "{"]
            .iter()
            .enumerate()
    {
        let name = format!("bad{at}.json");
        write(scratch.path(), &name, bad);
        for (old, new) in [("good.json", &*name), (&name, "good.json"), (&name, &name)] {
            for part in ["input", "output"] {
                let output = run(scratch.path(), &["diff", "--as", part, "--against", old, new]);
                let said = text(&output.stdout) + &text(&output.stderr);
                assert_eq!(output.status.code(), Some(2), "{bad}: {said}");
            }
        }
    }
}

#[test]
fn comments_hold_texts_as_letters_within_bounds() {
    let hostile = "see https://evil.example/x www.evil.example me@evil.example @someone fixes #1 \
                   owner/repo#2 GH-3 ![x](http://evil.example/y.png) <img src=x> \u{202e}back\u{1b}[1m";
    let mut old = json!({"type": "object", "properties": {}});
    let mut new = old.clone();
    for at in 0..60 {
        let name = format!("member{at}");
        old["properties"][&name] = json!({"type": "string", "description": "plain"});
        let long = format!("{hostile} {}", "@a #1 ".repeat(200));
        new["properties"][&name] =
            json!({"type": "string", "description": long, "default": hostile});
    }
    let scratch = folders(&old, &new);
    let (_, said) = compare(scratch.path(), &["--format", "markdown"]);
    assert!(said.starts_with("<!-- toolcast diff -->\n"), "{said}");
    assert!(said.len() < 65_536, "{} bytes", said.len());
    assert!(said.contains("For want of room"), "{said}");
    assert!(!said.contains(['\u{202e}', '\u{1b}']));
    let mut fenced = false;
    for line in said.lines() {
        if line.starts_with("```") {
            fenced = !fenced;
        } else if !fenced {
            for meaning in ["://", "www.", "@s", "@e", "@a", "#1", "#2", "GH-3", "![", "<img"] {
                assert!(!line.contains(meaning), "{meaning}: {line}");
            }
        }
    }
    assert!(!fenced, "every block is closed");
    assert_eq!(said.matches("<details>").count(), said.matches("</details>").count());
    let (_, said) = compare(scratch.path(), &["--format", "github"]);
    assert!(!said.contains(['\u{202e}', '\u{1b}']));
    assert!(said.lines().all(|line| !line.contains("file=./")), "{said}");
}

#[test]
fn annotations_name_files_plainly() {
    let old = json!({"type": "object", "properties": {"a": {"maximum": 9}}});
    let new = json!({"type": "object", "properties": {"a": {"maximum": 5}}});
    let scratch = folders(&old, &new);
    for new in ["./new", "./old/../new/", "new/."] {
        let output =
            run(scratch.path(), &["diff", "--against", "./old", new, "--format", "github"]);
        let said = text(&output.stdout);
        assert!(said.starts_with("::error file=new/search.json,line="), "{new}: {said}");
    }
}

#[test]
fn witnesses_can_be_tried_again() {
    let old = json!({"type": "object", "properties": {"a": {"maximum": 9}}});
    let new = json!({"type": "object", "properties": {"a": {"maximum": 5}}});
    let scratch = folders(&old, &new);
    let (_, said) = compare(scratch.path(), &["--explain"]);
    assert!(said.contains("breaking for the declared view, arguments of search: by {"), "{said}");
    assert!(said.contains("to accept it"), "{said}");
    let again = said.lines().find_map(|line| line.trim().strip_prefix("try again: "));
    let again = again.expect("a command");
    let again =
        again.replace("toolcast diff", &format!("'{}' diff", env!("CARGO_BIN_EXE_toolcast")));
    let output = Command::new("sh").current_dir(scratch.path()).args(["-c", &again]).output();
    let output = output.expect("a shell");
    assert_eq!(output.status.code(), Some(1), "{again}: {}", text(&output.stderr));
    assert!(text(&output.stdout).contains("1 of 1 still break"));
    assert_eq!(compare(scratch.path(), &["--emit-witnesses", "kept"]).0, 1);
    assert_eq!(compare(scratch.path(), &["--replay", "kept"]).0, 1);
    // Once mended, they are accepted.
    fs::copy(scratch.path().join("old/search.json"), scratch.path().join("new/search.json"))
        .expect("a scratch folder");
    let (status, said) = compare(scratch.path(), &["--replay", "kept"]);
    assert_eq!(status, 0, "{said}");
}

#[test]
fn the_view_has_its_first_name_still() {
    let old = json!({"type": "object", "properties": {"a": {"maximum": 9}}});
    let mut new = old.clone();
    new["properties"]["b"] = json!({"type": "string"});
    let scratch = folders(&old, &new);
    assert_eq!(compare(scratch.path(), &["--view", "declared"]).0, 0);
    assert_eq!(compare(scratch.path(), &["--view", "strict"]).0, 1);
    assert_eq!(compare(scratch.path(), &["--lens", "strict"]).0, 1);
    for key in ["view", "lens"] {
        write(scratch.path(), "toolcast.toml", &format!("[diff]\n{key} = \"strict\"\n"));
        assert_eq!(compare(scratch.path(), &[]).0, 1, "{key}");
    }
}
