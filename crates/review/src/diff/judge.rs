//! One pair's trial: proof and witness in turn, under both lenses.

use super::Comparison;
use super::dialect::Dialect;
use super::document::Document;
use super::evaluate::Fuel;
use super::generate::Generator;
use super::lens;
use super::limits::{admit, suits_canonical};
use super::normal::{inlined, normal};
use super::pattern::Patterns;
use super::prepare::{is_plain, prepare};
use super::subsume::Subsumption;
use super::verdict::{Proof, Side, Verdict, Why, Witness};
use super::witness::Court;
use jsonschema::Validator;
use jsonschema::canonical::{CanonicalSchema, Containment};
use serde_json::Value;

/// How far one walk may go: candidates, and steps of work.
type Reach = (usize, u64);

/// The paired walk, narrow first; the walk of the difference; and the quick look that a proof must survive.
const PAIRED: [Reach; 3] = [(200, 1_000_000), (1_500, 2_000_000), (8_000, 4_000_000)];
const DIFFERENCE: Reach = (2_000, 2_000_000);
const SECOND_LOOK: Reach = (300, 1_000_000);

pub(super) struct Judge<'a> {
    dialect: Dialect,
    old: &'a Value,
    new: &'a Value,
    accepts_old: Validator,
    accepts_new: Validator,
}

impl<'a> Judge<'a> {
    pub(super) fn new(old: &'a Value, new: &'a Value, formats: bool) -> Result<Self, Why> {
        let dialect = Dialect::of(old, new, formats)?;
        let accepts_old = dialect.read(old, Side::Old)?;
        let accepts_new = dialect.read(new, Side::New)?;
        Ok(Self { dialect, old, new, accepts_old, accepts_new })
    }

    pub(super) fn comparison(&self) -> Comparison {
        let strict = self.strict();
        let closed_old = lens::closed(self.old, self.dialect.draft);
        let declared = self.declared(&strict, &closed_old);
        let ignored = if declared.is_compatible() { self.ignored(&closed_old) } else { None };
        Comparison { declared, strict, ignored }
    }

    fn strict(&self) -> Verdict {
        if self.old == self.new {
            return Verdict::Compatible(Proof::Identical);
        }
        let court = Court { accepting: vec![&self.accepts_old], rejecting: &self.accepts_new };
        self.trial(self.old, self.new, &court)
    }

    fn declared(&self, strict: &Verdict, closed: &Value) -> Verdict {
        // Whoever sends declared members sends values.
        if strict.is_compatible() || closed == self.old {
            return strict.clone();
        }
        let Ok(accepts_closed) = self.dialect.validator(closed) else {
            return Verdict::Unproven(Why::Undecided);
        };
        let court = Court {
            accepting: vec![&self.accepts_old, &accepts_closed],
            rejecting: &self.accepts_new,
        };
        if let Verdict::Breaking(witness) = strict
            && court.convicts(&witness.value)
        {
            return strict.clone();
        }
        self.trial(closed, self.new, &court)
    }

    fn ignored(&self, closed_old: &Value) -> Option<Witness> {
        let closed_new = lens::closed(self.new, self.dialect.draft);
        if closed_new == *self.new {
            return None;
        }
        let accepts_old = self.dialect.validator(closed_old).ok()?;
        let accepts_new = self.dialect.validator(&closed_new).ok()?;
        let court = Court {
            accepting: vec![&self.accepts_old, &accepts_old, &self.accepts_new],
            rejecting: &accepts_new,
        };
        match self.trial(closed_old, &closed_new, &court) {
            Verdict::Breaking(witness) => Some(*witness),
            _ => None,
        }
    }

    /// Whether `new` accepts all that `old` accepts.
    fn trial(&self, old: &Value, new: &Value, court: &Court<'_>) -> Verdict {
        let draft = self.dialect.draft;
        let respelt = |schema: &Value| normal(&prepare(schema, draft), draft);
        let (old, new) = (respelt(old), respelt(new));
        if is_plain(&old) && is_plain(&new) {
            let read = |root| inlined(Document { root, draft });
            if old == new || read(&old).is_some_and(|old| read(&new) == Some(old)) {
                return Verdict::Compatible(Proof::Identical);
            }
        }
        let patterns = Patterns::default();
        let walk = |old: &Value, new: &Value, (budget, steps): Reach| {
            let old = Document { root: old, draft };
            let new = Document { root: new, draft };
            let fuel = Fuel::new(steps);
            court.first(Generator::new(old, new, &patterns, &fuel).candidates(budget))
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
        for reach in &PAIRED[1..] {
            if let Some(witness) = walk(&old, &new, *reach) {
                return breaking(witness);
            }
        }
        // The second argument settles what the first leaves open; where the first says no, it has no say.
        if containment != Some(Containment::No) && is_plain(&old) && is_plain(&new) {
            let old = Document { root: &old, draft };
            let new = Document { root: &new, draft };
            if Subsumption::new(old, new, self.dialect, &patterns).holds() {
                return Verdict::Compatible(Proof::Structural);
            }
        }
        Verdict::Unproven(Why::Undecided)
    }
}

/// What the old schema accepts and the new one does not, as a schema to draw candidates from.
fn difference(old: &CanonicalSchema, new: &CanonicalSchema) -> Option<Value> {
    old.subtract(new).ok().map(|difference| difference.to_json_schema())
}
