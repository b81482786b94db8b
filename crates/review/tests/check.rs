//! What only a validator finds, and where it is said to stand.

use serde_json::{Map, Value, json};
use toolcast_contract::{Catalog, Limits, Sources};
use toolcast_review::check::check;

/// The findings on a contract, laid out over lines, as `line: message`.
fn findings(properties: &Value) -> Vec<String> {
    let contract = json!({"description": "D.", "type": "object", "properties": properties});
    let text = serde_json::to_vec_pretty(&contract).expect("a value has a text");
    let sources = Sources::from_files("schemas", [("t.json".into(), text)]);
    let (catalog, diagnostics) = Catalog::parse(&sources, &Limits::default());
    assert!(diagnostics.is_empty(), "{diagnostics:?}");
    let line = |found: &toolcast_contract::Diagnostic| found.position.map_or(0, |at| at.line);
    check(&catalog).iter().map(|found| format!("{}: {}", line(found), found.message)).collect()
}

#[test]
fn every_broken_pattern_is_told_where_it_stands_and_in_bounds() {
    let found = findings(&json!({
        "a": {"pattern": "\\p{Nope}"},
        "b": {"not": {"patternProperties": {"(?:a{999}){999}": true}}},
        "c": {"pattern": "^(?=.*[A-Z])\\w+$"},
        "d": {"pattern": "\\p{Nope}".repeat(3_000)},
        "e": {"pattern": "\u{1b}[2J]\\p{Nope}"},
    }));
    assert_eq!(found.len(), 4, "{found:?}");
    assert!(found[0].starts_with("6: `\\p{Nope}` is no regular expression"), "{found:?}");
    assert!(found[1].starts_with("11: `(?:a{999}){999}` is no regular expression"), "{found:?}");
    assert!(found.iter().all(|line| line.len() < 300 && !line.contains('\u{1b}')), "{found:?}");
}

#[test]
fn every_default_that_does_not_fit_is_told() {
    let found = findings(&json!({
        "a": {"type": "string", "format": "date", "default": "tomorrow"},
        "b": {"type": "string", "format": "date", "default": "2024-01-01"},
        "c": {"items": {"type": "string", "format": "email", "default": "me"}},
    }));
    assert_eq!(found.len(), 2, "{found:?}");
    assert!(found.iter().all(|line| line.contains("the default does not fit")), "{found:?}");
}

#[test]
fn defaults_are_looked_at_together() {
    let many: Map<_, _> = (0..4_000)
        .map(|at| (format!("p{at}"), json!({"type": "string", "minLength": 1, "default": "x"})))
        .collect();
    let started = std::time::Instant::now();
    assert_eq!(findings(&many.into()), Vec::<String>::new());
    assert!(started.elapsed().as_secs() < 20, "{:?}", started.elapsed());
}

#[test]
fn what_accepts_nothing_is_told_where_it_stands() {
    let told = |contract: Value| -> Vec<String> {
        let text = serde_json::to_vec_pretty(&contract).expect("a value has a text");
        let sources = Sources::from_files("schemas", [("t.json".into(), text)]);
        let (catalog, diagnostics) = Catalog::parse(&sources, &Limits::default());
        assert!(diagnostics.is_empty(), "{diagnostics:?}");
        let found = check(&catalog);
        assert!(found.iter().all(|found| found.rule == "accepts-nothing"), "{found:?}");
        let place = |found: &toolcast_contract::Diagnostic| found.position.map_or(0, |at| at.line);
        found.iter().map(|found| format!("{:?} {}", found.severity, place(found))).collect()
    };
    let contract = |properties: Value, required: &[&str]| json!({"description": "D.", "type": "object", "properties": properties, "required": required});
    let never = json!({"type": "string", "minLength": 5, "maxLength": 2});
    // A required member leaves nothing of the whole; an optional one only nothing of itself.
    assert_eq!(told(contract(json!({"a": true, "b": never}), &["b"])), ["Error 6"]);
    assert_eq!(told(contract(json!({"a": true, "b": never}), &["a"])), ["Warning 6"]);
    // The innermost place is told once, however much around it is impossible too.
    let deep = json!({"type": "object", "properties": {"c": never}, "required": ["c"]});
    assert_eq!(told(contract(json!({"a": deep}), &["a"])), ["Error 8"]);
    assert_eq!(told(contract(json!({"a": deep}), &[])), ["Warning 8"]);
    let list = json!({"type": "array", "items": never});
    assert_eq!(told(contract(json!({"a": list}), &["a"])), ["Warning 7"]);
    // Two closed objects beside each other: neither takes the other's required member.
    let part = |name: &str| json!({"type": "object", "properties": {name: true}, "required": [name], "additionalProperties": false});
    let both = json!({"allOf": [part("x"), part("y")]});
    assert_eq!(told(contract(json!({"a": both}), &["a"])), ["Error 5"]);
    // Required and ruled out: where the schema says so.
    assert_eq!(told(contract(json!({"a": true, "b": false}), &["b"])), ["Error 6"]);
    // What is meant is no mistake, and neither is what only a condition asks.
    assert_eq!(
        told(contract(json!({"a": false, "b": {"not": {}}, "c": {"not": never}}), &[])),
        [""; 0]
    );
    // A definition is told where it is written, not where it is used.
    let mut defined =
        contract(json!({"a": {"$ref": "#/$defs/N"}, "b": {"$ref": "#/$defs/N"}}), &["b"]);
    defined["$defs"] = json!({"N": {"const": 1, "type": "string"}});
    assert_eq!(told(defined), ["Error 16"]);
}
