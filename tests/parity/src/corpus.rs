//! Reads a corpus folder: what servers list, and calls to their tools. A broken file is a fault of that server and
//! nothing more; only a folder that is not a corpus at all is an error.

use serde_json::Value;
use std::collections::BTreeMap;
use std::path::Path;
use std::{fs, io};

/// One server: the text it answers to `tools/list`, and calls to it.
#[derive(Clone, Debug, Default)]
pub struct Server {
    /// The file's stem.
    pub name: String,
    /// The text of `servers/<name>.json`, for the importer.
    pub listing: String,
    /// Calls that the tools' own schemas accept.
    pub calls: Vec<Call>,
    /// What is wrong with the two files themselves.
    pub faults: Vec<String>,
}

/// One call.
#[derive(Clone, Debug)]
pub struct Call {
    /// The tool's name: on the server, and once it is imported that of its contract.
    pub tool: String,
    /// The line as it stands in the file: its arguments are sent as they are, so that numbers keep their spelling.
    pub line: String,
    /// Its arguments.
    pub arguments: Value,
    /// Whether the schema accepts the arguments.
    pub valid: bool,
    /// What must come back, where it is known exactly; else the schema decides what may get lost.
    pub echo: Option<Value>,
}

impl Call {
    /// A call from a line of a `calls` file, which must be valid under its tool's schema.
    ///
    /// # Errors
    ///
    /// Where the line is no JSON object with a `tool`.
    pub fn parse(line: &str) -> Result<Self, String> {
        let value: Value = serde_json::from_str(line).map_err(|error| error.to_string())?;
        let tool = value.get("tool").and_then(Value::as_str).ok_or("the line names no `tool`")?;
        let arguments = value.get("arguments").ok_or("the line has no `arguments`")?;
        Ok(Self {
            tool: tool.to_owned(),
            arguments: arguments.clone(),
            line: line.to_owned(),
            valid: true,
            echo: None,
        })
    }
}

/// Reads every server of a corpus folder, ordered by name.
///
/// # Errors
///
/// Where the folder has no readable `servers` folder with a JSON file in it.
pub fn read(folder: &Path) -> io::Result<Vec<Server>> {
    let mut servers: BTreeMap<String, Server> = BTreeMap::new();
    for entry in fs::read_dir(folder.join("servers"))? {
        let path = entry?.path();
        let Some(name) = stem_of(&path, "json") else { continue };
        let server = servers.entry(name.clone()).or_default();
        server.name = name;
        match read_text(&path) {
            Ok(text) => server.listing = text,
            Err(fault) => server.faults.push(fault),
        }
    }
    if servers.is_empty() {
        return Err(io::Error::new(
            io::ErrorKind::NotFound,
            "`servers` holds no `.json` file to import",
        ));
    }
    if let Ok(entries) = fs::read_dir(folder.join("calls")) {
        for entry in entries {
            let path = entry?.path();
            let Some(name) = stem_of(&path, "jsonl") else { continue };
            let server = servers.entry(name.clone()).or_insert_with(|| Server {
                name: name.clone(),
                faults: vec![format!("calls/{name}.jsonl has no servers/{name}.json")],
                ..Server::default()
            });
            match read_text(&path) {
                Ok(text) => read_calls(&text, server),
                Err(fault) => server.faults.push(fault),
            }
        }
    }
    Ok(servers.into_values().collect())
}

fn read_calls(text: &str, server: &mut Server) {
    for (index, line) in text.lines().enumerate() {
        if line.trim().is_empty() {
            continue;
        }
        match Call::parse(line) {
            Ok(call) => server.calls.push(call),
            Err(fault) => {
                let place = format!("calls/{}.jsonl:{}", server.name, index + 1);
                server.faults.push(format!("{place}: {fault}"));
            }
        }
    }
}

fn stem_of(path: &Path, extension: &str) -> Option<String> {
    (path.extension()?.to_str()? == extension)
        .then(|| path.file_stem()?.to_str().map(str::to_owned))?
}

fn read_text(path: &Path) -> Result<String, String> {
    let bytes = fs::read(path).map_err(|error| format!("{}: {error}", path.display()))?;
    String::from_utf8(bytes).map_err(|_| format!("{} is not UTF-8", path.display()))
}
