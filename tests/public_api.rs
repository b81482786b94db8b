//! The public API of `toolcast`, as text: whoever changes it sees the change in the diff, and whoever reviews it too.
//!
//! `UPDATE_EXPECT=1 cargo test --test public_api` writes the text anew. It is made of what rustdoc says, in a format that
//! belongs to one release of Rust: with another than the one that the workspace names, the test says that it was skipped.

#![cfg(unix)]

use std::fs;
use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};
use std::process::Command;

/// The release of Rust whose rustdoc writes the format that `public-api` reads.
const RUST: &str = "rustc 1.95.";

#[test]
fn the_public_api_is_the_one_that_is_written_down() {
    let rustc = Command::new("rustc").arg("--version").output().expect("rustc built this test");
    if !rustc.stdout.starts_with(RUST.as_bytes()) {
        println!("skipped: this is not {RUST}x");
        return;
    }
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let folder = tempfile::tempdir().expect("a temporary folder");
    // JSON is an unstable output. Only rustdoc itself may know that it is asked for: a compiler that did would build every
    // dependency anew.
    let rustdoc = folder.path().join("rustdoc");
    fs::write(&rustdoc, "#!/bin/sh\nRUSTC_BOOTSTRAP=1 exec rustdoc \"$@\"\n").expect("writable");
    fs::set_permissions(&rustdoc, fs::Permissions::from_mode(0o755)).expect("its owner may");
    let made = Command::new(env!("CARGO"))
        .args(["rustdoc", "-p", "toolcast", "--lib", "--all-features", "--locked", "--"])
        .args(["-Z", "unstable-options", "--output-format", "json", "--cap-lints", "allow"])
        .env("RUSTDOC", &rustdoc)
        .current_dir(root)
        .output()
        .expect("cargo runs this test, so it can be run");
    assert!(made.status.success(), "{}", String::from_utf8_lossy(&made.stderr));
    let page = target_folder(root).join("doc/toolcast.json");
    let api = public_api::Builder::from_rustdoc_json(page)
        .omit_blanket_impls(true)
        .omit_auto_trait_impls(true)
        .omit_auto_derived_impls(true)
        .build()
        .expect("public-api reads the format of this rustdoc");
    expect_test::expect_file![root.join("docs/public-api.txt")].assert_eq(&api.to_string());
}

/// Where cargo puts what it makes, whoever says so.
fn target_folder(root: &Path) -> PathBuf {
    let metadata = Command::new(env!("CARGO"))
        .args(["metadata", "--format-version=1", "--no-deps", "--locked", "--offline"])
        .current_dir(root)
        .output()
        .expect("cargo runs this test, so it can be run");
    let metadata: serde_json::Value =
        serde_json::from_slice(&metadata.stdout).expect("cargo prints JSON");
    metadata["target_directory"].as_str().expect("cargo names its target folder").into()
}
