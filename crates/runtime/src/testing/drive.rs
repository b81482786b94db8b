//! Calls that nobody wrote by hand: a contract's examples, and values that its schema accepts.

use super::Generator;
use crate::{Code, Invocation, Outcome, Registry};
use serde_json::Value;
use std::fmt;

/// Calls that were made, and what was wrong with them.
#[derive(Debug, Default)]
pub struct Report {
    calls: usize,
    failures: Vec<String>,
    skipped: Vec<String>,
}

impl Report {
    /// Calls that were made.
    pub fn calls(&self) -> usize {
        self.calls
    }

    /// What was wrong, one line a call.
    pub fn failures(&self) -> &[String] {
        &self.failures
    }

    /// Tools for which no valid value was found.
    pub fn skipped(&self) -> &[String] {
        &self.skipped
    }

    /// Fails the test where anything was wrong.
    ///
    /// # Panics
    ///
    /// Where there are failures; the message lists all.
    #[track_caller]
    pub fn assert(&self) {
        assert!(self.failures.is_empty(), "{self}");
    }

    /// Judges one call: an error in the tool's own words is an answer; everything else that fails is a defect.
    async fn call(&mut self, registry: &Registry, asked: &Invocation, name: &str, input: Value) {
        self.calls += 1;
        let shown = input.to_string();
        let wrong = match registry.execute(name, input, asked).await {
            Ok(outcome) => defect(&outcome),
            Err(interrupted) => Some(format!("interrupted: {interrupted}")),
        };
        if let Some(wrong) = wrong {
            let shown: String = shown.chars().take(500).collect();
            self.failures.push(format!("{name} {shown}: {wrong}"));
        }
    }
}

fn defect(outcome: &Outcome) -> Option<String> {
    match outcome.code()? {
        Code::ToolError | Code::CallLimit => None,
        code => {
            let original = outcome.error().map(|error| match error.source() {
                Some(source) => format!(" ({source})"),
                None => format!(" ({error:?})"),
            });
            Some(format!("{code}: {}{}", outcome.text(), original.unwrap_or_default()))
        }
    }
}

impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} calls, {} of them failed", self.calls, self.failures.len())?;
        for failure in &self.failures {
            write!(f, "\n  {failure}")?;
        }
        for name in &self.skipped {
            write!(f, "\n  {name}: no valid value was found")?;
        }
        Ok(())
    }
}

/// Calls every tool with each of its contract's `examples`.
///
/// A tool may answer in an error of its own words, since a test's data need not hold what an example names. Invalid input,
/// invalid output, a panic, an unexpected error, a timeout and an interruption are failures.
pub async fn run_examples(registry: &Registry, asked: &Invocation) -> Report {
    let mut report = Report::default();
    for (name, schema) in schemas(registry, &mut report) {
        let examples = schema.get("examples").and_then(Value::as_array);
        for example in examples.into_iter().flatten() {
            report.call(registry, asked, &name, example.clone()).await;
        }
    }
    report
}

/// Calls every tool with so many values that its schema accepts, chosen by a seed.
///
/// Failures are those of [`run_examples`]: whatever its schema accepts, a handler must take, and its results must satisfy
/// the output schema. Each line shows the input that failed.
pub async fn exercise(registry: &Registry, asked: &Invocation, seed: u64, calls: usize) -> Report {
    let mut report = Report::default();
    for (name, schema) in schemas(registry, &mut report) {
        let mut generator = match Generator::new(&schema, seed) {
            Ok(generator) => generator,
            Err(message) => {
                report.failures.push(format!("{name}: its schema is not valid: {message}"));
                continue;
            }
        };
        for _ in 0..calls {
            match generator.value() {
                Some(value) => report.call(registry, asked, &name, value).await,
                None => {
                    report.skipped.push(name);
                    break;
                }
            }
        }
    }
    report
}

fn schemas(registry: &Registry, report: &mut Report) -> Vec<(String, Value)> {
    match registry.specifications() {
        Ok(tools) => tools.into_iter().map(|tool| (tool.name, tool.input_schema)).collect(),
        Err(fault) => {
            report.failures.push(fault.to_string());
            Vec::new()
        }
    }
}
