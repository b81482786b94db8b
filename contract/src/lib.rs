//! Loads a folder of tool contracts and models them. Nothing here knows of Rust output or of a validator.
//!
//! `Sources` are the bytes of a folder; `Catalog::parse` turns them into contracts and diagnostics, without touching
//! the disk; `load` does both.

mod catalog;
mod diagnostic;

pub use catalog::{Annotations, Catalog, Contract};
pub use diagnostic::{Diagnostic, Position, Severity};
