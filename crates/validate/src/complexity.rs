//! How many subschemas may apply to one value. References and unions that apply to the same value multiply: sixty
//! unions of two, each branch a reference to the next, apply 2^60 times. What is above a limit is refused before a
//! validator is built, for the validator would find no end; so is a circle of references that never goes down into
//! the value, and a schema that is nested so deep that the compiler would run out of stack.

use serde_json::Value;
use std::collections::{HashMap, HashSet};
use toolcast_schema::keyword::{Subschemas, subschemas};

/// How many subschemas may apply to one value. Real contracts stay below a thousand.
pub const MAX_APPLIED: u64 = 100_000;

/// How many keywords and references may stand between a value and a subschema that applies to it. The validator's
/// compiler recurses along them.
pub const MAX_CHAIN: usize = 500;

/// How deep arrays and objects may be nested. `serde_json` reads 128 levels; values made by programs know no bound.
pub const MAX_DEPTH: usize = 256;

/// Refuses a schema that validating, or compiling, could not come to an end with.
///
/// The count is of the schema alone and takes no time of its own to speak of: the same schema is always told the same.
///
/// # Errors
///
/// What there is too much of, as the end of a sentence about the schema.
pub fn check_complexity(schema: &Value) -> Result<(), String> {
    if is_deeper(schema, MAX_DEPTH) {
        return Err(format!("it is nested more than {MAX_DEPTH} levels deep"));
    }
    let mut graph = Graph::of(schema);
    for at in graph.schemas.clone() {
        if graph.applied(at, 0)?.subschemas > MAX_APPLIED {
            return Err(format!(
                "its unions and references may apply more than {MAX_APPLIED} subschemas to one value"
            ));
        }
    }
    Ok(())
}

/// The places of all objects that are schemas: none that stands in an `enum` or below an unknown name that nothing refers
/// to.
pub(crate) fn schemas(root: &Value) -> HashSet<*const Value> {
    Graph::of(root).schemas.into_iter().map(At::place).collect()
}

/// Whether a value is nested deeper than `most`, found without recursion: this is what guards the recursion of all else.
fn is_deeper(value: &Value, most: usize) -> bool {
    let mut rest = vec![(value, 1)];
    while let Some((value, depth)) = rest.pop() {
        let below = |value| (value, depth + 1);
        match value {
            Value::Array(_) | Value::Object(_) if depth > most => return true,
            Value::Array(items) => rest.extend(items.iter().map(below)),
            Value::Object(members) => rest.extend(members.values().map(below)),
            _ => {}
        }
    }
    false
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
    subschemas: u64,
    chain: usize,
}

#[derive(Clone, Copy)]
enum Count {
    Counting,
    Counted(Counts),
}

struct Graph<'s> {
    schemas: Vec<At<'s>>,
    resources: HashMap<&'s str, Vec<At<'s>>>,
    anchors: HashMap<&'s str, Vec<At<'s>>>,
    counts: HashMap<*const Value, Count>,
}

impl<'s> Graph<'s> {
    fn of(root: &'s Value) -> Self {
        let mut graph = Self {
            schemas: Vec::new(),
            resources: HashMap::new(),
            anchors: HashMap::new(),
            counts: HashMap::new(),
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

    /// How many subschemas apply where this one applies, itself included.
    fn applied(&mut self, at: At<'s>, above: usize) -> Result<Counts, String> {
        let counted = match self.counts.get(&at.place()) {
            Some(Count::Counting) => {
                return Err("its references go in a circle without going into the value".into());
            }
            Some(Count::Counted(counts)) => Some(*counts),
            None => None,
        };
        if above + counted.map_or(0, |counts| counts.chain) > MAX_CHAIN {
            return Err(format!(
                "more than {MAX_CHAIN} of its references and unions follow on one another"
            ));
        }
        if let Some(counts) = counted {
            return Ok(counts);
        }
        self.counts.insert(at.place(), Count::Counting);
        let mut counts = Counts { subschemas: 1, chain: 0 };
        for next in in_place(at).into_iter().chain(self.targets(at)) {
            let below = self.applied(next, above + 1)?;
            counts.subschemas = counts.subschemas.saturating_add(below.subschemas);
            counts.chain = counts.chain.max(below.chain + 1);
        }
        self.counts.insert(at.place(), Count::Counted(counts));
        Ok(counts)
    }
}

/// The subschemas that apply to the same value.
fn in_place(at: At<'_>) -> Vec<At<'_>> {
    below(at, |subschemas| subschemas == Subschemas::InPlace)
}

/// The subschemas that apply to parts of the value, or to nothing until they are referred to.
fn parts(at: At<'_>) -> Vec<At<'_>> {
    below(at, |subschemas| subschemas != Subschemas::InPlace)
}

fn below<'s>(at: At<'s>, wanted: impl Fn(Subschemas) -> bool) -> Vec<At<'s>> {
    let mut found = Vec::new();
    subschemas(at.schema, "", |keyword, _, schema| {
        if schema.is_object() && wanted(keyword.subschemas) {
            found.push(at.child(schema));
        }
    });
    found
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
    use serde_json::{Map, json};
    use std::path::Path;

    #[test]
    fn a_circle_is_refused_only_where_it_never_goes_into_the_value() {
        let tree = json!({ "anyOf": [{ "type": "null" }, { "items": { "$ref": "#" } }] });
        assert_eq!(check_complexity(&tree), Ok(()));
        for circle in [
            json!({ "allOf": [{ "$ref": "#" }] }),
            json!({ "$defs": { "a": { "$anchor": "x", "not": { "$ref": "#x" } } } }),
            json!({ "$id": "https://example.com/a", "if": { "$dynamicRef": "a" } }),
            json!({ "$defs": { "a b": { "$ref": "#/$defs/a%20b" } } }),
        ] {
            assert!(check_complexity(&circle).unwrap_err().contains("circle"), "{circle}");
        }
    }

    #[test]
    fn a_long_chain_is_refused_without_following_it_to_its_end() {
        let link =
            |at: usize| (format!("l{at}"), json!({ "$ref": format!("#/$defs/l{}", at + 1) }));
        let defs: Map<_, _> = (0..100_000).map(link).collect();
        assert!(check_complexity(&json!({ "$defs": defs })).unwrap_err().contains("500"));
    }

    #[test]
    fn a_schema_nested_too_deep_for_the_compiler_is_refused() {
        let nested = |levels| {
            (0..levels)
                .fold(json!({}), |inner, _| Map::from_iter([("items".to_owned(), inner)]).into())
        };
        assert_eq!(check_complexity(&nested(MAX_DEPTH - 1)), Ok(()));
        assert!(crate::Options::default().compile(&nested(MAX_DEPTH - 1)).is_ok());
        assert!(check_complexity(&nested(1_000)).unwrap_err().contains("256 levels"));
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
                    assert_eq!(check_complexity(schema), Ok(()), "{}: {schema}", path.display());
                    checked += 1;
                }
            }
        }
        assert!(checked > 500, "{checked} schemas");
    }
}
