//! What stands where a regular expression is wanted is one.

use super::{Member, Rule};
use serde_json::Value;
use toolcast_schema::finding::{Finding, printable};
use toolcast_schema::json::End;
use toolcast_schema::pattern;
use toolcast_schema::pointer::join;

/// A `pattern`, and each name in `patternProperties`, is a regular expression that the run time can read.
pub const RULE: Rule = Rule::error(
    "pattern-syntax",
    "A `pattern`, and each name in `patternProperties`, is a regular expression that the run time can read.",
);

pub(super) fn check(member: &Member<'_>, out: &mut Vec<Finding>) {
    if member.is_ignored() {
        return;
    }
    match (member.name, member.value) {
        ("pattern", Value::String(text)) => report(text, member.pointer(), End::Value, out),
        ("patternProperties", Value::Object(entries)) => {
            for (text, _) in entries {
                report(text, join(&member.pointer(), text), End::Key, out);
            }
        }
        _ => {}
    }
}

fn report(text: &str, pointer: String, end: End, out: &mut Vec<Finding>) {
    let Some(fault) = pattern::fault(text) else { return };
    let message = format!(
        "`{}` is no regular expression: {} (character {})",
        printable(text),
        printable(&fault.what),
        fault.at
    );
    out.push(RULE.finding(pointer, end, message).help(fault.help));
}
