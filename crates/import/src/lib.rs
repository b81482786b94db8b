//! Turns the tools that other systems publish into contracts of ours: a pure function from texts to files, and
//! [`remote`], which gets such a text from a running server.
//!
//! [`Importer::read`] recognises MCP's `tools/list`, OpenAI, Anthropic and Gemini tools; [`Importer::finish`] gives each
//! tool a legal name and a file that every file system takes. What is certainly meant is repaired, and each repair is
//! reported; what cannot be repaired is reported and left out, the rest goes on. The same texts give the same files.

mod forms;
mod gemini;
mod names;
mod openapi;
pub mod remote;
mod repair;
mod write;

use camino::{Utf8Path, Utf8PathBuf};
use forms::Found;
use names::Names;
use std::collections::BTreeSet;
use toolcast_schema::diagnostic::{Diagnostic, Position, Severity, one_line};
use toolcast_schema::finding::printable;
use toolcast_schema::json::{self, End, FaultKind, Parsed};

/// Bytes of one text that are read: 64 MiB, far more than any published list of tools.
const MOST_BYTES: usize = 64 << 20;
/// Tools of one import: as many as a schemas folder may hold files.
const MOST_TOOLS: usize = 20_000;
/// A list of tools adds a few levels to those that a contract may have.
const DEPTH: usize = 110;

/// A contract that was made of another system's tool.
#[derive(Clone, Debug, PartialEq)]
pub struct Imported {
    /// The tool's name, as the contract gives it.
    pub name: String,
    /// The name it had where it came from.
    pub original: String,
    /// The contract's file, in the schemas folder: `<stem>.json`.
    pub file: Utf8PathBuf,
    /// The file's text: pretty, in the order of the source, ending in a newline.
    pub text: String,
}

/// What came of an import.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Import {
    /// The contracts, in the order of the sources.
    pub tools: Vec<Imported>,
    /// What was repaired (warnings and notes) and what was left out (errors).
    pub diagnostics: Vec<Diagnostic>,
    /// How many tools were left out.
    pub skipped: usize,
    /// How many texts were no list of tools at all.
    pub unread: usize,
}

/// Collects tools from one text or several.
#[derive(Clone, Debug, Default)]
pub struct Importer {
    tools: Vec<Collected>,
    diagnostics: Vec<Diagnostic>,
    skipped: usize,
    unread: usize,
    reserved: BTreeSet<String>,
}

/// A tool whose schemas are sound, before it has a name among the others.
#[derive(Clone, Debug)]
struct Collected {
    tool: write::Sound,
    file: Utf8PathBuf,
    position: Position,
}

/// Imports one text; `source` is how messages name it.
pub fn read(source: &Utf8Path, text: &str) -> Import {
    let mut importer = Importer::default();
    importer.read(source, text);
    importer.finish()
}

impl Importer {
    /// Names of files that are already there: a tool does not get a name that differs from one of them only in case.
    pub fn reserve(&mut self, files: impl IntoIterator<Item = String>) {
        self.reserved.extend(files);
    }

    /// Reads one text; `source` is how messages name it.
    pub fn read(&mut self, source: &Utf8Path, text: &str) {
        if text.len() > MOST_BYTES {
            self.unread += 1;
            let message = format!("larger than {MOST_BYTES} bytes");
            return self.refuse(source, None, "too-large", message, "split the list of tools");
        }
        // Editors and shells of Windows write a byte order mark; in a list that is read once it means nothing.
        let text = text.strip_prefix('\u{feff}').unwrap_or(text);
        let parsed = match json::parse(text, DEPTH) {
            Ok(parsed) => parsed,
            Err(fault) => {
                let rule = match fault.kind {
                    FaultKind::Syntax => "invalid-json",
                    FaultKind::TooDeep => "too-deep",
                    FaultKind::NumberRange => "number-range",
                };
                self.unread += 1;
                let help = "import reads JSON: an answer to `tools/list`, or a list of tools";
                return self.refuse(source, Some(fault.position), rule, fault.message, help);
            }
        };
        let mut found = Vec::new();
        if let Err(refused) = forms::find(&parsed.value, &mut found) {
            self.unread += 1;
            let position = parsed.places.locate(&parsed.value, &refused.pointer, End::Value);
            return self.refuse(source, Some(position), "no-tools", refused.message, refused.help);
        }
        if found.is_empty() {
            self.diagnostics.push(Diagnostic {
                severity: Severity::Warning,
                rule: "no-tools",
                file: source.to_owned(),
                position: None,
                message: "the list of tools is empty, so that nothing is imported".to_owned(),
                help: Some(
                    "see that it is the right file, or that the server has tools".to_owned(),
                ),
            });
        }
        let starts: Vec<Position> = found
            .iter()
            .map(|found| parsed.places.locate(&parsed.value, found.pointer(), End::Value))
            .collect();
        for (index, found) in found.into_iter().enumerate() {
            let end = starts.get(index + 1).copied();
            self.tool(source, &parsed, found, starts[index], end);
        }
    }

    fn refuse(
        &mut self,
        source: &Utf8Path,
        position: Option<Position>,
        rule: &'static str,
        message: String,
        help: &str,
    ) {
        self.diagnostics.push(Diagnostic {
            severity: Severity::Error,
            rule,
            file: source.to_owned(),
            position,
            message,
            help: Some(help.to_owned()),
        });
    }

    fn tool(
        &mut self,
        source: &Utf8Path,
        parsed: &Parsed,
        found: Found,
        start: Position,
        end: Option<Position>,
    ) {
        let tool = match found {
            Found::Tool(tool) => *tool,
            Found::Unusable { message, help, .. } => {
                self.skipped += 1;
                return self.refuse(source, Some(start), "not-a-tool", message, help);
            }
        };
        let name = tool.name.clone();
        let named = |message: String| format!("`{}`: {message}", printable(&name));
        if self.tools.len() >= MOST_TOOLS {
            self.skipped += 1;
            let message = named(format!("more than {MOST_TOOLS} tools"));
            return self.refuse(
                source,
                Some(start),
                "too-many-files",
                message,
                "import fewer at once",
            );
        }
        let mut sound = true;
        for duplicate in &parsed.duplicates {
            // A text's duplicates are found in order; those between this tool and the next are this one's.
            if duplicate.position >= start && end.is_none_or(|end| duplicate.position < end) {
                sound = false;
                let message =
                    named(format!("the key `{}` stands twice", printable(&duplicate.name)));
                let help = "the tool was left out: which of the two counts is anybody's guess";
                self.refuse(source, Some(duplicate.position), "duplicate-key", message, help);
            }
        }
        let mut reports = Vec::new();
        let sound_tool = match sound {
            true => repair::repair(tool, &mut reports),
            false => None,
        };
        // A schema is looked at by itself; who reads of it knows only the file.
        let shown = one_line(source.as_str());
        let within = |text: String| text.replace(repair::DOCUMENT, &shown);
        for report in reports {
            self.diagnostics.push(Diagnostic {
                severity: report.severity,
                rule: report.rule,
                file: source.to_owned(),
                position: Some(parsed.places.locate(&parsed.value, &report.pointer, End::Value)),
                message: named(within(report.message)),
                help: Some(within(report.help)),
            });
        }
        match sound_tool {
            Some(tool) => {
                let file = source.to_owned();
                self.tools.push(Collected { tool, file, position: start });
            }
            None => self.skipped += 1,
        }
    }

    /// Names the tools and writes their files.
    pub fn finish(mut self) -> Import {
        let originals = self.tools.iter().map(|collected| collected.tool.name.as_str());
        let mut names = Names::new(originals, &self.reserved);
        let mut import = Import { skipped: self.skipped, unread: self.unread, ..Import::default() };
        for Collected { tool, file, position } in self.tools {
            let given = names.give(&tool.name);
            if let Some((rule, message, help)) = given.report {
                self.diagnostics.push(Diagnostic {
                    severity: Severity::Warning,
                    rule,
                    file: file.clone(),
                    position: Some(position),
                    message,
                    help: Some(help),
                });
            }
            let contract = tool.contract(&given.name, &given.stem);
            let path = Utf8PathBuf::from(format!("{}.json", given.stem));
            match write::text(&path, &contract) {
                Ok(text) => import.tools.push(Imported {
                    name: given.name,
                    original: tool.name,
                    file: path,
                    text,
                }),
                Err(faults) => {
                    import.skipped += 1;
                    self.diagnostics.extend(faults.into_iter().map(|fault| Diagnostic {
                        file: file.clone(),
                        position: Some(position),
                        message: format!("`{}`: {}", printable(&tool.name), fault.message),
                        ..fault
                    }));
                }
            }
        }
        self.diagnostics.sort_by(|a, b| {
            (&a.file, a.position, a.rule, &a.message)
                .cmp(&(&b.file, b.position, b.rule, &b.message))
        });
        import.diagnostics = self.diagnostics;
        import
    }
}

/// A change that was made, or the reason why a tool is left out.
#[derive(Clone, Debug)]
struct Report {
    severity: Severity,
    rule: &'static str,
    /// Into the text that was read.
    pointer: String,
    message: String,
    help: String,
}
