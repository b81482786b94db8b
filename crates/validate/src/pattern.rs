//! Patterns as the engines take them: without halves of surrogate pairs, which ECMA 262 knows and Rust's text does not.

use crate::complexity::schemas;
use serde_json::{Map, Value, json};
use std::borrow::Cow;
use std::collections::HashSet;
use toolcast_schema::surrogate::without_surrogates;

/// The same schema, its patterns put so that an engine takes them.
///
/// # Errors
///
/// The pattern that cannot be put so, and why.
pub fn with_plain_patterns(schema: &Value) -> Result<Cow<'_, Value>, String> {
    if !holds_escape(schema) {
        return Ok(Cow::Borrowed(schema));
    }
    let places = schemas(schema);
    rewritten(schema, &places).map(Cow::Owned)
}

/// Whether a text anywhere could be a pattern with such an escape.
fn holds_escape(value: &Value) -> bool {
    match value {
        Value::String(text) => text.contains("\\u"),
        Value::Array(items) => items.iter().any(holds_escape),
        Value::Object(members) => {
            members.iter().any(|(name, value)| name.contains("\\u") || holds_escape(value))
        }
        _ => false,
    }
}

fn rewritten(value: &Value, places: &HashSet<*const Value>) -> Result<Value, String> {
    let is_schema = places.contains(&std::ptr::from_ref(value));
    Ok(match value {
        Value::Array(items) => {
            items.iter().map(|item| rewritten(item, places)).collect::<Result<_, _>>()?
        }
        Value::Object(members) => {
            let mut all = Map::new();
            for (name, value) in members {
                let value = match (is_schema, name.as_str(), value) {
                    (true, "pattern", Value::String(pattern)) => plain(pattern)?.into(),
                    (true, "patternProperties", Value::Object(patterns)) => {
                        patterned(patterns, places)?
                    }
                    _ => rewritten(value, places)?,
                };
                all.insert(name.clone(), value);
            }
            Value::Object(all)
        }
        other => other.clone(),
    })
}

/// The same entries; two patterns that become one hold both schemas.
fn patterned(
    patterns: &Map<String, Value>,
    places: &HashSet<*const Value>,
) -> Result<Value, String> {
    let mut all = Map::new();
    for (pattern, schema) in patterns {
        let (pattern, schema) = (plain(pattern)?.into_owned(), rewritten(schema, places)?);
        let schema = match all.remove(&pattern) {
            Some(other) => json!({ "allOf": [other, schema] }),
            None => schema,
        };
        all.insert(pattern, schema);
    }
    Ok(Value::Object(all))
}

fn plain(pattern: &str) -> Result<Cow<'_, str>, String> {
    without_surrogates(pattern).map_err(|fault| {
        let shown: String = pattern.chars().take(120).collect();
        let ellipsis = if shown.len() < pattern.len() { "..." } else { "" };
        format!(
            "the pattern `{shown}{ellipsis}` cannot be used: {} (character {}): {}",
            fault.what, fault.at, fault.help
        )
    })
}
