//! A fault of one document, before it is known where in a file it stands, and how messages show what others wrote.

use crate::diagnostic::{Severity, is_obeyed};
use crate::json::{End, size};
use serde_json::Value;

/// A fault of one document, by pointer; the caller knows the file.
#[derive(Clone, Debug)]
pub struct Finding {
    /// How bad it is.
    pub severity: Severity,
    /// The rule's stable id, in kebab case.
    pub rule: &'static str,
    /// The JSON pointer of the place.
    pub pointer: String,
    /// Which end of the place is meant.
    pub end: End,
    /// What is wrong.
    pub message: String,
    /// What to do.
    pub help: Option<String>,
    /// The pointer of the keyword whose value has the wrong form, where the fault is one part of that value.
    pub keyword: Option<String>,
}

impl Finding {
    /// A finding without help.
    pub fn new(
        severity: Severity,
        rule: &'static str,
        pointer: String,
        end: End,
        message: String,
    ) -> Self {
        Self { severity, rule, pointer, end, message, help: None, keyword: None }
    }

    /// The finding, with what to do.
    pub fn help(mut self, help: impl Into<String>) -> Self {
        self.help = Some(help.into());
        self
    }

    /// Whether the document cannot be used as it stands.
    pub fn is_error(&self) -> bool {
        self.severity == Severity::Error
    }
}

/// A value as a message shows it: short, on one line.
pub fn shown(value: &Value) -> String {
    const MOST: usize = 60;
    // Asked before anything is written: a value may be megabytes.
    let large = size(value) > 4 * MOST;
    let text = match value {
        Value::Object(_) if large => return "an object".to_owned(),
        Value::Array(_) if large => return "a list".to_owned(),
        other => other.to_string(),
    };
    let mut short: String = text.chars().take(MOST).collect();
    if short.len() < text.len() {
        short.push('…');
    }
    format!("`{}`", printable(&short))
}

/// A name out of a contract as a message shows it: bounded, and nothing that a terminal would obey.
pub fn printable(text: &str) -> String {
    const MOST: usize = 120;
    let mut out = String::new();
    for c in text.chars().take(MOST) {
        if is_obeyed(c) {
            out.extend(c.escape_unicode());
        } else {
            out.push(c);
        }
    }
    if text.chars().nth(MOST).is_some() {
        out.push('…');
    }
    out
}
