//! Loading and the run time agree on what is a regular expression: what the one refuses, so does the other.

use serde_json::{Value, json};
use toolcast::Definition;
use toolcast_codegen::contract::{Catalog, Limits, Sources};

fn schema(pattern: &str) -> Value {
    json!({ "type": "object", "properties": { "code": { "type": "string", "pattern": pattern } } })
}

/// Whether loading finds fault with a pattern.
fn is_refused_when_loaded(pattern: &str) -> bool {
    let mut contract = schema(pattern);
    contract["description"] = Value::from("Has a pattern.");
    let sources =
        Sources::from_files("schemas", [("code.json".into(), contract.to_string().into_bytes())]);
    let (catalog, diagnostics) = Catalog::parse(&sources, &Limits::default());
    assert!(diagnostics.iter().all(|fault| fault.rule == "pattern-syntax"), "{diagnostics:?}");
    assert_eq!(catalog.contracts.is_empty(), !diagnostics.is_empty(), "{pattern:?}");
    !diagnostics.is_empty()
}

fn is_refused_when_run(pattern: &str) -> bool {
    Definition::new("code", "Has a pattern.").input(schema(pattern)).build().is_err()
}

#[test]
fn patterns_that_no_engine_takes_are_found() {
    for pattern in [
        "(",
        ")",
        "a(b",
        "a)b",
        "[",
        "[a",
        "[^a",
        "[]",
        "[^]",
        r"a\",
        r"[\",
        r"[\]",
        "*",
        "+a",
        "a|*",
        "(*)",
        "(?i)*",
        "{2}",
        "a{",
        "a{x}",
        "a{,2}",
        "a{5,2}",
        "a{99999999999}",
        "[z-a]",
        r"[\d-z]",
        r"[a-\w]",
        r"\Z",
        r"\h",
        r"\k<n>",
        r"\c",
        r"\c1",
        r"\x4",
        r"\xg0",
        r"\u12",
        r"\ud83d",
        r"\udc00",
        r"\ude00\ud83d",
        r"\ud83d.",
        r"\ud83d+\ude00",
        r"(?:\ud83d)\ude00",
        r"\u{d83d}",
        r"\ud83d[^\ude00]",
        r"\ud83d[\udc00-\udfff]+",
        r"[a\ud800-\udbff][b\udc00-\udfff]",
        r"[\ud800-\udbff\udc00-\udfff]",
        r"[\udfff-\ud800]",
        r"[\d-\ud800]",
        r"[\ud83c-\udbff\udc00]",
        r"(?=a)\ud83d",
        r"\ud83d\ude00)",
        r"\u{110000}",
        r"\u{",
        r"\p{Letter",
        r"\p",
        "(?",
        "(?P=n)",
        "(?P<n",
        "(?<>a)",
        "(?<1>a)",
        "(?<n>a)(?<n>b)",
        "(?>a)",
        "(?#c)",
        "(?)",
        "(?i-)",
        "(?ii)",
        r"[\b]",
        r"[\<]",
        "(?=a)(",
        "(?=a))",
        "(?!a)[b",
        r"(a)\1\",
        r"(a)\1(",
    ] {
        assert!(is_refused_when_run(pattern), "{pattern} is no example: the run time takes it");
        assert!(is_refused_when_loaded(pattern), "{pattern}");
    }
}

#[test]
fn patterns_that_an_engine_takes_pass() {
    for pattern in [
        "",
        "a",
        "^[A-Z]{3}-[0-9]+$",
        r"^\d{4}-\d{2}-\d{2}$",
        "(a|b)*?",
        "(?:a){2,}?",
        "(?i)a",
        "(?i:a)b",
        "(?<year>a)(?P<month>b)",
        "[-a]",
        "[a-]",
        "[a-z-9]",
        "[^-a]",
        r"[\d-]",
        r"[-\d]",
        "[!--b]",
        "[[]",
        "[a&&b]",
        "[~~]",
        "]",
        "}",
        "a{2}{3}",
        "a**",
        "^*",
        r"\bword\b",
        r"\/",
        r"\-",
        r"\cA",
        r"[\cA-z]",
        r"\u00e9",
        r"\u{1f600}",
        r"^\ud83d\ude00+$",
        r"[\ud83c\udf00-\ud83d\ude4f]",
        r"[\ud800-\udbff][\udc00-\udfff]",
        r"(?:\ud83c[\udde6-\uddff]){2}",
        r"[^\ud800-\udfff]",
        r"[\ud800-\udfff]",
        r"[\ud800-\udbff](?![\udc00-\udfff])",
        r"(?<![\ud800-\udbff])[\udc00-\udfff]",
        r"[a\ud800-\udfff-z]",
        r"\x41",
        r"\p{L}",
        r"\pL",
        r"[\p{L}_]",
        "(?=.*a)b",
        "^(?!eo:)",
        "(?<=a)b",
        r"(a)\1",
        r"\t\n\f\v\r",
        "é+",
        "a|",
        "|",
        "()",
        "(|a)",
        r"[\t-\r]",
        r"[\]]",
        r"[\\]",
        r"[+--]",
    ] {
        assert!(!is_refused_when_run(pattern), "{pattern} is no example: the run time refuses it");
        assert!(!is_refused_when_loaded(pattern), "{pattern}");
    }
}

/// Numbers that look random and are the same in every run (splitmix64).
struct Numbers(u64);

impl Numbers {
    fn below(&mut self, most: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut number = self.0;
        number = (number ^ (number >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        number = (number ^ (number >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((number ^ (number >> 31)) % most as u64) as usize
    }
}

#[test]
fn whatever_loading_refuses_the_run_time_refuses() {
    const ROUNDS: usize = 2_000;
    const PARTS: &[&str] = &[
        "a",
        "b",
        "z",
        "1",
        "é",
        "-",
        "--",
        "^",
        "$",
        ".",
        ",",
        " ",
        ":",
        "=",
        "!",
        "<",
        ">",
        "(",
        ")",
        "(?:",
        "(?=",
        "(?!",
        "(?<=",
        "(?<n>",
        "(?P<m>",
        "(?i)",
        "(?x)",
        "(?#",
        "[",
        "]",
        "[^",
        "[a-z]",
        "&&",
        "~~",
        "{",
        "}",
        "{2}",
        "{2,}",
        "{3,1}",
        "*",
        "+",
        "?",
        "|",
        "\\",
        "\\d",
        "\\w",
        "\\b",
        "\\b{start}",
        "\\1",
        "\\0",
        "\\k<n>",
        "\\x41",
        "\\x",
        "\\u00e9",
        "\\ud83d",
        "\\ude00",
        "\\u{41}",
        "\\u{d800}",
        "\\p{L}",
        "\\p",
        "\\cA",
        "\\c",
        "\\Z",
        "\\-",
        "\\]",
        "\\[",
        "\\n",
        "#",
    ];
    let mut numbers = Numbers(1);
    let (mut refused, mut missed) = (0, 0);
    for _ in 0..ROUNDS {
        let length = 1 + numbers.below(7);
        let pattern: String = (0..length).map(|_| PARTS[numbers.below(PARTS.len())]).collect();
        let when_run = is_refused_when_run(&pattern);
        if is_refused_when_loaded(&pattern) {
            assert!(when_run, "{pattern:?} is refused although the run time takes it");
            refused += 1;
        } else if when_run {
            missed += 1;
        }
    }
    // Most is found without an engine; what is left is what `toolcast check` is for.
    assert!(missed * 4 < refused, "{missed} missed beside {refused} found");
}
