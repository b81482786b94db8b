//! The forms of a report. Each is a function from the report to text, and escapes for its own reader: descriptions and
//! witnesses may hold anything.

mod explain;
mod github;
mod html;
mod junit;
mod markdown;
mod sarif;
mod text;

use super::report::{Change, Report};
use crate::cli;
use crate::failure::Failure;
use crate::report::inert;
use clap::ValueEnum;
use toolcast_codegen::contract::one_line;
use toolcast_review::changes::Word;

/// A form of the report.
#[derive(Clone, Copy, Debug, Eq, PartialEq, ValueEnum)]
pub enum Format {
    /// For a person at a terminal.
    Text,
    /// The tool's own result.
    Json,
    /// For a comment on a pull request.
    Markdown,
    /// Annotations of GitHub Actions.
    Github,
    /// SARIF 2.1.0, for code scanning.
    Sarif,
    /// JUnit XML, for test reports.
    Junit,
    /// One self-contained page.
    Html,
}

/// The report in the form that was asked for.
pub fn render(report: &Report, options: &cli::Diff) -> Result<String, Failure> {
    let failed = |error: serde_json::Error| Failure::new(error.to_string());
    Ok(match options.format() {
        Format::Text => text::render(report, options),
        Format::Json => inert(&serde_json::to_string_pretty(report).map_err(failed)?) + "\n",
        Format::Markdown => markdown::render(report),
        Format::Github => github::render(report),
        Format::Sarif => {
            inert(&serde_json::to_string_pretty(&sarif::render(report)).map_err(failed)?) + "\n"
        }
        Format::Junit => junit::render(report),
        Format::Html => html::render(report),
    })
}

/// Whether before and after are texts to be compared word by word.
fn is_prose(rule: &str) -> bool {
    rule.ends_with("description-changed") || rule == "title-changed"
}

/// The words of before and after.
fn words(before: &str, after: &str) -> Vec<Word> {
    toolcast_review::changes::words(before, after)
}

/// XML and HTML text, attributes included; control characters that XML forbids become the replacement character.
fn escaped(text: &str) -> String {
    let mut safe = String::with_capacity(text.len());
    for character in text.chars() {
        match character {
            '&' => safe.push_str("&amp;"),
            '<' => safe.push_str("&lt;"),
            '>' => safe.push_str("&gt;"),
            '"' => safe.push_str("&quot;"),
            '\'' => safe.push_str("&#39;"),
            '\n' | '\t' => safe.push(character),
            control if control.is_control() || ['\u{fffe}', '\u{ffff}'].contains(&control) => {
                safe.push('\u{fffd}');
            }
            other => safe.push(other),
        }
    }
    safe
}

/// At most so many characters.
fn bounded(text: &str, most: usize) -> String {
    if text.chars().count() <= most {
        return text.to_owned();
    }
    let mut short: String = text.chars().take(most).collect();
    short.push('…');
    short
}

/// What is said against a value: it is refused, or it is why something is worth a look.
fn against(change: &Change) -> impl Iterator<Item = String> {
    change.faults.iter().map(|fault| match fault.at.as_str() {
        "" => fault.message.clone(),
        at => format!("{at}: {}", fault.message),
    })
}

/// Text on a terminal, whose lines are kept: nothing in it moves the cursor, changes colours or turns the order round.
fn printable(text: &str) -> String {
    let lines: Vec<_> = text.split('\n').map(one_line).collect();
    lines.join("\n")
}
