//! The official JSON Schema test suite, where the machine has it: every required test right, every valid value decoded
//! and back again, but for the exceptions below, each with its reason. One that starts to pass fails the test.

use parity::scratch::{self, Settings};
use parity::{report, run, suite};
use std::collections::BTreeMap;
use std::env;
use std::path::PathBuf;

const FORMATS: &str =
    "the suite takes `format` for an annotation; a contract's formats are asserted";
const DEFAULTS: &str = "a default that does not fit its schema is a fault of the contract";
const DIALECT: &str = "only draft 2020-12 and draft 7 are dialects of contracts";

/// File, groups and reason. A group that is a fault of the contract has no bindings; every miss of it counts.
const EXCEPTIONS: &[(&str, &[usize], &str)] = &[
    ("draft2020-12/default", &[0, 1, 2], DEFAULTS),
    ("draft7/default", &[0, 1, 2], DEFAULTS),
    ("draft2020-12/vocabulary", &[0], DIALECT),
    ("draft2020-12/format", &[0, 2, 3, 4, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18], FORMATS),
];

#[test]
fn every_required_test_is_right_and_every_valid_value_decodes() {
    let Some(folder) = env::var_os("TOOLCAST_CORPUS").map(PathBuf::from) else {
        // Written past the capture of the test harness: a skipped test must not look like one that passed.
        use std::io::Write;
        writeln!(std::io::stderr(), "the official suite: skipped, TOOLCAST_CORPUS is not set")
            .unwrap();
        return;
    };
    let batches = suite::read(&folder.join("json-schema-test-suite")).unwrap();
    let settings = Settings {
        folder: scratch::scratch_folder("suite"),
        edition: "2024",
        arbitrary_precision: false,
        release: false,
        jobs: 2,
        quality: false,
        clock: None,
    };
    let rows = run::run(&batches, &settings).unwrap();
    let report = report::render(&rows);
    let mut excepted: BTreeMap<(&str, usize), bool> = BTreeMap::new();
    for (file, groups, _) in EXCEPTIONS {
        excepted.extend(groups.iter().map(|group| ((*file, *group), false)));
    }
    let mut wrong = Vec::new();
    for row in &rows {
        for miss in &row.misses {
            let known = excepted.iter_mut().find(|((file, group), _)| {
                let stem = file.rsplit('/').next().unwrap_or(file);
                row.name == *file && suite::concerns(miss, &format!("{stem}_{group}"))
            });
            match known {
                Some((_, met)) => *met = true,
                None => wrong.push(format!("{} {}: {}", row.name, miss.tool, miss.what)),
            }
        }
    }
    assert!(wrong.is_empty(), "{}\n\n{report}", wrong.join("\n"));
    let passing: Vec<_> =
        excepted.iter().filter(|(_, met)| !**met).map(|(group, _)| group).collect();
    assert!(passing.is_empty(), "no exceptions any more, take them off the list: {passing:?}");
    let tests: usize = rows.iter().map(|row| row.calls).sum();
    assert!(tests > 2_000, "only {tests} tests were found");
}
