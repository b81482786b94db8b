//! The run time of generated code: decoding by the schema, and the hub that generated files import.
//!
//! `v1` is a promise: code generated against it keeps compiling; what it means may be mended here without
//! regenerating.

#[doc(hidden)]
pub mod convert;
mod decode;
pub(crate) mod encode;
mod literal;
mod maybe;
mod modules;
mod number;
mod object;
#[cfg(test)]
mod tests;
mod union;

#[doc(hidden)]
pub use ::serde;
pub use decode::{Decode, DecodeError, Depth, from_json};
pub use encode::Encode;
#[doc(hidden)]
pub use literal::{Json, Literal, Literals, parse_literal, read_literal};
pub use maybe::Maybe;
#[doc(hidden)]
pub use object::{Members, Written, deserialize, serialize};
#[doc(hidden)]
pub use union::{Branch, has, has_value, is, no_branch, tag, tagged};

/// Everything a generated file names. Types of a contract never take one of these names.
pub mod v1 {
    #[doc(hidden)]
    pub use super::convert;
    pub use super::{Decode, DecodeError, Encode, Json, Maybe, from_json};
    pub use crate::{
        __literals as literals, __modules as modules, __object as object, __union as union,
    };
    pub use crate::{Context, Error, Reply, Tool, ToolSpec, Toolset};
    /// A map that keeps the order of its members.
    pub use indexmap::IndexMap as Map;
    pub use serde_json::Value;
    pub use std::future::Future;
    pub use std::sync::Arc;
}
