//! Decoding of validated JSON into typed values. Decoding borrows: the call's raw arguments stay whole.

use serde_json::Value;

/// A type that is read from a JSON value which its schema has accepted.
///
/// Whole numbers in float spelling (`5.0`, `1e2`) are integers here, as they are in JSON Schema.
pub trait Decode: Sized {
    /// Reads the value.
    ///
    /// # Errors
    ///
    /// Where the value has a shape that the type cannot hold, such as an integer beyond 64 bits.
    fn decode(value: &Value) -> Result<Self, DecodeError>;

    /// The value of an absent member, where the type has one: `None` for an `Option`.
    fn absent() -> Option<Self> {
        None
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
