//! Every `x-rust-name` either names something or is told of in a note.

use super::{emit, object};
use crate::model::*;
use crate::{Side, reserved};
use serde_json::Value;
use std::collections::{BTreeMap, HashMap};
use toolcast_contract::subschemas;

const KEYWORD: &str = "x-rust-name";

/// The name a schema asks for, by the schema's pointer.
pub(super) struct Wish {
    side: Side,
    pub(super) pointer: String,
    name: Value,
}

/// The wishes of a document, in its own order, where `own` says that the document speaks for the schema. Only where a
/// schema may stand: data under `default` or `enum` is none.
pub(super) fn wishes(root: &Value, side: Side, own: impl Fn(&str) -> bool) -> Vec<Wish> {
    let mut wishes = Vec::new();
    let mut open = vec![(String::new(), root)];
    while let Some((pointer, schema)) = open.pop() {
        if let Some(name) = schema.get(KEYWORD)
            && own(&pointer)
        {
            wishes.push(Wish { side, pointer: pointer.clone(), name: name.clone() });
        }
        let first = open.len();
        subschemas(schema, &pointer, |_, pointer, schema| open.push((pointer, schema)));
        open[first..].reverse();
    }
    wishes
}

/// A note for each wish that no name of the module fulfils. Two schemas that ask for one name need two things of that
/// name: the first has it.
pub(super) fn unfulfilled(wishes: Vec<Wish>, items: &[RustItem]) -> Vec<Note> {
    let mut given = names(items);
    let mut seen: BTreeMap<String, String> = BTreeMap::new();
    let mut notes = Vec::new();
    for Wish { side, pointer, name } in wishes {
        let reason = match &name {
            Value::String(name) => match given.get_mut(name.as_str()) {
                Some(count) if *count > 0 => {
                    *count -= 1;
                    seen.insert(name.clone(), pointer);
                    continue;
                }
                _ => why(name, seen.get(name)),
            },
            _ => "it is no string".to_owned(),
        };
        let reason = format!("`{KEYWORD}` is not used: {reason}");
        notes.push(Note { side, pointer, about: About::Name, reason });
    }
    notes
}

fn why(name: &str, taken: Option<&String>) -> String {
    let shown: String = name.chars().take(60).filter(|c| !crate::docs::is_hidden(*c)).collect();
    if let Some(pointer) = taken {
        format!("`{pointer}` asks for `{shown}` too, and only one can have it")
    } else if reserved::is_type(name) {
        format!("generated code needs `{shown}` for itself")
    } else if emit::is_type_name(name) {
        format!("nothing here is a type or a variant that could be called `{shown}`")
    } else if object::snake_like(name) {
        format!("nothing here is a field that could be called `{shown}`")
    } else {
        format!(
            "`{shown}` is no name; write one like `SortOrder` for a type or variant, `sort_order` for a field"
        )
    }
}

/// How often each name stands in the module. `Input` and `Output` are nobody's wish.
fn names(items: &[RustItem]) -> HashMap<&str, usize> {
    let mut names: HashMap<&str, usize> = HashMap::new();
    let mut add = |name| *names.entry(name).or_default() += 1;
    for item in items {
        if !matches!(item.name.as_str(), "Input" | "Output") {
            add(item.name.as_str());
        }
        match &item.kind {
            ItemKind::Struct { fields, .. } => {
                fields.iter().for_each(|field| add(field.ident.trim_start_matches("r#")));
            }
            ItemKind::Literals(variants) => variants.iter().for_each(|one| add(&one.ident)),
            ItemKind::Union { variants, .. } => variants.iter().for_each(|one| add(&one.ident)),
            ItemKind::Alias(_) => {}
        }
    }
    names
}
