//! Random schemas, random edits of them, and random values, all over one small alphabet so that they meet often.

use proptest::prelude::*;
use proptest::sample::{select, subsequence};
use serde_json::{Map, Value, json};

const NAMES: &[&str] = &["a", "b", "c", "x1"];
const TEXTS: &[&str] = &["", "a", "ab", "abc", "b", "B2", "a\n"];
const PATTERNS: &[&str] = &[
    "^a",
    "b$",
    "^[a-c]*$",
    "^[a-c]+$",
    "[0-9]",
    "^.{2,3}$",
    "^(ab|b)$",
    "",
    "^(?=.*b)a",
    "^(?!ab)",
];

fn small() -> impl Strategy<Value = i64> {
    -3i64..8
}

fn number() -> impl Strategy<Value = Value> {
    prop_oneof![
        4 => small().prop_map(Value::from),
        1 => select(vec![0.5, 1.5, -0.25, 2.0, 7.5]).prop_map(Value::from),
    ]
}

fn scalar() -> impl Strategy<Value = Value> {
    prop_oneof![
        number(),
        select(TEXTS).prop_map(Value::from),
        any::<bool>().prop_map(Value::from),
        Just(Value::Null),
    ]
}

/// A value; objects and arrays are small and shallow.
pub fn value() -> impl Strategy<Value = Value> {
    scalar().prop_recursive(3, 12, 4, |inner| {
        prop_oneof![
            proptest::collection::vec(inner.clone(), 0..4).prop_map(Value::from),
            proptest::collection::vec((select(NAMES), inner), 0..4).prop_map(|members| {
                Value::Object(members.into_iter().map(|(n, v)| (n.to_owned(), v)).collect())
            }),
        ]
    })
}

fn merged(parts: Vec<Value>) -> Value {
    let mut all = Map::new();
    for part in parts {
        if let Value::Object(part) = part {
            all.extend(part);
        }
    }
    Value::Object(all)
}

fn leaf() -> impl Strategy<Value = Value> {
    let types = vec!["string", "integer", "number", "boolean", "null", "object", "array"];
    prop_oneof![
        select(types.clone()).prop_map(|name| json!({"type": name})),
        subsequence(types, 1..4).prop_map(|names| json!({"type": names})),
        any::<bool>().prop_map(Value::Bool),
        scalar().prop_map(|value| json!({"const": value})),
        proptest::collection::vec(scalar(), 1..4).prop_map(|mut values| {
            values.dedup();
            json!({"enum": values})
        }),
        (small(), 0i64..6).prop_map(|(low, width)| {
            json!({"type": "integer", "minimum": low, "maximum": low + width})
        }),
        number().prop_map(|limit| json!({"minimum": limit})),
        number().prop_map(|limit| json!({"exclusiveMaximum": limit})),
        select(vec![json!(2), json!(3), json!(0.5), json!(1.5), json!(2.0), json!(0.1)])
            .prop_map(|divisor| json!({"type": "number", "multipleOf": divisor})),
        (0u64..3, 0u64..3).prop_map(|(low, width)| {
            json!({"type": "string", "minLength": low, "maxLength": low + width})
        }),
        select(PATTERNS).prop_map(|pattern| json!({"type": "string", "pattern": pattern})),
        select(PATTERNS).prop_map(|pattern| json!({"pattern": pattern})),
        (select(PATTERNS), 0u64..4)
            .prop_map(|(pattern, most)| json!({"pattern": pattern, "maxLength": most})),
    ]
}

fn object(inner: impl Strategy<Value = Value> + Clone + 'static) -> impl Strategy<Value = Value> {
    let properties = proptest::collection::btree_map(select(NAMES), inner.clone(), 0..3);
    (
        properties,
        subsequence(NAMES, 0..3),
        prop_oneof![
            3 => Just(json!({})),
            2 => Just(json!({"additionalProperties": false})),
            1 => inner.clone().prop_map(|schema| json!({"additionalProperties": schema})),
            1 => inner.clone().prop_map(|schema| json!({"patternProperties": {"^x": schema}})),
            1 => (0u64..3).prop_map(|size| json!({"minProperties": size})),
            1 => (0u64..3).prop_map(|size| json!({"maxProperties": size})),
            1 => select(PATTERNS).prop_map(|pattern| json!({"propertyNames": {"pattern": pattern}})),
            1 => (select(NAMES), select(NAMES))
                .prop_map(|(a, b)| json!({"dependentRequired": {a: [b]}})),
            1 => (select(NAMES), inner)
                .prop_map(|(a, schema)| json!({"dependentSchemas": {a: schema}})),
        ],
        any::<bool>(),
    )
        .prop_map(|(properties, required, more, typed)| {
            let mut parts = vec![json!({"properties": properties}), more];
            if !required.is_empty() {
                parts.push(json!({"required": required}));
            }
            if typed {
                parts.push(json!({"type": "object"}));
            }
            merged(parts)
        })
}

fn array(inner: impl Strategy<Value = Value> + Clone + 'static) -> impl Strategy<Value = Value> {
    prop_oneof![
        inner.clone().prop_map(|schema| json!({"type": "array", "items": schema})),
        (proptest::collection::vec(inner.clone(), 1..3), inner.clone())
            .prop_map(|(prefix, rest)| json!({"prefixItems": prefix, "items": rest})),
        (0u64..3, 0u64..3).prop_map(|(low, width)| {
            json!({"type": "array", "minItems": low, "maxItems": low + width})
        }),
        inner.clone().prop_map(|s| json!({"type": "array", "items": s, "uniqueItems": true})),
        (inner, 0u64..3).prop_map(|(s, least)| json!({"contains": s, "minContains": least})),
    ]
}

/// A schema of draft 2020-12.
pub fn schema() -> impl Strategy<Value = Value> {
    leaf().prop_recursive(3, 16, 3, |inner| {
        let list = proptest::collection::vec(inner.clone(), 1..4);
        prop_oneof![
            4 => object(inner.clone()),
            2 => array(inner.clone()),
            1 => list.clone().prop_map(|branches| json!({"anyOf": branches})),
            1 => list.clone().prop_map(|branches| json!({"oneOf": branches})),
            1 => list.prop_map(|branches| json!({"allOf": branches})),
            1 => inner.clone().prop_map(|schema| json!({"not": schema})),
            1 => (inner.clone(), inner.clone(), inner.clone())
                .prop_map(|(i, t, e)| json!({"if": i, "then": t, "else": e})),
            1 => (inner.clone(), inner).prop_map(|(left, right)| json!({"allOf": [left], "anyOf": [right, {"type": "null"}]})),
        ]
    })
}

/// One edit of a schema.
#[derive(Clone, Debug)]
pub enum Edit {
    /// Removes a keyword.
    Drop,
    /// Moves a limit by the amount.
    Move(i64),
    /// Puts another schema in the place.
    Replace(Value),
    /// Gives a member another name.
    Rename,
    /// Adds a constraint.
    Add(Value),
    /// Reverses the order of everything that has one without meaning.
    Reorder,
}

/// An edit.
pub fn edit() -> impl Strategy<Value = Edit> {
    prop_oneof![
        Just(Edit::Drop),
        (-2i64..3).prop_map(Edit::Move),
        schema().prop_map(Edit::Replace),
        Just(Edit::Rename),
        leaf().prop_map(Edit::Add),
        Just(Edit::Reorder),
    ]
}

/// The schema with the edit done at its `at`-th place.
pub fn edited(schema: &Value, edit: &Edit, at: usize) -> Value {
    let mut edited = schema.clone();
    let mut places = 0;
    count(&edited, &mut places);
    let mut left = at % places.max(1);
    change(&mut edited, edit, &mut left);
    edited
}

fn children(schema: &Value) -> Vec<&Value> {
    let Value::Object(members) = schema else { return Vec::new() };
    let mut found = Vec::new();
    for (keyword, value) in members {
        match (keyword.as_str(), value) {
            ("properties" | "patternProperties" | "dependentSchemas", Value::Object(inner)) => {
                found.extend(inner.values());
            }
            ("anyOf" | "oneOf" | "allOf" | "prefixItems", Value::Array(inner)) => {
                found.extend(inner);
            }
            (
                "items"
                | "additionalProperties"
                | "not"
                | "if"
                | "then"
                | "else"
                | "contains"
                | "propertyNames",
                inner,
            ) => found.push(inner),
            _ => {}
        }
    }
    found
}

fn count(schema: &Value, places: &mut usize) {
    *places += 1;
    children(schema).into_iter().for_each(|child| count(child, places));
}

fn change(schema: &mut Value, edit: &Edit, left: &mut usize) -> bool {
    if *left == 0 {
        apply(schema, edit);
        return true;
    }
    *left -= 1;
    let Value::Object(members) = schema else { return false };
    for (keyword, value) in members.iter_mut() {
        let done = match (keyword.as_str(), value) {
            ("properties" | "patternProperties" | "dependentSchemas", Value::Object(inner)) => {
                inner.values_mut().any(|child| change(child, edit, left))
            }
            ("anyOf" | "oneOf" | "allOf" | "prefixItems", Value::Array(inner)) => {
                inner.iter_mut().any(|child| change(child, edit, left))
            }
            (
                "items"
                | "additionalProperties"
                | "not"
                | "if"
                | "then"
                | "else"
                | "contains"
                | "propertyNames",
                inner,
            ) => change(inner, edit, left),
            _ => false,
        };
        if done {
            return true;
        }
    }
    false
}

fn apply(schema: &mut Value, edit: &Edit) {
    match (edit, &mut *schema) {
        (Edit::Replace(other), _) => *schema = other.clone(),
        (Edit::Add(other), _) => *schema = json!({"allOf": [schema.clone(), other]}),
        (Edit::Reorder, _) => *schema = reordered(schema),
        (Edit::Drop, Value::Object(members)) => {
            if let Some(keyword) = members.keys().next_back().cloned() {
                members.shift_remove(&keyword);
            }
        }
        (Edit::Move(by), Value::Object(members)) => {
            for (keyword, value) in members.iter_mut() {
                let limit = keyword.starts_with("min") || keyword.starts_with("max");
                if let (true, Some(number)) = (limit, value.as_i64()) {
                    let moved = number + by;
                    let counts = !matches!(keyword.as_str(), "minimum" | "maximum");
                    *value = json!(if counts { moved.max(0) } else { moved });
                }
            }
        }
        (Edit::Rename, Value::Object(members)) => {
            if let Some(Value::Object(properties)) = members.get_mut("properties")
                && let Some((name, child)) = properties.iter().next()
            {
                let (name, child) = (name.clone(), child.clone());
                properties.shift_remove(&name);
                properties.insert("c".into(), child);
            }
        }
        _ => {}
    }
}

/// The same schema with members, names, alternatives and literals in reverse order.
pub fn reordered(schema: &Value) -> Value {
    match schema {
        Value::Object(members) => Value::Object(
            members
                .iter()
                .rev()
                .map(|(keyword, value)| {
                    let value = match (keyword.as_str(), value) {
                        ("const", value) => value.clone(),
                        ("enum" | "required" | "type", Value::Array(items)) => {
                            Value::Array(items.iter().rev().cloned().collect())
                        }
                        ("anyOf" | "oneOf" | "allOf", Value::Array(items)) => {
                            Value::Array(items.iter().rev().map(reordered).collect())
                        }
                        ("prefixItems", Value::Array(items)) => {
                            Value::Array(items.iter().map(reordered).collect())
                        }
                        (_, value) => reordered(value),
                    };
                    (keyword.clone(), value)
                })
                .collect(),
        ),
        other => other.clone(),
    }
}
