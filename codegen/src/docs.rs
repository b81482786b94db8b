//! A description is data: here, and nowhere else, it becomes a doc comment. Nothing in it runs, links or renders as
//! HTML; it is bounded; and its words can still be read in the source.

/// The most that a doc comment keeps of a description, in characters and lines.
const LONGEST: usize = 600;
const LINES: usize = 8;
const WIDTH: usize = 100;

/// The lines of a doc comment, each with its leading space.
pub(crate) fn doc_lines(text: &str) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    let mut cut = text.chars().nth(LONGEST).is_some();
    let kept: String = text.chars().take(LONGEST).collect();
    let mut in_list = false;
    for line in kept.lines() {
        let line = clean(line);
        if line.is_empty() {
            if lines.last().is_some_and(|last| !last.is_empty()) {
                lines.push(String::new());
            }
            in_list = false;
            continue;
        }
        let item = line
            .strip_prefix("- ")
            .or_else(|| line.strip_prefix("* "))
            .or_else(|| line.strip_prefix("• "));
        // A list ends with a blank line, and each line of an item stands under its first.
        if in_list && item.is_none() {
            lines.push(String::new());
        }
        in_list = item.is_some();
        let (first, next) = if in_list { (" - ", "   ") } else { (" ", " ") };
        wrap(&escape(item.unwrap_or(&line)), first, next, &mut lines);
    }
    while lines.last().is_some_and(String::is_empty) {
        lines.pop();
    }
    if lines.len() > LINES {
        lines.truncate(LINES);
        while lines.last().is_some_and(String::is_empty) {
            lines.pop();
        }
        cut = true;
    }
    if cut && let Some(last) = lines.last_mut() {
        last.push_str(" …");
    }
    lines
}

/// One line without what a reader cannot see: controls, bidirectional overrides, runs of blanks.
fn clean(line: &str) -> String {
    let visible =
        line.chars().map(|c| if c.is_whitespace() { ' ' } else { c }).filter(|c| !is_hidden(*c));
    let text: String = visible.collect();
    text.split(' ').filter(|word| !word.is_empty()).collect::<Vec<_>>().join(" ")
}

/// Characters that change how their neighbours are read, or are not read at all.
pub(crate) fn is_hidden(c: char) -> bool {
    c.is_control()
        || matches!(c,
            '\u{ad}' | '\u{61c}' | '\u{180e}' | '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}'
            | '\u{2060}'..='\u{2069}' | '\u{feff}' | '\u{fff9}'..='\u{fffb}' | '\u{e0000}'..='\u{e007f}')
}

/// Markdown that would render as something else than its characters is escaped; `code` in balanced backticks stays.
fn escape(line: &str) -> String {
    let ticks = line.matches('`').count();
    let code = ticks > 0 && ticks.is_multiple_of(2) && !line.contains("``");
    let mut inside = false;
    let mut escaped = String::with_capacity(line.len() + 8);
    let mut rest = line;
    while let Some(c) = rest.chars().next() {
        if !inside && let Some(length) = url(rest) {
            escaped.push('<');
            escaped.push_str(&rest[..length]);
            escaped.push('>');
            rest = &rest[length..];
            continue;
        }
        match c {
            '`' if code => {
                inside = !inside;
                escaped.push(c);
            }
            '`' | '\\' | '[' | ']' | '<' | '>' | '*' | '|' | '~' | '$' | '&' if !inside => {
                escaped.push('\\');
                escaped.push(c);
            }
            // Emphasis needs an underscore at the edge of a word.
            '_' if !inside && !within_word(&escaped, &rest[1..]) => escaped.push_str("\\_"),
            _ => escaped.push(c),
        }
        rest = &rest[c.len_utf8()..];
    }
    escaped
}

fn within_word(before: &str, after: &str) -> bool {
    before.ends_with(|c: char| c.is_alphanumeric())
        && after.starts_with(|c: char| c.is_alphanumeric())
}

/// The length of a plain web address at the start of a text.
fn url(text: &str) -> Option<usize> {
    let scheme = ["https://", "http://"].into_iter().find(|scheme| text.starts_with(scheme))?;
    let plain = |c: char| c.is_ascii_alphanumeric() || "-._~:/?#@!&=+,;%".contains(c);
    let length = text.find(|c| !plain(c)).unwrap_or(text.len());
    let length = text[..length].trim_end_matches(['.', ',', ':', ';', '!', '?']).len();
    (length > scheme.len()).then_some(length)
}

/// Breaks a line at blanks. A word that would start a heading, list, quote or rule there is escaped.
fn wrap(text: &str, first: &str, next: &str, lines: &mut Vec<String>) {
    let mut line = first.to_owned();
    let mut empty = true;
    let mut in_code = false;
    for word in text.split(' ') {
        let width = line.chars().count() + word.chars().count() + 1;
        if !empty && width > WIDTH && !in_code {
            lines.push(std::mem::replace(&mut line, next.to_owned()));
            empty = true;
        }
        if empty {
            let start = word.chars().next();
            let digits = word.trim_start_matches(|c: char| c.is_ascii_digit());
            if matches!(start, Some('#' | '-' | '+' | '=' | ':')) {
                line.push('\\');
                line.push_str(word);
            } else if digits.len() < word.len() && (digits == "." || digits == ")") {
                line.push_str(&word[..word.len() - 1]);
                line.push('\\');
                line.push_str(digits);
            } else {
                line.push_str(word);
            }
        } else {
            line.push(' ');
            line.push_str(word);
        }
        empty = false;
        in_code ^= word.matches('`').count() % 2 == 1 && !word.contains("\\`");
    }
    lines.push(line);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_runs_links_or_renders() {
        let text = "Use `a_b` or [x](y), <b>bold</b>.\n```rust\npanic!();\n```\n    indented\n# Title\n1. one\n*/ \u{202e}evil\0";
        let lines = doc_lines(text);
        assert_eq!(
            lines,
            [
                " Use `a_b` or \\[x\\](y), \\<b\\>bold\\</b\\>.",
                " \\`\\`\\`rust",
                " panic!();",
                " \\`\\`\\`",
                " indented",
                " \\# Title",
                " 1\\. one",
                " \\*/ evil",
            ]
        );
    }

    #[test]
    fn lists_and_addresses_stay() {
        let lines = doc_lines("Kinds:\n- one, see https://example.com/a_b.\n- two\nafter");
        assert_eq!(
            lines,
            [" Kinds:", " - one, see <https://example.com/a_b>.", " - two", "", " after"]
        );
    }

    #[test]
    fn a_megabyte_is_a_few_lines() {
        let lines = doc_lines(&"word ".repeat(200_000));
        assert!(lines.len() <= LINES && lines.iter().all(|line| line.chars().count() <= WIDTH + 2));
        let lines = doc_lines(&"x".repeat(1_000_000));
        assert_eq!(lines.len(), 1);
    }
}
