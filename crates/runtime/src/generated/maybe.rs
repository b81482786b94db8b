//! Three states: a member that is absent, one that is `null`, and one that has a value.

use super::{Decode, DecodeError, Depth, Encode};
use serde_json::Value;

/// An optional member that may also be `null`, where the two are told apart.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Maybe<T> {
    /// The member is not there.
    #[default]
    Absent,
    /// The member is `null`.
    Null,
    /// The member has a value.
    Value(T),
}

impl<T> Maybe<T> {
    /// The value, where there is one.
    pub fn value(self) -> Option<T> {
        match self {
            Self::Value(value) => Some(value),
            Self::Absent | Self::Null => None,
        }
    }

    /// A reference to the value, where there is one.
    pub fn as_ref(&self) -> Maybe<&T> {
        match self {
            Self::Absent => Maybe::Absent,
            Self::Null => Maybe::Null,
            Self::Value(value) => Maybe::Value(value),
        }
    }

    /// The same state with the value mapped.
    pub fn map<U>(self, map: impl FnOnce(T) -> U) -> Maybe<U> {
        match self {
            Self::Absent => Maybe::Absent,
            Self::Null => Maybe::Null,
            Self::Value(value) => Maybe::Value(map(value)),
        }
    }

    /// Whether the member is not there.
    pub fn is_absent(&self) -> bool {
        matches!(self, Self::Absent)
    }

    /// Whether the member is `null`.
    pub fn is_null(&self) -> bool {
        matches!(self, Self::Null)
    }

    /// The value, or another where the member is absent or `null`.
    pub fn unwrap_or(self, other: T) -> T {
        self.value().unwrap_or(other)
    }
}

/// A value is present.
impl<T> From<T> for Maybe<T> {
    fn from(value: T) -> Self {
        Self::Value(value)
    }
}

impl<T: Decode> Decode for Maybe<T> {
    fn read(value: &Value, depth: Depth) -> Result<Self, DecodeError> {
        match value {
            Value::Null => Ok(Self::Null),
            value => T::read(value, depth).map(Self::Value),
        }
    }

    fn absent() -> Option<Self> {
        Some(Self::Absent)
    }
}

impl<T: Encode> Encode for Maybe<T> {
    fn encode(&self) -> Value {
        match self {
            Self::Absent | Self::Null => Value::Null,
            Self::Value(value) => value.encode(),
        }
    }

    fn is_absent(&self) -> bool {
        matches!(self, Self::Absent)
    }
}
