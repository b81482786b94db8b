//! Strings and numbers worth trying: the ends that either schema names, and steps to both sides of them.

use super::decimal::Decimal;
use super::document::length;
use super::evaluate::bounds;
use super::pattern::Patterns;
use serde_json::{Map, Value};

/// The longest string that is built.
const LONGEST: usize = 1 << 17;

type Parts<'a> = [&'a Map<String, Value>];

/// Valid and invalid examples of the formats that validators know.
const FORMATS: &[(&str, &[&str])] = &[
    ("date", &["2024-02-29", "2024-02-30"]),
    ("date-time", &["2024-02-29T12:00:00Z", "2024-02-29 12:00"]),
    ("time", &["12:00:00Z", "25:00"]),
    ("duration", &["P1D", "1 day"]),
    ("email", &["a@example.com", "nobody"]),
    ("idn-email", &["a@example.com", "nobody"]),
    ("hostname", &["example.com", "-bad-.example"]),
    ("idn-hostname", &["example.com", "-bad-.example"]),
    ("ipv4", &["192.0.2.1", "256.0.0.1"]),
    ("ipv6", &["2001:db8::1", "12345::"]),
    ("uri", &["https://example.com/a", "no uri"]),
    ("uri-reference", &["/a?b", "\\\\bad"]),
    ("iri", &["https://example.com/a", "no iri"]),
    ("iri-reference", &["/a?b", "\\\\bad"]),
    ("uri-template", &["https://example.com/{id}", "{"]),
    ("uuid", &["2eb8aa08-aa98-11ea-b4aa-73b441d16380", "not-a-uuid"]),
    ("json-pointer", &["/a/b", "a"]),
    ("relative-json-pointer", &["1/a", "/a"]),
    ("regex", &["^a+$", "("]),
];

/// Strings that many schemas tell apart.
const PLAIN: &[&str] =
    &["a", "", "A", "0", "aa", "-", " ", "_", "\n", "é", "a b", "\u{1F600}", "true", "null"];

/// Strings for a value of which `old` demands and both sides speak.
pub(super) fn strings(old: &Parts<'_>, both: &Parts<'_>, patterns: &Patterns) -> Vec<String> {
    let mut lengths: Vec<usize> = Vec::new();
    for part in both {
        for keyword in ["minLength", "maxLength"] {
            if let Some(limit) = length(part, keyword) {
                lengths.extend([limit, limit.saturating_add(1), limit.saturating_sub(1)]);
            }
        }
    }
    lengths.retain(|length| *length <= LONGEST);
    lengths.sort_unstable();
    lengths.dedup();
    lengths.truncate(24);

    let mut found: Vec<String> = Vec::new();
    for part in both {
        for text in literals(part).filter_map(Value::as_str) {
            found.push(text.to_owned());
        }
    }
    for part in old.iter().chain(both) {
        if let Some(pattern) = part.get("pattern").and_then(Value::as_str) {
            let room = lengths.iter().copied().filter(|length| *length <= 4_096);
            found.extend(patterns.samples(pattern, &room.collect::<Vec<_>>()));
        }
        if let Some(format) = part.get("format").and_then(Value::as_str) {
            let examples = FORMATS.iter().filter(|(name, _)| *name == format);
            found.extend(examples.flat_map(|(_, examples)| *examples).map(ToString::to_string));
        }
    }
    dedup(&mut found);
    // Two demanded patterns are sometimes met by one string after the other.
    let mut seeds: Vec<String> = found.iter().take(6).cloned().collect();
    let pairs: Vec<String> = seeds
        .iter()
        .flat_map(|left| {
            seeds.iter().filter(move |right| *right != left).map(move |right| (left, right))
        })
        .map(|(left, right)| format!("{left}{right}"))
        .collect();
    found.extend(pairs.iter().cloned());
    // Plain letters of just the right length explain themselves better than whatever else is as long.
    found.extend(lengths.iter().filter(|length| **length <= 64).map(|length| "a".repeat(*length)));
    found.extend(PLAIN.iter().map(ToString::to_string));
    seeds.extend(pairs.into_iter().take(6));
    for seed in &seeds {
        found.extend([format!("{seed}x"), format!("x{seed}"), seed.to_uppercase()]);
        found.push(seed.chars().skip(1).collect());
    }
    for wanted in &lengths {
        // Long strings are few: they cost memory, and what they show is their length.
        let seeds = if *wanted > 1_024 { &seeds[..seeds.len().min(1)] } else { &seeds };
        for seed in seeds {
            let has = seed.chars().count();
            if has < *wanted {
                let last = seed.chars().last().unwrap_or('a');
                found.push(seed.chars().chain(std::iter::repeat_n(last, wanted - has)).collect());
            }
        }
        found.push("a".repeat(*wanted));
        if *wanted <= 1_024 {
            found.push("\n".repeat(*wanted));
        }
    }
    dedup(&mut found);
    found
}

/// Numbers for a value of which `old` demands and both sides speak.
pub(super) fn numbers(old: &Parts<'_>, both: &Parts<'_>) -> Vec<Value> {
    let mut ends: Vec<Decimal> = Vec::new();
    for part in both.iter().take(64) {
        ends.extend(bounds(part).into_iter().map(|(limit, _, _)| limit));
        ends.extend(literals(part).take(64).filter_map(Decimal::of_value));
    }
    let divisors = |parts: &Parts<'_>| -> Vec<Decimal> {
        let all = parts.iter().filter_map(|part| part.get("multipleOf"));
        all.filter_map(Decimal::of_value).take(8).collect()
    };
    let demanded = divisors(old);
    let spoken = divisors(both);
    let one = Decimal::integer(1);
    let mut points: Vec<Decimal> = Vec::new();
    let mut add = |point: Option<Decimal>| points.extend(point);
    for divisor in demanded.iter().chain(&spoken) {
        for factor in [1, 2, 3, 5, 7, -1] {
            add(divisor.times(factor));
        }
        for end in &ends {
            let fits = end.quotient(*divisor).unwrap_or(0);
            for step in [-1, 0, 1] {
                add(fits.checked_add(step).and_then(|count| divisor.times(count)));
            }
        }
        add(divisor.half());
    }
    for end in &ends {
        add(Some(*end));
        add(end.plus(one));
        add(end.plus(Decimal::integer(-1)));
        add(one.half().and_then(|half| end.plus(half)));
        add(Decimal::integer(-1).half().and_then(|half| end.plus(half)));
        for other in ends.iter().take(8) {
            add(end.plus(*other).and_then(Decimal::half));
        }
    }
    // Products of divisors meet conjunctions of them.
    for left in &demanded {
        for right in &demanded {
            if let Some(value) = left.to_value().as_ref().and_then(Value::as_i64) {
                add(right.times(value));
            }
        }
    }
    for point in [0, 1, -1, 2, 3, 10, 100, 1_000_000, -1_000_000] {
        add(Some(Decimal::integer(point)));
    }
    add(one.half());
    add(one.half().and_then(|half| half.plus(one)));
    for divisor in demanded.iter().chain(&spoken) {
        for factor in [11, 13, 17, 101, 1009] {
            add(divisor.times(factor));
        }
    }
    let mut found: Vec<Value> = Vec::new();
    for value in points.into_iter().filter_map(Decimal::to_value) {
        if !found.contains(&value) {
            found.push(value);
        }
    }
    // Numbers that no decimal arithmetic of ours reaches still stand in some schemas.
    for part in both {
        for keyword in ["minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum"] {
            if let Some(value) = part.get(keyword).filter(|value| value.is_number()) {
                found.push(value.clone());
            }
        }
    }
    found.push(Value::from(1e20));
    found.push(Value::from(-1e20));
    found
}

/// The values that a schema object spells out.
pub(super) fn literals(part: &Map<String, Value>) -> impl Iterator<Item = &Value> {
    let options = part.get("enum").and_then(Value::as_array).into_iter().flatten();
    part.get("const").into_iter().chain(options)
}

fn dedup(texts: &mut Vec<String>) {
    let mut seen = std::collections::HashSet::new();
    texts.retain(|text| seen.insert(text.clone()));
}
