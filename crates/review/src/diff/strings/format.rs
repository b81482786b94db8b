//! What a format says of a text, between two languages: one that it surely has, and one that it surely is within.
//!
//! Both are of the validator's own formats, which a test holds them to.

use std::rc::Rc;

/// Each format with a pattern of texts that it takes, and one of all that it may take.
const FORMATS: &[(&str, &str, &str)] = &[
    (
        "date",
        "^[0-9]{4}-((0[13578]|1[02])-(0[1-9]|[12][0-9]|3[01])|(0[469]|11)-(0[1-9]|[12][0-9]|30)|02-(0[1-9]|1[0-9]|2[0-8]))$",
        "^[0-9]{4}-((0[13578]|1[02])-(0[1-9]|[12][0-9]|3[01])|(0[469]|11)-(0[1-9]|[12][0-9]|30)|02-(0[1-9]|[12][0-9]))$",
    ),
    (
        "time",
        "^([01][0-9]|2[0-3]):[0-5][0-9]:[0-5][0-9](\\.[0-9]+)?([Zz]|[+-]([01][0-9]|2[0-3]):[0-5][0-9])$",
        "^([01][0-9]|2[0-3]):[0-5][0-9]:([0-5][0-9]|60)(\\.[0-9]+)?([Zz]|[+-]([01][0-9]|2[0-3]):[0-5][0-9])$",
    ),
    (
        "date-time",
        "^[0-9]{4}-(0[1-9]|1[0-2])-(0[1-9]|1[0-9]|2[0-8])[Tt]([01][0-9]|2[0-3]):[0-5][0-9]:[0-5][0-9](\\.[0-9]+)?([Zz]|[+-]([01][0-9]|2[0-3]):[0-5][0-9])$",
        "^[0-9]{4}-(0[1-9]|1[0-2])-(0[1-9]|[12][0-9]|3[01])[Tt]([01][0-9]|2[0-3]):[0-5][0-9]:([0-5][0-9]|60)(\\.[0-9]+)?([Zz]|[+-]([01][0-9]|2[0-3]):[0-5][0-9])$",
    ),
    ("json-pointer", "^(/([^~/]|~[01])*)*$", "^(/([^~/]|~[01])*)*$"),
    (
        "ipv4",
        "^((25[0-5]|2[0-4][0-9]|1[0-9]{2}|[1-9]?[0-9])\\.){3}(25[0-5]|2[0-4][0-9]|1[0-9]{2}|[1-9]?[0-9])$",
        "^((25[0-5]|2[0-4][0-9]|1[0-9]{2}|[1-9]?[0-9])\\.){3}(25[0-5]|2[0-4][0-9]|1[0-9]{2}|[1-9]?[0-9])$",
    ),
    ("ipv6", "^([0-9a-f]{1,4}:){7}[0-9a-f]{1,4}$", "^[0-9A-Fa-f:.]{2,45}$"),
    (
        "uuid",
        "^[0-9A-Fa-f]{8}-[0-9A-Fa-f]{4}-[0-9A-Fa-f]{4}-[0-9A-Fa-f]{4}-[0-9A-Fa-f]{12}$",
        "^[0-9A-Fa-f]{8}-[0-9A-Fa-f]{4}-[0-9A-Fa-f]{4}-[0-9A-Fa-f]{4}-[0-9A-Fa-f]{12}$",
    ),
    ("hostname", "^[a-z0-9]([a-z0-9]{0,60}[a-z0-9])?$", "^[^@/\\s]{1,253}$"),
    ("email", "^[a-z]{1,20}@[a-z]{1,20}\\.com$", "@[\\s\\S]"),
    ("duration", "^P[0-9]{1,6}[YMWD]$", "^P[0-9YMWDTHS]{2,}$"),
    ("uri", "^https?://[a-z]{1,20}(\\.[a-z]{1,20})?(/[a-z0-9]*)*$", "^[A-Za-z][A-Za-z0-9+.-]*:"),
    ("iri", "^https?://[a-z]{1,20}(\\.[a-z]{1,20})?(/[a-z0-9]*)*$", "^[A-Za-z][A-Za-z0-9+.-]*:"),
    (
        "uri-reference",
        "^[a-z0-9/]*$|^https?://[a-z]{1,20}(\\.[a-z]{1,20})?(/[a-z0-9]*)*$",
        "^[!-~]*$",
    ),
    ("iri-reference", "^[a-z0-9/]*$|^https?://[a-z]{1,20}(\\.[a-z]{1,20})?(/[a-z0-9]*)*$", ""),
    ("relative-json-pointer", "^(0|[1-9][0-9]{0,8})(#|(/([^~/]|~[01])*)*)$", "^[0-9]"),
    ("regex", "^[a-z0-9 ]*$", ""),
    ("uri-template", "^[a-z0-9/]*$", ""),
];

/// Formats each of whose texts another one takes.
const WITHIN: &[(&str, &str)] = &[
    ("uri", "uri-reference"),
    ("uri", "iri"),
    ("uri", "iri-reference"),
    ("iri", "iri-reference"),
    ("uri-reference", "iri-reference"),
];

/// Patterns of the texts that a format surely takes, and of all that it may take.
pub(super) fn bounds(format: &str) -> Option<(Rc<str>, Rc<str>)> {
    let (_, under, over) = FORMATS.iter().find(|(name, ..)| *name == format)?;
    let expression = |pattern| jsonschema_regex::to_rust_regex(pattern).ok().map(|e| Rc::from(&*e));
    Some((expression(under)?, expression(over)?))
}

/// Whether each text of the format `one` is one of the format `other`.
pub(super) fn implies(one: &str, other: &str) -> bool {
    WITHIN.contains(&(one, other))
}
