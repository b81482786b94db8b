//! Respells a document, without changing what it accepts, so that two versions can be compared: `unevaluated*` becomes
//! `additional*` where nothing else evaluates.
//!
//! Proofs and walks read the respelt document; validators are always given the one that was written.

use super::walk::each_child_mut;
use serde_json::Value;

/// The respelt document.
pub(super) fn prepare(document: &Value) -> Value {
    let mut document = document.clone();
    respell_unevaluated(&mut document);
    document
}

fn respell_unevaluated(schema: &mut Value) {
    let Value::Object(schema) = schema else { return };
    each_child_mut(schema, |_, child| respell_unevaluated(child));
    let applies = |keywords: &[&str]| keywords.iter().any(|keyword| schema.contains_key(*keyword));
    let branches =
        applies(&["$ref", "allOf", "anyOf", "oneOf", "if", "dependentSchemas", "$dynamicRef"]);
    if branches {
        return;
    }
    if !applies(&["additionalProperties"])
        && let Some(rest) = schema.shift_remove("unevaluatedProperties")
    {
        schema.insert("additionalProperties".into(), rest);
    }
    // `contains` evaluates what it matches.
    if !schema.contains_key("items")
        && !schema.contains_key("contains")
        && let Some(rest) = schema.shift_remove("unevaluatedItems")
    {
        schema.insert("items".into(), rest);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn unevaluated_is_respelt_only_where_nothing_else_evaluates() {
        let plain = json!({"properties": {"a": true}, "unevaluatedProperties": false});
        assert_eq!(
            prepare(&plain),
            json!({"properties": {"a": true}, "additionalProperties": false})
        );
        let unchanged =
            json!({"anyOf": [{"properties": {"a": true}}], "unevaluatedProperties": false});
        assert_eq!(prepare(&unchanged), unchanged);
        let unchanged = json!({"contains": true, "unevaluatedItems": false});
        assert_eq!(prepare(&unchanged), unchanged);
    }
}
