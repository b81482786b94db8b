//! Members that clients add to arguments of their own accord: left out where the application names them and the contract
//! does not declare them.

use super::Compiled;
use super::explain::{Declared, SingleKeywords};
use super::repair::Repair;
use serde_json::Value;
use toolcast_schema::dialect::Dialect;
use toolcast_schema::evaluate::SingleDocument;

/// Leaves the named members out of arguments, and says which.
pub(crate) fn drop_members(
    names: &[String],
    input: &Compiled,
    arguments: &mut Value,
) -> Vec<Repair> {
    let Value::Object(members) = arguments else { return Vec::new() };
    let mut dropped = Vec::new();
    for name in names {
        if members.contains_key(name) && !declares(&input.value, name) {
            members.shift_remove(name);
            let pointer = format!("/{}", name.replace('~', "~0").replace('/', "~1"));
            dropped
                .push(Repair { pointer, action: "member that the application ignores left out" });
        }
    }
    dropped
}

/// Whether a schema, or a part of it that looks at the same value, speaks of a member by name or by a pattern. Where it
/// cannot be told it does: what a contract may declare is never dropped.
fn declares(root: &Value, name: &str) -> bool {
    let Value::Object(schema) = root else { return false };
    let document = SingleDocument::new(root, Dialect::Draft2020);
    let declared = Declared::by(schema, &document);
    declared.is_partial
        || declared.required.contains(name)
        || declared.has(name, &mut SingleKeywords::default())
}
