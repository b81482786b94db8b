//! A keyword is not a slip of a known one.

use super::{Member, Rule};
use toolcast_schema::finding::{Finding, printable};
use toolcast_schema::json::End;
use toolcast_schema::keyword::{Drafts, KEYWORDS};
use toolcast_schema::nearest::nearest;

/// A keyword is not a slip of a known one.
pub const RULE: Rule = Rule::warning("unknown-keyword", "A keyword is not a slip of a known one.");

pub(super) fn check(member: &Member<'_>, out: &mut Vec<Finding>) {
    // Of thousands of unknown keywords none is a slip, and comparing them all would take long.
    let is_slip = member.row.is_none() && member.members.len() < 1_000;
    if !is_slip || member.name.starts_with("x-") {
        return;
    }
    let known = KEYWORDS.iter().filter(|row| row.drafts != Drafts::Before).map(|row| row.name);
    if let Some(near) = nearest(member.name, known.chain(["x-tool"])) {
        let name = printable(member.name);
        let message = format!("`{name}` is not a keyword of JSON Schema, so it is ignored");
        out.push(
            RULE.finding(member.pointer(), End::Key, message)
                .help(format!("did you mean `{near}`?")),
        );
    }
}
