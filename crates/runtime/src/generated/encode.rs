//! Encoding of typed values back into JSON: what a decoded value came from, but for members its type does not keep.

use indexmap::IndexMap;
use serde_json::{Number, Value};

/// A type that is written as a JSON value.
pub trait Encode {
    /// The JSON value.
    fn encode(&self) -> Value;

    /// Whether a member of this value is left out: an `Option` that is `None`.
    fn is_absent(&self) -> bool {
        false
    }
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
        T::encode(self)
    }

    fn is_absent(&self) -> bool {
        T::is_absent(self)
    }
}

impl<T: Encode> Encode for Vec<T> {
    fn encode(&self) -> Value {
        Value::Array(self.iter().map(T::encode).collect())
    }
}

impl<T: Encode> Encode for IndexMap<String, T> {
    fn encode(&self) -> Value {
        Value::Object(self.iter().map(|(name, member)| (name.clone(), member.encode())).collect())
    }
}

macro_rules! encode_tuple {
    ($($name:ident $index:tt),*) => {
        impl<$($name: Encode),*> Encode for ($($name,)*) {
            fn encode(&self) -> Value {
                Value::Array(vec![$(self.$index.encode()),*])
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
