//! The run's shared working state: JSON, safe under concurrent tools, never held across an await.

use serde_json::{Map, Value};
use std::cell::RefCell;
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
        let place = self.place();
        let is_updating = UPDATING.with_borrow(|states| states.contains(&place));
        assert!(!is_updating, "the closure of `State::update` uses the state that it updates");
        self.members.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn place(&self) -> usize {
        Arc::as_ptr(&self.members).addr()
    }

    /// A copy of one value.
    pub fn get(&self, key: &str) -> Option<Value> {
        self.members().get(key).cloned()
    }

    /// Sets one value and returns the one before it.
    pub fn set(&self, key: impl Into<String>, value: impl Into<Value>) -> Option<Value> {
        // Converted first: a conversion is the caller's code, and must not run under the lock.
        let (key, value) = (key.into(), value.into());
        self.members().insert(key, value)
    }

    /// Removes one value and returns it.
    pub fn remove(&self, key: &str) -> Option<Value> {
        self.members().shift_remove(key)
    }

    /// Reads and changes one value as one step, no other tool in between. An absent one starts as `null`.
    ///
    /// The closure must not use the state again, which is locked meanwhile.
    ///
    /// # Panics
    ///
    /// Where the closure does so all the same: waiting for itself would never end.
    pub fn update<R>(&self, key: &str, change: impl FnOnce(&mut Value) -> R) -> R {
        let mut members = self.members();
        let _updating = Updating::begin(self.place());
        change(members.entry(key).or_insert(Value::Null))
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

thread_local! {
    /// The states that closures of this thread are updating.
    static UPDATING: RefCell<Vec<usize>> = const { RefCell::new(Vec::new()) };
}

/// An update, from its begin to its end, even if the closure panics.
struct Updating;

impl Updating {
    fn begin(state: usize) -> Self {
        UPDATING.with_borrow_mut(|states| states.push(state));
        Self
    }
}

impl Drop for Updating {
    fn drop(&mut self) {
        UPDATING.with_borrow_mut(|states| states.pop());
    }
}

/// A state that starts with what a session kept.
impl From<Map<String, Value>> for State {
    fn from(members: Map<String, Value>) -> Self {
        Self { members: Arc::new(Mutex::new(members)) }
    }
}

impl fmt::Debug for State {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("State").field(&self.members().keys().cloned().collect::<Vec<_>>()).finish()
    }
}
