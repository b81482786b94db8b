//! Workflow commands: annotations on the lines of a pull request.

use crate::diff::report::{Level, Report};

pub(super) fn render(report: &Report) -> String {
    let mut text = String::new();
    for change in report.open() {
        let command = match change.level {
            Level::Breaking => "error",
            Level::Unproven | Level::Warning => "warning",
            Level::Info => "notice",
        };
        let mut properties = Vec::new();
        if let Some(file) = &change.file {
            properties.push(format!("file={}", property(file)));
        }
        if let Some(line) = change.line {
            properties.push(format!("line={line}"));
        }
        if let Some(column) = change.column {
            properties.push(format!("col={column}"));
        }
        let level = change.level.as_str();
        properties.push(format!("title={}", property(&format!("{level}[{}]", change.rule))));
        let mut message = format!("{}: {}", change.tool, super::bounded(&change.message, 1_000));
        if let Some(witness) = &change.witness {
            message += &format!("\nfor example: {}", super::bounded(witness, 1_000));
        }
        for fault in super::against(change).take(10) {
            message += &format!("\nrefused: {}", super::bounded(&fault, 500));
        }
        if let Some(help) = &change.help {
            message += &format!("\nhelp: {help}");
        }
        text += &format!("::{command} {}::{}\n", properties.join(","), data(&message));
    }
    for note in &report.notes {
        text += &format!("::notice title=toolcast diff::{}\n", data(note));
    }
    // The summary is no command, whatever stands in it.
    let summary = report.summary();
    text + &summary.replace(['\n', '\r'], " ").replace("::", ": :") + "\n"
}

fn data(text: &str) -> String {
    // The log shows them as a terminal would.
    super::printable(text).replace('%', "%25").replace('\r', "%0D").replace('\n', "%0A")
}

fn property(text: &str) -> String {
    data(text).replace(':', "%3A").replace(',', "%2C")
}
