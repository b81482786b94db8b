//! The formats that validators assert.

use jsonschema::Draft;

/// Formats with the first draft that asserts them (8 is 2019-09).
const KNOWN: &[(&str, u8)] = &[
    ("date", 4),
    ("date-time", 4),
    ("duration", 8),
    ("email", 4),
    ("hostname", 4),
    ("idn-email", 4),
    ("idn-hostname", 7),
    ("ipv4", 4),
    ("ipv6", 4),
    ("iri", 7),
    ("iri-reference", 7),
    ("json-pointer", 6),
    ("regex", 4),
    ("relative-json-pointer", 7),
    ("time", 4),
    ("uri", 4),
    ("uri-reference", 6),
    ("uri-template", 6),
    ("uuid", 8),
];

/// Whether the validator asserts a format; all others are remarks.
pub(super) fn is_known(format: &str, draft: Draft) -> bool {
    let number = match draft {
        Draft::Draft4 => 4,
        Draft::Draft6 => 6,
        Draft::Draft7 => 7,
        Draft::Draft201909 => 8,
        _ => 9,
    };
    KNOWN.iter().any(|(name, since)| *name == format && *since <= number)
}
