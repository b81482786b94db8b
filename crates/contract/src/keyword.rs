//! What each keyword of JSON Schema takes, and where subschemas stand. One table: the checks, the index and the bundler
//! all walk by it.

use crate::json::join;
use serde_json::Value;
use std::collections::HashMap;
use std::sync::LazyLock;

/// The dialects that a contract may be written in.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Dialect {
    /// 2020-12, which is also what a file that names none is read as.
    Draft2020,
    /// Draft 7, upgraded on the way in.
    Draft7,
}

impl Dialect {
    /// The dialect that a `$schema` names.
    pub(crate) fn named(uri: &str) -> Option<Self> {
        let bare = uri.trim_end_matches('#');
        let bare = bare.strip_prefix("https://").or_else(|| bare.strip_prefix("http://"))?;
        match bare {
            "json-schema.org/draft/2020-12/schema" => Some(Self::Draft2020),
            "json-schema.org/draft-07/schema" => Some(Self::Draft7),
            _ => None,
        }
    }
}

/// What a keyword's value must be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Shape {
    /// A schema.
    Schema,
    /// A list of schemas, at least one.
    Schemas,
    /// An object of schemas by name.
    SchemaMap,
    /// Draft 7's `items`: a schema or a list of them.
    SchemaOrSchemas,
    /// Draft 7's `dependencies`: an object of schemas or lists of names.
    Dependencies,
    /// `dependentRequired`: an object of lists of names.
    NamesMap,
    /// A list of distinct strings.
    Names,
    /// `type`.
    Types,
    /// `enum`: a list of anything.
    AnyList,
    /// A list of anything with at least no demand.
    Anything,
    /// A whole number of at least 0.
    Count,
    /// A number.
    Number,
    /// A number above 0.
    Positive,
    /// `true` or `false`.
    Boolean,
    /// A string.
    Text,
    /// A reference: a string that is a URI reference.
    Reference,
    /// A plain name for an anchor.
    Anchor,
    /// An object of booleans.
    BooleanMap,
}

/// Which dialects know a keyword.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Since {
    /// Draft 7 and 2020-12 both.
    Always,
    /// 2020-12 (or 2019-09) only: draft 7 ignores it.
    Later,
    /// Draft 7 and before: upgraded.
    Before,
}

use Shape::*;
use Since::*;

/// Every keyword that has a meaning here.
pub(crate) const KEYWORDS: &[(&str, Shape, Since)] = &[
    ("$schema", Reference, Always),
    ("$id", Reference, Always),
    ("$ref", Reference, Always),
    ("$anchor", Anchor, Later),
    ("$dynamicRef", Reference, Later),
    ("$dynamicAnchor", Anchor, Later),
    ("$recursiveRef", Reference, Later),
    ("$recursiveAnchor", Boolean, Later),
    ("$vocabulary", BooleanMap, Later),
    ("$comment", Text, Always),
    ("$defs", SchemaMap, Later),
    ("definitions", SchemaMap, Before),
    ("type", Types, Always),
    ("enum", AnyList, Always),
    ("const", Anything, Always),
    ("multipleOf", Positive, Always),
    ("maximum", Number, Always),
    ("exclusiveMaximum", Number, Always),
    ("minimum", Number, Always),
    ("exclusiveMinimum", Number, Always),
    ("maxLength", Count, Always),
    ("minLength", Count, Always),
    ("pattern", Text, Always),
    ("maxItems", Count, Always),
    ("minItems", Count, Always),
    ("uniqueItems", Boolean, Always),
    ("maxContains", Count, Later),
    ("minContains", Count, Later),
    ("maxProperties", Count, Always),
    ("minProperties", Count, Always),
    ("required", Names, Always),
    ("dependentRequired", NamesMap, Later),
    ("dependencies", Dependencies, Before),
    ("allOf", Schemas, Always),
    ("anyOf", Schemas, Always),
    ("oneOf", Schemas, Always),
    ("not", Schema, Always),
    ("if", Schema, Always),
    ("then", Schema, Always),
    ("else", Schema, Always),
    ("dependentSchemas", SchemaMap, Later),
    ("prefixItems", Schemas, Later),
    ("items", SchemaOrSchemas, Always),
    ("additionalItems", Schema, Before),
    ("contains", Schema, Always),
    ("properties", SchemaMap, Always),
    ("patternProperties", SchemaMap, Always),
    ("additionalProperties", Schema, Always),
    ("propertyNames", Schema, Always),
    ("unevaluatedItems", Schema, Later),
    ("unevaluatedProperties", Schema, Later),
    ("title", Text, Always),
    ("description", Text, Always),
    ("default", Anything, Always),
    ("deprecated", Boolean, Later),
    ("readOnly", Boolean, Always),
    ("writeOnly", Boolean, Always),
    ("examples", AnyList, Always),
    ("format", Text, Always),
    ("contentEncoding", Text, Always),
    ("contentMediaType", Text, Always),
    ("contentSchema", Schema, Later),
];

/// The formats of 2020-12 §7.3, and those that OpenAPI and common generators add and nobody takes for a slip.
pub(crate) const FORMATS: &[&str] = &[
    "date-time",
    "date",
    "time",
    "duration",
    "email",
    "idn-email",
    "hostname",
    "idn-hostname",
    "ipv4",
    "ipv6",
    "uri",
    "uri-reference",
    "iri",
    "iri-reference",
    "uuid",
    "uri-template",
    "json-pointer",
    "relative-json-pointer",
    "regex",
    "int32",
    "int64",
    "uint",
    "uint8",
    "uint16",
    "uint32",
    "uint64",
    "int8",
    "int16",
    "float",
    "double",
    "byte",
    "binary",
    "password",
    "decimal",
];

/// The keyword's row; `None` for a keyword that nobody here knows.
pub(crate) fn keyword(name: &str) -> Option<(Shape, Since)> {
    // Asked for every member of every schema, several times: a search through the table was a third of a load.
    static ROWS: LazyLock<HashMap<&str, (Shape, Since)>> = LazyLock::new(|| {
        KEYWORDS.iter().map(|(name, shape, since)| (*name, (*shape, *since))).collect()
    });
    ROWS.get(name).copied()
}

/// Calls `visit` with the pointer and value of every direct subschema of the schema at `pointer`.
///
/// Draft 7's rule that `$ref` hides its siblings does not hide their subschemas: a pointer may still lead there.
pub fn subschemas<'a>(schema: &'a Value, pointer: &str, mut visit: impl FnMut(String, &'a Value)) {
    let Value::Object(members) = schema else { return };
    for (name, value) in members {
        let Some((shape, _)) = keyword(name) else { continue };
        match (shape, value) {
            (Schema, Value::Object(_) | Value::Bool(_))
            | (SchemaOrSchemas, Value::Object(_) | Value::Bool(_)) => {
                visit(join(pointer, name), value);
            }
            (Schemas | SchemaOrSchemas, Value::Array(elements)) => {
                let here = join(pointer, name);
                for (index, element) in elements.iter().enumerate() {
                    if is_schema(element) {
                        visit(format!("{here}/{index}"), element);
                    }
                }
            }
            (SchemaMap | Dependencies, Value::Object(entries)) => {
                let here = join(pointer, name);
                for (key, entry) in entries {
                    if is_schema(entry) {
                        visit(join(&here, key), entry);
                    }
                }
            }
            _ => {}
        }
    }
}

/// Whether a value can stand where a schema is wanted.
pub(crate) fn is_schema(value: &Value) -> bool {
    matches!(value, Value::Object(_) | Value::Bool(_))
}
