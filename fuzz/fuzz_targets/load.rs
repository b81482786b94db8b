//! Any bytes as a schemas folder: parsing ends, panics nowhere, and finds the same twice.
#![no_main]

use libfuzzer_sys::fuzz_target;
use toolcast_contract::{Catalog, Limits, Sources};

fuzz_target!(|bytes: &[u8]| {
    // NUL is no part of JSON: it parts the files of the folder.
    let paths = ["tool.json", "defs/shared.json", "boards/tool.json", "boards/defs/inner.json"];
    let files = bytes.split(|byte| *byte == 0).zip(paths);
    let files = files.map(|(bytes, path)| (path.into(), bytes.to_vec()));
    let sources = Sources::from_files("schemas", files);
    let (catalog, diagnostics) = Catalog::parse(&sources, &Limits::default());
    for diagnostic in &diagnostics {
        assert!(!diagnostic.to_string().is_empty());
    }
    let (again, same) = Catalog::parse(&sources, &Limits::default());
    assert_eq!((catalog.contracts, diagnostics), (again.contracts, same));
});
