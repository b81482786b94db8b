//! Walks a value beside its schema and collects what does not fit. Bounded in steps, depth and faults; leaf keywords
//! are decided by the validator itself, one keyword at a time.

use super::found::{Found, Repairable};
use super::path::{Path, Step};
use super::{keywords, unevaluated, union, wording};
use crate::schema;
use serde_json::{Map, Value, json};
use std::collections::HashMap;
use std::rc::Rc;
use toolcast_validate::Validator;

/// Pairs of schema and value that one explanation looks at.
const STEPS: usize = 100_000;
/// Calls within calls: each takes some stack.
const DEPTH: usize = 400;
/// References that are followed from one to the next in search of a literal.
const REFERENCES: usize = 16;

/// Validators of single keywords, by the place of the schema that states them.
type Leaves = HashMap<(usize, &'static str), Option<Rc<Validator>>>;

pub(super) struct Walk<'s> {
    pub(super) root: &'s Value,
    leaves: Leaves,
    steps: usize,
    depth: usize,
    pub(super) path: Path,
    pub(super) found: Vec<Found>,
    pub(super) most: usize,
    /// Whether a keyword was met that is not walked: what has no fault then need not fit.
    pub(super) unsure: bool,
    /// Whether faults come with their repairs; those of unions are costly.
    pub(super) repairing: bool,
}

impl<'s> Walk<'s> {
    pub(super) fn new(root: &'s Value) -> Self {
        let (leaves, path, found) = (Leaves::new(), Path::default(), Vec::new());
        Self {
            root,
            leaves,
            steps: STEPS,
            depth: 0,
            path,
            found,
            most: 0,
            unsure: false,
            repairing: false,
        }
    }

    /// The faults of a value with what may mend them.
    pub(super) fn repairs(mut self, value: &Value, most: usize) -> Vec<Found> {
        self.repairing = true;
        self.faults(value, most)
    }

    /// The faults of a value, at most so many, in the order in which they are met.
    pub(super) fn faults(mut self, value: &Value, most: usize) -> Vec<Found> {
        self.most = most;
        self.walk(self.root, value);
        self.found
    }

    /// Whether the walk has said all it may.
    pub(super) fn is_over(&self) -> bool {
        self.steps == 0 || self.found.len() >= self.most
    }

    pub(super) fn is_exhausted(&self) -> bool {
        self.steps == 0
    }

    pub(super) fn fault(&mut self, code: &'static str, message: String) {
        self.fault_with(code, message, None, None, Vec::new());
    }

    pub(super) fn fault_with(
        &mut self,
        code: &'static str,
        message: String,
        repairable: Option<Repairable>,
        allowed: Option<Vec<Value>>,
        types: Vec<String>,
    ) {
        let repair = repairable.map(|how| (self.path.len(), how));
        let path = self.path.clone();
        self.push(Found { path, code, message, repair, allowed, types, closest: None });
    }

    pub(super) fn push(&mut self, found: Found) {
        if self.found.len() < self.most {
            self.found.push(found);
        }
    }

    /// Runs a part of the walk one step further down.
    pub(super) fn within(&mut self, step: Step, part: impl FnOnce(&mut Self)) {
        let inner = self.path.to(step);
        let outer = std::mem::replace(&mut self.path, inner);
        part(self);
        self.path = outer;
    }

    /// The faults of a value against one schema, kept apart from the walk's own.
    pub(super) fn apart(&mut self, schema: &'s Value, value: &Value, most: usize) -> Vec<Found> {
        let outer = (std::mem::take(&mut self.found), std::mem::replace(&mut self.most, most));
        self.walk(schema, value);
        let found = std::mem::replace(&mut self.found, outer.0);
        self.most = outer.1;
        found
    }

    /// Whether a value fits a schema; `None` where the walk cannot tell.
    pub(super) fn fits(&mut self, schema: &'s Value, value: &Value) -> Option<bool> {
        let before = std::mem::take(&mut self.unsure);
        let is_faulty = !self.apart(schema, value, 1).is_empty();
        let is_known = is_faulty || !self.unsure && !self.is_exhausted();
        self.unsure |= before;
        is_known.then_some(!is_faulty)
    }

    /// Looks at a value beside a schema.
    pub(super) fn walk(&mut self, schema: &'s Value, value: &Value) {
        if self.is_over() || self.depth == DEPTH {
            self.unsure |= self.depth == DEPTH;
            return;
        }
        self.steps -= 1;
        self.depth += 1;
        match schema {
            Value::Bool(false) => self.fault("false", "no value is allowed here".to_owned()),
            Value::Object(schema) => self.object_schema(schema, value),
            _ => {}
        }
        self.depth -= 1;
    }

    fn object_schema(&mut self, schema: &'s Map<String, Value>, value: &Value) {
        self.unsure |= schema.contains_key("$dynamicRef");
        match self.resolve(schema) {
            Some(target) => self.walk(target, value),
            None => self.unsure |= schema.contains_key("$ref"),
        }
        // A value of another type has no further faults worth reading.
        if !self.type_fits(schema, value) {
            return;
        }
        keywords::leaves(self, schema, value);
        match value {
            Value::Object(members) => self.members(schema, members, value),
            Value::Array(items) => self.items(schema, items),
            _ => {}
        }
        for branch in list(schema, "allOf") {
            self.walk(branch, value);
        }
        union::walk(self, schema, value);
        unevaluated::walk(self, schema, value);
    }

    /// Takes some of the steps that the whole explanation has; false where none is left.
    pub(super) fn spend(&mut self, steps: usize) -> bool {
        self.steps = self.steps.saturating_sub(steps);
        self.steps > 0
    }

    /// The target of a reference within the document.
    pub(super) fn resolve(&self, schema: &Map<String, Value>) -> Option<&'s Value> {
        let reference = schema.get("$ref")?.as_str()?.strip_prefix('#')?;
        if !reference.contains('%') {
            return self.root.pointer(reference);
        }
        self.root.pointer(&percent_decoded(reference)?)
    }

    fn type_fits(&mut self, schema: &Map<String, Value>, value: &Value) -> bool {
        let types: Vec<&str> = match schema.get("type") {
            Some(Value::String(name)) => vec![name],
            Some(Value::Array(names)) => names.iter().filter_map(Value::as_str).collect(),
            _ => return true,
        };
        if types.iter().any(|name| is_of_type(value, name)) {
            return true;
        }
        let expected: Vec<String> =
            types.iter().map(|name| wording::of_type(name).to_owned()).collect();
        let expected = wording::wanted(schema).unwrap_or_else(|| wording::either(&expected));
        let message =
            format!("expected {expected}, got {}", wording::came(value, is_secret(schema)));
        let types: Vec<String> = types.into_iter().map(str::to_owned).collect();
        self.fault_with("type", message, Some(Repairable::Type(types.clone())), None, types);
        false
    }

    /// Whether a value satisfies one keyword, by a validator of that keyword alone. A keyword that does not compile
    /// alone is left to the whole validator.
    pub(super) fn holds(
        &mut self,
        schema: &Map<String, Value>,
        keyword: &'static str,
        value: &Value,
    ) -> bool {
        let Some(stated) = schema.get(keyword) else { return true };
        // The root outlives the walk, so a place in it names one keyword of one schema.
        let place = (std::ptr::from_ref(stated) as usize, keyword);
        let leaf = self.leaves.entry(place).or_insert_with(|| {
            let alone = Map::from_iter([(keyword.to_owned(), stated.clone())]);
            schema::compile(&Value::Object(alone)).ok().map(Rc::new)
        });
        leaf.as_ref().is_none_or(|leaf| leaf.is_valid(value))
    }

    /// Whether a pattern of `patternProperties` matches a name.
    pub(super) fn name_matches(&mut self, pattern: &str, matched: &Value, name: &str) -> bool {
        let place = (std::ptr::from_ref(matched) as usize, "patternProperties");
        let leaf = self
            .leaves
            .entry(place)
            .or_insert_with(|| schema::compile(&json!({ "pattern": pattern })).ok().map(Rc::new));
        leaf.as_ref().is_some_and(|leaf| leaf.is_valid(&Value::String(name.to_owned())))
    }

    fn members(
        &mut self,
        schema: &'s Map<String, Value>,
        members: &Map<String, Value>,
        value: &Value,
    ) {
        let properties = map(schema, "properties");
        let required: Vec<&str> =
            list(schema, "required").iter().filter_map(Value::as_str).collect();
        for name in &required {
            if !members.contains_key(*name) {
                let wanted = properties.and_then(|known| known.get(*name));
                self.missing(name, wanted, None);
            }
        }
        for (name, others) in map(schema, "dependentRequired").into_iter().flatten() {
            for other in others.as_array().into_iter().flatten().filter_map(Value::as_str) {
                if members.contains_key(name) && !members.contains_key(other) {
                    let wanted = properties.and_then(|known| known.get(other));
                    self.missing(other, wanted, Some(name));
                }
            }
        }
        for (name, dependent) in map(schema, "dependentSchemas").into_iter().flatten() {
            if members.contains_key(name) {
                self.walk(dependent, value);
            }
        }
        for (name, member) in members {
            if self.is_over() {
                return;
            }
            self.member(schema, name, member, required.contains(&name.as_str()));
        }
    }

    fn missing(&mut self, name: &str, wanted: Option<&'s Value>, because: Option<&str>) {
        let described = wanted.and_then(|schema| self.describe(schema));
        let because = because.map(|name| format!(" beside {}", wording::quoted(name)));
        let mut message = format!("missing{}", because.unwrap_or_default());
        if let Some(described) = described {
            message.push_str("; expected ");
            message.push_str(&described);
        }
        let allowed = wanted.and_then(|schema| self.literals(schema));
        self.within(Step::Key(name.to_owned()), |walk| {
            walk.fault_with("required", message, None, allowed, Vec::new());
        });
    }

    /// The values that a schema spells out, perhaps through references.
    fn literals(&self, mut schema: &'s Value) -> Option<Vec<Value>> {
        for _ in 0..REFERENCES {
            let members = schema.as_object()?;
            if let Some(value) = members.get("const") {
                return Some(vec![value.clone()]);
            }
            if let Some(Value::Array(values)) = members.get("enum") {
                return Some(values.clone());
            }
            schema = self.resolve(members)?;
        }
        None
    }

    /// What a schema wants, through one reference.
    pub(super) fn describe(&self, schema: &'s Value) -> Option<String> {
        let schema = schema.as_object()?;
        wording::wanted(schema).or_else(|| wording::wanted(self.resolve(schema)?.as_object()?))
    }

    fn member(
        &mut self,
        schema: &'s Map<String, Value>,
        name: &str,
        member: &Value,
        required: bool,
    ) {
        self.within(Step::Key(name.to_owned()), |walk| {
            walk.member_here(schema, name, member, required)
        });
    }

    fn member_here(
        &mut self,
        schema: &'s Map<String, Value>,
        name: &str,
        member: &Value,
        required: bool,
    ) {
        let mut is_known = false;
        let before = self.found.len();
        if let Some(names) = schema.get("propertyNames") {
            let key = Value::String(name.to_owned());
            if let Some(found) = self.apart(names, &key, 1).pop() {
                let message = format!("this name is not allowed: {}", found.text());
                self.fault("propertyNames", message);
            }
        }
        if let Some(known) = map(schema, "properties").and_then(|known| known.get(name)) {
            is_known = true;
            self.walk(known, member);
            let is_empty = member.is_null() || member.as_str() == Some("");
            if is_empty && !required && self.found.len() > before {
                let depth = self.path.len();
                self.found.truncate(before + 1);
                self.found[before].repair = Some((depth, Repairable::Absent));
            }
        }
        for (pattern, matched) in map(schema, "patternProperties").into_iter().flatten() {
            if self.name_matches(pattern, matched, name) {
                is_known = true;
                self.walk(matched, member);
            }
        }
        match schema.get("additionalProperties") {
            Some(Value::Bool(false)) if !is_known => {
                let known: Vec<&str> = names(schema, "properties").collect();
                let patterns: Vec<&str> = names(schema, "patternProperties").collect();
                let message = keywords::unknown(name, &known, &patterns);
                self.fault("additionalProperties", message);
            }
            Some(further) if !is_known => self.walk(further, member),
            _ => {}
        }
    }

    fn items(&mut self, schema: &'s Map<String, Value>, items: &[Value]) {
        let prefix = list(schema, "prefixItems");
        for (position, item) in items.iter().enumerate() {
            if self.is_over() {
                return;
            }
            let further = schema.get("items");
            if let Some(stated) = prefix.get(position).or(further) {
                if position >= prefix.len() && *stated == Value::Bool(false) {
                    let most = wording::count(prefix.len(), "item");
                    return self
                        .fault("items", format!("expected at most {most}, got {}", items.len()));
                }
                self.within(Step::Index(position), |walk| walk.walk(stated, item));
            }
        }
        let Some(contained) = schema.get("contains") else { return };
        let bound = |name| schema.get(name).and_then(Value::as_f64);
        let (least, most) = (bound("minContains").unwrap_or(1.0), bound("maxContains"));
        let fitting: Option<Vec<bool>> =
            items.iter().map(|item| self.fits(contained, item)).collect();
        let Some(fitting) = fitting else { return };
        let matching = fitting.iter().filter(|fits| **fits).count() as f64;
        if matching >= least && most.is_none_or(|most| matching <= most) {
            return;
        }
        let what = self.describe(contained).map(|what| format!(" ({what})")).unwrap_or_default();
        let bound = match most {
            Some(most) if matching > most => format!("at most {most}"),
            _ => format!("at least {least}"),
        };
        self.fault("contains", format!("expected {bound} matching items{what}, got {matching}"));
    }
}

pub(super) fn list<'a>(schema: &'a Map<String, Value>, keyword: &str) -> &'a [Value] {
    schema.get(keyword).and_then(Value::as_array).map_or(&[], Vec::as_slice)
}

pub(super) fn map<'a>(
    schema: &'a Map<String, Value>,
    keyword: &str,
) -> Option<&'a Map<String, Value>> {
    schema.get(keyword).and_then(Value::as_object)
}

/// The names in a keyword's object.
pub(super) fn names<'a>(
    schema: &'a Map<String, Value>,
    keyword: &str,
) -> impl Iterator<Item = &'a str> + use<'a> {
    map(schema, keyword).into_iter().flat_map(Map::keys).map(String::as_str)
}

/// Whether what comes here is nobody's business: a password, or a member that is only ever written.
pub(super) fn is_secret(schema: &Map<String, Value>) -> bool {
    schema.get("writeOnly") == Some(&Value::Bool(true))
        || schema.get("format").and_then(Value::as_str) == Some("password")
}

pub(crate) fn is_of_type(value: &Value, name: &str) -> bool {
    match name {
        "null" => value.is_null(),
        "boolean" => value.is_boolean(),
        "string" => value.is_string(),
        "number" => value.is_number(),
        "array" => value.is_array(),
        "object" => value.is_object(),
        // JSON Schema has one kind of number: 5.0 is whole.
        "integer" => match value {
            Value::Number(number) => {
                !number.is_f64() || number.as_f64().is_some_and(|number| number.fract() == 0.0)
            }
            _ => false,
        },
        _ => true,
    }
}

fn percent_decoded(text: &str) -> Option<String> {
    let mut bytes = Vec::with_capacity(text.len());
    let mut rest = text.as_bytes();
    while let [first, tail @ ..] = rest {
        rest = tail;
        if *first != b'%' {
            bytes.push(*first);
            continue;
        }
        let digits = std::str::from_utf8(tail.get(..2)?).ok()?;
        bytes.push(u8::from_str_radix(digits, 16).ok()?);
        rest = &tail[2..];
    }
    String::from_utf8(bytes).ok()
}
