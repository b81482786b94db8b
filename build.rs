//! Casts our own contracts.

// No `.mirror("generated")` here: our own mirror is written by our own command, so that `generate --check` has
// something to find after a contract was touched.
fn main() -> Result<(), toolcast_codegen::Error> {
    toolcast_codegen::Build::new("schemas").compile()
}
