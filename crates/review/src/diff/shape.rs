//! What holds of one value at once: a conjunction of schemas taken apart into alternatives, each free of in-place
//! applicators. Alternatives are for building candidates; where a cap cuts them short, candidates are missed, nothing more.

use super::document::{Dependency, Document};
use serde_json::{Map, Value};

/// Keywords whose branches apply to the value itself.
pub(super) const KEYWORDS_OF_BRANCHES: &[&str] = &["anyOf", "oneOf", "allOf"];

/// How many references and applicators one value may pass through.
const HOPS: u32 = 64;

/// One way to satisfy a conjunction: schema objects that all hold, and schemas that must not.
#[derive(Clone, Default)]
pub(super) struct Shape<'a> {
    pub(super) parts: Vec<&'a Map<String, Value>>,
    pub(super) nots: Vec<&'a Value>,
}

struct Todo<'a> {
    schemas: Vec<&'a Value>,
    choices: Vec<Vec<Vec<&'a Value>>>,
    shape: Shape<'a>,
    hops: u32,
}

impl<'a> Document<'a> {
    /// The alternatives of a conjunction, at most `cap`.
    pub(super) fn shapes(self, conjunction: &[&'a Value], cap: usize) -> Vec<Shape<'a>> {
        self.alternatives(conjunction, cap).0
    }

    /// All alternatives of a conjunction: each value that it accepts fits one of them at least. `None` past `cap`.
    pub(super) fn all_shapes(
        self,
        conjunction: &[&'a Value],
        cap: usize,
    ) -> Option<Vec<Shape<'a>>> {
        let (found, whole) = self.alternatives(conjunction, cap);
        whole.then_some(found)
    }

    fn alternatives(self, conjunction: &[&'a Value], cap: usize) -> (Vec<Shape<'a>>, bool) {
        let mut whole = true;
        let mut found = Vec::new();
        let start = Todo {
            schemas: conjunction.iter().rev().copied().collect(),
            choices: Vec::new(),
            shape: Shape::default(),
            hops: HOPS,
        };
        let mut stack = vec![start];
        while let Some(mut todo) = stack.pop() {
            if found.len() >= cap {
                whole = false;
                break;
            }
            if !self.flatten(&mut todo) {
                continue;
            }
            let Some(options) = todo.choices.pop() else {
                found.push(todo.shape);
                continue;
            };
            // What is left of the cap bounds the stack as well: a wide union is not copied whole.
            let room = cap - found.len();
            whole &= options.len() <= room;
            for option in options.into_iter().take(room).rev() {
                stack.push(Todo {
                    schemas: option,
                    choices: todo.choices.clone(),
                    shape: todo.shape.clone(),
                    hops: todo.hops,
                });
            }
        }
        (found, whole)
    }

    /// Moves the plain keywords of all pending schemas into the shape; false where one of them accepts nothing.
    fn flatten(self, todo: &mut Todo<'a>) -> bool {
        while let Some(schema) = todo.schemas.pop() {
            let schema = match schema {
                Value::Bool(false) => return false,
                Value::Object(schema) => schema,
                _ => continue,
            };
            let Some(hops) = todo.hops.checked_sub(1) else { return true };
            todo.hops = hops;
            if let Some(reference) = self.reference(schema) {
                todo.schemas.extend(self.target(reference));
                if !self.reads_siblings() {
                    continue;
                }
            }
            todo.shape.parts.push(schema);
            todo.shape.nots.extend(schema.get("not"));
            if let Some(Value::Array(all)) = schema.get("allOf") {
                todo.schemas.extend(all);
            }
            for keyword in ["anyOf", "oneOf"] {
                if let Some(Value::Array(branches)) = schema.get(keyword) {
                    todo.choices.push(branches.iter().map(|branch| vec![branch]).collect());
                }
            }
            if let Some(condition) = schema.get("if") {
                let met = [Some(condition), schema.get("then")].into_iter().flatten().collect();
                let unmet = schema.get("else").into_iter().collect();
                todo.choices.push(vec![met, unmet]);
            }
            for (_, dependency) in self.dependencies(schema) {
                if let Dependency::Schema(demanded) = dependency {
                    todo.choices.push(vec![Vec::new(), vec![demanded]]);
                }
            }
        }
        true
    }

    /// Every schema object that speaks of the value itself, under whatever applicator: hints, not demands.
    pub(super) fn hints(self, schemas: &[&'a Value], cap: usize) -> Vec<&'a Map<String, Value>> {
        let mut found: Vec<&'a Map<String, Value>> = Vec::new();
        let mut seen = std::collections::HashSet::new();
        let mut todo: Vec<&'a Value> = schemas.iter().rev().copied().collect();
        while let Some(schema) = todo.pop() {
            let Value::Object(schema) = schema else { continue };
            if found.len() >= cap || !seen.insert(std::ptr::from_ref(schema)) {
                continue;
            }
            if let Some(reference) = self.reference(schema) {
                todo.extend(self.target(reference));
                if !self.reads_siblings() {
                    continue;
                }
            }
            found.push(schema);
            for keyword in KEYWORDS_OF_BRANCHES {
                if let Some(Value::Array(branches)) = schema.get(*keyword) {
                    todo.extend(branches.iter().rev());
                }
            }
            todo.extend(["not", "if", "then", "else"].iter().filter_map(|word| schema.get(*word)));
            for (_, dependency) in self.dependencies(schema) {
                if let Dependency::Schema(demanded) = dependency {
                    todo.push(demanded);
                }
            }
        }
        found
    }
}
