//! Casts the contracts in `schemas/` into Rust; `generated/` mirrors what compiles, for reviewers.

fn main() -> Result<(), toolcast_codegen::Error> {
    toolcast_codegen::Build::new("schemas").mirror("generated").compile()
}
