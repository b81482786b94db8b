//! Whether a value that stands in a contract, such as a default, fits its schema, and in a few words why not. Where that
//! needs a library it is not known: build scripts ask this, and never hear of a misfit that is none.

use crate::evaluate::{
    Answer, Bounds, Detail, Failure, Indexed, Observer, Oracle, Part, Step, evaluate,
};
use crate::finding::{printable, shown};
use crate::form::count;
use crate::index::{Index, Location};
use serde_json::Value;

/// Whether a value fits.
#[derive(Clone, Debug, PartialEq)]
pub enum Fit {
    /// It certainly does.
    Yes,
    /// It certainly does not, for this reason.
    No(String),
    /// It may or may not.
    Unknown,
}

/// What one question may take: chains of references that double must not take forever.
const STEPS: u64 = 20_000;
/// What all questions of one run may take.
pub const ALL_STEPS: usize = 20_000_000;
/// How deep one question may follow references: a cycle that consumes nothing has no answer.
const DEPTH: usize = 64;

/// Whether `value` fits the schema at `location`; `left` are the steps that all questions together may still take.
pub fn fits(index: &Index, location: &Location, value: &Value, left: &mut usize) -> Fit {
    let Some(schema) = index.value(location) else { return Fit::Unknown };
    let given = STEPS.min(*left as u64);
    let mut bounds = Bounds::new(given, DEPTH);
    let place = Indexed::new(index, location.clone());
    let mut reason = Reason::default();
    let answer =
        evaluate(&index, &place, schema, value, &mut PlainPatterns, &mut reason, &mut bounds);
    *left = left.saturating_sub((given - bounds.steps) as usize);
    match (answer, reason.first) {
        (Answer::Yes, _) => Fit::Yes,
        (Answer::No, Some(reason)) => Fit::No(reason),
        _ => Fit::Unknown,
    }
}

/// The first failure that is not that of a branch alone, in words.
#[derive(Default)]
struct Reason {
    first: Option<String>,
    /// Branches and names within each other that are being looked at.
    within: usize,
}

impl Observer<'_> for Reason {
    fn failed(&mut self, failure: &Failure<'_, '_>) {
        if self.within == 0 && self.first.is_none() {
            self.first = Some(placed(failure));
        }
    }

    fn begins(&mut self, part: Part) {
        self.within += usize::from(!matches!(part, Part::Member { .. }));
    }

    fn ends(&mut self, part: Part, _: &Value, _: Answer) {
        self.within -= usize::from(!matches!(part, Part::Member { .. }));
    }
}

/// A failure, and the way to it.
fn placed(failure: &Failure<'_, '_>) -> String {
    let steps = failure.instance.steps();
    let (steps, reason) = match (failure.keyword, failure.detail, steps.split_last()) {
        (
            "additionalProperties" | "unevaluatedProperties",
            Detail::Plain,
            Some((Step::Key(name), before)),
        ) => (before, format!("its `{}` is not declared", printable(name))),
        ("propertyNames", _, Some((Step::Key(name), before))) => {
            (before, format!("its member's name `{}` is not allowed", printable(name)))
        }
        _ => (&steps[..], reason(failure)),
    };
    let way = steps.iter().map(|step| match step {
        Step::Key(name) => format!("its `{}` does not fit: ", printable(name)),
        Step::Index(position) => format!("its element {position} does not fit: "),
    });
    way.chain([reason]).collect()
}

fn reason(failure: &Failure<'_, '_>) -> String {
    let argument = failure.argument;
    match (failure.keyword, failure.detail) {
        (_, Detail::Missing { name, beside: None }) => {
            format!("it lacks the required `{}`", printable(name))
        }
        (_, Detail::Missing { name, beside: Some(other) }) => {
            format!("it lacks `{}`, wanted beside `{}`", printable(name), printable(other))
        }
        (_, Detail::AtMost(most)) => {
            let size = failure.value.as_array().map_or(0, Vec::len);
            format!("it has {size} elements, at most {most} are wanted")
        }
        ("type", _) => {
            let names = match argument {
                Value::Array(names) => names.iter().filter_map(Value::as_str).collect(),
                one => one.as_str().into_iter().collect::<Vec<_>>(),
            };
            format!("its type is not {}", names.join(" or "))
        }
        ("const", _) => format!("it is not {}", shown(argument)),
        ("enum", _) => format!("it is none of {}", shown(argument)),
        ("false", _) => "nothing fits `false`".to_owned(),
        ("minimum", _) => format!("it is below the minimum {argument}"),
        ("maximum", _) => format!("it is above the maximum {argument}"),
        ("exclusiveMinimum", _) => format!("it is not above {argument}"),
        ("exclusiveMaximum", _) => format!("it is not below {argument}"),
        ("multipleOf", _) => format!("it is not a multiple of {argument}"),
        ("pattern", _) => format!("it does not match the pattern {}", shown(argument)),
        ("uniqueItems", _) => "some of its elements are the same".to_owned(),
        ("not", _) => "it is what `not` excludes".to_owned(),
        ("oneOf", Detail::Fitting(2..)) => "it fits more than one branch of `oneOf`".to_owned(),
        ("contains", Detail::Fitting(fitting)) => {
            format!("{fitting} of its elements are what `contains` counts")
        }
        (union @ ("anyOf" | "oneOf"), _) => format!("it fits no branch of `{union}`"),
        (keyword, _) => size(keyword, failure),
    }
}

fn size(keyword: &str, failure: &Failure<'_, '_>) -> String {
    let (size, of) = match failure.value {
        Value::String(text) => (text.chars().count(), "characters"),
        Value::Array(elements) => (elements.len(), "elements"),
        Value::Object(members) => (members.len(), "members"),
        _ => return format!("`{keyword}` refuses it"),
    };
    let Some(limit) = failure.argument.as_number().and_then(count) else {
        return format!("`{keyword}` refuses it");
    };
    let least_or_most = if keyword.starts_with("min") { "least" } else { "most" };
    format!("it has {size} {of}, at {least_or_most} {limit} are wanted")
}

/// Knows patterns that are literal text, perhaps anchored at either end.
struct PlainPatterns;

impl Oracle for PlainPatterns {
    fn pattern(&mut self, pattern: &str, text: &str) -> Answer {
        let (start, rest) = match pattern.strip_prefix('^') {
            Some(rest) => (true, rest),
            None => (false, pattern),
        };
        let (end, literal) = match rest.strip_suffix('$') {
            Some(rest) => (true, rest),
            None => (false, rest),
        };
        let is_plain = |char: char| {
            char.is_alphanumeric() || matches!(char, ' ' | '_' | '-' | ':' | '@' | '#')
        };
        if !literal.chars().all(is_plain) {
            return Answer::Unknown;
        }
        let matches = match (start, end) {
            (true, true) => text == literal,
            (true, false) => text.starts_with(literal),
            (false, true) => text.ends_with(literal),
            (false, false) => text.contains(literal),
        };
        matches.into()
    }
}
