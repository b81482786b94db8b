//! One schema document as the walks read it: references resolved, spellings of all drafts under one name.
//!
//! Nothing here decides anything about acceptance; an unresolvable reference is `None`, and callers then know nothing.

use jsonschema::Draft;
use serde_json::{Map, Value};

/// A schema document and the draft that it is read under.
#[derive(Clone, Copy)]
pub(super) struct Document<'a> {
    pub(super) root: &'a Value,
    pub(super) draft: Draft,
}

/// The keywords that apply to the elements of an array.
pub(super) struct Items<'a> {
    pub(super) prefix: &'a [Value],
    pub(super) rest: Option<&'a Value>,
}

/// What a member demands of its object when it is there.
pub(super) enum Dependency<'a> {
    Names(Vec<&'a str>),
    Schema(&'a Value),
}

impl<'a> Document<'a> {
    /// Whether keywords beside `$ref` count (2019-09 and later).
    pub(super) fn reads_siblings(self) -> bool {
        !matches!(self.draft, Draft::Draft4 | Draft::Draft6 | Draft::Draft7)
    }

    /// Whether `5.0` is no integer.
    pub(super) fn strict_integers(self) -> bool {
        self.draft == Draft::Draft4
    }

    /// The schema that a reference names: `#` and JSON pointers into this document, nothing else.
    pub(super) fn target(self, reference: &str) -> Option<&'a Value> {
        let pointer = reference.strip_prefix('#')?;
        if !pointer.is_empty() && !pointer.starts_with('/') {
            return None;
        }
        self.root.pointer(&percent_decoded(pointer)?)
    }

    /// The reference of a schema object, where it has one that this draft reads.
    pub(super) fn reference(self, schema: &'a Map<String, Value>) -> Option<&'a str> {
        schema.get("$ref").and_then(Value::as_str)
    }

    pub(super) fn items(self, schema: &'a Map<String, Value>) -> Items<'a> {
        if self.draft == Draft::Draft202012 || self.draft == Draft::Unknown {
            let prefix = schema.get("prefixItems").and_then(Value::as_array);
            return Items { prefix: prefix.map_or(&[], Vec::as_slice), rest: schema.get("items") };
        }
        match schema.get("items") {
            Some(Value::Array(prefix)) => Items { prefix, rest: schema.get("additionalItems") },
            rest => Items { prefix: &[], rest },
        }
    }

    /// `dependentRequired`, `dependentSchemas` and the older `dependencies`.
    pub(super) fn dependencies(
        self,
        schema: &'a Map<String, Value>,
    ) -> Vec<(&'a str, Dependency<'a>)> {
        let mut found = Vec::new();
        for keyword in ["dependentRequired", "dependentSchemas", "dependencies"] {
            let Some(Value::Object(entries)) = schema.get(keyword) else { continue };
            for (name, entry) in entries {
                let dependency = match entry {
                    Value::Array(names) => {
                        Dependency::Names(names.iter().filter_map(Value::as_str).collect())
                    }
                    other => Dependency::Schema(other),
                };
                found.push((name.as_str(), dependency));
            }
        }
        found
    }
}

pub(super) fn percent_decoded(pointer: &str) -> Option<String> {
    if !pointer.contains('%') {
        return Some(pointer.to_owned());
    }
    let bytes = pointer.as_bytes();
    let mut decoded = Vec::with_capacity(bytes.len());
    let mut at = 0;
    while at < bytes.len() {
        if bytes[at] == b'%' {
            let digits = bytes.get(at + 1..at + 3)?;
            decoded.push(u8::from_str_radix(std::str::from_utf8(digits).ok()?, 16).ok()?);
            at += 3;
        } else {
            decoded.push(bytes[at]);
            at += 1;
        }
    }
    String::from_utf8(decoded).ok()
}

/// The length that a keyword asks for.
pub(super) fn length(schema: &Map<String, Value>, keyword: &str) -> Option<usize> {
    let value = schema.get(keyword)?;
    if let Some(value) = value.as_u64() {
        return usize::try_from(value).ok();
    }
    // `2.0` is a length too.
    let float = value.as_f64().filter(|f| f.fract() == 0.0 && (0.0..1e15).contains(f))?;
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "checked above")]
    Some(float as usize)
}

/// The strings of an array keyword.
pub(super) fn names<'a>(schema: &'a Map<String, Value>, keyword: &str) -> Vec<&'a str> {
    let list = schema.get(keyword).and_then(Value::as_array);
    list.map_or_else(Vec::new, |list| list.iter().filter_map(Value::as_str).collect())
}

/// The entries of an object keyword.
pub(super) fn entries<'a>(
    schema: &'a Map<String, Value>,
    keyword: &str,
) -> impl Iterator<Item = (&'a String, &'a Value)> {
    schema.get(keyword).and_then(Value::as_object).into_iter().flatten()
}
