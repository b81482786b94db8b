//! How often a schema may look at one value. References and unions that apply to the same value multiply: sixty unions
//! of two, each branch a reference to the next, are 2^60 looks. What is above a limit is refused before a validator
//! is built, for the validator would find no end; so is a circle of references that never goes down into the value.

use serde_json::{Map, Value};
use std::collections::{HashMap, HashSet};

/// How many subschemas may look at one value. Real contracts stay below a thousand.
const MOST_LOOKS: u64 = 100_000;

/// How many keywords and references may stand between a value and a subschema that looks at it. The validator's
/// compiler recurses along them.
const LONGEST_CHAIN: usize = 500;

/// Keywords whose schema looks at the same value.
const IN_PLACE: [&str; 4] = ["not", "if", "then", "else"];
const IN_PLACE_LISTS: [&str; 3] = ["allOf", "anyOf", "oneOf"];
const IN_PLACE_MAPS: [&str; 2] = ["dependentSchemas", "dependencies"];

/// Keywords whose schema looks at parts of the value, or at nothing until it is referred to.
const PARTS: [&str; 8] = [
    "items",
    "additionalItems",
    "contains",
    "unevaluatedItems",
    "additionalProperties",
    "unevaluatedProperties",
    "propertyNames",
    "contentSchema",
];
const PART_LISTS: [&str; 2] = ["items", "prefixItems"];
const PART_MAPS: [&str; 4] = ["properties", "patternProperties", "$defs", "definitions"];

/// Refuses a schema that may look at one value too often.
///
/// # Errors
///
/// What is too much of it.
pub(crate) fn check(schema: &Value) -> Result<(), String> {
    let mut graph = Graph::of(schema);
    for at in graph.schemas.clone() {
        if graph.looks(at, 0)? > MOST_LOOKS {
            return Err(format!(
                "its unions and references may look at one value more than {MOST_LOOKS} times"
            ));
        }
    }
    Ok(())
}

/// A schema, and the resource that its references start from.
#[derive(Clone, Copy)]
struct At<'s> {
    schema: &'s Value,
    resource: &'s Value,
}

impl<'s> At<'s> {
    fn child(self, schema: &'s Value) -> Self {
        let is_resource =
            schema.get("$id").and_then(Value::as_str).is_some_and(|id| !id.starts_with('#'));
        Self { schema, resource: if is_resource { schema } else { self.resource } }
    }

    /// Schemas live in one document that does not move, so that a place is a name.
    fn place(self) -> *const Value {
        self.schema
    }
}

#[derive(Clone, Copy)]
enum Looks {
    Counting,
    Counted(u64),
}

struct Graph<'s> {
    root: &'s Value,
    schemas: Vec<At<'s>>,
    resources: HashMap<&'s str, Vec<At<'s>>>,
    anchors: HashMap<&'s str, Vec<At<'s>>>,
    looks: HashMap<*const Value, Looks>,
}

impl<'s> Graph<'s> {
    fn of(root: &'s Value) -> Self {
        let mut graph = Self {
            root,
            schemas: Vec::new(),
            resources: HashMap::new(),
            anchors: HashMap::new(),
            looks: HashMap::new(),
        };
        let mut seen = HashSet::new();
        let mut rest = vec![At { schema: root, resource: root }];
        // Names first: a reference may point ahead.
        while let Some(at) = rest.pop() {
            if seen.insert(at.place()) {
                graph.name(at);
                rest.extend(in_place(at));
                rest.extend(parts(at));
            }
        }
        rest.push(At { schema: root, resource: root });
        seen.clear();
        while let Some(at) = rest.pop() {
            if seen.insert(at.place()) {
                graph.schemas.push(at);
                rest.extend(in_place(at));
                rest.extend(parts(at));
                rest.extend(graph.targets(at));
            }
        }
        graph
    }

    fn name(&mut self, at: At<'s>) {
        let text = |keyword| at.schema.get(keyword).and_then(Value::as_str);
        if let Some(id) = text("$id") {
            self.resources.entry(last_segment(id)).or_default().push(at);
        }
        for anchor in ["$anchor", "$dynamicAnchor"].into_iter().filter_map(text) {
            self.anchors.entry(anchor).or_default().push(at);
        }
    }

    /// What the references of a schema may lead to. Schemas that the validator brings itself are small and left out;
    /// several candidates are all counted.
    fn targets(&self, at: At<'s>) -> Vec<At<'s>> {
        let references = ["$ref", "$dynamicRef"].map(|keyword| at.schema.get(keyword));
        let references = references.into_iter().flatten().filter_map(Value::as_str);
        references.flat_map(|reference| self.resolve(at, reference)).collect()
    }

    fn resolve(&self, at: At<'s>, reference: &str) -> Vec<At<'s>> {
        let (uri, fragment) = reference.split_once('#').unwrap_or((reference, ""));
        let decoded = decoded(fragment);
        if !decoded.is_empty() && !decoded.starts_with('/') {
            return self.anchors.get(&*decoded).cloned().unwrap_or_default();
        }
        let own = At { schema: at.resource, resource: at.resource };
        let resources = match uri {
            "" => vec![own],
            uri => self.resources.get(last_segment(uri)).cloned().unwrap_or_default(),
        };
        let root = At { schema: self.root, resource: self.root };
        let inside = |from: At<'s>| Some(from.child(from.schema.pointer(&decoded)?));
        let found: Vec<_> = resources.into_iter().filter_map(inside).collect();
        if found.is_empty() { inside(root).into_iter().collect() } else { found }
    }

    /// How many subschemas look at the value that this one looks at, itself included.
    fn looks(&mut self, at: At<'s>, chain: usize) -> Result<u64, String> {
        match self.looks.get(&at.place()) {
            Some(Looks::Counted(looks)) => return Ok(*looks),
            Some(Looks::Counting) => {
                return Err("its references go in a circle without going into the value".into());
            }
            None if chain > LONGEST_CHAIN => {
                return Err(format!(
                    "more than {LONGEST_CHAIN} of its references and unions follow on one another"
                ));
            }
            None => {}
        }
        self.looks.insert(at.place(), Looks::Counting);
        let mut looks = 1_u64;
        for next in in_place(at).into_iter().chain(self.targets(at)) {
            looks = looks.saturating_add(self.looks(next, chain + 1)?);
        }
        self.looks.insert(at.place(), Looks::Counted(looks));
        Ok(looks)
    }
}

fn in_place(at: At<'_>) -> Vec<At<'_>> {
    applied(at, &IN_PLACE, &IN_PLACE_LISTS, &IN_PLACE_MAPS)
}

fn parts(at: At<'_>) -> Vec<At<'_>> {
    applied(at, &PARTS, &PART_LISTS, &PART_MAPS)
}

fn applied<'s>(at: At<'s>, single: &[&str], lists: &[&str], maps: &[&str]) -> Vec<At<'s>> {
    let Value::Object(schema) = at.schema else { return Vec::new() };
    let single = single.iter().filter_map(|keyword| schema.get(*keyword));
    let lists = lists.iter().filter_map(|keyword| schema.get(*keyword)?.as_array()).flatten();
    let maps = maps.iter().filter_map(|keyword| schema.get(*keyword)?.as_object());
    let all = single.chain(lists).chain(maps.flat_map(Map::values));
    all.filter(|schema| schema.is_object()).map(|schema| at.child(schema)).collect()
}

/// Resources are told apart by the end of their identifier: enough to count by.
fn last_segment(uri: &str) -> &str {
    let uri = uri.split('#').next().unwrap_or_default();
    uri.rsplit(['/', ':']).next().unwrap_or_default()
}

/// A fragment without its percent signs.
fn decoded(fragment: &str) -> String {
    let mut bytes = Vec::with_capacity(fragment.len());
    let mut rest = fragment.as_bytes();
    while let [first, tail @ ..] = rest {
        let escaped = match (first, tail) {
            (b'%', [high, low, ..]) => {
                let digit = |byte: &u8| char::from(*byte).to_digit(16);
                digit(high)
                    .zip(digit(low))
                    .and_then(|(high, low)| u8::try_from(high * 16 + low).ok())
            }
            _ => None,
        };
        bytes.push(escaped.unwrap_or(*first));
        rest = if escaped.is_some() { &tail[2..] } else { tail };
    }
    String::from_utf8(bytes).unwrap_or_else(|_| fragment.to_owned())
}
