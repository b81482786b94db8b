//! Whether a keyword's value has the form that the table of keywords gives it. Subschemas are not looked into.

use crate::diagnostic::Severity;
use crate::finding::{Finding, printable, shown};
use crate::json::End;
use crate::keyword::{Form, is_schema};
use crate::nearest::nearest;
use crate::pointer::join;
use serde_json::{Number, Value};
use std::collections::HashSet;

/// The names that `type` knows.
pub const TYPES: [&str; 7] = ["array", "boolean", "integer", "null", "number", "object", "string"];

/// Appends what is wrong with the form of `value`, which the keyword `name` has at `pointer`: the rule `keyword-shape`.
pub fn check(name: &str, form: Form, value: &Value, pointer: &str, out: &mut Vec<Finding>) {
    let mut wrong = |pointer: String, value: &Value, wanted: &str, help: Option<String>| {
        let message = format!("`{name}` takes {wanted}, not {}", shown(value));
        let mut finding =
            Finding::new(Severity::Error, "keyword-shape", pointer, End::Value, message);
        finding.help =
            Some(help.unwrap_or_else(|| format!("write {}, or remove `{name}`", example(form))));
        out.push(finding);
    };
    let here = || pointer.to_owned();
    match (form, value) {
        (Form::Schema, value) if is_schema(value) => {}
        (Form::Schema, _) => wrong(here(), value, "a schema (an object, `true` or `false`)", None),
        (Form::SchemaOrSchemas, Value::Array(elements)) => {
            for (index, element) in elements.iter().enumerate().filter(|(_, e)| !is_schema(e)) {
                wrong(format!("{pointer}/{index}"), element, "schemas", None);
            }
        }
        (Form::SchemaOrSchemas, value) if is_schema(value) => {}
        (Form::SchemaOrSchemas, _) => wrong(here(), value, "a schema", None),
        (Form::Schemas, Value::Array(elements)) => {
            if elements.is_empty() {
                wrong(here(), value, "at least one schema", Some(format!("remove `{name}`")));
            }
            for (index, element) in elements.iter().enumerate().filter(|(_, e)| !is_schema(e)) {
                wrong(format!("{pointer}/{index}"), element, "schemas", None);
            }
        }
        (Form::Schemas, _) => wrong(here(), value, "a list of schemas", None),
        (Form::SchemaMap, Value::Object(entries)) => {
            for (key, entry) in entries.iter().filter(|(_, entry)| !is_schema(entry)) {
                wrong(join(pointer, key), entry, "schemas by name", None);
            }
        }
        (Form::SchemaMap, _) => wrong(here(), value, "an object of schemas by name", None),
        (Form::Dependencies, Value::Object(entries)) => {
            for (key, entry) in entries {
                match entry {
                    Value::Array(_) => names(name, entry, &join(pointer, key), out),
                    entry if is_schema(entry) => {}
                    _ => check(name, Form::Schema, entry, &join(pointer, key), out),
                }
            }
        }
        (Form::Dependencies, _) => wrong(here(), value, "an object", None),
        (Form::NamesMap, Value::Object(entries)) => {
            for (key, entry) in entries {
                names(name, entry, &join(pointer, key), out);
            }
        }
        (Form::NamesMap, _) => wrong(here(), value, "an object of lists of names", None),
        (Form::Names, _) => names(name, value, pointer, out),
        (Form::Types, _) => types(value, pointer, out),
        (Form::AnyList, Value::Array(_)) | (Form::Anything, _) => {}
        (Form::AnyList, _) => wrong(here(), value, "a list", None),
        (Form::Count, Value::Number(number)) if count(number).is_some() => {}
        (Form::Count, _) => {
            let spelled = value.as_str().filter(|text| text.parse::<u64>().is_ok());
            let help = spelled.map(|text| format!("write `\"{name}\": {text}`"));
            wrong(here(), value, "a whole number of at least 0", help);
        }
        (Form::Positive, Value::Number(number)) if number.as_f64().is_some_and(|n| n > 0.0) => {}
        (Form::Positive, _) => wrong(here(), value, "a number above 0", None),
        (Form::Number, Value::Number(_)) => {}
        // Draft 4, upgraded and named.
        (Form::Number, Value::Bool(_)) if name.starts_with("exclusive") => {}
        (Form::Number, _) => {
            let spelled =
                value.as_str().filter(|text| text.parse::<f64>().is_ok_and(f64::is_finite));
            let help = spelled.map(|text| format!("write `\"{name}\": {text}`"));
            wrong(here(), value, "a number", help);
        }
        (Form::Boolean, Value::Bool(_)) => {}
        (Form::Boolean, _) => wrong(here(), value, "`true` or `false`", None),
        (Form::Text | Form::Reference, Value::String(_)) => {}
        (Form::Text, _) => wrong(here(), value, "a string", None),
        (Form::Reference, _) => wrong(here(), value, "a URI reference, as a string", None),
        (Form::Anchor, Value::String(text)) if is_anchor(text) => {}
        (Form::Anchor, _) => wrong(
            here(),
            value,
            "a name that begins with a letter or `_` and goes on with letters, digits, `-`, `_` and `.`",
            None,
        ),
        (Form::BooleanMap, Value::Object(entries)) if entries.values().all(Value::is_boolean) => {}
        (Form::BooleanMap, _) => wrong(here(), value, "an object of booleans", None),
    }
}

/// What a person may write for a keyword, for the help of a diagnostic.
fn example(form: Form) -> &'static str {
    match form {
        Form::Schema | Form::SchemaOrSchemas => "a schema such as `{ \"type\": \"string\" }`",
        Form::Schemas => "a list such as `[{ \"type\": \"string\" }]`",
        Form::SchemaMap => "an object such as `{ \"name\": { \"type\": \"string\" } }`",
        Form::Dependencies | Form::NamesMap => "an object such as `{ \"card\": [\"address\"] }`",
        Form::Names => "a list of names such as `[\"id\"]`",
        Form::Types => "a type such as `\"string\"`",
        Form::AnyList => "a list such as `[1, 2]`",
        Form::Anything => "any value",
        Form::Count => "a whole number such as `1`",
        Form::Number | Form::Positive => "a number such as `1`",
        Form::Boolean => "`true` or `false`",
        Form::Text => "a string",
        Form::Reference => "a reference such as `\"#/$defs/Address\"`",
        Form::Anchor => "a name such as `\"address\"`",
        Form::BooleanMap => "an object such as `{ \"https://example.com/vocabulary\": true }`",
    }
}

/// A whole number of at least 0, however it is spelled (`2.0` is one: 2020-12 §4.2.3).
pub fn count(number: &Number) -> Option<u64> {
    number.as_u64().or_else(|| {
        let float = number.as_f64()?;
        // 2^53: beyond it a float no longer names one whole number; clamping there changes no instance's validity.
        (float >= 0.0 && float.fract() == 0.0).then_some(float.min(9_007_199_254_740_992.0) as u64)
    })
}

fn is_anchor(text: &str) -> bool {
    text.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_')
        && text.chars().all(|c| c.is_ascii_alphanumeric() || matches!(c, '-' | '_' | '.'))
}

fn names(keyword: &str, value: &Value, pointer: &str, out: &mut Vec<Finding>) {
    let mut wrong = |pointer: String, message: String, help: Option<&str>| {
        let mut finding =
            Finding::new(Severity::Error, "keyword-shape", pointer, End::Value, message);
        finding.help = Some(help.map_or_else(
            || format!("write {}, or remove `{keyword}`", example(Form::Names)),
            str::to_owned,
        ));
        out.push(finding);
    };
    let Value::Array(elements) = value else {
        let message = format!("`{keyword}` takes a list of names, not {}", shown(value));
        let help = (keyword == "required" && value.is_boolean())
            .then_some("list the property's name in the `required` of the object that has it");
        return wrong(pointer.to_owned(), message, help);
    };
    let mut seen = HashSet::new();
    for (index, element) in elements.iter().enumerate() {
        match element {
            Value::String(name) if seen.insert(name) => {}
            Value::String(name) => wrong(
                format!("{pointer}/{index}"),
                format!("`{keyword}` names `{}` twice", printable(name)),
                Some("remove one of them"),
            ),
            other => wrong(
                format!("{pointer}/{index}"),
                format!("`{keyword}` takes names, not {}", shown(other)),
                None,
            ),
        }
    }
}

fn types(value: &Value, pointer: &str, out: &mut Vec<Finding>) {
    let mut one = |value: &Value, pointer: String, wanted: &str| {
        let known = value.as_str().is_some_and(|name| TYPES.contains(&name));
        if !known {
            let message = format!("`type` takes {wanted}, not {}", shown(value));
            let finding =
                Finding::new(Severity::Error, "keyword-shape", pointer, End::Value, message);
            out.push(finding.help(match value.as_str().and_then(meant_type) {
                Some(near) => format!("write `{near}`"),
                None => format!("the types are {}", TYPES.join(", ")),
            }));
        }
    };
    match value {
        Value::Array(elements) => {
            if elements.is_empty() {
                return one(value, pointer.to_owned(), "at least one type");
            }
            let mut seen = HashSet::new();
            for (index, element) in elements.iter().enumerate() {
                let here = format!("{pointer}/{index}");
                if seen.insert(element.to_string()) {
                    one(element, here, "the name of a type");
                } else {
                    let message = format!("`type` names {} twice", shown(element));
                    out.push(
                        Finding::new(Severity::Error, "keyword-shape", here, End::Value, message)
                            .help("remove one of them"),
                    );
                    return;
                }
            }
        }
        _ => one(value, pointer.to_owned(), "the name of a type or a list of names"),
    }
}

/// The type that a name from another language or a slip stands for.
pub fn meant_type(name: &str) -> Option<&'static str> {
    Some(match name.to_ascii_lowercase().as_str() {
        "int" | "long" | "int32" | "int64" | "uint" => "integer",
        "float" | "double" | "decimal" => "number",
        "str" | "text" | "char" => "string",
        "bool" => "boolean",
        "dict" | "map" | "struct" | "record" => "object",
        "list" | "tuple" | "set" => "array",
        "none" | "nil" | "undefined" => "null",
        other => {
            if let Some(known) = TYPES.iter().find(|known| **known == other) {
                return Some(known);
            }
            return nearest(other, TYPES).and_then(|near| TYPES.into_iter().find(|t| *t == near));
        }
    })
}
