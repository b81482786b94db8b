//! The evaluator in our own cases: certain answers, unknown ones, what an observer hears, and bounds.

use serde_json::{Value, json};
use toolcast_schema::dialect::Dialect;
use toolcast_schema::evaluate::{
    Answer, Bounds, Detail, Failure, Observer, Oracle, Part, SingleDocument, evaluate,
};

/// Knows that texts with an `x` match every pattern, texts with a `?` may, and others do not.
struct Letters;

impl Oracle for Letters {
    fn pattern(&mut self, _: &str, text: &str) -> Answer {
        match text {
            text if text.contains('x') => Answer::Yes,
            text if text.contains('?') => Answer::Unknown,
            _ => Answer::No,
        }
    }
}

/// Writes down all that it hears.
#[derive(Default)]
struct Log {
    lines: Vec<String>,
    indent: usize,
    counts_failing_parts: bool,
}

impl Log {
    fn write(&mut self, line: String) {
        self.lines.push(format!("{}{line}", "  ".repeat(self.indent)));
    }
}

impl Observer<'_> for Log {
    fn failed(&mut self, failure: &Failure<'_, '_>) {
        let detail = match failure.detail {
            Detail::Plain => String::new(),
            detail => format!(" {detail:?}"),
        };
        let (instance, location) = (failure.instance.pointer(), failure.location.pointer());
        self.write(format!("{} {instance} by {location}{detail}", failure.keyword));
    }

    fn begins(&mut self, part: Part) {
        self.write(format!("{part:?}"));
        self.indent += 1;
    }

    fn ends(&mut self, _: Part, _: &Value, answer: Answer) {
        self.indent -= 1;
        self.write(format!("{answer:?}"));
    }

    fn goes_on(&self) -> bool {
        true
    }

    fn counts_failing_parts(&self) -> bool {
        self.counts_failing_parts
    }
}

const BOUNDS: Bounds = Bounds::new(100_000, 100);

fn answer(schema: &Value, value: &Value) -> Answer {
    heard(schema, value, Log::default(), BOUNDS).0
}

fn heard(schema: &Value, value: &Value, mut log: Log, mut bounds: Bounds) -> (Answer, Vec<String>) {
    let document = SingleDocument::new(schema, Dialect::Draft2020);
    let answer = evaluate(&document, &(), schema, value, &mut Letters, &mut log, &mut bounds);
    (answer, log.lines)
}

#[test]
fn what_is_not_known_makes_no_answer_certain_that_rests_on_it() {
    let maybe = json!({ "pattern": "p" });
    let cases = [
        (json!({ "not": maybe }), Answer::Unknown),
        (json!({ "anyOf": [maybe, { "type": "integer" }] }), Answer::Unknown),
        (json!({ "anyOf": [maybe, { "type": "string" }] }), Answer::Yes),
        (json!({ "oneOf": [maybe, { "type": "string" }] }), Answer::Unknown),
        (json!({ "oneOf": [maybe, { "type": "string" }, true] }), Answer::No),
        (json!({ "allOf": [maybe, { "type": "integer" }] }), Answer::No),
        (json!({ "if": maybe, "then": true, "else": { "minLength": 1 } }), Answer::Yes),
        (json!({ "if": maybe, "then": false, "else": true }), Answer::Unknown),
        (json!({ "format": "date" }), Answer::Unknown),
        (json!({ "$ref": "https://example.com/elsewhere" }), Answer::Unknown),
        (json!({ "$ref": "https://example.com/elsewhere", "maxLength": 0 }), Answer::No),
    ];
    for (schema, wanted) in cases {
        assert_eq!(answer(&schema, &json!("?")), wanted, "{schema}");
    }
    let object = |schema: Value| answer(&schema, &json!({ "?": 1 }));
    assert_eq!(
        object(json!({ "patternProperties": { "p": { "type": "string" } } })),
        Answer::Unknown
    );
    assert_eq!(
        object(json!({ "patternProperties": { "p": {} }, "additionalProperties": false })),
        Answer::Unknown
    );
    assert_eq!(
        object(
            json!({ "patternProperties": { "p": true }, "additionalProperties": { "type": "integer" } })
        ),
        Answer::Yes
    );
    assert_eq!(
        object(json!({ "patternProperties": { "p": true }, "unevaluatedProperties": false })),
        Answer::Unknown
    );
    let array = |schema: Value| answer(&schema, &json!(["?", 1]));
    let maybe = json!({ "type": "string", "pattern": "p" });
    assert_eq!(array(json!({ "contains": maybe })), Answer::Unknown);
    assert_eq!(
        array(json!({ "contains": { "anyOf": [maybe, { "type": "integer" }] } })),
        Answer::Yes
    );
    assert_eq!(
        array(json!({ "contains": maybe, "minContains": 0, "maxContains": 1 })),
        Answer::Yes
    );
    assert_eq!(array(json!({ "contains": maybe, "unevaluatedItems": false })), Answer::No);
    assert_eq!(
        array(
            json!({ "prefixItems": [true], "contains": maybe, "minContains": 0, "unevaluatedItems": { "type": "integer" } })
        ),
        Answer::Yes
    );
}

#[test]
fn an_observer_hears_of_every_failure_and_of_the_branches_around_it() {
    let schema = json!({
        "type": "object",
        "properties": { "a": { "$ref": "#/$defs/short" }, "b": { "anyOf": [{ "type": "integer" }, { "minLength": 2 }] } },
        "required": ["a", "c"],
        "additionalProperties": false,
        "not": { "required": ["d"] },
        "$defs": { "short": { "maxLength": 1 } },
    });
    let (answer, lines) =
        heard(&schema, &json!({ "a": "ab", "b": "c", "d": 1 }), Log::default(), BOUNDS);
    assert_eq!(answer, Answer::No);
    assert_eq!(
        lines,
        [
            "required  by  Missing { name: \"c\", beside: None }",
            "not  by ",
            "Member { is_required: true }",
            "  maxLength /a by ",
            "No",
            "Member { is_required: false }",
            "  Branch(0)",
            "    type /b by /properties/b/anyOf/0",
            "  No",
            "  Branch(1)",
            "    minLength /b by /properties/b/anyOf/1",
            "  No",
            "  anyOf /b by /properties/b Fitting(0)",
            "No",
            "additionalProperties /d by ",
        ]
    );
}

#[test]
fn failing_parts_make_strangers_of_members_unless_they_count() {
    let schema = json!({
        "allOf": [{ "properties": { "a": { "type": "string" }, "b": true } }],
        "unevaluatedProperties": false,
    });
    let value = json!({ "a": 1, "b": 1, "c": 1 });
    let strangers = |counts_failing_parts| {
        let log = Log { counts_failing_parts, ..Log::default() };
        let (answer, lines) = heard(&schema, &value, log, BOUNDS);
        assert_eq!(answer, Answer::No);
        lines.iter().filter(|line| line.starts_with("unevaluated")).cloned().collect::<Vec<_>>()
    };
    let by = |name| format!("unevaluatedProperties /{name} by ");
    assert_eq!(strangers(false), [by("a"), by("b"), by("c")]);
    assert_eq!(strangers(true), [by("c")]);
}

#[test]
fn steps_and_depth_are_bounded() {
    let endless = json!({ "$ref": "#" });
    assert_eq!(answer(&endless, &json!(1)), Answer::Unknown);
    let doubling = json!({ "anyOf": [{ "$ref": "#/$defs/d" }, { "$ref": "#/$defs/d" }], "$defs": {
        "d": { "anyOf": [{ "$ref": "#/$defs/d" }, { "$ref": "#/$defs/d" }] }
    } });
    assert_eq!(answer(&doubling, &json!(1)), Answer::Unknown);
    let long = json!({ "items": { "type": "integer" } });
    let items: Value = (0..1_000).collect();
    assert_eq!(answer(&long, &items), Answer::Yes);
    let few = Bounds { steps: 100, ..BOUNDS };
    assert_eq!(heard(&long, &items, Log::default(), few).0, Answer::Unknown);
    let unique = json!({ "uniqueItems": true });
    assert_eq!(answer(&unique, &items), Answer::Yes);
    assert_eq!(heard(&unique, &items, Log::default(), few).0, Answer::Unknown);
}

#[test]
fn references_within_one_document_are_followed_where_they_are_certain() {
    let anchored =
        json!({ "$ref": "#there", "$defs": { "a": { "$anchor": "there", "type": "string" } } });
    assert_eq!(answer(&anchored, &json!(1)), Answer::No);
    let escaped = json!({ "$ref": "#/$defs/a%20b~1c", "$defs": { "a b/c": { "type": "string" } } });
    assert_eq!(answer(&escaped, &json!("")), Answer::Yes);
    let own = json!({ "$id": "https://example.com/s", "$ref": "https://example.com/s#/$defs/a", "$defs": { "a": false } });
    assert_eq!(answer(&own, &json!(1)), Answer::No);
    let moved = json!({ "properties": { "x": { "$id": "inner", "$ref": "#/$defs/a", "$defs": { "a": false } } }, "$defs": { "a": true } });
    assert_eq!(answer(&moved, &json!({ "x": 1 })), Answer::Unknown);
    let dynamic =
        json!({ "$dynamicAnchor": "node", "type": "array", "items": { "$dynamicRef": "#node" } });
    assert_eq!(answer(&dynamic, &json!([[], [1]])), Answer::No);
}
