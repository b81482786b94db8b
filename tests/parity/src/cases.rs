//! Small contracts, each with calls of which it is written down whether they are accepted and what must come back.
//!
//! Two layouts: our own, a file of tools with their calls ([`held`]); and a folder a kind with `schemas` and `calls.json`
//! ([`contracts`]). Neither asks a schema what may get lost: what must come back is exact.

use crate::bindings::{Batch, Folder};
use crate::corpus::Call;
use serde_json::Value;
use std::collections::BTreeSet;
use std::path::Path;
use std::{fs, io};

/// Reads our own layout: each file of the folder lists tools with `name`, `schema`, the arguments that come back as they
/// were sent (`kept`), and those that are refused (`refused`). Everything becomes one batch.
///
/// # Errors
///
/// Where a file cannot be read or is not laid out so.
pub fn held(folder: &Path) -> io::Result<Batch> {
    let mut batch = Batch { name: "held".to_owned(), ..Batch::default() };
    for path in sorted(folder)? {
        let kind = path.file_stem().and_then(|stem| stem.to_str()).unwrap_or_default();
        let tools: Vec<Value> = serde_json::from_slice(&fs::read(&path)?)?;
        for tool in tools {
            let name = format!("{kind}_{}", text(&tool, "name")?);
            let mut schema = tool["schema"].clone();
            if let Some(schema) = schema.as_object_mut() {
                schema
                    .entry("description")
                    .or_insert_with(|| Value::from("Holds what it is given."));
            }
            batch.folders.push(Folder::from([(format!("{name}.json"), schema.to_string())]));
            batch.listed += 1;
            batch.imported += 1;
            for (key, valid) in [("kept", true), ("refused", false)] {
                for arguments in tool[key].as_array().into_iter().flatten() {
                    batch.calls.push(call(&name, arguments, valid, arguments));
                }
            }
        }
    }
    Ok(batch)
}

/// Reads one folder a kind: `schemas/**.json`, and `calls.json` with `tool`, `args`, `expect` and `echo`. Names that stand
/// in several folders go to several batches. Calls that need a lenient toolset are left out.
///
/// # Errors
///
/// Where a folder cannot be read or is not laid out so.
pub fn contracts(folder: &Path) -> io::Result<Vec<Batch>> {
    let mut batches: Vec<(Batch, BTreeSet<String>)> = Vec::new();
    for kind in sorted(folder)? {
        let schemas = kind.join("schemas");
        if !schemas.is_dir() {
            continue;
        }
        let mut files = Folder::new();
        read_folder(&schemas, "", &mut files)?;
        let own: BTreeSet<String> =
            files.keys().filter(|path| !path.contains("defs/")).cloned().collect();
        let at =
            batches.iter().position(|(_, taken)| taken.is_disjoint(&own)).unwrap_or_else(|| {
                let name = format!("cases_{}", batches.len());
                batches.push((Batch { name, ..Batch::default() }, BTreeSet::new()));
                batches.len() - 1
            });
        let (batch, taken) = &mut batches[at];
        batch.listed += own.len();
        batch.imported += own.len();
        taken.extend(own);
        batch.folders.push(files);
        let Ok(calls) = fs::read(kind.join("calls.json")) else { continue };
        let calls: Vec<Value> = serde_json::from_slice(&calls)?;
        for one in calls.iter().filter(|one| one["lenient"] != Value::Bool(true)) {
            // A call without `args` has none to send.
            let Some(arguments) = one.get("args") else { continue };
            let valid = text(one, "expect")? == "accept";
            batch.calls.push(call(text(one, "tool")?, arguments, valid, &one["echo"]));
        }
    }
    Ok(batches.into_iter().map(|(batch, _)| batch).collect())
}

fn call(tool: &str, arguments: &Value, valid: bool, echo: &Value) -> Call {
    Call {
        tool: tool.to_owned(),
        line: serde_json::json!({ "tool": tool, "arguments": arguments }).to_string(),
        arguments: arguments.clone(),
        valid,
        echo: (valid && !echo.is_null()).then(|| echo.clone()),
    }
}

fn text<'a>(value: &'a Value, key: &str) -> io::Result<&'a str> {
    let missing = || io::Error::other(format!("no `{key}` in {value}"));
    value.get(key).and_then(Value::as_str).ok_or_else(missing)
}

fn read_folder(folder: &Path, prefix: &str, files: &mut Folder) -> io::Result<()> {
    for path in sorted(folder)? {
        let name = path.file_name().and_then(|name| name.to_str()).unwrap_or_default();
        if path.is_dir() {
            read_folder(&path, &format!("{prefix}{name}/"), files)?;
        } else if let Ok(text) = fs::read_to_string(&path) {
            files.insert(format!("{prefix}{name}"), text);
        }
    }
    Ok(())
}

fn sorted(folder: &Path) -> io::Result<Vec<std::path::PathBuf>> {
    let mut paths: Vec<_> =
        fs::read_dir(folder)?.map(|entry| Ok(entry?.path())).collect::<io::Result<_>>()?;
    paths.sort();
    Ok(paths)
}
