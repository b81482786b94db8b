//! Unions: what `union!` expands to. A branch is chosen first, by what tells branches apart, and then decoded:
//! no branch is decoded by trial.

use super::{DecodeError, Encode, Literal};
use crate::ToolSpec;
use serde_json::Value;
use std::sync::OnceLock;
use toolcast_validate::{Options, Validator};

/// Gives an enum of branches its wire form.
///
/// ```text
/// union!(Target by "kind" { User = "user", Team = "team" });
/// union!(Id { Number if integer, Text if string });
/// union!(Shape { Circle if "radius", Square if "side" });
/// union!(Filter of input { Range at "/properties/filter/anyOf/0", Terms if object at "/properties/filter/anyOf/1" });
/// ```
///
/// - `by "kind" { User = "user" }`: the member `kind` names the branch.
/// - `if integer | string`: the value's type (`i64` and `u64`: an integer that it holds); `if "radius"`: an object with this member; `if "kind" = "a" | "b"`: a
///   member with one of these values.
/// - `at "/pointer"`: the branch's own schema accepts the value: in the contract's input or output schema, or `of
///   definitions` in the text `DEFINITIONS` beside it.
///
/// A branch whose type is not ours says how it is read behind its name: `Id via (convert::Text, "a uuid") if string`.
///
/// Branches are asked in order; the first that answers is decoded.
#[doc(hidden)]
#[macro_export]
macro_rules! __union {
    ($name:ident by $tag:literal { $($variant:ident $(via $via:tt)? = $wire:expr),* $(,)? }) => {
        impl $crate::generated::Decode for $name {
            fn read(
                value: &$crate::generated::v1::Value,
                depth: $crate::generated::Depth,
            ) -> ::core::result::Result<Self, $crate::generated::DecodeError> {
                let tag = $crate::generated::tag(value, $tag)?;
                $(if $crate::generated::Literal::matches(&$wire, tag) {
                    return Ok(Self::$variant($crate::__union!(@read value depth $($via)?)));
                })*
                Err($crate::generated::no_branch())
            }
        }
        impl $crate::generated::Encode for $name {
            fn encode(&self) -> $crate::generated::v1::Value {
                match self {
                    $(Self::$variant(branch) => $crate::generated::tagged($tag, &$wire, $crate::__union!(@branch branch $($via)?)),)*
                }
            }
        }
        $crate::__serde!($name);
    };
    ($name:ident of $document:ident $body:tt) => {
        $crate::__union!(@impl $name $document $body);
    };
    ($name:ident $body:tt) => {
        $crate::__union!(@impl $name input $body);
    };
    (@impl $name:ident $document:ident { $($variant:ident $(via $via:tt)? $(if $($first:ident)? $($key:literal)? $(= $member:literal)? $(| $($more:ident)? $($other:literal)?)*)? $(at $($pointer:literal)|+)?),* $(,)? }) => {
        impl $crate::generated::Decode for $name {
            fn read(
                value: &$crate::generated::v1::Value,
                depth: $crate::generated::Depth,
            ) -> ::core::result::Result<Self, $crate::generated::DecodeError> {
                $(if true
                    $(&& $crate::__union!(@if value $($first)? $($key)? $(= $member)? $(| $($more)? $($other)?)*))?
                    $(&& $crate::__union!(@at value ($document) $($pointer),+))?
                {
                    return Ok(Self::$variant($crate::__union!(@read value depth $($via)?)));
                })*
                Err($crate::generated::no_branch())
            }
        }
        impl $crate::generated::Encode for $name {
            fn encode(&self) -> $crate::generated::v1::Value {
                match self {
                    $(Self::$variant(branch) => $crate::generated::Encode::encode($crate::__union!(@branch branch $($via)?)),)*
                }
            }
        }
        $crate::__serde!($name);
    };
    (@read $value:ident $depth:ident) => {
        $crate::generated::Decode::read($value, $depth)?
    };
    (@read $value:ident $depth:ident ($marker:ty, $what:literal)) => {
        $crate::generated::convert::read::<$marker, _>($value, $depth, $what)?
    };
    (@branch $branch:ident) => { $branch };
    (@branch $branch:ident ($marker:ty, $what:literal)) => {
        &$crate::generated::convert::via::<$marker, _>($branch)
    };
    (@if $value:ident $first:ident $(| $more:ident)*) => {
        $crate::generated::is($value, &[stringify!($first) $(, stringify!($more))*])
    };
    (@if $value:ident $key:literal) => {
        $crate::generated::has($value, $key)
    };
    (@if $value:ident $key:literal = $member:literal $(| $other:literal)*) => {
        $crate::generated::has_value($value, $key, &[&$member $(, &$other)*])
    };
    (@at $value:ident (definitions) $($pointer:literal),+) => {{
        static BRANCH: $crate::generated::Branch =
            $crate::generated::Branch::of(DEFINITIONS, &[$($pointer),+]);
        BRANCH.accepts($value)
    }};
    (@at $value:ident ($document:ident) $($pointer:literal),+) => {{
        static BRANCH: $crate::generated::Branch = $crate::generated::Branch::new(
            &SPEC,
            stringify!($document),
            &[$($pointer),+],
        );
        BRANCH.accepts($value)
    }};
}

/// The member that names the branch.
///
/// # Errors
///
/// Where the value is no object or has no such member.
#[doc(hidden)]
pub fn tag<'a>(value: &'a Value, name: &str) -> Result<&'a Value, DecodeError> {
    match value {
        Value::Object(members) => members
            .get(name)
            .ok_or_else(|| DecodeError::new(format!("the member `{name}` is missing"))),
        other => Err(DecodeError::expected("an object", other)),
    }
}

/// A branch's object with its tag, the tag first.
#[doc(hidden)]
pub fn tagged(name: &str, tag: &dyn Literal, branch: &dyn Encode) -> Value {
    let mut object = serde_json::Map::new();
    object.insert(name.to_owned(), tag.to_value());
    if let Value::Object(members) = branch.encode() {
        object.extend(members);
    }
    Value::Object(object)
}

/// Whether the value has one of these types.
#[doc(hidden)]
pub fn is(value: &Value, types: &[&str]) -> bool {
    types.iter().any(|name| match (value, *name) {
        (Value::Null, "null")
        | (Value::Bool(_), "boolean")
        | (Value::Number(_), "number")
        | (Value::String(_), "string")
        | (Value::Array(_), "array")
        | (Value::Object(_), "object") => true,
        (Value::Number(_), "integer") => super::number::is_whole(value),
        (Value::Number(number), "i64") => super::number::fits::<i64>(number),
        (Value::Number(number), "u64") => super::number::fits::<u64>(number),
        _ => false,
    })
}

/// Whether the value is an object with this member.
#[doc(hidden)]
pub fn has(value: &Value, name: &str) -> bool {
    value.get(name).is_some()
}

/// Whether the value is an object whose member has one of these values.
#[doc(hidden)]
pub fn has_value(value: &Value, name: &str, values: &[&dyn Literal]) -> bool {
    value.get(name).is_some_and(|member| values.iter().any(|literal| literal.matches(member)))
}

/// No branch accepted a value that the schema as a whole did.
#[doc(hidden)]
#[cold]
pub fn no_branch() -> DecodeError {
    DecodeError::new("the value fits none of the branches")
}

/// The validators of one branch, built from the contract when a value first asks.
#[doc(hidden)]
pub struct Branch {
    document: Document,
    pointers: &'static [&'static str],
    validators: OnceLock<Vec<Validator>>,
}

/// Where the schemas of branches stand.
enum Document {
    Contract(&'static ToolSpec, &'static str),
    Definitions(&'static str),
}

impl Branch {
    /// A branch by the pointers of its schemas in a document of definitions, as JSON text.
    pub const fn of(text: &'static str, pointers: &'static [&'static str]) -> Self {
        Self { document: Document::Definitions(text), pointers, validators: OnceLock::new() }
    }

    /// A branch by the pointers of its schemas in the contract's `input` or `output` schema.
    pub const fn new(
        spec: &'static ToolSpec,
        document: &'static str,
        pointers: &'static [&'static str],
    ) -> Self {
        let document = Document::Contract(spec, document);
        Self { document, pointers, validators: OnceLock::new() }
    }

    /// Whether one of the branch's schemas accepts the value.
    pub fn accepts(&self, value: &Value) -> bool {
        self.validators
            .get_or_init(|| self.build())
            .iter()
            .any(|validator| validator.is_valid(value))
    }

    /// A schema that cannot be compiled has no validator: the tool's own validator is built from the same document
    /// before any value comes here, and refuses it with its reason.
    fn build(&self) -> Vec<Validator> {
        let text = match &self.document {
            Document::Contract(spec, "input") => Some(spec.input),
            Document::Contract(spec, _) => spec.output,
            Document::Definitions(text) => Some(*text),
        };
        let document = text.and_then(|text| serde_json::from_str(text).ok());
        let document = document.and_then(|root| Options::default().document(&root).ok());
        let Some(document) = document else { return Vec::new() };
        self.pointers.iter().filter_map(|pointer| document.part(pointer).ok()).collect()
    }
}
