//! Loads a folder of tool contracts and models them. Nothing here knows of Rust output or of a validator.
//!
//! [`Sources`] are the bytes of a folder; [`Catalog::parse`] turns them into contracts and diagnostics, without touching
//! the disk; [`load`] does both. All faults of all files are found in one run.
//!
//! ```
//! use toolcast_contract::{Catalog, Limits, Sources};
//!
//! let file = br#"{ "description": "Say hello.", "type": "object", "properties": { "name": { "type": "strin" } } }"#;
//! let sources = Sources::from_files("schemas", [("hello.json".into(), file.to_vec())]);
//! let (catalog, diagnostics) = Catalog::parse(&sources, &Limits::default());
//! assert!(catalog.contracts.is_empty());
//! assert_eq!(
//!     diagnostics[0].to_string(),
//!     "schemas/hello.json:1:84: error[keyword-shape]: `type` takes the name of a type or a list of names, not \
//!      `\"strin\"`\n  help: write `string`",
//! );
//! ```

mod catalog;
mod contract;
pub mod reader;
pub mod rules;
mod sources;
mod tool;

/// The contract format's own JSON Schema, for editors: see `docs/editor.md`.
pub const FORMAT_SCHEMA: &str = include_str!("../contract.schema.json");

pub use catalog::{Catalog, Origin, Part, holds_definitions, load};
pub use contract::{Annotations, Contract};
pub use rules::{RULES, Rule};
pub use sources::Sources;
pub use toolcast_schema::diagnostic::{Diagnostic, Position, Severity, one_line};
pub use toolcast_schema::encoding::{Encoding, text};
pub use toolcast_schema::keyword::subschemas;
pub use toolcast_schema::limits::Limits;
pub use toolcast_schema::nearest::nearest;
