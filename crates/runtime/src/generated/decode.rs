//! Decoding of validated JSON into typed values. Decoding borrows: the call's raw arguments stay whole.
//!
//! Every impl reads a value once, so decoding is linear; [`Depth`] is passed down and never grows, so it ends.

use super::number;
use indexmap::IndexMap;
use serde_json::Value;
use std::fmt;

/// A type that is read from a JSON value which its schema has accepted.
///
/// Whole numbers in float spelling (`5.0`, `1e2`) are integers here, as they are in JSON Schema.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be the input of a tool",
    label = "does not decode",
    note = "take a generated `Input`, a `serde_json::Value`, or text, numbers, lists and maps of what decodes"
)]
pub trait Decode: Sized {
    /// Reads the value of one level of nesting; `depth` is what is left for the levels below.
    ///
    /// # Errors
    ///
    /// Where the value has a shape that the type cannot hold, such as an integer beyond 64 bits.
    fn read(value: &Value, depth: Depth) -> Result<Self, DecodeError>;

    /// Reads the value.
    ///
    /// # Errors
    ///
    /// Where the value has a shape that the type cannot hold, such as an integer beyond 64 bits.
    fn decode(value: &Value) -> Result<Self, DecodeError> {
        Self::read(value, Depth::FULL)
    }

    /// The value of an absent member, where the type has one: `None` for an `Option`.
    fn absent() -> Option<Self> {
        None
    }
}

/// How many levels of arrays and objects may still be entered.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Depth(u16);

impl Depth {
    /// The levels a value may have: twice what `serde_json` parses from text.
    pub const FULL: Self = Self(256);

    /// One level down.
    ///
    /// # Errors
    ///
    /// Where no level is left.
    #[inline]
    pub fn enter(self) -> Result<Self, DecodeError> {
        match self.0.checked_sub(1) {
            Some(left) => Ok(Self(left)),
            None => Err(DecodeError::new(format!("nested deeper than {} levels", Self::FULL.0))),
        }
    }
}

/// Why a value could not be decoded, and where.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DecodeError {
    /// JSON pointer from the root of the arguments.
    pub pointer: String,
    /// What was wrong, without the value itself.
    pub message: String,
}

impl DecodeError {
    /// An error at the value being read; [`DecodeError::within`] adds the way to it.
    #[cold]
    pub fn new(message: impl Into<String>) -> Self {
        Self { pointer: String::new(), message: message.into() }
    }

    /// Prepends a member's name or an item's index to the pointer.
    #[cold]
    #[must_use]
    pub fn within(mut self, segment: &str) -> Self {
        let mut pointer = String::with_capacity(self.pointer.len() + segment.len() + 1);
        pointer.push('/');
        for character in segment.chars() {
            match character {
                '~' => pointer.push_str("~0"),
                '/' => pointer.push_str("~1"),
                other => pointer.push(other),
            }
        }
        pointer.push_str(&self.pointer);
        self.pointer = pointer;
        self
    }

    /// An error that names what was expected and the type that came.
    #[cold]
    pub(crate) fn expected(what: &str, value: &Value) -> Self {
        let came = match value {
            Value::Null => "null",
            Value::Bool(_) => "a boolean",
            Value::Number(_) => "a number",
            Value::String(_) => "a string",
            Value::Array(_) => "an array",
            Value::Object(_) => "an object",
        };
        Self::new(format!("expected {what}, got {came}"))
    }
}

impl fmt::Display for DecodeError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.pointer.is_empty() {
            f.write_str(&self.message)
        } else {
            write!(f, "{}: {}", self.pointer, self.message)
        }
    }
}

impl std::error::Error for DecodeError {}

/// Reads a value from JSON text: a default that no Rust literal spells.
///
/// # Errors
///
/// Where the text is not JSON or does not fit the type.
pub fn from_json<T: Decode>(text: &str) -> Result<T, DecodeError> {
    let value: Value = serde_json::from_str(text).map_err(|error| {
        DecodeError::new(format!("a default of the contract is not JSON: {error}"))
    })?;
    T::decode(&value)
}

impl Decode for bool {
    fn read(value: &Value, _: Depth) -> Result<Self, DecodeError> {
        value.as_bool().ok_or_else(|| DecodeError::expected("a boolean", value))
    }
}

impl Decode for i64 {
    fn read(value: &Value, _: Depth) -> Result<Self, DecodeError> {
        match value {
            Value::Number(number) => match number.as_i64() {
                Some(whole) => Ok(whole),
                None => number::whole(number),
            },
            other => Err(DecodeError::expected("an integer", other)),
        }
    }
}

impl Decode for u64 {
    fn read(value: &Value, _: Depth) -> Result<Self, DecodeError> {
        match value {
            Value::Number(number) => match number.as_u64() {
                Some(whole) => Ok(whole),
                None => number::whole(number),
            },
            other => Err(DecodeError::expected("an integer", other)),
        }
    }
}

impl Decode for f64 {
    fn read(value: &Value, _: Depth) -> Result<Self, DecodeError> {
        match value {
            Value::Number(number) => {
                number.as_f64().filter(|float| float.is_finite()).ok_or_else(|| {
                    DecodeError::new("the number is beyond the range of a 64-bit float")
                })
            }
            other => Err(DecodeError::expected("a number", other)),
        }
    }
}

impl Decode for String {
    fn read(value: &Value, _: Depth) -> Result<Self, DecodeError> {
        match value {
            Value::String(text) => Ok(text.clone()),
            other => Err(DecodeError::expected("a string", other)),
        }
    }
}

impl Decode for () {
    fn read(value: &Value, _: Depth) -> Result<Self, DecodeError> {
        match value {
            Value::Null => Ok(()),
            other => Err(DecodeError::expected("null", other)),
        }
    }
}

impl Decode for Value {
    fn read(value: &Value, depth: Depth) -> Result<Self, DecodeError> {
        Ok(match value {
            Value::Array(items) => {
                let depth = depth.enter()?;
                let mut copy = Vec::with_capacity(items.len());
                for item in items {
                    copy.push(Self::read(item, depth)?);
                }
                Self::Array(copy)
            }
            Value::Object(members) => {
                let depth = depth.enter()?;
                let mut copy = serde_json::Map::with_capacity(members.len());
                for (name, member) in members {
                    copy.insert(name.clone(), Self::read(member, depth)?);
                }
                Self::Object(copy)
            }
            scalar => scalar.clone(),
        })
    }
}

impl<T: Decode> Decode for Option<T> {
    fn read(value: &Value, depth: Depth) -> Result<Self, DecodeError> {
        match value {
            Value::Null => Ok(None),
            value => T::read(value, depth).map(Some),
        }
    }

    fn absent() -> Option<Self> {
        Some(None)
    }
}

impl<T: Decode> Decode for Box<T> {
    fn read(value: &Value, depth: Depth) -> Result<Self, DecodeError> {
        T::read(value, depth).map(Self::new)
    }

    fn absent() -> Option<Self> {
        T::absent().map(Self::new)
    }
}

impl<T: Decode> Decode for Vec<T> {
    fn read(value: &Value, depth: Depth) -> Result<Self, DecodeError> {
        let Value::Array(items) = value else {
            return Err(DecodeError::expected("an array", value));
        };
        let depth = depth.enter()?;
        let mut list = Self::with_capacity(items.len());
        for (index, item) in items.iter().enumerate() {
            match T::read(item, depth) {
                Ok(item) => list.push(item),
                Err(error) => return Err(error.within(&index.to_string())),
            }
        }
        Ok(list)
    }
}

impl<T: Decode> Decode for IndexMap<String, T> {
    fn read(value: &Value, depth: Depth) -> Result<Self, DecodeError> {
        let Value::Object(members) = value else {
            return Err(DecodeError::expected("an object", value));
        };
        let depth = depth.enter()?;
        let mut map = Self::with_capacity(members.len());
        for (name, member) in members {
            match T::read(member, depth) {
                Ok(member) => map.insert(name.clone(), member),
                Err(error) => return Err(error.within(name)),
            };
        }
        Ok(map)
    }
}

/// The items of an array of exactly `count`.
pub(super) fn items(value: &Value, count: usize) -> Result<&[Value], DecodeError> {
    match value {
        Value::Array(items) if items.len() == count => Ok(items),
        other => Err(DecodeError::expected(&format!("an array of {count} items"), other)),
    }
}

macro_rules! decode_tuple {
    ($count:literal: $($name:ident $index:tt),*) => {
        impl<$($name: Decode),*> Decode for ($($name,)*) {
            fn read(value: &Value, depth: Depth) -> Result<Self, DecodeError> {
                let items = items(value, $count)?;
                let depth = depth.enter()?;
                Ok(($(
                    $name::read(&items[$index], depth)
                        .map_err(|error| error.within(stringify!($index)))?,
                )*))
            }
        }
    };
}

decode_tuple!(1: A 0);
decode_tuple!(2: A 0, B 1);
decode_tuple!(3: A 0, B 1, C 2);
decode_tuple!(4: A 0, B 1, C 2, D 3);
decode_tuple!(5: A 0, B 1, C 2, D 3, E 4);
decode_tuple!(6: A 0, B 1, C 2, D 3, E 4, F 5);
