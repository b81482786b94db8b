//! Random pairs: `Compatible` never where a search finds a counterexample, `Breaking` always with a value that two
//! validators confirm, and a schema against itself always compatible.

use crate::arbitrary::{Edit, edit, edited, reordered, schema, value};
use crate::validators::{accepts, confirm};
use proptest::prelude::*;
use serde_json::{Value, json};
use toolcast_review::diff::{Settings, Verdict, compare};

fn settings() -> Settings {
    Settings { formats: false, ..Settings::default() }
}

/// `PROPTEST_CASES` raises the count.
fn config(cases: u32) -> ProptestConfig {
    let default = ProptestConfig::default();
    let asked = std::env::var("PROPTEST_CASES").is_ok();
    let cases = if asked { default.cases } else { cases };
    ProptestConfig { cases, failure_persistence: None, ..default }
}

fn search(old: &Value, new: &Value, values: &[Value]) -> Option<Value> {
    let reads = |schema: &Value| jsonschema::options().offline().build(schema).ok();
    let (old, new) = (reads(old)?, reads(new)?);
    values.iter().find(|value| old.is_valid(value) && !new.is_valid(value)).cloned()
}

fn check(old: &Value, new: &Value, values: &[Value]) -> Result<(), TestCaseError> {
    let comparison = compare(old, new, &settings());
    match &comparison.strict {
        Verdict::Compatible(proof) => {
            let counterexample = search(old, new, values);
            prop_assert!(
                counterexample.is_none(),
                "{proof}, but {old} accepts {counterexample:?} and {new} does not"
            );
        }
        Verdict::Breaking(witness) => confirm("random", old, new, &witness.value, false),
        Verdict::Unproven(_) => {}
    }
    // Declared callers send a part of all values.
    if comparison.strict.is_compatible() {
        prop_assert!(comparison.declared.is_compatible());
    }
    if let Verdict::Breaking(witness) = &comparison.declared {
        confirm("random, declared", old, new, &witness.value, false);
        prop_assert!(comparison.strict.is_breaking());
    }
    Ok(())
}

proptest! {
    #![proptest_config(config(64))]

    #[test]
    fn no_verdict_of_two_schemas_is_wrong(
        old in schema(),
        new in schema(),
        values in proptest::collection::vec(value(), 200),
    ) {
        check(&old, &new, &values)?;
    }

    #[test]
    fn no_verdict_of_an_edit_is_wrong(
        old in schema(),
        edits in proptest::collection::vec((edit(), 0usize..16), 1..3),
        values in proptest::collection::vec(value(), 200),
        backwards in any::<bool>(),
    ) {
        let new = edits.iter().fold(old.clone(), |schema, (edit, at)| edited(&schema, edit, *at));
        let (old, new) = if backwards { (new, old) } else { (old, new) };
        check(&old, &new, &values)?;
    }

    #[test]
    fn a_schema_takes_what_it_took(schema in schema()) {
        for new in [schema.clone(), reordered(&schema), edited(&schema, &Edit::Reorder, 0)] {
            let comparison = compare(&schema, &new, &settings());
            prop_assert!(comparison.strict.is_compatible(), "{schema} -> {new}: {comparison:?}");
            prop_assert!(comparison.declared.is_compatible());
        }
        let respelt = json!({
            "$comment": "the same, through a definition",
            "$defs": {"whole": schema},
            "$ref": "#/$defs/whole"
        });
        let comparison = compare(&schema, &respelt, &settings());
        prop_assert!(comparison.strict.is_compatible(), "{schema} respelt: {comparison:?}");
    }

    #[test]
    fn a_comparison_is_repeatable(old in schema(), new in schema()) {
        prop_assert_eq!(compare(&old, &new, &settings()), compare(&old, &new, &settings()));
    }
}

#[test]
fn the_search_of_these_tests_finds_what_breaks() {
    let (old, new) = (json!({"type": "integer"}), json!({"type": "integer", "minimum": 0}));
    assert_eq!(search(&old, &new, &[json!("a"), json!(3), json!(-2)]), Some(json!(-2)));
    assert!(accepts(&old, &json!(-2), false));
}
