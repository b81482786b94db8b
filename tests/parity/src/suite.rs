//! The official JSON Schema test suite as contracts: each group becomes the schema of one property, each test a call.
//!
//! A group that refers to nothing stands in the contract itself; any other stands verbatim in a file of its own under
//! `defs`, so that `#` means what it means in the suite. The suite's remote documents stand beside it, under the `$id`
//! by which the suite refers to them: nothing is fetched.

use crate::bindings::{Batch, Folder};
use crate::corpus::Call;
use crate::run::Miss;
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::path::Path;
use std::{fs, io};

/// Where the suite's own server would answer.
const HOST: &str = "http://localhost:1234/";

/// The dialects whose required tests are run, and the `$schema` of each.
pub const DIALECTS: [(&str, &str); 2] = [
    ("draft2020-12", "https://json-schema.org/draft/2020-12/schema"),
    ("draft7", "http://json-schema.org/draft-07/schema#"),
];

/// Every file of required tests as a batch, named `<dialect>/<file>`.
///
/// # Errors
///
/// Where the suite cannot be read or is not the suite.
pub fn read(suite: &Path) -> io::Result<Vec<Batch>> {
    let mut batches = Vec::new();
    for (dialect, uri) in DIALECTS {
        let remotes = remotes(&suite.join("remotes"), dialect, uri)?;
        let mut files: Vec<_> = fs::read_dir(suite.join(dialect))?
            .map(|entry| Ok(entry?.path()))
            .collect::<io::Result<_>>()?;
        files.sort();
        for path in files.iter().filter(|path| path.extension().is_some_and(|end| end == "json")) {
            let groups: Vec<Value> = serde_json::from_slice(&fs::read(path)?)?;
            let stem = path.file_stem().and_then(|stem| stem.to_str()).unwrap_or_default();
            let mut batch = Batch { name: format!("{dialect}/{stem}"), ..Batch::default() };
            for (index, group) in groups.iter().enumerate() {
                add(&mut batch, &format!("{stem}_{index}"), uri, group, &remotes)?;
            }
            batches.push(batch);
        }
    }
    Ok(batches)
}

/// Whether a miss is of this group or test: `file_3` is the fourth group of the file.
pub fn concerns(miss: &Miss, tool: &str) -> bool {
    miss.tool.split(", ").any(|blamed| blamed == tool)
}

fn add(
    batch: &mut Batch,
    tool: &str,
    dialect: &str,
    group: &Value,
    remotes: &BTreeMap<String, Value>,
) -> io::Result<()> {
    let schema = &group["schema"];
    let text = in_dialect(schema, dialect).to_string();
    let mut folder = Folder::new();
    let refers = ["$ref", "$id", "$dynamicRef", "$anchor"].iter().any(|word| text.contains(word));
    let value = if refers && schema.is_object() {
        folder.insert(format!("defs/{tool}.json"), text.clone());
        for (path, remote) in mentioned(&text, remotes) {
            folder.insert(format!("defs/remotes/{path}"), remote.to_string());
        }
        json!({ "$ref": format!("defs/{tool}.json") })
    } else {
        let mut schema = schema.clone();
        // The contract names the dialect; a `$schema` further down is not allowed without an `$id`.
        if let Some(schema) =
            schema.as_object_mut().filter(|schema| schema.get("$schema") == Some(&json!(dialect)))
        {
            schema.remove("$schema");
        }
        schema
    };
    let contract = json!({
        "$schema": dialect,
        "description": group["description"],
        "type": "object",
        "properties": { "value": value },
        "required": ["value"],
    });
    folder.insert(format!("{tool}.json"), contract.to_string());
    batch.folders.push(folder);
    batch.listed += 1;
    batch.imported += 1;
    let tests =
        group["tests"].as_array().ok_or_else(|| io::Error::other("a group without tests"))?;
    for test in tests {
        let arguments = json!({ "value": test["data"] });
        batch.calls.push(Call {
            tool: tool.to_owned(),
            line: json!({ "tool": tool, "arguments": arguments }).to_string(),
            arguments,
            valid: test["valid"] == Value::Bool(true),
            echo: None,
        });
    }
    Ok(())
}

/// The suite says by its folders what dialect a schema is written in; a file of its own has to say it itself.
fn in_dialect(schema: &Value, dialect: &str) -> Value {
    let mut schema = schema.clone();
    if let Some(schema) = schema.as_object_mut() {
        schema.entry("$schema").or_insert_with(|| json!(dialect));
    }
    schema
}

/// The remote documents that a schema may lead to: every one whose file it names, and those that these name.
fn mentioned<'a>(text: &str, remotes: &'a BTreeMap<String, Value>) -> BTreeMap<&'a str, &'a Value> {
    let mut found: BTreeMap<&str, &Value> = BTreeMap::new();
    let mut texts = vec![text.to_owned()];
    while let Some(text) = texts.pop() {
        for (path, remote) in remotes {
            let file = path.rsplit('/').next().unwrap_or(path);
            if text.contains(file) && found.insert(path, remote).is_none() {
                texts.push(remote.to_string());
            }
        }
    }
    found
}

/// The remote documents of one dialect, each with the `$id` under which the suite knows it.
fn remotes(folder: &Path, dialect: &str, uri: &str) -> io::Result<BTreeMap<String, Value>> {
    let mut found = BTreeMap::new();
    let mut folders = vec![folder.to_path_buf()];
    while let Some(inner) = folders.pop() {
        for entry in fs::read_dir(&inner)? {
            let path = entry?.path();
            let Some(name) = path.strip_prefix(folder).ok().and_then(|path| path.to_str()) else {
                continue;
            };
            let top = name.split('/').next().unwrap_or(name);
            if path.is_dir() {
                let other = top.starts_with("draft") && top != dialect || top == "v1";
                if !other {
                    folders.push(path);
                }
                continue;
            }
            let mut remote: Value = serde_json::from_slice(&fs::read(&path)?)?;
            remote = in_dialect(&remote, uri);
            let address = format!("{HOST}{name}");
            match remote.get("$id").and_then(Value::as_str) {
                // One that calls itself otherwise is found at its address through a document that refers to it.
                Some(own) if own != address => {
                    let alias = json!({ "$id": address, "$ref": own });
                    found.insert(format!("at/{name}"), alias);
                }
                Some(_) => {}
                None => {
                    if let Some(remote) = remote.as_object_mut() {
                        remote.insert("$id".to_owned(), json!(address));
                    }
                }
            }
            found.insert(name.to_owned(), remote);
        }
    }
    Ok(found)
}
