//! The official JSON Schema test suite, through the bundler: each group's schema is a file of definitions, a contract
//! refers to it, and the bundled contract must accept and refuse exactly what the suite says. The suite's remote
//! schemas are files of the folder that claim their address by `$id`.
//!
//! Runs where `TOOLCAST_CORPUS` names a folder with `json-schema-test-suite` in it.

use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use toolcast_contract::{Catalog, Limits, Severity, Sources};

/// Groups that are known to differ: file, group, and why.
const EXCEPTIONS: &[(&str, &str, &str)] = &[
    ("draft2020-12/default.json", "invalid string value for default", MISFIT),
    ("draft2020-12/default.json", "invalid type for default", MISFIT),
    (
        "draft2020-12/default.json",
        "the default keyword does not do anything if the property is missing",
        MISFIT,
    ),
    ("draft2020-12/refRemote.json", "remote HTTP ref with different $id", TWO_ADDRESSES),
    ("draft2020-12/refRemote.json", "remote HTTP ref with different URN $id", TWO_ADDRESSES),
    ("draft2020-12/vocabulary.json", "ignore unrecognized optional vocabulary", METASCHEMA),
    (
        "draft2020-12/vocabulary.json",
        "schema that uses custom metaschema with with no validation vocabulary",
        METASCHEMA,
    ),
    ("draft7/default.json", "invalid string value for default", MISFIT),
    ("draft7/default.json", "invalid type for default", MISFIT),
    (
        "draft7/default.json",
        "the default keyword does not do anything if the property is missing",
        MISFIT,
    ),
];

const MISFIT: &str =
    "a default that does not fit its schema is an error of the contract, on purpose";
const TWO_ADDRESSES: &str =
    "the file is served under another address than its `$id`; here only `$id` gives one";
const METASCHEMA: &str = "metaschemas of one's own are another dialect, and refused as such";

fn files(folder: &Path) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(folder).expect("the suite's folder can be read");
    let mut files: Vec<PathBuf> =
        entries.map(|entry| entry.expect("an entry can be read").path()).collect();
    files.sort();
    files
}

fn json_of(path: &Path) -> Value {
    let text = std::fs::read_to_string(path).expect("a file of the suite can be read");
    serde_json::from_str(&text).expect("a file of the suite is JSON")
}

fn remotes(
    folder: &Path,
    root: &Path,
    dialect: &str,
    own: &str,
    out: &mut BTreeMap<String, Value>,
) {
    for path in files(folder) {
        let relative = path.strip_prefix(root).expect("it is inside").to_str().expect("UTF-8");
        if path.is_dir() {
            let other = ["draft", "v1"].iter().any(|prefix| relative.starts_with(prefix));
            if !other || relative.starts_with(own) {
                remotes(&path, root, dialect, own, out);
            }
            continue;
        }
        let mut schema = json_of(&path);
        if let Value::Object(members) = &mut schema {
            members
                .entry("$id")
                .or_insert_with(|| json!(format!("http://localhost:1234/{relative}")));
            members.entry("$schema").or_insert_with(|| json!(dialect));
        }
        out.insert(format!("defs/remotes/{relative}"), schema);
    }
}

#[test]
fn bundled_contracts_accept_what_the_suite_accepts() {
    let Some(corpus) = std::env::var_os("TOOLCAST_CORPUS") else {
        eprintln!("skipped: TOOLCAST_CORPUS is not set");
        return;
    };
    let suite = Path::new(&corpus).join("json-schema-test-suite");
    let mut wrong: BTreeMap<(String, String), Vec<String>> = BTreeMap::new();
    let (mut groups, mut tests) = (0, 0);
    for (own, dialect) in [
        ("draft2020-12", "https://json-schema.org/draft/2020-12/schema"),
        ("draft7", "http://json-schema.org/draft-07/schema#"),
    ] {
        let mut shared = BTreeMap::new();
        remotes(&suite.join("remotes"), &suite.join("remotes"), dialect, own, &mut shared);
        for path in files(&suite.join(own)).iter().filter(|path| path.is_file()) {
            let file = format!("{own}/{}", path.file_name().expect("a file").to_string_lossy());
            for group in json_of(path).as_array().expect("a list of groups") {
                let name = group["description"].as_str().expect("a text");
                let mut schema = group["schema"].clone();
                if let Value::Object(members) = &mut schema {
                    members.entry("$schema").or_insert_with(|| json!(dialect));
                }
                let contract = json!({
                    "description": "One group of the suite.",
                    "type": "object",
                    "properties": { "value": { "$ref": "defs/schema.json" } },
                });
                let mut folder: BTreeMap<String, Value> = BTreeMap::new();
                // Most groups name no other file, and the remotes would be parsed two thousand times.
                if schema.to_string().contains("localhost:1234") {
                    folder.extend(shared.clone());
                }
                folder.insert("group.json".to_owned(), contract);
                folder.insert("defs/schema.json".to_owned(), schema);
                let sources = Sources::from_files(
                    "schemas",
                    folder
                        .into_iter()
                        .map(|(path, value)| (path.into(), value.to_string().into_bytes())),
                );
                let (catalog, diagnostics) = Catalog::parse(&sources, &Limits::default());
                groups += 1;
                let key = (file.clone(), name.to_owned());
                let Some(contract) = catalog.contracts.first() else {
                    let errors = diagnostics.iter().filter(|d| d.severity == Severity::Error);
                    let errors: Vec<String> = errors.map(ToString::to_string).collect();
                    wrong.entry(key).or_default().push(format!("refused: {}", errors.join("\n")));
                    continue;
                };
                let validator = match jsonschema::draft202012::options()
                    .should_validate_formats(false)
                    .build(&contract.input)
                {
                    Ok(validator) => validator,
                    Err(error) => {
                        wrong.entry(key).or_default().push(format!("no validator: {error}"));
                        continue;
                    }
                };
                for test in group["tests"].as_array().expect("a list of tests") {
                    tests += 1;
                    let value = json!({ "value": test["data"] });
                    if validator.is_valid(&value) != (test["valid"] == json!(true)) {
                        let what = format!(
                            "{} {}: {}",
                            test["description"], test["valid"], contract.input
                        );
                        wrong.entry(key.clone()).or_default().push(what);
                    }
                }
            }
        }
    }
    println!("{groups} groups, {tests} tests");
    assert!(groups > 600, "the suite has been cut short: {groups} groups");
    let mut unexpected = Vec::new();
    for ((file, group), faults) in &wrong {
        if !EXCEPTIONS.iter().any(|(f, g, _)| f == file && g == group) {
            unexpected.push(format!("{file}: {group}\n    {}", faults.join("\n    ")));
        }
    }
    for (file, group, reason) in EXCEPTIONS {
        let failing = wrong.contains_key(&((*file).to_owned(), (*group).to_owned()));
        assert!(failing, "{file}: {group} passes now: take it off the list ({reason})");
    }
    assert!(unexpected.is_empty(), "{} groups:\n{}", unexpected.len(), unexpected.join("\n"));
}
