//! Which keywords each draft reads, and where they hold subschemas. What a draft does not read is a remark: an argument
//! from it would be an argument from a comment.

use jsonschema::Draft;
use serde_json::Value;

/// Keywords that assert or apply, with the first draft that reads them.
const READ: &[(&str, u8)] = &[
    ("$ref", 4),
    ("$recursiveRef", 8),
    ("$dynamicRef", 9),
    ("additionalItems", 4),
    ("additionalProperties", 4),
    ("allOf", 4),
    ("anyOf", 4),
    ("const", 6),
    ("contains", 6),
    ("contentEncoding", 6),
    ("contentMediaType", 6),
    ("dependencies", 4),
    ("dependentRequired", 8),
    ("dependentSchemas", 8),
    ("else", 7),
    ("enum", 4),
    ("exclusiveMaximum", 4),
    ("exclusiveMinimum", 4),
    ("format", 4),
    ("if", 7),
    ("items", 4),
    ("maxContains", 8),
    ("maxItems", 4),
    ("maxLength", 4),
    ("maxProperties", 4),
    ("maximum", 4),
    ("minContains", 8),
    ("minItems", 4),
    ("minLength", 4),
    ("minProperties", 4),
    ("minimum", 4),
    ("multipleOf", 4),
    ("not", 4),
    ("oneOf", 4),
    ("pattern", 4),
    ("patternProperties", 4),
    ("prefixItems", 9),
    ("properties", 4),
    ("propertyNames", 6),
    ("required", 4),
    ("then", 7),
    ("type", 4),
    ("unevaluatedItems", 8),
    ("unevaluatedProperties", 8),
    ("uniqueItems", 4),
];

/// Whether a keyword says anything under a draft.
pub(super) fn is_read(draft: Draft, keyword: &str) -> bool {
    let number = match draft {
        Draft::Draft4 => 4,
        Draft::Draft6 => 6,
        Draft::Draft7 => 7,
        Draft::Draft201909 => 8,
        _ => 9,
    };
    // What came to be remarks: the array form of `items`, references by recursion, contents.
    let gone = match keyword {
        "additionalItems" | "$recursiveRef" => number > 8,
        "contentEncoding" | "contentMediaType" => number > 7,
        _ => false,
    };
    !gone && READ.iter().any(|(name, since)| *name == keyword && *since <= number)
}

/// How a keyword's value holds subschemas.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Holds {
    /// It is a schema.
    One,
    /// It is a list of schemas.
    List,
    /// It is an object of schemas by name (`dependencies` has lists of names among them).
    Named,
    /// It is a literal.
    Nothing,
}

/// Where the subschemas of a keyword are.
pub(super) fn subschemas(keyword: &str, value: &Value) -> Holds {
    match keyword {
        "allOf" | "anyOf" | "oneOf" | "prefixItems" => Holds::List,
        "items" if value.is_array() => Holds::List,
        "properties" | "patternProperties" | "dependentSchemas" | "dependencies" => Holds::Named,
        "items"
        | "additionalItems"
        | "unevaluatedItems"
        | "contains"
        | "additionalProperties"
        | "unevaluatedProperties"
        | "propertyNames"
        | "not"
        | "if"
        | "then"
        | "else" => Holds::One,
        _ => Holds::Nothing,
    }
}
