//! Tools that come, go and change their names.

use super::super::pairs::Pairs;
use super::super::{Category, Change, Level, Pair};
use super::Rule;
use serde_json::Value;
use toolcast_contract::Contract;

pub(super) const REMOVED: Rule = Rule {
    id: "tool-removed",
    level: Level::Breaking,
    category: Category::Call,
    summary: "A tool is gone: every call to it fails.",
    help: "keep the tool until nobody calls it; if it has a new name, say so with `x-tool.renamedFrom`",
};

pub(super) const RENAMED: Rule = Rule {
    id: "tool-renamed",
    level: Level::Breaking,
    category: Category::Call,
    summary: "A tool has a new name: calls by the old one fail.",
    help: "prompts, allow lists and stored conversations name tools; change them with the tool",
};

pub(super) const ADDED: Rule = Rule {
    id: "tool-added",
    level: Level::Info,
    category: Category::Call,
    summary: "There is a new tool.",
    help: "",
};

pub(super) const MOVED: Rule = Rule {
    id: "toolset-changed",
    level: Level::Info,
    category: Category::Api,
    summary: "The contract stands in another folder: the Rust module of its items has another path.",
    help: "the compiler names the lines that need it",
};

pub(super) const META: Rule = Rule {
    id: "meta-changed",
    level: Level::Info,
    category: Category::Call,
    summary: "What is passed through as `_meta` changed.",
    help: "",
};

pub(in super::super) fn moved(pair: Pair<'_>, found: &mut Vec<Change>) {
    let Pair { old, new } = pair;
    if old.toolset != new.toolset {
        let folder = |tool: &Contract| format!("{}/", tool.toolset.join("/"));
        let change = Change::new(&MOVED, new, "the contract stands in another folder");
        found.push(change.showing(folder(old), folder(new)));
    }
    if old.meta != new.meta {
        let shown = |tool: &Contract| Value::Object(tool.meta.clone()).to_string();
        let change = Change::new(&META, new, "`x-tool.meta` changed");
        found.push(change.showing(shown(old), shown(new)));
    }
}

pub(in super::super) fn gone(pairs: &Pairs<'_>, found: &mut Vec<Change>) {
    for tool in &pairs.removed {
        found.push(Change::new(&REMOVED, tool, format!("the tool `{}` is gone", tool.name)));
    }
    for tool in &pairs.added {
        found.push(Change::new(&ADDED, tool, format!("the tool `{}` is new", tool.name)));
    }
}

pub(in super::super) fn renamed(pair: Pair<'_>, found: &mut Vec<Change>) {
    if pair.old.name == pair.new.name {
        return;
    }
    let declared = pair.new.renamed_from.as_deref() == Some(&pair.old.name);
    let how = if declared { "is now" } else { "seems to be" };
    let message = format!("the tool `{}` {how} `{}`", pair.old.name, pair.new.name);
    let mut change = Change::new(&RENAMED, pair.new, message)
        .showing(pair.old.name.as_str(), pair.new.name.as_str());
    if !declared {
        change.help = Some(format!("say so with `\"renamedFrom\": \"{}\"`", pair.old.name));
    }
    found.push(change);
}
