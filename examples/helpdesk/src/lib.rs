//! A help desk's tools: contracts in `schemas/`, what Toolcast generates from them in `generated/`, and here the code
//! that answers.

mod database;
mod handlers;

pub use database::Database;

use handlers::office_hours;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use toolcast::{Error, Toolset};

/// The tools' types and traits, generated from `schemas/`; `generated/` is the copy to read.
pub mod tools {
    toolcast::include_tools!();
}

/// All tools of the help desk.
pub fn toolset(database: Database) -> Toolset {
    Toolset::provider(move |_binding| {
        let desk = HelpDesk::new(database.clone());
        let closing = desk.clone();
        let desk = tools::toolset(desk).on_close(move || std::future::ready(closing.close()));
        Ok::<_, Error>(desk.with(office_hours::tool(database.clone())?))
    })
}

/// Answers the tools of one conversation. The database is everybody's, the notes are this conversation's own.
#[derive(Clone)]
pub struct HelpDesk {
    database: Database,
    notes: Arc<Mutex<Vec<String>>>,
}

impl HelpDesk {
    /// A help desk for a new conversation.
    pub fn new(database: Database) -> Self {
        Self { database, notes: Arc::default() }
    }

    fn notes(&self) -> MutexGuard<'_, Vec<String>> {
        // Pushing a note either happened or did not: a panic elsewhere leaves the list whole.
        self.notes.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Files the notes; called once, however the conversation ends.
    fn close(&self) -> Result<(), Error> {
        let notes = std::mem::take(&mut *self.notes());
        if !notes.is_empty() {
            self.database
                .lock()
                .execute("INSERT INTO notes (text) VALUES (?1)", [notes.join("\n")])?;
        }
        Ok(())
    }
}
