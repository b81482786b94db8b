//! Mends the schemas of an imported tool where only one thing can be meant, and says what was done. A tool that still
//! has a fault afterwards is left out, with all of its faults.

use super::Report;
use super::forms::{Schema, Tool};
use super::gemini;
use super::openapi;
use super::write::Sound;
use serde_json::{Map, Number, Value};
use std::collections::HashSet;
use toolcast_contract::rules;
use toolcast_schema::bundle::bundle;
use toolcast_schema::diagnostic::Severity;
use toolcast_schema::dialect::Dialect;
use toolcast_schema::finding::{Finding, printable, shown};
use toolcast_schema::form::{count, meant_type};
use toolcast_schema::index::{Document, Index, Location};
use toolcast_schema::json::Places;
use toolcast_schema::keyword::{Form, is_schema, keyword};
use toolcast_schema::limits::Limits;
use toolcast_schema::pointer::tokens;

/// The name under which a schema is looked at; messages name the file that it came from instead.
pub(super) const DOCUMENT: &str = "imported-schema.json";

/// Each round may bring to light what the one before hid; more than this is no slip.
const ROUNDS: usize = 6;

/// The tool with sound schemas; `None` where it must be left out. `reports` says why, and what was mended.
pub(super) fn repair(mut tool: Tool, reports: &mut Vec<Report>) -> Option<Sound> {
    if tool.openapi {
        tool.input.value = gemini::translated(&tool.input.value);
        if let Some(output) = &mut tool.output {
            output.value = gemini::translated(&output.value);
        }
    }
    if let Value::Object(members) = &mut tool.input.value {
        // Arguments are never null.
        members.shift_remove("nullable");
    }
    for schema in [Some(&mut tool.input), tool.output.as_mut()].into_iter().flatten() {
        openapi::mend(&mut schema.value, &schema.pointer, reports);
    }
    root_type(&mut tool.input, reports);
    // Both are asked, so that all faults are reported at once.
    let input = sound(&tool.input, reports);
    let output = match &tool.output {
        None => Some(None),
        Some(output) => sound(output, reports).map(Some),
    };
    let (Value::Object(mut input), output) = (input?, output?) else {
        reports.push(left_out(&tool.input, "root-not-object", "its input schema is no object"));
        return None;
    };
    let named = |value: Option<Value>| value.as_ref().and_then(Value::as_str).map(str::to_owned);
    let own_title = named(input.shift_remove("title"));
    let own_description = named(input.shift_remove("description"));
    let of_x_tool = input.shift_remove("x-tool");
    let filled = |text: Option<String>| text.filter(|text| !text.trim().is_empty());
    let description = filled(tool.description).or_else(|| filled(own_description.clone()));
    let description = description.unwrap_or_else(|| {
        let (text, what) = match &tool.title {
            Some(title) if !title.trim().is_empty() => (title.clone(), "title"),
            _ => (in_words(&tool.name), "name in words"),
        };
        reports.push(Report {
            severity: Severity::Warning,
            rule: "missing-description",
            pointer: tool.pointer.clone(),
            message: "it has no description".to_owned(),
            help: format!(
                "its {what} stands in for one: write what the tool does and when to use it"
            ),
        });
        text
    });
    let mut sound = Sound {
        name: tool.name,
        title: tool.title,
        description,
        input,
        output,
        meta: Map::new(),
        annotations: Map::new(),
        icons: Vec::new(),
    };
    sound.keep_meta(tool.meta);
    sound.keep_annotations(tool.annotations);
    sound.keep_icons(tool.icons);
    sound.keep_unknown(tool.unknown);
    sound.keep_of_schema(own_title, own_description, of_x_tool);
    Some(sound)
}

/// `search_the_web` as `Search the web.`
fn in_words(name: &str) -> String {
    let mut words = String::new();
    let mut before = ' ';
    for c in name.chars() {
        let c = if c.is_alphanumeric() { c } else { ' ' };
        if c.is_uppercase() && before.is_lowercase() {
            words.push(' ');
        }
        if !(c == ' ' && (words.is_empty() || words.ends_with(' '))) {
            let first = words.is_empty();
            words.extend(if first {
                c.to_uppercase().collect()
            } else {
                c.to_lowercase().collect::<Vec<_>>()
            });
        }
        before = c;
    }
    let words = words.trim_end();
    if words.is_empty() { "A tool.".to_owned() } else { format!("{words}.") }
}

/// A tool's arguments are an object: a root that does not say so is made to.
fn root_type(input: &mut Schema, reports: &mut Vec<Report>) {
    let mut mended = |message: String, help: &str| {
        reports.push(Report {
            severity: Severity::Warning,
            rule: "root-not-object",
            pointer: input.pointer.clone(),
            message,
            help: help.to_owned(),
        });
    };
    match &mut input.value {
        Value::Bool(true) => {
            mended("its input schema is `true`".to_owned(), "import wrote `\"type\": \"object\"`");
            input.value = serde_json::json!({ "type": "object" });
        }
        Value::Object(members) => match members.get("type") {
            None | Some(Value::Null) => {
                mended("the root has no `type`".to_owned(), "import added `\"type\": \"object\"`");
                members.shift_remove("type");
                members.shift_insert(0, "type".to_owned(), Value::from("object"));
            }
            Some(Value::Array(types)) if types.iter().any(|name| name == "object") => {
                mended(
                    format!("the root's `type` is {}", shown(&Value::Array(types.clone()))),
                    "import wrote `\"object\"`: arguments are nothing else",
                );
                members.insert("type".to_owned(), Value::from("object"));
            }
            _ => {}
        },
        _ => {}
    }
    // What names an object in another language is an object; every other type is no tool's.
    if let Some(Value::String(name)) = input.value.get("type")
        && name != "object"
        && certain_type(name) != Some(Some("object"))
    {
        let message = format!("the root's `type` is `{}`", printable(name));
        reports.push(left_out(input, "root-not-object", &message));
        input.value = Value::Null;
    }
}

fn left_out(schema: &Schema, rule: &'static str, message: &str) -> Report {
    Report {
        severity: Severity::Error,
        rule,
        pointer: schema.pointer.clone(),
        message: message.to_owned(),
        help: "the tool was left out: a tool's arguments are an object".to_owned(),
    }
}

/// The schema in 2020-12 without a fault.
fn sound(schema: &Schema, reports: &mut Vec<Report>) -> Option<Value> {
    let mut value = schema.value.clone();
    if !is_schema(&value) {
        if !value.is_null() {
            let message = format!("its schema is {}", shown(&value));
            reports.push(left_out(schema, "root-not-object", &message));
        }
        return None;
    }
    let dialect = dialect(&mut value, schema, reports)?;
    let mut mended: Vec<Report> = Vec::new();
    for round in 0..=ROUNDS {
        let document = Document::new(DOCUMENT.into(), dialect, value, Places::default());
        let mut index = Index::new(vec![document], HashSet::new(), &Limits::default());
        let findings = rules::of_schemas(&index, &Limits::default());
        let (errors, warnings): (Vec<Finding>, Vec<Finding>) =
            findings.into_iter().partition(Finding::is_error);
        if errors.is_empty() && index.too_many.is_empty() {
            reports.append(&mut mended);
            return Some(upgraded(&index, dialect, schema, warnings, reports));
        }
        if !index.too_many.is_empty() {
            reports.push(left_out(schema, "too-many-subschemas", "its schema is too large"));
            return None;
        }
        value = std::mem::take(&mut index.documents[0].value);
        let mut changed = false;
        let mut done: HashSet<String> = HashSet::new();
        for finding in &errors {
            let subject = finding.keyword.clone().unwrap_or_else(|| finding.pointer.clone());
            if !done.insert(subject.clone()) {
                continue;
            }
            if let Some(help) = mend(&mut value, finding, &subject) {
                changed = true;
                mended.push(Report {
                    severity: Severity::Warning,
                    rule: finding.rule,
                    pointer: format!("{}{}", schema.pointer, finding.pointer),
                    message: finding.message.clone(),
                    help,
                });
            }
        }
        if !changed || round == ROUNDS {
            reports.extend(errors.into_iter().take(Limits::default().faults).map(|finding| {
                Report {
                    severity: Severity::Error,
                    rule: finding.rule,
                    pointer: format!("{}{}", schema.pointer, finding.pointer),
                    message: finding.message,
                    help: match finding.help {
                        Some(help) => format!("the tool was left out; {help}"),
                        None => "the tool was left out".to_owned(),
                    },
                }
            }));
            return None;
        }
    }
    None
}

/// The dialect to read the schema in; drafts 4 and 6 are read as draft 7, of which they are nearly a part.
fn dialect(value: &mut Value, schema: &Schema, reports: &mut Vec<Report>) -> Option<Dialect> {
    let Some(named) = value.get("$schema").and_then(Value::as_str).map(str::to_owned) else {
        return Some(Dialect::Draft2020);
    };
    let bare =
        named.trim_end_matches('#').trim_start_matches("https://").trim_start_matches("http://");
    let dialect = match bare {
        "json-schema.org/draft/2020-12/schema" => return Some(Dialect::Draft2020),
        "json-schema.org/draft/2019-09/schema" => Dialect::Draft2020,
        "json-schema.org/draft-07/schema" | "json-schema.org/draft-06/schema" => Dialect::Draft7,
        "json-schema.org/draft-04/schema" => {
            *value = with_dollar_ids(value);
            if let Value::Object(members) = value {
                members.insert("$schema".to_owned(), Value::from(named.as_str()));
            }
            Dialect::Draft7
        }
        // "The newest", as some libraries call it.
        "json-schema.org/schema" => Dialect::Draft2020,
        _ => {
            let message = format!("`{}` is not a dialect that is read here", printable(&named));
            reports.push(Report {
                severity: Severity::Error,
                rule: "unknown-dialect",
                pointer: format!("{}/$schema", schema.pointer),
                message,
                help: "the tool was left out: import reads drafts 4, 6, 7, 2019-09 and 2020-12"
                    .to_owned(),
            });
            return None;
        }
    };
    reports.push(Report {
        severity: Severity::Note,
        rule: "old-spelling",
        pointer: format!("{}/$schema", schema.pointer),
        message: format!("its schema is written in `{}`", printable(&named)),
        help: "import wrote it in draft 2020-12".to_owned(),
    });
    Some(dialect)
}

/// Draft 4's `id` as `$id`, wherever a schema stands.
fn with_dollar_ids(schema: &Value) -> Value {
    super::write::mapped(schema, &mut |members| {
        if let Some(Value::String(id)) = members.get("id").cloned() {
            members.shift_remove("id");
            members.entry("$id").or_insert(Value::String(id));
        }
    })
}

/// The schema in 2020-12 and in one piece: as it was written where it is both already.
fn upgraded(
    index: &Index,
    dialect: Dialect,
    schema: &Schema,
    warnings: Vec<Finding>,
    reports: &mut Vec<Report>,
) -> Value {
    let document = &index.documents[0];
    let told = warnings.iter().filter(|finding| {
        matches!(finding.rule, "old-spelling" | "later-keyword" | "foreign-keyword")
    });
    let mut rewrite = dialect == Dialect::Draft7;
    for finding in told {
        rewrite |= finding.rule != "foreign-keyword";
        reports.push(Report {
            severity: Severity::Warning,
            rule: finding.rule,
            pointer: format!("{}{}", schema.pointer, finding.pointer),
            message: finding.message.clone(),
            help: match finding.rule {
                "old-spelling" => "import wrote it in draft 2020-12".to_owned(),
                "foreign-keyword" => finding.help.clone().unwrap_or_default(),
                _ => "import left it out, as that draft does".to_owned(),
            },
        });
    }
    for subschema in &document.schemas {
        let location = Location { document: 0, pointer: subschema.pointer.clone() };
        let Some(Value::Object(members)) = index.value(&location) else { continue };
        // Identifiers would meet those of other tools, and the schema of the output those of the input.
        let identified = ["$id", "$anchor", "$dynamicAnchor", "$dynamicRef"];
        rewrite |= identified.iter().any(|name| members.contains_key(*name));
        if let Some(reference) = members.get("$ref").and_then(Value::as_str) {
            let target = index.follow(&location, reference);
            rewrite |= target.is_ok_and(|target| !index.is_subschema(&target.location));
        }
    }
    let root = Location { document: 0, pointer: String::new() };
    let bundled = match rewrite {
        true => bundle(index, &root, &HashSet::new(), &Limits::default()).ok(),
        false => None,
    };
    let Some(bundled) = bundled else {
        let mut value = document.value.clone();
        if let Some(named) = value.get_mut("$schema") {
            *named = Value::from("https://json-schema.org/draft/2020-12/schema");
        }
        return value;
    };
    let mut value = bundled.schema;
    if let (Value::Object(out), Value::Object(members)) = (&mut value, &document.value) {
        // The bundler leaves these to the contract around a schema.
        for name in ["title", "description"] {
            if let Some(text) = members.get(name) {
                out.insert(name.to_owned(), text.clone());
            }
        }
    }
    value
}

/// Mends one fault; says what was done, or nothing where no repair is certain.
fn mend(root: &mut Value, finding: &Finding, subject: &str) -> Option<String> {
    let name = tokens(subject).last()?;
    match finding.rule {
        "default-mismatch" => {
            remove(root, subject)?;
            Some("import dropped the default".to_owned())
        }
        "keyword-shape" => {
            let value = root.pointer(subject)?.clone();
            let form = keyword(&name)?.form;
            if name == "required" && value.is_boolean() {
                return moved_required(root, subject, value == Value::Bool(true));
            }
            match meant(&name, form, &value)? {
                Some(meant) => {
                    let help = format!("import wrote {}", shown(&meant));
                    *root.pointer_mut(subject)? = meant;
                    Some(help)
                }
                None => {
                    remove(root, subject)?;
                    Some(format!("import left `{}` out", printable(&name)))
                }
            }
        }
        _ => None,
    }
}

fn remove(root: &mut Value, pointer: &str) -> Option<Value> {
    let (holder, _) = pointer.rsplit_once('/')?;
    let name = tokens(pointer).last()?;
    root.pointer_mut(holder)?.as_object_mut()?.shift_remove(&name)
}

/// Drafts 3 and earlier, and many who remember them, write `required: true` inside the property.
fn moved_required(root: &mut Value, subject: &str, required: bool) -> Option<String> {
    let (property, _) = subject.rsplit_once('/')?;
    let (properties, _) = property.rsplit_once('/')?;
    let (owner, keyword) = properties.rsplit_once('/')?;
    if keyword != "properties" {
        return None;
    }
    let name = tokens(property).last()?;
    remove(root, subject)?;
    if !required {
        return Some("import left it out: optional is what a property is".to_owned());
    }
    let owner = root.pointer_mut(owner)?.as_object_mut()?;
    let names = owner.entry("required").or_insert_with(|| Value::Array(Vec::new()));
    let names = names.as_array_mut()?;
    if !names.iter().any(|known| known == name.as_str()) {
        names.push(Value::String(name));
    }
    Some("import listed it in the object's `required`".to_owned())
}

/// What a value of the wrong kind certainly means: another value, nothing (`Some(None)`), or who knows (`None`).
fn meant(name: &str, form: Form, value: &Value) -> Option<Option<Value>> {
    match (form, value) {
        // How many systems write a member that is not there.
        (_, Value::Null) => Some(None),
        (Form::Types, Value::String(name)) => certain_type(name).map(|kind| kind.map(Value::from)),
        (Form::Types, Value::Array(names)) if !names.is_empty() => {
            let mut kinds: Vec<Value> = Vec::new();
            for name in names {
                let kind = match name {
                    Value::Null => "null",
                    name => match certain_type(name.as_str()?)? {
                        Some(kind) => kind,
                        None => return Some(None),
                    },
                };
                if !kinds.iter().any(|known| known == kind) {
                    kinds.push(Value::from(kind));
                }
            }
            Some(Some(Value::Array(kinds)))
        }
        (Form::Names, Value::Array(names)) => {
            let mut kept: Vec<Value> = Vec::new();
            for name in names.iter().filter(|name| !name.is_null()) {
                name.as_str()?;
                if !kept.contains(name) {
                    kept.push(name.clone());
                }
            }
            Some(Some(Value::Array(kept)))
        }
        (Form::Count | Form::Number | Form::Positive, Value::String(text)) => {
            let number: Number = text.trim().parse().ok()?;
            let fits = match form {
                Form::Count => count(&number).is_some(),
                Form::Positive => number.as_f64()? > 0.0,
                _ => true,
            };
            fits.then_some(Some(Value::Number(number)))
        }
        // At least minus one of something is at least none.
        (Form::Count, Value::Number(number))
            if name.starts_with("min") && number.as_f64()? < 0.0 =>
        {
            Some(None)
        }
        (Form::Boolean | Form::Schema, Value::String(text)) => {
            let meant = text.to_ascii_lowercase().parse::<bool>().ok()?;
            Some(Some(Value::Bool(meant)))
        }
        (Form::Text, _) if matches!(name, "title" | "description" | "$comment") => Some(None),
        (Form::AnyList, other) if name == "examples" => {
            Some(Some(Value::Array(vec![other.clone()])))
        }
        // PHP writes an empty object as an empty list.
        (Form::SchemaMap, Value::Array(elements)) if elements.is_empty() => {
            Some(Some(Value::Object(Map::new())))
        }
        (Form::Schemas, Value::Array(elements)) if elements.is_empty() => {
            matches!(name, "allOf" | "prefixItems").then_some(None)
        }
        _ => None,
    }
}

/// The type that a name certainly stands for; `Some(None)` for any. Slips of the keyboard are not certain.
fn certain_type(name: &str) -> Option<Option<&'static str>> {
    match name.to_ascii_lowercase().as_str() {
        "any" | "mixed" | "unknown" => Some(None),
        lower @ ("int" | "long" | "int32" | "int64" | "uint" | "float" | "double" | "decimal"
        | "str" | "text" | "bool" | "dict" | "map" | "list" | "tuple" | "none" | "nil"
        | "undefined" | "array" | "boolean" | "integer" | "null" | "number" | "object"
        | "string") => meant_type(lower).map(Some),
        _ => None,
    }
}
