//! Enums of JSON literals: what `literals!` expands to, and all the code that its lines share.

use super::{DecodeError, Encode};
use serde_json::Value;
use std::fmt;

/// Gives an enum its wire form: each variant is one JSON value. Also `Display` and its inverse, `FromStr`.
///
/// ```text
/// literals!(Limit { Few = "few", Ten = 10, Half = 0.5, Unlimited = (), Pair = Json("[1,2]") });
/// ```
///
/// `()` is `null`, and `Json` an array or object as text.
#[doc(hidden)]
#[macro_export]
macro_rules! __literals {
    ($name:ident { $($variant:ident = $wire:expr),* $(,)? }) => {
        impl $crate::generated::Literals for $name {
            const VARIANTS: &'static [Self] = &[$(Self::$variant),*];
            const WIRE: &'static [&'static dyn $crate::generated::Literal] = &[$(&$wire),*];
            fn index(&self) -> usize {
                *self as usize
            }
        }
        impl $crate::generated::Decode for $name {
            fn read(
                value: &$crate::generated::v1::Value,
                _: $crate::generated::Depth,
            ) -> ::core::result::Result<Self, $crate::generated::DecodeError> {
                $crate::generated::read_literal(value)
            }
        }
        impl $crate::generated::Encode for $name {
            fn encode(&self) -> $crate::generated::v1::Value {
                $crate::generated::Literals::wire(self).to_value()
            }
        }
        impl ::core::str::FromStr for $name {
            type Err = $crate::generated::DecodeError;
            fn from_str(text: &str) -> ::core::result::Result<Self, $crate::generated::DecodeError> {
                $crate::generated::parse_literal(text)
            }
        }
        impl ::core::fmt::Display for $name {
            fn fmt(&self, f: &mut ::core::fmt::Formatter<'_>) -> ::core::fmt::Result {
                $crate::generated::Literals::wire(self).show(f)
            }
        }
        $crate::__serde!($name);
    };
}

/// An enum whose variants are JSON values.
#[doc(hidden)]
pub trait Literals: Sized + Copy + 'static {
    /// The variants in declaration order.
    const VARIANTS: &'static [Self];
    /// Their JSON values, in the same order.
    const WIRE: &'static [&'static dyn Literal];

    /// The variant's place in both.
    fn index(&self) -> usize;

    /// The variant's JSON value.
    fn wire(&self) -> &'static dyn Literal {
        Self::WIRE[self.index()]
    }
}

/// Finds the variant of a value.
///
/// # Errors
///
/// Where no variant has this value.
#[doc(hidden)]
pub fn read_literal<T: Literals>(value: &Value) -> Result<T, DecodeError> {
    match find(T::WIRE, value) {
        Some(index) => Ok(T::VARIANTS[index]),
        None => Err(DecodeError::new("not one of the allowed values")),
    }
}

/// Finds the variant that `Display` shows as this text: what a database column or a command-line argument holds.
///
/// # Errors
///
/// Where no variant is shown so.
#[doc(hidden)]
pub fn parse_literal<T: Literals>(text: &str) -> Result<T, DecodeError> {
    match T::WIRE.iter().position(|literal| Shown(*literal).to_string() == text) {
        Some(index) => Ok(T::VARIANTS[index]),
        None => Err(DecodeError::new("not one of the allowed values")),
    }
}

/// A literal as `Display` shows it.
struct Shown(&'static dyn Literal);

impl fmt::Display for Shown {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.show(f)
    }
}

fn find(wire: &[&dyn Literal], value: &Value) -> Option<usize> {
    wire.iter().position(|literal| literal.matches(value))
}

/// A JSON value as a Rust literal.
#[doc(hidden)]
pub trait Literal: Sync {
    /// Whether the value equals this one; numbers by their value, not their spelling.
    fn matches(&self, value: &Value) -> bool;

    /// The JSON value.
    fn to_value(&self) -> Value;

    /// A string as it is, anything else as JSON.
    ///
    /// # Errors
    ///
    /// Where the formatter fails.
    fn show(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.to_value())
    }
}

impl Literal for &'static str {
    fn matches(&self, value: &Value) -> bool {
        matches!(value, Value::String(text) if text == self)
    }

    fn to_value(&self) -> Value {
        Value::String((*self).to_owned())
    }

    fn show(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self)
    }
}

macro_rules! literal {
    ($($type:ty),*) => {$(
        impl Literal for $type {
            fn matches(&self, value: &Value) -> bool {
                same(&self.to_value(), value)
            }

            fn to_value(&self) -> Value {
                Encode::encode(self)
            }
        }
    )*};
}

literal!(bool, i64, u64, f64, ());

impl Literal for i32 {
    fn matches(&self, value: &Value) -> bool {
        same(&self.to_value(), value)
    }

    fn to_value(&self) -> Value {
        Value::from(*self)
    }
}

/// A JSON value as text: an array, an object, or a number that no Rust literal holds.
#[derive(Clone, Copy, Debug)]
pub struct Json(pub &'static str);

impl Literal for Json {
    fn matches(&self, value: &Value) -> bool {
        same(&self.to_value(), value)
    }

    fn to_value(&self) -> Value {
        // The generator wrote this text from a parsed value; were it broken, it would match null and nothing else.
        serde_json::from_str(self.0).unwrap_or(Value::Null)
    }
}

/// Equality as JSON Schema has it: `1` and `1.0` are the same number.
fn same(a: &Value, b: &Value) -> bool {
    match (a, b) {
        (Value::Number(a), Value::Number(b)) => {
            a == b
                || match (a.as_i64(), b.as_i64(), a.as_u64(), b.as_u64()) {
                    (Some(a), Some(b), _, _) => a == b,
                    (_, _, Some(a), Some(b)) => a == b,
                    _ => a.as_f64() == b.as_f64(),
                }
        }
        (Value::Array(a), Value::Array(b)) => {
            a.len() == b.len() && a.iter().zip(b).all(|(a, b)| same(a, b))
        }
        (Value::Object(a), Value::Object(b)) => {
            a.len() == b.len() && a.iter().all(|(name, a)| b.get(name).is_some_and(|b| same(a, b)))
        }
        (a, b) => a == b,
    }
}
