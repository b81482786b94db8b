//! Projects in a temporary folder that use this checkout and build for real. All share the target folder of the test run,
//! so that what is already compiled is not compiled again.

#![allow(dead_code, reason = "each test binary uses its own part")]

use std::collections::BTreeMap;
use std::ffi::OsStr;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use tempfile::TempDir;

/// The checkout under test.
pub const CHECKOUT: &str = env!("CARGO_MANIFEST_DIR");

/// A project in a temporary folder.
pub struct Scratch {
    _keep: TempDir,
    root: PathBuf,
}

impl Scratch {
    /// A project with one contract, one handler, a binary that prints the tool's answer, and a mirror.
    ///
    /// `name` must be used by one test only: binaries of the same name would overwrite each other in the shared target
    /// folder.
    pub fn project(name: &str) -> Self {
        let scratch = Self::empty(name);
        scratch.write("Cargo.toml", &manifest(name));
        scratch.write(
            "build.rs",
            "fn main() -> Result<(), toolcast_codegen::Error> {\n    \
             toolcast_codegen::Build::new(\"schemas\").mirror(\"generated\").compile()\n}\n",
        );
        scratch.write("schemas/greet.json", &contract("Greet a person.", "person"));
        scratch.write(
            "src/lib.rs",
            "//! Bindings only.\npub mod tools { toolcast::include_tools!(); }\n",
        );
        scratch
    }

    /// A copy of the helpdesk example under another name, in a workspace of its own.
    pub fn helpdesk(name: &str) -> Self {
        let scratch = Self::empty(name);
        copy(&Path::new(CHECKOUT).join("examples/helpdesk"), &scratch.root);
        let own = scratch.read("Cargo.toml");
        // The workspace tables of our manifest, their paths made absolute.
        let workspace = fs::read_to_string(Path::new(CHECKOUT).join("Cargo.toml")).unwrap();
        let tables: String = workspace
            .split_inclusive('\n')
            .skip_while(|line| !line.starts_with("[workspace.package]"))
            .take_while(|line| *line != "[package]\n")
            .collect();
        let tables = tables.replace("path = \"", &format!("path = \"{CHECKOUT}/"));
        let own = own.replace("name = \"helpdesk\"", &format!("name = \"{name}\""));
        scratch.write(
            "Cargo.toml",
            &format!("[workspace]\n\n{tables}\n{own}\n[lib]\nname = \"helpdesk\"\n"),
        );
        scratch
    }

    fn empty(name: &str) -> Self {
        let keep = tempfile::Builder::new().prefix("toolcast-").tempdir().unwrap();
        let root = keep.path().canonicalize().unwrap().join(name);
        fs::create_dir(&root).unwrap();
        fs::copy(Path::new(CHECKOUT).join("Cargo.lock"), root.join("Cargo.lock")).unwrap();
        Self { _keep: keep, root }
    }

    /// The project's folder.
    pub fn root(&self) -> &Path {
        &self.root
    }

    /// A file's text.
    pub fn read(&self, path: &str) -> String {
        fs::read_to_string(self.root.join(path)).unwrap_or_else(|error| panic!("{path}: {error}"))
    }

    /// Whether a file or folder is there.
    pub fn has(&self, path: &str) -> bool {
        self.root.join(path).exists()
    }

    /// Writes a file.
    pub fn write(&self, path: &str, text: &str) {
        let path = self.root.join(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }

    /// Renames a file.
    pub fn rename(&self, from: &str, to: &str) {
        fs::rename(self.root.join(from), self.root.join(to)).unwrap();
    }

    /// Removes a file or a folder.
    pub fn remove(&self, path: &str) {
        let path = self.root.join(path);
        if path.is_dir() { fs::remove_dir_all(path) } else { fs::remove_file(path) }.unwrap();
    }

    /// Every file of the project but for cargo's lock, by path relative to it.
    pub fn files(&self) -> BTreeMap<String, Vec<u8>> {
        let mut files = tree(&self.root);
        files.remove("Cargo.lock");
        files
    }

    /// `cargo` in the project: offline, without the mirror settings of whoever runs the tests.
    pub fn cargo<I: AsRef<OsStr>>(&self, arguments: impl IntoIterator<Item = I>) -> Command {
        let mut command = Command::new(env!("CARGO"));
        command
            .args(arguments)
            .current_dir(&self.root)
            .env("CARGO_TARGET_DIR", target())
            .env("CARGO_NET_OFFLINE", "true")
            .env("CARGO_TERM_COLOR", "never")
            // As our own profile, also where a packaged manifest has lost its own: what is compiled is shared.
            .env("CARGO_PROFILE_DEV_DEBUG", "line-tables-only")
            .env_remove("TOOLCAST_MIRROR")
            .env_remove("RUSTFLAGS")
            .env_remove("RUSTDOCFLAGS");
        command
    }

    /// Builds, and panics with the compiler's output where that fails.
    pub fn build(&self) -> Build {
        let output = self.cargo(["build", "--message-format=json"]).output().unwrap();
        assert!(output.status.success(), "{}", stderr(&output));
        Build(String::from_utf8(output.stdout).unwrap())
    }

    /// Builds, expecting failure, and gives back what cargo and the compiler print.
    pub fn build_fails(&self) -> String {
        let output = self.cargo(["build"]).output().unwrap();
        assert!(!output.status.success(), "the build passes");
        stderr(&output)
    }
}

/// What cargo reported of a build.
pub struct Build(String);

impl Build {
    /// Whether the project itself was already up to date.
    pub fn was_fresh(&self, name: &str) -> bool {
        let artifacts: Vec<serde_json::Value> = self
            .0
            .lines()
            .filter_map(|line| serde_json::from_str::<serde_json::Value>(line).ok())
            .filter(|message| message["reason"] == "compiler-artifact")
            .filter(|message| message["package_id"].as_str().is_some_and(|id| id.contains(name)))
            .collect();
        assert!(!artifacts.is_empty(), "cargo reports no artifact of {name}: {}", self.0);
        artifacts.iter().all(|artifact| artifact["fresh"] == true)
    }

    /// The folder that the build script of a project wrote to.
    pub fn out_dir(&self, name: &str) -> PathBuf {
        self.0
            .lines()
            .filter_map(|line| serde_json::from_str::<serde_json::Value>(line).ok())
            .filter(|message| message["reason"] == "build-script-executed")
            .find(|message| message["package_id"].as_str().is_some_and(|id| id.contains(name)))
            .and_then(|message| message["out_dir"].as_str().map(PathBuf::from))
            .unwrap_or_else(|| panic!("cargo ran no build script of {name}"))
    }
}

/// The target folder of this test run.
pub fn target() -> &'static Path {
    // Cargo's folder for files of integration tests stands directly in the target folder.
    Path::new(env!("CARGO_TARGET_TMPDIR")).parent().unwrap()
}

/// A manifest that depends on this checkout.
pub fn manifest(name: &str) -> String {
    format!(
        "[package]\nname = \"{name}\"\nversion = \"0.1.0\"\nedition = \"2024\"\nlicense = \"MIT\"\n\
         description = \"A scratch project.\"\nrepository = \"https://example.com\"\n\n\
         [dependencies]\ntoolcast = {{ version = \"0.1.0\", path = \"{CHECKOUT}/crates/runtime\" }}\n\n\
         [build-dependencies]\ntoolcast-codegen = {{ version = \"0.1.0\", path = \"{CHECKOUT}/codegen\" }}\n\n\
         [profile.dev]\ndebug = \"line-tables-only\"\n\n[workspace]\n"
    )
}

/// A contract with one required string.
pub fn contract(description: &str, property: &str) -> String {
    serde_json::to_string_pretty(&serde_json::json!({
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "description": description,
        "type": "object",
        "properties": { property: { "type": "string" } },
        "required": [property],
        "additionalProperties": false
    }))
    .unwrap()
}

/// Every file under a folder, by path relative to it.
pub fn tree(root: &Path) -> BTreeMap<String, Vec<u8>> {
    let mut files = BTreeMap::new();
    let mut folders = vec![root.to_owned()];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(&folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                folders.push(path);
            } else {
                let name = path.strip_prefix(root).unwrap().to_str().unwrap().replace('\\', "/");
                files.insert(name, fs::read(&path).unwrap());
            }
        }
    }
    files
}

/// Copies a folder.
pub fn copy(from: &Path, to: &Path) {
    for (name, bytes) in tree(from) {
        let path = to.join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, bytes).unwrap();
    }
}

/// What a command said on standard error.
pub fn stderr(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

/// What a command said on standard output.
pub fn stdout(output: &Output) -> String {
    String::from_utf8_lossy(&output.stdout).into_owned()
}
