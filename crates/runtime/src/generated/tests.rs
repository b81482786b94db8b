//! What the macros of the hub give a type, as generated code would use them.

use super::v1::*;
use serde_json::json;

const SPEC: ToolSpec = ToolSpec::new("search", "Find orders.").input(
    r##"{
        "type": "object",
        "properties": {
            "filter": {
                "anyOf": [
                    { "type": "object", "properties": { "a b": { "type": "string" } }, "required": ["a b"] },
                    { "$ref": "#/$defs/terms" }
                ]
            },
            "code": {
                "anyOf": [
                    { "type": "string", "pattern": "^(?!x-)" },
                    { "type": "string", "format": "our-own" }
                ]
            }
        },
        "$defs": { "terms": { "type": "object", "required": ["terms"] } }
    }"##,
);

#[derive(Clone, Debug, PartialEq)]
struct Input {
    query: String,
    page_size: i64,
    sort: Option<Sort>,
    note: Maybe<String>,
    owner: Option<String>,
    r#type: Option<f64>,
}
object!(Input { query, page_size as "pageSize" = 10, sort, note, owner or null, r#type as "type" });

#[derive(Clone, Debug, PartialEq)]
struct Open {
    id: u64,
    rest: Map<String, Vec<String>>,
}
object!(Open { id, ..rest except "kind" });

#[derive(Clone, Debug, PartialEq)]
struct OnlyRest {
    rest: Map<String, Value>,
}
object!(OnlyRest { ..rest });

#[derive(Clone, Debug, PartialEq)]
struct Nothing {}
object!(Nothing {});

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Sort {
    Newest,
    LessOrEqual,
}
literals!(Sort { Newest = "newest", LessOrEqual = "<=" });

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Limit {
    Few,
    Ten,
    Minus,
    Half,
    Unlimited,
    Always,
    Pair,
}
literals!(Limit {
    Few = "few",
    Ten = 10,
    Minus = -1,
    Half = 0.5,
    Unlimited = (),
    Always = true,
    Pair = Json("[1,{\"a\":2}]"),
});

#[derive(Clone, Debug, PartialEq)]
enum Target {
    Open(Open),
    Nothing(Box<Nothing>),
}
union!(Target by "kind" { Open = "open", Nothing = 2 });

#[derive(Clone, Debug, PartialEq)]
enum Id {
    Number(i64),
    Text(String),
    Object(OnlyRest),
}
union!(Id { Number if integer, Text if string | null, Object if "key" = "a" | "b" });

#[derive(Clone, Debug, PartialEq)]
enum Filter {
    Spaced(OnlyRest),
    Terms(OnlyRest),
    Flag(bool),
}
union!(Filter of input {
    Spaced if object at "/properties/filter/anyOf/0",
    Terms at "/properties/filter/anyOf/1" | "/nowhere",
    Flag if boolean,
});

#[derive(Clone, Debug, PartialEq)]
enum Code {
    Plain(String),
    Extended(String),
}
union!(Code of input {
    Plain if string at "/properties/code/anyOf/0",
    Extended if string at "/properties/code/anyOf/1",
});

fn round<T: Decode + Encode>(value: Value) -> Value {
    T::decode(&value).map(|typed| typed.encode()).unwrap_or_else(|error| panic!("{value}: {error}"))
}

#[test]
fn members_come_back_as_they_came() {
    for value in [
        json!({ "query": "a", "pageSize": 3, "sort": "<=", "note": null, "owner": null, "type": 1.5 }),
        json!({ "type": 1.5, "owner": "x", "query": "a", "note": "n", "pageSize": 3 }),
    ] {
        assert_eq!(round::<Input>(value.clone()), value);
    }
    let absent = Input::decode(&json!({ "query": "a", "owner": null, "further": 1 })).unwrap();
    assert_eq!((absent.page_size, absent.note.clone(), absent.sort), (10, Maybe::Absent, None));
    assert_eq!(absent.encode(), json!({ "query": "a", "pageSize": 10, "owner": null }));
    let typed: Input = serde_json::from_str(r#"{"query":"a","pageSize":5.0}"#).unwrap();
    assert_eq!(
        serde_json::to_string(&typed).unwrap(),
        r#"{"query":"a","pageSize":5,"owner":null}"#
    );
}

#[test]
fn undeclared_members_are_kept_in_order_and_never_stand_in_for_declared_ones() {
    let mut open = Open::decode(&json!({ "z": ["1"], "id": 7, "a": [] })).unwrap();
    assert_eq!(open.rest.keys().collect::<Vec<_>>(), ["z", "a"]);
    open.rest.insert("id".into(), vec![]);
    assert_eq!(open.encode(), json!({ "id": 7, "z": ["1"], "a": [] }));
    assert_eq!(round::<Nothing>(json!({})), json!({}));
}

#[test]
fn literals_are_any_json_value() {
    for value in [
        json!("few"),
        json!(10),
        json!(-1),
        json!(0.5),
        json!(null),
        json!(true),
        json!([1, { "a": 2 }]),
    ] {
        assert_eq!(round::<Limit>(value.clone()), value);
    }
    assert_eq!(Limit::decode(&json!(10.0)), Ok(Limit::Ten));
    assert_eq!(Limit::decode(&json!([1.0, { "a": 2 }])), Ok(Limit::Pair));
    assert!(Limit::decode(&json!("10")).is_err());
    assert_eq!((Sort::LessOrEqual.to_string(), Limit::Ten.to_string()), ("<=".into(), "10".into()));
    assert_eq!("<=".parse(), Ok(Sort::LessOrEqual));
    for limit in <Limit as super::Literals>::VARIANTS {
        assert_eq!(limit.to_string().parse(), Ok(*limit), "what is shown is read back");
    }
    assert!("LessOrEqual".parse::<Sort>().is_err());
    assert_eq!(format!("{:>5}", Sort::LessOrEqual), "   <=");
}

#[test]
fn branches_are_chosen_before_they_are_decoded() {
    assert_eq!(
        Target::decode(&json!({ "kind": "open", "id": 1, "x": ["y"] })).unwrap().encode(),
        json!({ "kind": "open", "id": 1, "x": ["y"] })
    );
    assert_eq!(round::<Target>(json!({ "kind": 2 })), json!({ "kind": 2 }));
    assert!(Target::decode(&json!({ "kind": "other" })).is_err());
    assert_eq!(Id::decode(&json!(5.0)), Ok(Id::Number(5)));
    assert!(Id::decode(&json!(5.5)).is_err());
    assert!(matches!(Id::decode(&json!({ "key": "b" })), Ok(Id::Object(_))));
    assert!(matches!(Filter::decode(&json!({ "a b": "x", "terms": 1 })), Ok(Filter::Spaced(_))));
    assert!(matches!(Filter::decode(&json!({ "a b": 1, "terms": 1 })), Ok(Filter::Terms(_))));
    assert_eq!(Filter::decode(&json!(true)), Ok(Filter::Flag(true)));
    assert!(Filter::decode(&json!({ "a b": 1 })).is_err());
}

#[test]
fn branches_have_validators_by_the_rules_of_the_whole() {
    // A look-ahead needs the other regex engine, and a format that nobody knows refuses nothing.
    assert_eq!(Code::decode(&json!("a")), Ok(Code::Plain("a".into())));
    assert_eq!(Code::decode(&json!("x-a")), Ok(Code::Extended("x-a".into())));
}

#[test]
fn errors_point_at_the_value() {
    let error = Input::decode(&json!({ "query": "a", "pageSize": 1e30 })).unwrap_err();
    assert_eq!(error.to_string(), "/pageSize: the integer does not fit the 64 bits of its type");
    let error = Open::decode(&json!({ "id": 1, "a/b": ["x", 3] })).unwrap_err();
    assert_eq!(error.to_string(), "/a~1b/1: expected a string, got a number");
}

#[test]
fn nesting_is_bounded() {
    let mut value = json!(1);
    for _ in 0..5_000 {
        value = Value::Array(vec![value]);
    }
    assert!(Value::decode(&value).unwrap_err().message.contains("nested deeper than 256 levels"));
    // `Value` drops recursively; taken apart level by level it needs no stack.
    while let Value::Array(mut items) = value {
        value = items.pop().unwrap_or_default();
    }
}
