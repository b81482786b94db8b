//! One spelling for what can be spelt several ways: remarks dropped, lists without order sorted, unions of one branch and
//! plain references replaced by what they hold. Documents that agree here accept the same values.

use super::document::Document;
use super::walk::each_child_mut;
use jsonschema::Draft;
use serde_json::{Map, Value};

/// Keywords that accept everything.
const REMARKS: &[&str] = &[
    "title",
    "description",
    "default",
    "examples",
    "deprecated",
    "readOnly",
    "writeOnly",
    "$comment",
];
/// Subschemas that inlining may write.
const INLINED: usize = 20_000;
const DEPTH: u32 = 96;

/// The document in one spelling; references stay.
pub(super) fn normal(schema: &Value, draft: Draft) -> Value {
    let mut schema = schema.clone();
    normalise(&mut schema, draft);
    schema
}

/// The document in one spelling without references, where it has no recursion and does not grow too large.
pub(super) fn inlined(document: Document<'_>) -> Option<Value> {
    let mut left = INLINED;
    let mut whole = inline(document, document.root, &mut Vec::new(), DEPTH, &mut left)?;
    if let Value::Object(root) = &mut whole {
        for keyword in ["$defs", "definitions", "$schema"] {
            root.shift_remove(keyword);
        }
    }
    normalise(&mut whole, document.draft);
    Some(whole)
}

fn inline(
    document: Document<'_>,
    schema: &Value,
    path: &mut Vec<String>,
    depth: u32,
    left: &mut usize,
) -> Option<Value> {
    let Value::Object(members) = schema else { return Some(schema.clone()) };
    let depth = depth.checked_sub(1)?;
    *left = left.checked_sub(1)?;
    if let Some(reference) = members.get("$ref").and_then(Value::as_str) {
        if path.iter().any(|active| active == reference) {
            return None;
        }
        let target = document.target(reference)?;
        path.push(reference.to_owned());
        let target = inline(document, target, path, depth, left);
        path.pop();
        let asserts = |keyword: &&String| {
            !REMARKS.contains(&keyword.as_str())
                && !["$ref", "$defs", "definitions", "$schema"].contains(&keyword.as_str())
        };
        if document.reads_siblings() && members.keys().any(|keyword| asserts(&keyword)) {
            return None;
        }
        return target;
    }
    let mut written = members.clone();
    let mut whole = true;
    // Definitions are read where they are named.
    for keyword in ["$defs", "definitions"] {
        written.shift_remove(keyword);
    }
    each_child_mut(&mut written, |_, child| match inline(document, child, path, depth, left) {
        Some(inlined) => *child = inlined,
        None => whole = false,
    });
    whole.then_some(Value::Object(written))
}

fn normalise(schema: &mut Value, draft: Draft) {
    let Value::Object(members) = schema else { return };
    each_child_mut(members, |_, child| normalise(child, draft));
    members.retain(|keyword, value| {
        !REMARKS.contains(&keyword.as_str()) && !says_nothing(keyword, value)
    });
    for keyword in ["required", "enum", "type"] {
        if let Some(Value::Array(list)) = members.get_mut(keyword) {
            sort(list);
        }
    }
    for keyword in ["allOf", "anyOf", "oneOf"] {
        if let Some(Value::Array(list)) = members.get_mut(keyword) {
            list.sort_by_cached_key(sorted_text);
            if keyword != "oneOf" {
                list.dedup();
            }
        }
    }
    single("type", "type", members);
    if draft != Draft::Draft4 {
        single("enum", "const", members);
    }
    // A union of one branch, alone, is that branch.
    if members.len() == 1
        && let Some((keyword, Value::Array(branches))) = members.iter().next()
        && ["allOf", "anyOf", "oneOf"].contains(&keyword.as_str())
        && branches.len() == 1
    {
        let branch = branches[0].clone();
        *schema = branch;
    } else if members.is_empty() {
        *schema = Value::Bool(true);
    }
}

fn says_nothing(keyword: &str, value: &Value) -> bool {
    match keyword {
        "required" => value.as_array().is_some_and(Vec::is_empty),
        "properties" | "patternProperties" | "dependentRequired" | "dependentSchemas" => {
            value.as_object().is_some_and(Map::is_empty)
        }
        "minLength" | "minItems" | "minProperties" => value == &Value::from(0),
        _ => false,
    }
}

fn single(from: &str, to: &str, members: &mut Map<String, Value>) {
    if let Some(Value::Array(list)) = members.get(from)
        && let [one] = list.as_slice()
        && (from == to || !members.contains_key(to))
    {
        let one = one.clone();
        members.shift_remove(from);
        members.insert(to.into(), one);
    }
}

fn sort(list: &mut Vec<Value>) {
    list.sort_by_cached_key(sorted_text);
    list.dedup();
}

/// The text of a value with members in order of name: equal for equal values.
fn sorted_text(value: &Value) -> String {
    fn write(value: &Value, text: &mut String) {
        match value {
            Value::Object(members) => {
                let mut names: Vec<&String> = members.keys().collect();
                names.sort_unstable();
                text.push('{');
                for name in names {
                    text.push_str(&Value::from(name.as_str()).to_string());
                    text.push(':');
                    write(&members[name], text);
                    text.push(',');
                }
                text.push('}');
            }
            Value::Array(items) => {
                text.push('[');
                for item in items {
                    write(item, text);
                    text.push(',');
                }
                text.push(']');
            }
            other => text.push_str(&other.to_string()),
        }
    }
    let mut text = String::new();
    write(value, &mut text);
    text
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn order_and_remarks_and_references_do_not_matter() {
        let left = json!({
            "$defs": {"id": {"type": ["string"], "title": "Id"}},
            "description": "One",
            "properties": {"a": {"$ref": "#/$defs/id"}, "default": {"const": {"title": 1}}},
            "required": ["b", "a"],
            "oneOf": [{"required": ["c"]}, {"required": ["b"]}]
        });
        let right = json!({
            "properties": {"default": {"enum": [{"title": 1}]}, "a": {"type": "string"}},
            "required": ["a", "b"],
            "oneOf": [{"required": ["b"]}, {"required": ["c"]}]
        });
        let read = |root| inlined(Document { root, draft: Draft::Draft202012 });
        assert_eq!(read(&left), read(&right));
        assert!(read(&left).is_some());
        let other = json!({"properties": {"a": {"type": "string"}}, "required": ["a", "b"]});
        assert_ne!(read(&left), read(&other));
        let recursive = json!({"properties": {"a": {"$ref": "#"}}});
        assert_eq!(read(&recursive), None);
    }
}
