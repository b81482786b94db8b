//! A file that does not declare draft 7 uses no spelling of older drafts.

use super::{Member, Rule};
use serde_json::Value;
use toolcast_schema::dialect::Dialect;
use toolcast_schema::finding::Finding;
use toolcast_schema::json::End;

/// A file that does not declare draft 7 uses no spelling of older drafts; they are upgraded.
pub const RULE: Rule = Rule::warning(
    "old-spelling",
    "A file that does not declare draft 7 uses no spelling of older drafts; they are upgraded.",
);

pub(super) fn check(member: &Member<'_>, out: &mut Vec<Finding>) {
    if member.row.is_none() || member.is_ignored() {
        return;
    }
    if let Some((message, help)) = spelling(member) {
        out.push(RULE.finding(member.pointer(), End::Key, message).help(help));
    }
}

/// What is old about the spelling, and the new one.
fn spelling(member: &Member<'_>) -> Option<(String, String)> {
    let Member { name, value, members, dialect, .. } = *member;
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
