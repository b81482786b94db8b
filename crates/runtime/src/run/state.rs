//! The run's shared working state: JSON, safe under concurrent tools, never held across an await.

use serde_json::{Map, Value};
use std::fmt;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// Mutable working state that the tools of one run share. Cheap to clone; a clone is the same state.
///
/// It may hold values restored from an earlier session: check them again before trusting them, and never authorise by
/// them.
///
/// ```
/// let state = toolcast::State::new();
/// state.set("visits", 1);
/// let visits = state.update("visits", |visits| {
///     *visits = (visits.as_i64().unwrap_or(0) + 1).into();
///     visits.clone()
/// });
/// assert_eq!(visits, 2);
/// ```
#[derive(Clone, Default)]
pub struct State {
    members: Arc<Mutex<Map<String, Value>>>,
}

impl State {
    /// An empty state.
    pub fn new() -> Self {
        Self::default()
    }

    // A closure that panicked inside `update` leaves JSON behind, which is whole at every moment.
    fn members(&self) -> MutexGuard<'_, Map<String, Value>> {
        self.members.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// A copy of one value.
    pub fn get(&self, key: &str) -> Option<Value> {
        self.members().get(key).cloned()
    }

    /// Sets one value and returns the one before it.
    pub fn set(&self, key: impl Into<String>, value: impl Into<Value>) -> Option<Value> {
        self.members().insert(key.into(), value.into())
    }

    /// Removes one value and returns it.
    pub fn remove(&self, key: &str) -> Option<Value> {
        self.members().shift_remove(key)
    }

    /// Reads and changes one value as one step, no other tool in between. An absent one starts as `null`.
    ///
    /// The closure must not call the state again: it holds the lock.
    pub fn update<R>(&self, key: &str, change: impl FnOnce(&mut Value) -> R) -> R {
        change(self.members().entry(key).or_insert(Value::Null))
    }

    /// A copy of everything, for a session to keep.
    pub fn snapshot(&self) -> Map<String, Value> {
        self.members().clone()
    }

    /// Replaces everything by what a session kept.
    pub fn restore(&self, snapshot: Map<String, Value>) {
        *self.members() = snapshot;
    }
}

impl fmt::Debug for State {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("State").field(&self.members().keys().cloned().collect::<Vec<_>>()).finish()
    }
}
