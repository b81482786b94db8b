//! What a user sees from the compiler when handlers and contracts part ways. Each file of `ui/` is a program with one
//! mistake, beside the compiler's words; the bindings are those of the golden folder `compiler`.
//!
//! The words are those of the Rust that the workspace names as its minimum. `TRYBUILD=overwrite` blesses new ones.

#[test]
fn the_compiler_names_the_tool_the_contract_and_the_line() {
    let cases = trybuild::TestCases::new();
    cases.compile_fail("tests/ui/*.rs");
}
