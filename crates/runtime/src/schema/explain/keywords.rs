//! The words of single keywords.

use super::found::{Found, Repairable};
use super::path::{Path, Step};
use super::walk::{Walk, is_secret};
use super::wording::{came, count, either, literal, names, one_of, quoted, shortened};
use serde_json::{Map, Value};
use toolcast_contract::nearest;
use toolcast_validate::{ValidationErrorKind, Validator};

/// Keywords that look at one value alone, in the order in which their faults are told.
const LEAVES: [&str; 17] = [
    "const",
    "enum",
    "minimum",
    "exclusiveMinimum",
    "maximum",
    "exclusiveMaximum",
    "multipleOf",
    "minLength",
    "maxLength",
    "pattern",
    "format",
    "minItems",
    "maxItems",
    "uniqueItems",
    "minProperties",
    "maxProperties",
    "contentEncoding",
];

/// Patterns of names that a text lists at most.
const PATTERNS: usize = 4;

/// Looks at the keywords of a schema that need no further schema.
pub(super) fn leaves(walk: &mut Walk<'_>, schema: &Map<String, Value>, value: &Value) {
    for keyword in LEAVES {
        if walk.holds(schema, keyword, value) {
            continue;
        }
        let stated = &schema[keyword];
        let allowed = match (keyword, stated) {
            ("enum", Value::Array(values)) => Some(values.clone()),
            ("const", value) => Some(vec![value.clone()]),
            _ => None,
        };
        let message = message(keyword, stated, value, is_secret(schema));
        let repairable = allowed.clone().map(Repairable::Allowed);
        walk.fault_with(keyword, message, repairable, allowed, Vec::new());
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

/// The validator's own first error, for what is not walked.
pub(super) fn first_error(validator: &Validator, value: &Value) -> Vec<Found> {
    let Err(error) = validator.validate(value) else { return Vec::new() };
    let path = path(error.instance_path().as_str(), value);
    let found = |path: Path, code, message| Found {
        path,
        code,
        message,
        repair: None,
        allowed: None,
        types: Vec::new(),
        closest: None,
    };
    match error.kind() {
        ValidationErrorKind::UnevaluatedProperties { unexpected } => unexpected
            .iter()
            .map(|name| {
                let path = path.to(Step::Key(name.clone()));
                found(path, "unevaluatedProperties", "unknown property".to_owned())
            })
            .collect(),
        ValidationErrorKind::UnevaluatedItems { .. } => {
            vec![found(path, "unevaluatedItems", "expected fewer items".to_owned())]
        }
        ValidationErrorKind::BacktrackLimitExceeded { .. } => {
            let message = "the text takes too long to match against the pattern".to_owned();
            vec![found(path, "pattern", message)]
        }
        _ => vec![found(path, "schema", "the value does not fit the schema here".to_owned())],
    }
}

/// A JSON pointer as a path, positions told from names by the value itself.
fn path(pointer: &str, value: &Value) -> Path {
    let mut here = Some(value);
    let mut path = Path::default();
    for part in pointer.split('/').skip(1) {
        let part = part.replace("~1", "/").replace("~0", "~");
        match (here, part.parse::<usize>()) {
            (Some(Value::Array(items)), Ok(position)) => {
                here = items.get(position);
                path = path.to(Step::Index(position));
            }
            (parent, _) => {
                here = parent.and_then(|parent| parent.get(&part));
                path = path.to(Step::Key(part));
            }
        }
    }
    path
}
