//! Schemas of strings, decided: what a schema says of a string is a combination of regular languages and lengths, and
//! whether such a combination holds of any text can be computed. What is not regular stays unknown, and an argument reads
//! that against itself.

mod alphabet;
mod automaton;
mod expression;
mod format;
mod search;

use super::dialect::Dialect;
use super::document::{Document, length};
use super::truth::{Formula, Truth};
use serde_json::{Map, Value};
use std::cell::RefCell;
use std::collections::{BTreeSet, HashMap};
use std::rc::Rc;

pub(super) use search::Found;

/// References and applicators that one formula follows.
const DEPTH: u32 = 48;
/// Parts of one formula.
const PARTS: u32 = 4_000;
/// Characters of the literals of one schema.
const LITERALS: usize = 100_000;

/// One thing that is said of a text.
#[derive(Clone, Debug)]
pub(super) enum Atom {
    /// A regular expression (in the words of the engine) matches somewhere.
    Matches(Rc<str>),
    AtLeast(usize),
    AtMost(usize),
    /// It has a format that the validator asserts.
    Format(Rc<str>),
    /// It is one of these.
    OneOf(Rc<BTreeSet<String>>),
}

/// Languages, each compiled once.
#[derive(Default)]
pub(super) struct Languages {
    automata: RefCell<HashMap<Rc<str>, Option<Rc<automaton::Automaton>>>>,
    answers: RefCell<HashMap<String, Found>>,
}

/// What a text must satisfy.
pub(super) type Text = Formula<Atom>;

impl Languages {
    fn automaton(&self, expression: &Rc<str>) -> Option<Rc<automaton::Automaton>> {
        if let Some(known) = self.automata.borrow().get(expression) {
            return known.clone();
        }
        let built = automaton::Automaton::new(expression).map(Rc::new);
        self.automata.borrow_mut().insert(Rc::clone(expression), built.clone());
        built
    }

    /// A text of which `one` holds and `other` does not.
    pub(super) fn difference(&self, one: &Text, other: &Text) -> Found {
        // The same question comes again for each alternative around it.
        let question = format!("{one:?} but {other:?}");
        if let Some(known) = self.answers.borrow().get(&question) {
            return known.clone();
        }
        let found = search::difference(self, one, other);
        self.answers.borrow_mut().insert(question, found.clone());
        found
    }

    /// Whether every text of which `one` holds is one of which `other` holds.
    pub(super) fn within(&self, one: &Text, other: &Text) -> bool {
        self.difference(one, other) == Found::Nothing
    }

    /// Whether no text satisfies the formula.
    pub(super) fn is_empty(&self, one: &Text) -> bool {
        self.within(one, &Formula::NO)
    }
}

/// What a pattern says of a text.
pub(super) fn pattern(pattern: &str) -> Text {
    expression::formula(pattern)
}

/// What schema objects say together of a text.
pub(super) fn all_of(
    document: Document<'_>,
    dialect: Dialect,
    parts: &[&Map<String, Value>],
) -> Text {
    let mut reader = Reader { document, dialect, left: PARTS };
    Formula::All(parts.iter().map(|part| reader.object(part, DEPTH)).collect())
}

/// What a schema says of a text.
pub(super) fn text(document: Document<'_>, dialect: Dialect, schema: &Value) -> Text {
    Reader { document, dialect, left: PARTS }.schema(schema, DEPTH)
}

struct Reader<'a> {
    document: Document<'a>,
    dialect: Dialect,
    left: u32,
}

impl<'a> Reader<'a> {
    fn schema(&mut self, schema: &'a Value, depth: u32) -> Text {
        match schema {
            Value::Bool(all) => Formula::Known(Truth::of(*all)),
            Value::Object(schema) => self.object(schema, depth),
            _ => Formula::UNKNOWN,
        }
    }

    fn object(&mut self, schema: &'a Map<String, Value>, depth: u32) -> Text {
        let (Some(depth), Some(left)) = (depth.checked_sub(1), self.left.checked_sub(1)) else {
            return Formula::UNKNOWN;
        };
        self.left = left;
        let mut all = Vec::new();
        if let Some(reference) = self.document.reference(schema) {
            let target = self.document.target(reference);
            all.push(target.map_or(Formula::UNKNOWN, |target| self.schema(target, depth)));
            if !self.document.reads_siblings() {
                return Formula::All(all);
            }
        }
        for (keyword, value) in schema {
            match keyword.as_str() {
                "type" => all.push(Formula::Known(Truth::of(match value {
                    Value::Array(names) => names.iter().any(|name| name == "string"),
                    name => name == "string",
                }))),
                "const" => all.push(one_of([value])),
                "enum" => all.push(value.as_array().map_or(Formula::UNKNOWN, one_of)),
                "minLength" | "maxLength" => {
                    let atom = if keyword == "minLength" { Atom::AtLeast } else { Atom::AtMost };
                    let limit = length(schema, keyword);
                    all.push(limit.map_or(Formula::UNKNOWN, |limit| Formula::Atom(atom(limit))));
                }
                "pattern" => all.push(value.as_str().map_or(Formula::UNKNOWN, pattern)),
                "format" if self.dialect.formats => {
                    all.push(value.as_str().map_or(Formula::UNKNOWN, |name| {
                        Formula::Atom(Atom::Format(Rc::from(name)))
                    }));
                }
                "contentEncoding" | "contentMediaType" | "$dynamicRef" | "$recursiveRef" => {
                    all.push(Formula::UNKNOWN);
                }
                "allOf" => all.push(Formula::All(self.list(value, depth))),
                "anyOf" => all.push(Formula::Any(self.list(value, depth))),
                "oneOf" => all.push(Formula::One(self.list(value, depth))),
                "not" => all.push(self.schema(value, depth).not()),
                "if" => {
                    let condition = self.schema(value, depth);
                    let mut branch = |keyword: &str| {
                        let branch = schema.get(keyword);
                        branch.map_or(Formula::YES, |branch| self.schema(branch, depth))
                    };
                    let (then, otherwise) = (branch("then"), branch("else"));
                    all.push(Formula::choice(condition, then, otherwise));
                }
                _ => {}
            }
        }
        Formula::All(all)
    }

    fn list(&mut self, branches: &'a Value, depth: u32) -> Vec<Text> {
        let branches = branches.as_array().into_iter().flatten();
        branches.map(|branch| self.schema(branch, depth)).collect()
    }
}

/// That a text is one of these values.
pub(super) fn one_of<'v>(values: impl IntoIterator<Item = &'v Value>) -> Text {
    let texts: BTreeSet<String> =
        values.into_iter().filter_map(Value::as_str).map(ToOwned::to_owned).collect();
    if texts.is_empty() {
        Formula::NO
    } else if texts.iter().map(String::len).sum::<usize>() > LITERALS {
        Formula::UNKNOWN
    } else {
        Formula::Atom(Atom::OneOf(Rc::new(texts)))
    }
}
