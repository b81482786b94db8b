//! A `default` fits the schema that it stands in.

use super::Rule;
use serde_json::Value;
use toolcast_schema::finding::{Finding, shown};
use toolcast_schema::index::{Index, Location};
use toolcast_schema::instance::{self, Fit};
use toolcast_schema::json::End;
use toolcast_schema::pointer::join;

/// A `default` fits the schema that it stands in.
pub const RULE: Rule =
    Rule::error("default-mismatch", "A `default` fits the schema that it stands in.");

/// `steps` are those that all questions of one run may still take.
pub(super) fn check(
    index: &Index,
    location: &Location,
    schema: &Value,
    steps: &mut usize,
    out: &mut Vec<Finding>,
) {
    let Some(default) = schema.get("default") else { return };
    if let Fit::No(reason) = instance::fits(index, location, default, steps) {
        let message = format!("the default {} does not fit its schema: {reason}", shown(default));
        let pointer = join(&location.pointer, "default");
        out.push(
            RULE.finding(pointer, End::Value, message)
                .help("change the default, the schema, or remove `default`"),
        );
    }
}
