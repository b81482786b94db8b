//! Reads `x-tool`, strictly: what JSON Schema has no word for. An unknown member is an error with the nearest known one.

use crate::contract::Annotations;
use crate::rules::Rule;
use serde_json::{Map, Value};
use toolcast_schema::finding::{Finding, printable, shown};
use toolcast_schema::json::End;
use toolcast_schema::keyword::is_schema;
use toolcast_schema::nearest::nearest;
use toolcast_schema::pointer::join;

/// `x-tool` has no members but the known ones.
pub const UNKNOWN_X_TOOL: Rule =
    Rule::error("unknown-x-tool", "`x-tool` has no members but the known ones.");

/// Each member of `x-tool` has the kind of value that it asks for.
pub const X_TOOL_SHAPE: Rule =
    Rule::error("x-tool-shape", "Each member of `x-tool` has the kind of value that it asks for.");

/// What `x-tool` says; the output schema is read where it stands.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Tool {
    pub(crate) name: Option<String>,
    pub(crate) exclusive: bool,
    pub(crate) timeout_seconds: Option<f64>,
    pub(crate) annotations: Annotations,
    pub(crate) has_output: bool,
    pub(crate) icons: Vec<Value>,
    pub(crate) meta: Map<String, Value>,
    pub(crate) renamed_from: Option<String>,
}

const MEMBERS: [&str; 8] = [
    "name",
    "exclusive",
    "timeoutSeconds",
    "annotations",
    "output",
    "icons",
    "meta",
    "renamedFrom",
];
const HINTS: [&str; 5] =
    ["title", "readOnlyHint", "destructiveHint", "idempotentHint", "openWorldHint"];
const HERE: &str = "/x-tool";

/// Reads the `x-tool` of a contract's root.
pub(crate) fn read(root: &Value, out: &mut Vec<Finding>) -> Tool {
    let mut tool = Tool::default();
    let members = match root.get("x-tool") {
        None => return tool,
        Some(Value::Object(members)) => members,
        Some(other) => {
            out.push(wrong(HERE.to_owned(), "x-tool", "an object", other));
            return tool;
        }
    };
    for (name, value) in members {
        let here = join(HERE, name);
        match (name.as_str(), value) {
            ("name", Value::String(text)) => tool.name = Some(text.clone()),
            ("renamedFrom", Value::String(text)) => tool.renamed_from = Some(text.clone()),
            ("name" | "renamedFrom", other) => out.push(wrong(here, name, "a string", other)),
            ("exclusive", Value::Bool(yes)) => tool.exclusive = *yes,
            ("exclusive", other) => out.push(wrong(here, name, "`true` or `false`", other)),
            ("timeoutSeconds", value) => match value.as_f64() {
                Some(seconds) if seconds > 0.0 => tool.timeout_seconds = Some(seconds),
                _ => out.push(wrong(here, name, "a number of seconds above 0", value)),
            },
            ("annotations", value) => annotations(value, &here, &mut tool.annotations, out),
            ("output", value) if is_schema(value) => tool.has_output = true,
            ("output", other) => out.push(wrong(here, name, "a schema", other)),
            ("icons", Value::Array(icons)) => {
                for (index, icon) in icons.iter().enumerate() {
                    if !icon.get("src").is_some_and(Value::is_string) {
                        let here = format!("{here}/{index}");
                        out.push(wrong(here, name, "objects with a `src` (a URI)", icon));
                    }
                }
                tool.icons.clone_from(icons);
            }
            ("icons", other) => out.push(wrong(here, name, "a list of icons", other)),
            ("meta", Value::Object(meta)) => tool.meta.clone_from(meta),
            ("meta", other) => out.push(wrong(here, name, "an object", other)),
            _ => out.push(unknown(here, "x-tool", name, &MEMBERS)),
        }
    }
    tool
}

fn annotations(value: &Value, here: &str, annotations: &mut Annotations, out: &mut Vec<Finding>) {
    let Value::Object(members) = value else {
        out.push(wrong(here.to_owned(), "annotations", "an object", value));
        return;
    };
    for (name, value) in members {
        let here = join(here, name);
        let hint = match name.as_str() {
            "title" => {
                match value {
                    Value::String(title) => annotations.title = Some(title.clone()),
                    other => out.push(wrong(here, name, "a string", other)),
                }
                continue;
            }
            "readOnlyHint" => &mut annotations.read_only,
            "destructiveHint" => &mut annotations.destructive,
            "idempotentHint" => &mut annotations.idempotent,
            "openWorldHint" => &mut annotations.open_world,
            _ => {
                out.push(unknown(here, "x-tool.annotations", name, &HINTS));
                continue;
            }
        };
        match value {
            Value::Bool(yes) => *hint = Some(*yes),
            other => out.push(wrong(here, name, "`true` or `false`", other)),
        }
    }
}

fn wrong(pointer: String, name: &str, wanted: &str, value: &Value) -> Finding {
    let message = format!("`{}` takes {wanted}, not {}", printable(name), shown(value));
    X_TOOL_SHAPE
        .finding(pointer, End::Value, message)
        .help(format!("write {wanted}, or remove `{}`", printable(name)))
}

fn unknown(pointer: String, owner: &str, name: &str, known: &[&str]) -> Finding {
    let message = format!("`{owner}` has no member `{}`", printable(name));
    let help = match nearest(name, known.iter().copied()) {
        Some(near) => format!("did you mean `{near}`?"),
        None => {
            format!("its members are {}; anything else goes under `x-tool.meta`", known.join(", "))
        }
    };
    UNKNOWN_X_TOOL.finding(pointer, End::Key, message).help(help)
}
