//! What a comparison may cost. Counts bound it where they can, so that the same pair always gets the same verdict; the
//! clock is the last resort.

use super::dialect::size;
use super::verdict::Why;
use super::walk::each_child;
use serde_json::Value;
use std::cell::RefCell;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, mpsc};
use std::thread;
use std::time::Duration;
use toolcast_validate::check_complexity;

/// Subschemas of one document; real tools have some hundreds.
const SUBSCHEMAS: usize = 20_000;

// What the canonical form is given; measured, see `docs/performance.md`.
const CANONICAL_SUBSCHEMAS: usize = 10_000;
const CONDITIONS: usize = 6;
const BRANCHES: usize = 120;
const LITERALS: usize = 4_000;
const UNIONS_IN_UNIONS: usize = 3;
const REFERENCES: usize = 1_000;
const PATTERNS: usize = 40;
const ALTERNATIVES: u64 = 300;

/// The walks recurse a few frames a level, the canonical form some hundred bytes to kilobytes each.
const STACK: usize = 256 << 20;

/// Refuses a document that no part of the comparison should be given.
pub(super) fn admit(schema: &Value) -> Result<(), Why> {
    // Its bound on depth is what guards the recursion of everything else.
    check_complexity(schema).map_err(Why::TooComplex)?;
    let (nodes, _) = size(schema);
    if nodes > SUBSCHEMAS {
        return Err(Why::TooComplex(format!("{nodes} subschemas, of at most {SUBSCHEMAS}")));
    }
    Ok(())
}

/// Whether the canonical form can be asked about a document. Measured: it multiplies conditions and nested unions of
/// objects out, compares wide unions branch by branch, and recurses along chains of references.
pub(super) fn suits_canonical(schema: &Value) -> bool {
    let mut burden = Burden::default();
    burden.gather(schema, 0);
    burden.conditions <= CONDITIONS
        && burden.widest <= BRANCHES
        && burden.literals <= LITERALS
        && burden.nested <= UNIONS_IN_UNIONS
        && burden.references <= REFERENCES
        && burden.nodes <= CANONICAL_SUBSCHEMAS
        && burden.patterns <= PATTERNS
        && burden.alternatives <= ALTERNATIVES
}

#[derive(Default)]
struct Burden {
    nodes: usize,
    conditions: usize,
    widest: usize,
    literals: usize,
    /// Unions of objects within unions of objects.
    nested: usize,
    references: usize,
    /// Patterns of member names in one object: each pair of them may overlap.
    patterns: usize,
    /// Ways to choose one branch of each union that applies to one value.
    alternatives: u64,
}

impl Burden {
    fn gather(&mut self, schema: &Value, above: usize) {
        let Value::Object(members) = schema else { return };
        self.nodes += 1;
        self.alternatives = self.alternatives.max(alternatives(schema));
        self.references += usize::from(members.contains_key("$ref"));
        self.conditions += usize::from(members.contains_key("if"));
        for keyword in ["dependentSchemas", "dependencies"] {
            let demands = members.get(keyword).and_then(Value::as_object).into_iter().flatten();
            self.conditions += demands.filter(|(_, demand)| demand.is_object()).count();
        }
        let patterns = members.get("patternProperties").and_then(Value::as_object);
        self.patterns = self.patterns.max(patterns.map_or(0, serde_json::Map::len));
        let literals = members.get("enum").and_then(Value::as_array);
        self.literals = self.literals.max(literals.map_or(0, Vec::len));
        let mut inside = above;
        for keyword in ["anyOf", "oneOf"] {
            let Some(Value::Array(branches)) = members.get(keyword) else { continue };
            self.widest = self.widest.max(branches.len());
            let objects = branches.iter().filter(|branch| {
                ["properties", "required", "anyOf", "oneOf", "allOf"]
                    .iter()
                    .any(|keyword| branch.get(keyword).is_some())
            });
            inside = inside.max(above + usize::from(objects.count() > 1));
        }
        self.nested = self.nested.max(inside);
        each_child(members, |keyword, child| {
            let below = if ["$defs", "definitions"].contains(&keyword) { 0 } else { inside };
            self.gather(child, below);
        });
    }
}

fn alternatives(schema: &Value) -> u64 {
    let branches = |keyword: &str| schema.get(keyword).and_then(Value::as_array);
    let mut ways: u64 = 1;
    for branch in branches("allOf").into_iter().flatten() {
        ways = ways.saturating_mul(alternatives(branch));
    }
    for keyword in ["anyOf", "oneOf"] {
        if let Some(branches) = branches(keyword) {
            let choices = branches.iter().map(alternatives).fold(0, u64::saturating_add);
            ways = ways.saturating_mul(choices.max(1));
        }
    }
    ways
}

thread_local! {
    /// Whether whoever asked for this thread's work has given up on it.
    static ABANDONED: RefCell<Option<Arc<AtomicBool>>> = const { RefCell::new(None) };
}

/// Whether the work of this thread is of no use any more: every loop that may be long asks, and ends early.
pub(super) fn abandoned() -> bool {
    ABANDONED.with_borrow(|flag| flag.as_ref().is_some_and(|flag| flag.load(Ordering::Relaxed)))
}

/// Runs `work` on a thread with a large stack, and waits for at most `patience`.
///
/// Work that runs over is told to stop, and does at its next step. Only the canonical form takes no word: what it is given
/// is bounded beforehand.
pub(super) fn bounded<T: Send + 'static>(
    patience: Duration,
    work: impl FnOnce() -> T + Send + 'static,
) -> Option<T> {
    let (sender, receiver) = mpsc::channel();
    let stop = Arc::new(AtomicBool::new(false));
    let told = Arc::clone(&stop);
    let spawned = thread::Builder::new().name("diff".into()).stack_size(STACK).spawn(move || {
        ABANDONED.set(Some(told));
        // The receiver may have given up; then there is nobody to tell.
        let _ = sender.send(work());
    });
    spawned.ok()?;
    let done = receiver.recv_timeout(patience).ok();
    stop.store(true, Ordering::Relaxed);
    done
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::time::Instant;

    #[test]
    fn work_that_runs_over_is_stopped() {
        let (ended, end) = mpsc::channel();
        let work = move || {
            while !abandoned() {
                thread::sleep(Duration::from_millis(1));
            }
            ended.send(Instant::now()).expect("the test waits");
        };
        assert_eq!(bounded(Duration::from_millis(20), work), None);
        let told = Instant::now();
        let at = end.recv_timeout(Duration::from_secs(5)).expect("the thread ends");
        assert!(at.saturating_duration_since(told) < Duration::from_secs(2));
    }
}
