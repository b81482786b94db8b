//! For a person at a terminal: worst first, the change, the witness, why it fails, what to do.

use super::{against, bounded, explain, is_prose, printable, words};
use crate::cli;
use crate::diff::report::{Change, Level, Report};
use anstyle::{AnsiColor, Style};
use toolcast_review::changes::Word;

const BOLD: Style = Style::new().bold();
const DIM: Style = Style::new().dimmed();
const GONE: Style = AnsiColor::Red.on_default();
const COME: Style = AnsiColor::Green.on_default();

pub(super) fn render(report: &Report, options: &cli::Diff) -> String {
    let mut text = String::new();
    for change in report.open() {
        one(&mut text, change);
        if options.explain {
            text += &explain::change(change, options);
        }
        text.push('\n');
    }
    for change in report.changes.iter().filter(|change| change.accepted.is_some()) {
        let reason = change.accepted.as_deref().unwrap_or_default();
        let Change { rule, tool, .. } = change;
        text +=
            &format!("{DIM}accepted[{rule}]: {}: {}{DIM:#}\n", printable(tool), printable(reason));
    }
    if options.explain {
        text += &explain::verdicts(report);
    }
    for note in &report.notes {
        text += &format!("{BOLD}note{BOLD:#}: {}\n", printable(note));
    }
    text + &format!("{BOLD}{}{BOLD:#}\n", printable(&report.summary()))
}

fn style(level: Level) -> Style {
    match level {
        Level::Breaking => AnsiColor::Red.on_default().bold(),
        Level::Unproven => AnsiColor::Magenta.on_default().bold(),
        Level::Warning => AnsiColor::Yellow.on_default().bold(),
        Level::Info => AnsiColor::Cyan.on_default().bold(),
    }
}

fn one(text: &mut String, change: &Change) {
    let style = style(change.level);
    let level = change.level.as_str();
    let Change { rule, category, .. } = change;
    *text += &format!(
        "{style}{level}[{rule}]{style:#} {BOLD}{}{BOLD:#}: {} {DIM}({category}){DIM:#}\n",
        printable(&change.tool),
        printable(&change.message)
    );
    if let Some(file) = &change.file {
        let place = match (change.line, change.column) {
            (Some(line), Some(column)) => format!(":{line}:{column}"),
            _ => String::new(),
        };
        *text += &format!("  {DIM}--> {}{place}{DIM:#}\n", printable(file));
    }
    context(text, change);
    if let Some(witness) = &change.witness {
        *text += &format!("  {BOLD}for example{BOLD:#}: {}\n", printable(&bounded(witness, 600)));
    }
    for fault in against(change) {
        *text += &format!("  {BOLD}refused{BOLD:#}: {}\n", printable(&bounded(&fault, 300)));
    }
    if let Some(help) = &change.help {
        *text += &format!("  {BOLD}help{BOLD:#}: {}\n", printable(help));
    }
}

fn context(text: &mut String, change: &Change) {
    let (Some(before), Some(after)) = (&change.before, &change.after) else { return };
    if is_prose(&change.rule) {
        text.push_str("  | ");
        for word in words(before, after) {
            let (style, word) = match &word {
                Word::Unchanged(word) => (Style::new(), word),
                Word::Removed(word) => (GONE.strikethrough(), word),
                Word::Added(word) => (COME.bold(), word),
            };
            // Without colours the marks alone must tell the two apart.
            let (open, close) = match style {
                style if style == GONE.strikethrough() => ("[-", "-]"),
                style if style == COME.bold() => ("{+", "+}"),
                _ => ("", ""),
            };
            let trimmed = word.trim_end();
            let space = &word[trimmed.len()..];
            *text += &format!(
                "{style}{open}{}{close}{style:#}{}",
                printable(trimmed).replace('\n', "\n  | "),
                space.replace('\n', "\n  | ")
            );
        }
        text.push('\n');
        return;
    }
    for (style, sign, side) in [(GONE, '-', before), (COME, '+', after)] {
        for line in side.lines().take(40) {
            *text += &format!("  {style}{sign} {}{style:#}\n", printable(&bounded(line, 300)));
        }
    }
}
