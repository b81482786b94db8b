//! References of a schema that stands alone, as bundles and the schemas of dynamic tools do. Where a part of it has a URI
//! of its own no reference is followed: what it leads to depends on more than this knows.

use super::{Path, References};
use crate::dialect::Dialect;
use crate::keyword::subschemas;
use crate::uri;
use serde_json::Value;
use std::collections::HashMap;

/// A schema and its parts.
#[derive(Debug)]
pub struct SingleDocument<'s> {
    root: &'s Value,
    dialect: Dialect,
    id: Option<&'s str>,
    /// Schemas by anchor; `None` where several have one.
    anchors: HashMap<&'s str, Option<&'s Value>>,
    has_parts_with_uris: bool,
}

impl<'s> SingleDocument<'s> {
    /// Reads the anchors of a schema.
    pub fn new(root: &'s Value, dialect: Dialect) -> Self {
        let id = root.get("$id").and_then(Value::as_str);
        let anchors = HashMap::new();
        let mut document = Self { root, dialect, id, anchors, has_parts_with_uris: false };
        let mut waiting = vec![root];
        while let Some(schema) = waiting.pop() {
            document.has_parts_with_uris |=
                !std::ptr::eq(schema, root) && schema.get("$id").is_some();
            for keyword in ["$anchor", "$dynamicAnchor"] {
                if let Some(name) = schema.get(keyword).and_then(Value::as_str) {
                    let known = document.anchors.entry(name);
                    known.and_modify(|first| *first = None).or_insert(Some(schema));
                }
            }
            subschemas(schema, "", |_, _, schema| waiting.push(schema));
        }
        document
    }
}

impl<'s> References<'s> for SingleDocument<'s> {
    type Place = ();

    fn dialect(&self, (): &()) -> Dialect {
        self.dialect
    }

    fn below(&self, (): &(), _: Path<'_>) {}

    fn follow(&self, (): &(), reference: &str) -> Option<((), &'s Value)> {
        if self.has_parts_with_uris {
            return None;
        }
        let (document, fragment) = reference.split_once('#').unwrap_or((reference, ""));
        let is_own = document.is_empty()
            || self.id.is_some_and(|id| id.split_once('#').map_or(id, |(id, _)| id) == document);
        if !is_own {
            return None;
        }
        let fragment = uri::decode(fragment)?;
        let target = if fragment.is_empty() || fragment.starts_with('/') {
            self.root.pointer(&fragment)?
        } else {
            (*self.anchors.get(fragment.as_str())?)?
        };
        Some(((), target))
    }

    fn follow_dynamic(&self, place: &(), reference: &str) -> Option<((), &'s Value)> {
        // With one resource, what the reference leads to first is what it leads to last.
        self.follow(place, reference)
    }
}
