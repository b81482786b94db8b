//! Lenient input: small, certain repairs of arguments that miss their schema. What is valid is never touched, and only a
//! valid result is used.

use crate::run::limits::{self, Limits};
use crate::schema::Compiled;
use crate::schema::explain::{self, Repairable, Step};
use serde_json::{Map, Number, Value};

/// Repairs may uncover further faults, such as those inside JSON that was text.
const ROUNDS: usize = 8;
/// Bytes of a number's text: longer ones are no number that anyone sends.
const LONGEST_NUMBER: usize = 64;
/// Below this, 2^53, a float that is whole is the very number that was written.
const EXACT: f64 = 9_007_199_254_740_992.0;

/// One thing that was changed in arguments before a call.
///
/// What a lenient tool mends, where the arguments miss their schema as they are:
///
/// | schema wants | came | becomes |
/// |---|---|---|
/// | an object without required members | no arguments: `null`, `""` or `"null"` | `{}` |
/// | a number | its JSON text: `"5"`, `"-2.5"` | `5`, `-2.5` |
/// | a boolean | its text: `"true"`, `"False"` | `true`, `false` |
/// | null, and no text | its text: `"null"` | `null` |
/// | an array or object | its JSON text: `"[1, 2]"` | `[1, 2]` |
/// | a text | a number with one spelling: `7`, `1.5` | `"7"`, `"1.5"` |
/// | an optional member that takes no null | `null` | the member is absent |
/// | an optional member that takes no empty text | `""` | the member is absent |
/// | one of some texts | one of them in another case: `"OPEN"` | `"open"` |
/// | one of some values | its JSON text, or the number that a text spells | the value |
///
/// Where a union leaves open which of several repairs is meant, none is made.
///
/// Members that [`Tool::ignore_members`](crate::Tool::ignore_members) names are left out in any case.
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
    if is_nothing(arguments) {
        mended = Value::Object(Map::new());
        let action = "no arguments taken as an empty object";
        repairs.push(Repair { pointer: String::new(), action });
        return input.validator.is_valid(&mended).then_some((mended, repairs));
    }
    for _ in 0..ROUNDS {
        let mut progress = false;
        for (path, how) in explain::repairable(input, &mended) {
            for (path, action) in apply(&mut mended, &path, &how).unwrap_or_default() {
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

/// Whether arguments are what clients send for a call that has none.
fn is_nothing(arguments: &Value) -> bool {
    match arguments {
        Value::Null => true,
        Value::String(text) => matches!(text.trim(), "" | "null"),
        _ => false,
    }
}

/// What was done, and where.
type Done = (Vec<Step>, &'static str);

/// Makes one repair, where it is certain, and says what was done.
fn apply(root: &mut Value, path: &[Step], how: &Repairable) -> Option<Vec<Done>> {
    if let Repairable::Absent = how {
        let (Step::Key(last), parents) = path.split_last()? else { return None };
        let parent = at(root, parents)?.as_object_mut()?;
        let action = match parent.shift_remove(last)? {
            Value::Null => "null taken as absent",
            _ => "empty text taken as absent",
        };
        return Some(vec![(path.to_vec(), action)]);
    }
    let place = at(root, path)?;
    let (value, done) = replacement(place, how)?;
    *place = value;
    let from_root = |(inner, action): Done| ([path, &inner].concat(), action);
    Some(done.into_iter().map(from_root).collect())
}

fn at<'v>(root: &'v mut Value, path: &[Step]) -> Option<&'v mut Value> {
    path.iter().try_fold(root, |value, step| match step {
        Step::Index(position) => value.get_mut(position),
        Step::Key(key) => value.get_mut(key),
    })
}

/// What a value becomes, and what was done within it.
fn replacement(value: &Value, how: &Repairable) -> Option<(Value, Vec<Done>)> {
    let whole = |(value, action)| (value, vec![(Vec::new(), action)]);
    match how {
        Repairable::Type(types) => of_type(value, types).map(whole),
        Repairable::Allowed(values) => allowed(value, values).map(whole),
        Repairable::Union(branches) => {
            let mut candidates: Vec<(Value, Vec<Done>)> = Vec::new();
            for branch in branches {
                if let Some(candidate) = whole_branch(value, branch)
                    && !candidates.iter().any(|(known, _)| *known == candidate.0)
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
fn whole_branch(value: &Value, repairs: &[(Vec<Step>, Repairable)]) -> Option<(Value, Vec<Done>)> {
    let mut candidate = value.clone();
    let mut done = Vec::new();
    for (path, how) in repairs {
        if !matches!(how, Repairable::Jointly) {
            done.extend(apply(&mut candidate, path, how)?);
        }
    }
    (!done.is_empty()).then_some((candidate, done))
}

/// A value as one of those that are allowed, where just one is meant.
fn allowed(value: &Value, values: &[Value]) -> Option<(Value, &'static str)> {
    let text = match value {
        Value::String(text) => text,
        Value::Number(number) => {
            let spelt = Value::String(spelt(number)?);
            return values.contains(&spelt).then_some((spelt, "number taken as text"));
        }
        _ => return None,
    };
    let lower = text.to_lowercase();
    let same =
        |allowed: &&Value| allowed.as_str().is_some_and(|allowed| allowed.to_lowercase() == lower);
    let mut candidates = values.iter().filter(same);
    if let Some(first) = candidates.next() {
        let is_only = candidates.next().is_none();
        return is_only.then(|| (first.clone(), "spelling of an allowed value mended"));
    }
    let read = values.iter().filter_map(|allowed| {
        let (read, action) = of_type(value, &[type_of(allowed)?])?;
        (read == *allowed).then_some((read, action))
    });
    let mut read: Vec<(Value, &'static str)> = read.collect();
    read.dedup();
    read.pop().filter(|_| read.is_empty())
}

/// The type of JSON Schema whose text [`of_type`] reads.
fn type_of(value: &Value) -> Option<&'static str> {
    match value {
        Value::Null => Some("null"),
        Value::Bool(_) => Some("boolean"),
        Value::Number(_) => Some("number"),
        _ => None,
    }
}

/// A text as what it spells, or a number as its text, where that is of a wanted type.
fn of_type<T: AsRef<str>>(value: &Value, types: &[T]) -> Option<(Value, &'static str)> {
    let wants = |name: &str| types.iter().any(|wanted| wanted.as_ref() == name);
    let text = match value {
        Value::String(text) => text,
        Value::Number(number) if wants("string") => {
            return Some((Value::String(spelt(number)?), "number taken as text"));
        }
        _ => return None,
    };
    if wants("null") && text == "null" {
        return Some((Value::Null, "text read as null"));
    }
    if wants("boolean")
        // As JSON spells it, or Python (`True`).
        && let Some(value) =
            [true, false].into_iter().find(|value| text.eq_ignore_ascii_case(&value.to_string()))
    {
        return Some((Value::Bool(value), "text read as a boolean"));
    }
    if wants("integer") || wants("number") {
        if is_whole(text) {
            let number = text.parse::<i64>().map(Value::from);
            let number = number.or_else(|_| text.parse::<u64>().map(Value::from));
            return number.ok().map(|number| (number, "text read as a whole number"));
        }
        if let Some(number) = decimal(text, wants("number")) {
            return Some((number, "text read as a number"));
        }
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

/// A number with a point or an exponent, as JSON spells it. Where whole ones alone fit, it must be exactly one.
fn decimal(text: &str, any: bool) -> Option<Value> {
    let begins = |char: char| char == '-' || char.is_ascii_digit();
    if text.len() > LONGEST_NUMBER || !text.starts_with(begins) || !text.ends_with(begins) {
        return None;
    }
    let value: Value = serde_json::from_str(text).ok()?;
    let number = value.as_f64()?;
    let is_exact = number.fract() == 0.0 && number.abs() < EXACT;
    (any || is_exact).then_some(value)
}

/// The text of a number, where there is but one: `1.0` may have been `1`, and exponents have many forms.
fn spelt(number: &Number) -> Option<String> {
    let is_plain = match number.as_f64() {
        Some(value) if number.is_f64() => value.fract() != 0.0,
        _ => true,
    };
    let text = number.to_string();
    (is_plain && !text.contains(['e', 'E'])).then_some(text)
}
