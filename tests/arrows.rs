//! Which crate may know which: the dependency arrows of ARCHITECTURE.md, held against what cargo resolves.

use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};
use std::process::Command;

/// Each package of the workspace with the workspace packages it may depend on, and for its build script.
const ALLOWED: &[(&str, &[&str], &[&str])] = &[
    ("toolcast-schema", &[], &[]),
    ("toolcast-contract", &["toolcast-schema"], &[]),
    ("toolcast-validate", &["toolcast-schema"], &[]),
    ("toolcast-import", &["toolcast-contract", "toolcast-schema"], &[]),
    ("toolcast-templates", &[], &[]),
    ("toolcast-codegen", &["toolcast-contract", "toolcast-schema", "toolcast-templates"], &[]),
    ("toolcast-review", &["toolcast-contract", "toolcast-schema", "toolcast-validate"], &[]),
    ("toolcast", &["toolcast-contract", "toolcast-schema", "toolcast-validate"], &[]),
    ("toolcast-serve", &["toolcast"], &[]),
    (
        "toolcast-cli",
        &[
            "toolcast",
            "toolcast-codegen",
            "toolcast-contract",
            "toolcast-import",
            "toolcast-review",
            "toolcast-schema",
            "toolcast-serve",
        ],
        &["toolcast-codegen"],
    ),
    ("helpdesk", &["toolcast", "toolcast-serve"], &["toolcast-codegen"]),
];

/// A package with a crate that must not be linked into it, at any depth: either doubles the cold build of every
/// project that has a build script of ours.
const BARRED: &[(&str, &str)] = &[
    ("toolcast-schema", "jsonschema"),
    ("toolcast-contract", "jsonschema"),
    ("toolcast-contract", "schemars"),
    ("toolcast-codegen", "jsonschema"),
    ("toolcast-codegen", "schemars"),
];

#[test]
fn workspace_packages_depend_only_along_the_arrows() {
    let metadata = metadata();
    let members: BTreeSet<&str> =
        workspace(&metadata).map(|package| text(&package["name"])).collect();
    let mut broken = Vec::new();
    for package in workspace(&metadata) {
        let name = text(&package["name"]);
        let Some((_, normal, build)) = ALLOWED.iter().find(|(allowed, ..)| *allowed == name) else {
            // Test benches may look at everything; nothing may depend on them.
            continue;
        };
        for dependency in array(&package["dependencies"]) {
            let target = text(&dependency["name"]);
            let allowed = match dependency["kind"].as_str() {
                None => normal,
                Some("build") => build,
                Some(_) => continue,
            };
            if members.contains(target) && !allowed.contains(&target) {
                broken.push(format!("{name} -> {target}"));
            }
        }
    }
    assert!(broken.is_empty(), "arrows that ARCHITECTURE.md does not have: {broken:?}");
}

#[test]
fn every_package_of_the_table_exists() {
    let metadata = metadata();
    let members: BTreeSet<&str> =
        workspace(&metadata).map(|package| text(&package["name"])).collect();
    for (name, ..) in ALLOWED {
        assert!(
            members.contains(name),
            "{name} is in the table of arrows but not in the workspace"
        );
    }
}

#[test]
fn build_dependencies_stay_free_of_the_validator() {
    let metadata = metadata();
    let names: BTreeMap<&str, &str> = array(&metadata["packages"])
        .map(|package| (text(&package["id"]), text(&package["name"])))
        .collect();
    let nodes: BTreeMap<&str, &Value> =
        array(&metadata["resolve"]["nodes"]).map(|node| (text(&node["id"]), node)).collect();
    for (from, barred) in BARRED {
        let start = workspace(&metadata)
            .find(|package| package["name"] == *from)
            .map(|package| text(&package["id"]))
            .expect("the table names packages of the workspace");
        let mut paths = vec![vec![start]];
        let mut seen = BTreeSet::from([start]);
        while let Some(path) = paths.pop() {
            let last = path[path.len() - 1];
            assert!(
                names[last] != *barred,
                "{from} links {barred}: {}",
                path.iter().map(|id| names[id]).collect::<Vec<_>>().join(" -> ")
            );
            for dependency in array(&nodes[last]["deps"]) {
                let linked = array(&dependency["dep_kinds"])
                    .any(|kind| kind["kind"].as_str() != Some("dev"));
                let id = text(&dependency["pkg"]);
                if linked && seen.insert(id) {
                    paths.push([path.as_slice(), &[id]].concat());
                }
            }
        }
    }
}

fn metadata() -> Value {
    // For this machine's platform alone: crates of the others were never downloaded where only tests were run.
    let output = Command::new(env!("CARGO"))
        .args(["metadata", "--format-version=1", "--locked", "--offline"])
        .arg(format!("--filter-platform={}", host()))
        .current_dir(env!("CARGO_MANIFEST_DIR"))
        .output()
        .expect("cargo runs this test, so it can be run");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    serde_json::from_slice(&output.stdout).expect("cargo prints JSON")
}

/// The triple of the machine that runs this test.
fn host() -> String {
    let rustc = std::env::var_os("RUSTC").unwrap_or_else(|| "rustc".into());
    let output = Command::new(rustc).arg("-vV").output().expect("rustc built this test");
    let told = String::from_utf8_lossy(&output.stdout);
    let host = told.lines().find_map(|line| line.strip_prefix("host: "));
    host.expect("rustc -vV names its host").to_owned()
}

fn workspace(metadata: &Value) -> impl Iterator<Item = &Value> {
    let ids: BTreeSet<&str> = array(&metadata["workspace_members"]).map(text).collect();
    array(&metadata["packages"]).filter(move |package| ids.contains(text(&package["id"])))
}

fn array(value: &Value) -> impl Iterator<Item = &Value> {
    value.as_array().into_iter().flatten()
}

fn text(value: &Value) -> &str {
    value.as_str().unwrap_or_default()
}
