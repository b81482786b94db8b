//! Keywords that need no further schema: types, literals, bounds, sizes, patterns and formats.

use super::equal::{canonical, compare, equal, whole};
use super::{Answer, Detail, Evaluation, Pair, References};
use crate::form::count;
use serde_json::{Map, Value};
use std::cmp::Ordering;
use std::collections::HashSet;

/// Items that are compared pair by pair; more are compared by their texts.
const PAIRED: usize = 16;
/// Bytes of a text that are read in one step.
const TEXT: usize = 256;

impl<'s, R: References<'s>> Evaluation<'_, 's, R> {
    pub(super) fn scalar(
        &mut self,
        pair: Pair<'_, 's, R::Place>,
        keyword: &'static str,
        argument: &'s Value,
    ) -> Answer {
        let answer = self.holds(pair.schema, keyword, argument, pair.node.value);
        if answer == Answer::No {
            self.fail(pair, keyword, argument, pair.node, Detail::Plain);
        }
        answer
    }

    fn holds(
        &mut self,
        schema: &Map<String, Value>,
        keyword: &str,
        argument: &Value,
        value: &Value,
    ) -> Answer {
        match (keyword, value) {
            ("const", value) => equal(argument, value).into(),
            ("enum", value) => match argument {
                Value::Array(allowed) if self.spend(allowed.len() / 4) => {
                    allowed.iter().any(|allowed| equal(allowed, value)).into()
                }
                _ => Answer::Unknown,
            },
            ("minimum" | "maximum" | "exclusiveMinimum" | "exclusiveMaximum", Value::Number(_)) => {
                bound(schema, keyword, argument, value)
            }
            ("multipleOf", Value::Number(number)) => {
                let step = argument.as_number().and_then(whole);
                match (whole(number), step) {
                    (Some(number), Some(step)) if step > 0 => (number % step == 0).into(),
                    _ => self.oracle.multiple(argument, value),
                }
            }
            ("minLength" | "maxLength", Value::String(text)) => match self.spend(text.len() / TEXT)
            {
                true => size(keyword, argument, text.chars().count()),
                false => Answer::Unknown,
            },
            ("minItems" | "maxItems", Value::Array(items)) => size(keyword, argument, items.len()),
            ("minProperties" | "maxProperties", Value::Object(members)) => {
                size(keyword, argument, members.len())
            }
            ("pattern", Value::String(text)) => match argument {
                Value::String(pattern) if self.spend(text.len() / TEXT) => {
                    self.oracle.pattern(pattern, text)
                }
                _ => Answer::Unknown,
            },
            ("format", value) => self.oracle.format(argument, value),
            ("uniqueItems", Value::Array(items)) => match argument {
                Value::Bool(true) => self.all_differ(items),
                _ => Answer::Yes,
            },
            _ => Answer::Yes,
        }
    }

    fn all_differ(&mut self, items: &[Value]) -> Answer {
        if !self.spend(items.len()) {
            return Answer::Unknown;
        }
        if items.len() <= PAIRED {
            let is_new =
                |(at, item): (usize, &Value)| !items[..at].iter().any(|one| equal(one, item));
            return items.iter().enumerate().all(is_new).into();
        }
        let mut seen = HashSet::new();
        for item in items {
            let mut text = String::new();
            canonical(item, &mut text);
            if !self.spend(text.len() / 8) {
                return Answer::Unknown;
            }
            if !seen.insert(text) {
                return Answer::No;
            }
        }
        Answer::Yes
    }
}

/// Whether a value is of a type, or of one of several, that `type` names.
pub(super) fn is_of_types(types: &Value, value: &Value) -> Answer {
    match types {
        Value::String(name) => is_of_type(name, value),
        Value::Array(names) => {
            let mut answer = Answer::No;
            for name in names {
                match name.as_str().map_or(Answer::Unknown, |name| is_of_type(name, value)) {
                    Answer::Yes => return Answer::Yes,
                    Answer::Unknown => answer = Answer::Unknown,
                    Answer::No => {}
                }
            }
            answer
        }
        _ => Answer::Unknown,
    }
}

fn is_of_type(name: &str, value: &Value) -> Answer {
    let is = match name {
        "null" => value.is_null(),
        "boolean" => value.is_boolean(),
        "string" => value.is_string(),
        "number" => value.is_number(),
        "array" => value.is_array(),
        "object" => value.is_object(),
        // JSON Schema has one kind of number: 5.0 is whole.
        "integer" => value.as_number().is_some_and(|number| {
            !number.is_f64() || number.as_f64().is_some_and(|number| number.fract() == 0.0)
        }),
        _ => return Answer::Unknown,
    };
    is.into()
}

fn bound(schema: &Map<String, Value>, keyword: &str, argument: &Value, value: &Value) -> Answer {
    let limit = match (argument, keyword) {
        (Value::Bool(false), _) => return Answer::Yes,
        // Draft 4's boolean makes the plain bound beside it exclusive.
        (Value::Bool(true), "exclusiveMinimum") => schema.get("minimum"),
        (Value::Bool(true), "exclusiveMaximum") => schema.get("maximum"),
        (argument, _) => Some(argument),
    };
    let Some(limit) = limit else { return Answer::Yes };
    let (Value::Number(value), Value::Number(limit)) = (value, limit) else {
        return Answer::Unknown;
    };
    let Some(order) = compare(value, limit) else { return Answer::Unknown };
    let holds = match keyword {
        "minimum" => order != Ordering::Less,
        "maximum" => order != Ordering::Greater,
        "exclusiveMinimum" => order == Ordering::Greater,
        _ => order == Ordering::Less,
    };
    holds.into()
}

fn size(keyword: &str, argument: &Value, size: usize) -> Answer {
    let Some(limit) = argument.as_number().and_then(count) else { return Answer::Unknown };
    let size = size as u64;
    let holds = if keyword.starts_with("min") { size >= limit } else { size <= limit };
    holds.into()
}
