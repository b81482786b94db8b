//! Each keyword has the kind of value that JSON Schema gives it.

use super::{Member, Rule};
use toolcast_schema::finding::Finding;
use toolcast_schema::form;

/// Each keyword has the kind of value that 2020-12 gives it.
pub const RULE: Rule =
    Rule::error("keyword-shape", "Each keyword has the kind of value that 2020-12 gives it.");

pub(super) fn check(member: &Member<'_>, out: &mut Vec<Finding>) {
    let Some(row) = member.row.filter(|_| !member.is_ignored()) else { return };
    let found = out.len();
    form::check(member.name, row.form, member.value, &member.pointer(), out);
    for finding in &mut out[found..] {
        finding.keyword = Some(member.pointer());
    }
}
