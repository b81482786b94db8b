//! What a model reads of the parameters, and what they are when it says nothing.

use super::super::fields::{Field, fields};
use super::super::{Category, Change, Level, Pair};
use super::Rule;
use serde_json::Value;
use toolcast_contract::Part;

pub(super) const DESCRIPTION: Rule = Rule {
    id: "parameter-description-changed",
    level: Level::Info,
    category: Category::Prompt,
    summary: "The description of a parameter or of a part of the result changed.",
    help: "",
};

pub(super) const DEFAULT: Rule = Rule {
    id: "default-changed",
    level: Level::Warning,
    category: Category::Call,
    summary: "A default changed: calls that leave the member out now mean something else.",
    help: "callers who relied on the old default do not learn of it; consider a new member",
};

pub(super) const RESULT_DEFAULT: Rule = Rule {
    id: "result-default-changed",
    level: Level::Info,
    category: Category::Result,
    summary: "A default of the result changed: readers may fill it in for a member that is left out.",
    help: "",
};

pub(super) const PARAMETER_TITLE: Rule = Rule {
    id: "parameter-title-changed",
    level: Level::Info,
    category: Category::Prompt,
    summary: "The title of a parameter or of a part of the result changed.",
    help: "",
};

pub(super) const DEPRECATED: Rule = Rule {
    id: "deprecation-changed",
    level: Level::Info,
    category: Category::Prompt,
    summary: "A parameter or a part of the result is deprecated now, or no longer.",
    help: "",
};

pub(super) const ENUM_ORDER: Rule = Rule {
    id: "enum-order-changed",
    level: Level::Info,
    category: Category::Prompt,
    summary: "The same values stand in another order: models favour the first.",
    help: "",
};

pub(super) const EXAMPLES: Rule = Rule {
    id: "examples-changed",
    level: Level::Info,
    category: Category::Prompt,
    summary: "The examples changed: models copy them.",
    help: "",
};

pub(in super::super) fn members(pair: Pair<'_>, found: &mut Vec<Change>) {
    for field in fields(&pair.old.input, &pair.new.input) {
        member(pair, Part::Input, &field, found);
    }
    if let (Some(old), Some(new)) = (&pair.old.output, &pair.new.output) {
        for field in fields(old, new) {
            member(pair, Part::Output, &field, found);
        }
    }
}

fn member(pair: Pair<'_>, part: Part, field: &Field<'_>, found: &mut Vec<Change>) {
    let name = match (part, field.path.as_str()) {
        (Part::Input, "") => "the arguments".to_owned(),
        (Part::Output, "") => "the result".to_owned(),
        (Part::Input, path) => format!("`{path}`"),
        (Part::Output, path) => format!("`{path}` of the result"),
    };
    let mut changed = |rule: &'static Rule, keyword: &str, what: &str| {
        let (old, new) = (field.old.get(keyword), field.new.get(keyword));
        if old == new {
            return;
        }
        let message = match (old, new) {
            (None, _) => format!("{name} has {what} now"),
            (_, None) => format!("{name} no longer has {what}"),
            _ => format!("{what} of {name} changed").replacen("a ", "the ", 1),
        };
        let pointer = format!("{}/{keyword}", field.pointer);
        let change = Change::new(rule, pair.new, message);
        found.push(change.at(part, pointer).showing(shown(old), shown(new)));
    };
    changed(&DESCRIPTION, "description", "a description");
    changed(&EXAMPLES, "examples", "examples");
    changed(if part == Part::Input { &DEFAULT } else { &RESULT_DEFAULT }, "default", "a default");
    changed(&PARAMETER_TITLE, "title", "a title");
    changed(&DEPRECATED, "deprecated", "a mark of deprecation");
    if let (Some(Value::Array(old)), Some(Value::Array(new))) =
        (field.old.get("enum"), field.new.get("enum"))
    {
        // Values that come or go are a matter for the verdicts; here only what stayed counts.
        let remaining: Vec<&Value> = old.iter().filter(|value| new.contains(value)).collect();
        let now: Vec<&Value> = new.iter().filter(|value| old.contains(value)).collect();
        if remaining != now {
            let list = |values: &[Value]| Value::Array(values.to_vec()).to_string();
            let message = format!("the values of {name} stand in another order");
            let change = Change::new(&ENUM_ORDER, pair.new, message);
            let pointer = format!("{}/enum", field.pointer);
            found.push(change.at(part, pointer).showing(list(old), list(new)));
        }
    }
}

fn shown(value: Option<&Value>) -> String {
    match value {
        None => String::new(),
        Some(Value::String(text)) => text.clone(),
        Some(other) => other.to_string(),
    }
}
