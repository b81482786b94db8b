//! Any bytes as a schemas folder: parsing ends, panics nowhere, and finds the same twice. Under limits so tight that
//! small inputs meet them, what is left out is told.
#![no_main]

use libfuzzer_sys::{fuzz_mutator, fuzz_target};
use toolcast_contract::{Catalog, Limits, Severity};
use toolcast_fuzz::folder;

const TIGHT: Limits = Limits {
    depth: 6,
    file_bytes: 600,
    total_bytes: 1_000,
    files: 3,
    subschemas: 8,
    total_subschemas: 14,
    pointers: 200,
    faults: 2,
    bundled_subschemas: 12,
    bundled_bytes: 500,
    total_bundled_bytes: 700,
};

fuzz_mutator!(|data: &mut [u8], size: usize, max_size: usize, seed: u32| {
    toolcast_fuzz::mutate(data, size, max_size, seed)
});

fuzz_target!(|bytes: &[u8]| {
    let sources = folder(bytes);
    let (catalog, diagnostics) = Catalog::parse(&sources, &Limits::default());
    for diagnostic in &diagnostics {
        assert!(!diagnostic.to_string().is_empty());
    }
    let (again, same) = Catalog::parse(&sources, &Limits::default());
    assert_eq!((&catalog.contracts, diagnostics), (&again.contracts, same));
    let (fewer, diagnostics) = Catalog::parse(&sources, &TIGHT);
    assert!(
        fewer.contracts.len() >= catalog.contracts.len()
            || diagnostics.iter().any(|diagnostic| diagnostic.severity == Severity::Error)
    );
});
