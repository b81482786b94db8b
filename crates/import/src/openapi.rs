//! OpenAPI 3.0 says by `nullable` that null is accepted too. JSON Schema does not know the word: here it becomes what JSON Schema
//! says instead, so that the same values are accepted, and each place is reported.

use super::Report;
use serde_json::{Map, Value, json};
use toolcast_schema::diagnostic::Severity;
use toolcast_schema::keyword::{Form, keyword};
use toolcast_schema::pointer::join;

/// The keywords that say something of a value and not which values there are: they stay where they stand.
const ANNOTATIONS: &[&str] = &[
    "title",
    "description",
    "default",
    "examples",
    "deprecated",
    "readOnly",
    "writeOnly",
    "$comment",
    "$schema",
    "$defs",
    "definitions",
    "$id",
    "$anchor",
    "discriminator",
];

/// Writes every `nullable` in JSON Schema's words. The schema's depth is the text's, which the parser has bounded.
pub(super) fn mend(schema: &mut Value, pointer: &str, reports: &mut Vec<Report>) {
    let Value::Object(members) = schema else { return };
    // The inner ones first: afterwards they may stand elsewhere.
    for (name, value) in members.iter_mut() {
        let Some(form) = keyword(name).map(|row| row.form) else { continue };
        let pointer = join(pointer, name);
        match (form, value) {
            (Form::Schema | Form::SchemaOrSchemas, value @ Value::Object(_)) => {
                mend(value, &pointer, reports);
            }
            (Form::Schemas | Form::SchemaOrSchemas, Value::Array(elements)) => {
                for (index, element) in elements.iter_mut().enumerate() {
                    mend(element, &join(&pointer, &index.to_string()), reports);
                }
            }
            (Form::SchemaMap | Form::Dependencies, Value::Object(entries)) => {
                for (key, entry) in entries.iter_mut() {
                    mend(entry, &join(&pointer, key), reports);
                }
            }
            _ => {}
        }
    }
    if let Some(Value::Bool(nullable)) = members.get("nullable").cloned() {
        members.shift_remove("nullable");
        let help = match nullable {
            true => with_null(members),
            false => "import removed it: null is not accepted without it".to_owned(),
        };
        reports.push(Report {
            severity: Severity::Warning,
            rule: "foreign-keyword",
            pointer: join(pointer, "nullable"),
            message: "`nullable` is a keyword of OpenAPI 3.0, not of JSON Schema".to_owned(),
            help,
        });
    }
}

/// Lets the schema accept null besides; says what was written.
fn with_null(members: &mut Map<String, Value>) -> String {
    let null = json!("null");
    let plain = |name: &str| {
        ANNOTATIONS.contains(&name)
            || matches!(
                keyword(name).map(|row| row.form),
                None | Some(Form::Count | Form::Number | Form::Positive | Form::Text)
            )
            || ["type", "enum", "properties", "required", "items", "additionalProperties"]
                .contains(&name)
    };
    let types = match members.get("type") {
        Some(Value::String(name)) => Some(vec![json!(name)]),
        Some(Value::Array(types)) => Some(types.clone()),
        _ => None,
    };
    // These say nothing of null, except `type` and `enum`.
    if let Some(mut types) = types
        && members.keys().all(|name| plain(name))
    {
        if !types.contains(&null) {
            types.push(null);
        }
        members.insert("type".to_owned(), Value::Array(types.clone()));
        let mut help = format!("import wrote `\"type\": {}`", Value::Array(types));
        if let Some(Value::Array(values)) = members.get_mut("enum")
            && !values.contains(&Value::Null)
        {
            values.push(Value::Null);
            help += ", and `null` in `enum`";
        }
        return help;
    }
    let (own, rest): (Map<_, _>, Map<_, _>) =
        std::mem::take(members).into_iter().partition(|(name, _)| ANNOTATIONS.contains(&&**name));
    *members = own;
    if rest.is_empty() {
        return "import removed it: everything is accepted there".to_owned();
    }
    members.insert("anyOf".to_owned(), json!([rest, { "type": "null" }]));
    "import wrote `anyOf` with `{ \"type\": \"null\" }`".to_owned()
}
