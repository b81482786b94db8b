//! The `toolcast` command.
fn main() {}
