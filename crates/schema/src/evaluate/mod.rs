//! The one evaluator of JSON Schema: whether a value fits a schema, answered with yes, no or unknown. Yes and no are
//! certain; what it does not know, and what would take too long, is unknown.
//!
//! What it needs of the world it is given: where references lead ([`References`]), what a pattern or a format says of a
//! text ([`Oracle`]), and who hears of each assertion that fails ([`Observer`]). It is no validator: calls are validated
//! by one that is compiled. This is for those that ask why, or ask where no validator can go.

mod array;
mod branches;
mod document;
mod equal;
mod indexed;
mod marks;
mod object;
mod path;
mod scalar;

pub use document::SingleDocument;
pub use equal::{compare, equal};
pub use indexed::Indexed;
pub use path::{Path, Step};

use crate::dialect::Dialect;
use crate::keyword::{Drafts, keyword};
use marks::Marks;
use serde_json::{Map, Value};

/// Whether a value fits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Answer {
    /// It certainly does.
    Yes,
    /// It certainly does not.
    No,
    /// It may or may not.
    Unknown,
}

impl Answer {
    /// Whether both hold.
    pub fn and(self, other: Self) -> Self {
        match (self, other) {
            (Self::No, _) | (_, Self::No) => Self::No,
            (Self::Yes, Self::Yes) => Self::Yes,
            _ => Self::Unknown,
        }
    }
}

impl std::ops::Not for Answer {
    type Output = Self;

    fn not(self) -> Self {
        match self {
            Self::Yes => Self::No,
            Self::No => Self::Yes,
            Self::Unknown => Self::Unknown,
        }
    }
}

impl From<bool> for Answer {
    fn from(holds: bool) -> Self {
        if holds { Self::Yes } else { Self::No }
    }
}

/// Where references lead.
pub trait References<'s> {
    /// Where a schema stands, as far as its references depend on it.
    type Place: Clone;

    /// What the schema at a place is written in.
    fn dialect(&self, place: &Self::Place) -> Dialect;

    /// The place so far below another, where a schema has an `$id` of its own.
    fn below(&self, place: &Self::Place, below: Path<'_>) -> Self::Place;

    /// The schema that a `$ref` leads to; `None` where that is not known.
    fn follow(&self, from: &Self::Place, reference: &str) -> Option<(Self::Place, &'s Value)>;

    /// The schema that a `$dynamicRef` leads to, where that is the same on every way to it.
    fn follow_dynamic(
        &self,
        from: &Self::Place,
        reference: &str,
    ) -> Option<(Self::Place, &'s Value)> {
        let _ = (from, reference);
        None
    }
}

/// What decides the assertions that need a library: patterns, formats, arithmetic beyond whole numbers.
pub trait Oracle {
    /// Whether a pattern matches somewhere in a text.
    fn pattern(&mut self, pattern: &str, text: &str) -> Answer;

    /// Whether a value has a format.
    fn format(&mut self, format: &Value, value: &Value) -> Answer {
        let _ = (format, value);
        Answer::Unknown
    }

    /// Whether a number is a multiple of another, where one of them is not whole.
    fn multiple(&mut self, divisor: &Value, value: &Value) -> Answer {
        let _ = (divisor, value);
        Answer::Unknown
    }
}

/// An assertion that fails.
pub struct Failure<'e, 's> {
    /// The keyword that asserts; `false` where the schema is `false` and no keyword says more of it.
    pub keyword: &'static str,
    /// The schema object that has the keyword; `None` for a schema that is `false`.
    pub schema: Option<&'s Map<String, Value>>,
    /// The keyword's value.
    pub argument: &'s Value,
    /// The value that is refused.
    pub value: &'e Value,
    /// Where that is, from the value that was asked about.
    pub instance: Path<'e>,
    /// Where the schema is, from the schema that was asked about or the last reference.
    pub location: Path<'e>,
    /// What else there is to say.
    pub detail: Detail<'s>,
}

/// What a failing assertion has found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Detail<'s> {
    /// Nothing that the value does not show.
    Plain,
    /// This member is missing; perhaps only because another is there.
    Missing {
        /// The member that is missing.
        name: &'s str,
        /// The member beside which it is wanted.
        beside: Option<&'s str>,
    },
    /// So many branches or items fit.
    Fitting(usize),
    /// At most so many items may be there.
    AtMost(usize),
}

/// A part of an evaluation, whose failures an observer may want to tell from others.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Part {
    /// A branch of `anyOf` or `oneOf`.
    Branch(usize),
    /// A name of a member, for `propertyNames`.
    Name,
    /// A member that `properties` declares; whether it is required.
    Member {
        /// Whether the schema that declares it requires it.
        is_required: bool,
    },
}

/// Who hears of each assertion that fails. Conditions (`not`, `if`, `contains`) are evaluated in silence.
pub trait Observer<'s> {
    /// An assertion fails.
    fn failed(&mut self, failure: &Failure<'_, 's>);

    /// A part begins; its failures follow, then its end.
    fn begins(&mut self, part: Part) {
        let _ = part;
    }

    /// The part that began last ends.
    fn ends(&mut self, part: Part, value: &Value, answer: Answer) {
        let _ = (part, value, answer);
    }

    /// Whether evaluation goes on after a failure.
    fn goes_on(&self) -> bool {
        false
    }

    /// Whether what a failing part looks at counts as evaluated, so that one fault does not make strangers of all that
    /// stands beside it. By the letter of 2020-12 it does not count; whether a value fits is the same either way.
    fn counts_failing_parts(&self) -> bool {
        false
    }
}

/// Hears nothing.
#[derive(Clone, Copy, Debug, Default)]
pub struct Silence;

impl Observer<'_> for Silence {
    fn failed(&mut self, _: &Failure<'_, '_>) {}
}

/// What one evaluation may take. Steps are taken from it; each is some tens of nanoseconds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Bounds {
    /// Steps that are left.
    pub steps: u64,
    /// Schemas within schemas and references behind references.
    pub depth: usize,
    /// Whether they were too few for a part of the question, which is then unknown.
    pub ran_out: bool,
}

impl Bounds {
    /// So many steps, and so many schemas within each other.
    pub const fn new(steps: u64, depth: usize) -> Self {
        Self { steps, depth, ran_out: false }
    }
}

/// Whether `value` fits `schema`, which stands at `place`.
pub fn evaluate<'s, R: References<'s>>(
    references: &R,
    place: &R::Place,
    schema: &'s Value,
    value: &Value,
    oracle: &mut dyn Oracle,
    observer: &mut dyn Observer<'s>,
    bounds: &mut Bounds,
) -> Answer {
    let mut evaluation = Evaluation { references, oracle, observer, bounds, silent: 0 };
    let at = At { place, below: Path::default() };
    evaluation.schema(at, schema, Node { value, path: Path::default() }, None)
}

struct Evaluation<'e, 's, R> {
    references: &'e R,
    oracle: &'e mut dyn Oracle,
    observer: &'e mut dyn Observer<'s>,
    bounds: &'e mut Bounds,
    /// How many conditions are being evaluated within each other.
    silent: usize,
}

/// Where a schema is: so far below a place.
struct At<'p, P> {
    place: &'p P,
    below: Path<'p>,
}

impl<P> Clone for At<'_, P> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<P> Copy for At<'_, P> {}

/// A part of the value, and where it is.
#[derive(Clone, Copy)]
struct Node<'v> {
    value: &'v Value,
    path: Path<'v>,
}

/// One schema object beside one value.
struct Pair<'p, 's, P> {
    at: At<'p, P>,
    schema: &'s Map<String, Value>,
    node: Node<'p>,
    dialect: Dialect,
}

impl<P> Clone for Pair<'_, '_, P> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<P> Copy for Pair<'_, '_, P> {}

impl<'s, R: References<'s>> Evaluation<'_, 's, R> {
    /// Takes steps; false where too few are left.
    fn spend(&mut self, steps: usize) -> bool {
        self.bounds.steps = self.bounds.steps.saturating_sub(steps as u64);
        self.bounds.ran_out |= self.bounds.steps == 0;
        self.bounds.steps > 0
    }

    /// Whether there is more to find after an answer.
    fn goes_on(&self, so_far: Answer) -> bool {
        so_far != Answer::No || self.silent == 0 && self.observer.goes_on()
    }

    fn quietly<T>(&mut self, part: impl FnOnce(&mut Self) -> T) -> T {
        self.silent += 1;
        let answer = part(self);
        self.silent -= 1;
        answer
    }

    /// Evaluates a part that the observer may want to tell from others.
    fn part(&mut self, part: Part, value: &Value, run: impl FnOnce(&mut Self) -> Answer) -> Answer {
        if self.silent > 0 {
            return run(self);
        }
        self.observer.begins(part);
        let answer = run(self);
        self.observer.ends(part, value, answer);
        answer
    }

    /// Tells the observer of an assertion that fails.
    fn fail(
        &mut self,
        pair: Pair<'_, 's, R::Place>,
        keyword: &'static str,
        argument: &'s Value,
        node: Node<'_>,
        detail: Detail<'s>,
    ) -> Answer {
        if self.silent == 0 {
            self.observer.failed(&Failure {
                keyword,
                schema: Some(pair.schema),
                argument,
                value: node.value,
                instance: node.path,
                location: pair.at.below,
                detail,
            });
        }
        Answer::No
    }

    /// Whether a value fits a schema. What the schema looks at is noted in `marks`.
    fn schema(
        &mut self,
        at: At<'_, R::Place>,
        schema: &'s Value,
        node: Node<'_>,
        marks: Option<&mut Marks>,
    ) -> Answer {
        let schema = match schema {
            Value::Bool(true) => return Answer::Yes,
            Value::Bool(false) => {
                if self.silent == 0 {
                    self.observer.failed(&Failure {
                        keyword: "false",
                        schema: None,
                        argument: schema,
                        value: node.value,
                        instance: node.path,
                        location: at.below,
                        detail: Detail::Plain,
                    });
                }
                return Answer::No;
            }
            Value::Object(schema) => schema,
            _ => return Answer::Unknown,
        };
        self.bounds.ran_out |= self.bounds.depth == 0;
        if self.bounds.depth == 0 || !self.spend(1 + schema.len()) {
            return Answer::Unknown;
        }
        self.bounds.depth -= 1;
        let answer = if schema.contains_key("$id") && !at.below.is_empty() {
            let place = self.references.below(at.place, at.below);
            self.object_schema(At { place: &place, below: Path::default() }, schema, node, marks)
        } else {
            self.object_schema(at, schema, node, marks)
        };
        self.bounds.depth += 1;
        answer
    }

    fn object_schema(
        &mut self,
        at: At<'_, R::Place>,
        schema: &'s Map<String, Value>,
        node: Node<'_>,
        marks: Option<&mut Marks>,
    ) -> Answer {
        let dialect = self.references.dialect(at.place);
        let pair = Pair { at, schema, node, dialect };
        // Draft 7, section 8.3: all other properties in a `$ref` object are ignored.
        if dialect == Dialect::Draft7
            && let Some(reference) = schema.get("$ref")
        {
            return self.reference(pair, "$ref", reference, None);
        }
        if let Some(types) = schema.get("type") {
            match scalar::is_of_types(types, node.value) {
                Answer::Yes => {}
                // A value of another type has no further faults worth hearing of.
                Answer::No => return self.fail(pair, "type", types, node, Detail::Plain),
                Answer::Unknown => return Answer::Unknown,
            }
        }
        let mut own = None;
        let marks = match marks {
            Some(marks) => Some(marks),
            None => Marks::wanted(schema, node.value).map(|marks| own.insert(marks) as &mut Marks),
        };
        self.keywords(pair, marks)
    }

    /// Every keyword but `type`.
    fn keywords(&mut self, pair: Pair<'_, 's, R::Place>, mut marks: Option<&mut Marks>) -> Answer {
        let mut answer = Answer::Yes;
        let (mut has_members, mut has_items) = (false, false);
        for (name, argument) in pair.schema {
            let Some(row) = keyword(name) else { continue };
            if !row.applies.to(pair.node.value) {
                continue;
            }
            let is_later = row.drafts == Drafts::Later;
            if is_later && pair.dialect == Dialect::Draft7 {
                continue;
            }
            let one = match row.name {
                "$ref" | "$dynamicRef" | "$recursiveRef" => {
                    self.reference(pair, row.name, argument, marks.as_deref_mut())
                }
                "allOf" | "anyOf" | "oneOf" | "not" | "if" | "dependentSchemas"
                | "dependencies" => self.branches(pair, row.name, argument, marks.as_deref_mut()),
                "required" | "dependentRequired" => self.required(pair, row.name, argument),
                "properties" | "patternProperties" | "additionalProperties" | "propertyNames" => {
                    has_members = true;
                    continue;
                }
                "items" | "prefixItems" | "additionalItems" | "contains" => {
                    has_items = true;
                    continue;
                }
                // Read by the keywords that they stand beside, or once all others are done.
                "type"
                | "then"
                | "else"
                | "minContains"
                | "maxContains"
                | "unevaluatedItems"
                | "unevaluatedProperties" => continue,
                name => self.scalar(pair, name, argument),
            };
            answer = answer.and(one);
            if !self.goes_on(answer) {
                return answer;
            }
        }
        if has_members {
            answer = answer.and(self.members(pair, marks.as_deref_mut()));
        }
        if has_items && self.goes_on(answer) {
            answer = answer.and(self.items(pair, marks.as_deref_mut()));
        }
        if let Some(marks) = marks
            && pair.dialect == Dialect::Draft2020
            && self.goes_on(answer)
        {
            answer = answer.and(self.unevaluated(pair, marks));
        }
        answer
    }

    fn reference(
        &mut self,
        pair: Pair<'_, 's, R::Place>,
        keyword: &str,
        argument: &'s Value,
        marks: Option<&mut Marks>,
    ) -> Answer {
        let target = argument.as_str().and_then(|reference| match keyword {
            "$ref" => self.references.follow(pair.at.place, reference),
            "$dynamicRef" => self.references.follow_dynamic(pair.at.place, reference),
            _ => None,
        });
        match target {
            Some((place, schema)) => {
                let at = At { place: &place, below: Path::default() };
                self.in_place(at, schema, pair.node, marks)
            }
            None => {
                // Whatever it leads to may look at anything.
                if let Some(marks) = marks {
                    marks.all(marks::Mark::Maybe);
                }
                Answer::Unknown
            }
        }
    }
}
