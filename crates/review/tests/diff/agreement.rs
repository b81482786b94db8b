//! Verdicts against two validators that share no code, on random pairs and random values. `TOOLCAST_PAIRS` raises the count.

use crate::arbitrary::{edit, edited, schema, value};
use crate::validators::{boon_accepts, confirm};
use proptest::prelude::*;
use proptest::strategy::ValueTree as _;
use proptest::test_runner::{Config, RngAlgorithm, TestRng, TestRunner};
use serde_json::Value;
use toolcast_review::diff::{Settings, Verdict, compare};

const VALUES: usize = 60;

/// Counterexamples that either validator sees among the values.
fn counterexample(old: &Value, new: &Value, values: &[Value]) -> Option<Value> {
    let read = |schema| jsonschema::options().offline().build(schema).ok();
    let (reads_old, reads_new) = (read(old)?, read(new)?);
    values
        .iter()
        .find(|value| {
            (reads_old.is_valid(value) && !reads_new.is_valid(value))
                || (boon_accepts(old, value, false) == Some(true)
                    && boon_accepts(new, value, false) == Some(false))
        })
        .cloned()
}

#[test]
fn verdicts_agree_with_two_validators() {
    let asked = std::env::var("TOOLCAST_PAIRS").ok().and_then(|count| count.parse().ok());
    let pairs: usize = asked.unwrap_or(60);
    let seed =
        std::env::var("TOOLCAST_SEED").ok().and_then(|seed| seed.parse().ok()).unwrap_or(1_u8);
    let random = TestRng::from_seed(RngAlgorithm::ChaCha, &[seed; 32]);
    let mut runner = TestRunner::new_with_rng(Config::default(), random);
    let edits = proptest::collection::vec((edit(), 0usize..16), 1..3);
    let drawn = (schema(), schema(), edits, 0..3_u8, proptest::collection::vec(value(), VALUES));
    let settings = Settings { formats: false, ..Settings::default() };
    let (mut compatible, mut breaking, mut unproven) = (0, 0, 0);
    for _ in 0..pairs {
        let tree = drawn.new_tree(&mut runner).expect("nothing is filtered");
        let (one, other, edits, way, values) = tree.current();
        let edited =
            edits.iter().fold(one.clone(), |schema, (edit, at)| edited(&schema, edit, *at));
        let (old, new) = match way {
            0 => (one, other),
            1 => (one, edited),
            _ => (edited, one),
        };
        let comparison = compare(&old, &new, &settings);
        match &comparison.strict {
            Verdict::Compatible(proof) => {
                compatible += 1;
                let found = counterexample(&old, &new, &values);
                assert_eq!(found, None, "{proof}: {old} -> {new}");
            }
            Verdict::Breaking(witness) => {
                breaking += 1;
                confirm("random", &old, &new, &witness.value, false);
            }
            Verdict::Unproven(_) => {
                unproven += 1;
                if asked.is_some() {
                    println!("unproven: {old} -> {new}");
                }
            }
        }
        if let Verdict::Breaking(witness) = &comparison.declared {
            confirm("random, declared", &old, &new, &witness.value, false);
        }
    }
    println!("{pairs} pairs: {compatible} compatible, {breaking} breaking, {unproven} unproven");
}
