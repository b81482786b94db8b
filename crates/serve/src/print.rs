//! How answers look: tables for people, JSON for scripts, the bare result of a call.

use super::Answer;
use serde_json::{Map, Value};
use std::fmt::Write as _;
use std::io::{ErrorKind, Write as _};
use std::process::ExitCode;
use toolcast::{Artifact, Content, Fault, Outcome, Specification};

impl Answer {
    /// Prints both texts; a reader that went away is no error, a disk that is full is one.
    pub fn print(self) -> ExitCode {
        let mut stderr = std::io::stderr().lock();
        // Where the error stream fails too, nobody is left to tell.
        let _ = stderr.write_all(self.stderr.as_bytes());
        let mut stdout = std::io::stdout().lock();
        match stdout.write_all(self.stdout.as_bytes()).and_then(|()| stdout.flush()) {
            Err(fault) if fault.kind() != ErrorKind::BrokenPipe => {
                let unsaid = Self::impossible(format!("standard output: {fault}"));
                let _ = stderr.write_all(unsaid.stderr.as_bytes());
                ExitCode::from(unsaid.code)
            }
            _ => ExitCode::from(self.code),
        }
    }
}

/// Names and the first lines of descriptions.
pub(super) fn table(tools: &[Specification]) -> String {
    let widest = tools.iter().map(|tool| tool.name.len()).max().unwrap_or(0);
    let mut table = String::new();
    for tool in tools {
        let summary = tool.description.lines().next().unwrap_or_default();
        // Writing into a `String` cannot fail.
        let _ = writeln!(table, "{:widest$}  {summary}", tool.name);
    }
    table
}

/// The answer of a tool, as it is: its value as one line of JSON, else its words.
pub(super) fn result(outcome: &Outcome) -> String {
    if let Some(value) = outcome.value() {
        return format!("{value}\n");
    }
    let mut text = String::new();
    for part in &*outcome.content() {
        match part {
            Content::Text(words) => text.push_str(words),
            other => text.push_str(&other.to_mcp().to_string()),
        }
        text.push('\n');
    }
    text
}

/// The whole outcome as one JSON value.
pub(super) fn outcome(outcome: &Outcome) -> Value {
    let mut members = Map::new();
    members.insert("is_error".into(), outcome.is_error().into());
    if let Some(code) = outcome.code() {
        members.insert("code".into(), code.as_str().into());
        members.insert("text".into(), outcome.text().into());
        let faults: Vec<Value> = outcome.faults().iter().map(Fault::to_json).collect();
        if !faults.is_empty() {
            members.insert("faults".into(), faults.into());
        }
        return members.into();
    }
    match outcome.value() {
        Some(value) => members.insert("value".into(), value.clone()),
        None => members.insert(
            "content".into(),
            outcome.content().iter().map(Content::to_mcp).collect::<Vec<_>>().into(),
        ),
    };
    let artifacts: Vec<Value> = outcome.artifacts().iter().map(Artifact::to_json).collect();
    if !artifacts.is_empty() {
        members.insert("artifacts".into(), artifacts.into());
    }
    members.into()
}
