//! A diagnostic as our contracts spell it. Each contract has types of its own, all of the one shape in
//! `schemas/defs/finding.json`.

use crate::tools::{check, generate};
use toolcast_codegen::contract::{Diagnostic, Severity};

macro_rules! finding {
    ($tool:ident) => {
        impl From<Diagnostic> for $tool::Finding {
            fn from(diagnostic: Diagnostic) -> Self {
                Self {
                    severity: match diagnostic.severity {
                        Severity::Error => $tool::FindingSeverity::Error,
                        Severity::Warning => $tool::FindingSeverity::Warning,
                        Severity::Note => $tool::FindingSeverity::Note,
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
    };
}

finding!(check);
finding!(generate);
