//! What changes for the Rust code that implements the tool: names and types of the generated items. Generating them is not
//! this crate's business, so both versions are handed in as source text, of which the public lines count.

use super::super::{Category, Change, Level};
use super::Rule;
use toolcast_contract::Contract;

pub(super) const CHANGED: Rule = Rule {
    id: "api-changed",
    level: Level::Info,
    category: Category::Api,
    summary: "Names or types of the generated Rust code changed: handlers may need a change.",
    help: "the compiler names the lines of your handler that need it",
};

pub(in super::super) fn api(tool: &Contract, before: &str, after: &str) -> Option<Change> {
    let (old, new) = (lines(before), lines(after));
    if old == new {
        return None;
    }
    let only = |these: &[&str], those: &[&str]| -> Vec<String> {
        these.iter().filter(|line| !those.contains(*line)).map(ToString::to_string).collect()
    };
    let (gone, come) = (only(&old, &new), only(&new, &old));
    let change = Change::new(&CHANGED, tool, "the generated Rust items changed");
    Some(change.showing(gone.join("\n"), come.join("\n")))
}

/// The lines that make up the interface: items, fields and variants, without comments and attributes.
fn lines(source: &str) -> Vec<&str> {
    source
        .lines()
        .map(str::trim)
        .filter(|line| {
            let shown = line.starts_with("pub ")
                || line.starts_with("fn ")
                || line.chars().next().is_some_and(char::is_uppercase);
            shown && !line.contains("ToolSpec")
        })
        .collect()
}
