//! Two schemas side by side: the places that both have, with the path that a person would write (`filter.tags[]`).

use serde_json::{Map, Value};
use std::collections::HashSet;

/// Places looked at in one schema.
const PLACES: usize = 20_000;
const DEPTH: usize = 64;

/// One place that both versions have.
pub(super) struct Field<'a> {
    pub(super) path: String,
    /// The JSON pointer in the new schema.
    pub(super) pointer: String,
    pub(super) old: &'a Map<String, Value>,
    pub(super) new: &'a Map<String, Value>,
}

struct Walk<'a> {
    roots: (&'a Value, &'a Value),
    seen: HashSet<(usize, usize)>,
    found: Vec<Field<'a>>,
}

/// The fields that both schemas have, outermost first. References are followed; a pair of definitions is shown once.
pub(super) fn fields<'a>(old: &'a Value, new: &'a Value) -> Vec<Field<'a>> {
    let mut walk = Walk { roots: (old, new), seen: HashSet::new(), found: Vec::new() };
    walk.visit(old, new, String::new(), String::new(), DEPTH);
    walk.found
}

impl<'a> Walk<'a> {
    fn visit(
        &mut self,
        old: &'a Value,
        new: &'a Value,
        path: String,
        pointer: String,
        depth: usize,
    ) {
        let (Value::Object(old), Value::Object(new)) = (old, new) else { return };
        let pair = (std::ptr::from_ref(old) as usize, std::ptr::from_ref(new) as usize);
        if depth == 0 || self.found.len() >= PLACES || !self.seen.insert(pair) {
            return;
        }
        self.found.push(Field { path: path.clone(), pointer: pointer.clone(), old, new });
        let depth = depth - 1;
        let reference = |schema: &'a Map<String, Value>| schema.get("$ref").and_then(Value::as_str);
        if let (Some(from), Some(to)) = (reference(old), reference(new)) {
            let target = |root: &'a Value, reference: &str| {
                reference.strip_prefix('#').and_then(|pointer| root.pointer(pointer))
            };
            if let (Some(from), Some(at)) = (target(self.roots.0, from), target(self.roots.1, to)) {
                self.visit(from, at, path.clone(), to[1..].to_owned(), depth);
            }
        }
        for keyword in ["properties", "patternProperties"] {
            let all = |schema: &'a Map<String, Value>| schema.get(keyword)?.as_object();
            let (Some(before), Some(after)) = (all(old), all(new)) else { continue };
            for (name, after) in after {
                if let Some(before) = before.get(name) {
                    let inner =
                        if path.is_empty() { name.clone() } else { format!("{path}.{name}") };
                    let at = format!("{pointer}/{keyword}/{}", escaped(name));
                    self.visit(before, after, inner, at, depth);
                }
            }
        }
        for keyword in ["items", "additionalProperties"] {
            if let (Some(before), Some(after)) = (old.get(keyword), new.get(keyword)) {
                let mark = if keyword == "items" { "[]" } else { ".*" };
                let at = format!("{pointer}/{keyword}");
                self.visit(before, after, format!("{path}{mark}"), at, depth);
            }
        }
        for keyword in ["anyOf", "oneOf", "allOf", "prefixItems"] {
            let all = |schema: &'a Map<String, Value>| schema.get(keyword)?.as_array();
            let (Some(before), Some(after)) = (all(old), all(new)) else { continue };
            for (index, (before, after)) in before.iter().zip(after).enumerate() {
                let at = format!("{pointer}/{keyword}/{index}");
                self.visit(before, after, path.clone(), at, depth);
            }
        }
    }
}

/// A member's name as a part of a JSON pointer.
pub(super) fn escaped(name: &str) -> String {
    name.replace('~', "~0").replace('/', "~1")
}
