//! Texts of patterns and formats. The generator's validator has the last word on each.

use super::generate::Choices;
use regex_syntax::hir::{Class, ClassUnicode, Hir, HirKind};
use toolcast_schema::surrogate::without_surrogates;

/// Repetitions beyond the least that a pattern asks for.
const MORE: u32 = 3;
/// Characters of one text, whatever a pattern asks for.
const LONGEST: usize = 10_000;

/// A text that a pattern matches, but for what its look-arounds ask.
pub(super) fn of_pattern(pattern: &str, choices: &mut Choices) -> Option<String> {
    let pattern = without_surrogates(pattern).ok()?;
    let hir = regex_syntax::Parser::new().parse(&pattern).ok()?;
    let mut text = String::new();
    write(&hir, choices, &mut text);
    Some(text)
}

fn write(hir: &Hir, choices: &mut Choices, text: &mut String) {
    if text.len() > LONGEST {
        return;
    }
    match hir.kind() {
        HirKind::Empty | HirKind::Look(_) => {}
        HirKind::Literal(literal) => text.push_str(&String::from_utf8_lossy(&literal.0)),
        HirKind::Class(Class::Unicode(class)) => {
            // Plain characters where the class has some: a negated class begins with control characters.
            let plain: Vec<char> = ('0'..='z').filter(|char| holds(class, *char)).collect();
            match plain.get(choices.below(plain.len() as u64) as usize) {
                Some(char) => text.push(*char),
                None => text.extend(class.ranges().first().map(|range| range.start())),
            }
        }
        HirKind::Class(Class::Bytes(class)) => {
            if let Some(range) = class.ranges().first() {
                text.push(char::from(range.start()));
            }
        }
        HirKind::Repetition(repetition) => {
            let most = repetition.max.unwrap_or(u32::MAX).min(repetition.min.saturating_add(MORE));
            let times = repetition.min + choices.below(u64::from(most - repetition.min) + 1) as u32;
            for _ in 0..times.min(LONGEST as u32) {
                write(&repetition.sub, choices, text);
            }
        }
        HirKind::Capture(capture) => write(&capture.sub, choices, text),
        HirKind::Concat(parts) => parts.iter().for_each(|part| write(part, choices, text)),
        HirKind::Alternation(parts) => {
            write(&parts[choices.below(parts.len() as u64) as usize], choices, text);
        }
    }
}

fn holds(class: &ClassUnicode, char: char) -> bool {
    // Sorted: what begins behind the character does not hold it, and some classes have hundreds of ranges.
    let mut before = class.ranges().iter().take_while(|range| range.start() <= char);
    before.any(|range| char <= range.end())
}

/// A text of a known format.
pub(super) fn of_format(format: &str, choices: &mut Choices) -> Option<String> {
    let (one, two) = (choices.below(28) + 1, choices.below(24));
    Some(match format {
        "date-time" => format!("2024-02-{one:02}T{two:02}:30:00Z"),
        "date" => format!("2024-02-{one:02}"),
        "time" => format!("{two:02}:30:00Z"),
        "duration" => format!("P{one}DT{two}H"),
        "email" | "idn-email" => format!("user{one}@example.com"),
        "hostname" | "idn-hostname" => format!("host-{one}.example.com"),
        "ipv4" => format!("192.0.2.{one}"),
        "ipv6" => format!("2001:db8::{one:x}"),
        "uri" | "iri" => format!("https://example.com/{one}?q={two}"),
        "uri-reference" | "iri-reference" => format!("../path/{one}"),
        "uri-template" => "https://example.com/{id}".to_owned(),
        "uuid" => format!("123e4567-e89b-42d3-a456-4266141740{one:02}"),
        "json-pointer" => format!("/a/{one}"),
        "relative-json-pointer" => format!("{one}/a"),
        "regex" => "^[a-z]+$".to_owned(),
        _ => return None,
    })
}
