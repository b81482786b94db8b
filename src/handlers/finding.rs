//! A diagnostic as our contracts spell it, in `schemas/defs/finding.json`.

use crate::tools::defs::finding::{Finding, FindingSeverity};
use toolcast_codegen::contract::{Diagnostic, Severity};

impl From<Diagnostic> for Finding {
    fn from(diagnostic: Diagnostic) -> Self {
        Self {
            severity: match diagnostic.severity {
                Severity::Error => FindingSeverity::Error,
                Severity::Warning => FindingSeverity::Warning,
                Severity::Note => FindingSeverity::Note,
            },
            rule: diagnostic.rule.to_owned(),
            file: diagnostic.file.into_string(),
            line: diagnostic.position.map(|position| position.line as u64),
            column: diagnostic.position.map(|position| position.column as u64),
            message: diagnostic.message,
            help: diagnostic.help,
        }
    }
}
