//! Whether two subschemas are written alike and mean the same where they stand: each reference in them, and in what those
//! name, reads the same text in both documents.

use super::document::Document;
use serde_json::Value;
use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};

/// Subschemas of two documents, compared.
pub(super) struct Equality<'a> {
    old: Document<'a>,
    new: Document<'a>,
    stable: RefCell<BTreeMap<String, bool>>,
}

impl<'a> Equality<'a> {
    pub(super) fn new(old: Document<'a>, new: Document<'a>) -> Self {
        Self { old, new, stable: RefCell::default() }
    }

    pub(super) fn same(&self, old: &Value, new: &Value) -> bool {
        old == new && self.means_the_same(old)
    }

    /// Whether text that stands in both documents has one meaning.
    pub(super) fn means_the_same(&self, schema: &Value) -> bool {
        let mut references = BTreeSet::new();
        gather(schema, &mut references);
        references.into_iter().all(|reference| self.is_stable(reference))
    }

    fn is_stable(&self, reference: &str) -> bool {
        if let Some(known) = self.stable.borrow().get(reference) {
            return *known;
        }
        let stable = self.reads_alike(reference);
        self.stable.borrow_mut().insert(reference.to_owned(), stable);
        stable
    }

    fn reads_alike(&self, reference: &str) -> bool {
        let mut seen = BTreeSet::from([reference.to_owned()]);
        let mut todo = vec![reference.to_owned()];
        while let Some(reference) = todo.pop() {
            match (self.old.target(&reference), self.new.target(&reference)) {
                (Some(old), Some(new)) if old == new => {
                    let mut further = BTreeSet::new();
                    gather(old, &mut further);
                    for next in further {
                        if seen.insert(next.to_owned()) {
                            todo.push(next.to_owned());
                        }
                    }
                }
                _ => return false,
            }
        }
        true
    }
}

/// Every text that may be a reference; one inside a literal is gathered as well, and does no harm.
fn gather<'v>(schema: &'v Value, found: &mut BTreeSet<&'v str>) {
    match schema {
        Value::Object(members) => {
            for (name, value) in members {
                match value {
                    Value::String(text) if name.starts_with('$') && name.ends_with("ef") => {
                        found.insert(text);
                    }
                    value => gather(value, found),
                }
            }
        }
        Value::Array(items) => items.iter().for_each(|item| gather(item, found)),
        _ => {}
    }
}
