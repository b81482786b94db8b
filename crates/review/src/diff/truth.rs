//! Propositions about one value, with a third answer for what cannot be told: an argument reads it against itself.

use std::rc::Rc;

/// Whether something holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Truth {
    Yes,
    No,
    Unknown,
}

impl Truth {
    pub(super) fn of(holds: bool) -> Self {
        if holds { Self::Yes } else { Self::No }
    }

    pub(super) fn negated(self) -> Self {
        match self {
            Self::Yes => Self::No,
            Self::No => Self::Yes,
            Self::Unknown => Self::Unknown,
        }
    }

    pub(super) fn and(self, other: Self) -> Self {
        match (self, other) {
            (Self::No, _) | (_, Self::No) => Self::No,
            (Self::Yes, Self::Yes) => Self::Yes,
            _ => Self::Unknown,
        }
    }
}

/// A combination of atomic propositions.
#[derive(Clone, Debug)]
pub(super) enum Formula<A> {
    Known(Truth),
    Atom(A),
    Not(Rc<Self>),
    All(Vec<Self>),
    Any(Vec<Self>),
    One(Vec<Self>),
}

impl<A> Formula<A> {
    pub(super) const YES: Self = Self::Known(Truth::Yes);
    pub(super) const NO: Self = Self::Known(Truth::No);
    pub(super) const UNKNOWN: Self = Self::Known(Truth::Unknown);

    pub(super) fn not(self) -> Self {
        Self::Not(Rc::new(self))
    }

    /// `then` where `condition` holds, `otherwise` where it does not.
    pub(super) fn choice(condition: Self, then: Self, otherwise: Self) -> Self
    where
        A: Clone,
    {
        let met = Self::All(vec![condition.clone(), then]);
        let unmet = Self::All(vec![condition.not(), otherwise]);
        Self::Any(vec![met, unmet])
    }

    pub(super) fn holds(&self, atom: &impl Fn(&A) -> Truth) -> Truth {
        match self {
            Self::Known(truth) => *truth,
            Self::Atom(a) => atom(a),
            Self::Not(inner) => inner.holds(atom).negated(),
            Self::All(parts) => {
                let mut all = Truth::Yes;
                for part in parts {
                    all = all.and(part.holds(atom));
                    if all == Truth::No {
                        break;
                    }
                }
                all
            }
            Self::Any(parts) => {
                let mut none = Truth::Yes;
                for part in parts {
                    none = none.and(part.holds(atom).negated());
                    if none == Truth::No {
                        break;
                    }
                }
                none.negated()
            }
            Self::One(parts) => {
                let (mut yes, mut unknown) = (0, false);
                for part in parts {
                    match part.holds(atom) {
                        Truth::Yes => yes += 1,
                        Truth::Unknown => unknown = true,
                        Truth::No => {}
                    }
                }
                match (yes, unknown) {
                    (2.., _) | (0, false) => Truth::No,
                    (1, false) => Truth::Yes,
                    _ => Truth::Unknown,
                }
            }
        }
    }

    pub(super) fn each_atom(&self, visit: &mut impl FnMut(&A)) {
        match self {
            Self::Known(_) => {}
            Self::Atom(atom) => visit(atom),
            Self::Not(inner) => inner.each_atom(visit),
            Self::All(parts) | Self::Any(parts) | Self::One(parts) => {
                parts.iter().for_each(|part| part.each_atom(visit));
            }
        }
    }
}
