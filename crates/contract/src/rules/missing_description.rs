//! A contract has a root `description`.

use super::Rule;
use serde_json::Value;
use toolcast_schema::finding::Finding;
use toolcast_schema::json::End;

/// A contract has a root `description`: it is what a model reads.
pub const RULE: Rule = Rule::error(
    "missing-description",
    "A contract has a root `description`: it is what a model reads.",
);

pub(super) fn check(root: &Value, out: &mut Vec<Finding>) {
    let (pointer, message, help) = match root.get("description") {
        Some(Value::String(text)) if text.trim().is_empty() => (
            "/description",
            "the description is empty",
            "say what the tool does and when to use it: this is what a model reads",
        ),
        // Anything but a string is found as the keyword's shape.
        Some(_) => return,
        None => (
            "",
            "the contract has no `description`",
            "say at the root what the tool does and when to use it: this is what a model reads",
        ),
    };
    out.push(RULE.finding(pointer.to_owned(), End::Value, message.to_owned()).help(help));
}
