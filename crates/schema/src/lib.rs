//! JSON Schema as values: JSON with spans, pointers, URIs, dialects, one table of keywords, references, bundling and one
//! three-valued evaluator. Nothing here knows of tools, of Rust output or of a validator.
