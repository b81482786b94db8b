//! The view of callers who send declared members: it closes objects, and is never empty for it.

use crate::fixtures::judged;
use serde_json::{Value, json};

#[track_caller]
fn declared(old: Value, new: Value, compatible: bool) {
    let comparison = judged(&old, &new);
    let verdict = &comparison.declared;
    assert_eq!(verdict.is_compatible(), compatible, "{old} -> {new}: {comparison:?}");
    assert_eq!(verdict.is_breaking(), !compatible, "{old} -> {new}: {comparison:?}");
}

/// `name` was a string; each `rest` asks for a member that nobody declares.
fn with(kind: &str, rest: Value) -> Value {
    let mut schema = json!({"type": "object", "properties": {"name": {"type": kind}}});
    let (Value::Object(all), Value::Object(rest)) = (&mut schema, rest) else {
        unreachable!("both are objects")
    };
    all.extend(rest);
    schema
}

#[test]
fn a_member_that_must_be_there_is_declared() {
    for rest in [
        json!({"required": ["name", "token"]}),
        json!({"required": ["name"], "minProperties": 2}),
        json!({"required": ["name"], "dependentRequired": {"name": ["token"]}}),
        json!({"required": ["name"], "dependentSchemas": {"name": {"required": ["token"]}}}),
        json!({"allOf": [{"required": ["token", "name"]}]}),
        json!({"required": ["name"], "if": {"required": ["name"]}, "then": {"required": ["token"]}}),
        json!({"anyOf": [{"required": ["token"]}, {"required": ["key"]}], "required": ["name"]}),
        json!({"required": ["name"], "allOf": [{"minProperties": 3}]}),
    ] {
        declared(with("string", rest.clone()), with("integer", rest.clone()), false);
        let nest = |schema: Value| json!({"properties": {"inner": schema}, "required": ["inner"]});
        let (old, new) = (with("string", rest.clone()), with("integer", rest.clone()));
        declared(nest(old), nest(new), false);
        let each = |schema: Value| json!({"type": "array", "items": schema});
        let (old, new) = (with("string", rest.clone()), with("integer", rest));
        declared(each(old), each(new), false);
    }
}

#[test]
fn a_literal_declares_its_members() {
    let old = json!({
        "type": "object",
        "properties": {"kind": {"type": "string"}},
        "enum": [{"kind": "a", "size": 1}, {"kind": "b", "size": 2}]
    });
    let mut new = old.clone();
    new["enum"] = json!([{"kind": "a", "size": 1}]);
    declared(old, new, false);
}

#[test]
fn what_may_be_demanded_is_sent() {
    let old = json!({
        "properties": {"query": {"type": "string"}},
        "anyOf": [{"required": ["query"]}, {"required": ["cursor"]}]
    });
    let new = json!({"properties": {"query": {"type": "string"}}, "required": ["query"]});
    declared(old, new, false);
}

#[test]
fn objects_are_closed_wherever_they_stand() {
    let plain = json!({"type": "object", "properties": {"a": {"type": "string"}}});
    let wider = json!({
        "type": "object",
        "properties": {"a": {"type": "string"}, "b": {"type": "string"}}
    });
    for place in [
        json!({"if": {"required": ["k"]}, "then": {"properties": {"u": "HERE"}}}),
        json!({"if": {"required": ["k"]}, "else": {"properties": {"u": "HERE"}}}),
        json!({"dependentSchemas": {"k": {"properties": {"u": "HERE"}}}}),
        json!({"properties": {"u": {"type": "array", "contains": "HERE"}}}),
        json!({"properties": {"u": {"type": "array", "prefixItems": ["HERE"]}}}),
        json!({"additionalProperties": "HERE"}),
        json!({"patternProperties": {"^u": "HERE"}}),
        json!({"properties": {"u": {"anyOf": ["HERE", {"type": "null"}]}}}),
        json!({"$defs": {"d": "HERE"}, "properties": {"u": {"$ref": "#/$defs/d"}}}),
    ] {
        declared(filled(&place, &plain), filled(&place, &wider), true);
        let other = json!({"type": "object", "properties": {"a": {"type": "integer"}}});
        declared(filled(&place, &plain), filled(&place, &other), false);
    }
}

fn filled(place: &Value, schema: &Value) -> Value {
    match place {
        Value::String(text) if text == "HERE" => schema.clone(),
        Value::Array(items) => items.iter().map(|item| filled(item, schema)).collect(),
        Value::Object(members) => Value::Object(
            members.iter().map(|(name, value)| (name.clone(), filled(value, schema))).collect(),
        ),
        other => other.clone(),
    }
}

#[test]
fn a_condition_is_a_question_and_stays_open() {
    let schema = |extra: Value| {
        json!({
            "properties": {"mode": {"enum": ["fast", "slow"]}, "limit": {"type": "integer"}},
            "if": {"properties": {"mode": {"const": "fast"}}, "required": ["mode"]},
            "then": extra
        })
    };
    declared(schema(json!({})), schema(json!({"required": ["limit"]})), false);
    declared(schema(json!({"required": ["limit"]})), schema(json!({})), true);
}
