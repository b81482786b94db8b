//! Any bytes as a contract, from parsing to Rust: it ends, panics nowhere, writes the same twice, what it writes parses
//! as Rust, and the schemas beside it are those of the contracts.
#![no_main]

use libfuzzer_sys::{fuzz_mutator, fuzz_target};
use serde_json::Value;
use toolcast_codegen::{Error, notes, render};
use toolcast_contract::{Catalog, Limits};
use toolcast_fuzz::folder;

fuzz_mutator!(|data: &mut [u8], size: usize, max_size: usize, seed: u32| {
    toolcast_fuzz::mutate(data, size, max_size, seed)
});

fuzz_target!(|bytes: &[u8]| {
    let (catalog, _) = Catalog::parse(&folder(bytes), &Limits::default());
    match render(&catalog) {
        Ok(files) => {
            for (path, text) in files.iter() {
                match path.extension() {
                    Some("rs") => {
                        syn::parse_file(text)
                            .unwrap_or_else(|error| panic!("{path}: {error}\n{text}"));
                    }
                    _ => {
                        let schema: Value = serde_json::from_str(text).expect("a schema is JSON");
                        let is_schema = |part: Option<&Value>| part == Some(&schema);
                        assert!(catalog.contracts.iter().any(|contract| {
                            is_schema(Some(&contract.input)) || is_schema(contract.output.as_ref())
                        }));
                    }
                }
            }
            assert_eq!(render(&catalog).ok(), Some(files));
        }
        Err(Error::Limit { bound, .. }) => assert!(!bound.is_empty()),
        Err(error) => panic!("{error}"),
    }
    drop(notes(&catalog));
});
