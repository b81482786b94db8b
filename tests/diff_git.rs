//! What `toolcast diff` asks of git in a repository that a stranger made: git runs nothing that is checked in, what a
//! revision is called is never taken for a folder, and a comparison with nothing is never "no change".
#![cfg(unix)]

use std::fs;
use std::os::unix::fs::{PermissionsExt, symlink};
use std::path::Path;
use std::process::{Command, Output};
use tempfile::TempDir;

fn contract(most: u32) -> String {
    format!(
        r#"{{
  "description": "Find orders.",
  "type": "object",
  "properties": {{ "limit": {{ "type": "integer", "maximum": {most} }} }}
}}"#
    )
}

fn run(here: &Path, environment: &[(&str, &str)], arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_toolcast"))
        .current_dir(here)
        .envs(environment.iter().copied())
        .args(arguments)
        .output()
        .expect("the command starts")
}

/// The exit status, and all that was said.
fn said(here: &Path, arguments: &[&str]) -> (i32, String) {
    let output = run(here, &[], arguments);
    let text = String::from_utf8_lossy(&output.stdout).into_owned()
        + &String::from_utf8_lossy(&output.stderr);
    (output.status.code().expect("an exit status"), text)
}

fn git(here: &Path, arguments: &[&str]) {
    let output = Command::new("git")
        .current_dir(here)
        .args(["-c", "user.name=t", "-c", "user.email=t@example.com", "-c", "commit.gpgsign=false"])
        .args(["-c", "protocol.file.allow=always"])
        .args(arguments)
        .output()
        .expect("git starts");
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "git {arguments:?}: {said}");
}

fn write(folder: &Path, name: &str, text: &str) {
    let path = folder.join(name);
    fs::create_dir_all(path.parent().expect("the file has a folder")).expect("a scratch folder");
    fs::write(path, text).expect("a scratch folder");
}

fn commit(here: &Path, message: &str) {
    git(here, &["add", "-A", "-f", "."]);
    git(here, &["commit", "-q", "--allow-empty", "-m", message]);
}

/// A repository with one contract on `main`, and a narrower one in the working tree of `feature`.
fn repository() -> TempDir {
    let scratch = tempfile::tempdir().expect("a scratch folder");
    git(scratch.path(), &["init", "-q", "-b", "main"]);
    write(scratch.path(), "schemas/search.json", &contract(100));
    commit(scratch.path(), "one");
    git(scratch.path(), &["checkout", "-q", "-b", "feature"]);
    write(scratch.path(), "schemas/search.json", &contract(50));
    scratch
}

/// A command that leaves a mark, and the mark.
fn trap(scratch: &Path) -> (String, std::path::PathBuf) {
    let mark = scratch.join("mark-of-the-trap");
    let script = scratch.join("trap.sh");
    fs::write(&script, format!("#!/bin/sh\ntouch '{}'\n", mark.display())).expect("a script");
    fs::set_permissions(&script, fs::Permissions::from_mode(0o755)).expect("a script");
    (script.display().to_string(), mark)
}

/// Makes a folder look like a repository that asks for a command to be run.
fn like_a_repository(folder: &Path, command: &str) {
    let config = format!(
        "[core]\n\trepositoryformatversion = 1\n\tbare = false\n\tworktree = .\n\tfsmonitor = {command}\n\
         \tsshCommand = {command}\n\thooksPath = {command}\n\tpager = {command}\n\
         [extensions]\n\tpartialClone = origin\n\
         [remote \"origin\"]\n\turl = .\n\tuploadpack = {command}\n\tpromisor = true\n\
         [diff]\n\texternal = {command}\n"
    );
    for (name, text) in [
        ("HEAD", "ref: refs/heads/main\n"),
        ("config", &config),
        ("objects/info/keep", ""),
        ("refs/heads/main", "1111111111111111111111111111111111111111\n"),
    ] {
        write(folder, name, text);
    }
}

#[test]
fn a_tracked_folder_is_no_repository() {
    let scratch = repository();
    let (command, mark) = trap(scratch.path());
    for inner in ["schemas", "schemas/boards"] {
        like_a_repository(&scratch.path().join(inner), &command);
    }
    commit(scratch.path(), "two");
    for (here, arguments) in [
        ("", &["diff", "--against", "main"][..]),
        ("", &["diff"]),
        ("", &["diff", "--against", "main", "./schemas"]),
        ("schemas", &["diff", "--against", "main", "."]),
        ("schemas/boards", &["diff", "--against", "main", ".."]),
    ] {
        let (status, said) = said(&scratch.path().join(here), arguments);
        assert_eq!(status, 1, "{arguments:?}: {said}");
        assert!(said.contains("breaking[call-breaks] search"), "{arguments:?}: {said}");
        assert!(!mark.exists(), "{arguments:?} ran what was checked in");
    }
    // What the environment says of git counts as little.
    let environment = [
        ("GIT_EXTERNAL_DIFF", command.as_str()),
        ("GIT_CONFIG_COUNT", "1"),
        ("GIT_CONFIG_KEY_0", "core.fsmonitor"),
        ("GIT_CONFIG_VALUE_0", command.as_str()),
        ("GIT_PAGER", command.as_str()),
        ("GIT_TRACE", "/dev/null"),
        ("GIT_INDEX_FILE", "nowhere"),
        ("GIT_CEILING_DIRECTORIES", "/"),
    ];
    let output = run(scratch.path(), &environment, &["diff", "--against", "main"]);
    assert_eq!(output.status.code(), Some(1));
    assert!(!mark.exists(), "the environment's command ran");
}

#[test]
fn nothing_is_fetched_and_no_program_of_the_checkout_runs() {
    let scratch = repository();
    let (command, mark) = trap(scratch.path());
    commit(scratch.path(), "two");
    // The repository's own configuration is as bad as can be, and its objects are not all there.
    for (key, value) in [
        ("core.fsmonitor", command.as_str()),
        ("core.hooksPath", command.as_str()),
        ("diff.external", command.as_str()),
        ("core.pager", command.as_str()),
        ("core.repositoryformatversion", "1"),
        ("extensions.partialClone", "origin"),
        ("remote.origin.url", "."),
        ("remote.origin.promisor", "true"),
        ("remote.origin.uploadpack", command.as_str()),
        ("protocol.file.allow", "always"),
    ] {
        git(scratch.path(), &["config", key, value]);
    }
    let missing = "1".repeat(40);
    let (status, text) = said(scratch.path(), &["diff", "--against", &missing]);
    assert_eq!(status, 2, "{text}");
    assert!(!mark.exists(), "a missing object was fetched");
    // A `git` in the checkout is not the one that runs, even where the search path begins there.
    let own = scratch.path().join("git");
    fs::copy(scratch.path().join("trap.sh"), &own).expect("a script");
    let path = format!(".::{}", std::env::var("PATH").expect("a search path"));
    let output = run(scratch.path(), &[("PATH", &path)], &["diff", "--against", "main"]);
    assert_eq!(output.status.code(), Some(1));
    assert!(!mark.exists(), "a program of the checkout ran");
}

#[test]
fn a_folder_of_a_revisions_name_is_no_revision() {
    let scratch = repository();
    commit(scratch.path(), "two");
    let output =
        Command::new("git").current_dir(scratch.path()).args(["rev-parse", "main"]).output();
    let hash = String::from_utf8(output.expect("git starts").stdout).expect("a hash");
    for revision in [hash.trim(), "main", "refs/heads/main", "main~0"] {
        write(scratch.path(), &format!("{revision}/search.json"), &contract(50));
        let (status, said) = said(scratch.path(), &["diff", "--against", revision]);
        assert_eq!(status, 1, "{revision}: {said}");
        assert!(said.contains("breaking[call-breaks]"), "{revision}: {said}");
    }
    // A folder is named as one.
    for arguments in [
        &["--against", "./main"][..],
        &["--against", "main/"],
        &["--against-path", "main"],
        &["--against-dir=main"],
    ] {
        let (status, said) = said(scratch.path(), &[&["diff"], arguments].concat());
        assert_eq!(status, 0, "{arguments:?}: {said}");
    }
    let (status, text) = said(scratch.path(), &["diff", "--against", "schemas"]);
    assert_eq!(status, 2, "{text}");
    assert!(text.contains("--against-path schemas"), "{text}");
    // A name of two things is none.
    git(scratch.path(), &["tag", "main", "feature"]);
    let (status, text) = said(scratch.path(), &["diff", "--against", "main"]);
    assert_eq!(status, 2, "{text}");
    assert!(text.contains("more than one thing"), "{text}");
    // The default branch is a branch.
    let (status, text) = said(scratch.path(), &["diff"]);
    assert_eq!(status, 1, "{text}");
}

#[test]
fn nothing_is_never_no_change() {
    let scratch = repository();
    git(scratch.path(), &["mv", "schemas", "contracts"]);
    commit(scratch.path(), "moved");
    let (status, text) = said(scratch.path(), &["diff", "contracts"]);
    assert_eq!(status, 2, "{text}");
    assert!(text.contains("no contracts in contracts at the merge base with main"), "{text}");
    assert!(text.contains("--base-schemas"), "{text}");
    let (status, text) = said(scratch.path(), &["diff", "contracts", "--base-schemas", "schemas"]);
    assert_eq!(status, 1, "{text}");
    assert!(text.contains("breaking[call-breaks] search"), "{text}");
    // The folder that is gone had tools.
    let (status, text) = said(scratch.path(), &["diff"]);
    assert_eq!(status, 1, "{text}");
    assert!(text.contains("breaking[tool-removed] search"), "{text}");
    // A folder that never was is a mistake.
    let (status, text) = said(scratch.path(), &["diff", "elsewhere"]);
    assert_eq!(status, 2, "{text}");
    let (status, text) = said(scratch.path(), &["diff", "contracts", "--allow-empty-base"]);
    assert_eq!(status, 0, "{text}");
    assert!(text.contains("info[tool-added] search"), "{text}");
    // Two folders with nothing in them are not compared.
    fs::create_dir(scratch.path().join("a")).expect("a scratch folder");
    fs::create_dir(scratch.path().join("b")).expect("a scratch folder");
    let (status, text) = said(scratch.path(), &["diff", "--against", "./a", "b"]);
    assert_eq!(status, 2, "{text}");
    assert!(text.contains("nothing was compared"), "{text}");
}

#[test]
fn the_first_commit_is_said_to_be_the_first() {
    let scratch = tempfile::tempdir().expect("a scratch folder");
    git(scratch.path(), &["init", "-q", "-b", "main"]);
    write(scratch.path(), "schemas/search.json", &contract(100));
    assert_eq!(said(scratch.path(), &["diff"]).0, 2);
    assert_eq!(said(scratch.path(), &["diff", "--allow-empty-base"]).0, 0);
    commit(scratch.path(), "one");
    let zeros = "0".repeat(40);
    let (status, text) = said(scratch.path(), &["diff", "--against", &zeros]);
    assert_eq!(status, 2, "{text}");
    assert!(text.contains("--allow-empty-base"), "{text}");
    assert_eq!(said(scratch.path(), &["diff", "--against", &zeros, "--allow-empty-base"]).0, 0);
    // That there may be nothing does not excuse a name that is wrong.
    assert_eq!(said(scratch.path(), &["diff", "--against", "mian", "--allow-empty-base"]).0, 2);
}

#[test]
fn a_pull_request_is_compared_with_its_merge_base() {
    let scratch = repository();
    git(scratch.path(), &["stash", "-q"]);
    git(scratch.path(), &["checkout", "-q", "main"]);
    write(scratch.path(), "schemas/search.json", &contract(200));
    commit(scratch.path(), "wider on the base");
    git(scratch.path(), &["checkout", "-q", "feature"]);
    assert_eq!(said(scratch.path(), &["diff", "--against", "main"]).0, 1);
    assert_eq!(said(scratch.path(), &["diff", "--against", "main", "--merge-base"]).0, 0);
}

#[test]
fn works_in_worktrees_hooks_and_folders() {
    let scratch = repository();
    commit(scratch.path(), "two");
    let breaks = |here: &Path, environment: &[(&str, &str)], arguments: &[&str]| {
        let output = run(here, environment, arguments);
        let said = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(1), "{environment:?} {arguments:?}: {said}");
    };
    let against = ["diff", "--against", "main"];
    let away = tempfile::tempdir().expect("a scratch folder");
    let tree = away.path().join("tree");
    git(scratch.path(), &["worktree", "add", "-q", "--detach", &tree.display().to_string()]);
    breaks(&tree, &[], &against);
    fs::create_dir(tree.join("deep")).expect("a scratch folder");
    breaks(&tree.join("deep"), &[], &["diff", "--against", "main", "../schemas"]);
    // As git tells its hooks.
    let own = scratch.path().join(".git").display().to_string();
    let index = scratch.path().join(".git/index.lock").display().to_string();
    breaks(scratch.path(), &[("GIT_DIR", ".git"), ("GIT_INDEX_FILE", &index)], &against);
    breaks(scratch.path(), &[("GIT_DIR", &own), ("GIT_PREFIX", "schemas/")], &against);
    let linked = scratch.path().join(".git/worktrees/tree").display().to_string();
    breaks(&tree, &[("GIT_DIR", &linked)], &against);
    let schemas = scratch.path().join("schemas");
    breaks(&schemas, &[("GIT_DIR", &own)], &["diff", "--against", "main", "."]);
    // A repository that lies elsewhere.
    let top = scratch.path().display().to_string();
    let git_dir = away.path().join("elsewhere.git");
    fs::rename(scratch.path().join(".git"), &git_dir).expect("a scratch folder");
    let git_dir = git_dir.display().to_string();
    breaks(scratch.path(), &[("GIT_DIR", &git_dir), ("GIT_WORK_TREE", &top)], &against);
}

#[test]
fn a_real_hook_compares() {
    let scratch = repository();
    let hook = scratch.path().join(".git/hooks/pre-commit");
    fs::create_dir_all(hook.parent().expect("a folder")).expect("a scratch folder");
    let binary = env!("CARGO_BIN_EXE_toolcast");
    fs::write(&hook, format!("#!/bin/sh\nexec '{binary}' diff > said.txt\n")).expect("a hook");
    fs::set_permissions(&hook, fs::Permissions::from_mode(0o755)).expect("a hook");
    let output = Command::new("git")
        .current_dir(scratch.path())
        .args(["-c", "user.name=t", "-c", "user.email=t@example.com", "commit", "-qam", "two"])
        .output()
        .expect("git starts");
    assert!(!output.status.success(), "the hook stops the commit");
    let said = fs::read_to_string(scratch.path().join("said.txt")).expect("a report");
    assert!(said.contains("breaking[call-breaks] search"), "{said}");
}

#[test]
fn names_may_hold_anything() {
    let scratch = tempfile::tempdir().expect("a scratch folder");
    // The repository's own folder has a line end in its name too.
    let top = scratch.path().join("a\nb ");
    fs::create_dir(&top).expect("a scratch folder");
    git(&top, &["init", "-q", "-b", "main"]);
    for name in [
        "with\nline\tend.json",
        "\u{1b}[2J.json",
        "-option.json",
        "ü \"quoted\".json",
        ":(top)x.json",
    ] {
        write(&top, &format!("sch\nemas/{name}"), &contract(100));
    }
    write(&top, "sch\nemas/search.json", &contract(100));
    commit(&top, "one");
    write(&top, "sch\nemas/search.json", &contract(50));
    let (status, text) = said(&top, &["diff", "--against", "HEAD", "sch\nemas"]);
    assert_eq!(status, 1, "{text}");
    assert!(text.contains("breaking[call-breaks] search"), "{text}");
    // Names that no tool may have are faults of both versions, not tools that come.
    assert!(!text.contains("tool-added"), "{text}");
    assert!(!text.contains('\u{1b}'), "{text}");
}

#[test]
fn links_submodules_and_pointers_are_not_passed_over() {
    let scratch = repository();
    // A folder of contracts that is a link to another folder of the repository.
    let top = scratch.path();
    git(top, &["checkout", "-q", "--", "."]);
    git(top, &["mv", "schemas", "real"]);
    symlink("real", top.join("schemas")).expect("a link");
    commit(top, "linked");
    write(top, "real/search.json", &contract(20));
    let (status, text) = said(top, &["diff", "--against", "HEAD"]);
    assert_eq!(status, 1, "{text}");
    assert!(text.contains("breaking[call-breaks] search"), "{text}");
    // One that leads out of the repository.
    let away = tempfile::tempdir().expect("a scratch folder");
    write(away.path(), "search.json", &contract(100));
    fs::remove_file(top.join("schemas")).expect("the link");
    symlink(away.path(), top.join("schemas")).expect("a link");
    assert_eq!(said(top, &["diff", "--against", "HEAD"]).0, 2);
    fs::remove_file(top.join("schemas")).expect("the link");
    // A link among the contracts is the file that it leads to, on both sides.
    write(top, "schemas/search.json", &contract(20));
    symlink("search.json", top.join("schemas/find.json")).expect("a link");
    commit(top, "a link among contracts");
    let (status, text) = said(top, &["diff", "--against", "HEAD"]);
    assert_eq!(status, 0, "{text}");
    // Git LFS keeps the file elsewhere.
    write(
        top,
        "schemas/search.json",
        "version https://git-lfs.github.com/spec/v1\noid sha256:00\nsize 12\n",
    );
    commit(top, "a pointer");
    write(top, "schemas/search.json", &contract(20));
    let (status, text) = said(top, &["diff", "--against", "HEAD"]);
    assert_eq!(status, 2, "{text}");
    assert!(text.contains("Git LFS"), "{text}");
    // A submodule's files are another repository's.
    let other = tempfile::tempdir().expect("a scratch folder");
    git(other.path(), &["init", "-q", "-b", "main"]);
    write(other.path(), "search.json", &contract(100));
    commit(other.path(), "one");
    let url = other.path().display().to_string();
    git(top, &["submodule", "--quiet", "add", &url, "more"]);
    commit(top, "a submodule");
    let (status, text) = said(top, &["diff", "--against", "HEAD", "more"]);
    assert_eq!(status, 2, "{text}");
    assert!(text.contains("submodule"), "{text}");
}

#[test]
fn the_configuration_is_the_bases() {
    let scratch = repository();
    let off = "[diff.levels]\ncall-breaks = \"off\"\n";
    write(scratch.path(), "toolcast.toml", off);
    commit(scratch.path(), "two");
    let (status, text) = said(scratch.path(), &["diff"]);
    assert_eq!(status, 1, "{text}");
    assert!(text.contains("breaking[call-breaks]"), "{text}");
    assert!(text.contains("warning[configuration-changed]"), "{text}");
    // Told otherwise, and its change is still a finding.
    let (status, text) = said(scratch.path(), &["diff", "--config-from", "working-tree"]);
    assert_eq!(status, 0, "{text}");
    assert!(text.contains("warning[configuration-changed]"), "{text}");
    let strict = ["diff", "--config-from", "working-tree", "--fail-on", "warn"];
    assert_eq!(said(scratch.path(), &strict).0, 1);
    // Once it is merged, it counts.
    git(scratch.path(), &["branch", "-f", "main", "feature"]);
    write(scratch.path(), "schemas/search.json", &contract(20));
    let (status, text) = said(scratch.path(), &["diff"]);
    assert_eq!(status, 0, "{text}");
    assert!(!text.contains("configuration-changed"), "{text}");
    // The nearest one from the contracts upward, and none above the repository.
    write(scratch.path(), "schemas/toolcast.toml", "[diff.levels]\n");
    commit(scratch.path(), "three");
    write(scratch.path(), "schemas/search.json", &contract(10));
    let (status, text) = said(&scratch.path().join("schemas"), &["diff", "--against", "HEAD", "."]);
    assert_eq!(status, 1, "{text}");
}

#[test]
fn no_configuration_is_looked_for_above_the_repository() {
    let scratch = tempfile::tempdir().expect("a scratch folder");
    write(scratch.path(), "toolcast.toml", "[diff.levels]\ncall-breaks = \"off\"\n");
    let inner = scratch.path().join("inner");
    fs::create_dir(&inner).expect("a scratch folder");
    git(&inner, &["init", "-q", "-b", "main"]);
    write(&inner, "schemas/search.json", &contract(100));
    commit(&inner, "one");
    write(&inner, "schemas/search.json", &contract(50));
    assert_eq!(said(&inner, &["diff", "--against", "HEAD"]).0, 1);
}
