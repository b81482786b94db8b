//! What a schema accepts, generated types hold: calls whose answer is written down, through generated bindings.

use parity::bindings::Batch;
use parity::scratch::{self, Settings};
use parity::{cases, report, run};
use std::env;
use std::path::{Path, PathBuf};

fn misses(name: &str, batches: &[Batch]) -> Vec<String> {
    let settings = Settings {
        folder: scratch::scratch_folder(name),
        edition: "2024",
        arbitrary_precision: false,
        release: false,
        jobs: 2,
        quality: false,
        clock: None,
    };
    let rows = run::run(batches, &settings).unwrap();
    println!("{}", report::render(&rows));
    assert!(rows.iter().map(|row| row.calls).sum::<usize>() > 0);
    let all = rows.iter().flat_map(|row| &row.misses);
    all.map(|miss| format!("{}: {}", miss.tool, miss.what)).collect()
}

#[test]
fn what_is_accepted_is_held() {
    let batch = cases::held(&Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/held")).unwrap();
    let misses = misses("held", &[batch]);
    assert!(misses.is_empty(), "{}", misses.join("\n"));
}

#[test]
fn the_cases_of_the_corpus_are_held() {
    let Some(folder) = env::var_os("TOOLCAST_CORPUS").map(PathBuf::from) else {
        // Written past the capture of the test harness: a skipped test must not look like one that passed.
        use std::io::Write;
        writeln!(std::io::stderr(), "the cases: skipped, TOOLCAST_CORPUS is not set").unwrap();
        return;
    };
    let batches = cases::contracts(&folder.join("cases/contracts")).unwrap();
    let misses = misses("cases", &batches);
    assert!(misses.is_empty(), "{}", misses.join("\n"));
}
