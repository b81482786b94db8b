//! Pairs of our own, each for one thing that a verdict must know.

use crate::validators::confirm;
use serde_json::{Value, json};
use toolcast_review::diff::{Comparison, Proof, Settings, Side, Verdict, Why, compare};

pub fn judged(old: &Value, new: &Value) -> Comparison {
    let comparison = compare(old, new, &Settings::default());
    for verdict in [&comparison.declared, &comparison.strict] {
        if let Some(witness) = verdict.witness() {
            confirm("fixture", old, new, &witness.value, true);
        }
    }
    comparison
}

pub fn word(verdict: &Verdict) -> String {
    match verdict {
        Verdict::Compatible(_) => "compatible".into(),
        Verdict::Breaking(witness) => format!("breaks on {}", witness.value),
        Verdict::Unproven(why) => format!("unproven: {why}"),
    }
}

#[track_caller]
pub fn strict(old: Value, new: Value, expected: &str) {
    assert_eq!(word(&judged(&old, &new).strict), expected, "{old} -> {new}");
}

#[test]
fn limits_move() {
    let text = |most: u64| json!({"type": "string", "maxLength": most});
    strict(text(5), text(6), "compatible");
    strict(text(3), text(2), "breaks on \"aaa\"");
    let page = |most: i64| json!({"type": "integer", "minimum": 1, "maximum": most});
    strict(page(100), page(50), "breaks on 100");
    strict(page(50), page(100), "compatible");
}

#[test]
fn literals_come_and_go() {
    strict(json!({"enum": ["a", "b"]}), json!({"enum": ["b", "c", "a"]}), "compatible");
    strict(json!({"enum": ["a", "b"]}), json!({"const": "a"}), "breaks on \"b\"");
    strict(json!({"enum": [1, 2.0]}), json!({"type": "integer"}), "compatible");
}

#[test]
fn a_proof_names_itself() {
    let old = json!({"type": "number", "multipleOf": 6});
    let new = json!({"type": "number", "multipleOf": 1.5});
    let verdict = judged(&old, &new).strict;
    let Verdict::Compatible(proof @ Proof::Structural(rules)) = verdict else {
        panic!("{verdict:?}");
    };
    let by = "the new limits and multiples hold at every point that stands for old numbers";
    assert_eq!(rules.sentences().collect::<Vec<_>>(), [by]);
    assert!(proof.to_string().ends_with(by), "{proof}");
    let same = json!({"anyOf": [{"type": "null"}, {"type": "string"}], "title": "Other"});
    let old = json!({"anyOf": [{"type": "string"}, {"type": "null"}]});
    assert_eq!(judged(&old, &same).strict, Verdict::Compatible(Proof::Identical));
    let wider = json!({"type": ["string", "null", "boolean"]});
    assert_eq!(judged(&old, &wider).strict, Verdict::Compatible(Proof::Canonical));
}

#[test]
fn recursion_through_the_root_is_compared() {
    let node = |extra: Value| {
        json!({
            "type": "object",
            "properties": {"name": extra, "next": {"$ref": "#"}},
            "required": ["name"]
        })
    };
    let (old, new) = (node(json!({"type": "string"})), node(json!({"type": ["string", "null"]})));
    strict(old.clone(), new.clone(), "compatible");
    assert!(judged(&new, &old).strict.is_breaking());
}

#[test]
fn declared_callers_do_not_send_what_nobody_declared() {
    let old = json!({"type": "object", "properties": {"q": {"type": "string"}}});
    let new = json!({
        "type": "object",
        "properties": {"q": {"type": "string"}, "limit": {"type": "integer"}}
    });
    let comparison = judged(&old, &new);
    assert!(comparison.declared.is_compatible(), "{comparison:?}");
    assert!(comparison.strict.is_breaking(), "{comparison:?}");
    assert_eq!(comparison.ignored, None);
}

#[test]
fn a_removed_parameter_is_ignored_in_silence() {
    let old = json!({
        "type": "object",
        "properties": {"q": {"type": "string"}, "page": {"type": "integer"}}
    });
    let new = json!({"type": "object", "properties": {"q": {"type": "string"}}});
    let comparison = judged(&old, &new);
    assert!(comparison.declared.is_compatible());
    let ignored = comparison.ignored.expect("`page` is ignored now");
    assert!(ignored.value.get("page").is_some(), "{ignored:?}");
    let mut closed = new.clone();
    closed["additionalProperties"] = json!(false);
    let comparison = judged(&old, &closed);
    assert!(comparison.declared.is_breaking());
    assert_eq!(comparison.ignored, None);
}

#[test]
fn branches_that_overlap_when_open_stay_the_same_schema() {
    let schema = json!({"oneOf": [{"properties": {"a": true}}, {"properties": {"b": true}}]});
    let comparison = judged(&schema, &schema);
    assert!(comparison.strict.is_compatible());
    assert!(comparison.declared.is_compatible());
}

#[test]
fn formats_are_asserted_as_at_run_time() {
    let old = json!({"type": "string"});
    let new = json!({"type": "string", "format": "date"});
    assert!(judged(&old, &new).strict.is_breaking());
    let remark = Settings { formats: false, ..Settings::default() };
    assert!(compare(&old, &new, &remark).strict.is_compatible());
}

#[test]
fn what_cannot_be_read_is_not_compatible() {
    let good = json!({"type": "string"});
    let bad = json!({"type": "strin"});
    match judged(&good, &bad).strict {
        Verdict::Unproven(Why::Invalid { side: Side::New, .. }) => {}
        other => panic!("{other:?}"),
    }
    let strange = json!({"$schema": "https://example.com/dialect", "type": "string"});
    assert_eq!(judged(&strange, &good).strict, Verdict::Unproven(Why::UnknownDialect));
    let elsewhere = json!({"$ref": "https://example.com/schema.json"});
    assert!(matches!(judged(&elsewhere, &good).strict, Verdict::Unproven(Why::Invalid { .. })));
    let four = json!({"$schema": "http://json-schema.org/draft-04/schema#"});
    let seven = json!({"$schema": "http://json-schema.org/draft-07/schema#"});
    assert!(matches!(judged(&four, &seven).strict, Verdict::Unproven(Why::Dialects { .. })));
}

#[test]
fn drafts_are_read_and_not_guessed() {
    // Each is right under an older draft, and neither says that it is written in one.
    for old in [json!({"items": [{"type": "string"}]}), json!({"exclusiveMinimum": true})] {
        let verdict = judged(&old, &old).strict;
        assert!(matches!(verdict, Verdict::Unproven(Why::Invalid { .. })), "{verdict:?}");
    }
    let seven = |mut schema: Value| {
        schema["$schema"] = json!("http://json-schema.org/draft-07/schema#");
        schema
    };
    // Each side is read under its own draft.
    let tuple = seven(json!({"items": [{"type": "string"}], "additionalItems": false}));
    let newer = json!({"prefixItems": [{"type": "string"}], "items": false});
    strict(tuple.clone(), newer.clone(), "compatible");
    strict(newer.clone(), tuple.clone(), "compatible");
    strict(tuple, json!({"prefixItems": [{"type": "integer"}]}), "breaks on [\"a\"]");
    // A remark beside a reference in one, a demand in the other.
    let beside = json!({
        "$defs": {"text": {"type": "string"}},
        "$ref": "#/$defs/text",
        "maxLength": 3
    });
    strict(seven(beside.clone()), beside.clone(), "breaks on \"aaaa\"");
    strict(beside.clone(), seven(beside), "compatible");
}

#[test]
fn a_witness_is_small_and_explained() {
    let old = json!({
        "type": "object",
        "properties": {
            "title": {"type": "string"},
            "labels": {"type": "array", "items": {"type": "string"}},
            "assignee": {"anyOf": [{"type": "string"}, {"type": "integer"}]}
        },
        "required": ["title"],
        "additionalProperties": false
    });
    let mut new = old.clone();
    new["properties"]["assignee"] = json!({"type": "string"});
    let comparison = judged(&old, &new);
    let witness = comparison.declared.witness().expect("an integer breaks it");
    let members = witness.value.as_object().expect("an object");
    assert_eq!(members.len(), 2, "{witness:?}");
    assert_eq!(witness.faults[0].at, "/assignee");
    assert_eq!(witness.faults[0].keyword, "type");
}
