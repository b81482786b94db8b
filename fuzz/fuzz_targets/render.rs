//! Any bytes as a contract, from parsing to Rust: it ends, panics nowhere, writes the same twice, and what it writes
//! parses as Rust.
#![no_main]

use libfuzzer_sys::fuzz_target;
use toolcast_codegen::{Error, render};
use toolcast_contract::{Catalog, Limits, Sources};

fuzz_target!(|bytes: &[u8]| {
    // NUL is no part of JSON: it parts the files of the folder.
    let paths = ["tool.json", "defs/shared.json", "boards/tool.json", "boards/defs/inner.json"];
    let files = bytes.split(|byte| *byte == 0).zip(paths);
    let files = files.map(|(bytes, path)| (path.into(), bytes.to_vec()));
    let sources = Sources::from_files("schemas", files);
    let (catalog, _) = Catalog::parse(&sources, &Limits::default());
    match render(&catalog) {
        Ok(files) => {
            for (path, text) in files.iter().filter(|(path, _)| path.extension() == Some("rs")) {
                syn::parse_file(text).unwrap_or_else(|error| panic!("{path}: {error}\n{text}"));
            }
            assert_eq!(render(&catalog).ok(), Some(files));
        }
        Err(Error::Limit { .. }) => {}
        Err(error) => panic!("{error}"),
    }
});
