//! Digests of what stood and what stands, so that an acceptance fits one change and no later one. A change of a schema is
//! known by the whole schema on either side, all that it refers to included: what else changes there is looked at anew.

use super::config::Exactly;
use super::version::{Contracts, Version, Versions};
use serde_json::{Map, Value, json};
use sha2::{Digest, Sha256};
use toolcast_codegen::contract::{Contract, Part};
use toolcast_review::changes::{Change, UNREADABLE};

/// Both versions, to take digests of.
pub struct Sides<'a>(&'a Version, &'a Version);

impl<'a> Sides<'a> {
    /// Both versions.
    pub fn new(versions: &'a Versions) -> Self {
        Self(&versions.old, &versions.new)
    }

    /// What an acceptance of the change says.
    pub fn exactly(&self, change: &Change) -> Exactly {
        let pointer = change.place.as_ref().map(|(_, pointer)| pointer.clone());
        let before = change.tool_before.as_deref().unwrap_or(&change.tool);
        Exactly {
            pointer: pointer.unwrap_or_default(),
            old: side(self.0, before, change),
            new: side(self.1, &change.tool, change),
        }
    }
}

/// The digest of one side; `none` where the tool has no such side.
fn side(version: &Version, tool: &str, change: &Change) -> String {
    let value = match version {
        Version::Bare { value, .. } => Some(value.clone()),
        Version::Contracts(contracts) if change.rule == &UNREADABLE => files(contracts),
        Version::Contracts(contracts) => {
            let contract = contracts.catalog.get(tool);
            match change.place.as_ref().map(|(part, _)| *part) {
                Some(Part::Input) => contract.map(|contract| contract.input.clone()),
                Some(Part::Output) => contract.and_then(|contract| contract.output.clone()),
                None => contract.map(whole),
            }
        }
    };
    value.map_or_else(|| "none".to_owned(), |value| digest(&value))
}

/// The files with faults, which are no contracts yet.
fn files(contracts: &Contracts) -> Option<Value> {
    let faults = contracts.faults.iter();
    let files: Vec<Value> = faults
        .map(|(fault, bytes)| json!([fault.file.as_str(), fault.message, hexadecimal(bytes)]))
        .collect();
    (!files.is_empty()).then(|| files.into())
}

fn whole(contract: &Contract) -> Value {
    json!({
        "name": contract.name,
        "toolset": contract.toolset,
        "title": contract.title,
        "description": contract.description,
        "input": contract.input,
        "output": contract.output,
        "exclusive": contract.exclusive,
        "timeoutSeconds": contract.timeout_seconds,
        "annotations": Value::Object(contract.annotations.specification().into_iter().collect()),
        "icons": contract.icons,
        "meta": contract.meta,
    })
}

/// The SHA-256 of a value's text with sorted members.
fn digest(value: &Value) -> String {
    format!("sha256:{}", hexadecimal(sorted(value).to_string().as_bytes()))
}

fn hexadecimal(bytes: &[u8]) -> String {
    Sha256::digest(bytes).iter().map(|byte| format!("{byte:02x}")).collect()
}

fn sorted(value: &Value) -> Value {
    match value {
        Value::Object(members) => {
            let mut names: Vec<&String> = members.keys().collect();
            names.sort();
            let members: Map<String, Value> =
                names.into_iter().map(|name| (name.clone(), sorted(&members[name]))).collect();
            Value::Object(members)
        }
        Value::Array(items) => Value::Array(items.iter().map(sorted).collect()),
        other => other.clone(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_order_of_members_is_no_part_of_a_digest() {
        let one: Value =
            serde_json::from_str(r#"{"a": 1, "b": [{"c": 2, "d": 3}]}"#).expect("JSON");
        let two: Value =
            serde_json::from_str(r#"{"b": [{"d": 3, "c": 2}], "a": 1}"#).expect("JSON");
        assert_eq!(digest(&one), digest(&two));
        assert_ne!(digest(&json!(1)), digest(&json!(2)));
    }
}
