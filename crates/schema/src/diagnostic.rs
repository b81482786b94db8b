//! What a person is told of a contract's faults: where, what, and what to do.

use camino::Utf8PathBuf;
use std::borrow::Cow;
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
        write!(f, "{}", one_line(self.file.as_str()))?;
        if let Some(Position { line, column }) = self.position {
            write!(f, ":{line}:{column}")?;
        }
        write!(f, ": {}[{}]: {}", self.severity, self.rule, one_line(&self.message))?;
        if let Some(help) = &self.help {
            write!(f, "\n  help: {}", one_line(help))?;
        }
        Ok(())
    }
}

/// Text of other hands, such as a file's name, as messages show it: what ends a line, what a terminal would obey and what
/// turns the order of characters round is written as an escape.
pub fn one_line(text: &str) -> Cow<'_, str> {
    if !text.contains(is_obeyed) {
        return Cow::Borrowed(text);
    }
    let mut shown = String::with_capacity(text.len() + 16);
    for c in text.chars() {
        match is_obeyed(c) {
            true => shown.extend(c.escape_default()),
            false => shown.push(c),
        }
    }
    Cow::Owned(shown)
}

/// Controls, ends of lines, and the marks of Unicode's bidirectional algorithm (UAX 9).
pub fn is_obeyed(c: char) -> bool {
    c.is_control()
        || matches!(c, '\u{61c}' | '\u{200e}' | '\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
}
