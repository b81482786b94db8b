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
        if graph.looks(at, 0)?.looks > MOST_LOOKS {
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

/// What lies below a schema, at the same value.
#[derive(Clone, Copy)]
struct Counts {
    looks: u64,
    chain: usize,
}

#[derive(Clone, Copy)]
enum Looks {
    Counting,
    Counted(Counts),
}

struct Graph<'s> {
    schemas: Vec<At<'s>>,
    resources: HashMap<&'s str, Vec<At<'s>>>,
    anchors: HashMap<&'s str, Vec<At<'s>>>,
    looks: HashMap<*const Value, Looks>,
}

impl<'s> Graph<'s> {
    fn of(root: &'s Value) -> Self {
        let mut graph = Self {
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
        let inside = |from: At<'s>| Some(from.child(from.schema.pointer(&decoded)?));
        resources.into_iter().filter_map(inside).collect()
    }

    /// How many subschemas look at the value that this one looks at, itself included.
    fn looks(&mut self, at: At<'s>, above: usize) -> Result<Counts, String> {
        let counted = match self.looks.get(&at.place()) {
            Some(Looks::Counting) => {
                return Err("its references go in a circle without going into the value".into());
            }
            Some(Looks::Counted(counts)) => Some(*counts),
            None => None,
        };
        if above + counted.map_or(0, |counts| counts.chain) > LONGEST_CHAIN {
            return Err(format!(
                "more than {LONGEST_CHAIN} of its references and unions follow on one another"
            ));
        }
        if let Some(counts) = counted {
            return Ok(counts);
        }
        self.looks.insert(at.place(), Looks::Counting);
        let mut counts = Counts { looks: 1, chain: 0 };
        for next in in_place(at).into_iter().chain(self.targets(at)) {
            let below = self.looks(next, above + 1)?;
            counts.looks = counts.looks.saturating_add(below.looks);
            counts.chain = counts.chain.max(below.chain + 1);
        }
        self.looks.insert(at.place(), Looks::Counted(counts));
        Ok(counts)
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

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;
    use std::path::Path;

    #[test]
    fn a_circle_is_refused_only_where_it_never_goes_into_the_value() {
        let tree = json!({ "anyOf": [{ "type": "null" }, { "items": { "$ref": "#" } }] });
        assert_eq!(check(&tree), Ok(()));
        for circle in [
            json!({ "allOf": [{ "$ref": "#" }] }),
            json!({ "$defs": { "a": { "$anchor": "x", "not": { "$ref": "#x" } } } }),
            json!({ "$id": "https://example.com/a", "if": { "$dynamicRef": "a" } }),
            json!({ "$defs": { "a b": { "$ref": "#/$defs/a%20b" } } }),
        ] {
            assert!(check(&circle).unwrap_err().contains("circle"), "{circle}");
        }
    }

    #[test]
    fn a_long_chain_is_refused_without_following_it_to_its_end() {
        let link =
            |at: usize| (format!("l{at}"), json!({ "$ref": format!("#/$defs/l{}", at + 1) }));
        let defs: Map<_, _> = (0..100_000).map(link).collect();
        assert!(check(&json!({ "$defs": defs })).unwrap_err().contains("500"));
    }

    #[test]
    fn real_tools_and_the_official_suite_are_far_below_the_limit() {
        let Ok(corpus) = std::env::var("TOOLCAST_CORPUS") else {
            println!("skipped: TOOLCAST_CORPUS is not set");
            return;
        };
        let mut checked = 0;
        for folder in ["corpus/servers", "json-schema-test-suite/draft2020-12"] {
            for file in std::fs::read_dir(Path::new(&corpus).join(folder)).unwrap() {
                let path = file.unwrap().path();
                if path.extension().is_none_or(|ending| ending != "json") {
                    continue;
                }
                let file: Value = serde_json::from_slice(&std::fs::read(&path).unwrap()).unwrap();
                let entries = file.get("tools").unwrap_or(&file).as_array().unwrap();
                for schema in entries.iter().flat_map(|entry| {
                    ["inputSchema", "outputSchema", "schema"].map(|member| entry.get(member))
                }) {
                    let Some(schema) = schema else { continue };
                    assert_eq!(check(schema), Ok(()), "{}: {schema}", path.display());
                    checked += 1;
                }
            }
        }
        assert!(checked > 500, "{checked} schemas");
    }
}
