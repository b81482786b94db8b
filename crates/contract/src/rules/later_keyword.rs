//! A draft 7 file uses no keyword of a later draft.

use super::{Member, Rule};
use toolcast_schema::finding::Finding;
use toolcast_schema::json::End;

/// A draft 7 file uses no keyword of a later draft: that draft ignores it.
pub const RULE: Rule = Rule::warning(
    "later-keyword",
    "A draft 7 file uses no keyword of a later draft: that draft ignores it.",
);

pub(super) fn check(member: &Member<'_>, out: &mut Vec<Finding>) {
    if !member.is_ignored() {
        return;
    }
    let message = format!("draft 7 has no `{}`, so it is ignored", member.name);
    out.push(
        RULE.finding(member.pointer(), End::Key, message)
            .help("declare draft 2020-12 in `$schema`, or remove the keyword"),
    );
}
