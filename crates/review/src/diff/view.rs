//! The view of callers who send declared members only. It closes a schema: each object that has `properties` and says
//! nothing of further members takes no others.
//!
//! Members are declared by an object's own `properties` or by those of any schema that applies to the same value (`allOf`,
//! a branch, a condition, a reference), so closing never makes two parts of one object contradict each other. A member
//! that is required, demanded by another, or spelt in a literal is declared as well, and an object that must have more
//! members than are declared stays open: a view that no value fits would call every change compatible.

use super::document::{Dependency, Document, entries, length, names};
use super::scalars::literals;
use super::shape::KEYWORDS_OF_BRANCHES;
use jsonschema::Draft;
use serde_json::{Map, Value};
use std::collections::{BTreeMap, BTreeSet, HashSet};

/// Closed definitions that one document may grow by: names declared around a reference make a definition of its own.
const DEFINITIONS: usize = 512;
const DEPTH: u32 = 96;

/// What is known of the members of one value.
#[derive(Clone, Default, PartialEq, Eq, PartialOrd, Ord)]
struct Members {
    names: BTreeSet<String>,
    /// How many it must have at least, under some branch.
    least: usize,
}

impl Members {
    fn and(&self, other: &Self) -> Self {
        Self {
            names: self.names.union(&other.names).cloned().collect(),
            least: self.least.max(other.least),
        }
    }
}

/// The document with its objects closed. Acceptance only shrinks, but for `oneOf`, whose branches may overlap less.
pub(super) fn closed(root: &Value, draft: Draft) -> Value {
    let document = Document { root, draft };
    let mut closing = Closing { document, definitions: BTreeMap::new(), done: Map::new() };
    let mut whole = closing.value(root, DEPTH);
    if closing.done.is_empty() {
        return whole;
    }
    if let Value::Object(whole) = &mut whole {
        // Under the older drafts a root reference hides its siblings, but pointers still reach them.
        let definitions = whole.entry("$defs").or_insert_with(|| Value::Object(Map::new()));
        if let Value::Object(definitions) = definitions {
            definitions.extend(closing.done);
        }
    }
    whole
}

struct Closing<'a> {
    document: Document<'a>,
    /// What a reference became, by what it named and which names are declared around it.
    definitions: BTreeMap<(String, Members), String>,
    done: Map<String, Value>,
}

impl<'a> Closing<'a> {
    /// Closes the schema of a value of its own.
    fn value(&mut self, schema: &'a Value, depth: u32) -> Value {
        let names = declared(self.document, schema);
        self.part(schema, &names, depth)
    }

    /// Closes a schema that applies to a value whose declared members are `around`.
    fn part(&mut self, schema: &'a Value, around: &Members, depth: u32) -> Value {
        let Value::Object(written) = schema else { return schema.clone() };
        let Some(depth) = depth.checked_sub(1) else { return schema.clone() };
        let mut closed = written.clone();
        if let Some(reference) = self.document.reference(written) {
            if let Some(name) = self.reference(reference, around, depth) {
                closed.insert("$ref".into(), Value::String(name));
            }
            if !self.document.reads_siblings() {
                return Value::Object(closed);
            }
        }
        let mut branch = |branch: &'a Value| {
            let around = around.and(&declared(self.document, branch));
            self.part(branch, &around, depth)
        };
        for keyword in ["allOf", "anyOf", "oneOf"] {
            if let Some(Value::Array(branches)) = written.get(keyword) {
                let branches = branches.iter().map(&mut branch).collect();
                closed.insert(keyword.into(), Value::Array(branches));
            }
        }
        // A condition is a question, not a demand: closing it would change its answer.
        for keyword in ["then", "else"] {
            if let Some(schema) = written.get(keyword) {
                closed.insert(keyword.into(), branch(schema));
            }
        }
        for keyword in ["dependentSchemas", "dependencies"] {
            if let Some(Value::Object(dependencies)) = written.get(keyword) {
                let dependencies = dependencies.iter().map(|(name, demand)| {
                    let demand = if demand.is_array() { demand.clone() } else { branch(demand) };
                    (name.clone(), demand)
                });
                closed.insert(keyword.into(), Value::Object(dependencies.collect()));
            }
        }
        self.children(written, &mut closed, depth);
        self.close(written, &mut closed, around);
        Value::Object(closed)
    }

    fn children(
        &mut self,
        written: &'a Map<String, Value>,
        closed: &mut Map<String, Value>,
        depth: u32,
    ) {
        for keyword in ["properties", "patternProperties"] {
            if let Some(Value::Object(_)) = written.get(keyword) {
                let children = entries(written, keyword)
                    .map(|(name, child)| (name.clone(), self.value(child, depth)))
                    .collect();
                closed.insert(keyword.into(), Value::Object(children));
            }
        }
        for keyword in [
            "items",
            "prefixItems",
            "additionalItems",
            "unevaluatedItems",
            "contains",
            "additionalProperties",
            "unevaluatedProperties",
        ] {
            match written.get(keyword) {
                Some(Value::Array(items)) => {
                    let items = items.iter().map(|item| self.value(item, depth)).collect();
                    closed.insert(keyword.into(), Value::Array(items));
                }
                Some(child @ Value::Object(_)) => {
                    closed.insert(keyword.into(), self.value(child, depth));
                }
                _ => {}
            }
        }
    }

    fn close(
        &self,
        written: &Map<String, Value>,
        closed: &mut Map<String, Value>,
        around: &Members,
    ) {
        let speaks = ["additionalProperties", "unevaluatedProperties"];
        if !written.contains_key("properties") || speaks.iter().any(|k| written.contains_key(*k)) {
            return;
        }
        if around.least > around.names.len() {
            return;
        }
        if let Some(Value::Object(properties)) = closed.get_mut("properties") {
            for name in &around.names {
                properties.entry(name.clone()).or_insert(Value::Bool(true));
            }
        }
        closed.insert("additionalProperties".into(), Value::Bool(false));
    }

    /// The name of the closed definition that stands for a reference.
    fn reference(&mut self, reference: &str, around: &Members, depth: u32) -> Option<String> {
        let target = self.document.target(reference)?;
        let key = (reference.to_owned(), around.clone());
        if let Some(name) = self.definitions.get(&key) {
            return Some(format!("#/$defs/{name}"));
        }
        if self.definitions.len() >= DEFINITIONS {
            return None;
        }
        let name = format!("closed{}", self.definitions.len());
        if self.document.root.get("$defs").is_some_and(|all| all.get(&name).is_some()) {
            return None;
        }
        self.definitions.insert(key, name.clone());
        let closed = self.part(target, around, depth);
        self.done.insert(name.clone(), closed);
        Some(format!("#/$defs/{name}"))
    }
}

/// What schemas applying to the same value say of its members.
fn declared(document: Document<'_>, schema: &Value) -> Members {
    let mut found = Members::default();
    let mut seen = HashSet::new();
    let mut todo = vec![schema];
    while let Some(schema) = todo.pop() {
        let Value::Object(members) = schema else { continue };
        if seen.len() >= 4_096 || !seen.insert(std::ptr::from_ref(members)) {
            continue;
        }
        if let Some(reference) = document.reference(members) {
            todo.extend(document.target(reference));
            if !document.reads_siblings() {
                continue;
            }
        }
        found.least = found.least.max(length(members, "minProperties").unwrap_or(0));
        found.names.extend(entries(members, "properties").map(|(name, _)| name.clone()));
        found.names.extend(names(members, "required").into_iter().map(ToOwned::to_owned));
        let literals = literals(members).filter_map(Value::as_object);
        found.names.extend(literals.flat_map(Map::keys).cloned());
        if let Some(Value::Object(allowed)) = members.get("propertyNames") {
            let allowed = self::literals(allowed).filter_map(Value::as_str);
            found.names.extend(allowed.map(ToOwned::to_owned));
        }
        for keyword in KEYWORDS_OF_BRANCHES {
            if let Some(Value::Array(branches)) = members.get(*keyword) {
                todo.extend(branches);
            }
        }
        todo.extend(["if", "then", "else"].iter().filter_map(|word| members.get(*word)));
        for (name, dependency) in document.dependencies(members) {
            found.names.insert(name.to_owned());
            match dependency {
                Dependency::Names(names) => {
                    found.names.extend(names.into_iter().map(ToOwned::to_owned));
                }
                Dependency::Schema(schema) => todo.push(schema),
            }
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn close(schema: &Value) -> Value {
        closed(schema, Draft::Draft202012)
    }

    #[test]
    fn closes_objects_in_members_items_and_branches() {
        let schema = json!({
            "properties": {
                "open": {"properties": {"a": true}, "additionalProperties": true},
                "list": {"items": {"properties": {"b": true}}},
                "any": {"type": "object"}
            }
        });
        assert_eq!(
            close(&schema),
            json!({
                "properties": {
                    "open": {"properties": {"a": true}, "additionalProperties": true},
                    "list": {
                        "items": {"properties": {"b": true}, "additionalProperties": false}
                    },
                    "any": {"type": "object"}
                },
                "additionalProperties": false
            })
        );
    }

    #[test]
    fn parts_of_one_object_declare_for_each_other() {
        let schema = json!({
            "allOf": [{"properties": {"a": {"type": "string"}}}],
            "properties": {"kind": true},
            "oneOf": [{"properties": {"b": true}}, {"required": ["kind"]}]
        });
        assert_eq!(
            close(&schema),
            json!({
                "allOf": [{
                    "properties": {"a": {"type": "string"}, "b": true, "kind": true},
                    "additionalProperties": false
                }],
                "properties": {"kind": true, "a": true, "b": true},
                "oneOf": [
                    {
                        "properties": {"b": true, "a": true, "kind": true},
                        "additionalProperties": false
                    },
                    {"required": ["kind"]}
                ],
                "additionalProperties": false
            })
        );
    }

    #[test]
    fn recursion_ends() {
        let schema = json!({
            "$defs": {"node": {"properties": {"next": {"$ref": "#/$defs/node"}}}},
            "$ref": "#/$defs/node"
        });
        let closed = close(&schema);
        assert_eq!(closed["$ref"], json!("#/$defs/closed0"));
        let inner = &closed["$defs"]["closed0"];
        assert_eq!(inner["additionalProperties"], json!(false));
        assert_eq!(inner["properties"]["next"]["$ref"], json!("#/$defs/closed0"));
    }
}
