//! Whether a new schema takes every value that the old one took: proved, refuted by a value, or left open.
//!
//! A refutation outranks every proof: a witness is a fact, checked by the validator that runs at run time.

mod decide;
mod decimal;
mod dialect;
mod document;
mod equality;
mod evaluate;
mod formats;
mod generate;
mod impossible;
mod keywords;
mod limits;
mod normal;
mod numbers;
mod pattern;
mod prepare;
mod resolve;
mod scalars;
mod shape;
mod strings;
mod subsume;
mod truth;
mod types;
mod verdict;
mod view;
mod walk;
mod witness;

use decide::Decider;
use serde_json::Value;
use std::time::Duration;
use toolcast_validate::{Document, Options};

pub(crate) use impossible::impossible;
pub use verdict::{Fault, Proof, Rules, Side, Verdict, Why, Witness};

/// How a pair is compared.
#[derive(Clone, Debug)]
pub struct Settings {
    /// Whether `format` is asserted, as the run time does; else it is a remark.
    pub formats: bool,
    /// How long one comparison may take at most. Counts bound the work long before, on all but hostile pairs.
    pub patience: Duration,
}

impl Default for Settings {
    fn default() -> Self {
        Self { formats: true, patience: Duration::from_secs(10) }
    }
}

/// What a change of one schema means, under both views.
#[derive(Clone, Debug, PartialEq)]
pub struct Comparison {
    /// For callers who send only members that the old schema declares.
    pub declared: Verdict,
    /// For every value that the old schema accepts.
    pub strict: Verdict,
    /// Where nothing breaks for declared callers: a value that has a member which the new schema no longer declares, and
    /// now silently ignores.
    pub ignored: Option<Witness>,
}

/// Compares two schemas: does `new` accept every value that `old` accepts?
///
/// For the arguments of a tool `old` is the version before the change; for its result the sides are exchanged, since the
/// caller that knows the version before must accept what the version after returns.
#[must_use]
pub fn compare(old: &Value, new: &Value, settings: &Settings) -> Comparison {
    let same =
        |verdict: Verdict| Comparison { declared: verdict.clone(), strict: verdict, ignored: None };
    if let Err(why) = limits::admit(old).and_then(|()| limits::admit(new)) {
        return same(Verdict::Unproven(why));
    }
    let (old, new, formats) = (old.clone(), new.clone(), settings.formats);
    let work = move || match Decider::new(&old, &new, formats) {
        Ok(pair) => pair.comparison(),
        Err(why) => Comparison {
            declared: Verdict::Unproven(why.clone()),
            strict: Verdict::Unproven(why),
            ignored: None,
        },
    };
    limits::bounded(settings.patience, work)
        .unwrap_or_else(|| same(Verdict::Unproven(Why::OutOfTime)))
}

/// What the subschema at `pointer` (empty for the whole) has against `value`, or why it cannot be read.
pub(crate) fn faults_of(
    schema: &Value,
    pointer: &str,
    value: &Value,
) -> Result<Vec<Fault>, String> {
    // The subschema stays in its document, so that its references mean what they meant.
    let validator = match pointer {
        "" => Options::default().compile(schema)?,
        pointer => Options::default().document(schema)?.part(pointer)?,
    };
    if validator.is_valid(value) { Ok(Vec::new()) } else { Ok(witness::faults(&validator, value)) }
}

/// Which values do not fit their subschemas, each with the first thing that is said against it.
///
/// One validator reads them all: one a value would read the whole schema as often as it has values.
pub(crate) fn misfits(schema: &Value, values: &[(String, &Value)]) -> Vec<(usize, Fault)> {
    let parts: serde_json::Map<_, _> = (values.iter().enumerate())
        .map(|(at, (pointer, _))| (at.to_string(), Document::reference(pointer)))
        .collect();
    let all: serde_json::Map<_, _> = (values.iter().enumerate())
        .map(|(at, (_, value))| (at.to_string(), (*value).clone()))
        .collect();
    let probe = serde_json::json!({ "properties": parts });
    match Options::default().document(schema).and_then(|document| document.compile(&probe)) {
        Ok(validator) => witness::first_faults(&validator, &all.into()),
        // A part that cannot be reached hides the others only from each other.
        Err(_) => (values.iter().enumerate().take(ONE_BY_ONE))
            .filter_map(|(at, (pointer, value))| {
                Some((at, faults_of(schema, pointer, value).ok()?.into_iter().next()?))
            })
            .collect(),
    }
}

/// How many values are looked at where each needs a validator of its own.
const ONE_BY_ONE: usize = 100;
