//! `toolcast diff` from outside: versions from git, folders and files; exit statuses; every form of the report, with
//! contracts whose texts try to break out of it.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use tempfile::TempDir;

const OLD: &str = r#"{
  "description": "Find orders.",
  "type": "object",
  "properties": { "query": { "type": "string" }, "limit": { "type": "integer", "minimum": 1, "maximum": 100 } },
  "required": ["query"]
}"#;
const NARROW: &str = r#"{
  "description": "Find <script>alert(1)</script> ]]> \"orders\" @someone ``` ::error::x",
  "type": "object",
  "properties": { "query": { "type": "string" }, "limit": { "type": "integer", "minimum": 1, "maximum": 50 } },
  "required": ["query"]
}"#;

fn toolcast(here: &Path, arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_toolcast"))
        .current_dir(here)
        .args(arguments)
        .output()
        .expect("the command starts")
}

fn git(here: &Path, arguments: &[&str]) {
    let output = Command::new("git")
        .current_dir(here)
        .args(["-c", "user.name=t", "-c", "user.email=t@example.com", "-c", "commit.gpgsign=false"])
        .args(arguments)
        .output()
        .expect("git starts");
    assert!(output.status.success(), "git {arguments:?}: {}", text(&output.stderr));
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

fn write(folder: &Path, name: &str, contract: &str) {
    let path = folder.join(name);
    fs::create_dir_all(path.parent().expect("the file has a folder")).expect("a scratch folder");
    fs::write(path, contract).expect("a scratch folder");
}

/// Two folders, the second narrower.
fn folders() -> TempDir {
    let scratch = tempfile::tempdir().expect("a scratch folder");
    write(scratch.path(), "old/search.json", OLD);
    write(scratch.path(), "new/search.json", NARROW);
    scratch
}

/// A repository whose branch `feature` has the narrower contract in its working tree.
fn repository() -> TempDir {
    let scratch = tempfile::tempdir().expect("a scratch folder");
    git(scratch.path(), &["init", "-q", "-b", "main"]);
    write(scratch.path(), "schemas/search.json", OLD);
    git(scratch.path(), &["add", "."]);
    git(scratch.path(), &["commit", "-q", "-m", "one"]);
    git(scratch.path(), &["checkout", "-q", "-b", "feature"]);
    write(scratch.path(), "schemas/search.json", NARROW);
    scratch
}

#[test]
fn a_branch_against_where_it_left_the_default_branch() {
    let scratch = repository();
    let output = toolcast(scratch.path(), &["diff"]);
    assert_eq!(output.status.code(), Some(1), "{}", text(&output.stderr));
    let said = text(&output.stdout);
    assert!(said.starts_with("breaking[call-breaks] search"), "{said}");
    assert!(said.contains("schemas/search.json:4:"), "{said}");
    assert!(said.contains(r#"for example: {"query":"a","limit":100}"#), "{said}");
    assert!(said.contains("against the merge base with main"), "{said}");
    // Committed or not, it is the same change.
    git(scratch.path(), &["commit", "-q", "-a", "-m", "two"]);
    assert_eq!(text(&toolcast(scratch.path(), &["diff"]).stdout), said);
    let same = toolcast(scratch.path(), &["diff", "--against", "HEAD"]);
    assert_eq!(same.status.code(), Some(0));
    assert_eq!(text(&same.stdout), "no change in 1 tool against HEAD\n");
    // On the default branch itself there may be nothing to compare with, and that is said.
    git(scratch.path(), &["checkout", "-q", "main"]);
    let said = text(&toolcast(scratch.path(), &["diff"]).stdout);
    assert!(
        said.contains("note: the merge base with main is the commit that is checked out"),
        "{said}"
    );
}

#[test]
fn what_cannot_be_read_is_said() {
    let scratch = tempfile::tempdir().expect("a scratch folder");
    write(scratch.path(), "schemas/search.json", OLD);
    let says = |arguments: &[&str], expected: &str| {
        let output = toolcast(scratch.path(), arguments);
        let said = text(&output.stderr);
        assert_eq!(output.status.code(), Some(2), "{arguments:?}: {said}");
        assert!(said.contains(expected), "{arguments:?}: {said}");
    };
    says(&["diff"], "not a git repository");
    git(scratch.path(), &["init", "-q", "-b", "main"]);
    says(&["diff"], "no commit yet");
    git(scratch.path(), &["add", "."]);
    git(scratch.path(), &["commit", "-q", "-m", "one"]);
    says(&["diff", "--against", "nowhere"], "`nowhere` is no revision");
    // A revision is never an option of git's.
    says(&["diff", "--against=--output=/tmp/x"], "is no revision");
    says(&["diff", "--against=-p"], "is no revision");
    says(&["diff", "elsewhere"], "no such folder");
    write(scratch.path(), "toolcast.toml", "[diff]\nfail-on = \"never\"\n");
    says(&["diff"], "toolcast.toml");
}

#[test]
fn a_shallow_clone_is_told_to_fetch_more() {
    let scratch = repository();
    git(scratch.path(), &["commit", "-q", "-a", "-m", "two"]);
    git(scratch.path(), &["checkout", "-q", "main"]);
    write(scratch.path(), "other.txt", "x");
    git(scratch.path(), &["add", "."]);
    git(scratch.path(), &["commit", "-q", "-m", "three"]);
    let from = format!("file://{}", scratch.path().display());
    let clone = tempfile::tempdir().expect("a scratch folder");
    let options = ["clone", "-q", "--depth", "1", "--no-single-branch", "-b", "feature"];
    git(clone.path(), &[&options[..], &[&from, "here"]].concat());
    let output = toolcast(&clone.path().join("here"), &["diff"]);
    assert_eq!(output.status.code(), Some(2), "{}", text(&output.stdout));
    let said = text(&output.stderr);
    assert!(said.contains("shallow clone") && said.contains("fetch-depth: 0"), "{said}");
}

#[test]
fn a_faulty_version_is_never_no_change() {
    let scratch = folders();
    write(scratch.path(), "old/search.json", r#"{ "description": "x", "type": "strin" }"#);
    let output = toolcast(scratch.path(), &["diff", "--against", "./old", "new"]);
    assert_eq!(output.status.code(), Some(1));
    let said = text(&output.stdout);
    assert!(said.contains("breaking[version-unreadable] search"), "{said}");
    assert!(!said.contains("tool-added"), "{said}");
}

#[test]
fn bare_schemas_compare_in_their_direction() {
    let scratch = tempfile::tempdir().expect("a scratch folder");
    write(scratch.path(), "narrow.json", r#"{"type": "integer"}"#);
    write(scratch.path(), "wide.json", r#"{"type": "number"}"#);
    let status = |part: &str, old: &str, new: &str| {
        toolcast(scratch.path(), &["diff", "--as", part, "--against", old, new]).status.code()
    };
    assert_eq!(status("input", "narrow.json", "wide.json"), Some(0));
    assert_eq!(status("input", "wide.json", "narrow.json"), Some(1));
    assert_eq!(status("output", "narrow.json", "wide.json"), Some(1));
    assert_eq!(status("output", "wide.json", "narrow.json"), Some(0));
}

#[test]
fn levels_and_accepted_breaks() {
    let scratch = folders();
    let run = |config: &str, more: &[&str]| {
        write(scratch.path(), "toolcast.toml", config);
        let output =
            toolcast(scratch.path(), &[&["diff", "--against", "./old", "new"][..], more].concat());
        (output.status.code(), text(&output.stdout))
    };
    assert_eq!(run("", &[]).0, Some(1));
    assert_eq!(run("[diff.levels]\ncall-breaks = \"warning\"\n", &[]).0, Some(0));
    assert_eq!(
        run("[diff.levels]\ncall-breaks = \"warning\"\n", &["--fail-on", "warn"]).0,
        Some(1)
    );
}

#[test]
fn witnesses_are_kept_as_files() {
    let scratch = folders();
    let arguments = ["diff", "--against", "./old", "new", "--emit-witnesses", "kept"];
    assert_eq!(toolcast(scratch.path(), &arguments).status.code(), Some(1));
    let kept = fs::read_to_string(scratch.path().join("kept/search.call-breaks.json"));
    let kept: serde_json::Value = serde_json::from_str(&kept.expect("the file")).expect("JSON");
    assert_eq!(kept["value"]["limit"], 100);
}

fn form(name: &str) -> String {
    let scratch = folders();
    let arguments = ["diff", "--against", "./old", "new", "--format", name];
    let output = toolcast(scratch.path(), &arguments);
    assert_eq!(output.status.code(), Some(1), "{name}: {}", text(&output.stderr));
    text(&output.stdout)
}

#[test]
fn forms_for_machines() {
    let json: serde_json::Value = serde_json::from_str(&form("json")).expect("JSON");
    assert_eq!(json["changes"][0]["rule"], "call-breaks");
    let sarif: serde_json::Value = serde_json::from_str(&form("sarif")).expect("JSON");
    let result = &sarif["runs"][0]["results"][0];
    assert_eq!(result["ruleId"], "call-breaks");
    assert_eq!(result["locations"][0]["physicalLocation"]["region"]["startLine"], 4);
    let github = form("github");
    assert!(github.starts_with("::error file=new/search.json,line=4,"), "{github}");
    let commands = github.lines().filter(|line| line.contains("::error")).count();
    assert_eq!(commands, 1, "{github}");
    let junit = form("junit");
    assert!(junit.contains("failures=\"1\""), "{junit}");
    assert!(!junit.contains("<script>") && !junit.contains("]]>"), "{junit}");
}

#[test]
fn forms_for_people_hold_hostile_text() {
    let markdown = form("markdown");
    assert!(markdown.starts_with("<!-- toolcast diff -->\n"), "{markdown}");
    assert!(!markdown.contains("<script>") && !markdown.contains("@someone"), "{markdown}");
    assert!(markdown.contains("<details>"), "{markdown}");
    let page = form("html");
    assert!(!page.contains("<script>") && page.contains("&lt;script&gt;"), "{page}");
    assert!(!page.contains("http://") && !page.contains("https://"), "the page asks for nothing");
}

/// A browser, where one is installed.
fn browser() -> Option<PathBuf> {
    let names = ["chromium", "chromium-browser", "google-chrome", "google-chrome-stable"];
    let folders = std::env::var_os("PATH")?;
    std::env::split_paths(&folders)
        .flat_map(|folder| names.map(|name| folder.join(name)))
        .find(|path| path.is_file())
}

#[test]
fn a_browser_reads_the_page() {
    let Some(browser) = browser() else {
        eprintln!("SKIPPED: no Chromium is installed, so the page was not read by a browser");
        return;
    };
    let scratch = tempfile::tempdir().expect("a scratch folder");
    let page = scratch.path().join("page.html");
    fs::write(&page, form("html")).expect("a scratch folder");
    for dark in [false, true] {
        let mut command = Command::new(&browser);
        command.args([
            "--headless",
            "--no-sandbox",
            "--disable-gpu",
            "--disable-dev-shm-usage",
            "--disable-quic",
            "--no-first-run",
            "--disable-background-networking",
            "--disable-component-update",
            "--disable-sync",
            "--virtual-time-budget=2000",
            "--dump-dom",
        ]);
        if dark {
            command.arg("--blink-settings=preferredColorScheme=0");
        }
        command.arg(format!("--user-data-dir={}", scratch.path().join("profile").display()));
        let output = command.arg(&page).output().expect("the browser starts");
        let dom = text(&output.stdout);
        assert!(dom.contains("<details class=\"level breaking\" open=\"\">"), "{dom}");
        assert!(dom.contains("&lt;script&gt;alert(1)&lt;/script&gt;"), "{dom}");
        assert!(!dom.contains("<script>"), "{dom}");
    }
}
