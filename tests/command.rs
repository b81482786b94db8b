//! The `toolcast` command as a person or a script meets it.

mod scratch;

use scratch::{CHECKOUT, contract, stderr, stdout, target, tree};
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

#[test]
fn our_own_bindings_are_fresh() {
    let output = toolcast(Path::new(CHECKOUT), &["generate", "--check"]);
    assert_eq!(output.status.code(), Some(0), "{}{}", stdout(&output), stderr(&output));
}

#[test]
fn generate_writes_what_differs_and_nothing_else() {
    let folder = folder();
    let first = toolcast(folder.path(), &["generate"]);
    assert_eq!(first.status.code(), Some(0), "{}", stderr(&first));
    assert!(stdout(&first).contains("generated/greet.rs"), "{}", stdout(&first));
    let written =
        fs::metadata(folder.path().join("generated/greet.rs")).unwrap().modified().unwrap();

    let second = toolcast(folder.path(), &["generate"]);
    assert_eq!(second.status.code(), Some(0));
    assert!(!stdout(&second).contains("generated/greet.rs"), "{}", stdout(&second));
    assert_eq!(
        fs::metadata(folder.path().join("generated/greet.rs")).unwrap().modified().unwrap(),
        written
    );
}

#[test]
fn generate_removes_the_bindings_of_a_deleted_contract() {
    let folder = folder();
    fs::write(folder.path().join("schemas/wave.json"), contract("Wave.", "person")).unwrap();
    toolcast(folder.path(), &["generate"]);
    fs::remove_file(folder.path().join("schemas/wave.json")).unwrap();

    let stale = toolcast(folder.path(), &["generate", "--check"]);
    assert_eq!(stale.status.code(), Some(1));
    assert!(stdout(&stale).contains("generated/wave.rs"), "{}", stdout(&stale));

    toolcast(folder.path(), &["generate"]);
    assert!(!folder.path().join("generated/wave.rs").exists());
    assert_eq!(toolcast(folder.path(), &["generate", "--check"]).status.code(), Some(0));
}

#[test]
fn check_of_stale_bindings_writes_nothing_and_names_the_command() {
    let folder = folder();
    let arguments = ["--schemas", "schemas", "--out", "src/bindings"];
    toolcast(folder.path(), &[&["generate"], &arguments[..]].concat());
    fs::write(folder.path().join("schemas/greet.json"), contract("Greet somebody.", "person"))
        .unwrap();
    let before = tree(folder.path());
    let output = toolcast(folder.path(), &[&["generate", "--check"], &arguments[..]].concat());
    assert_eq!(output.status.code(), Some(1));
    assert!(stdout(&output).contains("src/bindings/greet.rs"), "{}", stdout(&output));
    assert!(
        stdout(&output).contains("toolcast generate --out src/bindings"),
        "{}",
        stdout(&output)
    );
    assert_eq!(tree(folder.path()), before);
}

#[test]
fn results_come_as_json_for_scripts() {
    let folder = folder();
    let output = toolcast(folder.path(), &["generate", "--check", "--json"]);
    assert_eq!(output.status.code(), Some(1));
    let result: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(result["tools"], 1);
    assert!(
        result["stale"].as_array().unwrap().contains(&Value::from("generated/greet.rs")),
        "{result}"
    );

    fs::write(folder.path().join("schemas/broken.json"), "{\n  \"type\": \"object\",\n}\n")
        .unwrap();
    let output = toolcast(folder.path(), &["check", "--json"]);
    assert_eq!(output.status.code(), Some(1));
    let result: Value = serde_json::from_slice(&output.stdout).unwrap();
    let finding = &result["findings"][0];
    assert_eq!(finding["severity"], "error");
    assert_eq!(finding["file"], "schemas/broken.json");
    assert_eq!(finding["line"], 3);
    assert!(finding["rule"].is_string() && finding["message"].is_string(), "{finding}");
}

#[test]
fn every_fault_of_every_file_is_reported_in_one_run() {
    let folder = folder();
    let write = |name: &str, bytes: &[u8]| {
        fs::write(folder.path().join("schemas").join(name), bytes).unwrap()
    };
    write("broken.json", b"{\n  \"type\": \"object\",\n}\n");
    write("latin.json", b"{ \"description\": \"caf\xe9\" }");
    write("silent.json", br#"{ "type": "object", "x-tool": { "exclusiv": true } }"#);
    let output = toolcast(folder.path(), &["check"]);
    assert_eq!(output.status.code(), Some(1));
    let text = stdout(&output);
    for place in ["schemas/broken.json:3:1: error[", "schemas/latin.json", "schemas/silent.json:1:"]
    {
        assert!(text.contains(place), "{place} is not in:\n{text}");
    }
    assert!(text.contains("exclusive"), "the nearest known member is named:\n{text}");
    assert!(text.matches("schemas/silent.json").count() >= 2, "both faults of one file:\n{text}");

    // Nothing is generated from contracts that cannot be used.
    let output = toolcast(folder.path(), &["generate"]);
    assert_eq!(output.status.code(), Some(1));
    assert!(!folder.path().join("generated").exists());
}

#[test]
fn what_no_type_says_is_noted_and_passes() {
    let folder = folder();
    let schema = r#"{ "description": "Odd.", "type": "object", "properties": { "odd": { "type": "array", "prefixItems": [{ "type": "string" }, { "type": "integer" }] } } }"#;
    fs::write(folder.path().join("schemas/odd.json"), schema).unwrap();
    let output = toolcast(folder.path(), &["check"]);
    assert_eq!(output.status.code(), Some(0), "{}", stdout(&output));
    assert!(stdout(&output).contains("schemas/odd.json:1:"), "{}", stdout(&output));
    assert!(stdout(&output).contains("note["), "{}", stdout(&output));
}

#[test]
fn sound_contracts_pass_quietly() {
    let folder = folder();
    let output = toolcast(folder.path(), &["check"]);
    assert_eq!(output.status.code(), Some(0));
    assert!(stdout(&output).contains('1'), "{}", stdout(&output));
    assert_eq!(stderr(&output), "");
}

#[test]
fn what_cannot_run_ends_with_two() {
    let folder = tempfile::tempdir().unwrap();
    for arguments in [
        &["check"][..],
        &["check", "nowhere"],
        &["generate"],
        &["generate", "--check"],
        &["generate", "--unknown"],
        &["new", "no spaces"],
        &["new", "boards/../../escape"],
        &["init", "shop", "--toolcast-path", "."],
        &["init", "shop", "--name", "1st"],
        &[],
    ] {
        let output = toolcast(folder.path(), arguments);
        assert_eq!(output.status.code(), Some(2), "{arguments:?}: {}", stderr(&output));
        assert!(!stderr(&output).is_empty(), "{arguments:?} says why");
    }
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 0, "nothing is left behind");
}

#[test]
fn a_place_that_cannot_be_written_to_is_named() {
    let folder = folder();
    fs::write(folder.path().join("generated"), "a file where the folder should be").unwrap();
    let output = toolcast(folder.path(), &["generate"]);
    assert_eq!(output.status.code(), Some(2));
    assert!(stderr(&output).contains("generated"), "{}", stderr(&output));
}

#[test]
fn colour_is_for_terminals_unless_asked_for() {
    let folder = folder();
    fs::write(folder.path().join("schemas/broken.json"), "{").unwrap();
    assert!(!stdout(&toolcast(folder.path(), &["check"])).contains('\u{1b}'));
    assert!(stdout(&toolcast(folder.path(), &["check", "--color", "always"])).contains('\u{1b}'));
    assert!(!stdout(&toolcast(folder.path(), &["check", "--color", "never"])).contains('\u{1b}'));
    assert!(stdout(&toolcast(folder.path(), &["--color", "always", "--help"])).contains('\u{1b}'));
    assert!(!stdout(&toolcast(folder.path(), &["--help"])).contains('\u{1b}'));
}

#[test]
fn help_teaches_and_the_version_is_that_of_the_package() {
    let here = Path::new(CHECKOUT);
    for command in ["generate", "check", "init", "new", "completions"] {
        let output = toolcast(here, &[command, "--help"]);
        assert_eq!(output.status.code(), Some(0));
        assert!(stdout(&output).contains("Example"), "{command} --help shows no example");
    }
    assert_eq!(
        stdout(&toolcast(here, &["--version"])),
        format!("toolcast {}\n", env!("CARGO_PKG_VERSION"))
    );
}

#[test]
fn completions_are_scripts_of_the_shell() {
    let folder = tempfile::tempdir().unwrap();
    for shell in ["bash", "elvish", "fish", "powershell", "zsh"] {
        let output = toolcast(folder.path(), &["completions", shell]);
        assert_eq!(output.status.code(), Some(0));
        assert!(stdout(&output).contains("generate"), "{shell}");
    }
    let script = folder.path().join("toolcast.bash");
    fs::write(&script, toolcast(folder.path(), &["completions", "bash"]).stdout).unwrap();
    let checked = Command::new("bash").arg("-n").arg(&script).status().unwrap();
    assert!(checked.success());
}

/// Runs the project's command with the target folder of this test run.
fn cargo_run(project: &Path, arguments: &[&str]) -> Output {
    Command::new(env!("CARGO"))
        .args(["run", "-q", "--"])
        .args(arguments)
        .current_dir(project)
        .env("CARGO_TARGET_DIR", target())
        .env("CARGO_NET_OFFLINE", "true")
        // As our own profile, so that dependencies are shared with it.
        .env("CARGO_PROFILE_DEV_DEBUG", "line-tables-only")
        .env_remove("TOOLCAST_MIRROR")
        .env_remove("RUSTFLAGS")
        .output()
        .unwrap()
}

#[test]
fn a_new_project_runs_at_once_and_grows() {
    let folder = tempfile::tempdir().unwrap();
    // A package around it, as when a project is started inside a checkout.
    fs::write(folder.path().join("Cargo.toml"), scratch::manifest("scratch-around")).unwrap();
    let arguments = ["init", "scratch-shop", "--toolcast-path", CHECKOUT];
    let output = toolcast(folder.path(), &arguments);
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    let shop = folder.path().join("scratch-shop");

    let before = tree(&shop);
    let fresh = toolcast(&shop, &["generate", "--check"]);
    assert_eq!(
        fresh.status.code(),
        Some(0),
        "a new project's bindings are fresh: {}",
        stdout(&fresh)
    );
    let called = cargo_run(&shop, &["call", "greet", r#"{"name":"Ada"}"#]);
    assert_eq!(stdout(&called), "{\"greeting\":\"Hello, Ada!\"}\n", "{}", stderr(&called));
    let after: Vec<_> = tree(&shop).into_iter().filter(|(name, _)| name != "Cargo.lock").collect();
    let before: Vec<_> = before.into_iter().filter(|(name, _)| name != "Cargo.lock").collect();
    assert_eq!(before, after, "the first build changes no file of the project");

    // What exists is never overwritten.
    let again = toolcast(folder.path(), &arguments);
    assert_eq!(again.status.code(), Some(2));
    assert!(stderr(&again).contains("Cargo.toml"), "{}", stderr(&again));

    // A contract, and the handler as it was printed.
    let created =
        toolcast(&shop, &["new", "boards/archive_board", "--description", "Archive a \"board\"."]);
    assert_eq!(created.status.code(), Some(0), "{}", stderr(&created));
    assert_eq!(toolcast(&shop, &["check"]).status.code(), Some(0));
    let missing = cargo_run(&shop, &["list"]);
    assert!(stderr(&missing).contains("`archive_board` has no handler"), "{}", stderr(&missing));

    fs::write(shop.join("src/handlers/archive_board.rs"), &created.stdout).unwrap();
    let handlers = fs::read_to_string(shop.join("src/handlers/mod.rs")).unwrap();
    fs::write(
        shop.join("src/handlers/mod.rs"),
        handlers.replace("mod greet;", "mod archive_board;\nmod greet;"),
    )
    .unwrap();
    let listed = cargo_run(&shop, &["list", "--json"]);
    assert!(stdout(&listed).contains("archive_board"), "{}", stderr(&listed));
    let called = cargo_run(&shop, &["call", "archive_board", r#"{"query":"triage"}"#]);
    assert_eq!(called.status.code(), Some(1), "{}", stderr(&called));

    let twice = toolcast(&shop, &["new", "boards/archive_board"]);
    assert_eq!(twice.status.code(), Some(2));
}

#[test]
fn a_new_contract_never_breaks_the_others() {
    let folder = folder();
    let before = tree(folder.path());
    // The name of a tool is its file's stem, so that the other folder does not help.
    let taken = toolcast(folder.path(), &["new", "team/greet"]);
    assert_eq!(taken.status.code(), Some(2));
    assert!(stderr(&taken).contains("greet.json"), "{}", stderr(&taken));
    assert_eq!(tree(folder.path()), before);

    // What is no Rust name as it stands has one in the handler.
    let created = toolcast(folder.path(), &["new", "team/match"]);
    assert!(
        stdout(&created).contains("use crate::tools::team::r#match::{Handler, Input};"),
        "{}",
        stdout(&created)
    );
    let created = toolcast(folder.path(), &["new", "wave-at"]);
    assert!(
        stdout(&created).contains("use crate::tools::wave_at::{Handler, Input};"),
        "{}",
        stdout(&created)
    );
    assert_eq!(toolcast(folder.path(), &["check"]).status.code(), Some(0));
}

#[cfg(target_os = "linux")]
#[test]
fn a_result_that_could_not_be_printed_is_a_failure() {
    let folder = folder();
    let full = fs::File::options().write(true).open("/dev/full").unwrap();
    let output = Command::new(env!("CARGO_BIN_EXE_toolcast"))
        .args(["check", "--json"])
        .current_dir(folder.path())
        .stdout(full)
        .output()
        .unwrap();
    assert_eq!(output.status.code(), Some(2));
    assert!(stderr(&output).starts_with("error: standard output: "), "{}", stderr(&output));
}

#[test]
fn bindings_are_not_written_among_the_contracts() {
    let folder = folder();
    #[cfg(unix)]
    std::os::unix::fs::symlink("schemas", folder.path().join("link")).unwrap();
    let before = tree(folder.path());
    for out in [
        "schemas",
        "schemas/generated/deeper",
        "./schemas/../schemas",
        "missing/../schemas",
        "missing/../schemas/new",
        #[cfg(unix)]
        "link/new",
    ] {
        let output = toolcast(folder.path(), &["generate", "--out", out]);
        assert_eq!(output.status.code(), Some(2), "{out}: {}", stdout(&output));
        assert!(stderr(&output).contains("help: write them to a folder beside it"), "{out}");
        assert_eq!(tree(folder.path()), before, "{out}");
    }
    let beside = toolcast(folder.path(), &["generate", "--out", "schemas_generated"]);
    assert_eq!(beside.status.code(), Some(0), "{}", stderr(&beside));
}

#[test]
fn nothing_is_generated_from_a_pattern_that_is_none() {
    let folder = folder();
    let schema = contract("Greet a person.", "person").replacen(
        "\"type\": \"string\"",
        "\"type\": \"string\", \"pattern\": \"^[A-Z\"",
        1,
    );
    assert!(schema.contains("pattern"));
    fs::write(folder.path().join("schemas/greet.json"), schema).unwrap();
    for command in ["check", "generate"] {
        let output = toolcast(folder.path(), &[command]);
        assert_eq!(output.status.code(), Some(1), "{}", stdout(&output));
        let text = stdout(&output);
        assert!(text.contains("error[pattern-syntax]: `^[A-Z` is no regular expression"), "{text}");
        assert_eq!(text.matches("error[").count(), 1, "told once: {text}");
    }
    assert!(!folder.path().join("generated").exists());
}
