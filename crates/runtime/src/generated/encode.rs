//! Encoding of typed values back into JSON: what a decoded value came from, but for members its type does not keep.

use crate::Limits;
use crate::run::limits;
use indexmap::IndexMap;
use serde_json::{Number, Value};
use std::cell::Cell;

/// A type that is written as a JSON value.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be the output of a tool",
    label = "does not encode",
    note = "give a generated `Output`, a `serde_json::Value`, or text, numbers, lists and maps of what encodes"
)]
pub trait Encode {
    /// The JSON value. What is nested hundreds of levels deep, as no contract's result is, is written as `null`; a tool
    /// that gives such a result fails, and so does serializing it.
    fn encode(&self) -> Value;

    /// Whether a member of this value is left out: an `Option` that is `None`.
    fn is_absent(&self) -> bool {
        false
    }
}

/// Levels that are written. A level of JSON may be several of Rust: a member, a box, a list.
const LEVELS: usize = 3 * Limits::DEEPEST;

thread_local! {
    /// Levels that are being written on this thread.
    static LEVEL: Cell<usize> = const { Cell::new(0) };
    /// Whether something was too deep since this was last asked.
    static IS_TOO_DEEP: Cell<bool> = const { Cell::new(false) };
}

/// A level that is being written, until dropped.
struct Level;

impl Drop for Level {
    fn drop(&mut self) {
        LEVEL.set(LEVEL.get() - 1);
    }
}

/// Writes something one level further down, where there is one.
pub(crate) fn nested(value: &dyn Encode) -> Value {
    if LEVEL.get() == LEVELS {
        IS_TOO_DEEP.set(true);
        return Value::Null;
    }
    LEVEL.set(LEVEL.get() + 1);
    let _level = Level;
    value.encode()
}

/// The JSON value, or nothing where it is nested too deep.
pub(crate) fn bounded(value: &dyn Encode) -> Option<Value> {
    let outer = IS_TOO_DEEP.replace(false);
    let written = value.encode();
    let is_too_deep = IS_TOO_DEEP.replace(outer);
    (!is_too_deep).then_some(written)
}

impl Encode for bool {
    fn encode(&self) -> Value {
        Value::Bool(*self)
    }
}

impl Encode for i64 {
    fn encode(&self) -> Value {
        Value::from(*self)
    }
}

impl Encode for u64 {
    fn encode(&self) -> Value {
        Value::from(*self)
    }
}

impl Encode for f64 {
    /// JSON has no word for NaN and the infinities: they are written as `null`, as `serde_json` does.
    fn encode(&self) -> Value {
        Number::from_f64(*self).map_or(Value::Null, Value::Number)
    }
}

impl Encode for String {
    fn encode(&self) -> Value {
        Value::String(self.clone())
    }
}

impl Encode for () {
    fn encode(&self) -> Value {
        Value::Null
    }
}

impl Encode for Value {
    fn encode(&self) -> Value {
        // A clone recurses, without a bound of its own.
        if limits::is_deeper(self, Limits::DEEPEST) {
            IS_TOO_DEEP.set(true);
            return Value::Null;
        }
        self.clone()
    }
}

impl<T: Encode> Encode for Option<T> {
    fn encode(&self) -> Value {
        self.as_ref().map_or(Value::Null, T::encode)
    }

    fn is_absent(&self) -> bool {
        self.is_none()
    }
}

impl<T: Encode> Encode for Box<T> {
    fn encode(&self) -> Value {
        nested(&**self)
    }

    fn is_absent(&self) -> bool {
        T::is_absent(self)
    }
}

impl<T: Encode> Encode for Vec<T> {
    fn encode(&self) -> Value {
        Value::Array(self.iter().map(|item| nested(item)).collect())
    }
}

impl<T: Encode> Encode for IndexMap<String, T> {
    fn encode(&self) -> Value {
        Value::Object(self.iter().map(|(name, member)| (name.clone(), nested(member))).collect())
    }
}

macro_rules! encode_tuple {
    ($($name:ident $index:tt),*) => {
        impl<$($name: Encode),*> Encode for ($($name,)*) {
            fn encode(&self) -> Value {
                Value::Array(vec![$(nested(&self.$index)),*])
            }
        }
    };
}

encode_tuple!(A 0);
encode_tuple!(A 0, B 1);
encode_tuple!(A 0, B 1, C 2);
encode_tuple!(A 0, B 1, C 2, D 3);
encode_tuple!(A 0, B 1, C 2, D 3, E 4);
encode_tuple!(A 0, B 1, C 2, D 3, E 4, F 5);
