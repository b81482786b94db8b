//! References to anywhere: what a pointer, an anchor or an address names is what is compared, wherever it stands.

use crate::fixtures::{judged, strict};
use serde_json::{Value, json};

fn breaks(old: Value, new: Value) {
    let comparison = judged(&old, &new);
    assert!(comparison.strict.is_breaking(), "{old} -> {new}: {comparison:?}");
}

/// A member that is whatever stands at `pointer` of the rest of the schema.
fn pointing(mut schema: Value, pointer: &str) -> Value {
    schema["properties"]["it"] = json!({"$ref": pointer});
    schema
}

#[test]
fn a_pointer_into_a_remark_names_a_schema() {
    for (place, pointer) in
        [("default", "#/properties/other/default"), ("x-shared", "#/properties/other/x-shared")]
    {
        let with = |kind: &str| {
            pointing(json!({"properties": {"other": {place: {"type": kind}}}}), pointer)
        };
        breaks(with("string"), with("number"));
        strict(with("integer"), with("number"), "compatible");
    }
    let deep = |kind: &str| {
        let shared = json!({"components": {"schemas": {"Name": {"type": kind}}}});
        pointing(json!({"x-api": shared}), "#/x-api/components/schemas/Name")
    };
    breaks(deep("string"), deep("boolean"));
}

#[test]
fn a_pointer_to_a_branch_follows_the_order_of_branches() {
    for keyword in ["anyOf", "oneOf", "allOf"] {
        let branches = |branches: Value| {
            pointing(
                json!({"properties": {"either": {keyword: branches}}}),
                &format!("#/properties/either/{keyword}/0"),
            )
        };
        let (text, number) = (json!({"type": "string"}), json!({"type": "number"}));
        breaks(branches(json!([text, number])), branches(json!([number, text])));
    }
    let list = |types: Value, at: usize| {
        pointing(
            json!({"properties": {"any": {"anyOf": types}}}),
            &format!("#/properties/any/anyOf/{at}"),
        )
    };
    let (none, text) = (json!({"type": "null"}), json!({"type": "string"}));
    strict(list(json!([none, none, text]), 2), list(json!([none, text]), 1), "compatible");
}

#[test]
fn a_pointer_into_a_keyword_that_the_draft_does_not_read_names_a_schema() {
    let with = |draft: &str, keyword: &str, kind: &str| {
        let schema = json!({"$schema": draft, keyword: {"type": kind}});
        pointing(schema, &format!("#/{keyword}"))
    };
    for (draft, keyword) in [
        ("http://json-schema.org/draft-04/schema#", "contains"),
        ("http://json-schema.org/draft-06/schema#", "then"),
        ("https://json-schema.org/draft/2020-12/schema", "additionalItems"),
    ] {
        breaks(with(draft, keyword, "string"), with(draft, keyword, "integer"));
        strict(with(draft, keyword, "integer"), with(draft, keyword, "number"), "compatible");
    }
}

#[test]
fn embedded_documents_are_read_from_their_own_root() {
    let with = |inner: &str| {
        json!({
            "$id": "https://example.com/outer",
            "$defs": {"part": {"type": "string"}},
            "properties": {"p": {
                "$id": "inner",
                "$defs": {"part": {"type": inner}},
                "$ref": "#/$defs/part"
            }}
        })
    };
    breaks(with("integer"), with("string"));
    strict(with("integer"), with("number"), "compatible");
    let by_address = |kind: &str| {
        json!({
            "$id": "https://example.com/list",
            "$defs": {"entry": {"$id": "entry.json", "type": kind}},
            "items": {"$ref": "entry.json"}
        })
    };
    breaks(by_address("number"), by_address("integer"));
    strict(by_address("integer"), by_address("number"), "compatible");
}

#[test]
fn anchors_are_followed() {
    let with = |kind: &str| {
        json!({
            "$defs": {"a": {"$anchor": "name", "type": kind}},
            "properties": {"p": {"$ref": "#name"}}
        })
    };
    breaks(with("number"), with("integer"));
    strict(with("integer"), with("number"), "compatible");
    let seven = |kind: &str| {
        json!({
            "$schema": "http://json-schema.org/draft-07/schema#",
            "definitions": {"a": {"$id": "#name", "type": kind}},
            "items": {"$ref": "#name"}
        })
    };
    breaks(seven("number"), seven("integer"));
    strict(seven("integer"), seven("number"), "compatible");
}

#[test]
fn dynamic_references_reach_the_outermost_document() {
    let tree = json!({
        "$id": "tree",
        "$dynamicAnchor": "node",
        "type": "object",
        "properties": {"child": {"$dynamicRef": "#node"}}
    });
    let strict_tree = json!({
        "$id": "https://example.com/strict",
        "$dynamicAnchor": "node",
        "$defs": {"tree": tree},
        "$ref": "tree",
        "required": ["value"]
    });
    let child = json!({"properties": {"child": {"required": ["value"]}}});
    strict(strict_tree.clone(), child.clone(), "compatible");
    let mut loose = strict_tree.clone();
    loose.as_object_mut().expect("an object").remove("$dynamicAnchor");
    breaks(loose, child);
    let recursive = |anchored: bool| {
        json!({
            "$schema": "https://json-schema.org/draft/2019-09/schema",
            "$id": "https://example.com/outer",
            "$recursiveAnchor": anchored,
            "$defs": {"list": {
                "$id": "list",
                "$recursiveAnchor": true,
                "properties": {"next": {"$recursiveRef": "#"}}
            }},
            "$ref": "list",
            "required": ["value"]
        })
    };
    let next = json!({"properties": {"next": {"required": ["value"]}}});
    strict(recursive(true), next.clone(), "compatible");
    breaks(recursive(false), next);
}

#[test]
fn a_schema_that_names_its_own_parts_is_the_same_as_one_that_spells_them() {
    let shared = json!({
        "properties": {"a": {"type": "string", "minLength": 1}, "b": {"$ref": "#/properties/a"}}
    });
    let spelt = json!({
        "properties": {"a": {"type": "string", "minLength": 1}, "b": {"type": "string", "minLength": 1}}
    });
    strict(shared.clone(), spelt.clone(), "compatible");
    strict(spelt, shared, "compatible");
}
