//! A second argument for compatibility, independent of the canonical form: each constraint of the new schema follows from
//! constraints of the old one.
//!
//! Everything here errs to one side: the old schema is read as accepting at least what it accepts, and a constraint that
//! is not shown to follow fails the argument. Recursion is closed by induction over the value, so a cycle counts as shown
//! only where it steps into a child.

mod arrays;
mod disjoint;
mod leaves;
mod objects;

use super::dialect::Dialect;
use super::document::Document;
use super::likeness::Likeness;
use super::pattern::Patterns;
use super::shape::Shape;
use super::types::Types;
use jsonschema::Validator;
use serde_json::{Map, Value};
use std::cell::{Cell, RefCell};
use std::collections::HashMap;
use std::rc::Rc;

/// Questions that one argument may ask.
const QUESTIONS: u32 = 50_000;
/// Alternatives of one old subschema.
const ALTERNATIVES: usize = 256;
/// How deep the argument descends.
const DEPTH: u32 = 96;

type Schema = Map<String, Value>;

/// The argument about one pair of documents.
pub(super) struct Subsumption<'a> {
    old: Document<'a>,
    new: Document<'a>,
    dialect: Dialect,
    patterns: &'a Patterns,
    likeness: Likeness<'a>,
    questions: Cell<u32>,
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
    pub(super) fn new(
        old: Document<'a>,
        new: Document<'a>,
        dialect: Dialect,
        patterns: &'a Patterns,
    ) -> Self {
        Self {
            old,
            new,
            dialect,
            patterns,
            likeness: Likeness::new(old, new),
            questions: Cell::new(QUESTIONS),
            active: RefCell::default(),
            validators: RefCell::default(),
        }
    }

    /// Whether the argument goes through.
    pub(super) fn holds(&self) -> bool {
        self.implies(&[self.old.root], self.new.root, 0, 0)
    }

    fn spent(&self) -> bool {
        let left = self.questions.get();
        self.questions.set(left.saturating_sub(1));
        left == 0
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
            return true;
        }
        let question = (addresses(old), std::ptr::from_ref(new) as usize);
        if let Some(assumed) = self.active.borrow().iter().find(|a| a.question == question) {
            return assumed.level < level;
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
        self.likeness.same(old, new)
    }

    /// What the parts leave of the type under consideration.
    fn possible(&self, known: Known<'_, 'a>) -> bool {
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
        if !self.possible(known) {
            return true;
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
            return true;
        }
        if let Some(values) = self.finite(known)
            && values.iter().all(|value| self.accepts(self.new, new, value) == Some(true))
        {
            return true;
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
            && new.values().all(|value| self.likeness.means_the_same(value))
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
            _ => None,
        }
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

fn addresses(schemas: &[&Value]) -> Vec<usize> {
    schemas.iter().map(|schema| std::ptr::from_ref::<Value>(schema) as usize).collect()
}
