//! Sets of JSON types. `integer` is a type of its own: the whole numbers, a part of `number`.

use super::decimal::Decimal;
use super::document::Document;
use serde_json::{Map, Value};

/// A set of JSON types.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Types(u8);

impl Types {
    pub(super) const STRING: Self = Self(1);
    pub(super) const INTEGER: Self = Self(2);
    /// Numbers that are not whole.
    pub(super) const FRACTION: Self = Self(4);
    pub(super) const NUMBER: Self = Self(6);
    pub(super) const BOOLEAN: Self = Self(8);
    pub(super) const OBJECT: Self = Self(16);
    pub(super) const ARRAY: Self = Self(32);
    pub(super) const NULL: Self = Self(64);
    pub(super) const ALL: Self = Self(127);
    pub(super) const NONE: Self = Self(0);

    /// One set a type, in the order in which samples are tried.
    pub(super) const EACH: [Self; 7] = [
        Self::STRING,
        Self::INTEGER,
        Self::FRACTION,
        Self::BOOLEAN,
        Self::OBJECT,
        Self::ARRAY,
        Self::NULL,
    ];

    pub(super) fn and(self, other: Self) -> Self {
        Self(self.0 & other.0)
    }

    pub(super) fn or(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }

    pub(super) fn without(self, other: Self) -> Self {
        Self(self.0 & !other.0)
    }

    pub(super) fn meets(self, other: Self) -> bool {
        self.0 & other.0 != 0
    }

    pub(super) fn within(self, other: Self) -> bool {
        self.0 & !other.0 == 0
    }

    fn named(name: &str) -> Self {
        match name {
            "string" => Self::STRING,
            "integer" => Self::INTEGER,
            "number" => Self::NUMBER,
            "boolean" => Self::BOOLEAN,
            "object" => Self::OBJECT,
            "array" => Self::ARRAY,
            "null" => Self::NULL,
            _ => Self::NONE,
        }
    }

    /// The type of a value.
    pub(super) fn of(value: &Value, document: Document<'_>) -> Self {
        match value {
            Value::Null => Self::NULL,
            Value::Bool(_) => Self::BOOLEAN,
            Value::String(_) => Self::STRING,
            Value::Array(_) => Self::ARRAY,
            Value::Object(_) => Self::OBJECT,
            Value::Number(number) => {
                let whole = if document.strict_integers() {
                    number.is_i64() || number.is_u64()
                } else {
                    number.is_i64()
                        || number.is_u64()
                        || number.as_f64().is_some_and(|float| float.fract() == 0.0)
                };
                if whole { Self::INTEGER } else { Self::FRACTION }
            }
        }
    }

    /// What the keywords of one schema object leave: `type`, `const` and `enum`.
    pub(super) fn declared(schema: &Map<String, Value>, document: Document<'_>) -> Self {
        let mut types = match schema.get("type") {
            Some(Value::String(name)) => Self::named(name),
            Some(Value::Array(names)) => names
                .iter()
                .filter_map(Value::as_str)
                .fold(Self::NONE, |types, name| types.or(Self::named(name))),
            _ => Self::ALL,
        };
        // Equality is by value: a float meets a whole literal even where it is no integer.
        let of = |value: &Value| match value {
            Value::Number(_) if document.strict_integers() => Self::NUMBER,
            value => Self::of(value, document),
        };
        if let Some(value) = schema.get("const") {
            types = types.and(of(value));
        }
        if let Some(Value::Array(values)) = schema.get("enum") {
            let union = values.iter().fold(Self::NONE, |types, value| types.or(of(value)));
            types = types.and(union);
        }
        types
    }
}

/// Equality as JSON Schema has it: `1` and `1.0` are one value.
pub(super) fn same_value(left: &Value, right: &Value) -> bool {
    match (left, right) {
        (Value::Number(a), Value::Number(b)) => {
            a == b
                || match (Decimal::of(a), Decimal::of(b)) {
                    (Some(a), Some(b)) => a.compare(b) == Some(std::cmp::Ordering::Equal),
                    _ => a.as_f64() == b.as_f64(),
                }
        }
        (Value::Array(a), Value::Array(b)) => {
            a.len() == b.len() && a.iter().zip(b).all(|(a, b)| same_value(a, b))
        }
        (Value::Object(a), Value::Object(b)) => {
            a.len() == b.len()
                && a.iter().all(|(name, a)| b.get(name).is_some_and(|b| same_value(a, b)))
        }
        _ => left == right,
    }
}
