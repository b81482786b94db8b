//! The primitives of the lock and the gate: the standard library's here, shuttle's in `tests/model.rs`, which compiles
//! the same two files and explores their schedules.

pub(crate) use std::sync::atomic::{AtomicUsize, Ordering};
pub(crate) use std::sync::{Mutex, MutexGuard, PoisonError};
