//! For a comment on a pull request: the worst open, the rest folded.

use super::{bounded, escaped, is_prose, words};
use crate::diff::report::{Change, Level, Report};
use std::fmt::Write;
use toolcast_review::changes::Word;

/// A comment on GitHub takes 65,536 characters.
const LONGEST: usize = 60_000;

pub(super) fn render(report: &Report) -> String {
    let mut text = format!("### Tool contracts: {}\n\n", code_free(&report.summary()));
    let worst: Vec<&Change> =
        report.open().filter(|change| change.level <= Level::Unproven).collect();
    let rest: Vec<&Change> =
        report.open().filter(|change| change.level > Level::Unproven).collect();
    let accepted: Vec<&Change> =
        report.changes.iter().filter(|change| change.accepted.is_some()).collect();
    let mut left = 0;
    for change in &worst {
        if text.len() > LONGEST {
            left += 1;
            continue;
        }
        one(&mut text, change);
    }
    for (title, changes) in [("other changes", &rest), ("accepted", &accepted)] {
        if changes.is_empty() || text.len() > LONGEST {
            left += changes.len();
            continue;
        }
        text += &format!("<details>\n<summary>{} {title}</summary>\n\n", changes.len());
        for change in changes {
            if text.len() > LONGEST {
                left += 1;
                continue;
            }
            one(&mut text, change);
        }
        text += "</details>\n\n";
    }
    if left > 0 {
        text += &format!("{left} more are not shown here; run `toolcast diff` for all of them.\n");
    }
    text
}

fn mark(level: Level) -> &'static str {
    match level {
        Level::Breaking => "🔴",
        Level::Unproven => "🟣",
        Level::Warning => "🟡",
        Level::Info => "🔵",
    }
}

fn one(text: &mut String, change: &Change) {
    // Writing to a string cannot fail.
    let _ = writeln!(
        text,
        "{} **{}** {} · `{}` · {}\n",
        mark(change.level),
        code_free(&change.tool),
        code_free(&change.message),
        change.rule,
        change.category
    );
    if let Some(reason) = &change.accepted {
        let _ = writeln!(text, "Accepted: {}\n", code_free(reason));
    }
    if let (Some(before), Some(after)) = (&change.before, &change.after) {
        if is_prose(&change.rule) {
            text.push_str("> ");
            for word in words(&bounded(before, 4_000), &bounded(after, 4_000)) {
                let (tag, word) = match &word {
                    Word::Kept(word) => ("", word),
                    Word::Removed(word) => ("del", word),
                    Word::Added(word) => ("ins", word),
                };
                let safe = code_free(word.trim_end());
                let space = if word.ends_with(char::is_whitespace) { " " } else { "" };
                let _ = match tag {
                    "" => write!(text, "{safe}{space}"),
                    tag => write!(text, "<{tag}>{safe}</{tag}>{space}"),
                };
            }
            text.push_str("\n\n");
        } else {
            let lines = |sign: char, side: &str| -> String {
                side.lines()
                    .take(40)
                    .map(|line| format!("{sign} {}\n", bounded(line, 300)))
                    .collect()
            };
            fenced(text, "diff", &(lines('-', before) + &lines('+', after)));
        }
    }
    if let Some(witness) = &change.witness {
        text.push_str("For example:\n\n");
        fenced(text, "json", &bounded(witness, 2_000));
    }
    for fault in &change.faults {
        let at = if fault.at.is_empty() { String::new() } else { format!("{}: ", fault.at) };
        let _ = writeln!(text, "- refused: {}", code_free(&format!("{at}{}", fault.message)));
    }
    if let Some(help) = &change.help {
        let _ = writeln!(text, "\n_{}_\n", code_free(help));
    }
    text.push('\n');
}

/// A code block whose fence is longer than any run of backticks within.
fn fenced(text: &mut String, language: &str, inner: &str) {
    let mut longest = 0;
    let mut run = 0;
    for character in inner.chars() {
        run = if character == '`' { run + 1 } else { 0 };
        longest = longest.max(run);
    }
    let fence = "`".repeat(longest.max(2) + 1);
    *text += &format!("{fence}{language}\n{}\n{fence}\n\n", inner.trim_end());
}

/// Text without meaning to Markdown or HTML: no links, no mentions, no markup.
fn code_free(text: &str) -> String {
    let mut safe = String::new();
    for character in escaped(text).chars() {
        match character {
            '\n' => safe.push(' '),
            '\\' | '`' | '*' | '_' | '[' | ']' | '(' | ')' | '!' | '|' | '~' | '#' => {
                safe.push('\\');
                safe.push(character);
            }
            // A zero-width joint keeps a name from becoming a mention.
            '@' => safe.push_str("@\u{200b}"),
            other => safe.push(other),
        }
    }
    // Escaping of `#` and `&#39;` meet: entities are restored.
    safe.replace("&\\#39;", "&#39;")
}
