//! Gemini's `parameters` are a dialect of OpenAPI 3.0: upper-case types, `nullable`, numbers as strings. Here they become
//! JSON Schema that accepts the same values.

use serde_json::{Map, Number, Value};
use toolcast_schema::keyword::{Form, keyword};

/// The schema in JSON Schema's words. Its depth is the text's, which the parser has bounded.
pub(super) fn translated(schema: &Value) -> Value {
    let Value::Object(members) = schema else { return schema.clone() };
    let mut out = Map::new();
    let nullable = members.get("nullable") == Some(&Value::Bool(true));
    for (name, value) in members {
        match (name.as_str(), value) {
            // Without these it is written in JSON Schema's words later, as for every other form.
            ("nullable", Value::Bool(_))
                if ["type", "anyOf", "any_of"].iter().any(|name| members.contains_key(*name)) => {}
            ("type", Value::String(kind)) if kind == "TYPE_UNSPECIFIED" => {}
            ("type", Value::String(kind)) => {
                let kind = Value::String(kind.to_ascii_lowercase());
                let kind =
                    if nullable { Value::Array(vec![kind, Value::from("null")]) } else { kind };
                out.insert(name.clone(), kind);
            }
            ("enum", Value::Array(values)) if nullable && !values.contains(&Value::Null) => {
                let mut values = values.clone();
                values.push(Value::Null);
                out.insert(name.clone(), Value::Array(values));
            }
            // `enum` says it already.
            ("format", Value::String(format)) if format == "enum" => {}
            ("example", value) => {
                out.insert("examples".to_owned(), Value::Array(vec![value.clone()]));
            }
            ("propertyOrdering" | "property_ordering", Value::Array(_)) => {}
            ("properties", Value::Object(properties)) => {
                out.insert(name.clone(), Value::Object(ordered(members, properties)));
            }
            ("anyOf" | "any_of", Value::Array(branches)) => {
                let mut branches: Vec<Value> = branches.iter().map(translated).collect();
                if nullable && !members.contains_key("type") {
                    branches.push(serde_json::json!({ "type": "null" }));
                }
                out.insert("anyOf".to_owned(), Value::Array(branches));
            }
            _ => {
                let name = camel(name);
                let value = match keyword(&name).map(|row| row.form) {
                    Some(Form::Schema | Form::SchemaOrSchemas) => translated(value),
                    Some(Form::Count) => number(value),
                    Some(Form::SchemaMap) => match value {
                        Value::Object(entries) => entries
                            .iter()
                            .map(|(key, entry)| (key.clone(), translated(entry)))
                            .collect(),
                        other => other.clone(),
                    },
                    _ => value.clone(),
                };
                out.insert(name, value);
            }
        }
    }
    Value::Object(out)
}

/// The properties in the order that `propertyOrdering` asks for, the others after.
fn ordered(members: &Map<String, Value>, properties: &Map<String, Value>) -> Map<String, Value> {
    let order = members.get("propertyOrdering").or_else(|| members.get("property_ordering"));
    let order = order.and_then(Value::as_array).map(Vec::as_slice).unwrap_or_default();
    let first =
        order.iter().filter_map(Value::as_str).filter_map(|name| properties.get_key_value(name));
    let mut out: Map<String, Value> =
        first.map(|(name, schema)| (name.clone(), translated(schema))).collect();
    for (name, schema) in properties {
        if !out.contains_key(name) {
            out.insert(name.clone(), translated(schema));
        }
    }
    out
}

/// Python's client writes `min_length` where the wire has `minLength`.
fn camel(name: &str) -> String {
    let mut parts = name.split('_');
    let first = parts.next().unwrap_or("").to_owned();
    let camel = parts.fold(first, |mut camel, part| {
        let mut letters = part.chars();
        camel.extend(letters.next().map(|letter| letter.to_ascii_uppercase()));
        camel.push_str(letters.as_str());
        camel
    });
    if keyword(&camel).is_some() { camel } else { name.to_owned() }
}

/// Protocol buffers write 64-bit numbers as strings.
fn number(value: &Value) -> Value {
    match value.as_str().and_then(|text| text.parse::<u64>().ok()) {
        Some(number) => Value::Number(Number::from(number)),
        None => value.clone(),
    }
}
