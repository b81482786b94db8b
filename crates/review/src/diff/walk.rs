//! Where subschemas stand in a schema object: one table for every rewriting and counting walk, so that literal data
//! (`enum`, `const`, `default`, `examples`) is never mistaken for a schema.

use serde_json::{Map, Value};

/// Keywords whose value is an object of schemas.
const MAPS: &[&str] = &[
    "properties",
    "patternProperties",
    "$defs",
    "definitions",
    "dependentSchemas",
    "dependencies",
];
/// Keywords whose value is a list of schemas.
const LISTS: &[&str] = &["allOf", "anyOf", "oneOf", "prefixItems"];
/// Keywords whose value is a schema (`items` was once a list as well).
const SINGLES: &[&str] = &[
    "items",
    "additionalItems",
    "unevaluatedItems",
    "contains",
    "additionalProperties",
    "unevaluatedProperties",
    "propertyNames",
    "not",
    "if",
    "then",
    "else",
    "contentSchema",
];

/// Calls `visit` with each direct subschema and the keyword that it stands under.
pub(super) fn each_child<'a>(
    schema: &'a Map<String, Value>,
    mut visit: impl FnMut(&str, &'a Value),
) {
    for (keyword, value) in schema {
        match value {
            Value::Object(entries) if MAPS.contains(&keyword.as_str()) => {
                entries.values().filter(|entry| is_schema(entry)).for_each(|e| visit(keyword, e));
            }
            Value::Array(entries) if is_list(keyword) => {
                entries.iter().filter(|entry| is_schema(entry)).for_each(|e| visit(keyword, e));
            }
            value if SINGLES.contains(&keyword.as_str()) && is_schema(value) => {
                visit(keyword, value);
            }
            _ => {}
        }
    }
}

/// As [`each_child`], for rewriting.
pub(super) fn each_child_mut(
    schema: &mut Map<String, Value>,
    mut visit: impl FnMut(&str, &mut Value),
) {
    for (keyword, value) in schema {
        match value {
            Value::Object(entries) if MAPS.contains(&keyword.as_str()) => {
                let entries = entries.values_mut().filter(|entry| is_schema(entry));
                entries.for_each(|e| visit(keyword, e));
            }
            Value::Array(entries) if is_list(keyword) => {
                let entries = entries.iter_mut().filter(|entry| is_schema(entry));
                entries.for_each(|e| visit(keyword, e));
            }
            value if SINGLES.contains(&keyword.as_str()) && is_schema(value) => {
                visit(keyword, value);
            }
            _ => {}
        }
    }
}

fn is_list(keyword: &str) -> bool {
    LISTS.contains(&keyword) || keyword == "items"
}

fn is_schema(value: &Value) -> bool {
    matches!(value, Value::Object(_) | Value::Bool(_))
}
