//! Times Sentry's json-schema-diff on labelled pairs: `cargo run --release --manifest-path benches/diff/sentry/Cargo.toml -- FILE`.

use serde_json::Value;
use std::panic::catch_unwind;
use std::time::{Duration, Instant};

fn main() {
    let file = std::env::args().nth(1).expect("usage: sentry-peer FILE");
    let text = std::fs::read_to_string(file).expect("the file can be read");
    let cases: Vec<Value> = serde_json::from_str(&text).expect("the file is a list");
    let mut times: Vec<Duration> = Vec::new();
    let (mut right, mut missed, mut alarms, mut failed) = (0, 0, 0, 0);
    std::panic::set_hook(Box::new(|_| {}));
    for case in cases {
        let label = case.get("expected").or_else(|| case.get("compatible_strict"));
        let expected = label.and_then(Value::as_bool).expect("a case has a label");
        let (old, new) = (case["old"].clone(), case["new"].clone());
        let start = Instant::now();
        let answer = catch_unwind(|| {
            let changes = json_schema_diff::diff(old, new).ok()?;
            Some(!changes.iter().any(|change| change.change.is_breaking()))
        });
        times.push(start.elapsed());
        match answer.ok().flatten() {
            None => failed += 1,
            Some(answer) if answer == expected => right += 1,
            Some(true) => missed += 1,
            Some(false) => alarms += 1,
        }
    }
    times.sort();
    println!("right {right}, unsafe {missed}, false alarm {alarms}, failed {failed}");
    println!(
        "median {:?}, p95 {:?}, worst {:?}",
        times[times.len() / 2],
        times[times.len() * 95 / 100],
        times[times.len() - 1]
    );
}
