//! Lenient input: small, certain repairs of arguments that miss their schema. What is valid is never touched, and only a
//! valid result is used.

use crate::run::limits::{self, Limits};
use crate::schema::Compiled;
use crate::schema::explain::{self, Repairable, Step};
use serde_json::Value;

/// Repairs may uncover further faults, such as those inside JSON that was text.
const ROUNDS: usize = 4;

/// One thing that lenient input mended before a call.
///
/// | schema wants | came | becomes |
/// |---|---|---|
/// | a number | a whole number as text: `"5"` | `5` |
/// | an array or object | its JSON text: `"[1, 2]"` | `[1, 2]` |
/// | an optional member that is not null | `null` | the member is absent |
/// | one of some texts | one of them in another case: `"OPEN"` | `"open"` |
///
/// Where a union leaves open which of several repairs is meant, none is made.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Repair {
    /// Where, as a JSON pointer into the arguments.
    pub pointer: String,
    /// What was done, without the value.
    pub action: &'static str,
}

/// Mends arguments. `None` where something is beyond certain repair, or the result is not valid.
pub(crate) fn mend(
    input: &Compiled,
    arguments: &Value,
    limits: &Limits,
) -> Option<(Value, Vec<Repair>)> {
    let mut mended = arguments.clone();
    let mut repairs = Vec::new();
    for _ in 0..ROUNDS {
        let mut progress = false;
        for (path, how) in explain::repairable(input, &mended) {
            if let Some(action) = apply(&mut mended, &path, &how) {
                repairs.push(Repair { pointer: explain::pointer(&path), action });
                progress = true;
            }
        }
        if !progress {
            return None;
        }
        // Text that became JSON may be larger than what was measured.
        limits::cap(&mut mended, limits).ok()?;
        if input.validator.is_valid(&mended) {
            return Some((mended, repairs));
        }
    }
    None
}

/// Makes one repair, where it is certain, and says what it was.
fn apply(root: &mut Value, path: &[Step], how: &Repairable) -> Option<&'static str> {
    if let Repairable::Absent = how {
        let (Step::Key(last), parents) = path.split_last()? else { return None };
        let parent = at(root, parents)?.as_object_mut()?;
        return parent.shift_remove(last).map(|_| "null taken as absent");
    }
    let place = at(root, path)?;
    let (value, action) = replacement(place, how)?;
    *place = value;
    Some(action)
}

fn at<'v>(root: &'v mut Value, path: &[Step]) -> Option<&'v mut Value> {
    path.iter().try_fold(root, |value, step| match step {
        Step::Index(position) => value.get_mut(position),
        Step::Key(key) => value.get_mut(key),
    })
}

fn replacement(value: &Value, how: &Repairable) -> Option<(Value, &'static str)> {
    match how {
        Repairable::Type(types) => of_type(value.as_str()?, types),
        Repairable::Allowed(values) => {
            let text = value.as_str()?.to_lowercase();
            let same = |allowed: &&Value| {
                allowed.as_str().is_some_and(|allowed| allowed.to_lowercase() == text)
            };
            let mut candidates = values.iter().filter(same);
            let only = candidates.next().filter(|_| candidates.next().is_none())?;
            Some((only.clone(), "spelling of an allowed value mended"))
        }
        Repairable::Union(branches) => {
            let mut candidates: Vec<(Value, &'static str)> = Vec::new();
            for branch in branches {
                if let Some(candidate) = whole_branch(value, branch)
                    && !candidates.contains(&candidate)
                {
                    candidates.push(candidate);
                }
            }
            candidates.pop().filter(|_| candidates.is_empty())
        }
        Repairable::Absent | Repairable::Jointly => None,
    }
}

/// The value with every repair of one branch made.
fn whole_branch(
    value: &Value,
    repairs: &[(Vec<Step>, Repairable)],
) -> Option<(Value, &'static str)> {
    let mut candidate = value.clone();
    let mut done = None;
    for (path, how) in repairs {
        if let Repairable::Jointly = how {
            continue;
        }
        done = Some(apply(&mut candidate, path, how)?);
    }
    Some((candidate, done?))
}

/// A text as what it spells, where that is of a wanted type.
fn of_type(text: &str, types: &[String]) -> Option<(Value, &'static str)> {
    let wants = |name: &str| types.iter().any(|wanted| wanted == name);
    if (wants("integer") || wants("number")) && is_whole(text) {
        let number =
            text.parse::<i64>().map(Value::from).or_else(|_| text.parse::<u64>().map(Value::from));
        return number.ok().map(|number| (number, "text read as a whole number"));
    }
    let opening = text.trim_start().chars().next()?;
    if wants("array") && opening == '[' || wants("object") && opening == '{' {
        return serde_json::from_str(text).ok().map(|value| (value, "text read as JSON"));
    }
    None
}

/// Digits, perhaps after a minus, as JSON spells whole numbers.
fn is_whole(text: &str) -> bool {
    let digits = text.strip_prefix('-').unwrap_or(text);
    let plain = !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit());
    plain && (digits.len() == 1 || !digits.starts_with('0'))
}
