//! One call's surroundings.

/// One call: who asks, the run it belongs to, cancellation, deadline, progress.
#[derive(Clone, Debug, Default)]
pub struct Context {}
