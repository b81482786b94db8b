//! For a comment on a pull request: the worst open, the rest folded. Texts of contracts are shown as letters: nothing in them
//! links, mentions, closes an issue, loads a picture or turns the order of characters round.

use super::{against, bounded, escaped, is_prose, words};
use crate::diff::report::{Change, Level, Report};
use crate::report::inert;
use std::fmt::Write;
use toolcast_codegen::contract::one_line;
use toolcast_review::changes::Word;

/// By this line a workflow finds its own comment again.
const MARK: &str = "<!-- toolcast diff -->";

/// A comment on GitHub takes 65,536 characters; counted in bytes, and with room for the last line.
const LONGEST: usize = 64_000;
/// Bytes of one change in full, and of one that is cut to its first line.
const CHANGE: usize = 16_000;
const LINE: usize = 600;

pub(super) fn render(report: &Report) -> String {
    let mut text = format!("{MARK}\n### Tool contracts: {}\n\n", inline(&report.summary(), LINE));
    for note in report.notes.iter().take(5) {
        let _ = writeln!(text, "Note: {}\n", inline(note, LINE));
    }
    let worst: Vec<&Change> =
        report.open().filter(|change| change.level <= Level::Unproven).collect();
    let rest: Vec<&Change> =
        report.open().filter(|change| change.level > Level::Unproven).collect();
    let accepted: Vec<&Change> =
        report.changes.iter().filter(|change| change.accepted.is_some()).collect();
    let mut cut = Cut::default();
    cut.all(&mut text, &worst);
    for (title, changes) in [("other changes", &rest), ("accepted", &accepted)] {
        if changes.is_empty() {
            continue;
        }
        let _ = writeln!(text, "<details>\n<summary>{} {title}</summary>\n", changes.len());
        cut.all(&mut text, changes);
        text += "</details>\n\n";
    }
    text + &cut.note()
}

/// What did not find room.
#[derive(Default)]
struct Cut {
    shortened: usize,
    left: usize,
}

impl Cut {
    fn all(&mut self, text: &mut String, changes: &[&Change]) {
        for change in changes {
            let whole = one(change);
            let room = LONGEST.saturating_sub(text.len());
            if whole.len() <= room.min(CHANGE) {
                *text += &whole;
                continue;
            }
            let short = head(change);
            if short.len() <= room {
                self.shortened += 1;
                *text += &short;
            } else {
                self.left += 1;
            }
        }
    }

    fn note(&self) -> String {
        let mut parts = Vec::new();
        if self.shortened > 0 {
            parts.push(format!("{} are cut to one line", self.shortened));
        }
        if self.left > 0 {
            parts.push(format!("{} are left out", self.left));
        }
        match parts.is_empty() {
            true => String::new(),
            false => format!(
                "For want of room {} here; `toolcast diff` shows all of them.\n",
                parts.join(" and ")
            ),
        }
    }
}

fn mark(level: Level) -> &'static str {
    match level {
        Level::Breaking => "🔴",
        Level::Unproven => "🟣",
        Level::Warning => "🟡",
        Level::Info => "🔵",
    }
}

fn head(change: &Change) -> String {
    format!(
        "{} **{}** {} · `{}` · {}\n\n",
        mark(change.level),
        inline(&change.tool, 100),
        inline(&change.message, LINE),
        change.rule,
        change.category
    )
}

fn one(change: &Change) -> String {
    let mut text = head(change);
    if let Some(reason) = &change.accepted {
        let _ = writeln!(text, "Accepted: {}\n", inline(reason, LINE));
    }
    if let (Some(before), Some(after)) = (&change.before, &change.after) {
        if is_prose(&change.rule) {
            prose(&mut text, before, after);
        } else {
            fenced(&mut text, "diff", &(lines('-', before) + &lines('+', after)));
        }
    }
    if let Some(witness) = &change.witness {
        text.push_str("For example:\n\n");
        fenced(&mut text, "json", &bounded(&inert(witness), 2_000));
    }
    for fault in against(change).take(10) {
        let _ = writeln!(text, "- refused: {}", inline(&fault, LINE));
    }
    if change.faults.len() > 10 {
        let _ = writeln!(text, "- and {} more faults", change.faults.len() - 10);
    }
    if let Some(help) = &change.help {
        let _ = writeln!(text, "\n_{}_\n", inline(help, LINE));
    }
    text.push('\n');
    text
}

fn prose(text: &mut String, before: &str, after: &str) {
    text.push_str("> ");
    for word in words(&bounded(before, 2_000), &bounded(after, 2_000)) {
        let (open, close, word) = match &word {
            Word::Unchanged(word) => ("", "", word),
            Word::Removed(word) => ("<del>", "</del>", word),
            Word::Added(word) => ("<ins>", "</ins>", word),
        };
        let space = if word.ends_with(char::is_whitespace) { " " } else { "" };
        let _ = write!(text, "{open}{}{close}{space}", inline(word.trim_end(), usize::MAX));
    }
    text.push_str("\n\n");
}

fn lines(sign: char, side: &str) -> String {
    const MOST: usize = 40;
    let count = side.lines().count();
    let mut text: String = side
        .lines()
        .take(MOST)
        .map(|line| format!("{sign} {}\n", one_line(&bounded(line, 300))))
        .collect();
    if count > MOST {
        text += &format!("{sign} … and {} more lines\n", count - MOST);
    }
    text
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

/// Breaks what the renderer would take for a link, a mention or a reference; it is not seen. Written as an entity, so that
/// it is seen in the source.
const JOINT: &str = "&#8203;";

/// At most so many characters of a text, on one line, without meaning to Markdown, to HTML or to GitHub, which looks for
/// addresses, mentions and references in the rendered text.
fn inline(text: &str, most: usize) -> String {
    let text = bounded(text, most);
    // White space of any kind is a space; what a terminal or a reader's eye would obey is an escape.
    let text: Vec<&str> = text.split_whitespace().collect();
    let text = text.join(" ");
    let text = one_line(&text);
    let mut safe = String::with_capacity(text.len() * 2);
    let mut before = ' ';
    let mut all = text.chars().peekable();
    while let Some(character) = all.next() {
        let next = all.peek().copied().unwrap_or(' ');
        match character {
            '<' | '>' | '&' | '"' | '\'' => {
                safe += &escaped(character.encode_utf8(&mut [0; 4]));
            }
            '\\' | '`' | '*' | '_' | '[' | ']' | '(' | ')' | '!' | '|' | '~' | '{' | '}' => {
                safe.extend(['\\', character]);
            }
            // A formula begins with it, escaped or not.
            '$' => safe += "&#36;",
            // @name, a@b.c, #1, owner/repository#1
            '@' | '#' => {
                safe += if character == '#' { "\\#" } else { "@" };
                safe += JOINT;
            }
            // http://, mailto:, xmpp:
            ':' => {
                safe.push(':');
                if !next.is_whitespace() {
                    safe += JOINT;
                }
            }
            // www.
            '.' if before == 'w' || before == 'W' => {
                safe += JOINT;
                safe.push('.');
            }
            // GH-1, and references of a repository's own
            '-' if before.is_alphanumeric() && next.is_ascii_digit() => {
                safe.push('-');
                safe += JOINT;
            }
            other => safe.push(other),
        }
        before = character;
    }
    safe
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_have_no_meaning() {
        for (text, shown) in [
            ("see http://a.b/c", "see http:&#8203;//a.b/c"),
            ("WWW.a.b", "WWW&#8203;.a.b"),
            ("me@a.b and @someone", "me@&#8203;a.b and @&#8203;someone"),
            ("fixes #1, a/b#2, GH-3", "fixes \\#&#8203;1, a/b\\#&#8203;2, GH-&#8203;3"),
            ("![x](y) <img src=z>", "\\!\\[x\\]\\(y\\) &lt;img src=z&gt;"),
            ("a\u{202e}b\n\n# c\u{1b}[1m", "a\\\\u\\{202e\\}b \\#&#8203; c\\\\u\\{1b\\}\\[1m"),
            ("$x$", "&#36;x&#36;"),
        ] {
            assert_eq!(inline(text, 200), shown);
        }
    }

    #[test]
    fn a_fence_is_longer_than_what_it_holds() {
        let mut text = String::new();
        fenced(&mut text, "json", "````");
        assert_eq!(text, "`````json\n````\n`````\n\n");
    }
}
