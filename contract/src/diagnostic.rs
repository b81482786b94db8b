//! What a person is told of a contract's faults: where, what, and what to do.

use camino::Utf8PathBuf;
use std::fmt;

/// How bad a fault is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Severity {
    /// Worth knowing; nothing is refused.
    Note,
    /// Probably a mistake; nothing is refused.
    Warning,
    /// The contract cannot be used as it stands.
    Error,
}

/// A place in a file; line and column count from 1, columns in characters.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Position {
    /// Line, from 1.
    pub line: usize,
    /// Column in characters, from 1.
    pub column: usize,
}

/// One fault: `file:line:column: severity[rule]: message`, with a `help:` line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Diagnostic {
    /// How bad it is.
    pub severity: Severity,
    /// The rule's stable id, in kebab case.
    pub rule: &'static str,
    /// The file, as the person named it (the schemas folder joined with the file's path in it).
    pub file: Utf8PathBuf,
    /// Where in the file; `None` for a fault of the whole file.
    pub position: Option<Position>,
    /// What is wrong.
    pub message: String,
    /// What to do.
    pub help: Option<String>,
}

impl fmt::Display for Severity {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Note => "note",
            Self::Warning => "warning",
            Self::Error => "error",
        })
    }
}

impl fmt::Display for Diagnostic {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.file)?;
        if let Some(Position { line, column }) = self.position {
            write!(f, ":{line}:{column}")?;
        }
        write!(f, ": {}[{}]: {}", self.severity, self.rule, self.message)?;
        if let Some(help) = &self.help {
            write!(f, "\n  help: {help}")?;
        }
        Ok(())
    }
}
