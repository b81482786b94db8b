//! What was edited between two schemas, edit by edit: each can be tried alone, so that one break does not hide the next.
//!
//! Pure JSON: what an edit means is asked of `diff`, never guessed here.

use super::fields::escaped;
use serde_json::{Map, Value};

/// Levels looked into.
const DEPTH: usize = 64;
/// Edits told of one schema; one with more is another schema.
const MOST: usize = 400;

/// One edit.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Edit {
    /// The schema that was edited, as a pointer that both sides have.
    pub(super) node: String,
    /// What was edited there.
    pub(super) what: What,
    /// How a person calls the schema: `filter.tags[]`, empty for the whole.
    pub(super) path: String,
}

/// What was edited.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum What {
    /// The schema itself, from or to something that is no object.
    Whole(Value),
    /// A keyword, to this value.
    Keyword { name: String, old: Option<Value>, new: Option<Value> },
    /// A member of `properties`, `patternProperties` or the like that came or went.
    Member { keyword: String, name: String, new: Option<Value> },
    /// A name that is required now.
    Required { name: String, at: usize },
    /// A name that no longer is.
    Optional { name: String },
}

impl Edit {
    /// Where the edit is, as a JSON pointer.
    pub(super) fn pointer(&self) -> String {
        let node = &self.node;
        match &self.what {
            What::Whole(_) => node.clone(),
            What::Keyword { name, .. } => format!("{node}/{}", escaped(name)),
            What::Member { keyword, name, .. } => format!("{node}/{keyword}/{}", escaped(name)),
            What::Required { at, .. } => format!("{node}/required/{at}"),
            What::Optional { .. } => format!("{node}/required"),
        }
    }

    /// Makes the edit in a schema; nothing where it has no such place.
    pub(super) fn make(&self, schema: &mut Value) {
        let Some(node) = schema.pointer_mut(&self.node) else { return };
        if let What::Whole(new) = &self.what {
            *node = new.clone();
            return;
        }
        let Value::Object(node) = node else { return };
        match &self.what {
            What::Whole(_) => {}
            What::Keyword { name, new, .. } => set(node, name, new.clone()),
            What::Member { keyword, name, new } => {
                let members =
                    node.entry(keyword.as_str()).or_insert_with(|| Value::Object(Map::new()));
                if let Value::Object(members) = members {
                    set(members, name, new.clone());
                }
            }
            What::Required { name, .. } => {
                let names = node.entry("required").or_insert_with(|| Value::Array(Vec::new()));
                if let Value::Array(names) = names {
                    names.push(name.as_str().into());
                }
            }
            What::Optional { name } => {
                if let Some(Value::Array(names)) = node.get_mut("required") {
                    names.retain(|known| known != name);
                }
            }
        }
    }

    /// The name that a person knows the edited member by.
    pub(super) fn member(&self) -> Option<String> {
        match &self.what {
            What::Member { name, .. } | What::Required { name, .. } | What::Optional { name } => {
                Some(joined(&self.path, name))
            }
            _ => None,
        }
    }
}

fn set(members: &mut Map<String, Value>, name: &str, value: Option<Value>) {
    match value {
        Some(value) => drop(members.insert(name.to_owned(), value)),
        None => drop(members.shift_remove(name)),
    }
}

/// The name of a member, with where it stands.
pub(super) fn joined(path: &str, name: &str) -> String {
    if path.is_empty() { name.to_owned() } else { format!("{path}.{name}") }
}

/// Every edit from one schema to the other; `None` where there are too many.
pub(super) fn edits(old: &Value, new: &Value) -> Option<Vec<Edit>> {
    let mut found = Found(Vec::new());
    found.schema(old, new, Place { node: String::new(), path: String::new() }, DEPTH);
    (found.0.len() <= MOST).then_some(found.0)
}

/// The old schema with the definitions that only the new one has: edits may refer to them.
pub(super) fn with_definitions(old: &Value, new: &Value) -> Value {
    let mut both = old.clone();
    if let Value::Object(both) = &mut both {
        for keyword in ["$defs", "definitions"] {
            let Some(Value::Object(later)) = new.get(keyword) else { continue };
            let known = both.entry(keyword).or_insert_with(|| Value::Object(Map::new()));
            if let Value::Object(known) = known {
                for (name, schema) in later {
                    known.entry(name.as_str()).or_insert_with(|| schema.clone());
                }
            }
        }
    }
    both
}

#[derive(Clone)]
struct Place {
    node: String,
    path: String,
}

impl Place {
    fn keyword(&self, keyword: &str) -> Self {
        let mark = match keyword {
            "items" | "contains" | "unevaluatedItems" => "[]",
            "additionalProperties" | "unevaluatedProperties" => ".*",
            _ => "",
        };
        Self { node: format!("{}/{keyword}", self.node), path: format!("{}{mark}", self.path) }
    }

    fn member(&self, keyword: &str, name: &str) -> Self {
        let path = match keyword {
            "$defs" | "definitions" => name.to_owned(),
            "dependentSchemas" => self.path.clone(),
            _ => joined(&self.path, name),
        };
        Self { node: format!("{}/{keyword}/{}", self.node, escaped(name)), path }
    }

    fn index(&self, keyword: &str, index: usize) -> Self {
        Self { node: format!("{}/{keyword}/{index}", self.node), path: self.path.clone() }
    }
}

struct Found(Vec<Edit>);

impl Found {
    fn push(&mut self, place: &Place, what: What) {
        if self.0.len() <= MOST {
            self.0.push(Edit { node: place.node.clone(), what, path: place.path.clone() });
        }
    }

    fn schema(&mut self, old: &Value, new: &Value, place: Place, depth: usize) {
        if old == new {
            return;
        }
        let (Value::Object(before), Value::Object(after)) = (old, new) else {
            return self.push(&place, What::Whole(new.clone()));
        };
        if depth == 0 {
            return self.push(&place, What::Whole(new.clone()));
        }
        let mut keywords: Vec<&String> = before.keys().collect();
        keywords.extend(after.keys().filter(|keyword| !before.contains_key(*keyword)));
        for keyword in keywords {
            let (old, new) = (before.get(keyword), after.get(keyword));
            if old != new {
                self.keyword(keyword, old, new, &place, depth - 1);
            }
        }
    }

    fn keyword(
        &mut self,
        keyword: &str,
        old: Option<&Value>,
        new: Option<&Value>,
        place: &Place,
        depth: usize,
    ) {
        let empty = Map::new();
        let members = |side: Option<&'_ Value>| -> Option<Map<String, Value>> {
            match side {
                None => Some(empty.clone()),
                Some(Value::Object(members)) => Some(members.clone()),
                Some(_) => None,
            }
        };
        match keyword {
            "properties" | "patternProperties" | "dependentSchemas" | "$defs" | "definitions" => {
                if let (Some(old), Some(new)) = (members(old), members(new)) {
                    return self.members(keyword, &old, &new, place, depth);
                }
            }
            "required" => {
                let names = |side: Option<&Value>| match side {
                    None => Some(Vec::new()),
                    Some(Value::Array(names)) => Some(names.clone()),
                    Some(_) => None,
                };
                if let (Some(old), Some(new)) = (names(old), names(new)) {
                    return self.required(&old, &new, place);
                }
            }
            "items"
            | "additionalProperties"
            | "contains"
            | "propertyNames"
            | "unevaluatedProperties"
            | "unevaluatedItems" => {
                if let (Some(old @ Value::Object(_)), Some(new @ Value::Object(_))) = (old, new) {
                    return self.schema(old, new, place.keyword(keyword), depth);
                }
            }
            "anyOf" | "oneOf" | "allOf" | "prefixItems" => {
                if let (Some(Value::Array(old)), Some(Value::Array(new))) = (old, new)
                    && old.len() == new.len()
                {
                    for (index, (old, new)) in old.iter().zip(new).enumerate() {
                        self.schema(old, new, place.index(keyword, index), depth);
                    }
                    return;
                }
            }
            _ => {}
        }
        let (old, new) = (old.cloned(), new.cloned());
        self.push(place, What::Keyword { name: keyword.to_owned(), old, new });
    }

    fn members(
        &mut self,
        keyword: &str,
        old: &Map<String, Value>,
        new: &Map<String, Value>,
        place: &Place,
        depth: usize,
    ) {
        for (name, before) in old {
            match new.get(name) {
                Some(after) => self.schema(before, after, place.member(keyword, name), depth),
                // A definition that nothing has says nothing.
                None if ["$defs", "definitions"].contains(&keyword) => {}
                None => {
                    let (keyword, name) = (keyword.to_owned(), name.clone());
                    self.push(place, What::Member { keyword, name, new: None });
                }
            }
        }
        for (name, after) in new {
            if !old.contains_key(name) && !["$defs", "definitions"].contains(&keyword) {
                let (keyword, name) = (keyword.to_owned(), name.clone());
                self.push(place, What::Member { keyword, name, new: Some(after.clone()) });
            }
        }
    }

    fn required(&mut self, old: &[Value], new: &[Value], place: &Place) {
        for (at, name) in new.iter().enumerate() {
            if let (false, Value::String(name)) = (old.contains(name), name) {
                self.push(place, What::Required { name: name.clone(), at });
            }
        }
        for name in old {
            if let (false, Value::String(name)) = (new.contains(name), name) {
                self.push(place, What::Optional { name: name.clone() });
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn all_edits_together_are_the_new_schema() {
        let old = json!({
            "type": "object",
            "properties": { "a": { "type": "string", "maxLength": 9 }, "b": true, "c": { "items": { "type": "string" } } },
            "required": ["a"],
            "anyOf": [{ "minProperties": 1 }, { "maxProperties": 3 }],
            "$defs": { "X": { "minimum": 1 } }
        });
        let new = json!({
            "type": "object",
            "properties": { "a": { "type": "string", "maxLength": 5 }, "c": { "items": { "type": "integer" } }, "d": false },
            "required": ["d"],
            "anyOf": [{ "minProperties": 2 }, { "maxProperties": 3 }],
            "$defs": { "X": { "minimum": 2 }, "Y": true },
            "title": "New"
        });
        let edits = edits(&old, &new).expect("few edits");
        let mut both = with_definitions(&old, &new);
        for edit in &edits {
            edit.make(&mut both);
        }
        assert_eq!(both, new);
        let pointers: Vec<String> = edits.iter().map(Edit::pointer).collect();
        assert_eq!(
            pointers,
            [
                "/properties/a/maxLength",
                "/properties/b",
                "/properties/c/items/type",
                "/properties/d",
                "/required/0",
                "/required",
                "/anyOf/0/minProperties",
                "/$defs/X/minimum",
                "/title"
            ]
        );
        assert_eq!(edits[2].path, "c[]");
    }
}
