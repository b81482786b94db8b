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
        (json!({ "type": "boolean" }), json!("true")),
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
