//! What a handler without an output schema answers.

use serde_json::Value;

/// An answer in words or JSON: what a handler returns whose contract has no output schema.
#[derive(Clone, Debug, PartialEq)]
pub enum Reply {
    /// Words for the model.
    Text(String),
    /// Any JSON value.
    Json(Value),
}

impl From<String> for Reply {
    fn from(text: String) -> Self {
        Self::Text(text)
    }
}

impl From<&str> for Reply {
    fn from(text: &str) -> Self {
        Self::Text(text.to_owned())
    }
}

impl From<Value> for Reply {
    fn from(value: Value) -> Self {
        Self::Json(value)
    }
}
