//! Casts tool contracts into Rust, for build scripts and the command line.
//!
//! In a build script:
//!
//! ```no_run
//! fn main() -> Result<(), toolcast_codegen::Error> {
//!     toolcast_codegen::Build::new("schemas").mirror("generated").compile()
//! }
//! ```
//!
//! Each stage is a function from values to values: [`lower`] decides, [`render`] spells, [`place`] writes. Only the
//! last one and [`Build`] touch the disk, and only [`Build`] asks the environment.

mod build;
mod definitions;
mod docs;
mod error;
mod externs;
mod files;
mod limits;
mod lower;
mod merged;
pub mod model;
mod names;
mod notes;
mod options;
mod render;
mod reserved;

pub use build::Build;
pub use error::{Error, Side};
pub use files::{Files, Mode, Report, place};
pub use lower::lower;
pub use notes::{RULE as UNREPRESENTABLE, UNUSED_NAME, notes};
pub use options::Options;
pub use render::{module_paths, render, render_module, render_with};
/// Contracts, as [`render`] takes them.
pub use toolcast_contract as contract;
