//! The whole way of a corpus: generate, compile, call, compare. What fails costs its own tool or server and is
//! counted; the rest goes on.

use crate::bindings::{self, Batch, Binding, Generated};
use crate::compare::{self, Difference};
use crate::corpus::Call;
use crate::driver::{self, Answer};
use crate::scratch::{self, Compiled, Scratch, Settings};
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};
use std::io;

/// What became of one batch: a row of the table, and the misses behind its numbers.
#[derive(Clone, Debug, Default)]
pub struct Row {
    /// The batch's name.
    pub name: String,
    /// Tools that the server lists.
    pub tools: usize,
    /// Contracts that the importer wrote.
    pub imported: usize,
    /// Tools that have bindings.
    pub generated: usize,
    /// Tools whose bindings compile.
    pub compiled: usize,
    /// Calls to this server's tools.
    pub calls: usize,
    /// Calls that reached their handler.
    pub accepted: usize,
    /// Valid calls that did not.
    pub refused: usize,
    /// Invalid calls that did.
    pub let_through: usize,
    /// Calls that came back with a member lost or changed.
    pub changed: usize,
    /// Lines of Rust: all, and those that are neither comment nor blank.
    pub lines: (usize, usize),
    /// Seconds of importing, loading and generating.
    pub generating: f64,
    /// Seconds that rustc took for the bindings.
    pub compiling: f64,
    /// Everything that is not as it must be.
    pub misses: Vec<Miss>,
    /// What the importer repaired or skipped, in its words: reported, and no miss.
    pub notes: Vec<String>,
}

/// One thing that is not as it must be.
#[derive(Clone, Debug)]
pub struct Miss {
    /// The tool; empty for a fault of the whole server.
    pub tool: String,
    /// What is wrong, values included.
    pub what: String,
}

/// How often bindings that do not compile are left out and the rest tried again. rustc stops at the first stage that
/// fails, so the tools to blame come to light in a few rounds.
const ROUNDS: usize = 4;

/// Runs every batch and says what became of it, in order.
///
/// # Errors
///
/// Where the harness itself cannot work: no disk, no cargo, a driver that does not compile.
pub fn run(batches: &[Batch], settings: &Settings) -> io::Result<Vec<Row>> {
    let mut generated: Vec<Generated> = batches.iter().map(bindings::generate).collect();
    let mut rows: Vec<Row> = batches.iter().zip(&generated).map(|(b, g)| row(b, g)).collect();
    let tools: usize = rows.iter().map(|row| row.generated).sum();
    eprintln!("parity: {tools} tools generated; compiling in {}", settings.folder.display());
    let scratch = Scratch::new(settings.clone());
    let compiled = compile(&scratch, &mut generated, &mut rows)?;
    let sound: Vec<usize> = (0..batches.len())
        .filter(|index| {
            compiled[*index].errors.is_empty() && !generated[*index].bindings.tools.is_empty()
        })
        .collect();
    if settings.quality {
        eprintln!("parity: linting and documenting");
        lint(&scratch, &mut rows)?;
    }
    eprintln!("parity: calling");
    let driver = scratch.link(&sound)?;
    for (index, (batch, row)) in batches.iter().zip(&mut rows).enumerate() {
        row.compiling = compiled[index].seconds;
        let tools: BTreeMap<&str, &Binding> = if sound.contains(&index) {
            let tools = &generated[index].bindings.tools;
            tools.iter().map(|tool| (tool.name.as_str(), tool)).collect()
        } else {
            BTreeMap::new()
        };
        row.compiled = tools.len();
        call(batch, row, &tools, |calls| driver::answers(&driver, index, calls))?;
    }
    Ok(rows)
}

fn row(batch: &Batch, generated: &Generated) -> Row {
    Row {
        name: batch.name.clone(),
        tools: batch.listed,
        imported: batch.imported,
        generated: generated.bindings.tools.len(),
        calls: batch.calls.len(),
        lines: scratch::lines_of(&generated.bindings.files),
        generating: generated.seconds + batch.seconds,
        misses: batch.faults.iter().chain(&generated.faults).cloned().collect(),
        notes: batch.notes.clone(),
        ..Row::default()
    }
}

/// Compiles every batch. A tool whose bindings do not compile is a miss; it is left out, and the others are tried again.
fn compile(
    scratch: &Scratch,
    generated: &mut [Generated],
    rows: &mut [Row],
) -> io::Result<Vec<Compiled>> {
    for round in 1.. {
        let bindings: Vec<_> = generated.iter().map(|batch| batch.bindings.clone()).collect();
        scratch.write(&bindings)?;
        let compiled = scratch.compile(generated.len())?;
        let mut again = false;
        for ((batch, row), result) in generated.iter_mut().zip(rows.iter_mut()).zip(&compiled) {
            for error in &result.errors {
                let tool = result.blamed.iter().cloned().collect::<Vec<_>>().join(", ");
                row.misses.push(Miss { tool, what: format!("does not compile: {error}") });
            }
            if !result.errors.is_empty() && round < ROUNDS {
                again |= batch.leave_out(&result.blamed);
            }
        }
        if !again {
            return Ok(compiled);
        }
    }
    unreachable!("the last round returns")
}

/// Lints and documents the bindings; warnings are misses.
fn lint(scratch: &Scratch, rows: &mut [Row]) -> io::Result<()> {
    for (what, results) in
        [("clippy", scratch.clippy(rows.len())?), ("rustdoc", scratch.document(rows.len())?)]
    {
        for (row, result) in rows.iter_mut().zip(results) {
            for error in result.errors {
                row.misses.push(Miss { tool: String::new(), what: format!("{what}: {error}") });
            }
        }
    }
    Ok(())
}

fn call(
    batch: &Batch,
    row: &mut Row,
    tools: &BTreeMap<&str, &Binding>,
    answers: impl FnOnce(&[&Call]) -> io::Result<Vec<Answer>>,
) -> io::Result<()> {
    let (known, unknown): (Vec<&Call>, Vec<&Call>) =
        batch.calls.iter().partition(|call| tools.contains_key(call.tool.as_str()));
    let skipped: BTreeSet<&str> = unknown.iter().map(|call| call.tool.as_str()).collect();
    for tool in skipped {
        let count = unknown.iter().filter(|call| call.tool == tool).count();
        row.misses
            .push(Miss { tool: tool.to_owned(), what: format!("{count} calls, and no bindings") });
    }
    if known.is_empty() {
        return Ok(());
    }
    for (call, answer) in known.iter().zip(answers(&known)?) {
        let what = match answer {
            Answer::Reached { .. } if !call.valid => {
                row.let_through += 1;
                format!("let through though invalid: {}", call.arguments)
            }
            Answer::Reached { kept, answered, told } => {
                row.accepted += 1;
                let tool = tools[call.tool.as_str()];
                let found = match &call.echo {
                    Some(echo) => compare::exactly(echo, &kept),
                    None => compare::differences(&tool.input, &call.arguments, &kept),
                };
                if !found.is_empty() {
                    row.changed += 1;
                    found.iter().map(describe).collect::<Vec<_>>().join("; ")
                } else if tool.answers && answered.as_ref() != Some(&kept) {
                    row.changed += 1;
                    let came = answered.map_or(told, |value| value.to_string());
                    format!("the handler had {kept}, the answer is {came}")
                } else {
                    continue;
                }
            }
            Answer::Refused(_) if !call.valid => continue,
            Answer::Refused(told) => {
                row.refused += 1;
                format!("refused though valid: {}: {told}", call.arguments)
            }
            Answer::Died(fault) => {
                row.refused += 1;
                format!("{fault}: {}", call.arguments)
            }
        };
        row.misses.push(Miss { tool: call.tool.clone(), what });
    }
    Ok(())
}

fn describe(difference: &Difference) -> String {
    let show =
        |value: &Option<Value>| value.as_ref().map_or("nothing".to_owned(), Value::to_string);
    let Difference { pointer, sent, back } = difference;
    format!("at {pointer:?} sent {}, came back {}", show(sent), show(back))
}
