//! Whether some text satisfies one formula and not another: all automata read the same text at once, one more character
//! a step, until a text is found or nothing new can come.

use super::super::limits::abandoned;
use super::super::truth::Truth;
use super::automaton::{At, Automaton};
use super::{Atom, Languages, Text, alphabet, format};
use std::collections::{BTreeSet, HashMap, HashSet};
use std::rc::Rc;

/// States that all automata together may be in, and steps from one to another.
const STATES: usize = 60_000;
const STEPS: usize = 3_000_000;
/// Formats that one question may name.
const FORMATS: usize = 4;
/// The longest text that is built.
const LONGEST: usize = 1 << 22;

/// What a search came to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(in super::super) enum Found {
    /// No text: proved.
    Nothing,
    /// This text.
    Text(String),
    /// Neither was shown; the text, where there is one, may do.
    Unknown(Option<String>),
}

pub(super) fn difference(languages: &Languages, one: &Text, other: &Text) -> Found {
    Search::new(languages, one, other).map_or(Found::Unknown(None), |mut search| search.run())
}

enum Reading {
    Expression(Rc<Automaton>),
    Literals(Trie),
}

/// The state of one reading: an automaton's, or a node of a tree of literals.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
enum Place {
    Expression(At),
    Node(u32),
    Off,
}

/// A format, with the readings of what it surely takes and of what it may take.
type Format = (Rc<str>, Option<(usize, usize)>);

struct Search<'f> {
    one: &'f Text,
    other: &'f Text,
    readings: Vec<Reading>,
    expressions: HashMap<Rc<str>, usize>,
    literals: HashMap<usize, usize>,
    formats: Vec<Format>,
    characters: Vec<char>,
    /// Lengths at which an answer may change.
    ends: BTreeSet<usize>,
    states: Vec<Box<[Place]>>,
    known: HashMap<Box<[Place]>, u32>,
    next: Vec<Option<Vec<u32>>>,
    steps: usize,
}

/// The states after so many characters, and whence each was reached first.
struct Layer {
    from: HashMap<u32, (u32, char)>,
    /// How often the same step was taken.
    times: usize,
}

impl<'f> Search<'f> {
    fn new(languages: &Languages, one: &'f Text, other: &'f Text) -> Option<Self> {
        let mut search = Self {
            one,
            other,
            readings: Vec::new(),
            expressions: HashMap::new(),
            literals: HashMap::new(),
            formats: Vec::new(),
            characters: Vec::new(),
            ends: BTreeSet::from([0]),
            states: Vec::new(),
            known: HashMap::new(),
            next: Vec::new(),
            steps: STEPS,
        };
        let mut classes = Vec::new();
        let mut add = |atom: &Atom| match atom {
            Atom::Matches(expression) => {
                search.expression(languages, expression, &mut classes);
            }
            Atom::Format(name) => {
                if search.formats.iter().all(|(known, _)| known != name) {
                    let bounds = format::bounds(name).and_then(|(under, over)| {
                        let under = search.expression(languages, &under, &mut classes)?;
                        Some((under, search.expression(languages, &over, &mut classes)?))
                    });
                    search.formats.push((Rc::clone(name), bounds));
                }
            }
            Atom::OneOf(texts) => {
                let key = Rc::as_ptr(texts) as usize;
                if !search.literals.contains_key(&key) {
                    let all: BTreeSet<char> = texts.iter().flat_map(|text| text.chars()).collect();
                    classes.extend(all.into_iter().map(|c| vec![(c, c)]));
                    search.literals.insert(key, search.readings.len());
                    search.readings.push(Reading::Literals(Trie::new(texts)));
                }
            }
            Atom::AtLeast(limit) => search.ends.extend([*limit, limit.saturating_sub(1)]),
            Atom::AtMost(limit) => search.ends.extend([*limit, limit.saturating_add(1)]),
        };
        one.each_atom(&mut add);
        other.each_atom(&mut add);
        if search.formats.len() > FORMATS {
            return None;
        }
        search.characters =
            if search.readings.is_empty() { vec!['a'] } else { alphabet::characters(&classes)? };
        Some(search)
    }

    /// The reading of an expression, where it has an automaton.
    fn expression(
        &mut self,
        languages: &Languages,
        expression: &Rc<str>,
        classes: &mut Vec<Vec<(char, char)>>,
    ) -> Option<usize> {
        if let Some(known) = self.expressions.get(expression) {
            return Some(*known);
        }
        let automaton = languages.automaton(expression)?;
        automaton.classes(classes);
        let reading = self.readings.len();
        self.expressions.insert(Rc::clone(expression), reading);
        self.readings.push(Reading::Expression(automaton));
        Some(reading)
    }

    fn run(&mut self) -> Found {
        let start: Option<Box<[Place]>> = self
            .readings
            .iter()
            .map(|reading| match reading {
                Reading::Expression(automaton) => automaton.start().map(Place::Expression),
                Reading::Literals(_) => Some(Place::Node(0)),
            })
            .collect();
        let Some(start) = start.and_then(|start| self.state(start)) else {
            return Found::Unknown(None);
        };
        let mut layers: Vec<Layer> = Vec::new();
        let mut current = vec![start];
        let mut length = 0_usize;
        let mut perhaps: Option<(usize, usize, u32)> = None;
        // Sets of states met since the last length at which an answer may change.
        let mut met: HashSet<Vec<u32>> = HashSet::new();
        loop {
            if abandoned() {
                return Found::Unknown(None);
            }
            for state in &current {
                match self.answer(*state, length) {
                    Truth::Yes if length > LONGEST => return Found::Unknown(None),
                    Truth::Yes => return Found::Text(self.text(&layers, layers.len(), *state)),
                    Truth::Unknown if perhaps.is_none() && length <= LONGEST => {
                        perhaps = Some((length, layers.len(), *state));
                    }
                    Truth::Unknown if perhaps.is_none() => return Found::Unknown(None),
                    _ => {}
                }
            }
            if self.ends.contains(&length) {
                met.clear();
            }
            let next_end = self.ends.range(length + 1..).next().copied();
            if !met.insert(current.clone()) && next_end.is_none() {
                break;
            }
            let mut from: HashMap<u32, (u32, char)> = HashMap::new();
            for state in &current {
                let Some(next) = self.after(*state) else { return Found::Unknown(None) };
                for (character, next) in self.characters.iter().zip(&next) {
                    from.entry(*next).or_insert((*state, *character));
                }
            }
            if from.is_empty() {
                break;
            }
            let mut next: Vec<u32> = from.keys().copied().collect();
            next.sort_unstable();
            let steady = next == current;
            let times = match next_end {
                // Nothing changes before the next end.
                Some(end) if steady => end - length,
                None if steady => 1,
                _ => 1,
            };
            let Some(longer) = length.checked_add(times) else { return Found::Unknown(None) };
            layers.push(Layer { from, times });
            length = longer;
            current = next;
        }
        match perhaps {
            None => Found::Nothing,
            Some((_, layer, state)) => Found::Unknown(Some(self.text(&layers, layer, state))),
        }
    }

    /// Whether a text of this length that led to this state satisfies the one and not the other.
    fn answer(&self, state: u32, length: usize) -> Truth {
        let places = &self.states[state as usize];
        let mut answers: Option<Truth> = None;
        // Each format holds of the text or does not; only what its bounds allow is considered.
        for assigned in 0..1_u32 << self.formats.len() {
            let holds = |at: usize| assigned >> at & 1 == 1;
            let possible = self.formats.iter().enumerate().all(|(at, (name, bounds))| {
                bounds.is_none_or(|(under, over)| {
                    let surely = self.accepts(under, places[under]);
                    let perhaps = self.accepts(over, places[over]);
                    if holds(at) { perhaps } else { !surely }
                }) && self.formats.iter().enumerate().all(|(other, (wider, _))| {
                    !holds(at) || holds(other) || !format::implies(name, wider)
                })
            });
            if possible {
                let answer = self.answer_with(places, length, &holds);
                answers = Some(match answers {
                    None => answer,
                    Some(known) if known == answer => answer,
                    Some(_) => Truth::Unknown,
                });
            }
        }
        // Bounds that contradict each other would be a fault of ours: nothing is claimed.
        answers.unwrap_or(Truth::Unknown)
    }

    fn answer_with(&self, places: &[Place], length: usize, holds: &dyn Fn(usize) -> bool) -> Truth {
        let atom = |atom: &Atom| match atom {
            Atom::AtLeast(limit) => Truth::of(length >= *limit),
            Atom::AtMost(limit) => Truth::of(length <= *limit),
            Atom::Matches(expression) => match self.expressions.get(expression) {
                Some(at) => Truth::of(self.accepts(*at, places[*at])),
                None => Truth::Unknown,
            },
            Atom::Format(name) => match self.formats.iter().position(|(known, _)| known == name) {
                Some(at) => Truth::of(holds(at)),
                None => Truth::Unknown,
            },
            Atom::OneOf(texts) => match self.literals.get(&(Rc::as_ptr(texts) as usize)) {
                Some(at) => Truth::of(self.accepts(*at, places[*at])),
                None => Truth::Unknown,
            },
        };
        match self.one.holds(&atom) {
            Truth::No => Truth::No,
            holds => holds.and(self.other.holds(&atom).negated()),
        }
    }

    fn accepts(&self, reading: usize, place: Place) -> bool {
        match (&self.readings[reading], place) {
            (Reading::Expression(automaton), Place::Expression(at)) => automaton.accepts(at),
            (Reading::Literals(trie), Place::Node(node)) => trie.ends(node),
            _ => false,
        }
    }

    fn state(&mut self, places: Box<[Place]>) -> Option<u32> {
        if let Some(known) = self.known.get(&places) {
            return Some(*known);
        }
        if self.states.len() >= STATES {
            return None;
        }
        let name = u32::try_from(self.states.len()).ok()?;
        self.known.insert(places.clone(), name);
        self.states.push(places);
        self.next.push(None);
        Some(name)
    }

    /// The states after one more character, in the order of the alphabet.
    fn after(&mut self, state: u32) -> Option<Vec<u32>> {
        self.steps = self.steps.checked_sub(self.characters.len())?;
        if let Some(known) = &self.next[state as usize] {
            return Some(known.clone());
        }
        let mut next = Vec::with_capacity(self.characters.len());
        for character in self.characters.clone() {
            let places = self.states[state as usize].clone();
            let read = self.readings.iter().zip(places.iter());
            let read = read.map(|(reading, place)| match (reading, place) {
                (Reading::Expression(automaton), Place::Expression(at)) => {
                    Place::Expression(automaton.read(*at, character))
                }
                (Reading::Literals(trie), Place::Node(node)) => trie.read(*node, character),
                _ => Place::Off,
            });
            next.push(self.state(read.collect())?);
        }
        self.next[state as usize] = Some(next.clone());
        Some(next)
    }

    /// The text that led to a state after so many layers.
    fn text(&self, layers: &[Layer], layer: usize, state: u32) -> String {
        let mut characters = Vec::new();
        let mut state = state;
        for layer in layers[..layer].iter().rev() {
            for _ in 0..layer.times {
                let Some((from, character)) = layer.from.get(&state) else { break };
                characters.push(*character);
                state = *from;
            }
        }
        characters.into_iter().rev().collect()
    }
}

/// Literals as a tree, so that many are read at once.
struct Trie {
    children: Vec<HashMap<char, u32>>,
    ends: Vec<bool>,
}

impl Trie {
    fn new(texts: &BTreeSet<String>) -> Self {
        let mut trie = Self { children: vec![HashMap::new()], ends: vec![false] };
        for text in texts {
            let mut at = 0_usize;
            for character in text.chars() {
                at = match trie.children[at].get(&character) {
                    Some(next) => *next as usize,
                    None => {
                        let next = trie.children.len();
                        // The characters of all literals are bounded far below.
                        let name = u32::try_from(next).unwrap_or(u32::MAX);
                        trie.children[at].insert(character, name);
                        trie.children.push(HashMap::new());
                        trie.ends.push(false);
                        next
                    }
                };
            }
            trie.ends[at] = true;
        }
        trie
    }

    fn read(&self, node: u32, character: char) -> Place {
        self.children[node as usize].get(&character).map_or(Place::Off, |next| Place::Node(*next))
    }

    fn ends(&self, node: u32) -> bool {
        self.ends[node as usize]
    }
}
