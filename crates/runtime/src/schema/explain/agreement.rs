//! Explanations against the official JSON Schema test suite: what the validator accepts has no fault, and what it refuses
//! is explained by the evaluator's own failures, but for what a document alone leaves open.
//!
//! Runs where `TOOLCAST_CORPUS` names the folder that holds `json-schema-test-suite`.

use crate::schema::{Compiled, compile};
use serde_json::Value;
use std::path::Path;

/// Files in which references depend on more than one document: the validator's own first error explains some of them.
const LEFT_OPEN: [&str; 5] =
    ["dynamicRef.json", "anchor.json", "defs.json", "ref.json", "refRemote.json"];

#[test]
fn the_official_suite_is_explained() {
    let Ok(corpus) = std::env::var("TOOLCAST_CORPUS") else {
        println!("skipped: TOOLCAST_CORPUS is not set");
        return;
    };
    let folder = Path::new(&corpus).join("json-schema-test-suite/draft2020-12");
    let mut files: Vec<_> =
        std::fs::read_dir(&folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    files.sort();
    let (mut refused, mut wrong) = (0, Vec::new());
    for file in files.iter().filter(|file| file.extension().is_some_and(|ending| ending == "json"))
    {
        let name = file.file_name().unwrap().to_string_lossy().into_owned();
        let groups: Value = serde_json::from_slice(&std::fs::read(file).unwrap()).unwrap();
        for group in groups.as_array().unwrap() {
            // Schemas that need remote documents do not compile here.
            let Ok(validator) = compile(&group["schema"]) else { continue };
            let schema = Compiled { value: group["schema"].clone(), validator };
            for test in group["tests"].as_array().unwrap() {
                let data = &test["data"];
                let is_valid = schema.validator.is_valid(data);
                let (found, _) = super::found(&schema.value, data, 100, false);
                refused += usize::from(!is_valid);
                let is_decided = !LEFT_OPEN.contains(&&*name)
                    && !group["schema"].to_string().contains("$dynamicRef");
                let as_expected = if !is_decided {
                    is_valid || !super::faults(&schema, data).is_empty()
                } else {
                    found.is_empty() == is_valid
                };
                if !as_expected {
                    wrong.push(format!(
                        "{name}: {}: {}: {found:?}",
                        group["description"], test["description"]
                    ));
                }
            }
        }
    }
    assert!(refused > 500, "the suite is not where it should be");
    assert!(wrong.is_empty(), "{} of {refused}:\n{}", wrong.len(), wrong.join("\n"));
    println!("{refused} refusals explained");
}
