//! Names for items, fields and variants. Names are given outermost first, so that an edit further in renames
//! nothing outside it.

use super::{Draft, recursion};
use crate::model::*;
use crate::names::{alternatives, distance, pascal, snake, words};
use crate::reserved;
use serde_json::Value;
use std::collections::{HashMap, HashSet};

/// The longest title that still makes a name.
const TITLE_WORDS: usize = 5;
const TITLE_LENGTH: usize = 40;
/// The most words that tell a field from its neighbour better than a number does.
const MOST_WORDS: usize = 8;

/// Names the drafts that a root reaches, and drops the others.
pub(super) fn items(mut drafts: Vec<Draft>) -> Vec<RustItem> {
    keep_reachable(&mut drafts);
    named(drafts)
}

/// Names all drafts.
pub(super) fn named(drafts: Vec<Draft>) -> Vec<RustItem> {
    let names = item_names(&drafts);
    drafts
        .into_iter()
        .zip(names)
        .map(|(draft, name)| {
            let mut kind = draft.kind;
            if let ItemKind::Struct { fields, rest } = &mut kind {
                name_fields(fields, rest);
            }
            RustItem { name, docs: draft.docs, kind }
        })
        .collect()
}

fn keep_reachable(drafts: &mut Vec<Draft>) {
    let mut reached = vec![false; drafts.len()];
    let mut open: Vec<usize> = drafts
        .iter()
        .enumerate()
        .filter(|(_, draft)| draft.hint.root.is_some())
        .map(|(at, _)| at)
        .collect();
    while let Some(item) = open.pop() {
        if std::mem::replace(&mut reached[item], true) {
            continue;
        }
        recursion::each_type(&mut drafts[item].kind, &mut |index| open.push(*index));
    }
    let mut places = Vec::with_capacity(drafts.len());
    let mut next = 0;
    for reached in &reached {
        places.push(next);
        next += usize::from(*reached);
    }
    let mut at = 0;
    drafts.retain(|_| {
        at += 1;
        reached[at - 1]
    });
    for draft in drafts {
        recursion::each_type(&mut draft.kind, &mut |index| *index = places[*index]);
    }
}

fn item_names(drafts: &[Draft]) -> Vec<String> {
    let mut names = vec![String::new(); drafts.len()];
    let mut taken = Names::default();
    let mut order: Vec<usize> = (0..drafts.len()).collect();
    let overridden = |draft: &Draft| draft.rust_name.as_deref().is_some_and(is_type_name);
    order.sort_by_key(|at| {
        (
            drafts[*at].hint.root.is_none(),
            !overridden(&drafts[*at]),
            drafts[*at].hint.path.len(),
            *at,
        )
    });
    for at in order {
        let free = candidates(&drafts[at]).into_iter().find(|name| {
            let root = drafts[at].hint.root == Some(name);
            !taken.contains(name) && (root || !reserved::is_type(name))
        });
        names[at] = match free {
            Some(name) => taken.give(name, ""),
            None => numbered(&drafts[at], &mut taken),
        };
    }
    names
}

/// Names an item would like to have, best first.
fn candidates(draft: &Draft) -> Vec<String> {
    if let Some(root) = draft.hint.root {
        return vec![root.into()];
    }
    let mut names = Vec::new();
    names.extend(draft.rust_name.clone().filter(|name| is_type_name(name)));
    names.extend(draft.title.as_deref().and_then(title_name));
    let path = &draft.hint.path;
    if let [first, .., _, _] = path.as_slice()
        && draft.hint.defined
    {
        names.push(format!("{first}{}", path[path.len() - 2..].concat()));
    }
    let shortest = path.len().min(2);
    names.extend((shortest..=path.len()).map(|length| path[path.len() - length..].concat()));
    names.push(format!("{}Type", path.concat()));
    names.retain(|name| is_type_name(name) && name.len() <= 120);
    names
}

fn numbered(draft: &Draft, names: &mut Names) -> String {
    let last = draft.hint.path.last().cloned().unwrap_or_default();
    let mut base: String = last.chars().take(60).collect();
    if !is_type_name(&base) {
        base = "Type".into();
    }
    let gap = gap(&base);
    names.give_numbered(&base, gap)
}

/// A title as a name, where it is short enough to be one.
pub(super) fn title_name(title: &str) -> Option<String> {
    let words = words(title);
    let name = pascal(&words);
    (words.len() <= TITLE_WORDS && name.len() <= TITLE_LENGTH && is_type_name(&name))
        .then_some(name)
}

/// Whether a text is a name that a type or variant can have.
pub(super) fn is_type_name(name: &str) -> bool {
    name.starts_with(|c: char| c.is_ascii_uppercase())
        && name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_')
        && name != "Self"
}

/// Names that are given, and the number that each would get next: counting anew for every name that is taken would take
/// thousands of equal names squared.
#[derive(Default)]
struct Names {
    taken: HashSet<String>,
    next: HashMap<String, usize>,
}

impl Names {
    fn contains(&self, name: &str) -> bool {
        self.taken.contains(name)
    }

    /// Gives a name, with a number behind `gap` where it is taken.
    fn give(&mut self, name: String, gap: &str) -> String {
        if self.taken.insert(name.clone()) {
            return name;
        }
        self.give_numbered(&name, gap)
    }

    /// Gives a name with a number behind `gap`, from 2.
    fn give_numbered(&mut self, name: &str, gap: &str) -> String {
        let next = self.next.entry(name.to_owned()).or_insert(2);
        loop {
            let numbered = format!("{name}{gap}{next}");
            *next += 1;
            if self.taken.insert(numbered.clone()) {
                return numbered;
            }
        }
    }
}

/// What keeps a number apart from the name before it.
fn gap(name: &str) -> &'static str {
    if name.ends_with(|c: char| c.is_ascii_digit()) { "_" } else { "" }
}

/// Appends a number to a name that is taken by one of a few.
pub(super) fn make_unique<'a>(name: &mut String, taken: impl Iterator<Item = &'a str> + Clone) {
    let base = name.clone();
    let mut at = 2;
    while taken.clone().any(|other| other == name) {
        *name = format!("{base}{}{at}", gap(&base));
        at += 1;
    }
}

fn name_fields(fields: &mut [RustField], rest: &mut Option<Rest>) {
    let mut taken = Names::default();
    // Overrides come first, then members that are their own names: no other member takes them away.
    let mut order: Vec<usize> = (0..fields.len()).collect();
    let plain = |field: &RustField| snake(&words(&field.wire)) == field.wire;
    order.sort_by_key(|at| {
        let field = &fields[*at];
        (field.ident.is_empty(), !plain(field), distance(&field.wire), *at)
    });
    for at in order {
        let wanted = if fields[at].ident.is_empty() {
            field_name(&fields[at].wire)
        } else {
            fields[at].ident.clone()
        };
        let name = if taken.contains(&wanted) && fields[at].ident.is_empty() {
            let others = alternatives(&fields[at].wire)
                .into_iter()
                .filter(|words| words.len() <= MOST_WORDS)
                .map(|words| snake(&words));
            let mut others = others.filter(|name| is_field_name(name));
            others.find(|name| !taken.contains(name)).unwrap_or(wanted)
        } else {
            wanted
        };
        let gap = if name.ends_with('_') { "" } else { "_" };
        let name = taken.give(name, gap);
        fields[at].ident = if reserved::is_keyword(&name) { format!("r#{name}") } else { name };
    }
    if let Some(rest) = rest {
        let mut name = "rest".to_owned();
        while taken.contains(&name) {
            name = format!("other_{name}");
        }
        rest.ident = name;
    }
}

/// Whether a text is an identifier that needs no `r#`.
fn is_field_name(name: &str) -> bool {
    name.starts_with(|c: char| c.is_ascii_lowercase())
        && !reserved::is_keyword(name)
        && !reserved::is_never_raw(name)
}

/// A member's name as a field's, without regard to its neighbours.
fn field_name(wire: &str) -> String {
    let name = snake(&words(wire));
    match name.as_str() {
        "" if wire.is_empty() => "empty".into(),
        "" => "unnamed".into(),
        name if reserved::is_never_raw(name) => format!("{name}_"),
        _ => name,
    }
}

/// Names the values of an enum, and nothing is called `Variant0`.
pub(super) fn literal_variants(
    values: Vec<(Value, Option<String>, Option<String>)>,
) -> Vec<LiteralVariant> {
    let mut idents = vec![String::new(); values.len()];
    let mut taken = Names::default();
    // Values that are their own names come first: no near value takes them away.
    let mut order: Vec<usize> = (0..values.len()).collect();
    order.sort_by_key(|at| match &values[*at] {
        (Value::String(text), None, _) => distance(text),
        _ => 0,
    });
    for at in order {
        let (value, title, _) = &values[at];
        let mut names = Vec::new();
        names.extend(title.as_deref().and_then(|title| {
            if is_type_name(title) { Some(title.into()) } else { title_name(title) }
        }));
        names.push(literal_name(value));
        names.extend(distinct_names(value));
        let ident = names
            .iter()
            .find(|name| is_type_name(name) && !taken.contains(name))
            .cloned()
            .unwrap_or_else(|| literal_name(value));
        let gap = gap(&ident);
        idents[at] = taken.give(ident, gap);
    }
    let named = values.into_iter().zip(idents);
    named.map(|((value, _, docs), ident)| LiteralVariant { ident, value, docs }).collect()
}

/// A JSON value as a variant's name.
pub(super) fn literal_name(value: &Value) -> String {
    let name = match value {
        Value::Null => "Null".into(),
        Value::Bool(true) => "True".into(),
        Value::Bool(false) => "False".into(),
        Value::Number(number) => {
            pascal(&words(&number.to_string().replace("e+", "e").replace("e-", "e minus ")))
        }
        Value::String(text) if text.is_empty() => "Empty".into(),
        Value::String(text) => pascal(&words(text)),
        Value::Array(items) if items.is_empty() => "EmptyList".into(),
        Value::Object(members) if members.is_empty() => "EmptyObject".into(),
        other => pascal(&words(&other.to_string())),
    };
    match name.as_str() {
        "" => "Unnamed".into(),
        "Self" => "SelfValue".into(),
        _ if !is_type_name(&name) => format!("V{name}"),
        _ => name,
    }
}

/// Names that tell a value from others with the same words.
fn distinct_names(value: &Value) -> Vec<String> {
    let Value::String(text) = value else {
        let kind = match value {
            Value::Null => "JsonNull",
            Value::Bool(true) => "JsonTrue",
            Value::Bool(false) => "JsonFalse",
            Value::Number(_) => {
                return vec![format!("Number{}", literal_name(value).trim_start_matches('N'))];
            }
            _ => return Vec::new(),
        };
        return vec![kind.into()];
    };
    alternatives(text).iter().map(|words| pascal(words)).collect()
}
