//! What the targets share: inputs that stay JSON while they are mutated. Bytes that are no JSON are refused by the first
//! stage, so a mutator that only knows bytes seldom gets further.
//!
//! An input is JSON documents parted by NUL, which is no part of JSON. What is done to one follows from its bytes and the
//! seed alone, as libFuzzer asks.

mod edit;
mod random;
mod words;

use libfuzzer_sys::fuzzer_mutate;
use random::Random;
use serde_json::Value;
use toolcast_contract::Sources;

/// Edits of one mutation.
const EDITS: u64 = 4;

/// The documents of an input, of which not all need be JSON.
pub fn documents(bytes: &[u8]) -> impl Iterator<Item = &[u8]> {
    bytes.split(|byte| *byte == 0)
}

/// An input as a schemas folder: a tool, definitions, and the same in a toolset.
pub fn folder(bytes: &[u8]) -> Sources {
    let paths = ["tool.json", "defs/shared.json", "boards/other.json", "boards/defs/inner.json"];
    let files = documents(bytes).zip(paths);
    Sources::from_files("schemas", files.map(|(bytes, path)| (path.into(), bytes.to_vec())))
}

/// Changes `data[..size]` and gives its new size. One mutation in six is libFuzzer's own, so that broken JSON is tried
/// too.
pub fn mutate(data: &mut [u8], size: usize, max_size: usize, seed: u32) -> usize {
    let mut random = Random::new(seed);
    if random.one_in(6) {
        return fuzzer_mutate(data, size, max_size);
    }
    let parsed: Result<Vec<Value>, _> =
        documents(&data[..size]).map(serde_json::from_slice).collect();
    let Ok(mut values) = parsed else { return fuzzer_mutate(data, size, max_size) };
    for _ in 0..=random.below(EDITS) {
        edit::edit(&mut values, &mut random);
    }
    let texts: Vec<String> = values.iter().map(Value::to_string).collect();
    let bytes = texts.join("\0");
    if bytes.len() > max_size {
        return fuzzer_mutate(data, size, max_size);
    }
    data[..bytes.len()].copy_from_slice(bytes.as_bytes());
    bytes.len()
}
