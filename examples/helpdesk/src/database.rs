//! The help desk's SQLite database. It creates and seeds itself, once, however many processes open it at the same time.

use rusqlite::types::Type;
use rusqlite::{Connection, Row, TransactionBehavior};
use std::path::Path;
use std::str::FromStr;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;
use toolcast::{Context, Error};

/// An open database. Clones share it.
#[derive(Clone)]
pub struct Database(Arc<Mutex<Connection>>);

impl Database {
    /// A database of this process alone, gone when it ends.
    ///
    /// # Errors
    ///
    /// When SQLite cannot run the seed.
    pub fn in_memory() -> rusqlite::Result<Self> {
        Self::seeded(Connection::open_in_memory()?)
    }

    /// The database in a file, which is created where it is missing.
    ///
    /// # Errors
    ///
    /// When the file cannot be opened or is no database of ours.
    pub fn open(path: &Path) -> rusqlite::Result<Self> {
        Self::seeded(Connection::open(path)?)
    }

    /// Works with the connection where blocking harms nobody: SQLite waits for disks and locks.
    ///
    /// # Errors
    ///
    /// Those of SQLite, of which a model reads no more than that there was one.
    pub async fn run<T, F>(&self, ctx: &Context, work: F) -> Result<T, Error>
    where
        T: Send + 'static,
        F: FnOnce(&Connection) -> rusqlite::Result<T> + Send + 'static,
    {
        let database = self.clone();
        Ok(ctx.blocking(move || work(&database.lock())).await?)
    }

    /// The connection, for one at a time.
    pub fn lock(&self) -> MutexGuard<'_, Connection> {
        // A handler that panicked left no transaction open: dropping one rolls it back.
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn seeded(mut connection: Connection) -> rusqlite::Result<Self> {
        connection.busy_timeout(Duration::from_secs(5))?;
        // The write lock is taken before the version is read, so that of two processes only one seeds.
        let seed = connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
        let version: i64 = seed.pragma_query_value(None, "user_version", |row| row.get(0))?;
        if version == 0 {
            seed.execute_batch(include_str!("seed.sql"))?;
            seed.pragma_update(None, "user_version", 1)?;
        }
        seed.commit()?;
        Ok(Self(Arc::new(Mutex::new(connection))))
    }
}

/// Reads a column that holds one of a contract's words, such as a status, as the contract's enum.
pub fn word<T>(row: &Row<'_>, column: &str) -> rusqlite::Result<T>
where
    T: FromStr<Err: std::error::Error + Send + Sync + 'static>,
{
    let index = row.as_ref().column_index(column)?;
    let text = row.get_ref(index)?.as_str()?;
    text.parse().map_err(|error| {
        rusqlite::Error::FromSqlConversionFailure(index, Type::Text, Box::new(error))
    })
}
