//! Patterns with halves of surrogate pairs match the characters that the pairs make.

use serde_json::{Value, json};
use toolcast_validate::Options;

fn matches(pattern: &str, text: &str) -> bool {
    Options::default().compile(&json!({ "pattern": pattern })).unwrap().is_valid(&text.into())
}

#[test]
fn pairs_are_characters() {
    for (pattern, yes, no) in [
        (r"^\ud83d\ude00$", "😀", "😁"),
        (r"^\uD83D\uDE00{2}$", "😀😀", "😀"),
        (r"^[\ud83d\ude00a]+$", "a😀", "😁"),
        (r"^[\ud83c\udf00-\ud83d\ude4f]$", "😀", "é"),
        (r"^[^\ud83d\ude00]$", "😁", "😀"),
        (r"^[\ud800-\udbff][\udc00-\udfff]$", "\u{10ffff}", "\u{ffff}"),
        (r"^[\ud800-\udbff][\udc00-\udfff]$", "\u{10000}", "😀😀"),
        (r"^\ud83d[\ude00-\ude02\ude04]$", "😄", "😃"),
        (r"^[\ud83c\ud83d][\ude00-\ude01]$", "🈁", "\u{1f202}"),
        (r"^(?:\ud83c[\udde6-\uddff]){2}$", "🇨🇭", "🇨"),
        (r"^(?=.{1,2}$)[\ud800-\udbff][\udc00-\udfff]", "😀a", "😀aa"),
        (r"^(?!\ud83d\ude00)", "😁", "😀"),
        (r"^[a\ud800-\udbff][\udc00-\udfff]$", "😀", "a"),
    ] {
        assert!(matches(pattern, yes), "{pattern} {yes}");
        assert!(!matches(pattern, no), "{pattern} {no}");
    }
}

#[test]
fn halves_in_a_class_are_left_out_of_it() {
    for (pattern, yes, no) in [
        (r"^[^\ud800-\udfff]+$", "a\n😀", ""),
        (r"^[\ud000-\ud900]$", "\u{d7ff}", "\u{e000}"),
        (r"^[\udfff-\uffff]$", "\u{e000}", "\u{d7ff}"),
        (r"^[\t -\uda00]$", "x", "\u{e000}"),
        (r"^[\u0020-\udfff\ue001]$", "\u{e001}", "\u{e000}"),
        // What stood around them makes no range, negation or set of its own.
        (r"^[a\ud800-\udfff-z]$", "-", "b"),
        (r"^[\ud800^a]$", "^", "b"),
        (r"^[a&\udfff&b]$", "&", "c"),
        (r"^[\d\ud800\]]$", "]", "a"),
        (r"^(?:a|[\ud800-\udbff])$", "a", "😀"),
        (r"^a*(?![\ud800-\udfff])$", "aa", "b"),
        (r"^[^\ud800]{2}$", "\n😀", "😀"),
    ] {
        assert!(matches(pattern, yes), "{pattern} {yes:?}");
        assert!(!matches(pattern, no), "{pattern} {no:?}");
    }
    assert!(!matches(r"[\ud800-\udfff]", "a😀"));
    // The characters that XML knows, spelt in halves.
    let pattern = r"^(?:[\t\n\r -\ud7ff\ue000-\ufffd]|[\ud800-\udbff][\udc00-\udfff])*$";
    assert!(matches(pattern, "plain, \u{1f600}\n\u{fffd}") && matches(pattern, ""));
    assert!(!matches(pattern, "\u{0}") && !matches(pattern, "\u{ffff}"));
}

#[test]
fn a_backslash_of_its_own_makes_no_half() {
    assert!(matches(r"^\\ud83d$", r"\ud83d"));
    assert!(matches(r"^[\\ud83d]+$", r"d\u38"));
}

#[test]
fn what_cannot_be_put_exactly_is_refused_by_pattern_and_reason() {
    for (pattern, reason) in [
        (r"^\ud83d$", "half of a surrogate pair stands alone (character 2)"),
        (r"\ud83d[\udc00-\udfff]*", "repeated without the first (character 22)"),
        (r"[\ud800-\udbff\udc00-\udfff]", "read as one character (character 9)"),
        (r"[a\ud800-\udbff][b\udc00-\udfff]", "reads in two ways"),
    ] {
        let fault = Options::default().compile(&json!({ "pattern": pattern })).unwrap_err();
        assert!(fault.contains(pattern) && fault.contains(reason), "{fault}");
    }
    // A class whose every other half counts would become half a million ranges.
    let lows: String = (0xdc00..0xe000).step_by(2).map(|low| format!("\\u{low:x}")).collect();
    let pattern = format!("[\\ud800-\\udbff][{lows}]");
    let fault = Options::default().compile(&json!({ "pattern": pattern })).unwrap_err();
    assert!(fault.contains("too many ranges"), "{fault}");
}

#[test]
fn only_what_is_a_pattern_is_rewritten() {
    let schema = json!({
        "patternProperties": {
            r"^\ud83d\ude00": { "type": "integer" },
            r"^\uD83D\uDE00": { "minimum": 3 },
        },
        "properties": {
            "pattern": { "const": { "pattern": r"\ud83d" } },
            "referred": { "$ref": "#/x-own/text" },
        },
        "additionalProperties": false,
        "x-own": { "text": { "pattern": r"^\ud83d\ude00$" }, "pattern": r"\ud83d" },
    });
    for document in [
        Options::default().compile(&schema).unwrap(),
        Options::default().document(&schema).unwrap().part("").unwrap(),
    ] {
        let is_valid = |value: Value| document.is_valid(&value);
        assert!(is_valid(json!({ "😀": 3, "pattern": { "pattern": r"\ud83d" } })));
        assert!(is_valid(json!({ "referred": "😀" })));
        assert!(!is_valid(json!({ "referred": "a" })));
        assert!(!is_valid(json!({ "😀": 2 })) && !is_valid(json!({ "😀": 3.5 })));
        assert!(!is_valid(json!({ "a": 3 })));
    }
}
