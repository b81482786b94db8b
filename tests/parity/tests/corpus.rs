//! The corpus of real tools and the official suite, where the machine has them.

use parity::bindings::{self, Batch};
use parity::scratch::{self, Settings};
use parity::{corpus, report, run};
use std::env;
use std::path::PathBuf;

/// `TOOLCAST_CORPUS` names the folder that holds `corpus` and `json-schema-test-suite`.
fn shared(test: &str) -> Option<PathBuf> {
    let folder = env::var_os("TOOLCAST_CORPUS").map(PathBuf::from);
    if folder.is_none() {
        // Written past the capture of the test harness: a skipped test must not look like one that passed.
        use std::io::Write;
        let line = format!("{test}: skipped, TOOLCAST_CORPUS is not set\n");
        std::io::stderr().write_all(line.as_bytes()).unwrap();
    }
    folder
}

#[test]
fn no_real_call_is_refused_or_loses_anything() {
    let Some(folder) = shared("no_real_call_is_refused_or_loses_anything") else { return };
    let servers = corpus::read(&folder.join("corpus")).unwrap();
    let batches: Vec<Batch> = servers.iter().map(bindings::import).collect();
    let settings = Settings {
        folder: scratch::scratch_folder("corpus"),
        edition: "2024",
        arbitrary_precision: false,
        release: false,
        jobs: 2,
        // The other edition, and numbers of any precision: `parity DIR --quality --edition 2021 --arbitrary-precision`.
        quality: true,
        clock: Some(env!("CARGO_BIN_EXE_parity").into()),
    };
    let rows = run::run(&batches, &settings).unwrap();
    let report = report::render(&rows);
    println!("{report}");
    assert!(rows.iter().all(|row| row.misses.is_empty()), "{report}");
    assert!(rows.iter().map(|row| row.calls).sum::<usize>() > 0, "{report}");
}
