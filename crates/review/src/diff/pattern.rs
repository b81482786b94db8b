//! Patterns: whether one matches, whether two are the same, and strings that show each of a pattern's choices.
//!
//! All three go through the translation that the validator uses. A pattern that the linear engine does not take (look-
//! around, back-references) is `None` everywhere: nothing is claimed of it.

use regex_syntax::hir::{Class, Hir, HirKind};
use std::cell::RefCell;
use std::collections::HashMap;
use std::rc::Rc;
use toolcast_schema::surrogate::without_surrogates;

/// Strings one pattern may contribute.
const SAMPLES: usize = 160;
/// The longest sample, in characters.
const LONGEST: usize = 4_096;
/// A compiled pattern's size in memory.
const SIZE_LIMIT: usize = 1 << 20;

struct Pattern {
    regex: regex::Regex,
    hir: Hir,
}

/// Compiled patterns, each compiled once.
#[derive(Default)]
pub(super) struct Patterns {
    compiled: RefCell<HashMap<String, Option<Rc<Pattern>>>>,
}

impl Patterns {
    fn get(&self, pattern: &str) -> Option<Rc<Pattern>> {
        if let Some(known) = self.compiled.borrow().get(pattern) {
            return known.clone();
        }
        let compiled = compile(pattern).map(Rc::new);
        self.compiled.borrow_mut().insert(pattern.to_owned(), compiled.clone());
        compiled
    }

    /// Whether the pattern matches somewhere in the text; `None` where the engine cannot say.
    pub(super) fn matches(&self, pattern: &str, text: &str) -> Option<bool> {
        self.get(pattern).map(|pattern| pattern.regex.is_match(text))
    }

    /// Whether the two are spellings of one expression.
    pub(super) fn same(&self, left: &str, right: &str) -> bool {
        if left == right {
            return true;
        }
        match (self.get(left), self.get(right)) {
            (Some(left), Some(right)) => left.hir == right.hir,
            _ => false,
        }
    }

    /// Whether the pattern matches every text.
    pub(super) fn is_trivial(&self, pattern: &str) -> bool {
        self.get(pattern).is_some_and(|pattern| always_matches(&pattern.hir))
    }

    /// Strings that the pattern probably matches: the default choice everywhere, then each other choice alone.
    /// `lengths` are the lengths worth reaching with open-ended repetitions.
    pub(super) fn samples(&self, pattern: &str, lengths: &[usize]) -> Vec<String> {
        let Some(compiled) = self.get(pattern) else {
            let plain = without_surrogates(pattern).unwrap_or_default();
            return jsonschema_regex::pattern_witness(&plain).into_iter().collect();
        };
        let mut samples = Vec::new();
        let mut first = Sampler::new(usize::MAX, 0, lengths);
        first.write(&compiled.hir);
        let arities = first.arities.clone();
        samples.push(first.text);
        'all: for (choice, arity) in arities.into_iter().enumerate() {
            for option in 1..arity {
                if samples.len() >= SAMPLES {
                    break 'all;
                }
                let mut sampler = Sampler::new(choice, option, lengths);
                sampler.write(&compiled.hir);
                if !samples.contains(&sampler.text) {
                    samples.push(sampler.text);
                }
            }
        }
        samples
    }
}

fn compile(pattern: &str) -> Option<Pattern> {
    let plain = without_surrogates(pattern).ok()?;
    let translated = jsonschema_regex::to_rust_regex(&plain).ok()?;
    let regex = regex::RegexBuilder::new(&translated).size_limit(SIZE_LIMIT).build().ok()?;
    let hir = regex_syntax::ParserBuilder::new().nest_limit(128).build().parse(&translated).ok()?;
    Some(Pattern { regex, hir })
}

fn always_matches(hir: &Hir) -> bool {
    match hir.kind() {
        HirKind::Empty => true,
        HirKind::Repetition(repetition) => repetition.min == 0 || always_matches(&repetition.sub),
        HirKind::Capture(capture) => always_matches(&capture.sub),
        HirKind::Alternation(branches) => branches.iter().any(always_matches),
        HirKind::Concat(_) | HirKind::Literal(_) | HirKind::Class(_) | HirKind::Look(_) => false,
    }
}

/// Writes one string; all choices take their default but one.
struct Sampler<'a> {
    text: String,
    arities: Vec<usize>,
    choice: usize,
    option: usize,
    lengths: &'a [usize],
}

impl<'a> Sampler<'a> {
    fn new(choice: usize, option: usize, lengths: &'a [usize]) -> Self {
        Self { text: String::new(), arities: Vec::new(), choice, option, lengths }
    }

    fn choose(&mut self, arity: usize) -> usize {
        let index = self.arities.len();
        // Choices inside a repetition are counted once each; a long one must not drown the rest.
        if index < 4_096 {
            self.arities.push(arity);
        }
        if index == self.choice { self.option.min(arity.saturating_sub(1)) } else { 0 }
    }

    fn write(&mut self, hir: &Hir) {
        if self.text.len() > LONGEST * 4 {
            return;
        }
        match hir.kind() {
            HirKind::Empty | HirKind::Look(_) => {}
            HirKind::Literal(literal) => {
                self.text.push_str(&String::from_utf8_lossy(&literal.0));
            }
            HirKind::Class(class) => {
                let options = characters(class);
                if !options.is_empty() {
                    let index = self.choose(options.len());
                    self.text.push(options[index]);
                }
            }
            HirKind::Capture(capture) => self.write(&capture.sub),
            HirKind::Concat(parts) => parts.iter().for_each(|part| self.write(part)),
            HirKind::Alternation(branches) => {
                let index = self.choose(branches.len());
                self.write(&branches[index]);
            }
            HirKind::Repetition(repetition) => {
                let min = repetition.min as usize;
                let max = repetition.max.map_or(LONGEST, |max| (max as usize).min(LONGEST));
                let mut counts = vec![min];
                let written = self.text.chars().count();
                let reach = self
                    .lengths
                    .iter()
                    .flat_map(|length| [length.saturating_sub(written), *length]);
                for count in [min + 1, min + 2, max.min(min + 24), max].into_iter().chain(reach) {
                    // An open end is not worth its thousands of characters unless a length asks.
                    let asked = repetition.max.is_some() || count < LONGEST;
                    if count >= min && count <= max && asked && !counts.contains(&count) {
                        counts.push(count);
                    }
                }
                let index = self.choose(counts.len());
                for _ in 0..counts[index] {
                    self.write(&repetition.sub);
                }
            }
        }
    }
}

/// Characters that show a class: a plain one first, then punctuation, then the ends of its ranges.
fn characters(class: &Class) -> Vec<char> {
    let Class::Unicode(class) = class else { return Vec::new() };
    let holds = |c: char| class.ranges().iter().any(|range| range.start() <= c && c <= range.end());
    let mut options: Vec<char> = "a0A_- ./:@z9Z+,\n\té".chars().filter(|c| holds(*c)).collect();
    for range in class.ranges().iter().take(12) {
        for end in [range.start(), range.end()] {
            if !options.contains(&end) && options.len() < 24 {
                options.push(end);
            }
        }
    }
    options
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn samples_match_their_pattern_and_show_each_choice() {
        let patterns = Patterns::default();
        for pattern in [
            "^(red|green|blue)$",
            "^[a-z]{2,5}$",
            r"^\d{3}-\d{4}$",
            "^[A-Z][a-z0-9_]*$",
            ".+",
            "^a|b$",
        ] {
            let samples = patterns.samples(pattern, &[3, 12]);
            assert!(!samples.is_empty());
            for sample in samples {
                assert_eq!(patterns.matches(pattern, &sample), Some(true), "{pattern} {sample:?}");
            }
        }
        let samples = patterns.samples("^(red|green|blue)$", &[]);
        assert_eq!(samples, ["red", "green", "blue"]);
    }

    #[test]
    fn spellings_of_one_expression_are_the_same() {
        let patterns = Patterns::default();
        assert!(patterns.same(".+", ".{1,}"));
        assert!(patterns.same("^[0-9]+$", r"^\d+$"));
        assert!(patterns.same(r"^[\ud83c\udf00-\ud83c\udfff]$", r"^\ud83c[\udf00-\udfff]$"));
        assert!(!patterns.same("^a$", "^b$"));
        assert!(patterns.is_trivial(""));
        assert!(patterns.is_trivial(".*"));
        assert!(!patterns.is_trivial("^$"));
        assert_eq!(patterns.matches("(?=a)b", "ab"), None);
    }
}
