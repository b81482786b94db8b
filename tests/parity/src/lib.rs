//! Sends real calls through generated bindings and compares what comes back with what was sent.
//!
//! `corpus` and `suite` read batches of tools and calls; `bindings` generates; `scratch` compiles the bindings outside
//! the project; `driver` executes; `compare` holds the rules of equality; `run` counts and `report` prints.
//! `cases` reads small contracts of which it is written down what must come back.
//! `peer` sends calls through another generator's types as well, on the `plain` subset where that one is right.

pub mod bindings;
pub mod cases;
pub mod compare;
pub mod corpus;
pub mod driver;
pub mod peer;
pub mod plain;
pub mod random;
pub mod report;
pub mod run;
pub mod scratch;
pub mod suite;
