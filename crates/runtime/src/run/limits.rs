//! The size cap: what is measured before anything else looks at a value. Measuring never recurses past the depth
//! limit, and a value that is too deep is taken apart without recursion.

use serde_json::Value;
use std::fmt;

/// How large the arguments of one call, and its result, may be.
///
/// Everything after the cap (validation, decoding, error texts) may rely on it: depth bounds recursion, bytes and nodes
/// bound time and memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// Bytes of the value as compact JSON text, estimated without writing it. Default: 16 MiB.
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
            Self::Bytes(limit) => write!(f, "larger than {limit} bytes of JSON"),
            Self::Depth(limit) => write!(f, "nested deeper than {limit} levels"),
            Self::Nodes(limit) => write!(f, "more than {limit} values"),
        }
    }
}

struct Measure {
    bytes: usize,
    nodes: usize,
    limits: Limits,
}

impl Measure {
    fn value(&mut self, value: &Value, depth: usize) -> Result<(), TooLarge> {
        self.nodes += 1;
        if self.nodes > self.limits.max_nodes {
            return Err(TooLarge::Nodes(self.limits.max_nodes));
        }
        self.bytes += 1 + match value {
            Value::Null | Value::Bool(_) => 4,
            // The longest number without its text; exact digits are not worth writing them.
            Value::Number(_) => 8,
            Value::String(text) => text.len() + 2,
            Value::Array(_) | Value::Object(_) => 1,
        };
        if self.bytes > self.limits.max_bytes {
            return Err(TooLarge::Bytes(self.limits.max_bytes));
        }
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
    let mut measure = Measure { bytes: 0, nodes: 0, limits: *limits };
    let measured = measure.value(value, 0);
    if measured.is_err() {
        dismantle(value.take());
    }
    measured
}

/// Estimated bytes of a value that is known to be within depth limits.
pub(crate) fn bytes(value: &Value) -> usize {
    let limits =
        Limits { max_bytes: usize::MAX, max_depth: Limits::DEEPEST, max_nodes: usize::MAX };
    let mut measure = Measure { bytes: 0, nodes: 0, limits };
    // Past the deepest level the estimate stops; `cap` refuses such a value before this is asked.
    let _ = measure.value(value, 0);
    measure.bytes
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
