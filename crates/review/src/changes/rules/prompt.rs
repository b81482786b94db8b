//! What a model reads of the tool itself.

use super::super::{Category, Change, Level, Pair};
use super::Rule;
use serde_json::Value;

pub(super) const DESCRIPTION: Rule = Rule {
    id: "description-changed",
    level: Level::Warning,
    category: Category::Prompt,
    summary: "The description changed: models may choose the tool more often, less often, or for something else.",
    help: "read it as an instruction to a model; evaluations that cover this tool should run again",
};

pub(super) const TITLE: Rule = Rule {
    id: "title-changed",
    level: Level::Info,
    category: Category::Prompt,
    summary: "The title that people see changed.",
    help: "",
};

pub(super) const ICONS: Rule = Rule {
    id: "icons-changed",
    level: Level::Info,
    category: Category::Prompt,
    summary: "The icons changed.",
    help: "",
};

pub(in super::super) fn described(pair: Pair<'_>, found: &mut Vec<Change>) {
    let Pair { old, new } = pair;
    if old.description != new.description {
        let change = Change::new(&DESCRIPTION, new, "the description changed");
        found.push(change.showing(old.description.as_str(), new.description.as_str()));
    }
    let title = |title: &Option<String>| title.clone().unwrap_or_default();
    if old.title != new.title {
        let change = Change::new(&TITLE, new, "the title changed");
        found.push(change.showing(title(&old.title), title(&new.title)));
    }
    if old.annotations.title != new.annotations.title {
        let change = Change::new(&TITLE, new, "the title among the annotations changed");
        found.push(change.showing(title(&old.annotations.title), title(&new.annotations.title)));
    }
    if old.icons != new.icons {
        let list = |icons: &[Value]| Value::Array(icons.to_vec()).to_string();
        let change = Change::new(&ICONS, new, "the icons changed");
        found.push(change.showing(list(&old.icons), list(&new.icons)));
    }
}
