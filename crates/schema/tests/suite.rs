//! The evaluator against the official JSON Schema test suite: where it answers yes or no, the suite does too.
//!
//! Runs where `TOOLCAST_CORPUS` names the folder that holds `json-schema-test-suite`.

use serde_json::Value;
use std::collections::{BTreeMap, HashSet};
use std::path::{Path, PathBuf};
use toolcast_schema::dialect::Dialect;
use toolcast_schema::evaluate::{
    Answer, Bounds, Failure, Indexed, Observer, Oracle, References, Silence, SingleDocument,
    evaluate,
};
use toolcast_schema::index::{Document, Index, Location};
use toolcast_schema::json;
use toolcast_schema::limits::Limits;

/// Patterns by a library; formats as the annotations that they are by default.
struct Library;

impl Oracle for Library {
    fn pattern(&mut self, pattern: &str, text: &str) -> Answer {
        regex::Regex::new(pattern).map_or(Answer::Unknown, |regex| regex.is_match(text).into())
    }

    fn format(&mut self, _: &Value, _: &Value) -> Answer {
        Answer::Yes
    }
}

/// Hears all, and lets failing parts count.
#[derive(Default)]
struct Everything {
    failures: usize,
}

impl Observer<'_> for Everything {
    fn failed(&mut self, _: &Failure<'_, '_>) {
        self.failures += 1;
    }

    fn goes_on(&self) -> bool {
        true
    }

    fn counts_failing_parts(&self) -> bool {
        true
    }
}

fn files(folder: &Path) -> Vec<PathBuf> {
    let mut files: Vec<PathBuf> =
        std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    files.retain(|file| file.extension().is_some_and(|ending| ending == "json"));
    files.sort();
    files
}

/// The documents that the suite serves to those who ask the network.
fn remotes(folder: &Path, uri: &str, found: &mut Vec<(String, Value)>) {
    for entry in std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap()) {
        let uri = format!("{uri}/{}", entry.file_name().to_string_lossy());
        if entry.path().is_dir() {
            remotes(&entry.path(), &uri, found);
        } else if let Ok(value) = serde_json::from_slice(&std::fs::read(entry.path()).unwrap()) {
            found.push((uri, value));
        }
    }
}

fn document(path: &str, is_metaschema: bool, value: &Value, outer: Dialect) -> Option<Document> {
    let dialect =
        value.get("$schema").and_then(Value::as_str).map_or(Some(outer), Dialect::named)?;
    let parsed = json::parse(&value.to_string(), 100).ok()?;
    let mut document = Document::new(path.into(), dialect, parsed.value, parsed.places);
    document.is_metaschema = is_metaschema;
    Some(document)
}

fn answers<'s, R: References<'s>>(
    references: &R,
    place: &R::Place,
    schema: &'s Value,
    value: &Value,
) -> [Answer; 2] {
    let bounds = || Bounds::new(1_000_000, 200);
    let mut all = Everything::default();
    let short =
        evaluate(references, place, schema, value, &mut Library, &mut Silence, &mut bounds());
    let long = evaluate(references, place, schema, value, &mut Library, &mut all, &mut bounds());
    assert!(
        long != Answer::No || all.failures > 0,
        "a refusal without a failure: {schema} {value}"
    );
    [short, long]
}

#[test]
fn no_answer_is_other_than_the_suites() {
    let Ok(corpus) = std::env::var("TOOLCAST_CORPUS") else {
        println!("skipped: TOOLCAST_CORPUS is not set");
        return;
    };
    let suite = Path::new(&corpus).join("json-schema-test-suite");
    let mut served = Vec::new();
    remotes(&suite.join("remotes"), "http://localhost:1234", &mut served);
    for (folder, dialect) in [("draft2020-12", Dialect::Draft2020), ("draft7", Dialect::Draft7)] {
        let (mut asked, mut wrong) = (0, Vec::new());
        let mut unknown: BTreeMap<&str, BTreeMap<String, usize>> = BTreeMap::new();
        for file in files(&suite.join(folder)) {
            let name = file.file_name().unwrap().to_string_lossy().into_owned();
            let groups: Value = serde_json::from_slice(&std::fs::read(&file).unwrap()).unwrap();
            for group in groups.as_array().unwrap() {
                let schema = &group["schema"];
                let Some(main) = document("test.json", false, schema, dialect) else { continue };
                let alone = SingleDocument::new(schema, main.dialect);
                let further = served
                    .iter()
                    .filter(|(uri, _)| !uri.contains("/draft") || uri.contains(folder))
                    .filter_map(|(uri, value)| document(uri, true, value, dialect));
                let documents = std::iter::once(main).chain(further).collect();
                let index = Index::new(documents, HashSet::new(), &Limits::default());
                let root = Location { document: 0, pointer: String::new() };
                let place = Indexed::new(&index, root.clone());
                let indexed = index.value(&root).unwrap();
                for test in group["tests"].as_array().unwrap() {
                    let (data, valid) = (&test["data"], test["valid"].as_bool().unwrap());
                    let by_index = answers(&&index, &place, indexed, data);
                    let by_itself = answers(&alone, &(), schema, data);
                    asked += 1;
                    for (how, answers) in [("index", by_index), ("alone", by_itself)] {
                        for answer in answers {
                            if answer == Answer::from(!valid) {
                                wrong.push(format!(
                                    "{how}: {name}: {}: {}: {answer:?}",
                                    group["description"], test["description"]
                                ));
                            }
                        }
                        if answers.contains(&Answer::Unknown) {
                            let by_file = unknown.entry(how).or_default();
                            *by_file.entry(name.clone()).or_default() += 1;
                        }
                    }
                }
            }
        }
        assert!(asked > 800, "the suite is not where it should be");
        for (how, files) in &unknown {
            let all: usize = files.values().sum();
            println!("{folder}, {how}: {all} of {asked} unknown: {files:?}");
        }
        assert!(wrong.is_empty(), "{} of {asked}:\n{}", wrong.len(), wrong.join("\n"));
    }
}
