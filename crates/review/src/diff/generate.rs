//! Candidates for a witness: a paired walk of both schemas that builds values which the old one probably accepts, around
//! each point where the new one speaks otherwise.
//!
//! Work is bounded by one count that children share, so the walk is deterministic and ends on any schema.

mod arrays;
mod objects;

use super::dialect::Dialect;
use super::document::{Dependency, Document, entries, length, names};
use super::equality::Equality;
use super::evaluate::{Evaluator, Fuel};
use super::numbers::Line;
use super::pattern::Patterns;
use super::scalars;
use super::shape::Shape;
use super::strings::{self, Found, Languages, Text};
use super::truth::Formula;
use super::types::{Types, same_value};
use serde_json::{Map, Value};
use std::cell::RefCell;
use std::collections::{HashMap, HashSet};

/// How deep values are nested.
const DEPTH: u32 = 64;
/// Members, positions and lengths tried a level.
const NAMES: usize = 768;
const POSITIONS: usize = 16;
const LONGEST_ARRAY: usize = 1_024;
/// Arrays and objects that are built where nothing smaller shows a limit.
const LARGEST: usize = 1 << 16;
const MOST_MEMBERS: usize = 1 << 14;

/// Parts of a schema whose words about texts are tried from both sides.
const SPEAKING: usize = 12;
/// What it costs to look at one pair of subschemas at all, in steps.
const CALL: usize = 300;
/// Values within one sample.
const HEAVIEST: usize = 2_000;

type Parts<'a> = [&'a Map<String, Value>];

/// What walks and arguments about one pair share.
pub(super) struct Tools {
    pub(super) dialect: Dialect,
    pub(super) patterns: Patterns,
    pub(super) languages: Languages,
}

/// The walk of one pair.
pub(super) struct Generator<'a> {
    old: Evaluator<'a>,
    new: Evaluator<'a>,
    dialect: Dialect,
    languages: &'a Languages,
    equality: Equality<'a>,
    minimal: RefCell<HashMap<Vec<usize>, Option<Value>>>,
    active: RefCell<Vec<Vec<usize>>>,
}

impl<'a> Generator<'a> {
    pub(super) fn new(
        old: Document<'a>,
        new: Document<'a>,
        tools: &'a Tools,
        fuel: &'a Fuel,
    ) -> Self {
        let Tools { dialect, patterns, languages } = tools;
        Self {
            old: Evaluator { document: old, patterns, fuel },
            new: Evaluator { document: new, patterns, fuel },
            dialect: *dialect,
            languages,
            equality: Equality::new(old, new),
            minimal: RefCell::default(),
            active: RefCell::default(),
        }
    }

    /// Values worth putting to both validators, the most promising first, at most `budget`.
    pub(super) fn candidates(&self, budget: usize) -> Vec<Value> {
        self.values(&[self.old.document.root], &[self.new.document.root], 0, budget)
    }

    /// Values that `demands` (old) probably accept, those that `hints` (new) reject first.
    fn values(
        &self,
        demands: &[&'a Value],
        hints: &[&'a Value],
        depth: u32,
        budget: usize,
    ) -> Vec<Value> {
        let key = addresses(demands);
        let turns = self.active.borrow().iter().filter(|active| **active == key).count();
        if depth >= DEPTH || (turns >= 2 && !key.is_empty()) || self.old.fuel.is_spent() {
            return self.one(demands, depth).into_iter().collect();
        }
        self.active.borrow_mut().push(key);
        let values = self.fresh_values(demands, hints, depth, budget);
        self.active.borrow_mut().pop();
        values
    }

    fn fresh_values(
        &self,
        demands: &[&'a Value],
        hints: &[&'a Value],
        depth: u32,
        budget: usize,
    ) -> Vec<Value> {
        self.old.fuel.spend(CALL);
        let shapes = self.old.document.shapes(demands, (budget / 4).clamp(1, 1_024));
        let spoken = self.new.document.hints(hints, budget.clamp(16, 4_096));
        let mut pool: Vec<Value> = Vec::new();
        let demanded = self.old.document.hints(demands, budget.clamp(16, 4_096));
        pool.extend(gone(&demanded, &spoken));
        for part in spoken.iter().chain(&demanded) {
            pool.extend(scalars::literals(part).take(2_048).cloned());
        }
        let share = (budget / shapes.len().max(1)).max(6);
        self.old
            .fuel
            .spend(spoken.len() + shapes.iter().map(|shape| shape.parts.len()).sum::<usize>());
        for shape in &shapes {
            if self.old.fuel.is_spent() {
                break;
            }
            let mut around = spoken.clone();
            if shapes.len() > 8 {
                around.truncate(32);
            }
            around.extend(self.old.document.hints(&shape.nots, 64));
            self.shape_values(shape, hints, &around, depth, share, &mut pool);
        }
        let mut seen = HashSet::new();
        let mut refused = Vec::new();
        let mut taken = Vec::new();
        for value in pool {
            if !seen.insert(value.to_string()) || !self.accepted(demands, &value) {
                continue;
            }
            let list = if hints.iter().all(|hint| self.new.accepts(hint, &value)) {
                &mut taken
            } else {
                &mut refused
            };
            list.push(value);
        }
        refused.truncate(budget);
        // A few that both take: a fault may need two members together.
        let room = (budget - refused.len()).max(2);
        refused.extend(taken.into_iter().take(room));
        refused
    }

    fn shape_values(
        &self,
        shape: &Shape<'a>,
        hints: &[&'a Value],
        around: &Parts<'a>,
        depth: u32,
        budget: usize,
        pool: &mut Vec<Value>,
    ) {
        let types = self.types(shape);
        let both: Vec<_> = shape.parts.iter().chain(around).copied().collect();
        self.old.fuel.spend(both.len() * 8);
        if types.meets(Types::STRING) {
            pool.extend(self.texts(shape, hints, around).into_iter().map(Value::String));
            let texts = scalars::strings(&shape.parts, &both, self.old.patterns);
            pool.extend(texts.into_iter().map(Value::String));
        }
        if types.meets(Types::NUMBER) {
            pool.extend(scalars::numbers(&shape.parts, &both));
            pool.extend(self.points(shape, hints));
        }
        if types.meets(Types::BOOLEAN) {
            pool.extend([Value::Bool(true), Value::Bool(false)]);
        }
        if types.meets(Types::NULL) {
            pool.push(Value::Null);
        }
        if types.meets(Types::OBJECT) {
            self.objects(shape, around, depth, budget, pool);
        }
        if types.meets(Types::ARRAY) {
            self.arrays(shape, around, depth, budget, pool);
        }
    }

    /// Texts that the shape takes: one that each hint refuses, and one on each side of what is said around it.
    fn texts(&self, shape: &Shape<'a>, hints: &[&'a Value], around: &Parts<'a>) -> Vec<String> {
        let known = self.known_text(shape);
        let mut others: Vec<Text> =
            hints.iter().map(|hint| strings::text(self.new.document, self.dialect, hint)).collect();
        let says = ["pattern", "minLength", "maxLength", "format"];
        let speaking =
            around.iter().filter(|part| says.iter().any(|word| part.contains_key(*word)));
        for part in speaking.take(SPEAKING) {
            let own = part.iter().filter(|(keyword, _)| says.contains(&keyword.as_str()));
            let own = own.map(|(keyword, value)| (keyword.clone(), value.clone())).collect();
            let said = strings::all_of(self.new.document, self.dialect, &[&own]);
            others.extend([said.clone().not(), said]);
        }
        others.push(Formula::NO);
        self.old.fuel.spend(others.len() * 500);
        let mut found = Vec::new();
        for other in others {
            match self.languages.difference(&known, &other) {
                Found::Text(text) | Found::Unknown(Some(text)) => found.push(text),
                Found::Nothing | Found::Unknown(None) => {}
            }
        }
        found
    }

    fn known_text(&self, shape: &Shape<'a>) -> Text {
        let document = self.old.document;
        let mut all = vec![strings::all_of(document, self.dialect, &shape.parts)];
        let nots = shape.nots.iter();
        all.extend(nots.map(|not| strings::text(document, self.dialect, not).not()));
        Formula::All(all)
    }

    /// Numbers that the shape takes and a hint refuses.
    fn points(&self, shape: &Shape<'a>, hints: &[&'a Value]) -> Vec<Value> {
        let mut found = Vec::new();
        for kind in [Types::INTEGER, Types::FRACTION] {
            let line = Line { document: self.old.document, kind };
            let known = line.all_of(&shape.parts);
            for hint in hints {
                let hint = Line { document: self.new.document, kind }.number(hint);
                self.old.fuel.spend(200);
                found.extend(line.difference(&known, &hint).unwrap_or_default());
            }
            if hints.is_empty() {
                found.extend(line.difference(&known, &Formula::NO).unwrap_or_default());
            }
        }
        found
    }

    fn types(&self, shape: &Shape<'a>) -> Types {
        shape
            .parts
            .iter()
            .fold(Types::ALL, |types, part| types.and(Types::declared(part, self.old.document)))
    }

    fn accepted(&self, demands: &[&'a Value], value: &Value) -> bool {
        // What is accepted once the fuel is spent was not looked at.
        demands.iter().all(|demand| self.old.accepts(demand, value)) && !self.old.fuel.is_spent()
    }

    /// Whether both sides say the same of a child, so that nothing about it can be a witness.
    fn same(&self, demands: &[&'a Value], hints: &[&'a Value]) -> bool {
        demands.len() == hints.len()
            && demands.iter().zip(hints).all(|(old, new)| self.equality.same(old, new))
    }

    /// One value, small and plain, that the demands probably accept.
    fn one(&self, demands: &[&'a Value], depth: u32) -> Option<Value> {
        if demands.is_empty() {
            return Some(Value::from("a"));
        }
        let key = addresses(demands);
        if let Some(known) = self.minimal.borrow().get(&key) {
            return known.clone();
        }
        if depth >= DEPTH * 2 || self.old.fuel.is_spent() {
            return None;
        }
        // Marked before it is known: a value that must contain itself has no end.
        self.minimal.borrow_mut().insert(key.clone(), None);
        // A value that must be huge is no use to anyone, and building on it would be without end.
        let found = self.find_one(demands, depth).filter(|value| weight(value) <= HEAVIEST);
        self.minimal.borrow_mut().insert(key, found.clone());
        found
    }

    fn find_one(&self, demands: &[&'a Value], depth: u32) -> Option<Value> {
        for shape in self.old.document.shapes(demands, 24) {
            self.old.fuel.spend(64);
            let types = self.types(&shape);
            let mut literals = shape.parts.iter().flat_map(|part| scalars::literals(part)).take(64);
            if let Some(literal) = literals.find(|value| self.accepted(demands, value)) {
                return Some(literal.clone());
            }
            for each in Types::EACH.into_iter().filter(|each| each.meets(types)) {
                let found = match each {
                    Types::STRING => {
                        let texts = scalars::strings(&shape.parts, &shape.parts, self.old.patterns);
                        texts
                            .into_iter()
                            .take(200)
                            .map(Value::String)
                            .find(|value| self.accepted(demands, value))
                            .or_else(|| self.texts(&shape, &[], &[]).pop().map(Value::String))
                    }
                    Types::INTEGER | Types::FRACTION => {
                        scalars::numbers(&shape.parts, &shape.parts)
                            .into_iter()
                            .chain(self.points(&shape, &[]))
                            .find(|value| self.accepted(demands, value))
                    }
                    Types::BOOLEAN => [true, false]
                        .map(Value::Bool)
                        .into_iter()
                        .find(|value| self.accepted(demands, value)),
                    Types::OBJECT => self.smallest_object(&shape, depth).map(Value::Object),
                    Types::ARRAY => self.smallest_array(&shape, depth).map(Value::Array),
                    _ => Some(Value::Null),
                };
                if let Some(found) = found.filter(|value| self.accepted(demands, value)) {
                    return Some(found);
                }
            }
        }
        None
    }
}

/// Literals of the old schema that the new one does not spell, where it spells any.
fn gone(old: &Parts<'_>, new: &Parts<'_>) -> Vec<Value> {
    let spelt: HashSet<String> =
        new.iter().flat_map(|part| scalars::literals(part)).map(ToString::to_string).collect();
    if spelt.is_empty() {
        return Vec::new();
    }
    let literals = old.iter().flat_map(|part| scalars::literals(part));
    literals.filter(|value| !spelt.contains(&value.to_string())).take(32).cloned().collect()
}

fn weight(value: &Value) -> usize {
    match value {
        Value::Array(items) => 1 + items.iter().map(weight).sum::<usize>(),
        Value::Object(members) => 1 + members.values().map(weight).sum::<usize>(),
        _ => 1,
    }
}

fn addresses(schemas: &[&Value]) -> Vec<usize> {
    schemas.iter().map(|schema| std::ptr::from_ref::<Value>(schema) as usize).collect()
}
