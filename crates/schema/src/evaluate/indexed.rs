//! References as an [`Index`] of files follows them.

use super::{Path, References, Step};
use crate::dialect::Dialect;
use crate::index::{Index, Location, Target};
use crate::pointer::join;
use serde_json::Value;

/// Where a schema stands in an index, and what it is written in.
#[derive(Clone, Debug)]
pub struct Indexed {
    location: Location,
    dialect: Dialect,
}

impl Indexed {
    /// The place of a schema.
    pub fn new(index: &Index, location: Location) -> Self {
        let dialect = index.resources[index.resource_of(&location)].dialect;
        Self { location, dialect }
    }
}

impl<'s> References<'s> for &'s Index {
    type Place = Indexed;

    fn dialect(&self, place: &Indexed) -> Dialect {
        place.dialect
    }

    fn below(&self, place: &Indexed, below: Path<'_>) -> Indexed {
        let start = place.location.pointer.clone();
        let pointer = below.steps().into_iter().fold(start, |pointer, step| match step {
            Step::Key(key) => join(&pointer, key),
            Step::Index(index) => format!("{pointer}/{index}"),
        });
        Indexed::new(self, Location { document: place.location.document, pointer })
    }

    fn follow(&self, from: &Indexed, reference: &str) -> Option<(Indexed, &'s Value)> {
        let target = Index::follow(self, &from.location, reference).ok()?;
        found(self, target)
    }

    fn follow_dynamic(&self, from: &Indexed, reference: &str) -> Option<(Indexed, &'s Value)> {
        let target = Index::follow(self, &from.location, reference).ok()?;
        // Where several resources declare the anchor, the way to the reference decides between them.
        match &target.dynamic {
            Some(name) if self.contested.contains(name) => None,
            _ => found(self, target),
        }
    }
}

fn found(index: &Index, target: Target) -> Option<(Indexed, &Value)> {
    let value = index.value(&target.location)?;
    Some((Indexed::new(index, target.location), value))
}
