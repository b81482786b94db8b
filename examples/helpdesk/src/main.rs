//! A help desk's tools on an embedded database.
fn main() {}
