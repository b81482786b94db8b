//! Pairs that are made to be hard: each ends within the stated patience, and none is called compatible.

use serde_json::{Map, Value, json};
use std::time::{Duration, Instant};
use toolcast_review::diff::{Settings, compare};

/// What a comparison may take; the thread that runs over is left behind.
const PATIENCE: Duration = Duration::from_secs(4);

fn ends(name: &str, old: Value, new: Value) {
    let settings = Settings { patience: PATIENCE, ..Settings::default() };
    let start = Instant::now();
    let comparison = compare(&old, &new, &settings);
    assert!(start.elapsed() < PATIENCE * 4, "{name} took {:?}", start.elapsed());
    assert!(!comparison.strict.is_compatible(), "{name}: {comparison:?}");
}

fn named(index: usize) -> Value {
    json!({
        "type": "object",
        "properties": {"kind": {"const": format!("k{index}")}},
        "required": ["kind"]
    })
}

fn union(keyword: &str, branches: usize) -> Value {
    json!({keyword: (0..branches).map(named).collect::<Vec<_>>()})
}

#[test]
fn unions_of_ten_thousand_branches() {
    for keyword in ["anyOf", "oneOf"] {
        ends(keyword, union(keyword, 10_000), union(keyword, 9_999));
    }
}

#[test]
fn products_of_unions() {
    let row = |required: &str| {
        let unions = (0..20).map(|row| {
            let branches = (0..10).map(|branch| {
                let name = format!("p{row}_{branch}");
                json!({"properties": {name.clone(): {"type": "string"}}, "required": [name]})
            });
            json!({"anyOf": branches.collect::<Vec<_>>()})
        });
        json!({"allOf": unions.collect::<Vec<_>>(), "required": [required]})
    };
    ends("product", row("p0_0"), row("other"));
}

#[test]
fn conditions_multiply() {
    let conditions = |kind: &str| {
        let all = (0..40).map(|index| {
            json!({
                "if": {"properties": {format!("a{index}"): {"const": 1}}},
                "then": {"required": [format!("b{index}")]},
                "else": {"properties": {format!("c{index}"): {"type": kind}}}
            })
        });
        json!({"allOf": all.collect::<Vec<_>>()})
    };
    ends("conditions", conditions("string"), conditions("integer"));
}

#[test]
fn references_that_double() {
    let doubling = |kind: &str, depth: usize| {
        let mut definitions = Map::new();
        for index in 0..depth {
            let next = json!({"$ref": format!("#/$defs/d{}", index + 1)});
            definitions.insert(format!("d{index}"), json!({"allOf": [next, next]}));
        }
        definitions.insert(format!("d{depth}"), json!({"type": kind}));
        json!({"$defs": definitions, "$ref": "#/$defs/d0"})
    };
    ends("doubling", doubling("string", 100), doubling("integer", 100));
}

#[test]
fn definitions_that_all_name_each_other() {
    let mutual = |kind: &str| {
        let definitions: Map<String, Value> = (0..40)
            .map(|index| {
                let mut members: Map<String, Value> = (0..40)
                    .map(|other| {
                        (format!("x{other}"), json!({"$ref": format!("#/$defs/d{other}")}))
                    })
                    .collect();
                members.insert("v".into(), json!({"type": kind}));
                (format!("d{index}"), json!({"type": "object", "properties": members}))
            })
            .collect();
        json!({"$defs": definitions, "$ref": "#/$defs/d0"})
    };
    ends("mutual", mutual("string"), mutual("integer"));
}

#[test]
fn deep_schemas() {
    let deep = |kind: &str, depth: usize| {
        (0..depth).fold(json!({"type": kind}), |inner, _| {
            // Moved, not written anew as `json!` would: that recurses.
            let members = Map::from_iter([("a".to_owned(), inner)]);
            Value::Object(Map::from_iter([("properties".to_owned(), Value::Object(members))]))
        })
    };
    ends("deep", deep("string", 120), deep("integer", 120));
    // Deeper than any JSON text that the parser takes, but a program may build it.
    ends("deeper", deep("string", 1_000), deep("integer", 1_000));
    let loops = json!({"$ref": "#"});
    let comparison = compare(&loops, &json!({"type": "string"}), &Settings::default());
    assert!(!comparison.strict.is_compatible());
}

#[test]
fn hostile_patterns() {
    let pattern = |pattern: &str| json!({"type": "string", "pattern": pattern});
    ends("backtracking", pattern("^(a+)+$"), pattern("^(a|aa)+b$"));
    ends("look-ahead", pattern("^(?=(a+)+b)"), pattern("^(?!x)(a+)+$"));
    ends("large", pattern("^a"), pattern("^(((a{1,100}){1,100}){1,100})$"));
}

#[test]
fn hostile_sizes() {
    let text = |least: u64| json!({"type": "string", "minLength": least});
    ends("long", text(4_000_000_000), text(4_000_000_001));
    let list = |least: u64| json!({"type": "array", "minItems": least, "uniqueItems": true});
    ends("many", list(100_000_000), list(100_000_001));
}
