//! The scratch workspace: one library a batch with its bindings and echoing handlers, and one driver that links those
//! libraries that compile. It stands outside the project, so nothing of the project's own settings reaches it.

use crate::bindings::{Binding, Bindings};
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::{env, fs, io};

/// How the scratch workspace is built.
#[derive(Clone, Debug)]
pub struct Settings {
    /// Where it stands. What an earlier run compiled there is used again.
    pub folder: PathBuf,
    /// The edition of the bindings' crates.
    pub edition: &'static str,
    /// Whether another crate of the graph turns on `serde_json/arbitrary_precision`.
    pub arbitrary_precision: bool,
    /// Whether to compile with optimisation.
    pub release: bool,
    /// How many compilers may run at once.
    pub jobs: usize,
    /// Whether to lint and document the bindings too.
    pub quality: bool,
    /// A program that stands in for rustc and notes its times: the `parity` binary itself.
    pub clock: Option<PathBuf>,
}

/// What became of one batch's crate.
#[derive(Clone, Debug, Default)]
pub struct Compiled {
    /// What rustc said, where it failed.
    pub errors: Vec<String>,
    /// The modules that the errors point into.
    pub blamed: BTreeSet<String>,
    /// Seconds that rustc took.
    pub seconds: f64,
}

/// A scratch workspace on the disk.
pub struct Scratch {
    settings: Settings,
}

/// Environment variable under which the `parity` binary acts as a rustc that notes its times.
pub const CLOCK: &str = "PARITY_CLOCK_FOLDER";

/// How cargo tells what a compiler said.
const MESSAGES: &str = "--message-format=json";

impl Scratch {
    /// A workspace of these settings; writes nothing yet.
    pub fn new(settings: Settings) -> Self {
        Self { settings }
    }

    /// Writes the workspace: one crate a batch, in order.
    ///
    /// # Errors
    ///
    /// Where the disk refuses.
    pub fn write(&self, batches: &[Bindings]) -> io::Result<()> {
        let folder = &self.settings.folder;
        fs::create_dir_all(folder)?;
        let mut members = BTreeSet::from([self.driver()]);
        for (index, batch) in batches.iter().enumerate() {
            self.write_batch(&self.crate_name(index), batch)?;
            members.insert(self.crate_name(index));
        }
        // A crate of an earlier, larger run is no member any more; its folder would only mislead a reader.
        for entry in fs::read_dir(folder)? {
            let path = entry?.path();
            let name = path.file_name().and_then(|name| name.to_str()).unwrap_or_default();
            if name.contains("_batch_") && !members.contains(name) {
                fs::remove_dir_all(&path)?;
            }
        }
        write(&folder.join("Cargo.toml"), &self.workspace_manifest(&members))?;
        // The project's own versions: nothing is looked up, and what is measured is what is tested.
        fs::copy(project_folder().join("Cargo.lock"), folder.join("Cargo.lock"))?;
        self.write_driver(&[])
    }

    /// Compiles every batch, each on its own: one that fails does not hold up the others.
    ///
    /// # Errors
    ///
    /// Where cargo cannot be run, or fails for another reason than a batch's bindings.
    pub fn compile(&self, batches: usize) -> io::Result<Vec<Compiled>> {
        let clock = self.settings.folder.join("clock");
        fs::create_dir_all(&clock)?;
        let mut cargo = self.cargo("build");
        cargo.args(["--workspace", "--exclude", &self.driver(), "--keep-going", MESSAGES]);
        if let Some(program) = &self.settings.clock {
            cargo.env("RUSTC_WORKSPACE_WRAPPER", program).env(CLOCK, &clock);
        }
        let mut compiled = self.diagnostics(cargo, batches)?;
        for (index, batch) in compiled.iter_mut().enumerate() {
            let noted = fs::read_to_string(clock.join(self.crate_name(index))).unwrap_or_default();
            batch.seconds = noted.trim().parse().unwrap_or_default();
        }
        Ok(compiled)
    }

    /// Runs clippy over every batch with warnings as errors, pedantic ones too.
    ///
    /// # Errors
    ///
    /// As [`Scratch::compile`].
    pub fn clippy(&self, batches: usize) -> io::Result<Vec<Compiled>> {
        let mut cargo = self.cargo("clippy");
        cargo.args(["--workspace", "--exclude", &self.driver(), "--keep-going", MESSAGES]);
        // After `--`, and nowhere else: cargo-clippy overwrites the variable through which it hands them on.
        cargo.args(["--", "-Dwarnings", "-Dclippy::pedantic"]);
        self.diagnostics(cargo, batches)
    }

    /// Documents every batch with warnings as errors.
    ///
    /// # Errors
    ///
    /// As [`Scratch::compile`].
    pub fn document(&self, batches: usize) -> io::Result<Vec<Compiled>> {
        let mut cargo = self.cargo("doc");
        cargo.args(["--workspace", "--exclude", &self.driver(), "--keep-going", "--no-deps"]);
        cargo.arg(MESSAGES);
        cargo.env("RUSTDOCFLAGS", "-Dwarnings");
        self.diagnostics(cargo, batches)
    }

    /// Links the batches of these numbers into the driver.
    ///
    /// # Errors
    ///
    /// Where the driver does not compile, which is a fault of the harness.
    pub fn link(&self, batches: &[usize]) -> io::Result<PathBuf> {
        self.write_driver(batches)?;
        let mut cargo = self.cargo("build");
        // The same wrapper, or cargo would compile every batch again.
        if let Some(program) = &self.settings.clock {
            cargo.env("RUSTC_WORKSPACE_WRAPPER", program);
        }
        let output = cargo.args(["--package", &self.driver()]).stderr(Stdio::piped()).output()?;
        if !output.status.success() {
            return Err(io::Error::other(String::from_utf8_lossy(&output.stderr).into_owned()));
        }
        let profile = if self.settings.release { "release" } else { "debug" };
        Ok(target_folder().join(profile).join(self.driver()))
    }

    /// The driver's crate. Scratch workspaces share a target folder, so all their crates need names of their own: cargo
    /// knows a workspace's members by their place in it, and would take another workspace's for this one's.
    fn driver(&self) -> String {
        let name = self.settings.folder.file_name().and_then(|name| name.to_str());
        format!("parity_{}", name.unwrap_or("driver"))
    }

    fn crate_name(&self, index: usize) -> String {
        format!("{}_batch_{index:03}", self.driver())
    }

    fn index_of(&self, crate_name: &str) -> Option<usize> {
        let number = crate_name.strip_prefix(&self.driver())?.strip_prefix("_batch_")?;
        number.parse().ok()
    }

    fn cargo(&self, command: &str) -> Command {
        let mut cargo = self::cargo(&self.settings.folder, command);
        cargo.arg("--jobs").arg(self.settings.jobs.to_string());
        if self.settings.release {
            cargo.arg("--release");
        }
        cargo
    }

    fn diagnostics(&self, mut cargo: Command, batches: usize) -> io::Result<Vec<Compiled>> {
        let output = cargo.stdin(Stdio::null()).output()?;
        let mut compiled = vec![Compiled::default(); batches];
        for line in output.stdout.split(|byte| *byte == b'\n') {
            let Ok(message) = serde_json::from_slice::<Value>(line) else { continue };
            if message["message"]["level"] != "error" {
                continue;
            }
            let name = message["target"]["name"].as_str().unwrap_or_default();
            let Some(batch) = self.index_of(name).and_then(|index| compiled.get_mut(index)) else {
                continue;
            };
            let text = message["message"]["rendered"].as_str().unwrap_or("an error without a text");
            batch.errors.push(text.to_owned());
            let spans = message["message"]["spans"].as_array();
            batch.blamed.extend(spans.into_iter().flatten().filter_map(module_of));
        }
        if !output.status.success() && compiled.iter().all(|batch| batch.errors.is_empty()) {
            return Err(io::Error::other(String::from_utf8_lossy(&output.stderr).into_owned()));
        }
        Ok(compiled)
    }

    fn write_batch(&self, name: &str, batch: &Bindings) -> io::Result<()> {
        let folder = self.settings.folder.join(name);
        let edition = self.settings.edition;
        let manifest = format!(
            "[package]\nname = \"{name}\"\nversion = \"0.0.0\"\nedition = \"{edition}\"\n\n\
             [dependencies]\ntoolcast.workspace = true\nserde.workspace = true\nserde_json.workspace = true\n"
        );
        write(&folder.join("Cargo.toml"), &manifest)?;
        write(&folder.join("src/lib.rs"), &library(&batch.tools))?;
        let tools = folder.join("src/tools");
        let mut kept = BTreeSet::new();
        for (path, text) in &batch.files {
            write(&tools.join(path), text)?;
            kept.insert(tools.join(path));
        }
        prune(&tools, &kept)
    }

    fn write_driver(&self, batches: &[usize]) -> io::Result<()> {
        let driver = self.driver();
        let mut manifest = format!(
            "[package]\nname = {driver:?}\nversion = \"0.0.0\"\nedition = \"2024\"\n\n\
             [dependencies]\nserde_json.workspace = true\ntokio.workspace = true\n"
        );
        let mut arms = String::new();
        for index in batches {
            let name = self.crate_name(*index);
            manifest.push_str(&format!("{name}.path = \"../{name}\"\n"));
            arms.push_str(&format!(
                "        \"{index}\" => Box::pin({name}::answer(tool, arguments)),\n"
            ));
        }
        let main = include_str!("driver.rs.txt").replace("        // BATCHES\n", &arms);
        let folder = self.settings.folder.join(&driver);
        write(&folder.join("Cargo.toml"), &manifest)?;
        write(&folder.join("src/main.rs"), &main)
    }

    fn workspace_manifest(&self, members: &BTreeSet<String>) -> String {
        let members: Vec<String> = members.iter().map(|name| format!("{name:?}")).collect();
        let runtime = project_folder().join("crates/runtime");
        let precision =
            if self.settings.arbitrary_precision { ", \"arbitrary_precision\"" } else { "" };
        format!(
            "[workspace]\nresolver = \"3\"\nmembers = [{}]\n\n[workspace.dependencies]\n\
             toolcast = {{ path = {:?} }}\n\
             serde = {{ version = \"1\" }}\n\
             serde_json = {{ version = \"1\", features = [\"preserve_order\"{precision}] }}\n\
             tokio = {{ version = \"1\", features = [\"rt\", \"time\"] }}\n\n\
             [profile.dev]\ndebug = 0\nincremental = false\n\n\
             [profile.dev.package.\"*\"]\ndebug = \"line-tables-only\"\n",
            members.join(", "),
            runtime.display().to_string(),
        )
    }
}

/// Cargo for a scratch workspace in this folder.
pub(crate) fn cargo(folder: &Path, command: &str) -> Command {
    let mut cargo = Command::new(env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
    cargo.arg(command).current_dir(folder);
    // What a surrounding `cargo run` or `cargo test` sets for the project is not for the scratch workspace.
    cargo.env("CARGO_TARGET_DIR", target_folder());
    for name in ["RUSTFLAGS", "CARGO_ENCODED_RUSTFLAGS", "CARGO_MANIFEST_DIR"] {
        cargo.env_remove(name);
    }
    cargo
}

/// The project's root, from which the scratch workspace takes the run time.
pub fn project_folder() -> PathBuf {
    // Two folders up from this crate, which never stands at the root of a file system.
    Path::new(env!("CARGO_MANIFEST_DIR"))
        .ancestors()
        .nth(2)
        .map_or_else(PathBuf::new, Path::to_path_buf)
}

/// Where everything is compiled: the project's own target folder, so that dependencies are compiled once.
pub fn target_folder() -> PathBuf {
    env::var_os("CARGO_TARGET_DIR").map_or_else(|| project_folder().join("target"), PathBuf::from)
}

/// The folder of a scratch workspace of this name.
pub fn scratch_folder(name: &str) -> PathBuf {
    target_folder().join("parity").join(name)
}

/// Runs rustc for cargo and notes how long it took: `parity` as `RUSTC_WORKSPACE_WRAPPER`.
///
/// # Errors
///
/// Where rustc cannot be run.
pub fn run_clocked(arguments: &[String]) -> io::Result<i32> {
    let begun = std::time::Instant::now();
    let (program, rest) = arguments
        .split_first()
        .ok_or_else(|| io::Error::other("cargo named no compiler to run"))?;
    let status = Command::new(program).args(rest).status()?;
    let name = rest.iter().skip_while(|argument| *argument != "--crate-name").nth(1);
    if let (Some(folder), Some(name)) = (env::var_os(CLOCK), name) {
        fs::write(Path::new(&folder).join(name), begun.elapsed().as_secs_f64().to_string())?;
    }
    Ok(status.code().unwrap_or(1))
}

/// The tool module that a span of a rustc message lies in; the macros of the run time are expanded within it.
fn module_of(span: &Value) -> Option<String> {
    let mut span = span;
    loop {
        let file = span["file_name"].as_str()?;
        if let Some((_, path)) = file.split_once("src/tools/") {
            return path.strip_suffix(".rs").map(str::to_owned);
        }
        span = span.get("expansion")?.get("span")?;
    }
}

/// The library around the bindings: a handler of every tool that keeps its own decoded input.
fn library(tools: &[Binding]) -> String {
    let mut text = include_str!("batch.rs.txt").to_owned();
    for Binding { module: path, replies, .. } in tools {
        let (output, answer) = if *replies {
            ("Reply".to_owned(), "Ok(Reply::Json(kept))")
        } else {
            // An answer that has the shape of the input goes back whole; any other cannot.
            (format!("tools::{path}::Output"), "Decode::decode(&kept).map_err(Error::from)")
        };
        text.push_str(&format!(
            "impl tools::{path}::Handler for Echo {{
    async fn call(&self, input: tools::{path}::Input, _: &Context) -> Result<{output}, Error> {{
        let kept = self.keep(&input)?;
        {answer}
    }}
}}
"
        ));
    }
    // Ends the module that the template opens.
    text.push_str("}\n");
    text
}

/// Writes a file where it differs: what cargo has compiled stays fresh.
pub(crate) fn write(path: &Path, text: &str) -> io::Result<()> {
    if fs::read(path).is_ok_and(|known| known == text.as_bytes()) {
        return Ok(());
    }
    if let Some(folder) = path.parent() {
        fs::create_dir_all(folder)?;
    }
    fs::write(path, text)
}

fn prune(folder: &Path, kept: &BTreeSet<PathBuf>) -> io::Result<()> {
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        if path.is_dir() {
            prune(&path, kept)?;
        } else if !kept.contains(&path) {
            fs::remove_file(&path)?;
        }
    }
    Ok(())
}

/// Lines of Rust of one generated file: all, and those that are neither comment nor blank.
pub fn lines_of(files: &BTreeMap<String, String>) -> (usize, usize) {
    let rust = files.iter().filter(|(path, _)| path.ends_with(".rs") && !path.ends_with("mod.rs"));
    rust.flat_map(|(_, text)| text.lines()).map(str::trim).fold((0, 0), |(all, code), line| {
        (all + 1, code + usize::from(!line.is_empty() && !line.starts_with("//")))
    })
}
