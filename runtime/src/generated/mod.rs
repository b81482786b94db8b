//! The run time of generated code: decoding by the schema, and the hub that generated files import.
//!
//! `v1` is a promise: code generated against it keeps compiling; what it means may be mended here without
//! regenerating.

mod decode;

pub use decode::{Decode, DecodeError};

/// Everything a generated file names. Types of a contract never take one of these names.
pub mod v1 {
    pub use super::{Decode, DecodeError};
    pub use crate::{Context, Error, Reply, Tool, ToolSpec};
    pub use serde_json::{Map, Value};
    pub use std::future::Future;
    pub use std::sync::Arc;
}
