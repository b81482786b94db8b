//! `x-tool` stands at the root of a contract and nowhere else.

use super::{Member, Rule};
use serde_json::Value;
use toolcast_schema::finding::Finding;
use toolcast_schema::json::End;

/// `x-tool` stands at the root of a contract and nowhere else.
pub const RULE: Rule = Rule::warning(
    "misplaced-x-tool",
    "`x-tool` stands at the root of a contract and nowhere else.",
);

/// Inside a schema.
pub(super) fn check(member: &Member<'_>, out: &mut Vec<Finding>) {
    if member.name == "x-tool" && !member.schema.is_empty() {
        let message = "`x-tool` stands inside a schema, where it means nothing".to_owned();
        out.push(
            RULE.finding(member.pointer(), End::Key, message)
                .help("move it to the root of a contract"),
        );
    }
}

/// At the root of a file of definitions.
pub(super) fn check_definitions(root: &Value, out: &mut Vec<Finding>) {
    if root.is_object() && root.get("x-tool").is_some() {
        let message =
            "a file in a `defs` folder is no contract, so `x-tool` means nothing here".to_owned();
        out.push(
            RULE.finding("/x-tool".to_owned(), End::Key, message)
                .help("move the file out of `defs`, or remove `x-tool`"),
        );
    }
}
