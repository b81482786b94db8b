//! Pairs whose verdict is known, one a line in `pairs/`: each must be reached, and each witness convinces two validators.

use crate::validators::confirm;
use serde_json::Value;
use toolcast_review::diff::{Settings, Verdict, compare};

fn hold(name: &str, lines: &str) {
    let mut wrong = Vec::new();
    for (at, line) in lines.lines().enumerate() {
        let pair: Value = serde_json::from_str(line).expect("a line is one pair");
        let (old, new) = (&pair["old"], &pair["new"]);
        let formats = pair["formats"] == Value::Bool(true);
        let settings = Settings { formats, ..Settings::default() };
        let said = match compare(old, new, &settings).strict {
            Verdict::Compatible(_) => "compatible",
            Verdict::Breaking(witness) => {
                confirm(name, old, new, &witness.value, formats);
                "breaking"
            }
            Verdict::Unproven(_) => "unproven",
        };
        if pair["expected"] != said {
            wrong.push(format!("{name}.jsonl:{}: {said}: {line}", at + 1));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn patterns() {
    hold("patterns", include_str!("pairs/patterns.jsonl"));
}

#[test]
fn formats() {
    hold("formats", include_str!("pairs/formats.jsonl"));
}

#[test]
fn numbers() {
    hold("numbers", include_str!("pairs/numbers.jsonl"));
}

#[test]
fn arrays() {
    hold("arrays", include_str!("pairs/arrays.jsonl"));
}

#[test]
fn members() {
    hold("members", include_str!("pairs/members.jsonl"));
}

#[test]
fn schemas_that_accept_nothing() {
    hold("nothing", include_str!("pairs/nothing.jsonl"));
}
