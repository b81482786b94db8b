//! The testing aids find what they are for.

mod support;

use serde_json::{Map, Value, json};
use support::{bind, ticket_status};
use toolcast::testing::{Generator, Setup, assert_outcome, exercise, run_examples};
use toolcast::{Code, Definition, Error, Invocation, Tool, Toolset};

#[tokio::test]
async fn a_context_and_a_run_in_one_line() {
    struct Database;
    let setup = Setup::new().actor("user-1").context_value("account_id", "acme").with(Database);
    let ctx = setup.context();
    assert_eq!(ctx.invocation().require_actor().unwrap(), "user-1");
    assert!(ctx.binding().has::<Database>());
    let tools = Toolset::of([ticket_status()]);
    let outcome = setup.call(&tools, "ticket_status", json!({ "ticket_id": "1" })).await;
    assert_outcome!(outcome, json!({ "ticket_id": "1", "status": "waiting_on_customer" }));
    let outcome = setup.call(&tools, "ticket_status", json!({})).await;
    assert_outcome!(outcome, Code::InvalidInput, "/ticket_id: missing");
}

#[tokio::test]
#[should_panic(expected = "expected the value {\"ok\":true}\n  got the error `tool_error`: no")]
async fn a_failed_assertion_says_what_came() {
    let tool = Tool::define(Definition::new("no", "Refuses."), |_: Value| {
        Err::<&str, _>(Error::tool("no"))
    });
    let outcome = Setup::new().call(&Toolset::of([tool.unwrap()]), "no", json!({})).await;
    assert_outcome!(outcome, json!({ "ok": true }));
}

fn taking(schema: Value, output: Value, answer: fn(Value) -> Value) -> Tool {
    let definition = Definition::new("t", "Takes arguments.").input(schema).output(output);
    Tool::define(definition, answer).unwrap()
}

#[tokio::test]
async fn examples_that_no_longer_hold_are_found() {
    let schema = json!({ "type": "object", "properties": { "n": { "type": "integer" } }, "examples": [{ "n": 1 }, { "n": "1" }] });
    let registry = bind([taking(schema, json!({}), |input| input)]).await;
    let report = run_examples(&registry, &Invocation::new()).await;
    assert_eq!(report.calls(), 2);
    assert_eq!(report.failures().len(), 1);
    assert!(report.failures()[0].starts_with("t {\"n\":\"1\"}: invalid_input"));
}

#[tokio::test]
async fn the_driver_finds_panics_and_results_that_break_the_contract() {
    let schema = json!({ "type": "object", "properties": { "n": { "type": "integer", "minimum": -5, "maximum": 5 } }, "required": ["n"] });
    let sound = taking(schema.clone(), json!({ "type": "number" }), |input| input["n"].clone());
    let report = exercise(&bind([sound]).await, &Invocation::new(), 1, 200).await;
    report.assert();
    assert_eq!(report.calls(), 200);

    let broken = taking(schema.clone(), json!({ "minimum": 0 }), |input| input["n"].clone());
    let report = exercise(&bind([broken]).await, &Invocation::new(), 1, 200).await;
    assert!(report.failures().iter().any(|failure| failure.contains("invalid_output")));

    // Floats are whole numbers too, which this handler forgets.
    let panicking = taking(schema, json!({}), |input| input["n"].as_i64().unwrap().into());
    let report = exercise(&bind([panicking]).await, &Invocation::new(), 1, 200).await;
    assert!(report.failures().iter().any(|failure| failure.contains("panic")));
}

#[test]
fn the_generator_ends_where_work_multiplies() {
    let itself = json!({ "$ref": "#" });
    let many: Map<String, Value> = (0..30).map(|at| (format!("m{at}"), itself.clone())).collect();
    let of = |properties: &Value, required: &[&str]| json!({ "type": "object", "properties": properties, "required": required });
    let optional = Generator::new(&of(&json!(many), &[]), 3).unwrap().value();
    assert!(optional.is_some(), "an object that is nearly empty fits");
    // No value is without end, and every level asks for two more.
    let endless = of(&json!({ "a": itself, "b": itself }), &["a", "b"]);
    assert_eq!(Generator::new(&endless, 3).unwrap().value(), None);
}

#[test]
fn the_generator_reaches_what_schemas_say() {
    let cases = [
        json!({ "type": "string", "pattern": "^[A-Z]{3}-[0-9]{2,4}(x|y)?$" }),
        json!({ "type": "string", "format": "date-time" }),
        json!({ "type": "string", "minLength": 5, "maxLength": 5 }),
        json!({ "type": "integer", "multipleOf": 7, "exclusiveMinimum": 0, "maximum": 30 }),
        json!({ "type": "array", "items": { "enum": ["a", "b", "c"] }, "uniqueItems": true, "minItems": 2 }),
        json!({ "allOf": [{ "type": "object", "properties": { "a": { "type": "integer" } }, "required": ["a"] }, { "properties": { "a": { "minimum": 5 } }, "required": ["b"] }] }),
        json!({ "oneOf": [{ "type": "object", "properties": { "k": { "const": "a" } }, "required": ["k"] }, { "type": "object", "properties": { "k": { "const": "b" } }, "required": ["k"] }] }),
        json!({ "type": "object", "additionalProperties": { "type": "boolean" }, "minProperties": 2 }),
        json!({ "$ref": "#/$defs/tree", "$defs": { "tree": { "type": "object", "properties": { "children": { "type": "array", "items": { "$ref": "#/$defs/tree" } } }, "required": ["children"] } } }),
        json!({ "type": "object", "properties": { "a": { "type": "boolean" } }, "if": { "required": ["a"] }, "then": { "required": ["b"] }, "else": { "required": ["c"] } }),
        json!({ "type": ["null", "integer"] }),
        json!({ "prefixItems": [{ "type": "string" }, { "type": "integer" }], "items": false, "minItems": 2 }),
    ];
    for schema in cases {
        let mut generator = Generator::new(&schema, 3).unwrap();
        let found = (0..50).filter(|_| generator.value().is_some()).count();
        assert!(found >= 45, "{found} of 50 for {schema}");
        let (mut one, mut other) =
            (Generator::new(&schema, 9).unwrap(), Generator::new(&schema, 9).unwrap());
        assert!((0..10).all(|_| one.value() == other.value()), "the same seed, the same values");
    }
    assert_eq!(Generator::new(&json!({ "not": {} }), 3).unwrap().value(), None);
}
