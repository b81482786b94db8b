//! Respells a document, without changing what it accepts, so that two versions can be compared: recursion through `#`
//! goes through `$defs`, a private `$id` is dropped, and `unevaluated*` becomes `additional*` where nothing else evaluates.
//!
//! Proofs and walks read the respelt document; validators are always given the one that was written.

use super::walk::each_child_mut;
use jsonschema::Draft;
use serde_json::{Map, Value};

/// The respelt document.
pub(super) fn prepare(document: &Value, draft: Draft) -> Value {
    let mut document = document.clone();
    let Value::Object(root) = &mut document else { return document };
    let mut facts = Facts::default();
    facts.gather(root, true);
    if facts.only_local && !facts.inner_id {
        root.shift_remove("$id");
        root.shift_remove("id");
    }
    drop_unread(&mut document, unread(draft));
    respell_unevaluated(&mut document);
    if facts.reads_root && facts.only_local && !facts.inner_id {
        document = through_definitions(document, draft);
    }
    document
}

/// Whether all references of a document are pointers into it, read from its root.
pub(super) fn is_plain(document: &Value) -> bool {
    let mut facts = Facts::default();
    let mut document = document.clone();
    if let Value::Object(root) = &mut document {
        facts.gather(root, true);
        return facts.only_local && !facts.inner_id;
    }
    true
}

/// Keywords that a draft does not know: an argument from one of them would be an argument from a comment.
fn unread(draft: Draft) -> &'static [&'static str] {
    const NEWER: &[&str] = &[
        "dependentRequired",
        "dependentSchemas",
        "minContains",
        "maxContains",
        "unevaluatedProperties",
        "unevaluatedItems",
        "prefixItems",
        "if",
        "const",
        "contains",
        "propertyNames",
    ];
    match draft {
        Draft::Draft4 => NEWER,
        Draft::Draft6 => &NEWER[..8],
        Draft::Draft7 => &NEWER[..7],
        Draft::Draft201909 => &NEWER[6..7],
        _ => &["additionalItems"],
    }
}

fn drop_unread(schema: &mut Value, keywords: &[&str]) {
    let Value::Object(schema) = schema else { return };
    schema.retain(|keyword, _| !keywords.contains(&keyword.as_str()));
    each_child_mut(schema, |_, child| drop_unread(child, keywords));
}

#[derive(Default)]
struct Facts {
    /// `#` itself, or a pointer to somewhere that is no definition.
    reads_root: bool,
    inner_id: bool,
    only_local: bool,
}

impl Facts {
    fn gather(&mut self, schema: &mut Map<String, Value>, root: bool) {
        if root {
            self.only_local = true;
        }
        if let Some(Value::String(reference)) = schema.get("$ref") {
            self.only_local &= reference == "#" || reference.starts_with("#/");
            self.reads_root |= !is_definition(reference);
        }
        self.only_local &= !["$dynamicRef", "$recursiveRef", "$anchor", "$dynamicAnchor"]
            .iter()
            .any(|keyword| schema.contains_key(*keyword));
        self.inner_id |=
            !root && (schema.contains_key("$id") || schema.get("id").is_some_and(Value::is_string));
        each_child_mut(schema, |_, child| {
            if let Value::Object(child) = child {
                self.gather(child, false);
            }
        });
    }
}

fn is_definition(reference: &str) -> bool {
    reference.starts_with("#/$defs/") || reference.starts_with("#/definitions/")
}

fn respell_unevaluated(schema: &mut Value) {
    let Value::Object(schema) = schema else { return };
    each_child_mut(schema, |_, child| respell_unevaluated(child));
    let applies = |keywords: &[&str]| keywords.iter().any(|keyword| schema.contains_key(*keyword));
    let branches =
        applies(&["$ref", "allOf", "anyOf", "oneOf", "if", "dependentSchemas", "$dynamicRef"]);
    if branches {
        return;
    }
    if !applies(&["additionalProperties"])
        && let Some(rest) = schema.shift_remove("unevaluatedProperties")
    {
        schema.insert("additionalProperties".into(), rest);
    }
    // `contains` evaluates what it matches.
    if !schema.contains_key("items")
        && !schema.contains_key("contains")
        && let Some(rest) = schema.shift_remove("unevaluatedItems")
    {
        schema.insert("items".into(), rest);
    }
}

fn through_definitions(mut document: Value, draft: Draft) -> Value {
    let keyword = match draft {
        Draft::Draft4 | Draft::Draft6 | Draft::Draft7 => "definitions",
        _ => "$defs",
    };
    let Value::Object(root) = &mut document else { return document };
    let schema = root.shift_remove("$schema");
    let mut outer = Map::new();
    outer.extend(schema.map(|schema| ("$schema".to_owned(), schema)));
    for word in ["$defs", "definitions"] {
        if let Some(definitions) = root.shift_remove(word) {
            outer.insert(word.into(), definitions);
        }
    }
    let taken =
        |name: &str| outer.get(keyword).is_some_and(|definitions| definitions.get(name).is_some());
    let mut name = "root".to_owned();
    while taken(&name) {
        name.push('_');
    }
    let place = format!("#/{keyword}/{name}");
    let definitions = outer.entry(keyword).or_insert_with(|| Value::Object(Map::new()));
    let Value::Object(definitions) = definitions else { return Value::Object(outer) };
    definitions.insert(name, document);
    outer.insert("$ref".into(), Value::String(place.clone()));
    let mut document = Value::Object(outer);
    redirect(&mut document, &place);
    document
}

fn redirect(schema: &mut Value, place: &str) {
    let Value::Object(schema) = schema else { return };
    if let Some(Value::String(reference)) = schema.get_mut("$ref")
        && !is_definition(reference)
    {
        *reference = format!("{place}{}", &reference[1..]);
    }
    each_child_mut(schema, |_, child| redirect(child, place));
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn recursion_through_the_root_goes_through_a_definition() {
        let document = json!({
            "$id": "https://example.com/node",
            "$defs": {"root": {"type": "string"}},
            "type": "object",
            "properties": {
                "next": {"$ref": "#"},
                "first": {"$ref": "#/properties/next"},
                "name": {"$ref": "#/$defs/root"}
            },
            "default": {"$ref": "#"}
        });
        assert_eq!(
            prepare(&document, Draft::Draft202012),
            json!({
                "$defs": {
                    "root": {"type": "string"},
                    "root_": {
                        "type": "object",
                        "properties": {
                            "next": {"$ref": "#/$defs/root_"},
                            "first": {"$ref": "#/$defs/root_/properties/next"},
                            "name": {"$ref": "#/$defs/root"}
                        },
                        "default": {"$ref": "#"}
                    }
                },
                "$ref": "#/$defs/root_"
            })
        );
    }

    #[test]
    fn unevaluated_is_respelt_only_where_nothing_else_evaluates() {
        let plain = json!({"properties": {"a": true}, "unevaluatedProperties": false});
        assert_eq!(
            prepare(&plain, Draft::Draft202012),
            json!({"properties": {"a": true}, "additionalProperties": false})
        );
        let kept = json!({"anyOf": [{"properties": {"a": true}}], "unevaluatedProperties": false});
        assert_eq!(prepare(&kept, Draft::Draft202012), kept);
        let kept = json!({"contains": true, "unevaluatedItems": false});
        assert_eq!(prepare(&kept, Draft::Draft202012), kept);
    }
}
