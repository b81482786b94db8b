//! A quick opinion on whether a schema accepts a value, for ordering candidates. No verdict rests on it: what it does
//! not know it accepts, and each witness is put to the real validator.

use super::decimal::Decimal;
use super::document::{Document, entries};
use super::limits::abandoned;
use super::pattern::Patterns;
use serde_json::{Map, Value};
use std::cell::Cell;
use std::cmp::Ordering;
use toolcast_schema::dialect::Dialect;
use toolcast_schema::evaluate::{Answer, Bounds, Oracle, Path, References, Silence, evaluate};

/// How deep references and applicators are followed.
const DEPTH: usize = 48;

#[derive(Clone, Copy)]
pub(super) struct Evaluator<'a> {
    pub(super) document: Document<'a>,
    pub(super) patterns: &'a Patterns,
    pub(super) fuel: &'a Fuel,
}

/// Work that one walk may do, in steps of some ten nanoseconds: a count, so that the same pair always ends alike.
pub(super) struct Fuel(Cell<u64>);

impl Fuel {
    pub(super) fn new(steps: u64) -> Self {
        Self(Cell::new(steps))
    }

    pub(super) fn spend(&self, steps: usize) {
        self.0.set(self.0.get().saturating_sub(steps as u64));
    }

    pub(super) fn is_spent(&self) -> bool {
        self.0.get() == 0 || abandoned()
    }
}

impl<'a> Evaluator<'a> {
    pub(super) fn accepts(self, schema: &'a Value, value: &Value) -> bool {
        let given = self.fuel.0.get();
        let mut bounds = Bounds::new(given, DEPTH);
        let mut oracle = Arguments { patterns: self.patterns };
        let document = self.document;
        let answer =
            evaluate(&document, &(), schema, value, &mut oracle, &mut Silence, &mut bounds);
        self.fuel.0.set(bounds.steps);
        answer != Answer::No
    }

    /// The schemas that one schema object lays on the member `name`.
    pub(super) fn member(self, schema: &'a Map<String, Value>, name: &str) -> Vec<&'a Value> {
        let mut found = Vec::new();
        self.fuel.spend(1 + entries(schema, "patternProperties").count() * 4);
        if let Some(declared) =
            schema.get("properties").and_then(Value::as_object).and_then(|all| all.get(name))
        {
            found.push(declared);
        }
        for (pattern, declared) in entries(schema, "patternProperties") {
            if self.patterns.matches(pattern, name).unwrap_or(false) {
                found.push(declared);
            }
        }
        if found.is_empty() {
            found.extend(schema.get("additionalProperties"));
        }
        found
    }
}

impl<'a> References<'a> for Document<'a> {
    type Place = ();

    fn dialect(&self, (): &()) -> Dialect {
        if self.reads_siblings() { Dialect::Draft2020 } else { Dialect::Draft7 }
    }

    fn below(&self, (): &(), _: Path<'_>) {}

    fn follow(&self, (): &(), reference: &str) -> Option<((), &'a Value)> {
        self.target(reference).map(|target| ((), target))
    }
}

/// What the evaluator asks of patterns and of numbers that are not whole. Formats stay open.
struct Arguments<'p> {
    patterns: &'p Patterns,
}

impl Oracle for Arguments<'_> {
    fn pattern(&mut self, pattern: &str, text: &str) -> Answer {
        self.patterns.matches(pattern, text).map_or(Answer::Unknown, Answer::from)
    }

    fn multiple(&mut self, divisor: &Value, value: &Value) -> Answer {
        let numbers = Decimal::of_value(value).zip(Decimal::of_value(divisor));
        let is_multiple = numbers.and_then(|(value, divisor)| value.is_multiple_of(divisor));
        is_multiple.map_or(Answer::Unknown, Answer::from)
    }
}

/// The numeric bounds of a schema object: the limit, whether it is itself allowed, and the side on which values lie.
pub(super) fn bounds(schema: &Map<String, Value>) -> Vec<(Decimal, bool, Ordering)> {
    let mut found = Vec::new();
    for (inclusive, exclusive, side) in [
        ("minimum", "exclusiveMinimum", Ordering::Greater),
        ("maximum", "exclusiveMaximum", Ordering::Less),
    ] {
        // Draft 4 writes exclusiveness as a boolean beside the limit.
        let barred = schema.get(exclusive) == Some(&Value::Bool(true));
        if let Some(limit) = schema.get(inclusive).and_then(Decimal::of_value) {
            found.push((limit, !barred, side));
        }
        if let Some(limit) = schema.get(exclusive).and_then(Decimal::of_value) {
            found.push((limit, false, side));
        }
    }
    found
}
