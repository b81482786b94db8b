//! The crates as they would be published: packed, unpacked, and built into a project that has nothing else of ours.

mod scratch;

use scratch::{CHECKOUT, Scratch, stderr};
use std::fs;
use std::process::Command;

/// Members of the workspace that are never published.
const OURS_ALONE: [&str; 3] = ["toolcast-benches", "helpdesk", "parity"];

#[test]
fn packed_crates_build_a_project() {
    let project = Scratch::project("scratch-packed");
    let folder = project.root().join("packed");
    let output = Command::new(env!("CARGO"))
        .args(["package", "--workspace", "--no-verify", "--allow-dirty", "--offline"])
        .args(OURS_ALONE.map(|name| format!("--exclude={name}")))
        .current_dir(CHECKOUT)
        .env("CARGO_TARGET_DIR", &folder)
        .output()
        .expect("cargo runs this test, so it can be run");
    assert!(output.status.success(), "{}", stderr(&output));

    let mut patches = String::from("\n[patch.crates-io]\n");
    let mut names = Vec::new();
    for entry in fs::read_dir(folder.join("package")).expect("cargo packed something") {
        let path = entry.expect("it can be read").path();
        if path.extension().is_none_or(|extension| extension != "crate") {
            continue;
        }
        let unpacked = Command::new("tar").arg("-xzf").arg(&path).current_dir(&folder).status();
        assert!(unpacked.expect("tar can be run").success(), "{}", path.display());
        let stem = path.file_stem().and_then(|stem| stem.to_str()).expect("crates have names");
        let name = stem.rsplit_once('-').expect("a name and a version").0.to_owned();
        let source = folder.join(stem);
        for file in ["README.md", "Cargo.toml", "src"] {
            assert!(source.join(file).exists(), "{name} is packed without {file}");
        }
        patches += &format!("{name} = {{ path = {:?} }}\n", source.display().to_string());
        names.push(name);
    }
    for name in ["toolcast", "toolcast-codegen", "toolcast-cli", "toolcast-serve"] {
        assert!(names.iter().any(|packed| packed == name), "{name} is not packed");
    }

    let manifest = project.read("Cargo.toml");
    let manifest = manifest
        .replace(&format!(", path = \"{CHECKOUT}/crates/runtime\""), "")
        .replace(&format!(", path = \"{CHECKOUT}/codegen\""), "");
    assert!(!manifest.contains(CHECKOUT), "{manifest}");
    project.write("Cargo.toml", &(manifest + &patches));
    project.build();
    assert!(project.read("generated/greet.rs").contains("pub struct Input"));
}
