//! Members that clients add to arguments of their own accord: left out where the application names them and the contract
//! does not declare them.

use super::repair::Repair;
use super::{Compiled, compile};
use serde_json::{Map, Value, json};

/// Schemas that are asked whether they declare a name.
const STEPS: usize = 10_000;

/// Leaves the named members out of arguments, and says which.
pub(crate) fn drop_members(
    names: &[String],
    input: &Compiled,
    arguments: &mut Value,
) -> Vec<Repair> {
    let Value::Object(members) = arguments else { return Vec::new() };
    let mut dropped = Vec::new();
    for name in names {
        if members.contains_key(name) && !declares(&input.value, name) {
            members.shift_remove(name);
            let pointer = format!("/{}", name.replace('~', "~0").replace('/', "~1"));
            dropped
                .push(Repair { pointer, action: "member that the application ignores left out" });
        }
    }
    dropped
}

/// Whether a schema, or a part of it that looks at the same value, speaks of a member by name or by a pattern. Where it
/// cannot be told it does: what a contract may declare is never dropped.
fn declares(root: &Value, name: &str) -> bool {
    let mut waiting = vec![root];
    for _ in 0..STEPS {
        let Some(next) = waiting.pop() else { return false };
        let Value::Object(schema) = next else { continue };
        let map = |keyword| schema.get(keyword).and_then(Value::as_object).into_iter().flatten();
        let required = schema.get("required").and_then(Value::as_array).into_iter().flatten();
        if map("properties").any(|(known, _)| known == name)
            || required.into_iter().any(|required| required == name)
            || map("patternProperties").any(|(pattern, _)| may_match(pattern, name))
            || schema.contains_key("$dynamicRef")
        {
            return true;
        }
        if let Some(reference) = schema.get("$ref") {
            match reference.as_str().and_then(|reference| reference.strip_prefix('#')) {
                Some(pointer) if !pointer.contains('%') => waiting.extend(root.pointer(pointer)),
                _ => return true,
            }
        }
        waiting.extend(parts(schema));
    }
    true
}

/// The subschemas that look at the same value.
fn parts(schema: &Map<String, Value>) -> impl Iterator<Item = &Value> {
    let lists = ["allOf", "anyOf", "oneOf"].into_iter().filter_map(|keyword| schema.get(keyword));
    let branches = lists.filter_map(Value::as_array).flatten();
    let dependent = schema.get("dependentSchemas").and_then(Value::as_object);
    let single = ["if", "then", "else"].into_iter().filter_map(|keyword| schema.get(keyword));
    branches.chain(dependent.into_iter().flat_map(Map::values)).chain(single)
}

fn may_match(pattern: &str, name: &str) -> bool {
    compile(&json!({ "pattern": pattern })).map_or(true, |matcher| matcher.is_valid(&json!(name)))
}
