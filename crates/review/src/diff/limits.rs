//! What a comparison may cost. Counts bound it where they can, so that the same pair always gets the same verdict; the
//! clock is the last resort.

use super::dialect::size;
use super::document::Document;
use super::verdict::Why;
use super::walk::each_child;
use serde_json::Value;
use std::collections::HashMap;
use std::sync::mpsc;
use std::thread;
use std::time::Duration;

/// Subschemas of one document; real tools have some hundreds.
const SUBSCHEMAS: usize = 20_000;
/// Subschemas within subschemas. The parser of JSON itself stops at 128.
const NESTING: usize = 256;
/// Schemas that may apply to one value.
const LOOKS: u64 = 50_000;

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
    if depth_of(schema) > NESTING * 2 {
        return Err(Why::TooComplex("nested too deeply".into()));
    }
    let (nodes, _) = size(schema);
    if nodes > SUBSCHEMAS {
        return Err(Why::TooComplex(format!("{nodes} subschemas, of at most {SUBSCHEMAS}")));
    }
    // The draft matters little here: which siblings of a reference count.
    let document = Document { root: schema, draft: jsonschema::Draft::Draft202012 };
    if most_looks(document) > LOOKS {
        return Err(Why::TooComplex("references multiply what applies to one value".into()));
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

/// How often a validator may look at one value: schemas that apply to the same value, along all paths.
fn looks(
    document: Document<'_>,
    schema: &Value,
    known: &mut HashMap<usize, u64>,
    depth: usize,
) -> u64 {
    let Value::Object(members) = schema else { return 1 };
    let address = std::ptr::from_ref(members) as usize;
    if let Some(known) = known.get(&address) {
        return *known;
    }
    if depth > NESTING * 8 {
        return u64::MAX;
    }
    // A loop that never steps into a child counts once; validators refuse to follow it.
    known.insert(address, 1);
    let mut count: u64 = 1;
    let mut add = |schema: &Value, known: &mut HashMap<usize, u64>| {
        count = count.saturating_add(looks(document, schema, known, depth + 1));
    };
    if let Some(target) =
        members.get("$ref").and_then(Value::as_str).and_then(|name| document.target(name))
    {
        add(target, known);
    }
    for keyword in ["allOf", "anyOf", "oneOf"] {
        if let Some(Value::Array(branches)) = members.get(keyword) {
            branches.iter().for_each(|branch| add(branch, known));
        }
    }
    for keyword in ["not", "if", "then", "else"] {
        if let Some(branch) = members.get(keyword) {
            add(branch, known);
        }
    }
    known.insert(address, count);
    count
}

/// The most looks that any value of the document gets.
fn most_looks(document: Document<'_>) -> u64 {
    let mut known = HashMap::new();
    let mut most = 0;
    let mut todo = vec![document.root];
    while let Some(schema) = todo.pop() {
        most = most.max(looks(document, schema, &mut known, 0));
        if let Value::Object(members) = schema {
            each_child(members, |_, child| todo.push(child));
        }
    }
    most
}

/// How deep a value is nested, without recursion: this is what guards the recursion of everything else.
fn depth_of(value: &Value) -> usize {
    let mut deepest = 0;
    let mut todo = vec![(value, 1)];
    while let Some((value, depth)) = todo.pop() {
        deepest = deepest.max(depth);
        if depth > NESTING * 2 {
            return depth;
        }
        match value {
            Value::Array(items) => todo.extend(items.iter().map(|item| (item, depth + 1))),
            Value::Object(members) => todo.extend(members.values().map(|m| (m, depth + 1))),
            _ => {}
        }
    }
    deepest
}

/// Runs `work` on a thread with a large stack, and waits for at most `patience`.
///
/// Work that runs over is left behind: its thread cannot be stopped, and ends with the process or with its counts.
pub(super) fn bounded<T: Send + 'static>(
    patience: Duration,
    work: impl FnOnce() -> T + Send + 'static,
) -> Option<T> {
    let (sender, receiver) = mpsc::channel();
    let spawned = thread::Builder::new().name("diff".into()).stack_size(STACK).spawn(move || {
        // The receiver may have given up; then there is nobody to tell.
        let _ = sender.send(work());
    });
    spawned.ok()?;
    receiver.recv_timeout(patience).ok()
}
