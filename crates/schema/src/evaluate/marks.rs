//! Which members or items of a value some part of a schema has looked at: what `unevaluatedProperties` and
//! `unevaluatedItems` ask for (2020-12, section 11). Noted only where one of them asks.

use serde_json::{Map, Value};

/// Whether something has been looked at.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Mark {
    No,
    Maybe,
    Yes,
}

/// A mark for each member or item, in their order.
#[derive(Clone, Debug)]
pub(super) struct Marks(Vec<Mark>);

impl Marks {
    /// Fresh marks, where a schema asks for them.
    pub fn wanted(schema: &Map<String, Value>, value: &Value) -> Option<Self> {
        match value {
            Value::Object(members) if schema.contains_key("unevaluatedProperties") => {
                Some(Self::none(members.len()))
            }
            Value::Array(items) if schema.contains_key("unevaluatedItems") => {
                Some(Self::none(items.len()))
            }
            _ => None,
        }
    }

    fn none(parts: usize) -> Self {
        Self(vec![Mark::No; parts])
    }

    /// Fresh marks for another part of the schema that looks at the same value.
    pub fn beside(&self) -> Self {
        Self::none(self.0.len())
    }

    pub fn len(&self) -> usize {
        self.0.len()
    }

    pub fn of(&self, position: usize) -> Mark {
        self.0.get(position).copied().unwrap_or(Mark::Maybe)
    }

    pub fn set(&mut self, position: usize, mark: Mark) {
        if let Some(known) = self.0.get_mut(position) {
            *known = mark.max(*known);
        }
    }

    pub fn all(&mut self, mark: Mark) {
        self.0.iter_mut().for_each(|known| *known = mark.max(*known));
    }

    /// Adds those of another part, as far as that part counts.
    pub fn add(&mut self, other: &Self, counts: Mark) {
        for (known, new) in self.0.iter_mut().zip(&other.0) {
            *known = (*new).min(counts).max(*known);
        }
    }

    /// Where the marks stop, if all marked ones come first.
    pub fn first(&self) -> Option<usize> {
        let first = self.0.iter().take_while(|mark| **mark == Mark::Yes).count();
        self.0[first..].iter().all(|mark| *mark == Mark::No).then_some(first)
    }
}
