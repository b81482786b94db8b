//! What the command does in a checkout that a stranger made: nothing hangs, nothing outside is shown, written or removed.
#![cfg(unix)]

mod scratch;

use scratch::{contract, stderr, stdout};
use std::fs;
use std::os::unix::fs::symlink;
use std::path::Path;
use std::process::{Command, Output, Stdio};
use std::time::{Duration, Instant};
use tempfile::TempDir;

/// Runs the command, and ends it where it hangs.
fn toolcast(folder: &Path, arguments: &[&str]) -> Output {
    let mut child = Command::new(env!("CARGO_BIN_EXE_toolcast"))
        .args(arguments)
        .current_dir(folder)
        .env("PROBE_TOKEN", "s3cr3t")
        .env_remove("TOOLCAST_MIRROR")
        .env_remove("CLICOLOR_FORCE")
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("cargo built the command before this test");
    let started = Instant::now();
    while child.try_wait().unwrap().is_none() {
        if started.elapsed() > Duration::from_secs(20) {
            child.kill().unwrap();
            panic!("{arguments:?} hangs");
        }
        std::thread::sleep(Duration::from_millis(10));
    }
    child.wait_with_output().unwrap()
}

fn folder() -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    for schemas in ["schemas", "old"] {
        fs::create_dir(folder.path().join(schemas)).unwrap();
        let greet = folder.path().join(schemas).join("greet.json");
        fs::write(greet, contract("Greet a person.", "person")).unwrap();
    }
    folder
}

fn fifo(path: &Path) {
    assert!(Command::new("mkfifo").arg(path).status().unwrap().success());
}

/// Refused with status 2, soon, and without a word of what was not to be read.
fn refused(root: &Path, arguments: &[&str], needle: &str) {
    let output = toolcast(root, arguments);
    let said = stdout(&output) + &stderr(&output);
    assert_eq!(output.status.code(), Some(2), "{arguments:?}: {said}");
    assert!(said.contains(needle), "{arguments:?}: {said}");
    assert!(!said.contains("s3cr3t"), "{arguments:?}: {said}");
}

#[test]
fn the_configuration_is_a_file_of_the_project() {
    let folder = folder();
    let root = folder.path();
    let config = root.join("toolcast.toml");
    let diff = ["diff", "--against", "old/", "schemas"];
    let leaves = "toolcast.toml: a symbolic link that leads out of the folder";
    for target in ["/proc/self/environ", "/dev/zero", "/etc/passwd"] {
        symlink(target, &config).unwrap();
        refused(root, &diff, leaves);
        fs::remove_file(&config).unwrap();
    }
    fifo(&config);
    refused(root, &diff, "toolcast.toml: this is not a regular file");
    fs::remove_file(&config).unwrap();
    fs::write(&config, "#".repeat((1 << 20) + 1)).unwrap();
    refused(root, &diff, "toolcast.toml: larger than 1048576 bytes");
    fs::remove_file(&config).unwrap();
    // What was never checked in is not shown, though it lies in the folder.
    fs::write(root.join("notes.txt"), "TOKEN=s3cr3t\n").unwrap();
    symlink("notes.txt", &config).unwrap();
    refused(root, &diff, "toolcast.toml: what this link leads to is no configuration");
    fs::create_dir(root.join(".git")).unwrap();
    fs::write(root.join(".git/config"), "[http]\nextraheader = s3cr3t\n").unwrap();
    fs::remove_file(&config).unwrap();
    symlink(".git/config", &config).unwrap();
    refused(root, &diff, leaves);
}

#[test]
fn contracts_and_imports_are_files_of_the_project() {
    let folder = folder();
    let root = folder.path();
    let elsewhere = tempfile::tempdir().unwrap();
    let secret = elsewhere.path().join("secret.json");
    fs::write(&secret, r#"{ "s3cr3t": 1, "type": "s3cr3t" }"#).unwrap();
    symlink(&secret, root.join("link.json")).unwrap();
    symlink(elsewhere.path(), root.join("away")).unwrap();
    fifo(&root.join("pipe.json"));
    for (path, needle) in [
        ("link.json", "a symbolic link that leads out of the folder"),
        ("pipe.json", "this is not a regular file"),
        ("/dev/zero", "this is not a regular file"),
    ] {
        refused(root, &["import", path], needle);
        refused(root, &["diff", "--as", "input", "--against", path, "schemas/greet.json"], "");
        refused(root, &["diff", "--against", path, "schemas/greet.json"], "");
    }
    let away = "away: a symbolic link that leads out of the project";
    for arguments in [
        &["check", "away"][..],
        &["generate", "--schemas", "away"],
        &["diff", "--against", "old/", "away"],
        &["generate", "--out", "away"],
        &["generate", "--out", "away/deeper"],
        &["import", "schemas/greet.json", "--into", "away"],
        &["new", "wave", "--schemas", "away"],
        &["init", "away/shop"],
    ] {
        refused(root, arguments, away);
    }
    assert_eq!(fs::read_dir(elsewhere.path()).unwrap().count(), 1, "nothing was written there");
    // In the folder itself, each is a finding, and the others are read.
    fs::rename(root.join("pipe.json"), root.join("schemas/pipe.json")).unwrap();
    fs::rename(root.join("link.json"), root.join("schemas/link.json")).unwrap();
    let output = toolcast(root, &["check"]);
    assert_eq!(output.status.code(), Some(1), "{}", stderr(&output));
    let said = stdout(&output);
    assert!(said.contains("schemas/pipe.json: error[unreadable]: this is not a regular"), "{said}");
    assert!(said.contains("schemas/link.json: error[symlink]"), "{said}");
    assert!(!said.contains("s3cr3t"), "{said}");
}

#[test]
fn generating_touches_nothing_that_is_not_its_own() {
    let folder = folder();
    let root = folder.path();
    let elsewhere = tempfile::tempdir().unwrap();
    fs::write(elsewhere.path().join("mod.rs"), "fn mine() {}").unwrap();
    fs::create_dir(root.join("schemas/boards")).unwrap();
    fs::write(root.join("schemas/boards/rename.json"), contract("Rename.", "person")).unwrap();
    fs::create_dir(root.join("generated")).unwrap();
    symlink(elsewhere.path(), root.join("generated/boards")).unwrap();
    fs::write(root.join("generated/greet.input.json"), "{\"mine\": 1}").unwrap();
    fifo(&root.join("generated/greet.rs"));
    for arguments in [&["generate"][..], &["generate", "--check"]] {
        refused(root, arguments, "generated/boards: a symbolic link stands in the way");
        refused(root, arguments, "generated/greet.input.json: a file stands in the way");
        refused(root, arguments, "generated/greet.rs: what is no regular file stands in the way");
    }
    assert!(!root.join("generated/mod.rs").exists());
    assert_eq!(fs::read_dir(elsewhere.path()).unwrap().count(), 1);
    for path in ["boards", "greet.input.json", "greet.rs"] {
        fs::remove_file(root.join("generated").join(path)).unwrap();
    }
    // A header that anyone can write, and what stands beside it.
    let crafted = "// @generated by toolcast from schemas/notes.json. Do not edit.\nfn mine() {}\n";
    fs::write(root.join("generated/notes.rs"), crafted).unwrap();
    fs::write(root.join("generated/notes.input.json"), "{}").unwrap();
    let run = |arguments: &[&str]| {
        let output = toolcast(root, arguments);
        assert_eq!(output.status.code(), Some(0), "{}{}", stdout(&output), stderr(&output));
        stdout(&output)
    };
    run(&["generate"]);
    fs::remove_dir_all(root.join("schemas/boards")).unwrap();
    let said = run(&["generate"]);
    assert_eq!(said.matches("removed").count(), 3, "its index, its Rust and its input: {said}");
    assert!(!root.join("generated/boards").exists());
    assert!(root.join("generated/notes.rs").exists());
    assert!(root.join("generated/notes.input.json").exists());
    run(&["generate", "--check"]);
}

#[test]
fn line_ends_of_a_checkout_are_no_difference() {
    let folder = folder();
    let root = folder.path();
    let generate = |arguments: &[&str]| {
        let output = toolcast(root, &[&["generate"], arguments].concat());
        assert_eq!(output.status.code(), Some(0), "{}{}", stdout(&output), stderr(&output));
    };
    generate(&[]);
    // As `core.autocrlf` checks files out.
    let wide = |path: &Path| {
        let text = fs::read_to_string(path).unwrap();
        fs::write(path, text.replace('\n', "\r\n")).unwrap();
    };
    wide(&root.join("schemas/greet.json"));
    for entry in fs::read_dir(root.join("generated")).unwrap() {
        wide(&entry.unwrap().path());
    }
    generate(&["--check"]);
    generate(&["--out", "again"]);
    for entry in fs::read_dir(root.join("again")).unwrap() {
        let text = fs::read_to_string(entry.unwrap().path()).unwrap();
        assert!(!text.contains('\r'), "what is written has one kind of line ends: {text}");
    }
}

#[test]
fn witnesses_are_not_written_through_links() {
    let folder = folder();
    let root = folder.path();
    let elsewhere = tempfile::tempdir().unwrap();
    let victim = elsewhere.path().join("victim");
    fs::write(&victim, "mine").unwrap();
    fs::write(root.join("schemas/greet.json"), contract("Greet a person.", "someone_else"))
        .unwrap();
    let diff = ["diff", "--against", "./old", "schemas", "--emit-witnesses"];
    let found = toolcast(root, &[&diff[..], &["found"]].concat());
    assert_eq!(found.status.code(), Some(1), "{}", stderr(&found));
    let names: Vec<_> =
        fs::read_dir(root.join("found")).unwrap().map(|entry| entry.unwrap().file_name()).collect();
    assert!(!names.is_empty());
    fs::create_dir(root.join("kept")).unwrap();
    for name in &names {
        symlink(&victim, root.join("kept").join(name)).unwrap();
    }
    toolcast(root, &[&diff[..], &["kept"]].concat());
    assert_eq!(fs::read_to_string(&victim).unwrap(), "mine");
    symlink(elsewhere.path(), root.join("away")).unwrap();
    refused(root, &[&diff[..], &["away"]].concat(), "leads out of the project");
}
