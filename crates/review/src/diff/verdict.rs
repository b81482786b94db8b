//! What a comparison may say. A verdict cannot be built without its evidence.

use serde_json::Value;
use std::fmt;

/// Whether every value that the old schema accepts is accepted by the new one.
#[derive(Clone, Debug, PartialEq)]
pub enum Verdict {
    /// It is, and this is why.
    Compatible(Proof),
    /// It is not: this value was accepted and no longer is.
    Breaking(Box<Witness>),
    /// Neither was shown.
    Unproven(Why),
}

/// Why a change breaks nothing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Proof {
    /// Both documents say the same, if in another order or spelling.
    Identical,
    /// The canonical form of the old schema lies within that of the new one.
    Canonical,
    /// Each constraint of the new schema follows from constraints of the old one.
    Structural,
}

/// A value that the old schema accepts and the new one rejects, both asked of the validator.
#[derive(Clone, Debug, PartialEq)]
pub struct Witness {
    /// The value, shrunk to what is needed.
    pub value: Value,
    /// What the new schema says against it; never empty.
    pub faults: Vec<Fault>,
}

/// One error of the new schema about a witness.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fault {
    /// Where in the value, as a JSON pointer; empty for the value itself.
    pub at: String,
    /// The keyword that failed.
    pub keyword: String,
    /// Where in the new schema, as a JSON pointer.
    pub schema: String,
    /// What is wrong.
    pub message: String,
}

/// Why nothing was shown.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Why {
    /// No proof applies, and the search found no witness.
    Undecided,
    /// The schemas are too large or too branched to be compared within the limits.
    TooComplex(String),
    /// The comparison ran out of time.
    OutOfTime,
    /// The two are written in different drafts, which give one keyword different meanings.
    Dialects {
        /// The old schema's draft.
        old: &'static str,
        /// The new schema's draft.
        new: &'static str,
    },
    /// `$schema` names a dialect that is not known here.
    UnknownDialect,
    /// One of the two is no valid schema.
    Invalid {
        /// Which one.
        side: Side,
        /// What is wrong with it.
        message: String,
    },
}

/// One of the two schemas.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Side {
    /// The schema before the change.
    Old,
    /// The schema after it.
    New,
}

impl Verdict {
    /// Whether a witness shows that something breaks.
    #[must_use]
    pub fn is_breaking(&self) -> bool {
        matches!(self, Self::Breaking(_))
    }

    /// Whether nothing breaks, proved.
    #[must_use]
    pub fn is_compatible(&self) -> bool {
        matches!(self, Self::Compatible(_))
    }

    /// The witness of a breaking change.
    #[must_use]
    pub fn witness(&self) -> Option<&Witness> {
        match self {
            Self::Breaking(witness) => Some(witness),
            _ => None,
        }
    }
}

impl fmt::Display for Proof {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Identical => "both schemas say the same",
            Self::Canonical => "the old schema's canonical form lies within the new one's",
            Self::Structural => "each constraint of the new schema follows from the old one's",
        })
    }
}

impl fmt::Display for Side {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Old => "old",
            Self::New => "new",
        })
    }
}

impl fmt::Display for Why {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Undecided => f.write_str("no proof applies, and no witness was found"),
            Self::TooComplex(what) => write!(f, "too complex to compare: {what}"),
            Self::OutOfTime => f.write_str("the comparison ran out of time"),
            Self::Dialects { old, new } => {
                write!(f, "the schemas are written in different drafts ({old} and {new})")
            }
            Self::UnknownDialect => f.write_str("`$schema` names an unknown dialect"),
            Self::Invalid { side, message } => write!(f, "the {side} schema is invalid: {message}"),
        }
    }
}
