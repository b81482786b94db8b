//! Proofs on request: what decided each verdict, how to try a witness again, how to accept a break.

use super::printable;
use crate::cli;
use crate::diff::report::{Change, Report, Verdict};
use crate::report::{inert, quoted};
use anstyle::Style;
use serde_json::{Value, json};

const BOLD: Style = Style::new().bold();

/// What more there is to say of a change.
pub(super) fn change(change: &Change, options: &cli::Diff) -> String {
    let mut text = String::new();
    let value: Option<Value> =
        change.witness.as_ref().and_then(|witness| serde_json::from_str(witness).ok());
    if let Some(value) = value {
        let witness = json!({
            "tool": change.tool,
            "part": change.part.as_deref().unwrap_or("input"),
            "value": value,
        });
        text += &format!(
            "  {BOLD}try again{BOLD:#}: printf %s {} | {}\n",
            quoted(&inert(&witness.to_string())),
            command(options)
        );
    }
    if let Some(entry) = &change.acceptance {
        text += &format!("  {BOLD}to accept it{BOLD:#}, in toolcast.toml:\n");
        for line in entry.lines() {
            text += &format!("    {}\n", printable(line));
        }
    }
    text
}

/// What decided each schema that changed.
pub(super) fn verdicts(report: &Report) -> String {
    let mut text = String::new();
    for decided in &report.verdicts {
        let part = if decided.part == "input" { "arguments" } else { "result" };
        let views = [("declared", &decided.declared), ("strict", &decided.strict)];
        for (view, Verdict { verdict, why }) in views {
            text += &format!(
                "{BOLD}{verdict}{BOLD:#} for the {view} view, {} of {}: {}\n",
                part,
                printable(&decided.tool),
                printable(why)
            );
        }
    }
    if !text.is_empty() {
        text.push('\n');
    }
    text
}

/// The command that tries a witness from its standard input.
fn command(options: &cli::Diff) -> String {
    let mut command = "toolcast diff".to_owned();
    let mut option = |name: &str, value: Option<&str>| {
        if let Some(value) = value {
            command += &format!(" {name}={}", quoted(value));
        }
    };
    option("--against", options.against.as_deref());
    option("--against-path", options.against_path.as_ref().map(|path| path.as_str()));
    option("--base-schemas", options.base_schemas.as_ref().map(|path| path.as_str()));
    option("--as", options.bare.map(cli::Bare::as_str));
    if options.merge_base {
        command += " --merge-base";
    }
    command + " --replay=- -- " + &quoted(options.schemas.as_str())
}
