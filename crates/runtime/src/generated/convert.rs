//! Conversion of members into types that are not ours and know nothing of us: what `Build::extern_type` asks for.
//!
//! A marker has the shape of the member's type, `Option<Text>` for `Option<Uuid>`, and says how its leaves are read.
//! What a caller reads of a failed conversion names what was expected, never the value.

use super::{Decode, DecodeError, Depth, Encode, Maybe};
use indexmap::IndexMap;
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::Value;
use std::fmt::{Display, Write as _};
use std::marker::PhantomData;
use std::str::FromStr;

/// How a `T` is read and written.
pub trait Convert<T> {
    /// Reads a value; `what` is said to be expected where a leaf does not convert.
    ///
    /// # Errors
    ///
    /// Where the value has another shape, or does not convert.
    fn read(value: &Value, depth: Depth, what: &str) -> Result<T, DecodeError>;

    /// Writes a value.
    fn write(value: &T) -> Value;

    /// The value of an absent member, where the type has one.
    fn absent() -> Option<T> {
        None
    }

    /// Whether a member of this value is left out.
    fn is_absent(_: &T) -> bool {
        false
    }
}

/// A string: read by `FromStr`, written by `Display`.
#[derive(Debug)]
pub struct Text;

/// Any other value: read and written by serde.
#[derive(Debug)]
pub struct Serde;

/// What is no foreign type.
#[derive(Debug)]
pub struct Plain;

impl<T: FromStr + Display> Convert<T> for Text {
    fn read(value: &Value, _: Depth, what: &str) -> Result<T, DecodeError> {
        let Value::String(text) = value else { return Err(DecodeError::expected(what, value)) };
        text.parse().map_err(|_| {
            DecodeError::new(format!("expected {what}, got a string that does not convert to it"))
        })
    }

    fn write(value: &T) -> Value {
        let mut text = String::new();
        // A `Display` that fails has no text; `to_string` would panic.
        write!(text, "{value}").map_or(Value::Null, |()| Value::String(text))
    }
}

impl<T: Serialize + DeserializeOwned> Convert<T> for Serde {
    fn read(value: &Value, depth: Depth, what: &str) -> Result<T, DecodeError> {
        // Bounds the levels, which serde would enter without asking.
        let copy = Value::read(value, depth)?;
        serde_json::from_value(copy).map_err(|_| {
            DecodeError::new(format!("expected {what}, got a value that does not convert to it"))
        })
    }

    fn write(value: &T) -> Value {
        serde_json::to_value(value).unwrap_or(Value::Null)
    }
}

impl<T: Decode + Encode> Convert<T> for Plain {
    fn read(value: &Value, depth: Depth, _: &str) -> Result<T, DecodeError> {
        T::read(value, depth)
    }

    fn write(value: &T) -> Value {
        value.encode()
    }

    fn absent() -> Option<T> {
        T::absent()
    }

    fn is_absent(value: &T) -> bool {
        value.is_absent()
    }
}

impl<T, A: Convert<T>> Convert<Option<T>> for Option<A> {
    fn read(value: &Value, depth: Depth, what: &str) -> Result<Option<T>, DecodeError> {
        match value {
            Value::Null => Ok(None),
            value => A::read(value, depth, what).map(Some),
        }
    }

    fn write(value: &Option<T>) -> Value {
        value.as_ref().map_or(Value::Null, A::write)
    }

    fn absent() -> Option<Option<T>> {
        Some(None)
    }

    fn is_absent(value: &Option<T>) -> bool {
        value.is_none()
    }
}

impl<T, A: Convert<T>> Convert<Maybe<T>> for Maybe<A> {
    fn read(value: &Value, depth: Depth, what: &str) -> Result<Maybe<T>, DecodeError> {
        match value {
            Value::Null => Ok(Maybe::Null),
            value => A::read(value, depth, what).map(Maybe::Value),
        }
    }

    fn write(value: &Maybe<T>) -> Value {
        value.as_ref().value().map_or(Value::Null, A::write)
    }

    fn absent() -> Option<Maybe<T>> {
        Some(Maybe::Absent)
    }

    fn is_absent(value: &Maybe<T>) -> bool {
        value.is_absent()
    }
}

impl<T, A: Convert<T>> Convert<Vec<T>> for Vec<A> {
    fn read(value: &Value, depth: Depth, what: &str) -> Result<Vec<T>, DecodeError> {
        let Value::Array(items) = value else {
            return Err(DecodeError::expected("an array", value));
        };
        let depth = depth.enter()?;
        let read = |(index, item): (usize, &Value)| {
            A::read(item, depth, what).map_err(|error| error.within(&index.to_string()))
        };
        items.iter().enumerate().map(read).collect()
    }

    fn write(value: &Vec<T>) -> Value {
        Value::Array(value.iter().map(A::write).collect())
    }
}

impl<T, A: Convert<T>> Convert<IndexMap<String, T>> for IndexMap<String, A> {
    fn read(value: &Value, depth: Depth, what: &str) -> Result<IndexMap<String, T>, DecodeError> {
        let Value::Object(members) = value else {
            return Err(DecodeError::expected("an object", value));
        };
        let depth = depth.enter()?;
        let read = |(name, member): (&String, &Value)| match A::read(member, depth, what) {
            Ok(member) => Ok((name.clone(), member)),
            Err(error) => Err(error.within(name)),
        };
        members.iter().map(read).collect()
    }

    fn write(value: &IndexMap<String, T>) -> Value {
        Value::Object(value.iter().map(|(name, one)| (name.clone(), A::write(one))).collect())
    }
}

macro_rules! convert_tuple {
    ($count:literal: $($name:ident $marker:ident $index:tt),*) => {
        impl<$($name, $marker: Convert<$name>),*> Convert<($($name,)*)> for ($($marker,)*) {
            fn read(
                value: &Value,
                depth: Depth,
                what: &str,
            ) -> Result<($($name,)*), DecodeError> {
                let items = super::decode::items(value, $count)?;
                let depth = depth.enter()?;
                Ok(($(
                    $marker::read(&items[$index], depth, what)
                        .map_err(|error| error.within(stringify!($index)))?,
                )*))
            }

            fn write(value: &($($name,)*)) -> Value {
                Value::Array(vec![$($marker::write(&value.$index)),*])
            }
        }
    };
}

convert_tuple!(1: A M 0);
convert_tuple!(2: A M 0, B N 1);
convert_tuple!(3: A M 0, B N 1, C O 2);
convert_tuple!(4: A M 0, B N 1, C O 2, D P 3);
convert_tuple!(5: A M 0, B N 1, C O 2, D P 3, E Q 4);
convert_tuple!(6: A M 0, B N 1, C O 2, D P 3, E Q 4, F R 5);

/// A value as its marker writes it.
#[doc(hidden)]
#[derive(Debug)]
pub struct Via<'a, A, T>(&'a T, PhantomData<A>);

/// A value as its marker writes it.
#[doc(hidden)]
pub fn via<A: Convert<T>, T>(value: &T) -> Via<'_, A, T> {
    Via(value, PhantomData)
}

impl<A: Convert<T>, T> Encode for Via<'_, A, T> {
    fn encode(&self) -> Value {
        A::write(self.0)
    }

    fn is_absent(&self) -> bool {
        A::is_absent(self.0)
    }
}

/// Reads a value as its marker says.
///
/// # Errors
///
/// Where the value has another shape, or does not convert.
#[doc(hidden)]
pub fn read<A: Convert<T>, T>(value: &Value, depth: Depth, what: &str) -> Result<T, DecodeError> {
    A::read(value, depth, what)
}

/// Reads a default of the contract from JSON text.
///
/// # Errors
///
/// Where the text is no JSON, or does not convert.
#[doc(hidden)]
pub fn default<A: Convert<T>, T>(text: &str, what: &str) -> Result<T, DecodeError> {
    let fault = |error: &dyn Display| {
        DecodeError::new(format!("a default of the contract does not fit: {error}"))
    };
    let value: Value = serde_json::from_str(text).map_err(|error| fault(&error))?;
    A::read(&value, Depth::FULL, what).map_err(|error| fault(&error))
}
