//! A quick opinion on whether a schema accepts a value, for ordering candidates. No verdict rests on it: what it does
//! not know it accepts, and each witness is put to the real validator.

use super::decimal::Decimal;
use super::document::{Dependency, Document, entries, length, names};
use super::pattern::Patterns;
use super::types::{Types, same_value};
use serde_json::{Map, Value};
use std::cell::Cell;
use std::cmp::Ordering;

/// How deep references and applicators are followed.
const DEPTH: u32 = 48;

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
        self.0.get() == 0
    }
}

impl<'a> Evaluator<'a> {
    pub(super) fn accepts(self, schema: &'a Value, value: &Value) -> bool {
        self.visit(schema, value, DEPTH)
    }

    fn visit(self, schema: &'a Value, value: &Value, depth: u32) -> bool {
        let schema = match schema {
            Value::Bool(all) => return *all,
            Value::Object(schema) => schema,
            _ => return true,
        };
        let Some(depth) = depth.checked_sub(1) else { return true };
        self.fuel.spend(1 + schema.len());
        if self.fuel.is_spent() {
            return true;
        }
        if let Some(reference) = self.document.reference(schema) {
            let target = self.document.target(reference);
            if target.is_some_and(|target| !self.visit(target, value, depth)) {
                return false;
            }
            if !self.document.reads_siblings() {
                return true;
            }
        }
        Types::of(value, self.document).within(Types::declared(schema, self.document))
            && self.literals(schema, value)
            && self.branches(schema, value, depth)
            && match value {
                Value::String(text) => self.string(schema, text),
                Value::Number(_) => self.number(schema, value),
                Value::Array(items) => self.array(schema, items, depth),
                Value::Object(members) => self.object(schema, members, value, depth),
                Value::Null | Value::Bool(_) => true,
            }
    }

    fn literals(self, schema: &Map<String, Value>, value: &Value) -> bool {
        self.fuel.spend(schema.get("enum").and_then(Value::as_array).map_or(0, Vec::len));
        schema.get("const").is_none_or(|literal| same_value(literal, value))
            && schema
                .get("enum")
                .and_then(Value::as_array)
                .is_none_or(|options| options.iter().any(|option| same_value(option, value)))
    }

    fn branches(self, schema: &'a Map<String, Value>, value: &Value, depth: u32) -> bool {
        let list = |keyword: &str| schema.get(keyword).and_then(Value::as_array);
        let holds = |branch: &'a Value| self.visit(branch, value, depth);
        if list("allOf").is_some_and(|all| !all.iter().all(holds)) {
            return false;
        }
        if list("anyOf").is_some_and(|any| !any.iter().any(holds)) {
            return false;
        }
        if list("oneOf").is_some_and(|one| one.iter().filter(|b| holds(b)).take(2).count() != 1) {
            return false;
        }
        if schema.get("not").is_some_and(holds) {
            return false;
        }
        let Some(condition) = schema.get("if") else { return true };
        let branch = if holds(condition) { "then" } else { "else" };
        schema.get(branch).is_none_or(holds)
    }

    fn string(self, schema: &Map<String, Value>, text: &str) -> bool {
        let pattern = schema.get("pattern").and_then(Value::as_str);
        self.fuel.spend(text.len() / 8);
        let characters = || text.chars().count();
        length(schema, "minLength").is_none_or(|min| characters() >= min)
            && length(schema, "maxLength").is_none_or(|max| characters() <= max)
            && pattern.is_none_or(|pattern| self.patterns.matches(pattern, text).unwrap_or(true))
    }

    fn number(self, schema: &Map<String, Value>, value: &Value) -> bool {
        let Some(value) = Decimal::of_value(value) else { return true };
        for (limit, inclusive, side) in bounds(schema) {
            let fits = match value.compare(limit) {
                Some(Ordering::Equal) => inclusive,
                Some(order) => order == side,
                None => true,
            };
            if !fits {
                return false;
            }
        }
        let divisor = schema.get("multipleOf").and_then(Decimal::of_value);
        divisor.is_none_or(|divisor| value.is_multiple_of(divisor).unwrap_or(true))
    }

    fn array(self, schema: &'a Map<String, Value>, values: &[Value], depth: u32) -> bool {
        let items = self.document.items(schema);
        let unique = || {
            values.len() > 64
                || values
                    .iter()
                    .enumerate()
                    .all(|(at, value)| values[..at].iter().all(|other| !same_value(value, other)))
        };
        if length(schema, "minItems").is_some_and(|min| values.len() < min)
            || length(schema, "maxItems").is_some_and(|max| values.len() > max)
            || (schema.get("uniqueItems") == Some(&Value::Bool(true)) && !unique())
        {
            return false;
        }
        let elements = values.iter().enumerate().all(|(at, value)| {
            items
                .prefix
                .get(at)
                .or(items.rest)
                .is_none_or(|schema| self.visit(schema, value, depth))
        });
        let Some(contains) = schema.get("contains") else { return elements };
        let matching = values.iter().filter(|value| self.visit(contains, value, depth)).count();
        let least = length(schema, "minContains").unwrap_or(1);
        let most = length(schema, "maxContains").unwrap_or(usize::MAX);
        elements && (least..=most).contains(&matching)
    }

    fn object(
        self,
        schema: &'a Map<String, Value>,
        members: &Map<String, Value>,
        whole: &Value,
        depth: u32,
    ) -> bool {
        if names(schema, "required").iter().any(|name| !members.contains_key(*name))
            || length(schema, "minProperties").is_some_and(|min| members.len() < min)
            || length(schema, "maxProperties").is_some_and(|max| members.len() > max)
        {
            return false;
        }
        for (name, dependency) in self.document.dependencies(schema) {
            let fits = !members.contains_key(name)
                || match dependency {
                    Dependency::Names(names) => {
                        names.iter().all(|name| members.contains_key(*name))
                    }
                    Dependency::Schema(schema) => self.visit(schema, whole, depth),
                };
            if !fits {
                return false;
            }
        }
        members.iter().all(|(name, value)| {
            self.member(schema, name).iter().all(|schema| self.visit(schema, value, depth))
                && schema
                    .get("propertyNames")
                    .is_none_or(|names| self.visit(names, &Value::String(name.clone()), depth))
        })
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
