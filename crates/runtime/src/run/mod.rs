//! One run of an agent: the registry of its tools, what it is bound to, its state, its limits, and how it ends.

pub(crate) mod bind_error;
pub(crate) mod binding;
pub(crate) mod clock;
pub(crate) mod lifecycle;
pub(crate) mod limits;
pub(crate) mod registry;
pub(crate) mod run_options;
pub(crate) mod state;
