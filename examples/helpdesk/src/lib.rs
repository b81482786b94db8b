//! A help desk's tools: contracts in `schemas/`, what Toolcast generates from them in `generated/`, and here the code
//! that answers.

mod database;
mod handlers;

pub use database::Database;

/// The tools' types and traits, generated from `schemas/`; `generated/` is the copy to read.
pub mod tools {
    toolcast::include_tools!();
}

/// Answers every tool of the help desk.
pub struct HelpDesk {
    database: Database,
}

impl HelpDesk {
    /// A help desk on a database.
    pub fn new(database: Database) -> Self {
        Self { database }
    }
}
