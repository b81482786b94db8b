//! The steps of `action.yml`, run as a runner would in a checkout that means harm: nothing of the checkout is executed or
//! decides how it is judged, and nobody else's comment is taken for ours.
#![cfg(unix)]

mod scratch;

use scratch::contract;
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use tempfile::TempDir;

/// A step: what its variables are set to, as written, and its script.
struct Step {
    env: BTreeMap<String, String>,
    script: String,
}

/// The steps by their names. The file is ours, and its layout is what this reads.
fn steps() -> BTreeMap<String, Step> {
    let text = include_str!("../action.yml");
    let (_, text) = text.split_once("\n  steps:\n").expect("a composite action has steps");
    let mut steps = BTreeMap::new();
    for text in text.split("\n    - name: ").map(|text| text.trim_start_matches("    - name: ")) {
        let (name, rest) = text.split_once('\n').expect("a step has more than a name");
        let mut step = Step { env: BTreeMap::new(), script: String::new() };
        let mut section = "";
        for line in rest.lines() {
            let Some(inner) = line.strip_prefix("        ").or(line.is_empty().then_some(""))
            else {
                section = match line.trim() {
                    "env:" => "env",
                    "run: |" => "run",
                    line => {
                        step.script += line.strip_prefix("run: ").unwrap_or_default();
                        ""
                    }
                };
                continue;
            };
            match section {
                "env" => {
                    let (name, value) = inner.split_once(": ").expect("a variable has a value");
                    step.env.insert(name.to_owned(), value.trim_matches('"').to_owned());
                }
                "run" => step.script += &format!("{inner}\n"),
                _ => {}
            }
        }
        steps.insert(name.to_owned(), step);
    }
    steps
}

struct Job {
    folder: TempDir,
    values: BTreeMap<&'static str, String>,
}

impl Job {
    fn new() -> Self {
        let folder = tempfile::tempdir().unwrap();
        for inner in ["checkout", "temp", "bin", "action"] {
            fs::create_dir(folder.path().join(inner)).unwrap();
        }
        let mut job = Self { folder, values: BTreeMap::new() };
        job.values.insert("runner.temp", job.path("temp").display().to_string());
        job.values.insert("github.action_path", job.path("action").display().to_string());
        job.values.insert("inputs.toolcast", env!("CARGO_BIN_EXE_toolcast").to_owned());
        job.values.insert("inputs.schemas", "schemas".to_owned());
        job.values.insert("inputs.config-from", "base".to_owned());
        job.values.insert("inputs.token", "token".to_owned());
        job.values.insert("github.repository", "team/project".to_owned());
        job.values.insert("github.event.pull_request.number", "7".to_owned());
        job
    }

    fn path(&self, inner: &str) -> PathBuf {
        self.folder.path().join(inner)
    }

    fn write(&self, path: &str, text: &str) {
        let path = self.path("checkout").join(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }

    /// A program that stands first on the path.
    fn program(&self, name: &str, script: &str) {
        let path = self.path("bin").join(name);
        fs::write(&path, format!("#!/bin/sh\n{script}")).unwrap();
        fs::set_permissions(&path, fs::Permissions::from_mode(0o755)).unwrap();
    }

    fn git(&self, arguments: &[&str]) -> String {
        let output = Command::new("git")
            .args(["-c", "user.name=a", "-c", "user.email=a@example.com"])
            .args(arguments)
            .current_dir(self.path("checkout"))
            .output()
            .unwrap();
        assert!(
            output.status.success(),
            "{arguments:?}: {}",
            String::from_utf8_lossy(&output.stderr)
        );
        String::from_utf8_lossy(&output.stdout).trim().to_owned()
    }

    fn commit(&self) -> String {
        self.git(&["add", "-A"]);
        self.git(&["commit", "-qm", "x"]);
        self.git(&["rev-parse", "HEAD"])
    }

    fn run(&self, step: &str) -> Output {
        let step = &steps()[step];
        let file = self.path("step.sh");
        fs::write(&file, &step.script).unwrap();
        let paths = format!("{}:{}", self.path("bin").display(), std::env::var("PATH").unwrap());
        let mut command = Command::new("bash");
        command.args(["--noprofile", "--norc", "-eo", "pipefail"]).arg(&file);
        command.current_dir(self.path("checkout")).env("PATH", paths).stdin(Stdio::null());
        for file in ["GITHUB_OUTPUT", "GITHUB_STEP_SUMMARY"] {
            command.env(file, self.path(file));
        }
        for (name, value) in &step.env {
            let mut text = value.clone();
            while let Some((before, rest)) = text.split_once("${{ ") {
                let (key, after) = rest.split_once(" }}").unwrap();
                let value = self.values.get(key).cloned().unwrap_or_default();
                text = format!("{before}{value}{after}");
            }
            command.env(name, text);
        }
        command.output().unwrap()
    }

    fn read(&self, path: &str) -> String {
        fs::read_to_string(self.path(path)).unwrap_or_default()
    }
}

fn said(output: &Output) -> String {
    String::from_utf8_lossy(&output.stdout).into_owned() + &String::from_utf8_lossy(&output.stderr)
}

#[test]
fn the_command_is_built_where_the_checkout_has_no_say() {
    let mut job = Job::new();
    job.write(".cargo/config.toml", "[build]\nrustc-wrapper = \"./evil.sh\"\n");
    job.write("rust-toolchain.toml", "[toolchain]\npath = \"evil\"\n");
    job.write("Cargo.toml", "[package]\nname = \"evil\"\nbuild = \"evil.rs\"\n");
    job.values.insert("inputs.toolcast", String::new());
    let seen = job.path("seen");
    job.program("cargo", &format!("{{ pwd -P; echo \"$@\"; env; }} > '{}'\n", seen.display()));
    // What a job may have set for a build of its own.
    let script = &steps()["Build toolcast"].script;
    let set = "export RUSTC_WRAPPER=./evil.sh CARGO_BUILD_RUSTC=./evil RUSTFLAGS=x RUSTUP_TOOLCHAIN=evil \
               CARGO_HOME=/known CARGO_TARGET_DIR=evil CARGO_ENCODED_RUSTFLAGS=x\n";
    let file = job.path("build.sh");
    fs::write(&file, format!("{set}{script}")).unwrap();
    let output = Command::new("bash")
        .args(["--noprofile", "--norc", "-eo", "pipefail"])
        .arg(&file)
        .current_dir(job.path("checkout"))
        .env("PATH", format!("{}:/usr/bin:/bin", job.path("bin").display()))
        .env("ACTION", job.path("action"))
        .env("TARGET", job.path("temp/target"))
        .output()
        .unwrap();
    assert!(output.status.success(), "{}", said(&output));
    let seen = fs::read_to_string(seen).unwrap();
    let action = job.path("action").canonicalize().unwrap();
    assert_eq!(seen.lines().next(), action.to_str(), "cargo and rustup obey where they start");
    assert!(seen.contains("\nCARGO_HOME=/known\n"), "{seen}");
    assert!(!seen.contains("evil") && !seen.contains("RUSTFLAGS"), "{seen}");
    // As the runner does it, too.
    assert!(job.run("Build toolcast").status.success());
}

/// A checkout whose head breaks a tool against its base; gives the base.
fn broken(job: &Job) -> String {
    job.git(&["init", "-q", "-b", "main"]);
    job.write("schemas/greet.json", &contract("Greet a person.", "person"));
    let base = job.commit();
    job.write("schemas/greet.json", &contract("Greet a person.", "someone_else"));
    base
}

#[test]
fn the_head_does_not_decide_how_it_is_judged() {
    let mut job = Job::new();
    let base = broken(&job);
    let levels = "[diff.levels]\ncall-breaks = \"off\"\n";
    job.write("toolcast.toml", levels);
    // Folders that are named like what is compared with.
    for name in [base.as_str(), &base[..7], "HEAD", "main", "merge-base"] {
        job.write(&format!("{name}/greet.json"), &contract("Greet a person.", "someone_else"));
    }
    job.commit();
    job.values.insert("github.event.pull_request.base.sha", base.clone());
    let output = job.run("Compare contracts");
    assert!(output.status.success(), "{}", said(&output));
    assert!(job.read("GITHUB_OUTPUT").contains("status=1"), "{}", said(&output));
    let report: Value = serde_json::from_str(&job.read("temp/toolcast-diff.json")).unwrap();
    let text = report.to_string();
    assert!(text.contains("call-breaks"), "{text}");
    assert!(job.read("GITHUB_STEP_SUMMARY").contains("greet"), "{}", said(&output));
    job.values.insert("steps.diff.outputs.status", "1".to_owned());
    assert_eq!(job.run("Fail where the comparison does").status.code(), Some(1));
}

#[test]
fn a_push_is_compared_with_the_commit_before_it() {
    let mut job = Job::new();
    let base = broken(&job);
    job.commit();
    job.values.insert("github.event.before", base);
    let output = job.run("Compare contracts");
    assert!(job.read("GITHUB_OUTPUT").contains("status=1"), "{}", said(&output));
    // A queue of merges names its own base, and a new branch has no commit before.
    for (event, sha) in [
        ("github.event.merge_group.base_sha", job.git(&["rev-parse", "HEAD~1"])),
        ("github.event.before", job.git(&["rev-parse", "HEAD"])),
        ("github.event.before", "0".repeat(40)),
    ] {
        job.values.remove("github.event.before");
        job.values.remove("github.event.merge_group.base_sha");
        fs::remove_file(job.path("GITHUB_OUTPUT")).unwrap();
        let expected = if event.contains("merge_group") { "status=1" } else { "status=" };
        job.values.insert(event, sha);
        let output = job.run("Compare contracts");
        assert!(job.read("GITHUB_OUTPUT").contains(expected), "{event}: {}", said(&output));
    }
    // One that is not in the clone is no pass.
    job.values.insert("github.event.before", "1".repeat(40));
    let output = job.run("Compare contracts");
    assert_eq!(output.status.code(), Some(2), "{}", said(&output));
    assert!(job.read("GITHUB_STEP_SUMMARY").contains("could not compare"));
}

/// A `gh` that notes what it is asked, knows who it is, and refuses what stands in `refuses`.
fn gh(job: &Job, refuses: &str) {
    let log = job.path("gh.log");
    let script = format!(
        "echo \"$@\" >> '{log}'\n\
         case \"$*\" in {refuses}) echo 'HTTP 403' >&2; exit 1;; esac\n\
         case \"$*\" in\n\
         *graphql*) echo \"$GH_LOGIN\";;\n\
         *per_page*) printf '%s' \"$*\" > '{asked}'; cat '{known}' 2>/dev/null || true;;\n\
         *body=@*) file=\"${{*##*body=@}}\"; cp \"$file\" '{body}';;\n\
         esac\n",
        log = log.display(),
        asked = job.path("asked").display(),
        known = job.path("known").display(),
        body = job.path("body").display(),
    );
    job.program("gh", &script);
}

const COMMENT: &str = "Comment on the pull request";

#[test]
fn a_fork_without_a_token_passes_on_to_the_verdict() {
    let mut job = Job::new();
    fs::write(job.path("temp/toolcast-diff.md"), "<!-- toolcast diff -->\nreport\n").unwrap();
    for refuses in ["*POST*", "*PATCH*", "*per_page*", "*graphql*|*POST*", "*"] {
        gh(&job, refuses);
        let known = if refuses == "*PATCH*" { "12\n13\n" } else { "" };
        fs::write(job.path("known"), known).unwrap();
        let output = with_login(&job, "github-actions[bot]");
        assert!(output.status.success(), "{refuses}: {}", said(&output));
        assert!(
            said(&output).contains("stands in the job's summary"),
            "{refuses}: {}",
            said(&output)
        );
    }
    job.values.insert("inputs.token", String::new());
    fs::remove_file(job.path("gh.log")).unwrap();
    let output = job.run(COMMENT);
    assert!(output.status.success() && said(&output).contains("there is no token"));
    assert_eq!(job.read("gh.log"), "");
}

/// Runs the step of comments with a `gh` that is logged in as someone.
fn with_login(job: &Job, login: &str) -> Output {
    let script =
        job.read("bin/gh").replace("#!/bin/sh\n", &format!("#!/bin/sh\nGH_LOGIN='{login}'\n"));
    fs::write(job.path("bin/gh"), script).unwrap();
    job.run(COMMENT)
}

#[test]
fn only_our_own_comment_is_replaced() {
    let job = Job::new();
    fs::write(job.path("temp/toolcast-diff.md"), "<!-- toolcast diff -->\nreport\n").unwrap();
    gh(&job, "never");
    fs::write(job.path("known"), "12\n13\n").unwrap();
    let output = with_login(&job, "github-actions[bot]");
    assert!(output.status.success(), "{}", said(&output));
    assert!(job.read("gh.log").contains("--method PATCH repos/team/project/issues/comments/12 "));
    assert_eq!(job.read("body"), "<!-- toolcast diff -->\nreport\n");
    // Which comments count is decided by this filter; `jq` speaks the same language as `gh`.
    let asked = job.read("asked");
    let (_, filter) = asked.split_once("--jq ").expect("the comments are filtered");
    let comment = |id: u32, login: &str, kind: &str, body: &str| json!({ "id": id, "user": { "login": login, "type": kind }, "body": body });
    let comments = json!([
        comment(1, "stranger", "User", "<!-- toolcast diff -->\nmine"),
        comment(2, "github-actions", "User", "<!-- toolcast diff -->\nmine"),
        comment(3, "github-actions[bot]", "Bot", "about <!-- toolcast diff -->"),
        comment(4, "github-actions[bot]", "Bot", "<!-- toolcast diff -->\nours"),
    ]);
    let mut jq = Command::new("jq");
    jq.arg(filter).env("AUTHOR", "github-actions[bot]").env("MARK", "<!-- toolcast diff -->");
    match piped(&mut jq, &comments.to_string()) {
        Some(output) => {
            assert_eq!(String::from_utf8_lossy(&output.stdout), "4\n", "{}", said(&output))
        }
        None => println!("there is no jq: the filter itself was not tried"),
    }
    // Where nobody says who we are, nothing is ours.
    gh(&job, "*graphql*");
    fs::remove_file(job.path("gh.log")).unwrap();
    let output = job.run(COMMENT);
    assert!(output.status.success(), "{}", said(&output));
    assert!(job.read("gh.log").contains("--method POST") && !job.read("gh.log").contains("PATCH"));
}

/// Runs a command with a text as its input; `None` where there is no such program.
fn piped(command: &mut Command, text: &str) -> Option<Output> {
    use std::io::Write;
    let mut child =
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().ok()?;
    child.stdin.take()?.write_all(text.as_bytes()).ok()?;
    child.wait_with_output().ok()
}

#[test]
fn a_report_longer_than_a_comment_is_cut_and_says_so() {
    let job = Job::new();
    gh(&job, "never");
    let long =
        format!("<!-- toolcast diff -->\n<details>\n```\n{}", "h\u{e9}llo there\n".repeat(9_000));
    fs::write(job.path("temp/toolcast-diff.md"), long).unwrap();
    let output = with_login(&job, "someone");
    assert!(output.status.success(), "{}", said(&output));
    let body = job.read("body");
    assert!(body.len() < 65_536 && body.len() > 60_000, "{} bytes", body.len());
    assert!(
        body.contains("\n```\n</details>\n\nThe report is longer than a comment may be"),
        "{}",
        &body[64_000..]
    );
    // A report that has no mark gets one.
    fs::write(job.path("temp/toolcast-diff.md"), "report\n").unwrap();
    with_login(&job, "someone");
    assert_eq!(job.read("body"), "<!-- toolcast diff -->\nreport\n");
}

#[test]
fn no_text_of_a_pull_request_stands_in_a_script() {
    for (name, step) in steps() {
        assert!(!step.script.contains("${{"), "{name}: {}", step.script);
        assert!(!step.script.is_empty(), "{name}");
    }
    assert_eq!(steps().len(), 4);
    assert!(Path::new("action.yml").exists());
}
