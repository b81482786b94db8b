//! The one table of keywords: the form of each one's value, the dialects that know it, the values it applies to, and
//! whether its subschemas look at the same value or at a part of it. Whoever walks a schema asks here.

use crate::pointer::join;
use serde_json::{Map, Value};
use std::collections::HashMap;
use std::sync::LazyLock;

/// What a keyword's value must be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Form {
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
    /// Anything.
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
pub enum Drafts {
    /// Draft 7 and 2020-12 both.
    Always,
    /// 2020-12 (or 2019-09) only: draft 7 ignores it.
    Later,
    /// Draft 7 and before: upgraded.
    Before,
}

/// Which values a keyword says something of; it accepts all others.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Applies {
    /// To no value: it names, points or annotates.
    Never,
    /// To values of every type.
    Any,
    /// To numbers.
    Numbers,
    /// To strings.
    Strings,
    /// To arrays.
    Arrays,
    /// To objects.
    Objects,
}

impl Applies {
    /// Whether the keyword says something of `value`.
    pub fn to(self, value: &Value) -> bool {
        match self {
            Self::Never => false,
            Self::Any => true,
            Self::Numbers => value.is_number(),
            Self::Strings => value.is_string(),
            Self::Arrays => value.is_array(),
            Self::Objects => value.is_object(),
        }
    }
}

/// What a keyword's subschemas look at.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Subschemas {
    /// It has none.
    None,
    /// The value that the schema around them looks at.
    InPlace,
    /// A member, an element or a name of that value.
    Child,
    /// Nothing, until a reference leads there.
    Stored,
}

/// A row of the table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Keyword {
    /// The keyword.
    pub name: &'static str,
    /// What its value must be.
    pub form: Form,
    /// Which dialects know it.
    pub drafts: Drafts,
    /// Which values it says something of.
    pub applies: Applies,
    /// What its subschemas look at.
    pub subschemas: Subschemas,
}

use Applies::{Any, Arrays, Never, Numbers, Objects, Strings};
use Drafts::{Always, Before, Later};
use Form::*;
use Subschemas::{Child, InPlace, None as Plain, Stored};

const fn row(
    name: &'static str,
    form: Form,
    drafts: Drafts,
    applies: Applies,
    subschemas: Subschemas,
) -> Keyword {
    Keyword { name, form, drafts, applies, subschemas }
}

/// Every keyword that has a meaning here.
pub const KEYWORDS: &[Keyword] = &[
    row("$schema", Reference, Always, Never, Plain),
    row("$id", Reference, Always, Never, Plain),
    row("$ref", Reference, Always, Any, Plain),
    row("$anchor", Anchor, Later, Never, Plain),
    row("$dynamicRef", Reference, Later, Any, Plain),
    row("$dynamicAnchor", Anchor, Later, Never, Plain),
    row("$recursiveRef", Reference, Later, Any, Plain),
    row("$recursiveAnchor", Boolean, Later, Never, Plain),
    row("$vocabulary", BooleanMap, Later, Never, Plain),
    row("$comment", Text, Always, Never, Plain),
    row("$defs", SchemaMap, Later, Never, Stored),
    row("definitions", SchemaMap, Before, Never, Stored),
    row("type", Types, Always, Any, Plain),
    row("enum", AnyList, Always, Any, Plain),
    row("const", Anything, Always, Any, Plain),
    row("multipleOf", Positive, Always, Numbers, Plain),
    row("maximum", Number, Always, Numbers, Plain),
    row("exclusiveMaximum", Number, Always, Numbers, Plain),
    row("minimum", Number, Always, Numbers, Plain),
    row("exclusiveMinimum", Number, Always, Numbers, Plain),
    row("maxLength", Count, Always, Strings, Plain),
    row("minLength", Count, Always, Strings, Plain),
    row("pattern", Text, Always, Strings, Plain),
    row("maxItems", Count, Always, Arrays, Plain),
    row("minItems", Count, Always, Arrays, Plain),
    row("uniqueItems", Boolean, Always, Arrays, Plain),
    row("maxContains", Count, Later, Arrays, Plain),
    row("minContains", Count, Later, Arrays, Plain),
    row("maxProperties", Count, Always, Objects, Plain),
    row("minProperties", Count, Always, Objects, Plain),
    row("required", Names, Always, Objects, Plain),
    row("dependentRequired", NamesMap, Later, Objects, Plain),
    row("dependencies", Dependencies, Before, Objects, InPlace),
    row("allOf", Schemas, Always, Any, InPlace),
    row("anyOf", Schemas, Always, Any, InPlace),
    row("oneOf", Schemas, Always, Any, InPlace),
    row("not", Schema, Always, Any, InPlace),
    row("if", Schema, Always, Any, InPlace),
    row("then", Schema, Always, Any, InPlace),
    row("else", Schema, Always, Any, InPlace),
    row("dependentSchemas", SchemaMap, Later, Objects, InPlace),
    row("prefixItems", Schemas, Later, Arrays, Child),
    row("items", SchemaOrSchemas, Always, Arrays, Child),
    row("additionalItems", Schema, Before, Arrays, Child),
    row("contains", Schema, Always, Arrays, Child),
    row("properties", SchemaMap, Always, Objects, Child),
    row("patternProperties", SchemaMap, Always, Objects, Child),
    row("additionalProperties", Schema, Always, Objects, Child),
    row("propertyNames", Schema, Always, Objects, Child),
    row("unevaluatedItems", Schema, Later, Arrays, Child),
    row("unevaluatedProperties", Schema, Later, Objects, Child),
    row("title", Text, Always, Never, Plain),
    row("description", Text, Always, Never, Plain),
    row("default", Anything, Always, Never, Plain),
    row("deprecated", Boolean, Later, Never, Plain),
    row("readOnly", Boolean, Always, Never, Plain),
    row("writeOnly", Boolean, Always, Never, Plain),
    row("examples", AnyList, Always, Never, Plain),
    row("format", Text, Always, Any, Plain),
    row("contentEncoding", Text, Always, Never, Plain),
    row("contentMediaType", Text, Always, Never, Plain),
    // Decoded content is no part of the value, and is not looked at: 2020-12 §8.5 makes it an annotation.
    row("contentSchema", Schema, Later, Never, Stored),
];

/// The keyword's row; `None` for a keyword that nobody here knows.
pub fn keyword(name: &str) -> Option<&'static Keyword> {
    // Asked for every member of every schema, several times: a search through the table was a third of a load.
    static ROWS: LazyLock<HashMap<&str, &Keyword>> =
        LazyLock::new(|| KEYWORDS.iter().map(|row| (row.name, row)).collect());
    ROWS.get(name).copied()
}

/// Calls `visit` with the keyword, the pointer and the value of every direct subschema of the schema at `pointer`.
///
/// Draft 7's rule that `$ref` hides its siblings does not hide their subschemas: a pointer may still lead there.
pub fn subschemas<'a>(
    schema: &'a Value,
    pointer: &str,
    visit: impl FnMut(&'static Keyword, String, &'a Value),
) {
    if let Value::Object(members) = schema {
        subschemas_of(members, pointer, visit);
    }
}

/// As [`subschemas`], of a schema that is known to be an object.
pub fn subschemas_of<'a>(
    members: &'a Map<String, Value>,
    pointer: &str,
    mut visit: impl FnMut(&'static Keyword, String, &'a Value),
) {
    for (name, value) in members {
        let Some(row) = keyword(name) else { continue };
        match (row.form, value) {
            (Schema | SchemaOrSchemas, Value::Object(_) | Value::Bool(_)) => {
                visit(row, join(pointer, name), value);
            }
            (Schemas | SchemaOrSchemas, Value::Array(elements)) => {
                let here = join(pointer, name);
                for (index, element) in elements.iter().enumerate() {
                    if is_schema(element) {
                        visit(row, format!("{here}/{index}"), element);
                    }
                }
            }
            (SchemaMap | Dependencies, Value::Object(entries)) => {
                let here = join(pointer, name);
                for (key, entry) in entries {
                    if is_schema(entry) {
                        visit(row, join(&here, key), entry);
                    }
                }
            }
            _ => {}
        }
    }
}

/// Whether a value can stand where a schema is wanted.
pub fn is_schema(value: &Value) -> bool {
    matches!(value, Value::Object(_) | Value::Bool(_))
}
