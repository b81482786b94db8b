//! What a schema says about shape, merged from everything that applies at one site: `$ref`, `allOf` and chosen
//! branches. Nothing is named or decided here, and every step counts against a budget.

mod aliases;
mod reference;
mod types;
mod unevaluated;

pub(crate) use aliases::Aliases;
pub(crate) use reference::{escape, unescape};
pub(crate) use types::Types;

use crate::limits::Budget;
use crate::{Error, Side};
use serde_json::{Map, Value};
use std::collections::{HashMap, HashSet};

/// One contract's input or output schema.
pub(crate) struct Document<'a> {
    pub(crate) root: &'a Value,
    pub(crate) side: Side,
    pub(crate) aliases: Option<&'a Aliases>,
}

/// A choice that leaves the union out: what applies beside it.
pub(crate) const NO_BRANCH: usize = usize::MAX;

/// A place in a document that a type is wanted for: schemas that all apply, with branches of unions already chosen
/// and types ruled out.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Site {
    pub(crate) schemas: Vec<String>,
    /// Pointer of a union keyword, and the branch that is meant.
    pub(crate) chosen: Vec<(String, usize)>,
    pub(crate) mask: Types,
}

impl Site {
    pub(crate) fn of(schemas: Vec<String>) -> Self {
        Self { schemas, chosen: Vec::new(), mask: Types::ALL }
    }

    pub(crate) fn choose(&self, union: &str, branch: usize) -> Self {
        let mut site = self.clone();
        site.chosen.push((union.to_owned(), branch));
        site
    }

    pub(crate) fn only(&self, types: Types) -> Self {
        Self { mask: self.mask.and(types), ..self.clone() }
    }
}

/// What a schema says of members that it does not declare.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Additional {
    Silent,
    Open,
    Typed(Vec<String>),
    Closed,
}

/// A union keyword at a site, not yet chosen.
#[derive(Clone, Debug)]
pub(crate) struct UnionSite {
    pub(crate) pointer: String,
    pub(crate) branches: Vec<String>,
}

/// What all schemas of a site say together.
#[derive(Debug)]
pub(crate) struct Merged<'a> {
    pub(crate) types: Types,
    pub(crate) literals: Option<Vec<&'a Value>>,
    /// Declared members in declaration order, each with the schemas that apply to it.
    pub(crate) members: Vec<(&'a str, Vec<String>)>,
    index: HashMap<&'a str, usize>,
    pub(crate) required: Vec<&'a str>,
    required_set: HashSet<&'a str>,
    pub(crate) additional: Additional,
    pub(crate) patterns: Vec<String>,
    pub(crate) items: Vec<String>,
    pub(crate) no_further_items: bool,
    pub(crate) prefix: Vec<Vec<String>>,
    pub(crate) min_items: u64,
    pub(crate) max_items: u64,
    pub(crate) unions: Vec<UnionSite>,
    pub(crate) not_negative: bool,
    /// A bound says in so many words that negative values fit.
    negative: bool,
    /// Integers beyond `i64::MAX` are meant: a bound or `format` says so.
    pub(crate) wide: bool,
    /// `integer` stands beside `number`: whole numbers are to be held as such.
    pub(crate) whole_apart: bool,
    /// Members that only a condition (`if`, `dependentSchemas`) declares.
    pub(crate) conditional_members: bool,
    /// Schemas with conditions.
    conditions: Vec<String>,
    /// Schemas that say `unevaluatedProperties: false`, and those that say so of items.
    unevaluated_members: Vec<String>,
    unevaluated_items: Vec<String>,
    /// Why no type can say it all.
    pub(crate) opaque: Option<&'static str>,
    pub(crate) title: Option<&'a str>,
    pub(crate) description: Option<&'a str>,
    pub(crate) default: Option<&'a Value>,
    pub(crate) rust_name: Option<&'a str>,
    pub(crate) format: Option<&'a str>,
    /// Only annotations were read: see [`Document::annotated`].
    annotations_only: bool,
}

impl<'a> Merged<'a> {
    fn new() -> Self {
        Self {
            types: Types::ALL,
            literals: None,
            members: Vec::new(),
            index: HashMap::new(),
            required: Vec::new(),
            required_set: HashSet::new(),
            additional: Additional::Silent,
            patterns: Vec::new(),
            items: Vec::new(),
            no_further_items: false,
            prefix: Vec::new(),
            min_items: 0,
            max_items: u64::MAX,
            unions: Vec::new(),
            not_negative: false,
            negative: false,
            wide: false,
            whole_apart: false,
            conditional_members: false,
            conditions: Vec::new(),
            unevaluated_members: Vec::new(),
            unevaluated_items: Vec::new(),
            opaque: None,
            title: None,
            description: None,
            default: None,
            rust_name: None,
            format: None,
            annotations_only: false,
        }
    }

    pub(crate) fn requires(&self, name: &str) -> bool {
        self.required_set.contains(name)
    }

    pub(crate) fn member(&self, name: &str) -> Option<&[String]> {
        self.index.get(name).map(|&at| self.members[at].1.as_slice())
    }

    /// Whether an object of this shape can have a member of this name.
    pub(crate) fn allows(&self, name: &str) -> bool {
        self.index.contains_key(name)
            || self.additional != Additional::Closed
            || !self.patterns.is_empty()
    }

    /// Adds what a further schema says of undeclared members.
    fn add_additional(&mut self, here: Additional) {
        self.additional = match (std::mem::replace(&mut self.additional, Additional::Silent), here)
        {
            (Additional::Closed, _) | (_, Additional::Closed) => Additional::Closed,
            (Additional::Typed(mut a), Additional::Typed(b)) => {
                a.extend(b);
                Additional::Typed(a)
            }
            (Additional::Typed(a), _) | (_, Additional::Typed(a)) => Additional::Typed(a),
            (Additional::Open, _) | (_, Additional::Open) => Additional::Open,
            (Additional::Silent, Additional::Silent) => Additional::Silent,
        };
    }

    fn add_member(&mut self, name: &'a str, schema: String) {
        match self.index.get(name) {
            Some(&at) => self.members[at].1.push(schema),
            None => {
                self.index.insert(name, self.members.len());
                self.members.push((name, vec![schema]));
            }
        }
    }

    /// Whether the integers are those of `u64`.
    pub(crate) fn unsigned(&self) -> bool {
        self.not_negative || self.wide && !self.negative
    }

    /// Whether they give a value any shape beyond its types.
    pub(crate) fn is_plain(&self) -> bool {
        self.literals.is_none()
            && self.members.is_empty()
            && self.required.is_empty()
            && matches!(self.additional, Additional::Silent | Additional::Open)
            && self.patterns.is_empty()
            && self.items.is_empty()
            && self.prefix.is_empty()
            && self.unions.is_empty()
            && !self.conditional_members
            && self.unevaluated_members.is_empty()
            && !self.not_negative
            && self.opaque.is_none()
    }
}

impl<'a> Document<'a> {
    pub(crate) fn at(&self, pointer: &str) -> Option<&'a Value> {
        self.root.pointer(pointer)
    }

    /// The member `key` of the schema at `pointer`.
    pub(crate) fn string_at(&self, pointer: &str, key: &str) -> Option<&'a str> {
        self.at(pointer)?.get(key)?.as_str()
    }

    /// Merges what applies at a site.
    pub(crate) fn merged(&self, site: &Site, budget: &mut Budget) -> Result<Merged<'a>, Error> {
        let mut merged = Merged::new();
        let mut seen = HashSet::new();
        for (at, schema) in site.schemas.iter().enumerate() {
            self.collect(schema, site, at == 0, &mut merged, &mut seen, budget)?;
        }
        merged.types = merged.types.and(site.mask);
        if let Some(literals) = &mut merged.literals {
            let types = merged.types;
            literals.retain(|literal| types.has(Types::of(literal)));
            let mut seen = HashSet::new();
            literals.retain(|literal| seen.insert(literal.to_string()));
            merged.types =
                literals.iter().fold(Types::NONE, |types, literal| types.or(Types::of(literal)));
        }
        for union in &merged.unions {
            merged.types = merged.types.and(self.union_types(union, 0, budget)?);
        }
        self.close_unevaluated(site, &mut merged, budget)?;
        Ok(merged)
    }

    /// What a site's annotations say, without its shape: members that refer to one large object need not each read it.
    pub(crate) fn annotated(&self, site: &Site, budget: &mut Budget) -> Result<Merged<'a>, Error> {
        let mut merged = Merged::new();
        merged.annotations_only = true;
        let mut seen = HashSet::new();
        for (at, schema) in site.schemas.iter().enumerate() {
            self.collect(schema, site, at == 0, &mut merged, &mut seen, budget)?;
        }
        Ok(merged)
    }

    /// The types that a branch allows, through references and unions; an upper bound, and exact but for recursion.
    fn branch_types(
        &self,
        branch: &str,
        depth: usize,
        budget: &mut Budget,
    ) -> Result<Types, Error> {
        let key = (self.side, branch.to_owned());
        if let Some(types) = budget.types.get(&key) {
            return Ok(*types);
        }
        if depth > 100 {
            return Ok(Types::ALL);
        }
        // A branch that leads back here says nothing new of itself.
        budget.types.insert(key.clone(), Types::ALL);
        let site = Site::of(vec![branch.to_owned()]);
        let mut merged = Merged::new();
        self.collect(branch, &site, false, &mut merged, &mut HashSet::new(), budget)?;
        let mut types = merged.types;
        if let Some(literals) = &merged.literals {
            types = types.and(
                literals.iter().fold(Types::NONE, |types, literal| types.or(Types::of(literal))),
            );
        }
        for union in merged.unions {
            types = types.and(self.union_types(&union, depth + 1, budget)?);
        }
        budget.types.insert(key, types);
        Ok(types)
    }

    fn union_types(
        &self,
        union: &UnionSite,
        depth: usize,
        budget: &mut Budget,
    ) -> Result<Types, Error> {
        let mut types = Types::NONE;
        for branch in &union.branches {
            types = types.or(self.branch_types(branch, depth, budget)?);
        }
        Ok(types)
    }

    fn collect(
        &self,
        pointer: &str,
        site: &Site,
        own: bool,
        merged: &mut Merged<'a>,
        seen: &mut HashSet<String>,
        budget: &mut Budget,
    ) -> Result<(), Error> {
        budget.step(self.side, pointer)?;
        if !seen.insert(pointer.to_owned()) {
            return Ok(());
        }
        let schema = match self.at(pointer) {
            Some(Value::Object(schema)) => schema,
            Some(Value::Bool(false)) => {
                merged.types = Types::NONE;
                return Ok(());
            }
            Some(_) => return Ok(()),
            None => {
                merged.opaque = Some("its `$ref` leads nowhere");
                return Ok(());
            }
        };
        self.annotations(schema, own, merged);
        if !merged.annotations_only {
            // Each member and item is work as a schema is.
            for _ in 0..listed(schema) {
                budget.step(self.side, pointer)?;
            }
            self.value_keywords(schema, merged);
            self.object_keywords(pointer, schema, merged);
            self.array_keywords(pointer, schema, merged);
        }
        for key in ["$dynamicRef", "$recursiveRef"] {
            if schema.contains_key(key) {
                merged.opaque = Some("`$dynamicRef` is only known when the schema is used");
            }
        }
        if let Some(reference) = schema.get("$ref").and_then(Value::as_str) {
            match self.target(pointer, reference) {
                Some(target) => self.collect(&target, site, false, merged, seen, budget)?,
                None => merged.opaque = Some("its `$ref` is no JSON pointer into this schema"),
            }
        }
        if let Some(Value::Array(parts)) = schema.get("allOf") {
            for at in 0..parts.len() {
                self.collect(&format!("{pointer}/allOf/{at}"), site, false, merged, seen, budget)?;
            }
        }
        for key in ["anyOf", "oneOf"] {
            let Some(Value::Array(branches)) = schema.get(key) else { continue };
            let union = format!("{pointer}/{key}");
            let chosen = site.chosen.iter().find(|(at, _)| *at == union).map(|(_, branch)| *branch);
            let only = (branches.len() == 1).then_some(0);
            match chosen.or(only) {
                Some(NO_BRANCH) => {}
                Some(branch) => {
                    self.collect(&format!("{union}/{branch}"), site, false, merged, seen, budget)?;
                }
                None => merged.unions.push(UnionSite {
                    branches: (0..branches.len()).map(|at| format!("{union}/{at}")).collect(),
                    pointer: union,
                }),
            }
        }
        Ok(())
    }

    fn annotations(&self, schema: &'a Map<String, Value>, own: bool, merged: &mut Merged<'a>) {
        if own {
            merged.title = schema.get("title").and_then(Value::as_str);
            merged.rust_name = schema.get("x-rust-name").and_then(Value::as_str);
        }
        if merged.description.is_none() {
            merged.description = schema.get("description").and_then(Value::as_str);
        }
        if merged.default.is_none() {
            merged.default = schema.get("default");
        }
    }

    fn value_keywords(&self, schema: &'a Map<String, Value>, merged: &mut Merged<'a>) {
        match schema.get("type") {
            Some(Value::String(name)) => merged.types = merged.types.and(Types::named(name)),
            Some(Value::Array(names)) => {
                let types = names
                    .iter()
                    .filter_map(Value::as_str)
                    .fold(Types::NONE, |t, n| t.or(Types::named(n)));
                merged.types = merged.types.and(types);
                let named = |wanted: &str| names.iter().any(|name| name == wanted);
                merged.whole_apart |= named("integer") && named("number");
            }
            _ => {}
        }
        let literals: Option<Vec<&Value>> = match (schema.get("const"), schema.get("enum")) {
            (Some(constant), _) => Some(vec![constant]),
            (None, Some(Value::Array(values))) => Some(values.iter().collect()),
            _ => None,
        };
        if let Some(literals) = literals {
            match &mut merged.literals {
                Some(known) => {
                    let allowed: HashSet<String> =
                        literals.iter().map(|literal| literal.to_string()).collect();
                    known.retain(|literal| allowed.contains(&literal.to_string()));
                }
                None => merged.literals = Some(literals),
            }
        }
        merged.format = merged.format.or(schema.get("format").and_then(Value::as_str));
        bounds(schema, merged);
    }

    fn object_keywords(
        &self,
        pointer: &str,
        schema: &'a Map<String, Value>,
        merged: &mut Merged<'a>,
    ) {
        if let Some(Value::Object(members)) = schema.get("properties") {
            for name in members.keys() {
                merged.add_member(name, format!("{pointer}/properties/{}", escape(name)));
            }
        }
        if let Some(Value::Array(names)) = schema.get("required") {
            for name in names.iter().filter_map(Value::as_str) {
                if merged.required_set.insert(name) {
                    merged.required.push(name);
                }
            }
        }
        if let Some(Value::Object(patterns)) = schema.get("patternProperties") {
            merged.patterns.extend(
                patterns
                    .keys()
                    .map(|pattern| format!("{pointer}/patternProperties/{}", escape(pattern))),
            );
        }
        for key in ["additionalProperties", "unevaluatedProperties"] {
            let Some(additional) = schema.get(key) else { continue };
            if key == "unevaluatedProperties" && schema.contains_key("additionalProperties") {
                // That has evaluated every member already.
                continue;
            }
            let here = match additional {
                // What is evaluated elsewhere is known once everything is merged.
                Value::Bool(false) if key == "unevaluatedProperties" => {
                    merged.unevaluated_members.push(pointer.to_owned());
                    continue;
                }
                Value::Bool(false) => Additional::Closed,
                Value::Bool(true) => Additional::Open,
                Value::Object(schema) if schema.is_empty() => Additional::Open,
                _ if key == "additionalProperties" => {
                    Additional::Typed(vec![format!("{pointer}/{key}")])
                }
                _ => Additional::Open,
            };
            merged.add_additional(here);
        }
        if ["if", "then", "else", "dependentSchemas"].iter().any(|key| schema.contains_key(*key)) {
            merged.conditions.push(pointer.to_owned());
        }
    }

    fn array_keywords(
        &self,
        pointer: &str,
        schema: &'a Map<String, Value>,
        merged: &mut Merged<'a>,
    ) {
        if let Some(Value::Array(prefix)) = schema.get("prefixItems") {
            for at in 0..prefix.len() {
                let item = format!("{pointer}/prefixItems/{at}");
                match merged.prefix.get_mut(at) {
                    Some(schemas) => schemas.push(item),
                    None => merged.prefix.push(vec![item]),
                }
            }
        }
        match schema.get("items") {
            Some(Value::Bool(false)) => merged.no_further_items = true,
            Some(Value::Object(_)) => merged.items.push(format!("{pointer}/items")),
            _ => {}
        }
        if schema.get("unevaluatedItems") == Some(&Value::Bool(false))
            && !schema.contains_key("items")
        {
            merged.unevaluated_items.push(pointer.to_owned());
        }
        let minimum = schema.get("minItems").and_then(Value::as_u64).unwrap_or(0);
        merged.min_items = merged.min_items.max(minimum);
        let maximum = schema.get("maxItems").and_then(Value::as_u64).unwrap_or(u64::MAX);
        merged.max_items = merged.max_items.min(maximum);
    }
}

/// What bounds and `format` say of the integers that are meant.
fn bounds(schema: &Map<String, Value>, merged: &mut Merged<'_>) {
    /// The least whole number, as a float, that `i64` does not hold.
    const BEYOND: f64 = 9_223_372_036_854_775_808.0;
    let number = |key: &str| schema.get(key).and_then(Value::as_number);
    let float = |key: &str| number(key).and_then(serde_json::Number::as_f64);
    let least = float("minimum").is_some_and(|minimum| minimum >= 0.0);
    let above = float("exclusiveMinimum").is_some_and(|minimum| minimum >= -1.0);
    merged.not_negative |= least || above;
    merged.negative |= float("minimum").is_some_and(|minimum| minimum < 0.0)
        || float("exclusiveMinimum").is_some_and(|minimum| minimum < -1.0);
    let at_most = number("maximum").is_some_and(|maximum| {
        maximum.as_i64().is_none() && maximum.as_f64().is_some_and(|maximum| maximum >= BEYOND)
    });
    let below = number("exclusiveMaximum").is_some_and(|maximum| {
        let least = maximum.as_u64().is_some_and(|maximum| maximum > 1 << 63);
        least || maximum.as_f64().is_some_and(|maximum| maximum > BEYOND)
    });
    let format = schema.get("format").and_then(Value::as_str);
    merged.wide |= at_most || below || matches!(format, Some("uint64" | "uint"));
    // Other formats of integers ask for nothing that the 64 bits do not hold.
    merged.whole_apart |= matches!(format, Some("uint64" | "uint" | "int64"));
}

/// Members and items that a schema lists.
fn listed(schema: &Map<String, Value>) -> usize {
    let keywords = ["properties", "patternProperties", "required", "prefixItems", "enum"];
    keywords.iter().filter_map(|keyword| schema.get(*keyword)).fold(0, |count, value| {
        count
            + match value {
                Value::Object(members) => members.len(),
                Value::Array(items) => items.len(),
                _ => 0,
            }
    })
}
