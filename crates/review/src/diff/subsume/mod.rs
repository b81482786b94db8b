//! A second argument for compatibility, independent of the canonical form: each constraint of the new schema follows from
//! constraints of the old one.
//!
//! Everything here errs to one side: the old schema is read as accepting at least what it accepts, and a constraint that
//! is not shown to follow fails the argument. Recursion is closed by induction over the value, so a cycle counts as shown
//! only where it steps into a child.

mod arrays;
mod disjoint;
mod members;
mod objects;
mod scalars;

use super::dialect::Dialect;
use super::document::Document;
use super::equality::Equality;
use super::evaluate::bounds;
use super::generate::Tools;
use super::limits::abandoned;
use super::numbers::{Line, Number};
use super::pattern::Patterns;
use super::shape::Shape;
use super::strings::{self, Languages, Text};
use super::truth::Formula;
use super::types::Types;
use super::verdict::Rules;
use jsonschema::Validator;
use serde_json::{Map, Value};
use std::cell::{Cell, RefCell};
use std::cmp::Ordering;
use std::collections::HashMap;
use std::rc::Rc;

/// Questions that one argument may ask.
const QUESTIONS: u32 = 50_000;
/// Alternatives of one old subschema.
const ALTERNATIVES: usize = 256;
/// Values of elements that are listed to count them.
const LISTED: usize = 512;
/// How deep contradictions are looked for.
const HOPES: u32 = 3;
/// How deep the argument descends.
const DEPTH: u32 = 1_200;

type Schema = Map<String, Value>;

/// The argument about one pair of documents.
pub(super) struct Subsumption<'a> {
    old: Document<'a>,
    new: Document<'a>,
    dialect: Dialect,
    patterns: &'a Patterns,
    languages: &'a Languages,
    equality: Equality<'a>,
    questions: Cell<u32>,
    hopes: Cell<u32>,
    rules: Cell<Rules>,
    active: RefCell<Vec<Assumption>>,
    validators: RefCell<HashMap<usize, Option<Rc<Validator>>>>,
}

struct Assumption {
    question: (Vec<usize>, usize),
    /// How many steps into children were taken before it was asked.
    level: u32,
}

/// What is known of a value: all parts of a shape hold of it, and it has this one type.
#[derive(Clone, Copy)]
struct Known<'s, 'a> {
    shape: &'s Shape<'a>,
    kind: Types,
}

impl<'a> Subsumption<'a> {
    pub(super) fn new(old: Document<'a>, new: Document<'a>, tools: &'a Tools) -> Self {
        let Tools { dialect, patterns, languages } = tools;
        Self {
            old,
            new,
            dialect: *dialect,
            patterns,
            languages,
            equality: Equality::new(old, new),
            questions: Cell::new(QUESTIONS),
            hopes: Cell::new(HOPES),
            rules: Cell::default(),
            active: RefCell::default(),
            validators: RefCell::default(),
        }
    }

    /// The rules by which the argument goes through, where it does; rules of attempts that came to nothing are among them.
    pub(super) fn holds(&self) -> Option<Rules> {
        let holds = self.implies(&[self.old.root], self.new.root, 0, 0) && !abandoned();
        holds.then(|| self.rules.get())
    }

    /// Notes that a rule decided something.
    fn by(&self, rule: Rules, shown: bool) -> bool {
        if shown {
            self.rules.set(self.rules.get().and(rule));
        }
        shown
    }

    fn spent(&self) -> bool {
        let left = self.questions.get();
        self.questions.set(left.saturating_sub(1));
        left == 0 || abandoned()
    }

    /// Whether every value that all of `old` accept is accepted by `new`.
    fn implies(&self, old: &[&'a Value], new: &'a Value, depth: u32, level: u32) -> bool {
        if new == &Value::Bool(true) || old.iter().any(|schema| **schema == Value::Bool(false)) {
            return true;
        }
        if self.spent() || depth >= DEPTH {
            return false;
        }
        if old.iter().any(|schema| self.same(schema, new)) {
            return self.by(Rules::WRITTEN_ALIKE, true);
        }
        let question = (addresses(old), std::ptr::from_ref(new) as usize);
        if let Some(assumed) = self.active.borrow().iter().find(|a| a.question == question) {
            return self.by(Rules::RECURSION, assumed.level < level);
        }
        self.active.borrow_mut().push(Assumption { question, level });
        let shown = self.old.all_shapes(old, ALTERNATIVES).is_some_and(|shapes| {
            shapes.iter().all(|shape| {
                Types::EACH
                    .into_iter()
                    .all(|kind| self.follows(Known { shape, kind }, new, depth + 1, level))
            })
        });
        self.active.borrow_mut().pop();
        shown
    }

    /// Whether both schemas are written alike and mean the same where they stand.
    fn same(&self, old: &Value, new: &Value) -> bool {
        self.equality.same(old, new)
    }

    /// What is known of a value that is a text.
    fn known_text(&self, known: Known<'_, 'a>) -> Text {
        let mut all = vec![strings::all_of(self.old, self.dialect, &known.shape.parts)];
        let nots = known.shape.nots.iter();
        all.extend(nots.map(|not| strings::text(self.old, self.dialect, not).not()));
        Formula::All(all)
    }

    /// What the parts leave of the type under consideration.
    fn possible(&self, known: Known<'_, 'a>) -> bool {
        if !self.has_types(known) {
            return false;
        }
        if known.kind == Types::STRING {
            return !self.languages.is_empty(&self.known_text(known));
        }
        if known.kind.within(Types::NUMBER) {
            let line = Line { document: self.old, kind: known.kind };
            return !line.within(&known_number(line, known), &Formula::NO);
        }
        // Only so far: a value within a value within a value is not needed to see most contradictions.
        let hopes = self.hopes.get();
        if hopes == 0 {
            return true;
        }
        self.hopes.set(hopes - 1);
        let possible = match known.kind {
            Types::ARRAY => {
                let least = self.at_least(known, "minItems");
                least == 0 || least <= self.longest(known)
            }
            Types::OBJECT => {
                let least = self.at_least(known, "minProperties");
                least <= self.at_most(known, "maxProperties")
                    && !self.required(known).iter().any(|name| self.cannot_have(known, name))
            }
            _ => true,
        };
        self.hopes.set(hopes);
        possible
    }

    /// Whether it is certain that no value meets all demands.
    fn has_no_value(&self, demands: &[&'a Value]) -> bool {
        if demands.iter().any(|demand| **demand == Value::Bool(false)) {
            return true;
        }
        if demands.is_empty() || self.spent() {
            return false;
        }
        let shapes = self.old.all_shapes(demands, 32);
        shapes.is_some_and(|shapes| {
            shapes.iter().all(|shape| {
                Types::EACH.into_iter().all(|kind| !self.possible(Known { shape, kind }))
            })
        })
    }

    /// All values that meet the demands, and perhaps more; `None` where they are not few.
    fn values(&self, demands: &[&'a Value]) -> Option<Vec<Value>> {
        let mut found = Vec::new();
        for shape in &self.old.all_shapes(demands, 32)? {
            for kind in Types::EACH {
                let known = Known { shape, kind };
                if self.possible(known) {
                    found.extend(self.finite(known)?);
                    if found.len() > LISTED {
                        return None;
                    }
                }
            }
        }
        Some(found)
    }

    fn has_types(&self, known: Known<'_, 'a>) -> bool {
        known.shape.parts.iter().all(|part| {
            let mut types = Types::declared(part, self.old);
            let divisor = part.get("multipleOf").and_then(super::decimal::Decimal::of_value);
            if divisor.is_some_and(super::decimal::Decimal::is_integer)
                && !self.old.strict_integers()
            {
                types = types.and(Types::ALL.without(Types::FRACTION));
            }
            types.meets(known.kind)
        })
    }

    /// Whether `new` accepts every value of which `known` holds.
    fn follows(&self, known: Known<'_, 'a>, new: &'a Value, depth: u32, level: u32) -> bool {
        if !self.has_types(known) {
            return true;
        }
        if !self.possible(known) {
            return self.by(Rules::IMPOSSIBLE, true);
        }
        let new_schema = match new {
            Value::Bool(all) => return *all,
            Value::Object(schema) => schema,
            _ => return false,
        };
        if self.spent() || depth >= DEPTH {
            return false;
        }
        if known.shape.parts.iter().any(|part| self.same_object(part, new_schema)) {
            return self.by(Rules::WRITTEN_ALIKE, true);
        }
        if known.kind == Types::STRING {
            let demanded = strings::text(self.new, self.dialect, new);
            if self.languages.within(&self.known_text(known), &demanded) {
                return self.by(Rules::TEXTS, true);
            }
        }
        if known.kind.within(Types::NUMBER) && self.old.draft == self.new.draft {
            let line = Line { document: self.old, kind: known.kind };
            let demanded = Line { document: self.new, ..line }.number(new);
            if line.within(&known_number(line, known), &demanded) {
                return self.by(Rules::NUMBERS, true);
            }
        }
        if let Some(values) = self.finite(known)
            && values.iter().all(|value| self.accepts(self.new, new, value) == Some(true))
        {
            return self.by(Rules::LISTED, true);
        }
        if let Some(reference) = self.new.reference(new_schema) {
            let shown = self
                .new
                .target(reference)
                .is_some_and(|target| self.follows(known, target, depth + 1, level));
            if !shown || !self.new.reads_siblings() {
                return shown;
            }
        }
        new_schema.iter().all(|(keyword, demand)| {
            self.keyword(known, new_schema, keyword, demand, depth + 1, level)
        })
    }

    fn same_object(&self, old: &Schema, new: &Schema) -> bool {
        old == new
            && !new.contains_key("$ref")
            && new.values().all(|value| self.equality.means_the_same(value))
    }

    fn keyword(
        &self,
        known: Known<'_, 'a>,
        new: &'a Schema,
        keyword: &str,
        demand: &'a Value,
        depth: u32,
        level: u32,
    ) -> bool {
        let branches = || demand.as_array().map_or(&[][..], Vec::as_slice);
        let follows = |schema: &'a Value| self.follows(known, schema, depth, level);
        let differs = |schema: &'a Value| self.excludes(known, schema, depth, level);
        match keyword {
            "type" => {
                let only = Schema::from_iter([("type".to_owned(), demand.clone())]);
                known.kind.within(Types::declared(&only, self.new))
            }
            // A literal is implied by the old schema's own literals alone, and those were asked above.
            "const" | "enum" => false,
            "allOf" => branches().iter().all(follows),
            "anyOf" => branches().iter().any(follows),
            "oneOf" => branches().iter().enumerate().any(|(at, branch)| {
                follows(branch)
                    && branches()
                        .iter()
                        .enumerate()
                        .all(|(other, branch)| other == at || differs(branch))
            }),
            "not" => differs(demand),
            "if" => {
                let branch = |keyword: &str| new.get(keyword).is_none_or(follows);
                (branch("then") || differs(demand)) && (branch("else") || follows(demand))
            }
            "$dynamicRef" | "$recursiveRef" | "unevaluatedProperties" | "unevaluatedItems" => false,
            _ if known.kind == Types::STRING => self.string(known, keyword, demand),
            _ if known.kind.within(Types::NUMBER) => self.number(known, new, keyword),
            _ if known.kind == Types::ARRAY => {
                self.array(known, new, keyword, demand, depth, level)
            }
            _ if known.kind == Types::OBJECT => {
                self.object(known, new, keyword, demand, depth, level)
            }
            _ => true,
        }
    }

    /// The values, where the old schema lists them.
    fn finite(&self, known: Known<'_, 'a>) -> Option<Vec<Value>> {
        let of_kind = |value: &&Value| Types::of(value, self.old).meets(known.kind);
        if known.kind == Types::FRACTION && self.old.strict_integers() {
            // A whole literal is met by a float as well, which no literal shows.
            return None;
        }
        for part in &known.shape.parts {
            if let Some(literal) = part.get("const") {
                return Some([literal].into_iter().filter(of_kind).cloned().collect());
            }
            if let Some(Value::Array(options)) = part.get("enum") {
                return Some(options.iter().filter(of_kind).cloned().collect());
            }
        }
        match known.kind {
            Types::NULL => Some(vec![Value::Null]),
            Types::BOOLEAN => Some(vec![Value::Bool(false), Value::Bool(true)]),
            Types::INTEGER => self.range(known),
            _ => None,
        }
    }

    /// The whole numbers between two near limits.
    fn range(&self, known: Known<'_, 'a>) -> Option<Vec<Value>> {
        let (mut low, mut high) = (None, None);
        for (limit, _, side) in known.shape.parts.iter().flat_map(|part| bounds(part)) {
            let floor = limit.floor()?;
            match side {
                Ordering::Greater => low = Some(low.map_or(floor, |low: i128| low.max(floor))),
                _ => high = Some(high.map_or(floor, |high: i128| high.min(floor))),
            }
        }
        let (low, high) = (low?, high?);
        if high.checked_sub(low)? > 256 {
            return None;
        }
        let line = Line { document: self.old, kind: Types::INTEGER };
        let formula = known_number(line, known);
        let whole = (low..=high).map(|number| i64::try_from(number).ok());
        let whole: Vec<i64> = whole.collect::<Option<_>>()?;
        Some(whole.into_iter().filter(|n| line.may_be(&formula, *n)).map(Value::from).collect())
    }

    /// What the validator says of one subschema, read in its document; `None` where it cannot stand alone.
    fn accepts(&self, document: Document<'a>, schema: &'a Value, value: &Value) -> Option<bool> {
        let address = std::ptr::from_ref(schema) as usize;
        let known = self.validators.borrow().get(&address).cloned();
        let validator = known.unwrap_or_else(|| {
            let built = self.alone(document, schema).map(Rc::new);
            self.validators.borrow_mut().insert(address, built.clone());
            built
        });
        validator.map(|validator| validator.is_valid(value))
    }

    fn alone(&self, document: Document<'a>, schema: &'a Value) -> Option<Validator> {
        let mut whole = Schema::new();
        if let Value::Object(root) = document.root {
            for keyword in ["$schema", "$defs", "definitions"] {
                if let Some(value) = root.get(keyword) {
                    whole.insert(keyword.into(), value.clone());
                }
            }
        }
        whole.insert("allOf".into(), Value::Array(vec![schema.clone()]));
        self.dialect.validator(&Value::Object(whole)).ok()
    }
}

/// What is known of a value that is a number.
fn known_number<'a>(line: Line<'a>, known: Known<'_, 'a>) -> Number {
    let mut all = vec![line.all_of(&known.shape.parts)];
    all.extend(known.shape.nots.iter().map(|not| line.number(not).not()));
    Formula::All(all)
}

fn addresses(schemas: &[&Value]) -> Vec<usize> {
    schemas.iter().map(|schema| std::ptr::from_ref::<Value>(schema) as usize).collect()
}
