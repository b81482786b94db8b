//! `toolcast import`: other systems' tools become contracts in a folder. The work is the import crate's; here the files
//! that hold tools are read, and contracts are written.

use crate::cli;
use crate::failure::Failure;
use camino::{Utf8Path, Utf8PathBuf};
use serde_json::{Value, json};
use std::fs;
use std::io::{Read, Write};
use std::time::Duration;
use toolcast_codegen::contract::reader::{self, Unread};
use toolcast_codegen::contract::{self, Diagnostic, Severity, one_line};
use toolcast_import::Importer;
use toolcast_import::remote::{self, Server};

/// Bytes of one file that are read, as far as an import goes: 64 MiB.
const MOST_BYTES: usize = 64 << 20;

/// What an import did.
#[derive(Debug, Default)]
pub struct Imported {
    /// Contracts that were not there.
    pub created: Vec<Utf8PathBuf>,
    /// Contracts that were there and read otherwise.
    pub updated: Vec<Utf8PathBuf>,
    /// How many contracts were there already, byte for byte.
    pub unchanged: usize,
    /// How many tools were left out.
    pub skipped: usize,
    /// What was repaired, and why a tool was left out.
    pub diagnostics: Vec<Diagnostic>,
}

impl Imported {
    /// Whether something could not be imported.
    pub fn is_incomplete(&self) -> bool {
        self.skipped > 0 || self.diagnostics.iter().any(|d| d.severity == Severity::Error)
    }

    /// For scripts; findings are spelled as `check` spells them.
    pub fn json(&self) -> Value {
        let finding = |diagnostic: &Diagnostic| {
            let mut finding = json!({
                "severity": diagnostic.severity.to_string(),
                "rule": diagnostic.rule,
                "file": diagnostic.file.as_str(),
                "message": diagnostic.message,
            });
            if let Some(place) = diagnostic.position {
                finding["line"] = json!(place.line);
                finding["column"] = json!(place.column);
            }
            if let Some(help) = &diagnostic.help {
                finding["help"] = json!(help);
            }
            finding
        };
        let paths = |paths: &[Utf8PathBuf]| {
            paths.iter().map(|path| json!(path.as_str())).collect::<Vec<_>>()
        };
        json!({
            "created": paths(&self.created),
            "updated": paths(&self.updated),
            "unchanged": self.unchanged,
            "skipped": self.skipped,
            "findings": self.diagnostics.iter().map(finding).collect::<Vec<_>>(),
        })
    }
}

/// Imports what the command line names.
pub fn import(options: &cli::Import) -> Result<Imported, Failure> {
    if let Some(failure) = Failure::no_folder(&options.into) {
        return Err(failure);
    }
    let mut importer = Importer::default();
    importer.reserve(existing(&options.into)?);
    for file in &options.files {
        importer.read(file, &text(file)?);
    }
    let mut asked = None;
    if let Some(server) = server(options)? {
        let label = server.label();
        let answer = remote::tools(server, Duration::from_secs(options.timeout));
        let answer = answer.map_err(|failure| {
            helped(Failure::new(failure.message()), failure.remedy().map(str::to_owned))
        })?;
        importer.read(&label, &answer);
        asked = Some(label);
    }
    let mut import = importer.finish();
    if let Some(label) = &asked {
        // Lines of a text that nobody has seen say nothing.
        for diagnostic in import.diagnostics.iter_mut().filter(|d| d.file == *label) {
            diagnostic.position = None;
        }
    }
    if import.tools.is_empty() && import.unread > 0 {
        // Nothing at all could be read: that is no finding about a tool.
        let first = import.diagnostics.into_iter().find(|d| d.severity == Severity::Error);
        return Err(match first {
            Some(Diagnostic { file, position: Some(position), message, help, .. }) => {
                let file = one_line(file.as_str());
                let place = format!("{file}:{}:{}", position.line, position.column);
                helped(Failure::new(format!("{place}: {message}")), help)
            }
            Some(Diagnostic { file, message, help, .. }) => {
                helped(Failure::new(format!("{}: {message}", one_line(file.as_str()))), help)
            }
            None => Failure::new("there is no list of tools"),
        });
    }
    let mut result = Imported {
        skipped: import.skipped,
        diagnostics: import.diagnostics,
        ..Imported::default()
    };
    if !import.tools.is_empty() {
        fs::create_dir_all(&options.into).map_err(|error| Failure::io(&options.into, &error))?;
    }
    for tool in import.tools {
        let path = options.into.join(&tool.file);
        match reader::read_named(&path, MOST_BYTES) {
            Ok(there) if there.bytes == tool.text.as_bytes() => {
                result.unchanged += 1;
                continue;
            }
            Ok(_) => result.updated.push(path.clone()),
            Err(unread) if unread.is_missing() => result.created.push(path.clone()),
            Err(unread) => return Err(Failure::unread(&path, &unread)),
        }
        write(&path, &tool.text).map_err(|error| Failure::io(&path, &error))?;
    }
    Ok(result)
}

fn helped(failure: Failure, help: Option<String>) -> Failure {
    match help {
        Some(help) => failure.help(help),
        None => failure,
    }
}

fn server(options: &cli::Import) -> Result<Option<Server>, Failure> {
    if let Some(command) = &options.stdio {
        let words = shlex::split(command).filter(|words| !words.is_empty()).ok_or_else(|| {
            Failure::new(format!("`{command}` is no command line"))
                .help("close every quote, or give a program")
        })?;
        return Ok(Some(Server::Command(words)));
    }
    let Some(address) = &options.http else { return Ok(None) };
    let mut headers = Vec::new();
    for header in &options.header {
        let (name, value) = header.split_once(':').ok_or_else(|| {
            Failure::new(format!("`{header}` is no header")).help("write `Name: value`")
        })?;
        headers.push((name.trim().to_owned(), value.trim().to_owned()));
    }
    Ok(Some(Server::Address(address.clone(), headers)))
}

/// The names of the files that are in the folder already.
fn existing(folder: &Utf8Path) -> Result<Vec<String>, Failure> {
    match folder.read_dir_utf8() {
        Ok(entries) => entries
            .map(|entry| entry.map(|entry| entry.file_name().to_owned()))
            .collect::<Result<_, _>>()
            .map_err(|error| Failure::io(folder, &error)),
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => Ok(Vec::new()),
        Err(error) => Err(Failure::io(folder, &error)),
    }
}

fn text(file: &Utf8Path) -> Result<String, Failure> {
    let shown = one_line(file.as_str());
    let bytes = if file == "-" {
        let mut bytes = Vec::new();
        std::io::stdin()
            .take(MOST_BYTES as u64 + 1)
            .read_to_end(&mut bytes)
            .map_err(|error| Failure::io(file, &error))?;
        if bytes.len() > MOST_BYTES {
            return Err(Failure::unread(file, &Unread::TooLarge(MOST_BYTES)));
        }
        bytes
    } else {
        let content = reader::read_named(file, MOST_BYTES);
        content.map_err(|unread| Failure::unread(file, &unread))?.bytes
    };
    // A list is read once; what is written of it has no mark.
    let bytes = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(&bytes);
    match contract::text(bytes) {
        Ok(text) => Ok(text.to_owned()),
        Err(fault) => Err(Failure::new(format!("{shown}: {}", fault.message)).help(fault.help)),
    }
}

/// Writes beside the file and renames into place, so that it is never half written, nor written through a link.
pub fn write(path: &Utf8Path, text: &str) -> std::io::Result<()> {
    let folder =
        path.parent().filter(|folder| !folder.as_str().is_empty()).unwrap_or(Utf8Path::new("."));
    let mut beside = tempfile::NamedTempFile::new_in(folder)?;
    beside.write_all(text.as_bytes())?;
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        // A temporary file is its owner's alone; a contract is read by whoever may read the project.
        let mode = fs::metadata(path).map_or(0o644, |there| there.permissions().mode());
        beside.as_file().set_permissions(fs::Permissions::from_mode(mode))?;
    }
    beside.persist(path).map(drop).map_err(|error| error.error)
}
