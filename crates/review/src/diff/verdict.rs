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
    /// Each constraint of the new schema follows from constraints of the old one, by these rules.
    Structural(Rules),
}

/// The rules that an argument by structure rests on.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Rules(u8);

impl Rules {
    pub(super) const WRITTEN_ALIKE: Self = Self(1);
    pub(super) const LISTED: Self = Self(2);
    pub(super) const TEXTS: Self = Self(4);
    pub(super) const NUMBERS: Self = Self(8);
    pub(super) const NAMES: Self = Self(16);
    pub(super) const COUNTED: Self = Self(32);
    pub(super) const RECURSION: Self = Self(64);
    pub(super) const IMPOSSIBLE: Self = Self(128);

    const WORDS: [(Self, &str); 8] = [
        (Self::WRITTEN_ALIKE, "parts that are written alike mean the same"),
        (Self::LISTED, "each value that the old schema lists was put to the new one"),
        (Self::TEXTS, "the automaton of the old texts lies within that of the new ones"),
        (
            Self::NUMBERS,
            "the new limits and multiples hold at every point that stands for old numbers",
        ),
        (Self::NAMES, "each kind of member name was looked at"),
        (Self::COUNTED, "elements were counted"),
        (Self::RECURSION, "recursion is closed by induction over the value"),
        (Self::IMPOSSIBLE, "what contradicts itself has no values"),
    ];

    pub(super) fn and(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }

    /// Each rule in a sentence of its own.
    pub fn sentences(self) -> impl Iterator<Item = &'static str> {
        let held = move |rule: &Self| self.0 & rule.0 != 0;
        Self::WORDS.into_iter().filter(move |(rule, _)| held(rule)).map(|(_, words)| words)
    }
}

/// A value that the old schema accepts and the new one rejects, both asked of the validator.
#[derive(Clone, Debug, PartialEq)]
pub struct Witness {
    /// The value, shrunk to what is needed: as JSON it can be put to both schemas again.
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
            Self::Structural(_) => "each constraint of the new schema follows from the old one's",
        })?;
        if let Self::Structural(rules) = self {
            for (at, sentence) in rules.sentences().enumerate() {
                write!(f, "{}{sentence}", if at == 0 { ": " } else { "; " })?;
            }
        }
        Ok(())
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
