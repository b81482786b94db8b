//! What only a validator finds, and where it is said to stand.

use serde_json::{Map, Value, json};
use toolcast_contract::{Catalog, Limits, Sources};
use toolcast_review::check::check;

/// The findings on a contract, laid out over lines, as `line: message`.
fn findings(properties: &Value) -> Vec<String> {
    let contract = json!({"description": "D.", "type": "object", "properties": properties});
    let text = serde_json::to_vec_pretty(&contract).expect("a value has a text");
    let sources = Sources::from_files("schemas", [("t.json".into(), text)]);
    let (catalog, diagnostics) = Catalog::parse(&sources, &Limits::default());
    assert!(diagnostics.is_empty(), "{diagnostics:?}");
    let line = |found: &toolcast_contract::Diagnostic| found.position.map_or(0, |at| at.line);
    check(&catalog).iter().map(|found| format!("{}: {}", line(found), found.message)).collect()
}

#[test]
fn every_broken_pattern_is_told_where_it_stands_and_in_bounds() {
    let found = findings(&json!({
        "a": {"pattern": "\\p{Nope}"},
        "b": {"not": {"patternProperties": {"(?:a{999}){999}": true}}},
        "c": {"pattern": "^(?=.*[A-Z])\\w+$"},
        "d": {"pattern": "\\p{Nope}".repeat(3_000)},
        "e": {"pattern": "\u{1b}[2J]\\p{Nope}"},
    }));
    assert_eq!(found.len(), 4, "{found:?}");
    assert!(found[0].starts_with("6: `\\p{Nope}` is no regular expression"), "{found:?}");
    assert!(found[1].starts_with("11: `(?:a{999}){999}` is no regular expression"), "{found:?}");
    assert!(found.iter().all(|line| line.len() < 300 && !line.contains('\u{1b}')), "{found:?}");
}

#[test]
fn every_default_that_does_not_fit_is_told() {
    let found = findings(&json!({
        "a": {"type": "string", "format": "date", "default": "tomorrow"},
        "b": {"type": "string", "format": "date", "default": "2024-01-01"},
        "c": {"items": {"type": "string", "format": "email", "default": "me"}},
    }));
    assert_eq!(found.len(), 2, "{found:?}");
    assert!(found.iter().all(|line| line.contains("the default does not fit")), "{found:?}");
}

#[test]
fn defaults_are_looked_at_together() {
    let many: Map<_, _> = (0..4_000)
        .map(|at| (format!("p{at}"), json!({"type": "string", "minLength": 1, "default": "x"})))
        .collect();
    let started = std::time::Instant::now();
    assert_eq!(findings(&many.into()), Vec::<String>::new());
    assert!(started.elapsed().as_secs() < 20, "{:?}", started.elapsed());
}
