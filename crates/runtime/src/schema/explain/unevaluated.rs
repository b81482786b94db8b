//! What no part of a schema has looked at: `unevaluatedProperties` and `unevaluatedItems` (2020-12, section 11).
//!
//! By the letter, a part that refuses the value has looked at nothing, and one wrong type would make strangers of all
//! members beside it. Here such a part counts: its own fault is told, and no declared member is called unknown.

use super::keywords;
use super::path::Step;
use super::walk::{Walk, list, map};
use super::wording;
use indexmap::IndexSet;
use serde_json::{Map, Value};

/// References and branches within each other that look at one value.
const DEPTH: usize = 64;

/// Looks at the members or items that the rest of a schema leaves.
pub(super) fn walk<'s>(walk: &mut Walk<'s>, schema: &'s Map<String, Value>, value: &Value) {
    match value {
        Value::Object(members) => {
            let Some(further) = schema.get("unevaluatedProperties") else { return };
            let Some(seen) = look(walk, schema, value, members.len()) else { return };
            for (position, (name, member)) in members.iter().enumerate() {
                if !seen.parts[position] && !walk.is_over() {
                    let refused =
                        (*further == Value::Bool(false)).then(|| seen.refused(walk, name));
                    walk.within(Step::Key(name.clone()), |walk| match refused {
                        Some(message) => walk.fault("unevaluatedProperties", message),
                        None => walk.walk(further, member),
                    });
                }
            }
        }
        Value::Array(items) => {
            let Some(further) = schema.get("unevaluatedItems") else { return };
            let Some(seen) = look(walk, schema, value, items.len()) else { return };
            self::items(walk, further, items, &seen.parts);
        }
        _ => {}
    }
}

fn items<'s>(walk: &mut Walk<'s>, further: &'s Value, items: &[Value], seen: &[bool]) {
    let first = seen.iter().take_while(|seen| **seen).count();
    let is_closed = *further == Value::Bool(false);
    if is_closed && first < items.len() && !seen[first..].contains(&true) {
        let most = wording::count(first, "item");
        let message = format!("expected at most {most}, got {}", items.len());
        return walk.fault("unevaluatedItems", message);
    }
    for (position, item) in items.iter().enumerate().skip(first) {
        if !seen[position] && !walk.is_over() {
            walk.within(Step::Index(position), |walk| match is_closed {
                true => walk.fault("unevaluatedItems", "this item has no place here".to_owned()),
                false => walk.walk(further, item),
            });
        }
    }
}

/// What the parts of a schema look at of one object or array, and what they speak of.
#[derive(Default)]
struct Seen<'s> {
    /// Of each member or item, in their order, whether a part that counts looks at it.
    parts: Vec<bool>,
    names: IndexSet<&'s str>,
    patterns: Vec<(&'s str, &'s Value)>,
}

impl<'s> Seen<'s> {
    /// Why a member that nothing looks at is refused.
    fn refused(&self, walk: &mut Walk<'s>, name: &str) -> String {
        let is_declared = self.names.contains(name)
            || self.patterns.iter().any(|(pattern, at)| walk.name_matches(pattern, at, name));
        if is_declared {
            return "not allowed beside the other properties: only an alternative that does not fit \
                    them declares it"
                .to_owned();
        }
        let patterns: Vec<&str> = self.patterns.iter().map(|(pattern, _)| *pattern).collect();
        let names: Vec<&str> = self.names.iter().copied().collect();
        keywords::unknown(name, &names, &patterns)
    }
}

/// `None` where it cannot be told what a part looks at.
fn look<'s>(
    walk: &mut Walk<'s>,
    schema: &'s Map<String, Value>,
    value: &Value,
    parts: usize,
) -> Option<Seen<'s>> {
    let before = std::mem::take(&mut walk.unsure);
    let mut seen = Seen { parts: vec![false; parts], ..Seen::default() };
    collect(walk, schema, value, &mut Look { seen: &mut seen, counts: true, outermost: true }, 0);
    let is_known = !walk.unsure && !walk.is_exhausted();
    walk.unsure |= before;
    is_known.then_some(seen)
}

struct Look<'a, 's> {
    seen: &'a mut Seen<'s>,
    /// Whether what is looked at counts; else names and patterns alone are wanted.
    counts: bool,
    /// Whether this is the schema that asks: its own `unevaluated...` is the question.
    outermost: bool,
}

fn collect<'s>(
    walk: &mut Walk<'s>,
    schema: &'s Map<String, Value>,
    value: &Value,
    look: &mut Look<'_, 's>,
    depth: usize,
) {
    // Every part is held against every member or item.
    if depth > DEPTH || !walk.spend(1 + look.seen.parts.len() / 16) {
        walk.unsure = true;
        return;
    }
    match value {
        Value::Object(members) => properties(walk, schema, members, look),
        Value::Array(items) => elements(walk, schema, items, look),
        _ => return,
    }
    let counts = look.counts;
    let mut part = |walk: &mut Walk<'s>, part: &'s Value, counts: bool| {
        if let Value::Object(part) = part {
            let mut look = Look { seen: look.seen, counts, outermost: false };
            collect(walk, part, value, &mut look, depth + 1);
        }
    };
    walk.unsure |= schema.contains_key("$dynamicRef");
    match walk.resolve(schema) {
        Some(target) => part(walk, target, counts),
        None => walk.unsure |= schema.contains_key("$ref"),
    }
    for branch in list(schema, "allOf") {
        part(walk, branch, counts);
    }
    for keyword in ["anyOf", "oneOf"] {
        let branches = list(schema, keyword);
        let fitting: Vec<Option<bool>> =
            branches.iter().map(|branch| walk.fits(branch, value)).collect();
        // Where none fits that is a fault of its own, and each may be the one that is meant.
        let all = !fitting.contains(&Some(true));
        for (branch, fits) in branches.iter().zip(fitting) {
            walk.unsure |= fits.is_none();
            part(walk, branch, counts && (all || fits == Some(true)));
        }
    }
    if let Some(condition) = schema.get("if") {
        let holds = walk.fits(condition, value);
        walk.unsure |= holds.is_none();
        part(walk, condition, counts && holds == Some(true));
        for (keyword, applies) in [("then", Some(true)), ("else", Some(false))] {
            if let Some(branch) = schema.get(keyword) {
                part(walk, branch, counts && holds == applies);
            }
        }
    }
    for (name, dependent) in map(schema, "dependentSchemas").into_iter().flatten() {
        part(walk, dependent, counts && value.get(name).is_some());
    }
}

fn properties<'s>(
    walk: &mut Walk<'s>,
    schema: &'s Map<String, Value>,
    members: &Map<String, Value>,
    look: &mut Look<'_, 's>,
) {
    let known = map(schema, "properties");
    let patterns = map(schema, "patternProperties");
    look.seen.names.extend(known.into_iter().flat_map(Map::keys).map(String::as_str));
    look.seen.patterns.extend(patterns.into_iter().flatten().map(|(name, at)| (name.as_str(), at)));
    if !look.counts {
        return;
    }
    let all = schema.contains_key("additionalProperties")
        || !look.outermost && schema.contains_key("unevaluatedProperties");
    for (position, name) in members.keys().enumerate() {
        let is_seen = all
            || known.is_some_and(|known| known.contains_key(name))
            || patterns
                .into_iter()
                .flatten()
                .any(|(pattern, at)| walk.name_matches(pattern, at, name));
        look.seen.parts[position] |= is_seen;
    }
}

fn elements<'s>(
    walk: &mut Walk<'s>,
    schema: &'s Map<String, Value>,
    items: &[Value],
    look: &mut Look<'_, 's>,
) {
    if !look.counts {
        return;
    }
    let all =
        schema.contains_key("items") || !look.outermost && schema.contains_key("unevaluatedItems");
    let prefix = list(schema, "prefixItems").len();
    let contains = schema.get("contains");
    for (position, item) in items.iter().enumerate() {
        let is_seen = all
            || position < prefix
            || contains.is_some_and(|contains| {
                let fits = walk.fits(contains, item);
                walk.unsure |= fits.is_none();
                fits == Some(true)
            });
        look.seen.parts[position] |= is_seen;
    }
}
