//! JSON Schema as values: JSON with spans, pointers, URIs, dialects, one table of keywords, references, bundling and one
//! three-valued evaluator. Nothing here knows of tools, of Rust output or of a validator.
//!
//! [`keyword::KEYWORDS`] is the one place that says what a keyword is; [`index::Index`] the one place that follows a
//! reference; [`bundle::bundle`] makes one self-contained schema of a schema and all that it refers to.

pub mod ascii;
pub mod bundle;
pub mod diagnostic;
pub mod dialect;
pub mod encoding;
pub mod evaluate;
pub mod finding;
pub mod form;
pub mod format;
pub mod index;
pub mod instance;
pub mod json;
pub mod keyword;
pub mod limits;
mod metaschema;
pub mod nearest;
pub mod pattern;
pub mod pointer;
pub mod surrogate;
pub mod uri;
