//! Lenient input: certain repairs, recorded; nothing else.

mod support;

use serde_json::{Value, json};
use support::bind;
use toolcast::{Code, Context, Definition, Invocation, Tool};

/// What a lenient tool of this schema makes of some arguments, with its repairs.
async fn mended(schema: Value, arguments: Value) -> (Option<Value>, Vec<String>) {
    let definition = Definition::new("echo", "Answers with its arguments.").input(schema);
    let echo = |_: Value, ctx: &Context| ctx.arguments().clone();
    let registry = bind([Tool::define(definition, echo).unwrap().lenient(true)]).await;
    let outcome = registry.execute("echo", arguments, Invocation::new()).await.unwrap();
    let repairs = outcome.repairs().iter();
    let repairs = repairs.map(|repair| format!("{}: {}", repair.pointer, repair.action)).collect();
    let accepted = outcome.code() != Some(Code::InvalidInput);
    (outcome.into_value().filter(|_| accepted), repairs)
}

fn object(properties: Value) -> Value {
    json!({ "type": "object", "properties": properties, "additionalProperties": false })
}

#[tokio::test]
async fn each_certain_repair_is_made_and_recorded() {
    let schema = object(json!({
        "count": { "type": "integer" },
        "ids": { "type": "array", "items": { "type": "integer" } },
        "note": { "type": "string" },
        "state": { "enum": ["open", "closed"] },
        "limit": { "anyOf": [{ "type": "integer" }, { "type": "null" }] },
    }));
    let came =
        json!({ "count": "-12", "ids": "[1, \"2\"]", "note": null, "state": "OPEN", "limit": "5" });
    let (value, repairs) = mended(schema, came).await;
    assert_eq!(value.unwrap(), json!({ "count": -12, "ids": [1, 2], "state": "open", "limit": 5 }));
    assert_eq!(
        repairs,
        [
            "/count: text read as a whole number",
            "/ids: text read as JSON",
            "/note: null taken as absent",
            "/state: spelling of an allowed value mended",
            "/limit: text read as a whole number",
            "/ids/1: text read as a whole number",
        ]
    );
}

#[tokio::test]
async fn what_is_valid_is_never_touched() {
    let schema = object(json!({
        "id": { "type": "string" },
        "any": {},
        "maybe": { "type": ["string", "null"] },
        "count": { "type": "integer" },
    }));
    let valid = json!({ "id": "7", "any": "[1]", "maybe": null });
    assert_eq!(mended(schema.clone(), valid.clone()).await, (Some(valid), vec![]));
    let partly = json!({ "id": "7", "any": "[1]", "maybe": null, "count": "3" });
    let (value, repairs) = mended(schema, partly).await;
    assert_eq!(value.unwrap(), json!({ "id": "7", "any": "[1]", "maybe": null, "count": 3 }));
    assert_eq!(repairs.len(), 1);
}

#[tokio::test]
async fn what_is_uncertain_or_stays_invalid_is_refused_with_the_faults_of_what_came() {
    let cases = [
        (json!({ "type": "integer" }), json!("5.5")),
        (json!({ "type": "integer" }), json!("05")),
        (json!({ "type": "integer" }), json!("five")),
        (json!({ "type": "integer", "maximum": 3 }), json!("5")),
        (json!({ "type": "array" }), json!("{\"a\":1}")),
        (json!({ "enum": ["a", "A"] }), json!("á")),
        (json!({ "enum": ["Ab", "aB"] }), json!("AB")),
        (json!({ "type": "boolean" }), json!("yes")),
        (json!({ "type": "boolean" }), json!("1")),
        (json!({ "type": "boolean" }), json!(1)),
        (json!({ "type": "number" }), json!(".5")),
        (json!({ "type": "number" }), json!("5.")),
        (json!({ "type": "number" }), json!("1e999")),
        (json!({ "type": "number" }), json!("NaN")),
        (json!({ "type": "integer" }), json!("9007199254740993.0")),
        (json!({ "type": "string" }), json!(1.0)),
        (json!({ "type": "string" }), json!(1e30)),
        (json!({ "type": "string" }), json!(true)),
        (json!({ "type": "string", "maxLength": 1 }), json!(12)),
        (json!({ "type": "integer" }), json!("null")),
        (json!({ "enum": [1, 2] }), json!("3")),
        (json!({ "enum": ["1", "2"] }), json!(1.0)),
    ];
    for (schema, value) in cases {
        let (accepted, repairs) =
            mended(object(json!({ "x": schema })), json!({ "x": value })).await;
        assert_eq!((accepted, repairs), (None, vec![]), "{schema} {value}");
    }
    let required =
        json!({ "type": "object", "properties": { "x": { "type": "string" } }, "required": ["x"] });
    assert_eq!(mended(required, json!({ "x": null })).await.0, None);
}

#[tokio::test]
async fn unions_are_mended_only_where_one_branch_remains() {
    let several = object(json!({ "x": { "anyOf": [
        { "type": "object", "properties": { "n": { "type": "integer" } }, "required": ["n"] },
        { "type": "object", "properties": { "n": { "enum": ["a"] } }, "required": ["n"] },
    ] } }));
    let (value, _) = mended(several.clone(), json!({ "x": { "n": "5" } })).await;
    assert_eq!(value.unwrap(), json!({ "x": { "n": 5 } }));
    let (value, _) = mended(several, json!({ "x": { "n": "A" } })).await;
    assert_eq!(value.unwrap(), json!({ "x": { "n": "a" } }));
    let open = object(json!({ "x": { "anyOf": [{ "enum": ["Ab"] }, { "enum": ["aB"] }] } }));
    assert_eq!(mended(open, json!({ "x": "ab" })).await.0, None);
}

#[tokio::test]
async fn lenient_is_off_by_default_and_a_tools_own_word_goes_first() {
    let definition =
        || Definition::new("count", "Counts.").input(object(json!({ "n": { "type": "integer" } })));
    let tool = || Tool::define(definition(), |input: Value| input["n"].clone()).unwrap();
    let toolset =
        toolcast::Toolset::of([tool(), tool().renamed("strict").lenient(false)]).lenient(true);
    let registry = toolset.bind(toolcast::Binding::new()).await.unwrap();
    let call = json!({ "n": "1" });
    assert!(!registry.execute("count", call.clone(), Invocation::new()).await.unwrap().is_error());
    assert!(registry.execute("strict", call.clone(), Invocation::new()).await.unwrap().is_error());
    let registry = bind([tool()]).await;
    assert!(registry.execute("count", call, Invocation::new()).await.unwrap().is_error());
}

#[tokio::test]
async fn a_call_without_arguments_is_one_with_none() {
    let optional = object(json!({ "limit": { "type": "integer", "default": 20 } }));
    for nothing in [json!(null), json!(""), json!(" "), json!("null")] {
        let (value, repairs) = mended(optional.clone(), nothing).await;
        assert_eq!(value.unwrap(), json!({}));
        assert_eq!(repairs, [": no arguments taken as an empty object"]);
    }
    let (value, repairs) = mended(optional.clone(), json!("{\"limit\": \"5\"}")).await;
    assert_eq!(value.unwrap(), json!({ "limit": 5 }));
    assert_eq!(repairs, [": text read as JSON", "/limit: text read as a whole number"]);
    for something in [json!([]), json!("none"), json!(0), json!(false)] {
        assert_eq!(mended(optional.clone(), something).await, (None, vec![]));
    }
    let mut required = optional;
    required["required"] = json!(["limit"]);
    for nothing in [json!(null), json!("")] {
        assert_eq!(mended(required.clone(), nothing).await, (None, vec![]));
    }
}

#[tokio::test]
async fn texts_are_read_as_what_they_spell() {
    let cases = [
        (json!({ "type": "number" }), json!("-2.5"), json!(-2.5), "text read as a number"),
        (json!({ "type": "number" }), json!("1e3"), json!(1e3), "text read as a number"),
        (json!({ "type": "number" }), json!("7"), json!(7), "text read as a whole number"),
        (json!({ "type": "integer" }), json!("5.0"), json!(5.0), "text read as a number"),
        (json!({ "type": "boolean" }), json!("true"), json!(true), "text read as a boolean"),
        (json!({ "type": "boolean" }), json!("False"), json!(false), "text read as a boolean"),
        (json!({ "type": "boolean" }), json!("TRUE"), json!(true), "text read as a boolean"),
        (json!({ "type": ["integer", "null"] }), json!("null"), json!(null), "text read as null"),
        (json!({ "enum": ["a", null] }), json!("null"), json!(null), "text read as null"),
        (json!({ "enum": [1, 2.5] }), json!("2.5"), json!(2.5), "text read as a number"),
        (json!({ "const": true }), json!("true"), json!(true), "text read as a boolean"),
        (json!({ "type": "string" }), json!(1), json!("1"), "number taken as text"),
        (json!({ "type": "string" }), json!(-1.5), json!("-1.5"), "number taken as text"),
        (json!({ "type": ["string", "null"] }), json!(7), json!("7"), "number taken as text"),
        (json!({ "enum": ["1", "2"] }), json!(2), json!("2"), "number taken as text"),
        (
            json!({ "anyOf": [{ "type": "string", "minLength": 1 }, { "type": "null" }] }),
            json!(18446744073709551615_u64),
            json!("18446744073709551615"),
            "number taken as text",
        ),
        (
            json!({ "anyOf": [{ "type": "boolean" }, { "type": "null" }] }),
            json!("true"),
            json!(true),
            "text read as a boolean",
        ),
        (
            json!({ "anyOf": [{ "type": "integer" }, { "type": "number" }] }),
            json!("2.0"),
            json!(2.0),
            "text read as a number",
        ),
    ];
    for (schema, came, wanted, action) in cases {
        let (value, repairs) = mended(object(json!({ "x": schema })), json!({ "x": came })).await;
        assert_eq!(value, Some(json!({ "x": wanted })), "{schema} {came}");
        assert_eq!(repairs, [format!("/x: {action}")], "{schema} {came}");
    }
    // Where a text is welcome, no text is anything else.
    for text in ["null", "true", "5", "[1]", ""] {
        let any = json!({ "x": { "type": ["string", "null", "boolean", "number", "array"] } });
        let came = json!({ "x": text });
        assert_eq!(mended(object(any), came.clone()).await, (Some(came), vec![]));
    }
}

#[tokio::test]
async fn objects_are_read_from_text_behind_references_and_beside_null() {
    let schema = json!({
        "type": "object",
        "properties": {
            "direct": { "$ref": "#/$defs/meta" },
            "nullable": { "anyOf": [{ "$ref": "#/$defs/meta" }, { "type": "null" }] },
            "either": { "oneOf": [{ "type": "string" }, { "$ref": "#/$defs/meta" }] },
        },
        "additionalProperties": false,
        "$defs": { "meta": {
            "type": "object",
            "properties": {
                "tags": { "type": "array", "items": { "type": "string" } },
                "parent": { "anyOf": [{ "$ref": "#/$defs/meta" }, { "type": "null" }] },
            },
            "additionalProperties": false,
        } },
    });
    let came = json!({
        "direct": "{\"tags\": \"[\\\"a\\\"]\"}",
        "nullable": "{\"parent\": \"null\"}",
        "either": "{\"tags\": []}",
    });
    let (value, repairs) = mended(schema.clone(), came).await;
    let wanted = json!({
        "direct": { "tags": ["a"] },
        "nullable": { "parent": null },
        "either": "{\"tags\": []}",
    });
    assert_eq!(value, Some(wanted));
    assert_eq!(
        repairs,
        [
            "/direct: text read as JSON",
            "/nullable: text read as JSON",
            "/direct/tags: text read as JSON",
            "/nullable/parent: text read as null",
        ]
    );
    assert_eq!(mended(schema, json!({ "nullable": "{\"colour\": 1}" })).await, (None, vec![]));
}

#[tokio::test]
async fn an_empty_text_that_cannot_fit_is_an_absent_member() {
    let schema = object(json!({
        "content": { "type": "string" },
        "select": { "type": "array", "items": { "type": "string" } },
        "level": { "enum": ["low", "high"] },
        "selector": { "type": "string", "minLength": 1 },
        "due": { "type": "string", "format": "date" },
        "code": { "type": "string", "pattern": "^[A-Z]+$" },
        "max": { "type": ["integer", "null"] },
        "meta": { "anyOf": [{ "type": "object" }, { "type": "null" }] },
    }));
    let came = json!({
        "content": "", "select": "", "level": "", "selector": "", "due": "", "code": "", "max": "",
        "meta": ""
    });
    let (value, repairs) = mended(schema.clone(), came).await;
    assert_eq!(value, Some(json!({ "content": "" })));
    assert_eq!(repairs.len(), 7);
    assert!(repairs.iter().all(|repair| repair.ends_with(": empty text taken as absent")));
    let mut required = schema;
    required["required"] = json!(["level"]);
    assert_eq!(mended(required, json!({ "level": "" })).await, (None, vec![]));
    // Nobody declares the names of a map: an entry of it is no optional member.
    let map = json!({ "type": "object", "additionalProperties": { "type": "integer" } });
    assert_eq!(mended(map, json!({ "a": "" })).await, (None, vec![]));
}

#[tokio::test]
async fn members_that_the_application_ignores_never_arrive() {
    let closed = object(json!({ "page": { "type": "integer" } }));
    let call = json!({ "page": 1, "toolCallId": "c-1", "_meta": { "a": 1 } });
    let define = |name: &str, schema: Value| {
        let definition = Definition::new(name, "Answers with its arguments.").input(schema);
        Tool::define(definition, |_: Value, ctx: &Context| ctx.arguments().clone()).unwrap()
    };
    let declared = object(json!({ "_meta": { "type": "object" }, "page": {} }));
    let inherited = json!({
        "type": "object",
        "allOf": [{ "$ref": "#/$defs/base" }],
        "unevaluatedProperties": false,
        "$defs": { "base": { "properties": { "toolCallId": {}, "page": {} } } },
    });
    let matched = json!({
        "type": "object",
        "properties": { "page": {} },
        "patternProperties": { "^_": {} },
        "additionalProperties": false,
    });
    let strict = toolcast::Toolset::of([
        define("closed", closed.clone()),
        define("open", json!({ "type": "object" })),
        define("declared", declared),
        define("inherited", inherited),
        define("matched", matched),
    ])
    .ignore_members(["toolCallId", "_meta"])
    .with(define("untold", closed.clone()))
    .with(define("half", closed).ignore_members(["toolCallId"]));
    let registry = strict.bind(toolcast::Binding::new()).await.unwrap();
    let cases = [
        ("closed", json!({ "page": 1 }), 2),
        ("open", json!({ "page": 1 }), 2),
        ("declared", json!({ "page": 1, "_meta": { "a": 1 } }), 1),
        ("inherited", json!({ "page": 1, "toolCallId": "c-1" }), 1),
        ("matched", json!({ "page": 1, "_meta": { "a": 1 } }), 1),
    ];
    for (name, wanted, dropped) in cases {
        let outcome = registry.execute(name, call.clone(), Invocation::new()).await.unwrap();
        assert_eq!(outcome.value(), Some(&wanted), "{name}: {}", outcome.text());
        assert_eq!(outcome.repairs().len(), dropped, "{name}");
    }
    for (name, faults) in [("untold", 2), ("half", 1)] {
        let outcome = registry.execute(name, call.clone(), Invocation::new()).await.unwrap();
        assert_eq!(outcome.faults().len(), faults, "{name}");
    }
}
