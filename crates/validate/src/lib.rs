//! The one place that configures `jsonschema`: its options, and the bound on what validating may cost. Whatever is
//! validated anywhere, at a call or in a review, is validated by the same rules.
//!
//! ```
//! use serde_json::json;
//! use toolcast_validate::Options;
//!
//! let validator = Options::default().compile(&json!({ "type": "string", "pattern": "^SUP-[0-9]+$" }))?;
//! assert!(validator.is_valid(&json!("SUP-481")));
//! assert!(!validator.is_valid(&json!("481")));
//! # Ok::<(), String>(())
//! ```

mod complexity;
mod options;
mod pattern;

pub use complexity::{MAX_APPLIED, MAX_CHAIN, MAX_DEPTH, check_complexity};
pub use options::{Document, MAX_BACKTRACKS, MAX_PATTERN_BYTES, Options};
pub use pattern::with_plain_patterns;

#[doc(no_inline)]
pub use jsonschema::error::ValidationErrorKind;
#[doc(no_inline)]
pub use jsonschema::{Draft, ValidationError, Validator};
