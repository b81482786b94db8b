//! The size cap: what is measured before anything else looks at a value. Measuring never recurses past the depth
//! limit, and a value that is too deep is taken apart without recursion.

use crate::Error;
use serde_json::Value;
use std::borrow::Cow;
use std::fmt;
use std::io;

/// How large the arguments of one call, and its result, may be. A result counts as a whole: its value, the text, pictures and
/// sounds beside it, and what is said of its artifacts. The text of an error is cut to the bytes.
///
/// Everything after the cap (validation, decoding, error texts) may rely on it: depth bounds recursion, bytes and nodes
/// bound time and memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// Bytes: of a value as compact JSON text, estimated without writing it; of all else as they are. Default: 16 MiB.
    pub max_bytes: usize,
    /// Levels of arrays and objects; never above [`Limits::DEEPEST`]. Default: 128.
    pub max_depth: usize,
    /// Values of all kinds, counting containers. Default: 1,000,000.
    pub max_nodes: usize,
}

impl Limits {
    /// The deepest `max_depth` that is honoured: validators and decoders recurse, and stacks end.
    pub const DEEPEST: usize = 256;
}

impl Default for Limits {
    fn default() -> Self {
        Self { max_bytes: 16 << 20, max_depth: 128, max_nodes: 1_000_000 }
    }
}

/// Which cap a value exceeds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum TooLarge {
    Bytes(usize),
    Depth(usize),
    Nodes(usize),
}

impl fmt::Display for TooLarge {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Bytes(limit) => write!(f, "larger than {limit} bytes"),
            Self::Depth(limit) => write!(f, "nested deeper than {limit} levels"),
            Self::Nodes(limit) => write!(f, "more than {limit} values"),
        }
    }
}

/// What has been measured so far of something that counts as one.
pub(crate) struct Measure {
    bytes: usize,
    nodes: usize,
    limits: Limits,
}

impl Measure {
    pub(crate) fn new(limits: &Limits) -> Self {
        Self { bytes: 0, nodes: 0, limits: *limits }
    }

    /// Something that is no JSON value and has so many bytes.
    pub(crate) fn node(&mut self, bytes: usize) -> Result<(), TooLarge> {
        self.nodes += 1;
        self.bytes = self.bytes.saturating_add(bytes);
        if self.nodes > self.limits.max_nodes {
            Err(TooLarge::Nodes(self.limits.max_nodes))
        } else if self.bytes > self.limits.max_bytes {
            Err(TooLarge::Bytes(self.limits.max_bytes))
        } else {
            Ok(())
        }
    }

    /// A value; one that does not fit is taken apart, without recursion, and `null` is left.
    pub(crate) fn cap(&mut self, value: &mut Value) -> Result<(), TooLarge> {
        let measured = self.value(value, 0);
        if measured.is_err() {
            dismantle(value.take());
        }
        measured
    }

    /// A member of an object, the name included.
    pub(crate) fn member(&mut self, name: &str, value: &Value) -> Result<(), TooLarge> {
        self.bytes = self.bytes.saturating_add(name.len() + 3);
        self.value(value, 1)
    }

    fn value(&mut self, value: &Value, depth: usize) -> Result<(), TooLarge> {
        self.node(
            1 + match value {
                Value::Null | Value::Bool(_) => 4,
                // The longest number without its text; exact digits are not worth writing them.
                Value::Number(_) => 8,
                Value::String(text) => text.len() + 2,
                Value::Array(_) | Value::Object(_) => 1,
            },
        )?;
        match value {
            Value::Array(items) => {
                let depth = self.deeper(depth)?;
                items.iter().try_for_each(|item| self.value(item, depth))
            }
            Value::Object(members) => {
                let depth = self.deeper(depth)?;
                members.iter().try_for_each(|(key, member)| {
                    self.bytes += key.len() + 3;
                    self.value(member, depth)
                })
            }
            _ => Ok(()),
        }
    }

    fn deeper(&self, depth: usize) -> Result<usize, TooLarge> {
        let limit = self.limits.max_depth.min(Limits::DEEPEST);
        if depth >= limit { Err(TooLarge::Depth(limit)) } else { Ok(depth + 1) }
    }
}

/// Leaves a value that is within the limits as it is; takes one apart, without recursion, that is not, and leaves `null`.
pub(crate) fn cap(value: &mut Value, limits: &Limits) -> Result<(), TooLarge> {
    Measure::new(limits).cap(value)
}

/// Whether a value is nested deeper than so many levels.
pub(crate) fn is_deeper(value: &Value, levels: usize) -> bool {
    // No level is left only where none is needed.
    let inner = |value: &Value| is_deeper(value, levels - 1);
    match value {
        Value::Array(items) => levels == 0 || items.iter().any(inner),
        Value::Object(members) => levels == 0 || members.values().any(inner),
        _ => false,
    }
}

/// Passes what serializes without going too deep. It is written nowhere: a value is built only of what ends in time.
pub(crate) fn serializes(value: &impl serde::Serialize) -> Result<(), Error> {
    let levels = Levels(Limits::DEEPEST);
    let mut serializer = serde_json::Serializer::with_formatter(io::sink(), levels);
    value.serialize(&mut serializer).map_err(|fault| {
        if fault.is_io() {
            let cap = TooLarge::Depth(Limits::DEEPEST);
            return Error::caused(format!("the result is {cap}; ask for less"), fault);
        }
        fault.into()
    })
}

/// Counts levels as they are written; nothing else about writing to nowhere can fail.
struct Levels(usize);

impl Levels {
    fn enter(&mut self) -> io::Result<()> {
        self.0 = self.0.checked_sub(1).ok_or(io::ErrorKind::FileTooLarge)?;
        Ok(())
    }

    fn leave(&mut self) -> io::Result<()> {
        self.0 += 1;
        Ok(())
    }
}

impl serde_json::ser::Formatter for Levels {
    fn begin_array<W: ?Sized + io::Write>(&mut self, _: &mut W) -> io::Result<()> {
        self.enter()
    }

    fn end_array<W: ?Sized + io::Write>(&mut self, _: &mut W) -> io::Result<()> {
        self.leave()
    }

    fn begin_object<W: ?Sized + io::Write>(&mut self, _: &mut W) -> io::Result<()> {
        self.enter()
    }

    fn end_object<W: ?Sized + io::Write>(&mut self, _: &mut W) -> io::Result<()> {
        self.leave()
    }
}

/// Whether a value is nested deeper than any part of this crate recurses; one that is, is taken apart.
pub(crate) fn is_too_deep(value: &mut Value) -> bool {
    let limits =
        Limits { max_bytes: usize::MAX, max_depth: Limits::DEEPEST, max_nodes: usize::MAX };
    cap(value, &limits).is_err()
}

/// The longest start of a text that has at most so many bytes.
pub(crate) fn cut(text: &str, bytes: usize) -> &str {
    &text[..text.floor_char_boundary(bytes)]
}

/// A text of at most so many bytes, which says how much of it is left out.
pub(crate) fn bounded(text: &str, bytes: usize) -> Cow<'_, str> {
    if text.len() <= bytes {
        return Cow::Borrowed(text);
    }
    let note = format!("... ({} bytes in all, cut)", text.len());
    match bytes.checked_sub(note.len()) {
        Some(room) => Cow::Owned(format!("{}{note}", cut(text, room))),
        None => Cow::Borrowed(cut(text, bytes)),
    }
}

/// Drops a value of any depth: dropping a deep `Value` as it is recurses once a level and overflows the stack.
fn dismantle(value: Value) {
    let mut rest = vec![value];
    while let Some(value) = rest.pop() {
        match value {
            Value::Array(items) => rest.extend(items),
            Value::Object(members) => rest.extend(members.into_iter().map(|(_, member)| member)),
            _ => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn nested(levels: usize) -> Value {
        (0..levels).fold(Value::Null, |inner, _| Value::Array(vec![inner]))
    }

    #[test]
    fn ten_thousand_levels_are_refused_and_dropped_on_a_small_stack() {
        let small = std::thread::Builder::new().stack_size(256 << 10);
        let refused = small.spawn(|| cap(&mut nested(10_000), &Limits::default()).unwrap_err());
        assert_eq!(refused.unwrap().join().unwrap(), TooLarge::Depth(128));
    }

    #[test]
    fn the_limits_are_inclusive() {
        let limits = Limits { max_depth: 3, max_nodes: 4, ..Limits::default() };
        assert!(cap(&mut nested(3), &limits).is_ok());
        assert_eq!(cap(&mut nested(4), &limits), Err(TooLarge::Depth(3)));
        assert_eq!(cap(&mut json!([1, 2, 3, 4]), &limits), Err(TooLarge::Nodes(4)));
        let limits = Limits { max_bytes: 10, ..Limits::default() };
        assert_eq!(cap(&mut json!("0123456789"), &limits), Err(TooLarge::Bytes(10)));
    }
}
