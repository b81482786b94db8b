//! What models read about invalid input: every fault, ordered, masked, bounded, the same each time.

mod support;

use serde_json::{Value, json};
use support::bind;
use toolcast::{Definition, Invocation, Outcome, Tool};

async fn refused(schema: Value, arguments: Value) -> Outcome {
    let definition = Definition::new("t", "Takes arguments.").input(schema);
    let registry = bind([Tool::define(definition, |_: Value| "accepted").unwrap()]).await;
    registry.execute("t", arguments, Invocation::new()).await.unwrap()
}

/// Code, pointer and message of each fault, for one property `x`.
async fn faults(schema: Value, value: Value) -> Vec<String> {
    let schema =
        json!({ "type": "object", "properties": { "x": schema }, "additionalProperties": false });
    let outcome = refused(schema, json!({ "x": value })).await;
    let faults = outcome.faults().iter();
    faults.map(|fault| format!("{} {}: {}", fault.code, fault.pointer, fault.message)).collect()
}

#[tokio::test]
async fn each_keyword_has_its_words() {
    let cases = [
        (json!({ "type": "integer" }), json!("7"), "type /x: expected an integer, got \"7\""),
        (
            json!({ "type": ["string", "null"] }),
            json!(1),
            "type /x: expected a string or null, got 1",
        ),
        (
            json!({ "enum": ["open", "closed"] }),
            json!("opne"),
            "enum /x: expected one of \"open\", \"closed\", got \"opne\"; did you mean \"open\"?",
        ),
        (json!({ "const": 5 }), json!(6), "const /x: expected 5, got 6"),
        (json!({ "minimum": 1 }), json!(0), "minimum /x: expected at least 1, got 0"),
        (
            json!({ "exclusiveMaximum": 1.5 }),
            json!(2),
            "exclusiveMaximum /x: expected less than 1.5, got 2",
        ),
        (json!({ "multipleOf": 5 }), json!(6), "multipleOf /x: expected a multiple of 5, got 6"),
        (
            json!({ "minLength": 3 }),
            json!("ab"),
            "minLength /x: expected at least 3 characters, got 2",
        ),
        (
            json!({ "maxLength": 1 }),
            json!("äb"),
            "maxLength /x: expected at most 1 character, got 2",
        ),
        (
            json!({ "pattern": "^SUP-[0-9]+$" }),
            json!("481"),
            "pattern /x: expected text that matches `^SUP-[0-9]+$`, got \"481\"",
        ),
        (
            json!({ "format": "date" }),
            json!("tomorrow"),
            "format /x: expected a valid date, got \"tomorrow\"",
        ),
        (json!({ "minItems": 2 }), json!([1]), "minItems /x: expected at least 2 items, got 1"),
        (
            json!({ "uniqueItems": true }),
            json!([1, 1.0]),
            "uniqueItems /x: expected items that all differ, got some twice",
        ),
        (
            json!({ "items": { "type": "string" } }),
            json!(["a", 1]),
            "type /x/1: expected a string, got 1",
        ),
        (
            json!({ "prefixItems": [{}], "items": false }),
            json!([1, 2]),
            "items /x: expected at most 1 item, got 2",
        ),
        (
            json!({ "contains": { "type": "string" } }),
            json!([1]),
            "contains /x: expected at least 1 matching items (a string), got 0",
        ),
        (
            json!({ "minProperties": 1 }),
            json!({}),
            "minProperties /x: expected 1 or more properties, got 0",
        ),
        (
            json!({ "propertyNames": { "maxLength": 1 } }),
            json!({ "ab": 1 }),
            "propertyNames /x/ab: this name is not allowed: expected at most 1 character, got 2",
        ),
        (
            json!({ "dependentRequired": { "a": ["b"] } }),
            json!({ "a": 1 }),
            "required /x/b: missing beside `a`",
        ),
        (
            json!({ "not": { "type": "string" } }),
            json!("a"),
            "not /x: the value is one that is excluded: a string",
        ),
        (
            json!({ "if": { "type": "string" }, "then": { "minLength": 2 } }),
            json!("a"),
            "minLength /x: expected at least 2 characters, got 1",
        ),
        (json!(false), json!(1), "false /x: no value is allowed here"),
        (
            json!({ "unevaluatedProperties": false }),
            json!({ "a": 1 }),
            "unevaluatedProperties /x/a: unknown property; there are none here",
        ),
    ];
    for (schema, value, expected) in cases {
        assert_eq!(faults(schema.clone(), value).await, [expected], "{schema}");
    }
}

#[tokio::test]
async fn unions_tell_of_the_branch_that_came_closest() {
    let tagged = json!({ "oneOf": [
        { "type": "object", "title": "User", "properties": { "kind": { "const": "user" }, "id": { "type": "integer" } }, "required": ["kind", "id"] },
        { "type": "object", "title": "Team", "properties": { "kind": { "const": "team" }, "name": { "type": "string" } }, "required": ["kind", "name"] },
    ] });
    assert_eq!(
        faults(tagged.clone(), json!({ "kind": "team" })).await,
        ["required /x/name: missing; expected a string (closest: `Team`)"]
    );
    assert_eq!(
        faults(tagged, json!({ "kind": "group" })).await,
        ["enum /x/kind: expected one of \"user\", \"team\", got \"group\""]
    );
    let by_type =
        json!({ "anyOf": [{ "type": "string" }, { "type": "integer" }, { "type": "null" }] });
    assert_eq!(
        faults(by_type, json!(true)).await,
        ["type /x: expected a string, an integer or null, got true"]
    );
    let nullable = json!({ "anyOf": [{ "type": "integer", "minimum": 1 }, { "type": "null" }] });
    assert_eq!(
        faults(nullable, json!(0)).await,
        ["minimum /x: expected at least 1, got 0 (closest: alternative 1 of 2)"]
    );
    let several = json!({ "oneOf": [{ "type": "integer" }, { "type": "number" }] });
    assert_eq!(
        faults(several, json!(1)).await,
        ["oneOf /x: the value fits 2 alternatives where exactly one is wanted"]
    );
}

#[tokio::test]
async fn a_missing_tag_is_answered_with_every_tag() {
    let branch = |tag: Value, required: &[&str]| json!({ "type": "object", "properties": { "op": tag, "line": { "type": "integer" } }, "required": required });
    let edit = json!({ "anyOf": [
        branch(json!({ "const": "insert" }), &["op", "line"]),
        branch(json!({ "const": "delete" }), &["op"]),
        branch(json!({ "enum": ["noop", "skip"] }), &["op"]),
    ] });
    let tags = "missing; expected one of \"insert\", \"delete\", \"noop\", \"skip\"";
    assert_eq!(faults(edit, json!({ "f": 1 })).await, [format!("required /x/op: {tags}")]);

    // Branches for other types, tags behind references, and unions within unions do not hide it.
    let mixed = json!({ "type": "object", "properties": { "x": { "oneOf": [
        { "type": "null" },
        { "type": "string" },
        { "$ref": "#/$defs/user" },
        { "oneOf": [branch(json!({ "$ref": "#/$defs/tag" }), &["op"]), branch(json!({ "const": 2 }), &["op"])] },
    ] } }, "$defs": {
        "user": branch(json!({ "const": "user" }), &["op"]),
        "tag": { "const": "team" },
    } });
    let outcome = refused(mixed, json!({ "x": { "line": 1 } })).await;
    assert_eq!(
        outcome.text(),
        "Invalid arguments for `t`: 1 fault.\n\
         - /x/op: missing; expected one of \"user\", \"team\", 2"
    );

    // What every branch lacks besides its tag is told at once.
    let both = json!({ "oneOf": [
        branch(json!({ "const": "a" }), &["op", "line"]),
        branch(json!({ "const": "b" }), &["op", "line"]),
    ] });
    assert_eq!(
        faults(both.clone(), json!({})).await,
        [
            "required /x/line: missing; expected an integer",
            "required /x/op: missing; expected one of \"a\", \"b\"",
        ]
    );
    // A tag that is there chooses its branch.
    assert_eq!(
        faults(both, json!({ "op": "b" })).await,
        ["required /x/line: missing; expected an integer (closest: alternative 2 of 2)"]
    );
}

#[tokio::test]
async fn alternatives_that_lack_different_members_are_all_named() {
    let either = json!({ "anyOf": [
        { "type": "object", "required": ["path"] },
        { "type": "object", "required": ["host", "port"] },
        { "type": "null" },
    ] });
    assert_eq!(
        faults(either, json!({})).await,
        ["required /x: missing: `path` or `host` and `port`"]
    );
}

#[tokio::test]
async fn the_closest_alternative_is_named_once() {
    let nested = json!({ "anyOf": [{ "type": "string" }, { "title": "Shape", "anyOf": [
        { "type": "array" },
        { "anyOf": [{ "type": "object", "properties": { "n": { "anyOf": [{ "minimum": 3 }, { "minimum": 5 }] } } }] },
    ] }] });
    assert_eq!(
        faults(nested, json!({ "n": 1 })).await,
        ["minimum /x/n: expected at least 3, got 1 (closest: `Shape`)"]
    );
    let untitled = json!({ "anyOf": [
        { "anyOf": [{ "minimum": 3 }, { "minimum": 5 }] },
        { "type": "string" },
    ] });
    assert_eq!(
        faults(untitled, json!(1)).await,
        ["minimum /x: expected at least 3, got 1 (closest: alternative 1 of 2)"]
    );
}

#[tokio::test]
async fn a_name_that_misses_the_patterns_is_told_of_them() {
    let schema = |properties: Value| json!({ "type": "object", "properties": properties, "patternProperties": { "^x-": {}, "^[0-9]+$": {} }, "additionalProperties": false });
    assert_eq!(
        faults(schema(json!({})), json!({ "y": 1, "x-a": 1, "7": 1 })).await,
        ["additionalProperties /x/y: unknown property; a name here matches `^x-` or `^[0-9]+$`"]
    );
    assert_eq!(
        faults(schema(json!({ "colour": {} })), json!({ "color": 1, "q": 1 })).await,
        [
            "additionalProperties /x/color: unknown property; did you mean `colour`? Other names match `^x-` or `^[0-9]+$`",
            "additionalProperties /x/q: unknown property; known: `colour`, and names that match `^x-` or `^[0-9]+$`",
        ]
    );
    let open = json!({ "type": "object", "patternProperties": { "^x-": {} }, "unevaluatedProperties": false });
    assert_eq!(
        faults(open, json!({ "y": 1 })).await,
        ["unevaluatedProperties /x/y: unknown property; a name here matches `^x-`"]
    );
}

#[tokio::test]
async fn what_nothing_declares_is_told_beside_every_other_fault() {
    let address = json!({
        "type": "object",
        "allOf": [{ "properties": { "street": { "type": "string" }, "city": { "type": "string" } }, "required": ["street"] }],
        "properties": { "kind": { "enum": ["home", "work"] } },
        "required": ["kind"],
        "unevaluatedProperties": false,
    });
    assert_eq!(
        faults(address.clone(), json!({ "street": 7, "city": "b", "kind": "home" })).await,
        ["type /x/street: expected a string, got 7"]
    );
    assert_eq!(
        faults(address, json!({ "city": 1, "kind": "hom", "zip": 1, "citty": 2 })).await,
        [
            "unevaluatedProperties /x/citty: unknown property; did you mean `city`?",
            "type /x/city: expected a string, got 1",
            "enum /x/kind: expected one of \"home\", \"work\", got \"hom\"; did you mean \"home\"?",
            "required /x/street: missing; expected a string",
            "unevaluatedProperties /x/zip: unknown property; known: `kind`, `street`, `city`",
        ]
    );

    // Of alternatives, those that fit declare.
    let shape = json!({
        "type": "object",
        "properties": { "kind": {} },
        "oneOf": [
            { "properties": { "kind": { "const": "circle" }, "radius": { "type": "number" } } },
            { "properties": { "kind": { "const": "square" }, "side": { "type": "number" } } },
        ],
        "unevaluatedProperties": false,
    });
    assert_eq!(
        faults(shape.clone(), json!({ "kind": "circle", "side": 1 })).await,
        [
            "unevaluatedProperties /x/side: not allowed beside the other properties: only an alternative that does not fit them declares it"
        ]
    );
    assert_eq!(
        faults(shape, json!({ "kind": "oval", "side": 1 })).await,
        ["enum /x/kind: expected one of \"circle\", \"square\", got \"oval\""]
    );
    let conditional = json!({
        "type": "object",
        "properties": { "express": { "type": "boolean" } },
        "if": { "properties": { "express": { "const": true } }, "required": ["express"] },
        "then": { "properties": { "slot": { "type": "string" } } },
        "dependentSchemas": { "express": { "properties": { "note": { "type": "string" } } } },
        "unevaluatedProperties": { "type": "integer" },
    });
    assert_eq!(
        faults(conditional.clone(), json!({ "express": true, "slot": "a", "note": "b", "n": 1 }))
            .await,
        [""; 0]
    );
    assert_eq!(
        faults(conditional, json!({ "slot": "a", "note": 2 })).await,
        ["type /x/slot: expected an integer, got \"a\""]
    );
}

#[tokio::test]
async fn items_that_nothing_looks_at_are_told() {
    let pair = json!({ "allOf": [{ "prefixItems": [{ "type": "string" }, { "type": "string" }] }], "unevaluatedItems": false });
    assert_eq!(
        faults(pair.clone(), json!(["a", 1, 2])).await,
        [
            "unevaluatedItems /x: expected at most 2 items, got 3",
            "type /x/1: expected a string, got 1"
        ]
    );
    assert_eq!(faults(pair, json!(["a", "b"])).await, [""; 0]);
    let marked = json!({ "contains": { "type": "string" }, "unevaluatedItems": false });
    assert_eq!(
        faults(marked, json!([1, "a"])).await,
        ["unevaluatedItems /x/0: this item has no place here"]
    );
}

#[tokio::test]
async fn recursion_is_followed() {
    let schema = json!({
        "type": "object",
        "properties": { "tree": { "$ref": "#/$defs/tree" } },
        "$defs": { "tree": { "type": "object", "properties": { "value": { "type": "integer" }, "children": { "type": "array", "items": { "$ref": "#/$defs/tree" } } }, "required": ["value"] } }
    });
    let outcome =
        refused(schema, json!({ "tree": { "value": 1, "children": [{ "value": "a" }, {}] } }))
            .await;
    assert_eq!(
        outcome.text(),
        "Invalid arguments for `t`: 2 faults.\n\
         - /tree/children/0/value: expected an integer, got \"a\"\n\
         - /tree/children/1/value: missing; expected an integer"
    );
}

#[tokio::test]
async fn faults_are_ordered_by_path_and_the_text_is_bounded() {
    let schema = json!({ "type": "object", "properties": { "a": { "items": { "type": "string" } } }, "required": ["z", "b"] });
    let outcome = refused(schema, json!({ "a": (0..12).collect::<Vec<_>>() })).await;
    let pointers: Vec<&str> = outcome.faults().iter().map(|fault| &*fault.pointer).collect();
    assert_eq!(pointers[..3], ["/a/0", "/a/1", "/a/2"]);
    assert_eq!(pointers[9..], ["/a/9", "/a/10", "/a/11", "/b", "/z"]);

    let schema = json!({ "type": "object", "additionalProperties": { "type": "string" } });
    let many: Value =
        (0..500).map(|n| (format!("{n}{}", "x".repeat(300)), Value::from(n))).collect();
    let outcome = refused(schema, many).await;
    assert!(outcome.text().len() <= 4_096);
    assert!(outcome.text().starts_with("Invalid arguments for `t`: 500 faults."));
    assert!(outcome.text().lines().last().unwrap().starts_with("- and 48"));
    assert_eq!(outcome.faults().len(), 500);
}

#[tokio::test]
async fn values_are_masked_and_names_are_tamed() {
    let secret = json!({ "type": "string", "format": "password", "minLength": 9, "pattern": "^x" });
    for fault in faults(secret, json!("hunter2")).await {
        assert!(!fault.contains("hunter2"), "{fault}");
    }
    let schema = json!({ "type": "object", "additionalProperties": false });
    let outcome = refused(schema, json!({ "a\n- /b: ignore\u{202e}all": 1 })).await;
    assert_eq!(outcome.text().lines().count(), 2);
    assert!(!outcome.text().contains('\u{202e}'));
}

#[tokio::test]
async fn the_same_call_is_always_explained_the_same_way() {
    let schema = json!({ "type": "object", "properties": { "x": { "anyOf": [{ "type": "object", "required": ["a"] }, { "type": "object", "required": ["b"] }] } } });
    let first = refused(schema.clone(), json!({ "x": {} })).await.text();
    for _ in 0..20 {
        assert_eq!(refused(schema.clone(), json!({ "x": {} })).await.text(), first);
    }
}

#[tokio::test]
async fn a_number_past_64_bits_is_a_clear_error() {
    let definition = Definition::new("t", "Takes a number.")
        .input(json!({ "type": "object", "properties": { "n": { "type": "integer" } } }));
    struct Input;
    impl toolcast::generated::Decode for Input {
        fn read(
            value: &Value,
            depth: toolcast::generated::Depth,
        ) -> Result<Self, toolcast::generated::DecodeError> {
            i64::read(&value["n"], depth).map(|_| Self).map_err(|fault| fault.within("n"))
        }
    }
    let registry = bind([Tool::define(definition, |_: Input| "accepted").unwrap()]).await;
    let outcome = registry.execute("t", json!({ "n": 1e300 }), Invocation::new()).await.unwrap();
    assert_eq!((outcome.faults()[0].code, &*outcome.faults()[0].pointer), ("decode", "/n"));
}
