//! One self-contained page: no script, no request, light and dark.

use super::{bounded, escaped, is_prose, words};
use crate::diff::report::{Change, Level, Report};
use toolcast_review::changes::Word;

const STYLE: &str = include_str!("page.css");

pub(super) fn render(report: &Report) -> String {
    let mut body = String::new();
    for level in [Level::Breaking, Level::Unproven, Level::Warning, Level::Info] {
        let changes: Vec<&Change> = report.open().filter(|change| change.level == level).collect();
        if !changes.is_empty() {
            let open = if level <= Level::Unproven { " open" } else { "" };
            body += &section(level.as_str(), open, &changes);
        }
    }
    let accepted: Vec<&Change> =
        report.changes.iter().filter(|change| change.accepted.is_some()).collect();
    if !accepted.is_empty() {
        body += &section("accepted", "", &accepted);
    }
    if report.changes.is_empty() {
        body += "<p>Nothing changed.</p>\n";
    }
    format!(
        "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
         <meta name=\"color-scheme\" content=\"light dark\">\n\
         <meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'unsafe-inline'\">\n\
         <title>Tool contracts: {summary}</title>\n<style>\n{STYLE}</style>\n</head>\n<body>\n<main>\n\
         <h1>Tool contracts</h1>\n<p class=\"summary\">{summary}</p>\n{body}</main>\n</body>\n</html>\n",
        summary = escaped(&report.summary()),
    )
}

fn section(name: &str, open: &str, changes: &[&Change]) -> String {
    let cards: String = changes.iter().map(|change| card(change)).collect();
    format!(
        "<details class=\"level {name}\"{open}>\n<summary><h2>{} {name}</h2></summary>\n{cards}</details>\n",
        changes.len()
    )
}

fn card(change: &Change) -> String {
    let mut text = format!(
        "<article>\n<h3>{} <span class=\"message\">{}</span></h3>\n\
         <p class=\"meta\"><code>{}</code> <span class=\"tag\">{}</span>",
        escaped(&change.tool),
        escaped(&change.message),
        escaped(&change.rule),
        escaped(&change.category)
    );
    if let Some(file) = &change.file {
        let line = change.line.map(|line| format!(":{line}")).unwrap_or_default();
        text += &format!(" <code>{}{line}</code>", escaped(file));
    }
    text += "</p>\n";
    if let Some(reason) = &change.accepted {
        text += &format!("<p>Accepted: {}</p>\n", escaped(reason));
    }
    if let (Some(before), Some(after)) = (&change.before, &change.after) {
        if is_prose(&change.rule) {
            text += "<blockquote>";
            for word in words(before, after) {
                text += &match &word {
                    Word::Unchanged(word) => escaped(word),
                    Word::Removed(word) => format!("<del>{}</del>", escaped(word)),
                    Word::Added(word) => format!("<ins>{}</ins>", escaped(word)),
                };
            }
            text += "</blockquote>\n";
        } else {
            text += "<pre class=\"change\">";
            for (tag, sign, side) in [("del", '-', before), ("ins", '+', after)] {
                for line in side.lines().take(60) {
                    text += &format!("<{tag}>{sign} {}</{tag}>\n", escaped(&bounded(line, 400)));
                }
            }
            text += "</pre>\n";
        }
    }
    if let Some(witness) = &change.witness {
        text += &format!(
            "<p>For example:</p>\n<pre class=\"witness\">{}</pre>\n",
            escaped(&bounded(witness, 4_000))
        );
    }
    if !change.faults.is_empty() {
        text += "<ul class=\"faults\">\n";
        for fault in &change.faults {
            let at = if fault.at.is_empty() { "the value" } else { &fault.at };
            text += &format!("<li><code>{}</code> {}</li>\n", escaped(at), escaped(&fault.message));
        }
        text += "</ul>\n";
    }
    if let Some(help) = &change.help {
        text += &format!("<p class=\"help\">{}</p>\n", escaped(help));
    }
    text + "</article>\n"
}
