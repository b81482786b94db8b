//! Decides one pair: proof and witness in turn, under both views.

use super::Comparison;
use super::dialect::Dialect;
use super::document::Document;
use super::evaluate::Fuel;
use super::generate::{Generator, Tools};
use super::limits::{admit, suits_canonical};
use super::normal::{inlined, normal};
use super::pattern::Patterns;
use super::prepare::prepare;
use super::resolve::resolved;
use super::strings::Languages;
use super::subsume::Subsumption;
use super::verdict::{Proof, Side, Verdict, Why, Witness};
use super::view;
use super::witness::Validators;
use jsonschema::Validator;
use jsonschema::canonical::{CanonicalSchema, Containment};
use serde_json::Value;

/// How far one walk may go: candidates, and steps of work.
type Reach = (usize, u64);

/// The paired walk, narrow first; the walk of the difference; and the quick look that a proof must survive.
const PAIRED: [Reach; 3] = [(200, 1_000_000), (1_500, 2_000_000), (8_000, 4_000_000)];
const DIFFERENCE: Reach = (2_000, 2_000_000);
const SECOND_LOOK: Reach = (300, 1_000_000);

pub(super) struct Decider<'a> {
    dialect: Dialect,
    old: Version<'a>,
    new: Version<'a>,
}

/// One side of a pair.
struct Version<'a> {
    written: &'a Value,
    /// With its references resolved; `None` where that is not certain, and then no argument of ours reads it.
    resolved: Option<Value>,
    validator: Validator,
}

impl<'a> Version<'a> {
    fn new(written: &'a Value, dialect: Dialect, side: Side) -> Result<Self, Why> {
        let validator = dialect.read(written, side)?;
        Ok(Self { written, resolved: None, validator })
    }

    fn text(&self) -> Text {
        match &self.resolved {
            Some(schema) => Text { schema: schema.clone(), resolved: true },
            None => Text { schema: self.written.clone(), resolved: false },
        }
    }
}

/// A schema to argue about.
#[derive(PartialEq)]
struct Text {
    schema: Value,
    /// Whether all its references are resolved.
    resolved: bool,
}

impl<'a> Decider<'a> {
    pub(super) fn new(old: &'a Value, new: &'a Value, formats: bool) -> Result<Self, Why> {
        let (reads_old, reads_new) = (Dialect::of(old, formats)?, Dialect::of(new, formats)?);
        let mut old = Version::new(old, reads_old, Side::Old)?;
        let mut new = Version::new(new, reads_new, Side::New)?;
        let dialect = reads_old.common(reads_new)?;
        old.resolved = resolved(old.written, reads_old, dialect.draft);
        new.resolved = resolved(new.written, reads_new, dialect.draft);
        if reads_old.draft != reads_new.draft && (old.resolved.is_none() || new.resolved.is_none())
        {
            return Err(reads_old.differs(reads_new));
        }
        Ok(Self { dialect, old, new })
    }

    pub(super) fn comparison(&self) -> Comparison {
        let strict = self.strict();
        let closed_old = self.closed(&self.old);
        let declared = self.declared(&strict, &closed_old);
        let ignored = if declared.is_compatible() { self.ignored(&closed_old) } else { None };
        Comparison { declared, strict, ignored }
    }

    fn closed(&self, version: &Version<'_>) -> Text {
        let text = version.text();
        Text { schema: view::closed(&text.schema, self.dialect.draft), ..text }
    }

    fn strict(&self) -> Verdict {
        if self.old.written == self.new.written {
            // The draft is part of what is written.
            return Verdict::Compatible(Proof::Identical);
        }
        let validators =
            Validators { accepting: vec![&self.old.validator], rejecting: &self.new.validator };
        self.decide(&self.old.text(), &self.new.text(), &validators)
    }

    fn declared(&self, strict: &Verdict, closed: &Text) -> Verdict {
        // Whoever sends declared members sends values.
        if strict.is_compatible() || *closed == self.old.text() {
            return strict.clone();
        }
        let Ok(accepts_closed) = self.dialect.validator(&closed.schema) else {
            return Verdict::Unproven(Why::Undecided);
        };
        let validators = Validators {
            accepting: vec![&self.old.validator, &accepts_closed],
            rejecting: &self.new.validator,
        };
        if let Verdict::Breaking(witness) = strict
            && validators.confirm(&witness.value)
        {
            return strict.clone();
        }
        let verdict = self.decide(closed, &self.new.text(), &validators);
        // Nothing follows from a view that no value fits.
        if verdict.is_compatible() && !self.has_values(closed, &accepts_closed) {
            return strict.clone();
        }
        verdict
    }

    fn tools(&self) -> Tools {
        Tools {
            dialect: self.dialect,
            patterns: Patterns::default(),
            languages: Languages::default(),
        }
    }

    /// Whether some value was found that the schema accepts.
    fn has_values(&self, text: &Text, validator: &Validator) -> bool {
        let (root, draft) = (&text.schema, self.dialect.draft);
        let (tools, fuel) = (self.tools(), Fuel::new(SECOND_LOOK.1));
        let document = Document { root, draft };
        let walk = Generator::new(document, document, &tools, &fuel);
        walk.candidates(SECOND_LOOK.0).iter().any(|value| validator.is_valid(value))
    }

    fn ignored(&self, closed_old: &Text) -> Option<Witness> {
        let closed_new = self.closed(&self.new);
        if closed_new == self.new.text() {
            return None;
        }
        let accepts_old = self.dialect.validator(&closed_old.schema).ok()?;
        let accepts_new = self.dialect.validator(&closed_new.schema).ok()?;
        let validators = Validators {
            accepting: vec![&self.old.validator, &accepts_old, &self.new.validator],
            rejecting: &accepts_new,
        };
        match self.decide(closed_old, &closed_new, &validators) {
            Verdict::Breaking(witness) => Some(*witness),
            _ => None,
        }
    }

    /// Whether `new` accepts all that `old` accepts.
    fn decide(&self, old: &Text, new: &Text, validators: &Validators<'_>) -> Verdict {
        let draft = self.dialect.draft;
        let plain = old.resolved && new.resolved;
        let respelt = |text: &Text| match text.resolved {
            true => normal(&prepare(&text.schema), draft),
            false => text.schema.clone(),
        };
        let (old, new) = (respelt(old), respelt(new));
        if plain {
            let read = |root| inlined(Document { root, draft });
            if old == new || read(&old).is_some_and(|old| read(&new) == Some(old)) {
                return Verdict::Compatible(Proof::Identical);
            }
        }
        let tools = self.tools();
        let walk = |old: &Value, new: &Value, (budget, steps): Reach| {
            let old = Document { root: old, draft };
            let new = Document { root: new, draft };
            let fuel = Fuel::new(steps);
            validators.first(Generator::new(old, new, &tools, &fuel).candidates(budget))
        };
        let breaking = |witness: Witness| Verdict::Breaking(Box::new(witness));

        let canonical = if suits_canonical(&old) && suits_canonical(&new) {
            self.dialect.canonical(&old).ok().zip(self.dialect.canonical(&new).ok())
        } else {
            None
        };
        let containment = canonical.as_ref().and_then(|(old, new)| new.covers(old).ok());
        if containment == Some(Containment::Yes) {
            return walk(&old, &new, SECOND_LOOK)
                .map_or(Verdict::Compatible(Proof::Canonical), breaking);
        }
        if let Some(witness) = walk(&old, &new, PAIRED[0]) {
            return breaking(witness);
        }
        let difference = canonical.as_ref().and_then(|(old, new)| difference(old, new));
        if let Some(difference) = difference
            && admit(&difference).is_ok()
            && let Some(witness) = walk(&difference, &new, DIFFERENCE)
        {
            return breaking(witness);
        }
        // The second argument decides what the first leaves open; where the first says no, it is not asked.
        if containment != Some(Containment::No) && plain {
            let old = Document { root: &old, draft };
            let new = Document { root: &new, draft };
            if let Some(rules) = Subsumption::new(old, new, &tools).holds() {
                return Verdict::Compatible(Proof::Structural(rules));
            }
        }
        for reach in &PAIRED[1..] {
            if let Some(witness) = walk(&old, &new, *reach) {
                return breaking(witness);
            }
        }
        Verdict::Unproven(Why::Undecided)
    }
}

/// What the old schema accepts and the new one does not, as a schema to draw candidates from.
fn difference(old: &CanonicalSchema, new: &CanonicalSchema) -> Option<Value> {
    old.subtract(new).ok().map(|difference| difference.to_json_schema())
}
