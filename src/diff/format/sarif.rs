//! SARIF 2.1.0, for code scanning.

use crate::diff::report::{Change, Level, Report};
use serde_json::{Value, json};
use toolcast_review::changes::RULES;

pub(super) fn render(report: &Report) -> Value {
    let rules: Vec<Value> = RULES
        .iter()
        .map(|rule| {
            json!({
                "id": rule.id,
                "shortDescription": {"text": rule.summary},
                "help": {"text": if rule.help.is_empty() { rule.summary } else { rule.help }},
                "properties": {"category": rule.category.to_string()},
                "defaultConfiguration": {"level": level(rule.level.into())}
            })
        })
        .collect();
    let results: Vec<Value> = report.changes.iter().map(result).collect();
    json!({
        "$schema": "https://json.schemastore.org/sarif-2.1.0.json",
        "version": "2.1.0",
        "runs": [{
            "tool": {"driver": {
                "name": "toolcast",
                "version": env!("CARGO_PKG_VERSION"),
                "rules": rules
            }},
            "results": results
        }]
    })
}

fn level(level: Level) -> &'static str {
    match level {
        Level::Breaking => "error",
        Level::Unproven | Level::Warning => "warning",
        Level::Info => "note",
    }
}

fn result(change: &Change) -> Value {
    let mut message = format!("{}: {}", change.tool, change.message);
    if let Some(witness) = &change.witness {
        message += &format!("\nfor example: {}", super::bounded(witness, 2_000));
    }
    for fault in super::against(change) {
        message += &format!("\nrefused: {}", fault);
    }
    if let Some(help) = &change.help {
        message += &format!("\nhelp: {help}");
    }
    let mut result = json!({
        "ruleId": change.rule,
        "level": level(change.level),
        "message": {"text": message},
        "partialFingerprints": {
            "change/v1": format!(
                "{}|{}|{}",
                change.rule,
                change.tool,
                change.pointer.as_deref().unwrap_or_default()
            )
        }
    });
    if let Some(file) = &change.file {
        let mut location = json!({"artifactLocation": {"uri": uri(file)}});
        if let Some(line) = change.line {
            location["region"] =
                json!({"startLine": line, "startColumn": change.column.unwrap_or(1)});
        }
        result["locations"] = json!([{"physicalLocation": location}]);
    }
    if let Some(reason) = &change.accepted {
        result["suppressions"] = json!([{"kind": "external", "justification": reason}]);
    }
    result
}

fn uri(path: &str) -> String {
    let mut text = String::new();
    for byte in path.bytes() {
        if byte.is_ascii_alphanumeric() || b"/-_.~".contains(&byte) {
            text.push(char::from(byte));
        } else {
            text.push_str(&format!("%{byte:02X}"));
        }
    }
    text
}
