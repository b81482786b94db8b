//! Witnesses as files: regression fixtures that a project may keep.

use super::report::Report;
use crate::failure::Failure;
use camino::{Utf8Path, Utf8PathBuf};
use serde_json::{Value, json};
use std::collections::BTreeMap;

/// Writes one file a witness, `TOOL.RULE.json`, with the value and what was said against it.
pub fn write(report: &Report, folder: &Utf8Path) -> Result<(), Failure> {
    if let Some(failure) = Failure::no_folder(folder) {
        return Err(failure);
    }
    std::fs::create_dir_all(folder).map_err(|error| Failure::io(folder, &error))?;
    let mut taken: BTreeMap<String, u32> = BTreeMap::new();
    for change in &report.changes {
        let Some(witness) = &change.witness else { continue };
        let value: Value = serde_json::from_str(witness)
            .map_err(|error| Failure::new(format!("a witness is no JSON: {error}")))?;
        // The name of a tool is a part of a file's name: what is none of the usual characters becomes `_`.
        let plain = |c: char| if c.is_ascii_alphanumeric() || "-_".contains(c) { c } else { '_' };
        let stem: String = format!("{}.{}", change.tool, change.rule)
            .chars()
            .map(|c| if c == '.' { c } else { plain(c) })
            .collect();
        let count = taken.entry(stem.clone()).or_default();
        *count += 1;
        let number = if *count > 1 { format!(".{count}") } else { String::new() };
        let path = folder.join(format!("{stem}{number}.json"));
        let fixture = json!({
            "tool": change.tool,
            "part": change.part.as_deref().unwrap_or("input"),
            "rule": change.rule,
            "pointer": change.pointer,
            "before": report.before,
            "value": value,
            "refused": change.faults.iter().map(|fault| &fault.message).collect::<Vec<_>>(),
        });
        let text = serde_json::to_string_pretty(&fixture)
            .map_err(|error| Failure::new(error.to_string()))?;
        // A link that stands there is replaced, and not written through.
        crate::import::write(&path, &(text + "\n")).map_err(|error| Failure::io(&path, &error))?;
    }
    Ok(())
}

/// The files of a folder of witnesses, in order.
pub fn files(folder: &Utf8Path) -> Result<Vec<Utf8PathBuf>, Failure> {
    let failed = |error: std::io::Error| Failure::io(folder, &error);
    let mut files = Vec::new();
    for entry in folder.read_dir_utf8().map_err(failed)? {
        let path = entry.map_err(failed)?.into_path();
        if path.extension() == Some("json") {
            files.push(path);
        }
    }
    files.sort();
    Ok(files)
}
