//! Where references lead, as JSON pointers into one document. Chains are followed no further than 64 steps.

use super::Document;
use serde_json::Value;

impl Document<'_> {
    /// Where a reference leads, where it is a JSON pointer into this document.
    pub(crate) fn target(&self, from: &str, reference: &str) -> Option<String> {
        let fragment = reference.strip_prefix('#')?;
        if !fragment.is_empty() && !fragment.starts_with('/') {
            return None;
        }
        // Below a schema with an `$id` of its own, `#` is that schema and not the root.
        let mut end = 0;
        while let Some(next) = from[end..].find('/').map(|at| end + at) {
            let prefix = &from[..next];
            if !prefix.is_empty() && self.string_at(prefix, "$id").is_some() {
                return None;
            }
            end = next + 1;
        }
        if !from.is_empty() && self.string_at(from, "$id").is_some() {
            return None;
        }
        let pointer = percent_decode(fragment);
        self.at(&pointer).map(|_| pointer)
    }

    /// Follows a schema that is nothing but a reference, so that everyone who refers to a definition shares its type.
    pub(crate) fn resolve_alias(&self, pointer: String) -> String {
        let mut pointer = pointer;
        for _ in 0..64 {
            if let Some(inside) = self.aliases.and_then(|aliases| aliases.inside(&pointer)) {
                pointer = inside.clone();
                continue;
            }
            let Some(Value::Object(schema)) = self.at(&pointer) else { return pointer };
            let annotation = |key: &str| {
                matches!(
                    key,
                    "title"
                        | "description"
                        | "default"
                        | "examples"
                        | "deprecated"
                        | "readOnly"
                        | "writeOnly"
                        | "$comment"
                        | "$defs"
                        | "x-rust-name"
                )
            };
            let mut meant = schema.iter().filter(|(key, _)| !annotation(key));
            let (Some((key, value)), None) = (meant.next(), meant.next()) else { return pointer };
            let next = match (key.as_str(), value) {
                ("$ref", Value::String(reference)) => self.target(&pointer, reference),
                ("allOf", Value::Array(parts)) if parts.len() == 1 => {
                    Some(format!("{pointer}/allOf/0"))
                }
                ("anyOf" | "oneOf", Value::Array(parts)) if parts.len() == 1 => {
                    Some(format!("{pointer}/{key}/0"))
                }
                _ => None,
            };
            match next {
                Some(next) => pointer = next,
                None => return pointer,
            }
        }
        pointer
    }
}

/// A name as a segment of a JSON pointer.
pub(crate) fn escape(name: &str) -> String {
    name.replace('~', "~0").replace('/', "~1")
}

/// A segment of a JSON pointer as the name it stands for.
pub(crate) fn unescape(segment: &str) -> String {
    segment.replace("~1", "/").replace("~0", "~")
}

fn percent_decode(text: &str) -> String {
    let bytes = text.as_bytes();
    let mut decoded = Vec::with_capacity(bytes.len());
    let mut at = 0;
    while at < bytes.len() {
        let hex = |at: usize| bytes.get(at).and_then(|byte| char::from(*byte).to_digit(16));
        match (bytes[at], hex(at + 1), hex(at + 2)) {
            // Two hexadecimal digits are at most 255.
            (b'%', Some(high), Some(low)) => {
                decoded.push((high * 16 + low) as u8);
                at += 3;
            }
            (byte, _, _) => {
                decoded.push(byte);
                at += 1;
            }
        }
    }
    String::from_utf8_lossy(&decoded).into_owned()
}
