//! A `format` is a known one.

use super::{Member, Rule};
use toolcast_schema::finding::{Finding, printable};
use toolcast_schema::format::FORMATS;
use toolcast_schema::json::End;
use toolcast_schema::nearest::nearest;

/// A `format` is one of JSON Schema's or a widely used one.
pub const RULE: Rule =
    Rule::warning("unknown-format", "A `format` is one of JSON Schema's or a widely used one.");

pub(super) fn check(member: &Member<'_>, out: &mut Vec<Finding>) {
    let Some(format) = member.value.as_str().filter(|_| member.name == "format") else { return };
    if FORMATS.contains(&format) {
        return;
    }
    let help = match nearest(format, FORMATS.iter().copied()) {
        Some(near) => format!("did you mean `{near}`? Else remove `format`"),
        None => "remove `format`, or use one of: date, date-time, email, uri, uuid".to_owned(),
    };
    let message = format!("`{}` is not a known format", printable(format));
    out.push(RULE.finding(member.pointer(), End::Value, message).help(help));
}
