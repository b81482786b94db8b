//! The vocabulary of contracts: what random bytes would take years to spell.

use crate::random::Random;
use serde_json::{Map, Value};

/// Keywords, each with a value that it takes or nearly takes.
const KEYWORDS: &[&str] = &[
    r##"{"$schema":"https://json-schema.org/draft/2020-12/schema"}"##,
    r##"{"$schema":"http://json-schema.org/draft-07/schema#"}"##,
    r##"{"$id":"urn:x:a"}"##,
    r##"{"$id":"item"}"##,
    r##"{"$id":"#foo"}"##,
    r##"{"$ref":"#"}"##,
    r##"{"$ref":"#/$defs/A"}"##,
    r##"{"$ref":"#a"}"##,
    r##"{"$ref":"defs/shared.json"}"##,
    r##"{"$ref":"defs/shared.json#/$defs/A"}"##,
    r##"{"$ref":"urn:x:a#/$defs/A"}"##,
    r##"{"$ref":"https://json-schema.org/draft/2020-12/schema"}"##,
    r##"{"$anchor":"a"}"##,
    r##"{"$dynamicRef":"#node"}"##,
    r##"{"$dynamicAnchor":"node"}"##,
    r##"{"$recursiveRef":"#"}"##,
    r##"{"$recursiveAnchor":true}"##,
    r##"{"$comment":"c"}"##,
    r##"{"$defs":{"A":{"type":"object","properties":{"next":{"$ref":"#/$defs/A"}}}}}"##,
    r##"{"$defs":{"A":{"anyOf":[{"$ref":"#/$defs/B"},{"type":"null"}]},"B":{"type":"string"}}}"##,
    r##"{"definitions":{"A":{}}}"##,
    r##"{"type":"object"}"##,
    r##"{"type":"array"}"##,
    r##"{"type":"string"}"##,
    r##"{"type":"integer"}"##,
    r##"{"type":"number"}"##,
    r##"{"type":"boolean"}"##,
    r##"{"type":"null"}"##,
    r##"{"type":["string","null"]}"##,
    r##"{"type":["integer","string","array"]}"##,
    r##"{"enum":["open","waiting_on_customer","closed"]}"##,
    r##"{"enum":[1,1.0,"1",null,true,{"a":1},[1]]}"##,
    r##"{"const":"circle"}"##,
    r##"{"const":1}"##,
    r##"{"const":null}"##,
    r##"{"const":{"a":[1.0,2]}}"##,
    r##"{"multipleOf":0.01}"##,
    r##"{"multipleOf":3}"##,
    r##"{"multipleOf":5e-324}"##,
    r##"{"maximum":9223372036854775808}"##,
    r##"{"exclusiveMaximum":1e308}"##,
    r##"{"minimum":0}"##,
    r##"{"exclusiveMinimum":-1.5}"##,
    r##"{"maxLength":2}"##,
    r##"{"minLength":1}"##,
    r##"{"minLength":18446744073709551615}"##,
    r##"{"pattern":"^[a-z]{1,3}(-|\\d+)$"}"##,
    r##"{"pattern":"^(a+)+$"}"##,
    r##"{"pattern":"^(?=a)(?!b).*\\1$"}"##,
    r##"{"pattern":"((a{0,9}){9}){9}"}"##,
    r##"{"pattern":"\\p{L}+\\u0041"}"##,
    r##"{"maxItems":3}"##,
    r##"{"minItems":2}"##,
    r##"{"uniqueItems":true}"##,
    r##"{"maxContains":1}"##,
    r##"{"minContains":0}"##,
    r##"{"maxProperties":2}"##,
    r##"{"minProperties":1}"##,
    r##"{"minProperties":1000000}"##,
    r##"{"required":["a"]}"##,
    r##"{"required":["kind","radius"]}"##,
    r##"{"dependentRequired":{"a":["b"]}}"##,
    r##"{"dependencies":{"a":["b"],"b":{"minProperties":2}}}"##,
    r##"{"allOf":[{"properties":{"a":{"type":"string"}}},{"required":["a"]}]}"##,
    r##"{"anyOf":[{"type":"string"},{"type":"integer"}]}"##,
    r##"{"oneOf":[{"properties":{"kind":{"const":"circle"}},"required":["kind"]},{"properties":{"kind":{"const":"square"}},"required":["kind"]}]}"##,
    r##"{"oneOf":[{"required":["a"]},{"required":["b"]}]}"##,
    r##"{"not":{"required":["a"]}}"##,
    r##"{"if":{"required":["a"]},"then":{"required":["b"]},"else":{"properties":{"c":false}}}"##,
    r##"{"dependentSchemas":{"a":{"required":["b"]}}}"##,
    r##"{"prefixItems":[{"type":"integer"},{"type":"string"}]}"##,
    r##"{"items":{"type":"string"}}"##,
    r##"{"items":false}"##,
    r##"{"items":[{"type":"string"},true]}"##,
    r##"{"additionalItems":false}"##,
    r##"{"contains":{"const":1}}"##,
    r##"{"properties":{"a":{"type":"string"},"b":{"type":"integer","default":3}}}"##,
    r##"{"properties":{"self":true,"Self":{},"a b":{},"a-b":{},"":{},"crate":{}}}"##,
    r##"{"patternProperties":{"^x-":{"type":"string"}}}"##,
    r##"{"additionalProperties":false}"##,
    r##"{"additionalProperties":true}"##,
    r##"{"additionalProperties":{"type":"integer"}}"##,
    r##"{"propertyNames":{"maxLength":3}}"##,
    r##"{"unevaluatedItems":false}"##,
    r##"{"unevaluatedProperties":false}"##,
    r##"{"title":"Item"}"##,
    r##"{"title":"*/ \"# Error"}"##,
    r##"{"description":"Says `x`.\n\n```\nlet x = 1;\n```\n[a](b) <c> {d}"}"##,
    r##"{"default":null}"##,
    r##"{"default":"open"}"##,
    r##"{"default":{"a":1}}"##,
    r##"{"default":[1e2]}"##,
    r##"{"deprecated":true}"##,
    r##"{"readOnly":true}"##,
    r##"{"writeOnly":true}"##,
    r##"{"examples":[{"a":1}]}"##,
    r##"{"format":"date-time"}"##,
    r##"{"format":"uri"}"##,
    r##"{"format":"regex"}"##,
    r##"{"format":"uint64"}"##,
    r##"{"format":"idn-hostname"}"##,
    r##"{"format":"password"}"##,
    r##"{"contentEncoding":"base64"}"##,
    r##"{"contentMediaType":"application/json","contentSchema":{"type":"object"}}"##,
    r##"{"x-tool":{"name":"other","exclusive":true,"timeoutSeconds":0.5,"renamedFrom":"old"}}"##,
    r##"{"x-tool":{"annotations":{"title":"T","destructiveHint":true}}}"##,
    r##"{"x-tool":{"output":{"type":"object","properties":{"a":{"$ref":"#/$defs/A"}}}}}"##,
    r##"{"x-tool":{"icons":[{"src":"a"}],"meta":{"a":1}}}"##,
    r##"{"discriminator":{"propertyName":"kind"}}"##,
    r##"{"nullable":true}"##,
    // What the types of the `execute` target are made of.
    r##"{"whole":5.0,"a/b":7,"float":1e2,"pair":[true,"b"]}"##,
    r##"{"shape":{"kind":2,"side":{"kind":"circle","radius":1}},"kind":null}"##,
    r##"{"list":[{"id":[1,["a"]],"any":null}]}"##,
];

/// Names, many of them awkward for Rust.
const NAMES: &[&str] = &[
    "a", "b", "kind", "next", "items", "type", "self", "Self", "crate", "super", "_", "r#type", "Error", "Input",
    "Output", "Handler", "Option", "Value", "String", "Vec", "1st", "a b", "a_b", "aB", "a/b", "a~b", "%25", "", "😀", "é",
    "\u{202e}", "\n", "\"", "\\", "{}", "/*", "$ref", "$defs", "properties", "const", "rest", "call", "tool", "SPEC",
    "whole", "size", "float", "any", "list", "pair", "shape", "id", "radius", "side",
];

/// Scalars at the edges of what types hold.
const SCALARS: &[&str] = &[
    "null", "true", "false", "0", "-0", "-0.0", "1", "1.0", "-1", "0.1", "1e2", "5e-324", "1e308", "-1e308",
    "9007199254740993", "9223372036854775807", "9223372036854775808", "-9223372036854775808",
    "-9223372036854775809", "18446744073709551615", "18446744073709551616", "1e20", "\"\"", "\"a\"", "\"5\"",
    "\"[1]\"", "\"{\\\"a\\\":1}\"", "\"OPEN\"", "\"open\"", "\"circle\"", "\"2024-02-30T25:61:61Z\"",
    "\"https://[::1]:99999/%zz?#\"", "\"xn--a\"", "\"123e4567-e89b-42d3-a456-426614174000\"", "\"aaaaaaaaaaaaaaaaaaaaaaaaaaaaa!\"",
    "\"\\u0000\\ud83d\\ude00\"", "[]", "{}",
];

/// One keyword with its value.
pub(crate) fn keyword(random: &mut Random) -> Map<String, Value> {
    match parsed(random.of(KEYWORDS)) {
        Value::Object(members) => members,
        _ => Map::new(),
    }
}

/// A schema of one keyword, or a scalar.
pub(crate) fn value(random: &mut Random) -> Value {
    if random.one_in(3) { scalar(random) } else { parsed(random.of(KEYWORDS)) }
}

/// A scalar, or an empty container.
pub(crate) fn scalar(random: &mut Random) -> Value {
    parsed(random.of(SCALARS))
}

/// A name of a member.
pub(crate) fn name(random: &mut Random) -> String {
    random.of(NAMES).to_owned()
}

/// A text to put into another.
pub(crate) fn text(random: &mut Random) -> &'static str {
    random.of(NAMES)
}

fn parsed(text: &str) -> Value {
    serde_json::from_str(text).expect("the tables hold JSON")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_tables_hold_json() {
        assert!(KEYWORDS.iter().all(|text| parsed(text).is_object()));
        SCALARS.iter().for_each(|text| drop(parsed(text)));
    }
}
