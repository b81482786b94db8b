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

#[cfg(test)]
mod tests {
    use super::super::automaton::Automaton;
    use super::*;
    use crate::diff::dialect::Dialect;
    use crate::diff::formats::is_known;
    use jsonschema::{Draft, Validator};
    use proptest::prelude::*;
    use proptest::strategy::ValueTree as _;
    use proptest::string::string_regex;
    use proptest::test_runner::TestRunner;
    use serde_json::{Value, json};
    use std::collections::BTreeSet;

    /// Texts of each language that are drawn, and as many again that are edited.
    const TEXTS: usize = 24;

    /// Characters that some format reads in its own way, and some that look like them.
    const CHARACTERS: &str =
        "09afAFzZTtPYMWDHSx-+:./~#@%[]{}()?*_\" \n\u{e9}\u{661}\u{ff11}\u{1f600}";

    /// Spellings that are easily forgotten, on either side of a format's edge.
    const SPELLINGS: &[&str] = &[
        "",
        "\n",
        "2024-02-29",
        "1900-02-29",
        "2000-02-29",
        "0000-01-01",
        "2023-04-31",
        "23:59:60Z",
        "22:59:60-01:00",
        "12:00:60Z",
        "24:00:00Z",
        "12:00:00.Z",
        "12:00:00.5z",
        "12:00:00+24:00",
        "12:00:00",
        "1998-12-31T23:59:60Z",
        "1998-12-31t23:59:59z",
        "1998-12-31 23:59:59Z",
        "2024-02-30T00:00:00Z",
        "::",
        "::1",
        "1::",
        "ABCD::ef",
        "::ffff:1.2.3.4",
        "1:2:3:4:5:6:7::",
        "1:2:3:4:5:6:7:8:9",
        "fe80::1%eth0",
        "00001::",
        "0000:0000:0000:0000:0000:ffff:255.255.255.255",
        "0.0.0.0",
        "01.2.3.4",
        "256.1.1.1",
        "127.1",
        "1.2.3.4\n",
        "01234567-89ab-CDEF-0123-456789abcdef",
        "0123456789abcdef0123456789abcdef",
        "{01234567-89ab-cdef-0123-456789abcdef}",
        "urn:uuid:01234567-89ab-cdef-0123-456789abcdef",
        "00000000-0000-0000-0000-000000000000",
        "A.b-c.D",
        "xn--nxasmq6b",
        "xn--X",
        "ab--cd",
        "a..b",
        "a.",
        "-a",
        "a-",
        "a_b",
        "\u{e9}.fr",
        "a@b",
        "a.b+c@d.e",
        "\"a b\"@example.com",
        "\"\"@a.b",
        "\"a@b\"@c.d",
        "a@[127.0.0.1]",
        "a@[IPv6:::1]",
        "\u{e9}@b.com",
        "a@\u{e9}.fr",
        "@a",
        "a@",
        "P1Y2M3DT4H5M6S",
        "PT0S",
        "P1W",
        "P1W2D",
        "PT",
        "P",
        "PT1.5S",
        "P1Y2D",
        "P1M1Y",
        "p1d",
        "-P1D",
        "urn:a",
        "a:",
        "mailto:a@b",
        "A+b-.c:x",
        "http://[::1]:80/%20?q#f",
        "http://[v1.a]",
        "http://a:b@c:1/",
        "http://a b",
        "http://[",
        "//a",
        "///",
        "//",
        "/a//b",
        "?q",
        "#f",
        "##",
        "%zz",
        "%41",
        "1a:b",
        "http://\u{e9}.fr/\u{e9}?\u{e000}",
        "\u{e9}",
        "\u{e000}",
        "\\",
        "a|b",
        "/",
        "/~01",
        "/~2",
        "/~",
        "/a/",
        "a/b",
        "0",
        "0#",
        "0#a",
        "01/a",
        "00",
        "10/~0",
        "+1",
        "0/~",
        "(",
        "\\d{2,}",
        "[a-z",
        "(?=a)",
        "a{2,1}",
        "\\_",
        "\\p{L}",
        "{a}",
        "{+a,b*}",
        "{a:9999}",
        "{a:10000}",
        "{",
        "}",
        "{}",
        "{a.b}",
        "{%41}",
        "<",
        "'",
        "`",
    ];

    fn drawn(runner: &mut TestRunner, pattern: &str) -> Vec<String> {
        let inner = pattern.replace("$|^", "|");
        let inner = inner.strip_prefix('^').unwrap_or(&inner);
        let inner = inner.strip_suffix('$').unwrap_or(inner);
        let texts = string_regex(inner).expect("anchors stand at the ends of a branch alone");
        let characters: Vec<char> = CHARACTERS.chars().collect();
        let edit = (0..64_usize, 0..3_u8, prop::sample::select(characters));
        let edited = (texts, prop::collection::vec(edit, 0..4));
        let mut found = Vec::new();
        for _ in 0..TEXTS {
            let (text, edits) = edited.new_tree(runner).expect("nothing is filtered").current();
            let mut letters: Vec<char> = text.chars().collect();
            found.push(text);
            for (at, kind, letter) in edits {
                let at = at % (letters.len() + 1);
                match kind {
                    0 => letters.insert(at, letter),
                    1 if at < letters.len() => letters[at] = letter,
                    _ if at < letters.len() => drop(letters.remove(at)),
                    _ => letters.push(letter),
                }
            }
            found.push(letters.into_iter().collect());
        }
        found
    }

    fn takes(language: &Automaton, text: &str) -> bool {
        let start = language.start().expect("each language has a start");
        language.accepts(text.chars().fold(start, |at, letter| language.read(at, letter)))
    }

    #[test]
    fn the_validator_lies_between_both_languages_of_each_format() {
        let mut runner = TestRunner::deterministic();
        let mut texts: BTreeSet<String> = SPELLINGS.iter().map(|&text| text.to_owned()).collect();
        for (_, under, over) in FORMATS {
            texts.extend(drawn(&mut runner, under));
            texts.extend(drawn(&mut runner, if over.is_empty() { ".*" } else { over }));
        }
        let texts: Vec<(&str, Value)> = texts.iter().map(|text| (&**text, json!(text))).collect();
        let mut faults = Vec::new();
        for draft in
            [Draft::Draft4, Draft::Draft6, Draft::Draft7, Draft::Draft201909, Draft::Draft202012]
        {
            let validator = |name: &str| -> Validator {
                let schema = json!({"type": "string", "format": name});
                let dialect = Dialect { draft, formats: true };
                dialect.validator(&schema).expect("a format alone is a schema")
            };
            for (name, ..) in FORMATS.iter().filter(|(name, ..)| is_known(name, draft)) {
                let (under, over) = bounds(name).expect("both patterns are regular expressions");
                let language = |expression: &str| {
                    Automaton::new(expression).expect("both languages are small")
                };
                let (under, over, validator) = (language(&under), language(&over), validator(name));
                let (mut valid, mut invalid) = (0, 0);
                for (text, value) in &texts {
                    let accepted = validator.is_valid(value);
                    *if accepted { &mut valid } else { &mut invalid } += 1;
                    if takes(&under, text) && !accepted {
                        faults.push(format!("{name} ({draft:?}) surely has {text:?}: rejected"));
                    }
                    if accepted && !takes(&over, text) {
                        faults.push(format!("{name} ({draft:?}) never has {text:?}: accepted"));
                    }
                }
                assert!(valid.min(invalid) > TEXTS / 2, "{name}: {valid} of {}", texts.len());
            }
            let pairs =
                WITHIN.iter().filter(|(one, other)| is_known(one, draft) && is_known(other, draft));
            for (one, other) in pairs {
                let (narrow, wide) = (validator(one), validator(other));
                for (text, value) in &texts {
                    if narrow.is_valid(value) && !wide.is_valid(value) {
                        faults.push(format!("{text:?} is {one} and not {other} ({draft:?})"));
                    }
                }
            }
        }
        assert!(faults.is_empty(), "{}", faults.join("\n"));
        println!("{} texts", texts.len());
    }
}
