//! The strict parser, held against `serde_json` and against what people get wrong.

use super::*;

fn fault(text: &str) -> (usize, usize, String) {
    let fault = parse(text, 8).expect_err("the text is broken");
    (fault.position.line, fault.position.column, fault.message)
}

#[test]
fn values_agree_with_serde_json() {
    for text in [
        "{}",
        "[]",
        " [1, -0, 0.5, 1e2, -1.5E-3, 18446744073709551615, 18446744073709551616] ",
        r#"{"a":{"b":[true,false,null,"x\u00e9\ud83d\ude00\n\"\\\/"]},"":1}"#,
    ] {
        let expected: Value = serde_json::from_str(text).expect("valid");
        assert_eq!(parse(text, 8).expect("valid").value, expected, "{text}");
    }
}

#[test]
fn places_count_characters() {
    let text = "{\n  \"é\": [1, \"ü\", {\"k\": 2}]\n}";
    let parsed = parse(text, 8).expect("valid");
    let at = |pointer, end| {
        let p = parsed.places.locate(&parsed.value, pointer, end);
        (p.line, p.column)
    };
    assert_eq!(at("/é", End::Key), (2, 3));
    assert_eq!(at("/é", End::Value), (2, 8));
    assert_eq!(at("/é/2/k", End::Key), (2, 18));
    assert_eq!(at("/é/9", End::Value), (2, 8));
}

#[test]
fn faults_say_where() {
    assert_eq!(fault("{\"a\": 1,}"), (1, 9, "a comma stands before `}`".into()));
    assert_eq!(fault("{\n 'a': 1}").0, 2);
    assert!(fault("[01]").2.contains("zero"));
    assert!(fault("\"\\ud800\"").2.contains("surrogate"));
    assert!(fault("1e400").2.contains("64-bit"));
    assert!(fault("[[[[[[[[[1]]]]]]]]]").2.contains("deeper than 8"));
    assert!(fault("// no\n{}").2.contains("no comments"));
    assert!(fault("").2.contains("end of the file"));
    assert!(fault("{} x").2.contains("expected the end"));
}

#[test]
fn every_duplicate_is_reported() {
    let parsed = parse(r#"{"a":1,"a":2,"b":{"c":1,"c":2},"a":3}"#, 8).expect("valid");
    assert_eq!(parsed.duplicates.len(), 3);
    assert_eq!(parsed.value["a"], 1);
}
