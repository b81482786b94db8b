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
    let (old, new) = (items(before), items(after));
    // As often as they stand there: two items may have a line in common.
    let only = |these: &[String], those: &[String]| -> Vec<String> {
        let mut left = those.to_vec();
        let come = these.iter().filter(|line| match left.iter().position(|known| known == *line) {
            Some(at) => {
                left.swap_remove(at);
                false
            }
            None => true,
        });
        come.cloned().collect()
    };
    let (gone, come) = (only(&old, &new), only(&new, &old));
    // Another order is no other interface.
    if gone.is_empty() && come.is_empty() {
        return None;
    }
    let change = Change::new(&CHANGED, tool, "the generated Rust items changed");
    Some(change.showing(gone.join("\n"), come.join("\n")))
}

/// The lines that make up the interface: items, and fields and variants with the item that they belong to; without
/// comments and attributes.
fn items(source: &str) -> Vec<String> {
    let mut owner = "";
    let mut found = Vec::new();
    for line in source.lines() {
        let is_inner = line.starts_with(' ');
        let line = line.trim();
        let named = ["pub struct ", "pub enum ", "pub trait "]
            .iter()
            .find_map(|start| line.strip_prefix(start));
        if let (Some(named), false) = (named, is_inner) {
            owner = named.split(|c: char| !c.is_alphanumeric() && c != '_').next().unwrap_or("");
        }
        let is_field = line.starts_with("pub ")
            || line.starts_with("fn ")
            || line.chars().next().is_some_and(char::is_uppercase);
        if !is_field || line.contains("ToolSpec") {
            continue;
        }
        found.push(match is_inner && !owner.is_empty() {
            true => format!("{owner}: {line}"),
            false => line.to_owned(),
        });
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_field_belongs_to_its_item() {
        let source =
            "pub struct A {\n    /// Doc.\n    pub x: i64,\n}\npub enum B {\n    One,\n}\n";
        assert_eq!(items(source), ["pub struct A {", "A: pub x: i64,", "pub enum B {", "B: One,"]);
    }
}
