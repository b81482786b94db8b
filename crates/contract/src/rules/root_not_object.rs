//! A contract is a schema whose root `type` is `object`.

use super::Rule;
use serde_json::Value;
use toolcast_schema::finding::{Finding, shown};
use toolcast_schema::json::End;

/// A contract is a schema whose root `type` is `object` (MCP asks for it).
pub const RULE: Rule = Rule::error(
    "root-not-object",
    "A contract is a schema whose root `type` is `object` (MCP asks for it).",
);

/// Whether the root is an object at all: the other rules of a contract have something to look at.
pub(super) fn check(root: &Value, out: &mut Vec<Finding>) -> bool {
    let here = String::new();
    let Value::Object(members) = root else {
        let message = format!("a contract is a schema for an object, not {}", shown(root));
        let finding = RULE.finding(here, End::Value, message);
        out.push(finding.help("write `{ \"type\": \"object\", ... }`"));
        return false;
    };
    match members.get("type") {
        Some(Value::String(name)) if name == "object" => {}
        None => out.push(
            RULE.finding(here, End::Value, "the root has no `type`".to_owned())
                .help("add `\"type\": \"object\"`: a tool's arguments are an object"),
        ),
        Some(other) => {
            let message = format!(
                "the root's `type` is {}, but a tool's arguments are an object",
                shown(other)
            );
            out.push(
                RULE.finding("/type".to_owned(), End::Value, message)
                    .help("write `\"type\": \"object\"`"),
            );
        }
    }
    true
}

/// A file of definitions is at least a schema.
pub(super) fn check_definitions(root: &Value, out: &mut Vec<Finding>) {
    if !matches!(root, Value::Object(_) | Value::Bool(_)) {
        let message = format!("a file of definitions is a schema, not {}", shown(root));
        let finding = RULE.finding(String::new(), End::Value, message);
        out.push(finding.help("write `{ \"$defs\": { ... } }`"));
    }
}
