//! One folder a case: `faults/<case>/schemas` and the diagnostics it must give, `bundle/<case>/schemas` and the tools
//! that come of it. `UPDATE_EXPECT=1 cargo test -p toolcast-contract` writes what is expected anew.

use camino::{Utf8Path, Utf8PathBuf};
use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::fs;
use toolcast_contract::{Catalog, Diagnostic, Limits, Severity, Sources};

fn cases(folder: &str) -> Vec<Utf8PathBuf> {
    let mut cases: Vec<Utf8PathBuf> = Utf8Path::new(folder)
        .read_dir_utf8()
        .expect("the folder of cases is there")
        .map(|entry| entry.expect("it can be read").into_path())
        .filter(|path| path.is_dir())
        .collect();
    cases.sort();
    assert!(!cases.is_empty());
    cases
}

/// Reads a case as if its own folder were the working directory.
fn sources(case: &Utf8Path) -> Sources {
    let read = Sources::read(&case.join("schemas"));
    assert_eq!(read.faults(), []);
    let files = read
        .files()
        .map(|path| (path.to_owned(), read.bytes(path).expect("it was just read").to_vec()));
    Sources::from_files("schemas", files)
}

fn compare(path: &Utf8Path, actual: &str) -> bool {
    if std::env::var_os("UPDATE_EXPECT").is_some() {
        fs::write(path, actual).expect("the expectation can be written");
        return true;
    }
    let expected = fs::read_to_string(path).unwrap_or_default();
    if expected == actual {
        return true;
    }
    eprintln!("--- {path}: expected\n{expected}\n+++ actual\n{actual}");
    false
}

fn listed(diagnostics: &[Diagnostic]) -> String {
    diagnostics.iter().fold(String::new(), |mut text, diagnostic| {
        let _ = writeln!(text, "{diagnostic}");
        text
    })
}

#[test]
fn faults() {
    let mut same = true;
    for case in cases("tests/faults") {
        let (catalog, diagnostics) = Catalog::parse(&sources(&case), &Limits::default());
        let mut text = listed(&diagnostics);
        let kept: Vec<&str> = catalog.contracts.iter().map(|c| c.source.as_str()).collect();
        let _ = writeln!(text, "kept: {}", kept.join(", "));
        same &= compare(&case.join("expected.txt"), &text);
        for contract in &catalog.contracts {
            let file = Utf8Path::new("schemas").join(&contract.source);
            let at_fault =
                diagnostics.iter().any(|d| d.file == file && d.severity == Severity::Error);
            assert!(!at_fault, "{file} has an error and was kept");
        }
    }
    assert!(same, "see above; UPDATE_EXPECT=1 accepts");
}

#[test]
fn every_case_of_a_rule_shows_that_rule() {
    let rules: BTreeSet<&str> = toolcast_contract::RULES.iter().map(|rule| rule.id).collect();
    for case in cases("tests/faults") {
        let name = case.file_name().expect("a case has a name");
        if rules.contains(name) {
            let text = fs::read_to_string(case.join("expected.txt")).unwrap_or_default();
            assert!(text.contains(&format!("[{name}]")), "{name} never shows its rule");
        }
    }
}

#[test]
fn bundles() {
    let mut same = true;
    for case in cases("tests/bundle") {
        let (catalog, diagnostics) = Catalog::parse(&sources(&case), &Limits::default());
        let errors = diagnostics.iter().filter(|d| d.severity == Severity::Error).count();
        assert_eq!(errors, 0, "{case}:\n{}", listed(&diagnostics));
        let mut text = String::new();
        for contract in &catalog.contracts {
            let specification = serde_json::to_string_pretty(&contract.specification());
            let _ = writeln!(text, "{}", specification.expect("a value can always be written"));
        }
        same &= compare(&case.join("expected.json"), &text);
    }
    assert!(same, "see above; UPDATE_EXPECT=1 accepts");
}
