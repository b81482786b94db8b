//! Ten thousand generated schemas, wild ones among them: each becomes code that parses, or meets a named bound.

use serde_json::{Map, Value, json};
use std::time::Instant;
use toolcast_codegen::{Error, lower, render_module};
use toolcast_contract::{Annotations, Contract};

/// A small generator of its own (xorshift): the same seeds are the same schemas on every machine.
struct Random(u64);

impl Random {
    fn below(&mut self, end: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 % end as u64) as usize
    }

    fn one_in(&mut self, count: usize) -> bool {
        self.below(count) == 0
    }

    fn pick<'a>(&mut self, from: &[&'a str]) -> &'a str {
        from[self.below(from.len())]
    }
}

const NAMES: &[&str] = &[
    "a",
    "b",
    "kind",
    "type",
    "Self",
    "self",
    "fn",
    "",
    "$ref",
    "🔥",
    "a b",
    "A",
    "error",
    "value",
    "input",
    "Output",
    "__proto__",
    "日本",
    "rest",
    "2fa",
    "x/y~z",
    "\"\\",
    "\u{202e}",
    "\0",
];
const TEXTS: &[&str] = &[
    "",
    "plain",
    "```rust\npanic!()\n```",
    "*/ [x](y) <b>",
    "a\u{202e}b",
    "# h\n- i\n1. j",
    "ünïcode 日本",
    "\0\r\n\t",
];
const TYPES: &[&str] = &["null", "boolean", "integer", "number", "string", "array", "object"];
const REFERENCES: &[&str] = &[
    "#",
    "#/$defs/a",
    "#/$defs/b",
    "#/$defs/c",
    "#/properties/a",
    "#/nowhere",
    "#anchor",
    "http://x/y",
];

fn literal(random: &mut Random) -> Value {
    match random.below(10) {
        0 => Value::Null,
        1 => json!(random.one_in(2)),
        2 => json!(random.below(5)),
        3 => json!(-0.5),
        4 => json!(u64::MAX),
        5 => json!([1, "x"]),
        6 => json!({ "a": 1 }),
        _ => json!(random.pick(NAMES)),
    }
}

fn list(random: &mut Random, most: usize, mut item: impl FnMut(&mut Random) -> Value) -> Value {
    (0..=random.below(most)).map(|_| item(random)).collect::<Vec<_>>().into()
}

fn members(random: &mut Random, depth: usize) -> Value {
    let mut members = Map::new();
    for _ in 0..=random.below(4) {
        members.insert(random.pick(NAMES).to_owned(), schema(random, depth));
    }
    Value::Object(members)
}

fn schema(random: &mut Random, depth: usize) -> Value {
    if random.one_in(20) {
        return json!(random.one_in(2));
    }
    let mut keywords = Map::new();
    for _ in 0..=random.below(4) {
        let deeper = depth.saturating_sub(1);
        let (key, value) = match random.below(if depth == 0 { 14 } else { 28 }) {
            0..=3 => ("type", json!(random.pick(TYPES))),
            4 => ("type", list(random, 3, |random| json!(random.pick(TYPES)))),
            5 => ("enum", list(random, 5, literal)),
            6 => ("const", literal(random)),
            7 => ("$ref", json!(random.pick(REFERENCES))),
            8 => ("title", json!(random.pick(TEXTS))),
            9 => ("description", json!(random.pick(TEXTS))),
            10 => ("default", literal(random)),
            11 => ("minimum", json!(random.below(3) as i64 - 1)),
            12 => ("required", list(random, 3, |random| json!(random.pick(NAMES)))),
            13 => (
                "x-rust-name",
                json!(random.pick(&["Good", "good", "bad name", "Self", "String", "self"])),
            ),
            14..=17 => ("properties", members(random, deeper)),
            18 => ("additionalProperties", schema(random, deeper)),
            19 => ("patternProperties", members(random, deeper)),
            20 => ("items", schema(random, deeper)),
            21 => ("prefixItems", list(random, 3, |random| schema(random, deeper))),
            22 => ("allOf", list(random, 2, |random| schema(random, deeper))),
            23 | 24 => ("anyOf", list(random, 3, |random| schema(random, deeper))),
            25 => ("oneOf", list(random, 3, |random| schema(random, deeper))),
            26 => (
                random.pick(&["if", "then", "else", "not", "contains", "propertyNames"]),
                schema(random, deeper),
            ),
            _ => (
                random.pick(&["unevaluatedProperties", "unevaluatedItems"]),
                schema(random, deeper),
            ),
        };
        keywords.insert(key.to_owned(), value);
    }
    Value::Object(keywords)
}

fn contract(input: Value, output: Option<Value>) -> Contract {
    Contract {
        name: "any".into(),
        toolset: Vec::new(),
        source: "any.json".into(),
        title: None,
        description: "Any.".into(),
        input,
        output,
        exclusive: false,
        timeout_seconds: None,
        annotations: Annotations::default(),
        icons: Vec::new(),
        meta: Map::new(),
        renamed_from: None,
    }
}

fn generate(input: Value, output: Option<Value>) -> Result<String, Error> {
    let contract = contract(input, output);
    let module = lower(&contract, Vec::new(), "any".into())?;
    let files = render_module(&contract, &module, "schemas")?;
    Ok(files.get("any.rs").unwrap_or_default().to_owned())
}

#[test]
fn ten_thousand_schemas_become_code() {
    let threads = std::thread::available_parallelism().map_or(2, usize::from) as u64;
    std::thread::scope(|scope| {
        for thread in 0..threads {
            scope.spawn(move || {
                (1..=10_000).filter(|seed| seed % threads == thread).for_each(one_schema)
            });
        }
    });
}

fn one_schema(seed: u64) {
    let mut random = Random(seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1);
    let mut input = json!({ "type": "object", "properties": members(&mut random, 4) });
    let root = schema(&mut random, 2);
    if let (Some(input), Value::Object(root), true) =
        (input.as_object_mut(), root, random.one_in(3))
    {
        input.extend(root);
    }
    let definitions: Map<String, Value> =
        ["a", "b", "c"].into_iter().map(|name| (name.to_owned(), schema(&mut random, 3))).collect();
    input["$defs"] = Value::Object(definitions);
    let output = random.one_in(2).then(|| schema(&mut random, 3));
    let code = generate(input.clone(), output.clone());
    let code = code.unwrap_or_else(|error| panic!("seed {seed}: {error}\n{input:#}\n{output:#?}"));
    assert_eq!(
        code.matches("pub struct Input ").count()
            + code.matches("pub enum Input ").count()
            + code.matches("pub type Input ").count(),
        1,
        "seed {seed}: {code}"
    );
    if seed.is_multiple_of(50) {
        assert_eq!(generate(input, output).expect("it was generated before"), code, "seed {seed}");
    }
}

#[test]
fn large_contracts_meet_no_bound() {
    let members: Map<String, Value> =
        (0..5_000).map(|at| (format!("member{at}"), json!({ "type": "string" }))).collect();
    let code =
        generate(json!({ "type": "object", "properties": members }), None).expect("5,000 members");
    assert!(code.contains("pub member4999: Option<String>,"));
    let values: Vec<String> = (0..1_000).map(|at| format!("value {at}")).collect();
    let input = json!({ "type": "object", "properties": { "v": { "enum": values } } });
    assert!(generate(input, None).expect("1,000 values").contains("Value999 = \"value 999\""));
    let megabyte =
        json!({ "type": "object", "description": "x y ".repeat(250_000), "properties": {} });
    assert!(generate(megabyte, None).is_ok());
}

#[test]
fn doubling_chains_stay_linear() {
    let mut definitions = Map::new();
    for at in 0..40 {
        let next = format!("#/$defs/d{}", at + 1);
        let twice = json!([{ "$ref": next }, { "$ref": next }]);
        let key = ["allOf", "anyOf", "oneOf"][at % 3];
        definitions.insert(format!("d{at}"), json!({ key: twice }));
    }
    definitions.insert("d40".into(), json!({ "type": "string" }));
    let input = json!({ "type": "object", "properties": { "a": { "$ref": "#/$defs/d0" } }, "$defs": definitions });
    assert!(generate(input, None).expect("a chain of forty").contains("pub a: Option<String>,"));
}

#[test]
fn deep_nesting_becomes_a_value_with_a_note() {
    let mut deep = json!({ "type": "string" });
    for _ in 0..100 {
        deep = json!({ "type": "object", "properties": { "next": deep } });
    }
    let contract = contract(deep, None);
    let module = lower(&contract, Vec::new(), "deep".into()).expect("depth is no error");
    assert_eq!(module.notes.len(), 1);
    assert!(module.notes[0].reason.contains("nested deeper than"), "{:?}", module.notes);
}

#[test]
fn too_many_types_name_the_bound() {
    let members: Map<String, Value> =
        (0..5_500).map(|at| (format!("m{at}"), json!({ "enum": ["a", "b"] }))).collect();
    let error =
        generate(json!({ "type": "object", "properties": members }), None).expect_err("a bound");
    assert_eq!(
        error.to_string(),
        "any.json: the input schema needs more than 5000 types (met at `/properties/m4999`)"
    );
}

#[test]
fn names_that_are_all_alike_are_told_apart_in_time() {
    let begun = Instant::now();
    let values: Vec<String> = (1..1_900).map(|at| format!("v{}", " ".repeat(at))).collect();
    let input = json!({ "type": "object", "properties": { "v": { "enum": values } } });
    assert!(generate(input, None).expect("1,899 values").contains("V1000 = "));
    let item = |_| json!({ "type": "object", "title": "Item", "properties": { "a": {} } });
    let members: Map<String, Value> =
        (0..1_900).map(|at| (format!("a{}", "-".repeat(at)), item(at))).collect();
    let input = json!({ "type": "object", "properties": members });
    // Some say how many dashes they have.
    assert!(generate(input, None).expect("1,900 members").contains("pub a_1890: "));
    // Counting anew for each took more than a minute.
    assert!(begun.elapsed().as_secs() < 30, "{:?}", begun.elapsed());
}

#[test]
fn members_that_lead_back_read_their_object_once() {
    let itself = json!({ "$ref": "#" });
    let members: Map<String, Value> =
        (0..3_000).map(|at| (format!("m{at}"), itself.clone())).collect();
    let code = generate(json!({ "type": "object", "properties": members }), None);
    assert!(code.expect("nine million members are not visited").contains("pub m2999: "));
}

#[test]
fn unions_over_large_objects_name_the_bound() {
    let union = json!({ "anyOf": [{ "$ref": "#" }, { "type": "integer" }] });
    let members: Map<String, Value> =
        (0..1_500).map(|at| (format!("m{at}"), union.clone())).collect();
    let error =
        generate(json!({ "type": "object", "properties": members }), None).expect_err("a bound");
    assert!(error.to_string().contains("more than 2000000 schema visits"), "{error}");
}

#[test]
fn names_that_are_only_required_count_as_members() {
    let required: Vec<String> = (0..100_000).map(|at| format!("r{at}")).collect();
    let contract = contract(
        json!({ "type": "object", "properties": { "a": { "type": "object", "required": required } } }),
        None,
    );
    let module = lower(&contract, Vec::new(), "any".into()).expect("it becomes a map");
    assert!(module.notes[0].reason.contains("more than 6000 members"), "{:?}", module.notes);
}
