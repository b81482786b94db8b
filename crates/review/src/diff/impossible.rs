//! Schemas that no value fits, each at the place where it is written: the innermost one, for what stands around it is
//! impossible only because of it.

use super::Settings;
use super::dialect::Dialect;
use super::limits;
use serde_json::{Map, Value};
use std::collections::BTreeSet;
use std::time::Instant;
use toolcast_schema::keyword::subschemas;
use toolcast_schema::pointer::join;

/// A schema that no value fits.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Impossible {
    /// Its pointer in the document.
    pub(crate) pointer: String,
    /// Whether no value fits the document because of it.
    pub(crate) whole: bool,
}

/// Subschemas of one document that are asked about; each costs what the whole would.
const ASKED: usize = 400;

/// How deep schemas are looked into; no contract that was loaded is deeper.
const DEPTH: u32 = 256;

/// The name under which a part of a document knows the whole: `#` means the part itself there.
const WHOLE: &str = "__whole";

/// Every schema of a document that is proved to accept nothing, innermost ones only. What says so in one word (`false`,
/// `"not": {}`) is meant, and is told of only where it leaves nothing of the whole.
pub(crate) fn impossible(document: &Value) -> Vec<Impossible> {
    if limits::admit(document).is_err() {
        return Vec::new();
    }
    let mut places = Vec::new();
    gather(document, "", DEPTH, &mut places);
    places.truncate(ASKED);
    let patience = Settings::default().patience;
    let begun = Instant::now();
    let (root, asked) = (document.clone(), places.clone());
    let work = move || {
        let late = || begun.elapsed() > patience / 2;
        let mut found = BTreeSet::new();
        for pointer in asked {
            if late() {
                break;
            }
            if let Some(part) = part(&root, &pointer)
                && accepts_nothing(&part)
            {
                found.insert(pointer);
            }
        }
        found
    };
    let found = limits::bounded(patience, work).unwrap_or_default();
    let whole = found.contains("");
    let mut needed = Needed::default();
    if whole {
        needed.walk(document, &found);
    }
    let within = |pointer: &String| {
        let prefix = format!("{pointer}/");
        let part = document.pointer(pointer).map(named).unwrap_or_default();
        found.iter().any(|other| other.starts_with(&prefix))
            || part.iter().any(|name| found.contains(&join("/$defs", name)))
    };
    let innermost = found.iter().filter(|pointer| !pointer.is_empty() && !within(pointer));
    let mut told: Vec<Impossible> = innermost
        .map(|pointer| Impossible {
            pointer: pointer.clone(),
            whole: needed.places.contains(pointer),
        })
        .collect();
    if whole && !told.iter().any(|one| one.whole) {
        let pointer = needed.refused.into_iter().next().unwrap_or_default();
        told.push(Impossible { pointer, whole: true });
    }
    told
}

fn accepts_nothing(schema: &Value) -> bool {
    if !limits::suits_canonical(schema) {
        return false;
    }
    let dialect = Dialect { draft: jsonschema::Draft::Draft202012, formats: true };
    dialect.canonical(schema).is_ok_and(|canonical| {
        canonical.satisfiability() == jsonschema::canonical::Satisfiability::No
    })
}

/// The places worth asking about: the root, and schemas that say two things of one value. Below `not` and `if` a schema
/// that nothing fits is as good as any.
fn gather(schema: &Value, pointer: &str, depth: u32, places: &mut Vec<String>) {
    let (Value::Object(members), Some(depth)) = (schema, depth.checked_sub(1)) else { return };
    if pointer.is_empty() || may_exclude(members) {
        places.push(pointer.to_owned());
    }
    subschemas(schema, pointer, |keyword, below, child| {
        if !matches!(keyword.name, "not" | "if") {
            gather(child, &below, depth, places);
        }
    });
}

/// Whether a schema has keywords that may exclude each other.
fn may_exclude(members: &Map<String, Value>) -> bool {
    if members.len() == 1 && members.contains_key("not") {
        return false;
    }
    let says = |key: &str| members.contains_key(key);
    let both = |a: &str, b: &str| says(a) && says(b);
    let any =
        ["allOf", "oneOf", "anyOf", "not", "contains", "required", "minProperties", "then", "else"];
    any.iter().any(|key| says(key))
        || both("const", "enum")
        || (says("const") || says("enum")) && members.len() > 1
        || says("$ref") && members.len() > 1
        || members.get("enum").and_then(Value::as_array).is_some_and(Vec::is_empty)
        || ["minimum", "exclusiveMinimum"].iter().any(|key| says(key))
            && ["maximum", "exclusiveMaximum", "multipleOf", "type"].iter().any(|key| says(key))
        || both("minLength", "maxLength")
        || both("minItems", "maxItems")
        || both("minItems", "items")
        || both("minItems", "uniqueItems")
        || says("pattern") && (says("maxLength") || says("minLength") || says("format"))
}

/// One part of a document as a document of its own.
fn part(document: &Value, pointer: &str) -> Option<Value> {
    if pointer.is_empty() {
        return Some(document.clone());
    }
    let Value::Object(mut part) = document.pointer(pointer)?.clone() else { return None };
    let mut definitions = Map::new();
    let mut open = vec![Value::Object(part.clone())];
    while let Some(schema) = open.pop() {
        for name in named(&schema) {
            if definitions.contains_key(&name) {
                continue;
            }
            let definition = match name.as_str() {
                WHOLE => {
                    let mut whole = document.clone();
                    whole.as_object_mut()?.remove("$defs");
                    whole
                }
                name => document.get("$defs")?.get(name)?.clone(),
            };
            open.push(definition.clone());
            definitions.insert(name, definition);
        }
    }
    let mut definitions = Value::Object(definitions);
    for (_, definition) in definitions.as_object_mut()? {
        redirect(definition);
    }
    let mut whole = Value::Object(std::mem::take(&mut part));
    redirect(&mut whole);
    whole.as_object_mut()?.insert("$defs".to_owned(), definitions);
    Some(whole)
}

/// The definitions that a schema refers to by name.
fn named(schema: &Value) -> Vec<String> {
    let mut names = Vec::new();
    let mut open = vec![schema];
    while let Some(value) = open.pop() {
        match value {
            Value::Object(members) => {
                match members.get("$ref").and_then(Value::as_str) {
                    Some("#") => names.push(WHOLE.to_owned()),
                    Some(reference) => {
                        names.extend(reference.strip_prefix("#/$defs/").map(str::to_owned));
                    }
                    None => {}
                }
                open.extend(members.values());
            }
            Value::Array(items) => open.extend(items),
            _ => {}
        }
    }
    names
}

/// Makes references to the whole lead to where it is now.
fn redirect(schema: &mut Value) {
    match schema {
        Value::Object(members) => {
            if let Some(reference) = members.get_mut("$ref").filter(|to| *to == "#") {
                *reference = Value::from(format!("#/$defs/{WHOLE}"));
            }
            members.values_mut().for_each(redirect);
        }
        Value::Array(items) => items.iter_mut().for_each(redirect),
        _ => {}
    }
}

/// What every value of a document has to fit.
#[derive(Default)]
struct Needed {
    /// Pointers of the schemas.
    places: BTreeSet<String>,
    /// Where a member is both required and ruled out.
    refused: Vec<String>,
}

impl Needed {
    fn walk(&mut self, document: &Value, found: &BTreeSet<String>) {
        let mut open = vec![String::new()];
        while let Some(pointer) = open.pop() {
            let Some(Value::Object(schema)) = document.pointer(&pointer) else { continue };
            if !self.places.insert(pointer.clone()) {
                continue;
            }
            if let Some(target) = schema.get("$ref").and_then(Value::as_str) {
                open.extend(target.strip_prefix('#').map(str::to_owned));
            }
            let required = schema.get("required").and_then(Value::as_array).into_iter().flatten();
            for name in required.filter_map(Value::as_str) {
                let member = join(&join(&pointer, "properties"), name);
                match document.pointer(&member) {
                    Some(schema) if is_nothing(schema) => self.refused.push(member),
                    Some(_) => open.push(member),
                    None => self.refused.extend(closed(schema).then(|| join(&pointer, "required"))),
                }
            }
            let least = schema.get("minItems").and_then(Value::as_u64).unwrap_or(0);
            let prefix = schema.get("prefixItems").and_then(Value::as_array).map_or(0, Vec::len);
            let first = prefix.min(usize::try_from(least).unwrap_or(usize::MAX));
            open.extend((0..first).map(|at| format!("{pointer}/prefixItems/{at}")));
            if least > prefix as u64 {
                open.push(join(&pointer, "items"));
            }
            if schema.get("minContains").and_then(Value::as_u64) != Some(0) {
                open.push(join(&pointer, "contains"));
            }
            for keyword in ["allOf", "anyOf", "oneOf"] {
                let count = schema.get(keyword).and_then(Value::as_array).map_or(0, Vec::len);
                let mut branches = (0..count).map(|at| format!("{pointer}/{keyword}/{at}"));
                // One branch of a union that something fits is enough.
                let all =
                    keyword == "allOf" || branches.clone().all(|at| leads_to(document, &at, found));
                open.extend(branches.by_ref().filter(|_| all));
            }
        }
    }
}

/// Whether a schema says in one word that nothing fits it.
fn is_nothing(schema: &Value) -> bool {
    *schema == Value::Bool(false) || *schema == serde_json::json!({ "not": {} })
}

/// Whether an object has no members but the declared ones.
fn closed(schema: &Map<String, Value>) -> bool {
    schema.get("additionalProperties") == Some(&Value::Bool(false))
        && !schema.contains_key("patternProperties")
}

/// Whether a branch is impossible, itself or as a reference to what is.
fn leads_to(document: &Value, branch: &str, found: &BTreeSet<String>) -> bool {
    let target =
        document.pointer(branch).and_then(|schema| schema.get("$ref")?.as_str()?.strip_prefix('#'));
    found.contains(branch) || target.is_some_and(|target| found.contains(target))
}
