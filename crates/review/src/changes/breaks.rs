//! All breaks between two schemas: each edit is tried alone, and whatever breaks is put to the new schema as a whole.
//!
//! A break told here is a value that the one schema accepts and the other refuses; what cannot be shown so is left out.

use super::edits::{Edit, edits, with_definitions};
use super::{View, seen};
use crate::diff::{Settings, Verdict, Witness, compare, faults_of};
use serde_json::Value;
use std::time::{Duration, Instant};

/// Edits tried one by one.
const MOST: usize = 60;
/// How long all of them may take. Counts bound the work long before, on all but hostile pairs.
const PATIENCE: Duration = Duration::from_secs(15);

/// One break.
pub(super) struct Break {
    /// The edit that breaks, as a pointer into the side that refuses.
    pub(super) pointer: String,
    /// The value that it refuses.
    pub(super) witness: Witness,
}

/// What was found of the edits.
#[derive(Default)]
pub(super) struct Breaks {
    /// Those that break.
    pub(super) found: Vec<Break>,
    /// Those that were not decided, and why.
    pub(super) open: Vec<(String, String)>,
}

/// The breaks from a schema that accepted to one that may refuse.
pub(super) fn breaks(from: &Value, to: &Value, view: View, settings: &Settings) -> Breaks {
    let mut breaks = Breaks::default();
    let Some(edits) = edits(from, to).filter(|edits| (1..=MOST).contains(&edits.len())) else {
        return breaks;
    };
    let start = Instant::now();
    let base = with_definitions(from, to);
    let mut harmless: Vec<&Edit> = Vec::new();
    for edit in &edits {
        if start.elapsed() > PATIENCE {
            return breaks;
        }
        let mut tried = base.clone();
        edit.make(&mut tried);
        match verdict(from, &tried, view, settings) {
            Verdict::Breaking(witness) => match refused(to, &witness.value) {
                Some(witness) => breaks.found.push(Break { pointer: edit.pointer(), witness }),
                // Another edit makes it good.
                None => harmless.push(edit),
            },
            Verdict::Unproven(why) => breaks.open.push((edit.pointer(), why.to_string())),
            Verdict::Compatible(_) => harmless.push(edit),
        }
    }
    // Edits that break only together.
    if harmless.len() > 1 && !breaks.found.is_empty() {
        let mut tried = base;
        for edit in harmless {
            edit.make(&mut tried);
        }
        if let Verdict::Breaking(witness) = verdict(from, &tried, view, settings)
            && let Some(witness) = refused(to, &witness.value)
        {
            let pointer = witness.faults.first().map(|fault| fault.schema.clone());
            breaks.found.push(Break { pointer: pointer.unwrap_or_default(), witness });
        }
    }
    breaks
}

fn verdict(from: &Value, to: &Value, view: View, settings: &Settings) -> Verdict {
    let patience = settings.patience.min(Duration::from_secs(3));
    seen(view, &compare(from, to, &Settings { patience, ..settings.clone() })).clone()
}

/// What the whole schema says against a value, where it says anything.
fn refused(schema: &Value, value: &Value) -> Option<Witness> {
    let faults = faults_of(schema, "", value).ok().filter(|faults| !faults.is_empty())?;
    Some(Witness { value: value.clone(), faults })
}
