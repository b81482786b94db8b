//! Why a value does not fit its schema, in words for a model. The validator decides; this only explains, within a
//! budget, and the same value is always explained the same way.

#[cfg(test)]
mod agreement;
mod found;
mod keywords;
mod path;
mod unevaluated;
mod union;
mod walk;
pub(crate) mod wording;

use crate::schema::Compiled;
use serde_json::Value;
use std::fmt::Write as _;

pub(crate) use found::Repairable;
pub(crate) use path::{Step, pointer};

/// Faults that are collected at most; texts show fewer.
const COLLECTED: usize = 1_000;

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
    let mut found = walk::Walk::new(&schema.value).faults(value, COLLECTED);
    if found.is_empty() {
        // What is not walked (`$dynamicRef`) and budgets that ran out: the validator's own first error is better
        // than none.
        found.extend(keywords::first_error(&schema.validator, value));
    }
    let mut placed: Vec<(Vec<Step>, found::Found)> =
        found.into_iter().map(|found| (found.path.steps(), found)).collect();
    placed.sort_by(|(one, a), (other, b)| one.cmp(other).then_with(|| a.code.cmp(b.code)));
    let mut faults: Vec<Fault> =
        placed.into_iter().map(|(path, found)| found.into_fault(&path)).collect();
    faults.dedup();
    faults
}

/// Repairs that the faults of a value suggest, each with the place it mends.
pub(crate) fn repairable(schema: &Compiled, value: &Value) -> Vec<(Vec<Step>, Repairable)> {
    let found = walk::Walk::new(&schema.value).repairs(value, COLLECTED);
    let repairs = found.into_iter().filter_map(|found| {
        let (depth, how) = found.repair?;
        let mut path = found.path.steps();
        path.truncate(depth);
        Some((path, how))
    });
    repairs.collect()
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
