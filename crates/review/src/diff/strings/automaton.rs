//! A regular expression as an automaton, read one character at a time.

use regex_automata::dfa::{Automaton as _, StartKind, dense};
use regex_automata::nfa::thompson;
use regex_automata::util::primitives::StateID;
use regex_automata::util::start;
use regex_automata::{Anchored, MatchKind};
use regex_syntax::hir::{Class, Hir, HirKind};

/// The size of one automaton, and of what it is built from.
const SIZE: usize = 1 << 21;
const BUILDING: usize = 1 << 22;
const NFA: usize = 1 << 20;

/// Texts in which an expression matches somewhere.
pub(super) struct Automaton {
    dfa: dense::DFA<Vec<u32>>,
    hir: Hir,
}

/// How far an automaton has read; all that matters once it has matched is that it has.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(super) enum At {
    Reading(StateID),
    Matched,
    /// It cannot match any more.
    Lost,
}

impl Automaton {
    /// `None` where the expression is not regular, or its automaton is too large.
    pub(super) fn new(expression: &str) -> Option<Self> {
        let hir =
            regex_syntax::ParserBuilder::new().nest_limit(128).build().parse(expression).ok()?;
        let dfa = dense::Builder::new()
            .configure(
                dense::Config::new()
                    .start_kind(StartKind::Unanchored)
                    .match_kind(MatchKind::All)
                    .dfa_size_limit(Some(SIZE))
                    .determinize_size_limit(Some(BUILDING)),
            )
            .thompson(thompson::Config::new().nfa_size_limit(Some(NFA)))
            .build(expression)
            .ok()?;
        Some(Self { dfa, hir })
    }

    pub(super) fn start(&self) -> Option<At> {
        let start = start::Config::new().anchored(Anchored::No);
        self.dfa.start_state(&start).ok().map(|state| self.place(state))
    }

    fn place(&self, state: StateID) -> At {
        if self.dfa.is_match_state(state) {
            At::Matched
        } else if self.dfa.is_dead_state(state) {
            At::Lost
        } else {
            At::Reading(state)
        }
    }

    pub(super) fn read(&self, at: At, character: char) -> At {
        let At::Reading(mut state) = at else { return at };
        let mut bytes = [0; 4];
        for byte in character.encode_utf8(&mut bytes).bytes() {
            state = self.dfa.next_state(state, byte);
            if self.dfa.is_match_state(state) {
                return At::Matched;
            }
        }
        self.place(state)
    }

    /// Whether a text that ends here is matched.
    pub(super) fn accepts(&self, at: At) -> bool {
        match at {
            At::Matched => true,
            At::Lost => false,
            At::Reading(state) => {
                let end = self.dfa.next_eoi_state(state);
                self.dfa.is_match_state(end)
            }
        }
    }

    /// The sets of characters that the expression tells apart.
    pub(super) fn classes(&self, found: &mut Vec<Vec<(char, char)>>) {
        classes(&self.hir, found);
    }
}

fn classes(hir: &Hir, found: &mut Vec<Vec<(char, char)>>) {
    match hir.kind() {
        HirKind::Empty | HirKind::Look(_) => {}
        HirKind::Literal(literal) => {
            let text = String::from_utf8_lossy(&literal.0).into_owned();
            found.extend(text.chars().map(|c| vec![(c, c)]));
        }
        HirKind::Class(Class::Unicode(class)) => {
            found.push(class.ranges().iter().map(|r| (r.start(), r.end())).collect());
        }
        HirKind::Class(Class::Bytes(class)) => {
            let ranges = class.ranges().iter();
            found.push(ranges.map(|r| (char::from(r.start()), char::from(r.end()))).collect());
        }
        HirKind::Repetition(repetition) => classes(&repetition.sub, found),
        HirKind::Capture(capture) => classes(&capture.sub, found),
        HirKind::Concat(parts) | HirKind::Alternation(parts) => {
            parts.iter().for_each(|part| classes(part, found));
        }
    }
}
