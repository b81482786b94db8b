//! What a schema speaks of by name: the members of one object that it, or a part of it that looks at the same object,
//! declares. Whether a part applies is not asked.

use indexmap::IndexSet;
use serde_json::{Map, Value};
use toolcast_schema::evaluate::{Answer, Oracle, References, SingleDocument};
use toolcast_schema::keyword::{Subschemas, subschemas_of};

/// Schemas that are read at most.
const SCHEMAS: usize = 10_000;

/// The names and patterns that a schema declares.
#[derive(Default)]
pub(crate) struct Declared<'s> {
    pub names: IndexSet<&'s str>,
    pub patterns: IndexSet<&'s str>,
    pub required: IndexSet<&'s str>,
    /// Whether there may be more: a reference leads where this does not look, or there are too many schemas.
    pub is_partial: bool,
}

impl<'s> Declared<'s> {
    /// Reads a schema of a document.
    pub fn by(schema: &'s Map<String, Value>, document: &SingleDocument<'s>) -> Self {
        let mut declared = Self::default();
        let mut waiting = vec![schema];
        for _ in 0..SCHEMAS {
            let Some(schema) = waiting.pop() else { return declared };
            let keys = |keyword| {
                let entries = schema.get(keyword).and_then(Value::as_object);
                entries.into_iter().flat_map(|entries| entries.keys()).map(String::as_str)
            };
            declared.names.extend(keys("properties"));
            declared.patterns.extend(keys("patternProperties"));
            let required = schema.get("required").and_then(Value::as_array).into_iter().flatten();
            declared.required.extend(required.filter_map(Value::as_str));
            for keyword in ["$ref", "$dynamicRef"] {
                if let Some(reference) = schema.get(keyword) {
                    let target = reference.as_str().and_then(|to| document.follow(&(), to));
                    declared.is_partial |= target.is_none();
                    waiting.extend(target.and_then(|((), target)| target.as_object()));
                }
            }
            // Last in, first out: turned round, names come in the order in which they are written.
            let first = waiting.len();
            subschemas_of(schema, "", |row, _, part| {
                if row.subschemas == Subschemas::InPlace && row.name != "not" {
                    waiting.extend(part.as_object());
                }
            });
            waiting[first..].reverse();
        }
        declared.is_partial = true;
        declared
    }

    /// Whether a name is declared, by itself or by a pattern.
    pub fn has(&self, name: &str, patterns: &mut dyn Oracle) -> bool {
        self.names.contains(name)
            || self.patterns.iter().any(|pattern| patterns.pattern(pattern, name) != Answer::No)
    }
}
