//! Compares labelled pairs and prints how the verdicts meet the labels.
//!
//! `cargo run --release -p toolcast-review --example cases -- FILE... [--formats]`: files of `expected` labels or of
//! `compatible_strict` and `compatible_declared` ones, a list or one case a line. A label is a boolean, or `C` for
//! compatible and `B` for breaking. Exits with 1 where a verdict is wrong or fewer than 98% are decided.

use serde_json::Value;
use std::process::ExitCode;
use std::time::{Duration, Instant};
use toolcast_review::diff::{Settings, Verdict, compare};

#[derive(Default)]
struct Tally {
    right: usize,
    wrong: Vec<String>,
    unproven: Vec<String>,
}

impl Tally {
    fn count(&mut self, id: &str, verdict: &Verdict, expected: bool) {
        match verdict {
            Verdict::Unproven(why) => self.unproven.push(format!("{id} ({why})")),
            Verdict::Breaking(witness) if expected => {
                self.wrong.push(format!("{id} (breaks on {})", witness.value));
            }
            Verdict::Compatible(proof) if !expected => self.wrong.push(format!("{id} ({proof})")),
            _ => self.right += 1,
        }
    }

    fn total(&self) -> usize {
        self.right + self.wrong.len() + self.unproven.len()
    }

    fn is_decided(&self) -> bool {
        self.unproven.len() * 50 <= self.total()
    }
}

fn main() -> ExitCode {
    let mut arguments = std::env::args().skip(1).collect::<Vec<_>>();
    let formats = arguments.iter().any(|argument| argument == "--formats");
    arguments.retain(|argument| !argument.starts_with("--"));
    if arguments.is_empty() {
        eprintln!("usage: cases FILE... [--formats]");
        return ExitCode::from(2);
    }
    let mut good = true;
    for file in &arguments {
        println!("{file}");
        match run(file, formats) {
            Ok(fine) => good &= fine,
            Err(error) => {
                eprintln!("{file}: {error}");
                return ExitCode::from(2);
            }
        }
    }
    if good { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

/// A list of cases, or one case a line.
fn read(file: &str) -> Result<Vec<Value>, Box<dyn std::error::Error>> {
    let text = std::fs::read_to_string(file)?;
    if text.trim_start().starts_with('[') {
        return Ok(serde_json::from_str(&text)?);
    }
    let lines = text.lines().filter(|line| !line.trim().is_empty());
    Ok(lines.map(serde_json::from_str).collect::<Result<_, _>>()?)
}

/// Whether a label says that the pair is compatible; `None` where there is no label.
fn label(case: &Value, name: &str) -> Option<bool> {
    match &case[name] {
        Value::Bool(compatible) => Some(*compatible),
        Value::String(letter) => Some(letter == "C"),
        _ => None,
    }
}

fn run(file: &str, formats: bool) -> Result<bool, Box<dyn std::error::Error>> {
    let cases = read(file)?;
    let mut times: Vec<(Duration, String)> = Vec::new();
    let mut tallies: Vec<(&str, Tally)> = Vec::new();
    for case in &cases {
        let id = case["id"].as_str().ok_or("a case has no id")?;
        // Most labels follow plain JSON Schema, where `format` is a remark; a case may say otherwise.
        let formats = formats || case["formats"] == Value::Bool(true);
        let settings = Settings { formats, ..Settings::default() };
        let start = Instant::now();
        let comparison = compare(&case["old"], &case["new"], &settings);
        times.push((start.elapsed(), id.to_owned()));
        let mut count = |view: &'static str, name: &str, verdict: &Verdict| {
            let Some(expected) = label(case, name) else { return };
            let at = tallies.iter().position(|(name, _)| *name == view).unwrap_or_else(|| {
                tallies.push((view, Tally::default()));
                tallies.len() - 1
            });
            tallies[at].1.count(id, verdict, expected);
        };
        count("strict", "expected", &comparison.strict);
        count("strict", "compatible_strict", &comparison.strict);
        count("declared", "compatible_declared", &comparison.declared);
        count("declared", "declared", &comparison.declared);
        if let Some(expected) = case["removed_parameter_ignored"].as_bool()
            && expected != comparison.ignored.is_some()
        {
            let at = tallies.iter().position(|(name, _)| *name == "declared").unwrap_or(0);
            tallies[at].1.wrong.push(format!("{id} (removed parameter ignored: {expected})"));
        }
    }
    println!("{:<10} {:>6} {:>6} {:>6} {:>10}", "view", "pairs", "right", "wrong", "unproven");
    let mut good = true;
    for (view, tally) in &tallies {
        println!(
            "{view:<10} {:>6} {:>6} {:>6} {:>10}",
            tally.total(),
            tally.right,
            tally.wrong.len(),
            tally.unproven.len()
        );
        good &= tally.wrong.is_empty() && tally.is_decided();
    }
    for (view, tally) in &tallies {
        for id in &tally.wrong {
            println!("wrong ({view}): {id}");
        }
        for id in &tally.unproven {
            println!("unproven ({view}): {id}");
        }
    }
    times.sort();
    let at = |part: usize| times.get((times.len() * part / 100).min(times.len().saturating_sub(1)));
    if let (Some(median), Some(late), Some(worst)) = (at(50), at(95), times.last()) {
        println!(
            "time a pair: median {:?}, p95 {:?}, worst {:?} ({}); all {:?}",
            median.0,
            late.0,
            worst.0,
            worst.1,
            times.iter().map(|(time, _)| *time).sum::<Duration>()
        );
    }
    Ok(good)
}
