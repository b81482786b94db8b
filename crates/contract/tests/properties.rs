//! What must hold of every input: no panic, the same answer for the same bytes and for members in another order, and
//! bundled schemas that stand on their own.

use camino::Utf8PathBuf;
use proptest::prelude::*;
use serde_json::{Map, Value, json};
use toolcast_contract::{Catalog, Limits, Severity, Sources};

fn parse(files: &[(&str, Vec<u8>)]) -> (Catalog, Vec<toolcast_contract::Diagnostic>) {
    let files = files.iter().map(|(path, bytes)| (Utf8PathBuf::from(*path), bytes.clone()));
    Catalog::parse(&Sources::from_files("schemas", files), &Limits::default())
}

/// A small JSON value, with names that keywords and pointers trip over.
fn value() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::Bool),
        any::<i64>().prop_map(Value::from),
        any::<f64>().prop_map(Value::from),
        Just(json!("string")),
        Just(json!("#/$defs/a")),
        ".{0,8}".prop_map(Value::from),
    ];
    leaf.prop_recursive(3, 24, 4, |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..4).prop_map(Value::Array),
            prop::collection::vec((name(), inner), 0..4)
                .prop_map(|members| Value::Object(members.into_iter().collect())),
        ]
    })
}

fn name() -> impl Strategy<Value = String> {
    prop_oneof![
        prop::sample::select(vec![
            "a",
            "b",
            "",
            "a/b",
            "~",
            "%41",
            "$ref",
            "type",
            "properties",
            "items",
            "$defs",
            "definitions",
            "$id",
            "$anchor",
            "$dynamicAnchor",
            "$dynamicRef",
            "$recursiveRef",
            "$recursiveAnchor",
            "dependencies",
            "default",
            "allOf",
            "anyOf",
            "x-tool",
            "required",
            "enum",
            "additionalItems",
            "exclusiveMinimum",
            "minimum",
            "description",
            "$schema",
            "prefixItems",
            "pattern",
            "format",
        ])
        .prop_map(str::to_owned),
        ".{0,6}",
    ]
}

/// A schema that is mostly well formed, with references between `a`, `b`, `c` and a file beside it.
fn schema() -> impl Strategy<Value = Value> {
    let reference = prop::sample::select(vec![
        "#",
        "#/$defs/a",
        "#/$defs/b",
        "#/definitions/c",
        "#/properties/p",
        "defs/other.json",
        "defs/other.json#/$defs/a",
        "tool.json",
        "#anchor",
        "inner",
        "inner#/$defs/a",
        "#/$defs/missing",
    ]);
    let leaf = prop_oneof![
        Just(json!(true)),
        Just(json!(false)),
        Just(json!({ "type": "string", "minLength": 1, "default": "x" })),
        Just(
            json!({ "type": ["integer", "null"], "minimum": 0, "exclusiveMinimum": true, "default": 3 })
        ),
        Just(json!({ "enum": [1, "a", null] })),
        Just(json!({ "$anchor": "anchor" })),
        Just(json!({ "$dynamicAnchor": "node", "type": "object" })),
        Just(json!({ "$dynamicRef": "#node" })),
        reference.prop_map(|reference| json!({ "$ref": reference, "description": "Beside." })),
    ];
    leaf.prop_recursive(4, 32, 4, |inner| {
        let several = prop::collection::vec(inner.clone(), 1..3);
        let named = prop::collection::vec(
            (prop::sample::select(vec!["p", "q", "a", "b", "c"]), inner.clone()),
            0..3,
        )
        .prop_map(|members| {
            Value::Object(
                members.into_iter().map(|(name, schema)| (name.to_owned(), schema)).collect(),
            )
        });
        prop_oneof![
            (named.clone(), named.clone()).prop_map(|(properties, defs)| {
                json!({ "type": "object", "properties": properties, "$defs": defs })
            }),
            (named.clone(), named).prop_map(|(definitions, dependencies)| {
                json!({ "$id": "inner", "definitions": definitions, "dependencies": dependencies })
            }),
            (several.clone(), inner.clone())
                .prop_map(|(items, rest)| json!({ "items": items, "additionalItems": rest })),
            several.clone().prop_map(|branches| json!({ "anyOf": branches })),
            several.prop_map(|branches| json!({ "allOf": branches })),
            inner.clone().prop_map(|schema| json!({ "not": schema })),
            inner.prop_map(|schema| json!({ "additionalProperties": schema })),
        ]
    })
}

fn contract(schema: Value) -> Value {
    let mut root = Map::new();
    root.insert("description".to_owned(), json!("Does a thing."));
    root.insert("type".to_owned(), json!("object"));
    root.insert("properties".to_owned(), json!({ "p": schema }));
    Value::Object(root)
}

/// The same value with the members of every object in the opposite order.
fn reversed(value: &Value) -> Value {
    match value {
        Value::Object(members) => Value::Object(
            members.iter().rev().map(|(name, value)| (name.clone(), reversed(value))).collect(),
        ),
        Value::Array(elements) => Value::Array(elements.iter().map(reversed).collect()),
        other => other.clone(),
    }
}

/// Every `$ref` under a keyword that takes schemas leads into the same document.
fn stands_alone(root: &Value) -> Result<(), String> {
    let mut pending = vec![root];
    while let Some(value) = pending.pop() {
        match value {
            Value::Object(members) => {
                for (name, inner) in members {
                    if name == "$ref" {
                        let Some(reference) = inner.as_str() else { continue };
                        let pointer =
                            reference.strip_prefix('#').ok_or(format!("{reference} in {root}"))?;
                        root.pointer(pointer).ok_or(format!("{reference} dangles in {root}"))?;
                    } else if matches!(
                        name.as_str(),
                        "$id" | "$anchor" | "$dynamicRef" | "definitions"
                    ) {
                        return Err(format!("{name} in {root}"));
                    } else if !matches!(name.as_str(), "default" | "enum" | "const" | "examples") {
                        pending.push(inner);
                    }
                }
            }
            Value::Array(elements) => pending.extend(elements),
            _ => {}
        }
    }
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 400, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn bytes_never_panic(bytes in prop::collection::vec(any::<u8>(), 0..200), text in "[\\[\\]{}\",:0-9a-z\\\\ ]{0,80}") {
        parse(&[("tool.json", bytes)]);
        parse(&[("tool.json", text.into_bytes())]);
    }

    #[test]
    fn values_never_panic(root in value(), other in value(), tool in value()) {
        let mut whole = contract(root.clone());
        whole["x-tool"] = tool;
        parse(&[
            ("tool.json", whole.to_string().into_bytes()),
            ("root.json", root.to_string().into_bytes()),
            ("defs/other.json", other.to_string().into_bytes()),
        ]);
    }

    #[test]
    fn bundles_stand_alone(root in schema(), other in schema()) {
        let (catalog, diagnostics) = parse(&[
            ("tool.json", contract(root).to_string().into_bytes()),
            ("defs/other.json", other.to_string().into_bytes()),
        ]);
        for contract in &catalog.contracts {
            stands_alone(&contract.input).map_err(TestCaseError::fail)?;
        }
        let errors = diagnostics.iter().any(|d| d.severity == Severity::Error);
        prop_assert!(!catalog.contracts.is_empty() || errors, "left out without a reason");
    }

    #[test]
    fn bundling_twice_changes_nothing(root in schema()) {
        let (catalog, _) = parse(&[("tool.json", contract(root).to_string().into_bytes())]);
        for contract in &catalog.contracts {
            let mut again = contract.input.clone();
            again["description"] = json!(contract.description);
            let (second, diagnostics) = parse(&[("tool.json", again.to_string().into_bytes())]);
            let errors: Vec<String> =
                diagnostics.iter().filter(|d| d.severity == Severity::Error).map(ToString::to_string).collect();
            prop_assert!(errors.is_empty(), "{errors:?}");
            prop_assert_eq!(&second.contracts[0].input, &contract.input);
        }
    }

    #[test]
    fn order_of_members_does_not_matter(root in schema(), other in schema()) {
        let (one, two) = (contract(root), other);
        let (forwards, first) = parse(&[
            ("tool.json", one.to_string().into_bytes()),
            ("defs/other.json", two.to_string().into_bytes()),
        ]);
        let (backwards, second) = parse(&[
            ("tool.json", reversed(&one).to_string().into_bytes()),
            ("defs/other.json", reversed(&two).to_string().into_bytes()),
        ]);
        prop_assert_eq!(forwards.contracts.len(), backwards.contracts.len());
        let mut first: Vec<&str> = first.iter().map(|d| d.rule).collect();
        let mut second: Vec<&str> = second.iter().map(|d| d.rule).collect();
        first.sort_unstable();
        second.sort_unstable();
        first.dedup();
        second.dedup();
        let claimed_twice = |rules: &[&str]| rules.contains(&"id-used-twice");
        if claimed_twice(&first) && claimed_twice(&second) {
            // Whichever stands first is taken for the one that references mean; what else is found follows from it.
            return Ok(());
        }
        prop_assert_eq!(first, second);
    }
}
