//! What a person reads of an operation's result. Styles are always written; the stream drops them where they do not belong.

use crate::cli;
use crate::failure::Failure;
use crate::import::Imported;
use crate::scaffold::Created;
use crate::tools::defs::finding::{Finding, FindingSeverity};
use crate::tools::{check, generate};
use anstyle::{AnsiColor, Style};
use serde::Serialize;
use toolcast_codegen::contract::{Diagnostic, one_line};

const ERROR: Style = AnsiColor::Red.on_default().bold();
const WARNING: Style = AnsiColor::Yellow.on_default().bold();
const NOTE: Style = AnsiColor::Cyan.on_default().bold();
const BOLD: Style = Style::new().bold();

/// The result of `check`.
pub fn checked(result: &check::Output) -> String {
    let mut text = String::new();
    for finding in &result.findings {
        line(&mut text, &Line::from(finding));
    }
    if !found_by_check(result) {
        text += &format!("{}: no errors\n", contracts(result.tools));
    }
    text
}

/// The result of `generate`.
pub fn generated(result: &generate::Output, options: &cli::Generate) -> String {
    let mut text = String::new();
    for finding in &result.findings {
        line(&mut text, &Line::from(finding));
    }
    for file in &result.written {
        text += &format!("wrote {}\n", one_line(file));
    }
    for file in &result.removed {
        text += &format!("removed {}\n", one_line(file));
    }
    if !result.stale.is_empty() {
        text += &format!(
            "{ERROR}error{ERROR:#}: {} does not match {}:\n",
            one_line(options.out.as_str()),
            one_line(options.schemas.as_str())
        );
        for file in &result.stale {
            text += &format!("  {}\n", one_line(file));
        }
        text += &format!("  {BOLD}help{BOLD:#}: run `{}`\n", command(options));
    }
    if !found_by_generate(result) {
        let out = one_line(options.out.as_str());
        text += &format!("{}: {out} is up to date\n", contracts(result.tools));
    }
    text
}

/// The result of `import`.
pub fn imported(result: &Imported, options: &cli::Import) -> String {
    let mut text = String::new();
    for diagnostic in &result.diagnostics {
        line(&mut text, &Line::from(diagnostic));
    }
    for (done, files) in [("wrote", &result.created), ("updated", &result.updated)] {
        for file in files {
            text += &format!("{done} {}\n", one_line(file.as_str()));
        }
    }
    let count = result.created.len() + result.updated.len() + result.unchanged;
    text += &format!("{} in {}", contracts(count as u64), one_line(options.into.as_str()));
    for (number, what) in [(result.unchanged, "unchanged"), (result.skipped, "left out")] {
        if number > 0 {
            text += &format!(", {number} {what}");
        }
    }
    text + "\n"
}

/// A result as the tool gave it, for scripts.
pub fn json(result: &impl Serialize) -> Result<String, Failure> {
    let json = serde_json::to_string(result).map_err(|error| Failure::new(error.to_string()))?;
    Ok(inert(&json) + "\n")
}

/// JSON with an escape for what a terminal would obey; it can only stand in a string.
pub fn inert(json: &str) -> String {
    json.chars().fold(String::with_capacity(json.len()), |mut text, c| {
        match c != '\n' && *one_line(c.encode_utf8(&mut [0; 4])) != *c.encode_utf8(&mut [0; 4]) {
            true => text += &format!("\\u{:04x}", c as u32),
            false => text.push(c),
        }
        text
    })
}

/// The result of `init`.
pub fn started(name: &str, options: &cli::Init) -> String {
    let dir = quoted(options.dir.as_str());
    format!(
        "{}: the project `{name}`. Try it:\n  cd {dir} && cargo run -- call greet '{{\"name\":\"Ada\"}}'\n",
        one_line(options.dir.as_str())
    )
}

/// What `new` says besides the handler.
pub fn created(created: &Created) -> String {
    format!(
        "{}: a contract with one argument. Edit it, then give it a handler, for example:\n\n",
        one_line(created.contract.as_str())
    )
}

/// Why the command could not run.
pub fn failure(failure: &Failure) -> String {
    // Whoever said it chose its lines; names in it that would break one were escaped where it was said.
    let text = failure.to_string();
    let lines: Vec<_> = text.split('\n').map(one_line).collect();
    format!("{ERROR}error{ERROR:#}: {}\n", lines.join("\n"))
}

/// Whether `check` found an error.
pub fn found_by_check(result: &check::Output) -> bool {
    result.findings.iter().any(|finding| finding.severity == FindingSeverity::Error)
}

/// Whether `generate` found an error or stale bindings.
pub fn found_by_generate(result: &generate::Output) -> bool {
    !result.stale.is_empty()
        || result.findings.iter().any(|finding| finding.severity == FindingSeverity::Error)
}

/// The command that mends what `generate --check` found: the same without `--check`.
fn command(options: &cli::Generate) -> String {
    let mut command = "toolcast generate".to_owned();
    for (option, value, default) in
        [("--schemas", &options.schemas, "schemas"), ("--out", &options.out, "generated")]
    {
        if value != default {
            command += &format!(" {option} {}", quoted(value.as_str()));
        }
    }
    command
}

/// An argument as a shell takes it.
pub fn quoted(argument: &str) -> String {
    let plain = |c: char| c.is_ascii_alphanumeric() || "-_./+:@,=".contains(c);
    match !argument.is_empty() && argument.chars().all(plain) {
        true => argument.to_owned(),
        false if *one_line(argument) != *argument => ansi_quoted(argument),
        false => format!("'{}'", argument.replace('\'', r"'\''")),
    }
}

/// A shell's `$'...'`, in which nothing is left that a terminal would obey.
fn ansi_quoted(argument: &str) -> String {
    let escaped = argument.chars().fold(String::new(), |mut text, c| {
        match c {
            '\'' | '\\' => text.extend(['\\', c]),
            c if *one_line(c.encode_utf8(&mut [0; 4])) != *c.encode_utf8(&mut [0; 4]) => {
                text += &format!("\\U{:08x}", c as u32);
            }
            c => text.push(c),
        }
        text
    });
    format!("$'{escaped}'")
}

fn contracts(count: u64) -> String {
    match count {
        1 => "1 contract".to_owned(),
        count => format!("{count} contracts"),
    }
}

/// A finding, whichever tool found it.
struct Line<'a> {
    severity: String,
    rule: &'a str,
    file: &'a str,
    place: Option<(u64, u64)>,
    message: &'a str,
    help: Option<&'a str>,
}

impl<'a> From<&'a Finding> for Line<'a> {
    fn from(finding: &'a Finding) -> Self {
        Self {
            severity: finding.severity.to_string(),
            rule: &finding.rule,
            file: &finding.file,
            place: finding.line.zip(finding.column),
            message: &finding.message,
            help: finding.help.as_deref(),
        }
    }
}

impl<'a> From<&'a Diagnostic> for Line<'a> {
    fn from(diagnostic: &'a Diagnostic) -> Self {
        Self {
            severity: diagnostic.severity.to_string(),
            rule: diagnostic.rule,
            file: diagnostic.file.as_str(),
            place: diagnostic.position.map(|place| (place.line as u64, place.column as u64)),
            message: &diagnostic.message,
            help: diagnostic.help.as_deref(),
        }
    }
}

/// `file:line:column: severity[rule]: message`, and the help below it.
fn line(text: &mut String, finding: &Line<'_>) {
    let style = match finding.severity.as_str() {
        "error" => ERROR,
        "warning" => WARNING,
        _ => NOTE,
    };
    let place = finding.place.map(|(line, column)| format!(":{line}:{column}")).unwrap_or_default();
    let Line { severity, rule, .. } = finding;
    let (file, message) = (one_line(finding.file), one_line(finding.message));
    *text +=
        &format!("{BOLD}{file}{place}{BOLD:#}: {style}{severity}[{rule}]{style:#}: {message}\n");
    if let Some(help) = finding.help {
        *text += &format!("  {BOLD}help{BOLD:#}: {}\n", one_line(help));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_command_to_run_is_what_a_shell_takes() {
        let options = cli::Generate {
            schemas: "it's mine".into(),
            out: "generated".into(),
            check: true,
            json: false,
        };
        assert_eq!(command(&options), r"toolcast generate --schemas 'it'\''s mine'");
    }

    #[test]
    fn names_of_files_do_not_drive_the_terminal() {
        assert_eq!(one_line("a\u{1b}[2J\r\u{9b}b.json"), r"a\u{1b}[2J\r\u{9b}b.json");
        assert_eq!(quoted("a\u{1b}\n'b\u{202e}"), r"$'a\U0000001b\U0000000a\'b\U0000202e'");
    }
}
