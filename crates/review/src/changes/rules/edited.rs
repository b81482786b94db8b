//! What else was edited in a schema: nothing that changed is "no change", though it breaks nobody.

use super::super::edits::{Edit, What, edits};
use super::super::{Category, Change, Level, Pair};
use super::Rule;
use serde_json::Value;
use toolcast_contract::Part;

pub(super) const CALL: Rule = Rule {
    id: "call-schema-changed",
    level: Level::Info,
    category: Category::Call,
    summary: "The schema of the arguments was edited, and no other rule speaks of it.",
    help: "",
};

pub(super) const RESULT: Rule = Rule {
    id: "result-schema-changed",
    level: Level::Info,
    category: Category::Result,
    summary: "The schema of the result was edited, and no other rule speaks of it.",
    help: "",
};

/// Edits told one by one; the rest is counted.
const MOST: usize = 20;
/// Characters of a value that is quoted in a message.
const QUOTED: usize = 120;

/// What was edited and is not yet told of.
pub(in super::super) fn edited(pair: Pair<'_>, found: &mut Vec<Change>) {
    one(pair, Part::Input, Some((&pair.old.input, &pair.new.input)), found);
    let both = pair.old.output.as_ref().zip(pair.new.output.as_ref());
    one(pair, Part::Output, both, found);
}

fn one(pair: Pair<'_>, part: Part, both: Option<(&Value, &Value)>, found: &mut Vec<Change>) {
    let Some((old, new)) = both.filter(|(old, new)| old != new) else { return };
    let rule = if part == Part::Input { &CALL } else { &RESULT };
    let Some(edits) = edits(old, new) else {
        let change = Change::new(rule, pair.new, "most of the schema was edited");
        found.push(change.at(part, ""));
        return;
    };
    let told = |pointer: &str| {
        found.iter().any(|change| {
            let place = change.place.as_ref();
            place.is_some_and(|(known, at)| *known == part && at == pointer)
        })
    };
    let mut left: Vec<&Edit> = edits.iter().filter(|edit| !told(&edit.pointer())).collect();
    // The root's words stand in the contract itself, whose rules speak of them.
    left.retain(|edit| !(edit.node.is_empty() && is_words(&edit.what)));
    let more = left.len().saturating_sub(MOST);
    for edit in left.into_iter().take(MOST) {
        let mut change = Change::new(rule, pair.new, message(edit, part));
        change.place = Some((part, edit.pointer()));
        if let What::Keyword { old, new, .. } = &edit.what {
            let text =
                |value: &Option<Value>| value.as_ref().map(Value::to_string).unwrap_or_default();
            change = change.showing(text(old), text(new));
        }
        found.push(change);
    }
    if more > 0 {
        let message = format!("{more} more edits of the schema");
        found.push(Change::new(rule, pair.new, message).at(part, ""));
    }
}

fn is_words(what: &What) -> bool {
    matches!(what, What::Keyword { name, .. } if name == "title" || name == "description")
}

fn message(edit: &Edit, part: Part) -> String {
    let whole = if part == Part::Input { "the arguments" } else { "the result" };
    let place = match edit.path.as_str() {
        "" => whole.to_owned(),
        path => format!("`{path}`"),
    };
    let of = match (part, edit.member()) {
        (Part::Input, Some(name)) => format!("`{name}`"),
        (Part::Output, Some(name)) => format!("`{name}` of the result"),
        _ => String::new(),
    };
    match &edit.what {
        What::Whole(_) => format!("{place} has another schema now"),
        What::Member { new: Some(_), .. } => format!("{of} is declared now"),
        What::Member { new: None, .. } => format!("{of} is no longer declared"),
        What::Required { .. } => format!("{of} is required now"),
        What::Optional { .. } => format!("{of} is optional now"),
        What::Keyword { name, old, new } => {
            let value = |value: &Value| {
                let text = value.to_string();
                match text.chars().count() > QUOTED {
                    true => text.chars().take(QUOTED).chain(['…']).collect(),
                    false => text,
                }
            };
            match (old, new) {
                (Some(old), Some(new)) => {
                    format!("`{name}` of {place} is {} now, before: {}", value(new), value(old))
                }
                (None, Some(new)) => format!("{place} has `{name}` {} now", value(new)),
                (Some(old), _) => format!("{place} no longer has `{name}` {}", value(old)),
                (None, None) => format!("`{name}` of {place} changed"),
            }
        }
    }
}
