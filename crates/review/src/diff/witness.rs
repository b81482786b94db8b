//! Turns a candidate into evidence: asked of both validators, shrunk, and explained in the new schema's words.

use super::limits::abandoned;
use super::verdict::{Fault, Witness};
use jsonschema::error::ValidationErrorKind;
use jsonschema::{ValidationError, Validator};
use serde_json::Value;

/// Validations that shrinking one witness may spend.
const SHRINKING: usize = 3_000;
/// Faults told of one witness, and the length of each.
const FAULTS: usize = 8;
const MESSAGE: usize = 300;

/// Who must accept a witness, and who must reject it.
pub(super) struct Validators<'a> {
    pub(super) accepting: Vec<&'a Validator>,
    pub(super) rejecting: &'a Validator,
}

impl Validators<'_> {
    /// Whether a value is a witness.
    pub(super) fn confirm(&self, value: &Value) -> bool {
        self.accepting.iter().all(|old| old.is_valid(value)) && !self.rejecting.is_valid(value)
    }

    /// The first candidate that is a witness, shrunk and explained.
    pub(super) fn first(&self, candidates: impl IntoIterator<Item = Value>) -> Option<Witness> {
        let found = candidates
            .into_iter()
            .take_while(|_| !abandoned())
            .find(|value| self.confirm(value))?;
        let value = self.shrunk(found);
        let faults = faults(self.rejecting, &value);
        Some(Witness { value, faults })
    }

    /// Leaves out what is not needed, largest parts first, as long as it stays a witness.
    fn shrunk(&self, mut value: Value) -> Value {
        let mut left = SHRINKING;
        let mut again = true;
        while again && left > 0 {
            again = false;
            let mut paths = Vec::new();
            places(&value, &mut Vec::new(), &mut paths);
            for path in paths {
                for smaller in reductions(&value, &path) {
                    if left == 0 || abandoned() {
                        return value;
                    }
                    left -= 1;
                    if self.confirm(&smaller) {
                        value = smaller;
                        again = true;
                        break;
                    }
                }
            }
        }
        value
    }
}

#[derive(Clone)]
enum Step {
    Member(String),
    Element(usize),
}

/// Every place in a value, parents before children.
fn places(value: &Value, here: &mut Vec<Step>, found: &mut Vec<Vec<Step>>) {
    if found.len() >= 2_000 {
        return;
    }
    found.push(here.clone());
    match value {
        Value::Object(members) => {
            for (name, member) in members {
                here.push(Step::Member(name.clone()));
                places(member, here, found);
                here.pop();
            }
        }
        Value::Array(items) => {
            for (at, item) in items.iter().enumerate() {
                here.push(Step::Element(at));
                places(item, here, found);
                here.pop();
            }
        }
        _ => {}
    }
}

fn at<'a>(mut value: &'a mut Value, path: &[Step]) -> Option<&'a mut Value> {
    for step in path {
        value = match step {
            Step::Member(name) => value.get_mut(name)?,
            Step::Element(at) => value.get_mut(at)?,
        };
    }
    Some(value)
}

/// The value with something less at `path`.
fn reductions(value: &Value, path: &[Step]) -> Vec<Value> {
    let mut found = Vec::new();
    let mut with = |change: &dyn Fn(&mut Value)| {
        let mut smaller = value.clone();
        if let Some(place) = at(&mut smaller, path) {
            change(place);
            if smaller != *value {
                found.push(smaller);
            }
        }
    };
    let mut place = value;
    for step in path {
        let next = match step {
            Step::Member(name) => place.get(name),
            Step::Element(at) => place.get(at),
        };
        let Some(next) = next else { return found };
        place = next;
    }
    match place {
        Value::Object(members) => {
            // Copies of a large object are large: some members show whether any can go.
            let some = if members.len() > 512 { 32 } else { members.len() };
            for name in members.keys().take(some) {
                with(&|place| {
                    if let Value::Object(members) = place {
                        members.shift_remove(name);
                    }
                });
            }
        }
        Value::Array(items) => {
            if items.len() > 4 {
                with(&|place| {
                    if let Value::Array(items) = place {
                        items.truncate(items.len() / 2);
                    }
                });
            }
            for index in 0..items.len().min(64) {
                with(&|place| {
                    if let Value::Array(items) = place {
                        items.remove(index);
                    }
                });
            }
        }
        Value::String(text) if text.chars().count() > 12 => {
            let characters = text.chars().count();
            for length in [characters / 2, characters - 1] {
                with(&|place| {
                    if let Value::String(text) = place {
                        *text = text.chars().take(length).collect();
                    }
                });
            }
        }
        _ => {}
    }
    found
}

/// What a validator says against a value, the deepest cause of each union's failure included.
pub(super) fn faults(validator: &Validator, value: &Value) -> Vec<Fault> {
    let mut found: Vec<Fault> = Vec::new();
    for error in validator.iter_errors(value).take(FAULTS) {
        tell(&error, &mut found);
    }
    found.truncate(FAULTS);
    found
}

/// The first fault of each numbered member of `values`.
pub(super) fn first_faults(validator: &Validator, values: &Value) -> Vec<(usize, Fault)> {
    /// A single value may have as many faults as it has items.
    const LOOKED_AT: usize = 10_000;
    let mut found: Vec<(usize, Fault)> = Vec::new();
    for error in validator.iter_errors(values).take(LOOKED_AT) {
        let path = error.instance_path().as_str().to_owned();
        let member = path.trim_start_matches('/').split('/').next().unwrap_or_default();
        let Ok(member) = member.parse() else { continue };
        if found.iter().rev().any(|(known, _)| *known == member) {
            continue;
        }
        let mut told = Vec::new();
        tell(&error, &mut told);
        found.extend(told.into_iter().next().map(|fault| (member, fault)));
    }
    found
}

fn tell(error: &ValidationError<'_>, found: &mut Vec<Fault>) {
    found.push(Fault {
        at: error.instance_path().as_str().to_owned(),
        keyword: error.kind().keyword().to_owned(),
        schema: error.schema_path().as_str().to_owned(),
        message: bounded(&error.to_string()),
    });
    let (ValidationErrorKind::AnyOf { context } | ValidationErrorKind::OneOfNotValid { context }) =
        error.kind()
    else {
        return;
    };
    // The branch that came closest says why it did not take the value: one whose type fits.
    let closest = context
        .iter()
        .filter(|errors| !errors.is_empty())
        .min_by_key(|errors| (errors.iter().any(is_of_another_kind), errors.len()));
    if let Some(errors) = closest {
        for error in errors.iter().take(2).filter(|error| !is_of_another_kind(error)) {
            tell(error, found);
        }
    }
}

fn is_of_another_kind(error: &ValidationError<'_>) -> bool {
    matches!(error.kind(), ValidationErrorKind::Type { .. } | ValidationErrorKind::Constant { .. })
}

fn bounded(message: &str) -> String {
    if message.chars().count() <= MESSAGE {
        return message.to_owned();
    }
    let mut short: String = message.chars().take(MESSAGE).collect();
    short.push('…');
    short
}
