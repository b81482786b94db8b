//! Checks every keyword of a schema against what the keyword takes. One walk over a document finds all of its faults.

use crate::bundle::size;
use crate::diagnostic::{Severity, is_obeyed};
use crate::json::{End, join};
use crate::keyword::{Dialect, FORMATS, KEYWORDS, Shape, Since, is_schema, keyword};
use crate::nearest::nearest;
use crate::pattern;
use serde_json::{Map, Value};
use std::collections::HashSet;

/// A fault of one document, by pointer; the caller knows the file.
#[derive(Clone, Debug)]
pub(crate) struct Finding {
    pub(crate) severity: Severity,
    pub(crate) rule: &'static str,
    pub(crate) pointer: String,
    pub(crate) end: End,
    pub(crate) message: String,
    pub(crate) help: Option<String>,
    /// The pointer of the keyword that has the wrong shape, where the fault is one part of its value.
    pub(crate) keyword: Option<String>,
}

impl Finding {
    pub(crate) fn new(
        severity: Severity,
        rule: &'static str,
        pointer: String,
        end: End,
        message: String,
    ) -> Self {
        Self { severity, rule, pointer, end, message, help: None, keyword: None }
    }

    pub(crate) fn help(mut self, help: impl Into<String>) -> Self {
        self.help = Some(help.into());
        self
    }

    /// Whether the document cannot be used as it stands.
    pub(crate) fn is_error(&self) -> bool {
        self.severity == Severity::Error
    }
}

/// A value as a message shows it: short, on one line.
pub(crate) fn shown(value: &Value) -> String {
    const MOST: usize = 60;
    // Asked before anything is written: a value may be megabytes.
    let large = size(value) > 4 * MOST;
    let text = match value {
        Value::Object(_) if large => return "an object".to_owned(),
        Value::Array(_) if large => return "a list".to_owned(),
        other => other.to_string(),
    };
    let mut short: String = text.chars().take(MOST).collect();
    if short.len() < text.len() {
        short.push('…');
    }
    format!("`{}`", printable(&short))
}

/// A name out of a contract as a message shows it: bounded, and nothing that a terminal would obey.
pub(crate) fn printable(text: &str) -> String {
    const MOST: usize = 120;
    let mut out = String::new();
    for c in text.chars().take(MOST) {
        if is_obeyed(c) {
            out.extend(c.escape_unicode());
        } else {
            out.push(c);
        }
    }
    if text.chars().nth(MOST).is_some() {
        out.push('…');
    }
    out
}

const TYPES: [&str; 7] = ["array", "boolean", "integer", "null", "number", "object", "string"];

/// Appends the faults of the schema object or boolean at `pointer`, not those of its subschemas.
pub(crate) fn check(schema: &Value, pointer: &str, dialect: Dialect, out: &mut Vec<Finding>) {
    let Value::Object(members) = schema else { return };
    for (name, value) in members {
        let place = || join(pointer, name);
        let Some((shape, since)) = keyword(name) else {
            // Of thousands of unknown keywords none is a slip, and comparing them all would take long.
            if members.len() < 1_000 {
                unknown(name, pointer, out);
            }
            continue;
        };
        let ignored = dialect == Dialect::Draft7 && since == Since::Later;
        if ignored {
            // `$defs` works by pointer in every draft, and annotations change nothing.
            if !matches!(name.as_str(), "$defs" | "deprecated" | "$vocabulary") {
                let message = format!("draft 7 has no `{name}`, so it is ignored");
                out.push(
                    Finding::new(Severity::Warning, "later-keyword", place(), End::Key, message)
                        .help("declare draft 2020-12 in `$schema`, or remove the keyword"),
                );
                continue;
            }
        } else if let Some((message, help)) = old_spelling(name, value, members, dialect) {
            out.push(
                Finding::new(Severity::Warning, "old-spelling", place(), End::Key, message)
                    .help(help),
            );
        }
        let found = out.len();
        match_shape(name, shape, value, &place(), out);
        for finding in &mut out[found..] {
            finding.keyword = Some(place());
        }
        patterns(name, value, &place(), out);
        if name == "format"
            && let Some(format) = value.as_str()
            && !FORMATS.contains(&format)
        {
            let help = match nearest(format, FORMATS.iter().copied()) {
                Some(near) => format!("did you mean `{near}`? Else remove `format`"),
                None => {
                    "remove `format`, or use one of: date, date-time, email, uri, uuid".to_owned()
                }
            };
            let message = format!("`{}` is not a known format", printable(format));
            out.push(
                Finding::new(Severity::Warning, "unknown-format", place(), End::Value, message)
                    .help(help),
            );
        }
    }
}

/// Finds texts that are no regular expressions where one is wanted.
fn patterns(name: &str, value: &Value, pointer: &str, out: &mut Vec<Finding>) {
    let mut told = |text: &str, pointer: String, end: End| {
        let Some(fault) = pattern::fault(text) else { return };
        let message = format!(
            "`{}` is no regular expression: {} (character {})",
            printable(text),
            printable(&fault.what),
            fault.at
        );
        out.push(
            Finding::new(Severity::Error, "pattern-syntax", pointer, end, message).help(fault.help),
        );
    };
    match (name, value) {
        ("pattern", Value::String(text)) => told(text, pointer.to_owned(), End::Value),
        ("patternProperties", Value::Object(entries)) => {
            for (text, _) in entries {
                told(text, join(pointer, text), End::Key);
            }
        }
        _ => {}
    }
}

fn unknown(name: &str, pointer: &str, out: &mut Vec<Finding>) {
    if name == "x-tool" {
        if pointer.is_empty() {
            return;
        }
        let message = "`x-tool` stands inside a schema, where it means nothing".to_owned();
        out.push(
            Finding::new(
                Severity::Warning,
                "misplaced-x-tool",
                join(pointer, name),
                End::Key,
                message,
            )
            .help("move it to the root of a contract"),
        );
        return;
    }
    if name.starts_with("x-") {
        return;
    }
    let known =
        KEYWORDS.iter().filter(|(.., since)| *since != Since::Before).map(|(known, ..)| *known);
    if let Some(near) = nearest(name, known.chain(["x-tool"])) {
        let message =
            format!("`{}` is not a keyword of JSON Schema, so it is ignored", printable(name));
        out.push(
            Finding::new(
                Severity::Warning,
                "unknown-keyword",
                join(pointer, name),
                End::Key,
                message,
            )
            .help(format!("did you mean `{near}`?")),
        );
    }
}

/// What is upgraded, for a document whose own dialect does not call for it.
fn old_spelling(
    name: &str,
    value: &Value,
    members: &Map<String, Value>,
    dialect: Dialect,
) -> Option<(String, String)> {
    let told = |message: &str, help: &str| Some((message.to_owned(), help.to_owned()));
    let draft_7 = dialect == Dialect::Draft7;
    match (name, value) {
        ("exclusiveMinimum" | "exclusiveMaximum", Value::Bool(_)) => {
            let bound = if name == "exclusiveMinimum" { "minimum" } else { "maximum" };
            Some((
                format!("a boolean `{name}` is draft 4's spelling; it is read as that draft does"),
                format!("write the bound itself: `\"{name}\": N`, without `{bound}`"),
            ))
        }
        _ if draft_7 => None,
        ("definitions", _) => told(
            "`definitions` is draft 7's spelling; it is read as `$defs`",
            "write `$defs`, and `#/$defs/...` where it is referred to",
        ),
        ("items", Value::Array(_)) => told(
            "a list in `items` is draft 7's spelling; it is read as `prefixItems`",
            "write `prefixItems`, and `items` for what `additionalItems` says",
        ),
        ("additionalItems", _) => match members.get("items") {
            Some(Value::Array(_)) => told(
                "`additionalItems` is draft 7's spelling; it is read as `items`",
                "write `items` beside `prefixItems`",
            ),
            _ => told("`additionalItems` means nothing without a list in `items`", "remove it"),
        },
        ("dependencies", _) => told(
            "`dependencies` is draft 7's spelling; it is read as `dependentRequired` and `dependentSchemas`",
            "write `dependentRequired` for lists of names, `dependentSchemas` for schemas",
        ),
        ("$recursiveRef" | "$recursiveAnchor", _) => told(
            "`$recursiveRef` is draft 2019-09's spelling; it is read as `$dynamicRef`",
            "write `$ref`, or `$dynamicRef` and `$dynamicAnchor`",
        ),
        _ => None,
    }
}

fn match_shape(name: &str, shape: Shape, value: &Value, pointer: &str, out: &mut Vec<Finding>) {
    let mut wrong = |pointer: String, value: &Value, wanted: &str, help: Option<String>| {
        let message = format!("`{name}` takes {wanted}, not {}", shown(value));
        let mut finding =
            Finding::new(Severity::Error, "keyword-shape", pointer, End::Value, message);
        finding.help =
            Some(help.unwrap_or_else(|| format!("write {}, or remove `{name}`", example(shape))));
        out.push(finding);
    };
    let here = || pointer.to_owned();
    match (shape, value) {
        (Shape::Schema, value) if is_schema(value) => {}
        (Shape::Schema, _) => wrong(here(), value, "a schema (an object, `true` or `false`)", None),
        (Shape::SchemaOrSchemas, Value::Array(elements)) => {
            for (index, element) in elements.iter().enumerate().filter(|(_, e)| !is_schema(e)) {
                wrong(format!("{pointer}/{index}"), element, "schemas", None);
            }
        }
        (Shape::SchemaOrSchemas, value) if is_schema(value) => {}
        (Shape::SchemaOrSchemas, _) => wrong(here(), value, "a schema", None),
        (Shape::Schemas, Value::Array(elements)) => {
            if elements.is_empty() {
                wrong(here(), value, "at least one schema", Some(format!("remove `{name}`")));
            }
            for (index, element) in elements.iter().enumerate().filter(|(_, e)| !is_schema(e)) {
                wrong(format!("{pointer}/{index}"), element, "schemas", None);
            }
        }
        (Shape::Schemas, _) => wrong(here(), value, "a list of schemas", None),
        (Shape::SchemaMap, Value::Object(entries)) => {
            for (key, entry) in entries.iter().filter(|(_, entry)| !is_schema(entry)) {
                wrong(join(pointer, key), entry, "schemas by name", None);
            }
        }
        (Shape::SchemaMap, _) => wrong(here(), value, "an object of schemas by name", None),
        (Shape::Dependencies, Value::Object(entries)) => {
            for (key, entry) in entries {
                match entry {
                    Value::Array(_) => names(name, entry, &join(pointer, key), out),
                    entry if is_schema(entry) => {}
                    _ => match_shape(name, Shape::Schema, entry, &join(pointer, key), out),
                }
            }
        }
        (Shape::Dependencies, _) => wrong(here(), value, "an object", None),
        (Shape::NamesMap, Value::Object(entries)) => {
            for (key, entry) in entries {
                names(name, entry, &join(pointer, key), out);
            }
        }
        (Shape::NamesMap, _) => wrong(here(), value, "an object of lists of names", None),
        (Shape::Names, _) => names(name, value, pointer, out),
        (Shape::Types, _) => types(value, pointer, out),
        (Shape::AnyList, Value::Array(_)) | (Shape::Anything, _) => {}
        (Shape::AnyList, _) => wrong(here(), value, "a list", None),
        (Shape::Count, Value::Number(number)) if count(number).is_some() => {}
        (Shape::Count, _) => {
            let spelled = value.as_str().filter(|text| text.parse::<u64>().is_ok());
            let help = spelled.map(|text| format!("write `\"{name}\": {text}`"));
            wrong(here(), value, "a whole number of at least 0", help);
        }
        (Shape::Positive, Value::Number(number)) if number.as_f64().is_some_and(|n| n > 0.0) => {}
        (Shape::Positive, _) => wrong(here(), value, "a number above 0", None),
        (Shape::Number, Value::Number(_)) => {}
        // Draft 4, upgraded and named.
        (Shape::Number, Value::Bool(_)) if name.starts_with("exclusive") => {}
        (Shape::Number, _) => {
            let spelled =
                value.as_str().filter(|text| text.parse::<f64>().is_ok_and(f64::is_finite));
            let help = spelled.map(|text| format!("write `\"{name}\": {text}`"));
            wrong(here(), value, "a number", help);
        }
        (Shape::Boolean, Value::Bool(_)) => {}
        (Shape::Boolean, _) => wrong(here(), value, "`true` or `false`", None),
        (Shape::Text | Shape::Reference, Value::String(_)) => {}
        (Shape::Text, _) => wrong(here(), value, "a string", None),
        (Shape::Reference, _) => wrong(here(), value, "a URI reference, as a string", None),
        (Shape::Anchor, Value::String(text)) if is_anchor(text) => {}
        (Shape::Anchor, _) => wrong(
            here(),
            value,
            "a name that begins with a letter or `_` and goes on with letters, digits, `-`, `_` and `.`",
            None,
        ),
        (Shape::BooleanMap, Value::Object(entries)) if entries.values().all(Value::is_boolean) => {}
        (Shape::BooleanMap, _) => wrong(here(), value, "an object of booleans", None),
    }
}

/// What a person may write for a keyword, for the help of a diagnostic.
fn example(shape: Shape) -> &'static str {
    match shape {
        Shape::Schema | Shape::SchemaOrSchemas => "a schema such as `{ \"type\": \"string\" }`",
        Shape::Schemas => "a list such as `[{ \"type\": \"string\" }]`",
        Shape::SchemaMap => "an object such as `{ \"name\": { \"type\": \"string\" } }`",
        Shape::Dependencies | Shape::NamesMap => "an object such as `{ \"card\": [\"address\"] }`",
        Shape::Names => "a list of names such as `[\"id\"]`",
        Shape::Types => "a type such as `\"string\"`",
        Shape::AnyList => "a list such as `[1, 2]`",
        Shape::Anything => "any value",
        Shape::Count => "a whole number such as `1`",
        Shape::Number | Shape::Positive => "a number such as `1`",
        Shape::Boolean => "`true` or `false`",
        Shape::Text => "a string",
        Shape::Reference => "a reference such as `\"#/$defs/Address\"`",
        Shape::Anchor => "a name such as `\"address\"`",
        Shape::BooleanMap => "an object such as `{ \"https://example.com/vocabulary\": true }`",
    }
}

/// A whole number of at least 0, however it is spelled (`2.0` is one: 2020-12 §4.2.3).
pub(crate) fn count(number: &serde_json::Number) -> Option<u64> {
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
            || format!("write {}, or remove `{keyword}`", example(Shape::Names)),
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
pub(crate) fn meant_type(name: &str) -> Option<&'static str> {
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
