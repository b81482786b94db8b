//! JSON types as a set, and the type of a value.

use serde_json::Value;

/// JSON types as a set. A number is whole or not: `integer` is [`Types::WHOLE`], `number` both.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Types(u8);

impl Types {
    pub(crate) const NONE: Self = Self(0);
    pub(crate) const NULL: Self = Self(1);
    pub(crate) const BOOL: Self = Self(2);
    pub(crate) const WHOLE: Self = Self(4);
    /// Numbers that are not whole: what `number` adds to `integer`.
    pub(crate) const FRACTION: Self = Self(8);
    pub(crate) const NUMBER: Self = Self(4 | 8);
    pub(crate) const STRING: Self = Self(16);
    pub(crate) const ARRAY: Self = Self(32);
    pub(crate) const OBJECT: Self = Self(64);
    pub(crate) const ALL: Self = Self(127);
    /// The types that a value other than null can have, one each.
    pub(crate) const EACH: [(Self, &'static str); 6] = [
        (Self::BOOL, "boolean"),
        (Self::NUMBER, "number"),
        (Self::WHOLE, "integer"),
        (Self::STRING, "string"),
        (Self::ARRAY, "array"),
        (Self::OBJECT, "object"),
    ];

    pub(crate) fn and(self, other: Self) -> Self {
        Self(self.0 & other.0)
    }

    pub(crate) fn or(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }

    pub(crate) fn without(self, other: Self) -> Self {
        Self(self.0 & !other.0)
    }

    pub(crate) fn has(self, other: Self) -> bool {
        self.0 & other.0 == other.0
    }

    pub(crate) fn is_none(self) -> bool {
        self.0 == 0
    }

    /// The single types in this set, numbers as one.
    pub(crate) fn each(self) -> Vec<(Self, &'static str)> {
        let mut each: Vec<_> = Self::EACH.into_iter().filter(|(ty, _)| self.has(*ty)).collect();
        if self.has(Self::NUMBER) {
            each.retain(|(ty, _)| *ty != Self::WHOLE);
        } else if self.has(Self::FRACTION) {
            each.push((Self::FRACTION, "number"));
        }
        each
    }

    pub(super) fn named(name: &str) -> Self {
        match name {
            "null" => Self::NULL,
            "boolean" => Self::BOOL,
            "integer" => Self::WHOLE,
            "number" => Self::NUMBER,
            "string" => Self::STRING,
            "array" => Self::ARRAY,
            "object" => Self::OBJECT,
            _ => Self::NONE,
        }
    }

    pub(crate) fn of(value: &Value) -> Self {
        match value {
            Value::Null => Self::NULL,
            Value::Bool(_) => Self::BOOL,
            Value::Number(number) if number.is_f64() => match number.as_f64() {
                Some(float) if float.fract() == 0.0 => Self::WHOLE,
                _ => Self::FRACTION,
            },
            Value::Number(_) => Self::WHOLE,
            Value::String(_) => Self::STRING,
            Value::Array(_) => Self::ARRAY,
            Value::Object(_) => Self::OBJECT,
        }
    }
}
