//! Why a value does not fit its schema, in words for a model. The validator decides; this only explains, within a
//! budget, and the same value is always explained the same way.

#[cfg(test)]
mod agreement;
mod declared;
mod explainer;
mod found;
mod keywords;
mod oracle;
mod path;
mod union;
pub(crate) mod wording;

use crate::schema::Compiled;
use serde_json::Value;
use std::fmt::Write as _;

use explainer::Explainer;
use found::Found;
use toolcast_schema::dialect::Dialect;
use toolcast_schema::evaluate::{Bounds, SingleDocument, evaluate};

pub(crate) use declared::Declared;
pub(crate) use found::Repairable;
pub(crate) use oracle::SingleKeywords;
pub(crate) use path::{Step, pointer};

/// Faults that are collected at most; texts show fewer.
const COLLECTED: usize = 1_000;
/// What is told where an explanation would take too long.
const UNTOLD: &str =
    "the value does not fit the schema, which has too many alternatives to say where";
/// What one explanation may take.
const BOUNDS: Bounds = Bounds::new(400_000, 400);

/// How much a text about faults may say.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TextLimits {
    /// Faults listed at most. Default: 20.
    pub max_faults: usize,
    /// Bytes of the whole text at most. Default: 4,096.
    pub max_bytes: usize,
}

impl Default for TextLimits {
    fn default() -> Self {
        Self { max_faults: 20, max_bytes: 4_096 }
    }
}

/// One thing that is wrong with a value.
#[non_exhaustive]
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fault {
    /// What kind of fault it is, stable for machines: the JSON Schema keyword that failed (`required`, `type`, `enum`,
    /// ...), `size` for the size cap, `decode` where no Rust type can hold the value.
    pub code: &'static str,
    /// Where, as a JSON pointer. A missing member is named where it should be.
    pub pointer: String,
    /// What was expected, what came, and how to mend it. Values are masked unless short and harmless.
    pub message: String,
}

/// Every fault of a value that its validator refused, ordered by path.
pub(crate) fn faults(schema: &Compiled, value: &Value) -> Vec<Fault> {
    let (mut found, is_whole) = found(&schema.value, value, COLLECTED, false);
    if found.is_empty() {
        found = match is_whole {
            // What the evaluator does not know: the validator's own first error is better than none.
            true => keywords::first_error(&schema.validator, value),
            // The validator's errors would take as long: those of unions within unions have no end.
            false => vec![Found::new(Vec::new(), "schema", UNTOLD.to_owned())],
        };
    }
    found.sort_by(|one, other| one.path.cmp(&other.path).then_with(|| one.code.cmp(other.code)));
    let mut faults: Vec<Fault> = found.into_iter().map(Found::into_fault).collect();
    faults.dedup();
    faults
}

/// Repairs that the faults of a value suggest, each with the place it mends.
pub(crate) fn repairable(schema: &Compiled, value: &Value) -> Vec<(Vec<Step>, Repairable)> {
    let (found, _) = found(&schema.value, value, COLLECTED, true);
    let repairs = found.into_iter().filter_map(|mut found| {
        let (depth, how) = found.repair.take()?;
        found.path.truncate(depth);
        Some((found.path, how))
    });
    repairs.collect()
}

/// The faults of a value, at most so many, in the order in which they are met; and whether all of it was looked at.
fn found(schema: &Value, value: &Value, most: usize, is_repairing: bool) -> (Vec<Found>, bool) {
    let document = SingleDocument::new(schema, Dialect::Draft2020);
    let mut explainer = Explainer::new(&document, most, is_repairing);
    let mut oracle = oracle::SingleKeywords::default();
    let mut bounds = BOUNDS;
    evaluate(&document, &(), schema, value, &mut oracle, &mut explainer, &mut bounds);
    let is_whole = !bounds.ran_out && !explainer.is_spent();
    (explainer.found(), is_whole)
}

/// The text that a model reads: what the faults are about, one line each, bounded.
pub(crate) fn text(subject: &str, faults: &[Fault], limits: &TextLimits) -> String {
    let many =
        if faults.len() == 1 { "1 fault".to_owned() } else { format!("{} faults", faults.len()) };
    let more = if faults.len() >= COLLECTED { " or more" } else { "" };
    let mut text = format!("{subject}: {many}{more}.");
    // Room for the closing line.
    let room = limits.max_bytes.saturating_sub(32);
    for (shown, fault) in faults.iter().enumerate() {
        let place = if fault.pointer.is_empty() { "(root)" } else { &fault.pointer };
        let line = format!("\n- {}: {}", wording::shortened(place, 200), fault.message);
        if shown == limits.max_faults || text.len() + line.len() > room {
            // Writing into a `String` cannot fail.
            let _ = write!(text, "\n- and {} more", faults.len() - shown);
            break;
        }
        text.push_str(&line);
    }
    text
}
