//! What each failing keyword is told as.

use super::found::{Found, Repairable};
use super::path::Step;
use super::wording::{
    came, count, either, is_secret, literal, names, of_type as named, one_of, quoted, shortened,
    wanted,
};
use serde_json::{Map, Value};
use toolcast_contract::nearest;
use toolcast_validate::{ValidationErrorKind, Validator};

/// Patterns of names that a text lists at most.
const PATTERNS: usize = 4;

/// A value of another type than the schema wants.
pub(super) fn of_type(
    path: Vec<Step>,
    schema: &Map<String, Value>,
    types: &Value,
    value: &Value,
) -> Found {
    let types: Vec<String> = match types {
        Value::Array(names) => names.iter().filter_map(Value::as_str).map(str::to_owned).collect(),
        one => one.as_str().map(str::to_owned).into_iter().collect(),
    };
    let expected: Vec<String> = types.iter().map(|name| named(name).to_owned()).collect();
    let expected = wanted(schema).unwrap_or_else(|| either(&expected));
    let message = format!("expected {expected}, got {}", came(value, is_secret(schema)));
    let mut found = Found::new(path, "type", message);
    found.repair = Some((found.path.len(), Repairable::Type(types.clone())));
    Found { types, ..found }
}

/// A value that misses a keyword that looks at it alone.
pub(super) fn of_value(
    path: Vec<Step>,
    keyword: &'static str,
    schema: &Map<String, Value>,
    stated: &Value,
    value: &Value,
) -> Found {
    let allowed = match (keyword, stated) {
        ("enum", Value::Array(values)) => Some(values.clone()),
        ("const", value) => Some(vec![value.clone()]),
        _ => None,
    };
    let message = message(keyword, stated, value, is_secret(schema));
    let mut found = Found::new(path, keyword, message);
    let how = allowed.clone().map(Repairable::Allowed);
    found.repair = how.map(|how| (found.path.len(), how));
    Found { allowed, ..found }
}

/// How many items of a kind `contains` wants, where so many are there.
pub(super) fn how_many(schema: &Map<String, Value>, fitting: usize) -> String {
    let bound = |name| schema.get(name).and_then(Value::as_f64);
    match bound("maxContains") {
        Some(most) if fitting as f64 > most => format!("at most {most}"),
        _ => format!("at least {}", bound("minContains").unwrap_or(1.0)),
    }
}

fn message(keyword: &str, stated: &Value, value: &Value, secret: bool) -> String {
    let got = || came(value, secret);
    let length = || value.as_str().map_or(0, |text| text.chars().count());
    let items = || value.as_array().map_or(0, Vec::len);
    let members = || value.as_object().map_or(0, Map::len);
    let bound = |of: &str| count(stated.as_f64().unwrap_or(0.0) as usize, of);
    match keyword {
        "const" => format!("expected {}, got {}", literal(stated), got()),
        "enum" => {
            let values = stated.as_array().map_or(&[][..], Vec::as_slice);
            let known = values.iter().filter_map(Value::as_str);
            let near = value.as_str().filter(|_| !secret).and_then(|text| nearest(text, known));
            let hint = near.map(|near| format!("; did you mean {}?", literal(&near.into())));
            format!("expected {}, got {}{}", one_of(values), got(), hint.unwrap_or_default())
        }
        "minimum" => format!("expected at least {stated}, got {}", got()),
        "exclusiveMinimum" => format!("expected more than {stated}, got {}", got()),
        "maximum" => format!("expected at most {stated}, got {}", got()),
        "exclusiveMaximum" => format!("expected less than {stated}, got {}", got()),
        "multipleOf" => format!("expected a multiple of {stated}, got {}", got()),
        "minLength" => format!("expected at least {}, got {}", bound("character"), length()),
        "maxLength" => format!("expected at most {}, got {}", bound("character"), length()),
        "minItems" => format!("expected at least {}, got {}", bound("item"), items()),
        "maxItems" => format!("expected at most {}, got {}", bound("item"), items()),
        "minProperties" => format!("expected {stated} or more properties, got {}", members()),
        "maxProperties" => format!("expected {stated} or fewer properties, got {}", members()),
        "uniqueItems" => "expected items that all differ, got some twice".to_owned(),
        "pattern" => {
            let pattern =
                stated.as_str().map(|pattern| shortened(pattern, 120)).unwrap_or_default();
            format!("expected text that matches `{pattern}`, got {}", got())
        }
        "format" => format!("expected a valid {}, got {}", plain(stated), got()),
        _ => format!("expected {keyword} {}", plain(stated)),
    }
}

fn plain(stated: &Value) -> String {
    stated.as_str().map_or_else(|| literal(stated), |text| shortened(text, 60))
}

/// An undeclared member of a closed object: the name that may be meant, else what names there may be.
pub(super) fn unknown(name: &str, known: &[&str], patterns: &[&str]) -> String {
    let others = (!patterns.is_empty()).then(|| {
        let shown: Vec<String> = patterns.iter().take(PATTERNS).copied().map(quoted).collect();
        either(&shown)
    });
    let names = || names(known.iter().copied());
    let hint = match (nearest(name, known.iter().copied()), known.is_empty(), others) {
        (Some(near), _, None) => format!("did you mean {}?", quoted(near)),
        (Some(near), _, Some(others)) => {
            format!("did you mean {}? Other names match {others}", quoted(near))
        }
        (None, false, None) => format!("known: {}", names()),
        (None, false, Some(others)) => format!("known: {}, and names that match {others}", names()),
        (None, true, None) => "there are none here".to_owned(),
        (None, true, Some(others)) => format!("a name here matches {others}"),
    };
    format!("unknown property; {hint}")
}

/// The validator's own first error, for what the evaluator leaves open.
pub(super) fn first_error(validator: &Validator, value: &Value) -> Vec<Found> {
    let Err(error) = validator.validate(value) else { return Vec::new() };
    let path = path(error.instance_path().as_str(), value);
    match error.kind() {
        ValidationErrorKind::UnevaluatedProperties { unexpected } => unexpected
            .iter()
            .map(|name| {
                let path = [&path[..], &[Step::Key(name.clone())]].concat();
                Found::new(path, "unevaluatedProperties", "unknown property".to_owned())
            })
            .collect(),
        ValidationErrorKind::UnevaluatedItems { .. } => {
            vec![Found::new(path, "unevaluatedItems", "expected fewer items".to_owned())]
        }
        ValidationErrorKind::BacktrackLimitExceeded { .. } => {
            let message = "the text takes too long to match against the pattern".to_owned();
            vec![Found::new(path, "pattern", message)]
        }
        _ => {
            let message = "the value does not fit the schema here".to_owned();
            vec![Found::new(path, "schema", message)]
        }
    }
}

/// A JSON pointer as a path, positions told from names by the value itself.
fn path(pointer: &str, value: &Value) -> Vec<Step> {
    let mut here = Some(value);
    let mut path = Vec::new();
    for part in pointer.split('/').skip(1) {
        let part = part.replace("~1", "/").replace("~0", "~");
        match (here, part.parse::<usize>()) {
            (Some(Value::Array(items)), Ok(position)) => {
                here = items.get(position);
                path.push(Step::Index(position));
            }
            (parent, _) => {
                here = parent.and_then(|parent| parent.get(&part));
                path.push(Step::Key(part));
            }
        }
    }
    path
}
