//! The plain subset: the schemas on which typify is right, so that it can be held against our own generator.

use serde_json::{Map, Value, json};

/// Whether a schema is in the plain subset: objects that declare members, arrays, scalars and string enums, without
/// references, unions, null, defaults, formats or maps.
pub fn is_plain(schema: &Value) -> bool {
    plain_below(schema, 0)
}

fn plain_below(schema: &Value, depth: usize) -> bool {
    let Some(schema) = schema.as_object().filter(|_| depth < 12) else { return false };
    let narrow = |key: &str| {
        matches!(key, "$schema" | "title" | "description" | "examples" | "minimum" | "maximum")
    };
    let only = |keys: &[&str]| schema.keys().all(|key| narrow(key) || keys.contains(&key.as_str()));
    match schema.get("type").and_then(Value::as_str) {
        Some("boolean" | "integer" | "number") => only(&["type"]),
        Some("string") => match schema.get("enum") {
            None => only(&["type", "minLength", "maxLength", "pattern"]),
            Some(Value::Array(values)) => {
                only(&["type", "enum"]) && !values.is_empty() && values.iter().all(Value::is_string)
            }
            Some(_) => false,
        },
        Some("array") => {
            only(&["type", "items", "minItems", "maxItems"])
                && schema.get("items").is_some_and(|items| plain_below(items, depth + 1))
        }
        Some("object") => {
            let Some(Value::Object(members)) = schema.get("properties") else { return false };
            let declared =
                |name: &Value| name.as_str().is_some_and(|name| members.contains_key(name));
            let required = match schema.get("required") {
                Some(Value::Array(names)) => names.iter().all(declared),
                other => other.is_none(),
            };
            only(&["type", "properties", "required", "additionalProperties"])
                && !members.is_empty()
                && required
                && schema.get("additionalProperties").is_none_or(|value| *value == json!(false))
                && members.values().all(|member| plain_below(member, depth + 1))
        }
        _ => false,
    }
}

/// The same schema without titles. Plain schemas are shallow.
pub fn untitled(schema: &Value) -> Value {
    without(schema, &["title", "$schema", "examples"])
}

/// The same schema without these keywords, however deep. Plain schemas are shallow.
pub fn without(schema: &Value, keywords: &[&str]) -> Value {
    let Value::Object(schema) = schema else { return schema.clone() };
    let mut kept = Map::new();
    for (key, value) in schema.iter().filter(|(key, _)| !keywords.contains(&key.as_str())) {
        let value = match (key.as_str(), value) {
            ("properties", Value::Object(members)) => members
                .iter()
                .map(|(name, schema)| (name.clone(), without(schema, keywords)))
                .collect::<Map<_, _>>()
                .into(),
            ("items", items) => without(items, keywords),
            _ => value.clone(),
        };
        kept.insert(key.clone(), value);
    }
    kept.into()
}
