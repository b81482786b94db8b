//! Candidates for a witness: a paired walk of both schemas that builds values which the old one probably accepts, around
//! each point where the new one speaks otherwise.
//!
//! Work is bounded by one count that children share, so the walk is deterministic and ends on any schema.

use super::document::{Dependency, Document, entries, length, names};
use super::evaluate::{Evaluator, Fuel};
use super::leaves;
use super::likeness::Likeness;
use super::pattern::Patterns;
use super::shape::Shape;
use super::types::{Types, same_value};
use serde_json::{Map, Value};
use std::cell::RefCell;
use std::collections::{HashMap, HashSet};

/// How deep values are nested.
const DEPTH: u32 = 14;
/// Members, positions and lengths tried a level.
const NAMES: usize = 768;
const POSITIONS: usize = 16;
const LONGEST_ARRAY: usize = 1_024;

/// What it costs to look at one pair of subschemas at all, in steps.
const CALL: usize = 300;
/// Values within one sample.
const HEAVIEST: usize = 2_000;

type Parts<'a> = [&'a Map<String, Value>];

/// The walk of one pair.
pub(super) struct Generator<'a> {
    old: Evaluator<'a>,
    new: Evaluator<'a>,
    likeness: Likeness<'a>,
    minimal: RefCell<HashMap<Vec<usize>, Option<Value>>>,
    active: RefCell<Vec<Vec<usize>>>,
}

impl<'a> Generator<'a> {
    pub(super) fn new(
        old: Document<'a>,
        new: Document<'a>,
        patterns: &'a Patterns,
        fuel: &'a Fuel,
    ) -> Self {
        Self {
            old: Evaluator { document: old, patterns, fuel },
            new: Evaluator { document: new, patterns, fuel },
            likeness: Likeness::new(old, new),
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
        for part in spoken.iter().chain(&self.old.document.hints(demands, budget.clamp(16, 4_096)))
        {
            pool.extend(leaves::literals(part).take(2_048).cloned());
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
            self.shape_values(shape, &around, depth, share, &mut pool);
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
        around: &Parts<'a>,
        depth: u32,
        budget: usize,
        pool: &mut Vec<Value>,
    ) {
        let types = self.types(shape);
        let both: Vec<_> = shape.parts.iter().chain(around).copied().collect();
        self.old.fuel.spend(both.len() * 8);
        if types.meets(Types::STRING) {
            let texts = leaves::strings(&shape.parts, &both, self.old.patterns);
            pool.extend(texts.into_iter().map(Value::String));
        }
        if types.meets(Types::NUMBER) {
            pool.extend(leaves::numbers(&shape.parts, &both));
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
            && demands.iter().zip(hints).all(|(old, new)| self.likeness.same(old, new))
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
            let mut literals = shape.parts.iter().flat_map(|part| leaves::literals(part)).take(64);
            if let Some(literal) = literals.find(|value| self.accepted(demands, value)) {
                return Some(literal.clone());
            }
            for each in Types::EACH.into_iter().filter(|each| each.meets(types)) {
                let found = match each {
                    Types::STRING => {
                        let texts = leaves::strings(&shape.parts, &shape.parts, self.old.patterns);
                        texts
                            .into_iter()
                            .take(200)
                            .map(Value::String)
                            .find(|value| self.accepted(demands, value))
                    }
                    Types::INTEGER | Types::FRACTION => leaves::numbers(&shape.parts, &shape.parts)
                        .into_iter()
                        .find(|value| self.accepted(demands, value)),
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

    /// What the parts demand of the member `name`.
    fn member(side: Evaluator<'a>, parts: &Parts<'a>, name: &str) -> Vec<&'a Value> {
        parts.iter().flat_map(|part| side.member(part, name)).collect()
    }

    fn smallest_object(&self, shape: &Shape<'a>, depth: u32) -> Option<Map<String, Value>> {
        let mut object = Map::new();
        for part in &shape.parts {
            for name in names(part, "required") {
                self.insert(&mut object, shape, name, depth)?;
            }
        }
        let least = shape.parts.iter().filter_map(|part| length(part, "minProperties")).max();
        self.fill(&mut object, shape, least.unwrap_or(0), depth);
        self.complete(&mut object, shape, depth);
        Some(object)
    }

    fn insert(
        &self,
        object: &mut Map<String, Value>,
        shape: &Shape<'a>,
        name: &str,
        depth: u32,
    ) -> Option<()> {
        if !object.contains_key(name) {
            let demands = Self::member(self.old, &shape.parts, name);
            object.insert(name.to_owned(), self.one(&demands, depth + 1)?);
        }
        Some(())
    }

    /// Adds members until the object has `wanted`, declared ones first.
    fn fill(&self, object: &mut Map<String, Value>, shape: &Shape<'a>, wanted: usize, depth: u32) {
        if object.len() >= wanted || wanted > NAMES {
            return;
        }
        let declared = shape.parts.iter().flat_map(|part| entries(part, "properties"));
        let mut names: Vec<String> = declared.map(|(name, _)| name.clone()).collect();
        names.extend(self.pattern_names(&shape.parts));
        names.extend((0..wanted).map(|index| format!("member{index}")));
        names.extend(('a'..='z').map(String::from));
        for name in names {
            if object.len() >= wanted {
                return;
            }
            let allowed = shape
                .parts
                .iter()
                .filter_map(|part| part.get("propertyNames"))
                .all(|names| self.old.accepts(names, &Value::String(name.clone())));
            if allowed {
                let _ = self.insert(object, shape, &name, depth);
            }
        }
    }

    /// Adds what the members that are there demand.
    fn complete(&self, object: &mut Map<String, Value>, shape: &Shape<'a>, depth: u32) {
        for _ in 0..8 {
            let before = object.len();
            for part in &shape.parts {
                for (name, dependency) in self.old.document.dependencies(part) {
                    if let Dependency::Names(demanded) = dependency
                        && object.contains_key(name)
                    {
                        for name in demanded {
                            let _ = self.insert(object, shape, name, depth);
                        }
                    }
                }
            }
            if object.len() == before {
                return;
            }
        }
    }

    /// Names that the patterns and name schemas of the parts allow.
    fn pattern_names(&self, parts: &Parts<'a>) -> Vec<String> {
        let mut found = Vec::new();
        for part in parts {
            for (pattern, _) in entries(part, "patternProperties").take(32) {
                found.extend(self.old.patterns.samples(pattern, &[]).into_iter().take(8));
            }
            if let Some(names) = part.get("propertyNames") {
                let spoken = self.old.document.hints(&[names], 16);
                let texts = leaves::strings(&spoken, &spoken, self.old.patterns);
                found.extend(texts.into_iter().take(24));
            }
        }
        found
    }

    fn objects(
        &self,
        shape: &Shape<'a>,
        around: &Parts<'a>,
        depth: u32,
        budget: usize,
        pool: &mut Vec<Value>,
    ) {
        let Some(base) = self.smallest_object(shape, depth) else { return };
        pool.push(Value::Object(base.clone()));
        if budget < 2 {
            return;
        }
        let both: Vec<_> = shape.parts.iter().chain(around).copied().collect();
        let members: Vec<(String, Vec<&'a Value>, Vec<&'a Value>)> = self
            .spoken_names(&both)
            .into_iter()
            .map(|name| {
                let demands = Self::member(self.old, &shape.parts, &name);
                let hints = Self::member(self.new, around, &name);
                (name, demands, hints)
            })
            .filter(|(_, demands, _)| !demands.contains(&&Value::Bool(false)))
            .collect();
        let changed = members.iter().filter(|(_, d, h)| !self.same(d, h)).count();
        let share = (budget / changed.max(1)).clamp(4, budget);

        let mut full = base.clone();
        for (name, demands, _) in &members {
            let declared = shape
                .parts
                .iter()
                .any(|part| part.get("properties").is_some_and(|all| all.get(name).is_some()));
            if declared && !demands.is_empty() {
                let _ = self.insert(&mut full, shape, name, depth);
            }
        }
        self.complete(&mut full, shape, depth);
        pool.push(Value::Object(full.clone()));

        for (name, demands, hints) in &members {
            self.old.fuel.spend(base.len());
            if self.old.fuel.is_spent() {
                break;
            }
            let values = if self.same(demands, hints) {
                self.one(demands, depth + 1).into_iter().collect()
            } else {
                self.values(demands, hints, depth + 1, share)
            };
            for value in values {
                self.old.fuel.spend(base.len());
                let mut object = base.clone();
                object.insert(name.clone(), value);
                self.complete(&mut object, shape, depth);
                pool.push(Value::Object(object));
            }
        }
        for (name, ..) in members.iter().take(64) {
            if full.contains_key(name) && !base.contains_key(name) {
                let mut object = full.clone();
                object.shift_remove(name);
                pool.push(Value::Object(object));
            }
        }
        if budget >= 24 {
            self.combinations(shape, &both, &base, &members, depth, pool);
        }
    }

    /// Two optional members at once, and objects at the sizes that either schema names.
    fn combinations(
        &self,
        shape: &Shape<'a>,
        both: &Parts<'a>,
        base: &Map<String, Value>,
        members: &[(String, Vec<&'a Value>, Vec<&'a Value>)],
        depth: u32,
        pool: &mut Vec<Value>,
    ) {
        let optional: Vec<&String> = members
            .iter()
            .map(|(name, ..)| name)
            .filter(|name| !base.contains_key(*name))
            .take(10)
            .collect();
        for (at, first) in optional.iter().enumerate() {
            for second in &optional[at + 1..] {
                let mut object = base.clone();
                let _ = self.insert(&mut object, shape, first, depth);
                let _ = self.insert(&mut object, shape, second, depth);
                self.complete(&mut object, shape, depth);
                pool.push(Value::Object(object));
            }
        }
        let mut sizes: Vec<usize> = both
            .iter()
            .flat_map(|part| [length(part, "minProperties"), length(part, "maxProperties")])
            .flatten()
            .flat_map(|limit| [limit.saturating_sub(1), limit, limit.saturating_add(1)])
            .filter(|size| *size <= NAMES)
            .collect();
        sizes.sort_unstable();
        sizes.dedup();
        for size in sizes.into_iter().take(12) {
            let mut object = base.clone();
            self.fill(&mut object, shape, size, depth);
            pool.push(Value::Object(object));
        }
    }

    /// The member names that either side speaks of, and one that neither does.
    fn spoken_names(&self, both: &Parts<'a>) -> Vec<String> {
        let mut found: Vec<String> = Vec::new();
        for part in both {
            found.extend(names(part, "required").into_iter().map(ToOwned::to_owned));
            found.extend(entries(part, "properties").map(|(name, _)| name.clone()));
            for (name, dependency) in self.old.document.dependencies(part) {
                found.push(name.to_owned());
                if let Dependency::Names(names) = dependency {
                    found.extend(names.into_iter().map(ToOwned::to_owned));
                }
            }
        }
        found.truncate(NAMES);
        found.extend(self.pattern_names(both).into_iter().take(128));
        // Literal objects of either side name members, too.
        for part in both.iter().take(32) {
            for literal in leaves::literals(part).take(8).filter_map(Value::as_object) {
                found.extend(literal.keys().take(8).cloned());
            }
        }
        found.extend(["extra".to_owned(), "Extra_2".to_owned()]);
        let mut seen = HashSet::new();
        found.retain(|name| seen.insert(name.clone()));
        found
    }

    fn element(side: Evaluator<'a>, parts: &Parts<'a>, at: usize) -> Vec<&'a Value> {
        parts
            .iter()
            .filter_map(|part| {
                let items = side.document.items(part);
                items.prefix.get(at).or(items.rest)
            })
            .collect()
    }

    /// An array of `wanted` elements; distinct ones where the parts ask for that.
    fn array_of(&self, shape: &Shape<'a>, wanted: usize, depth: u32) -> Option<Vec<Value>> {
        let distinct =
            shape.parts.iter().any(|part| part.get("uniqueItems") == Some(&Value::Bool(true)));
        let mut array: Vec<Value> = Vec::new();
        let mut spare: HashMap<Vec<usize>, Vec<Value>> = HashMap::new();
        for at in 0..wanted {
            let demands = Self::element(self.old, &shape.parts, at);
            let plain = self.one(&demands, depth + 1)?;
            if !distinct || !array.iter().any(|value| same_value(value, &plain)) {
                array.push(plain);
                continue;
            }
            let others = spare.entry(addresses(&demands)).or_insert_with(|| {
                let mut others = self.values(&demands, &[], depth + 1, 48);
                let more = (0..64).map(|n| Value::from(format!("item{n}")));
                let more = more.chain((0..64).map(|n| Value::from(100 + n)));
                others.extend(more.filter(|value| self.accepted(&demands, value)));
                others
            });
            let other =
                others.iter().find(|other| !array.iter().any(|value| same_value(value, other)));
            array.push(other?.clone());
        }
        Some(array)
    }

    fn smallest_array(&self, shape: &Shape<'a>, depth: u32) -> Option<Vec<Value>> {
        let least = shape.parts.iter().filter_map(|part| length(part, "minItems")).max();
        let least = least.unwrap_or(0);
        if least > LONGEST_ARRAY {
            return None;
        }
        let mut array = self.array_of(shape, least, depth)?;
        for part in &shape.parts {
            let Some(contains) = part.get("contains") else { continue };
            let wanted = length(part, "minContains").unwrap_or(1).min(LONGEST_ARRAY);
            let has = array.iter().filter(|value| self.old.accepts(contains, value)).count();
            let fixed = self.old.document.items(part).prefix.len();
            for _ in has..wanted {
                let mut demands = Self::element(self.old, &shape.parts, array.len().max(fixed));
                demands.push(contains);
                let value = self.one(&demands, depth + 1)?;
                match (fixed..array.len()).find(|at| !self.old.accepts(contains, &array[*at])) {
                    Some(at) => array[at] = value,
                    None => array.push(value),
                }
            }
        }
        Some(array)
    }

    fn arrays(
        &self,
        shape: &Shape<'a>,
        around: &Parts<'a>,
        depth: u32,
        budget: usize,
        pool: &mut Vec<Value>,
    ) {
        let Some(base) = self.smallest_array(shape, depth) else { return };
        pool.push(Value::Array(base.clone()));
        if budget < 2 {
            return;
        }
        let both: Vec<_> = shape.parts.iter().chain(around).copied().collect();
        let prefix = both
            .iter()
            .flat_map(|part| {
                [
                    self.old.document.items(part).prefix.len(),
                    self.new.document.items(part).prefix.len(),
                ]
            })
            .max()
            .unwrap_or(0);
        let mut lengths: Vec<usize> = both
            .iter()
            .flat_map(|part| {
                ["minItems", "maxItems", "minContains", "maxContains"]
                    .map(|keyword| length(part, keyword))
            })
            .flatten()
            .flat_map(|limit| [limit, limit.saturating_add(1), limit.saturating_sub(1)])
            .chain([1, 2, 3, prefix, prefix + 1, prefix.saturating_sub(1)])
            .filter(|length| *length <= LONGEST_ARRAY)
            .collect();
        lengths.sort_unstable();
        lengths.dedup();
        lengths.truncate(24);
        for wanted in &lengths {
            pool.extend(self.array_of(shape, *wanted, depth).map(Value::Array));
        }

        let positions: Vec<usize> = (0..=prefix.min(POSITIONS)).collect();
        let share = (budget / positions.len()).clamp(3, budget);
        for at in positions {
            let demands = Self::element(self.old, &shape.parts, at);
            let mut hints = Self::element(self.new, around, at);
            let contained = around.iter().filter_map(|part| part.get("contains"));
            hints.extend(contained);
            if self.same(&demands, &hints) {
                continue;
            }
            for value in self.values(&demands, &hints, depth + 1, share) {
                let mut array = base.clone();
                if array.len() <= at {
                    let Some(longer) = self.array_of(shape, at + 1, depth) else { break };
                    array = longer;
                }
                array[at] = value.clone();
                pool.push(Value::Array(array));
                for wanted in lengths.iter().filter(|length| **length > at && **length <= 8) {
                    // The same element again and again: for `uniqueItems` and `contains`.
                    if let Some(mut array) = self.array_of(shape, at, depth) {
                        array.resize(*wanted, value.clone());
                        pool.push(Value::Array(array));
                    }
                }
            }
        }
    }
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
