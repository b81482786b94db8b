//! Halves of surrogate pairs in a pattern. No text that is validated holds one, so a pattern that is put without them
//! matches as it did: two that make a character become the character, one that stands in a class is left out of it. What
//! cannot be put so exactly is refused.

use crate::pattern::Fault;
use std::borrow::Cow;

/// Ranges of characters that pairs of classes may make; one range of 12 bytes and more each in the pattern.
const MAX_RANGES: usize = 4_096;

const HIGH: (u32, u32) = (0xd800, 0xdbff);
const LOW: (u32, u32) = (0xdc00, 0xdfff);

const PAIR_HELP: &str = "write the character itself, or its code: `\\u{1f600}`";
const CLASS_HELP: &str = "write the characters themselves: `[\\u{10000}-\\u{10ffff}]`";

/// A pattern that means the same and holds no half of a surrogate pair.
///
/// # Errors
///
/// A half that alone means nothing, or halves that can be read in two ways.
///
/// ```
/// use toolcast_schema::surrogate::without_surrogates;
///
/// assert_eq!(without_surrogates(r"^\uD83D\uDE00+$").unwrap(), r"^\x{1f600}+$");
/// assert_eq!(without_surrogates(r"[\uD800-\uDBFF][\uDC00-\uDFFF]").unwrap(), r"[\x{10000}-\x{10ffff}]");
/// assert!(without_surrogates(r"\uD83D$").is_err());
/// ```
pub fn without_surrogates(pattern: &str) -> Result<Cow<'_, str>, Fault> {
    if !pattern.contains("\\u") {
        return Ok(Cow::Borrowed(pattern));
    }
    let written = written(pattern)?;
    Ok(Cow::Owned(written.into_iter().map(|(c, _)| c).collect()))
}

/// The characters of such a pattern, each with the place it has in the first.
pub(crate) fn written(pattern: &str) -> Result<Vec<(char, usize)>, Fault> {
    let chars: Vec<char> = pattern.chars().collect();
    let out = Vec::with_capacity(chars.len());
    let mut writer = Writer { chars, out, ranges: 0 };
    writer.pattern()?;
    Ok(writer.out)
}

/// A character or an escape.
#[derive(Clone, Copy)]
struct Atom {
    start: usize,
    end: usize,
    /// The code, half or whole; `None` where it is several characters, or none.
    code: Option<u32>,
    /// Whether two halves were joined.
    is_pair: bool,
}

impl Atom {
    fn is_half(&self) -> bool {
        self.code.is_some_and(|code| within(code, (HIGH.0, LOW.1)))
    }
}

/// What a class holds: one atom, or a range of two.
type Item = (Atom, Option<Atom>);

enum Unit {
    Atom(Atom),
    Class { start: usize, end: usize, is_negated: bool, items: Vec<Item> },
}

impl Unit {
    fn end(&self) -> usize {
        match self {
            Self::Atom(atom) => atom.end,
            Self::Class { end, .. } => *end,
        }
    }

    fn mentions_halves(&self) -> bool {
        match self {
            Self::Atom(atom) => atom.is_half(),
            Self::Class { items, .. } => items
                .iter()
                .any(|(first, last)| first.is_half() || last.is_some_and(|last| last.is_half())),
        }
    }

    fn is_written_anew(&self) -> bool {
        let Self::Class { items, .. } = self else { return false };
        let is_pair = |item: &Item| item.0.is_pair || item.1.is_some_and(|last| last.is_pair);
        self.mentions_halves() || items.iter().any(is_pair)
    }

    /// The halves of one kind, in order, for which the unit stands.
    fn halves(&self, kind: (u32, u32)) -> Vec<(u32, u32)> {
        let mut ranges: Vec<(u32, u32)> = match self {
            Self::Class { is_negated: true, .. } => Vec::new(),
            unit if !unit.mentions_halves() => Vec::new(),
            Self::Atom(atom) => atom.code.map(|code| (code, code)).into_iter().collect(),
            Self::Class { items, .. } => items.iter().filter_map(codes).collect(),
        };
        ranges.retain_mut(|range| {
            *range = (range.0.max(kind.0), range.1.min(kind.1));
            range.0 <= range.1
        });
        ranges.sort_unstable();
        ranges.dedup_by(|next, last| {
            let meets = next.0 <= last.1 + 1;
            if meets {
                last.1 = last.1.max(next.1);
            }
            meets
        });
        ranges
    }

    /// Whether it stands for halves alone.
    fn is_halves(&self) -> bool {
        match self {
            Self::Atom(atom) => atom.is_half(),
            Self::Class { items, .. } => items.iter().all(|item| {
                codes(item).is_some_and(|(first, last)| first >= HIGH.0 && last <= LOW.1)
            }),
        }
    }
}

fn codes((first, last): &Item) -> Option<(u32, u32)> {
    Some((first.code?, last.as_ref().unwrap_or(first).code?))
}

fn within(code: u32, range: (u32, u32)) -> bool {
    range.0 <= code && code <= range.1
}

fn fault<T>(at: usize, what: impl Into<String>, help: &'static str) -> Result<T, Fault> {
    Err(Fault { at: at + 1, what: what.into(), help })
}

struct Writer {
    chars: Vec<char>,
    out: Vec<(char, usize)>,
    ranges: usize,
}

impl Writer {
    fn pattern(&mut self) -> Result<(), Fault> {
        let mut at = 0;
        while at < self.chars.len() {
            let Some(unit) = self.unit(at) else {
                // A class that does not end is somebody else's to refuse.
                self.copy(at, self.chars.len());
                break;
            };
            let highs = unit.halves(HIGH);
            let next = match highs.is_empty() {
                true => None,
                false => self.unit(unit.end()),
            };
            self.check(&unit)?;
            at = match next {
                Some(next) if !next.halves(LOW).is_empty() => {
                    self.check(&next)?;
                    self.pair(at, &unit, &next)?;
                    next.end()
                }
                Some(next @ Unit::Class { is_negated: true, .. }) if next.mentions_halves() => {
                    let what = "a negated class stands for the second half of a surrogate pair";
                    return fault(unit.end(), what, CLASS_HELP);
                }
                _ => {
                    self.alone(&unit)?;
                    unit.end()
                }
            };
        }
        Ok(())
    }

    fn copy(&mut self, from: usize, to: usize) {
        self.out.extend((from..to).map(|at| (self.chars[at], at)));
    }

    fn put(&mut self, at: usize, text: &str) {
        self.out.extend(text.chars().map(|c| (c, at)));
    }

    fn put_code(&mut self, at: usize, code: u32) {
        match char::from_u32(code).filter(char::is_ascii_alphanumeric) {
            Some(c) => self.out.push((c, at)),
            None => self.put(at, &format!("\\x{{{code:x}}}")),
        }
    }

    fn put_range(&mut self, at: usize, (first, last): (u32, u32)) {
        self.put_code(at, first);
        if first != last {
            self.out.push(('-', at));
            self.put_code(at, last);
        }
    }

    fn unit(&self, at: usize) -> Option<Unit> {
        match self.chars.get(at)? {
            '[' => self.class(at),
            _ => self.atom(at).map(Unit::Atom),
        }
    }

    /// Finds ranges that are none, or that can be read in two ways, in a class that is to be written anew.
    fn check(&self, unit: &Unit) -> Result<(), Fault> {
        let Unit::Class { items, .. } = unit else { return Ok(()) };
        if !unit.is_written_anew() {
            return Ok(());
        }
        for item in items {
            let (first, Some(last)) = item else { continue };
            let Some(codes) = codes(item) else {
                let what = "a range cannot begin or end with several characters";
                return fault(first.start, what, "put a backslash (in JSON two) before the `-`");
            };
            let goes_on = self.chars[last.end..].first() == Some(&'-')
                && self.chars[last.end + 1..].first() != Some(&']');
            if last.is_pair && !first.is_pair && (first.is_half() || goes_on) {
                let what = "two halves of surrogate pairs between ranges read as one character";
                return fault(last.start, what, CLASS_HELP);
            }
            if codes.0 > codes.1 {
                return fault(
                    first.start,
                    "a range of halves of surrogate pairs ends before it begins",
                    CLASS_HELP,
                );
            }
        }
        Ok(())
    }

    /// Two halves, or two classes of them, that make characters.
    fn pair(&mut self, at: usize, first: &Unit, second: &Unit) -> Result<(), Fault> {
        if !first.is_halves() && !second.is_halves() {
            let what = "halves of surrogate pairs stand among characters, which reads in two ways";
            return fault(at, what, CLASS_HELP);
        }
        if let Some('*' | '+' | '?' | '{') = self.chars.get(second.end()) {
            let what = "the second half of a surrogate pair is repeated without the first";
            return fault(second.end(), what, "put the pair between `(?:` and `)`");
        }
        let (highs, lows) = (first.halves(HIGH), second.halves(LOW));
        let all = highs.iter().map(|(from, to)| (to - from + 1) as usize).sum::<usize>();
        let is_whole = lows == [LOW];
        self.ranges += if is_whole { highs.len() } else { all * lows.len() };
        if self.ranges > MAX_RANGES {
            let what = "surrogate pairs that make too many ranges of characters";
            return fault(at, what, CLASS_HELP);
        }
        self.out.push(('[', at));
        for (from, to) in highs {
            if is_whole {
                self.put_range(at, (joined(from, LOW.0), joined(to, LOW.1)));
                continue;
            }
            for high in from..=to {
                for (low, last) in &lows {
                    self.put_range(at, (joined(high, *low), joined(high, *last)));
                }
            }
        }
        self.out.push((']', at));
        Ok(())
    }

    /// What makes no pair with its neighbour.
    fn alone(&mut self, unit: &Unit) -> Result<(), Fault> {
        match unit {
            Unit::Atom(atom) if atom.is_half() => {
                fault(atom.start, "half of a surrogate pair stands alone", PAIR_HELP)
            }
            Unit::Atom(Atom { start, code: Some(code), is_pair: true, .. }) => {
                self.put_code(*start, *code);
                Ok(())
            }
            Unit::Class { start, is_negated, items, .. } if unit.is_written_anew() => {
                self.put_class(*start, *is_negated, items);
                Ok(())
            }
            unit => {
                let start = match unit {
                    Unit::Atom(atom) => atom.start,
                    Unit::Class { start, .. } => *start,
                };
                self.copy(start, unit.end());
                Ok(())
            }
        }
    }

    /// A class without the halves that it holds.
    fn put_class(&mut self, start: usize, is_negated: bool, items: &[Item]) {
        self.put(start, if is_negated { "[^" } else { "[" });
        let opened = self.out.len();
        for item in items {
            let at = item.0.start;
            let Some((first, last)) = codes(item) else {
                self.copy(at, item.0.end);
                continue;
            };
            // What is left on either side of the halves.
            for part in [(first, last.min(HIGH.0 - 1)), (first.max(LOW.1 + 1), last)] {
                if part.0 <= part.1 {
                    self.put_range(at, part);
                }
            }
        }
        if self.out.len() == opened {
            // The engines know no class of nothing.
            self.out.truncate(opened - if is_negated { 2 } else { 1 });
            let all = if is_negated { r"[\x{0}-\x{10ffff}]" } else { r"[^\x{0}-\x{10ffff}]" };
            self.put(start, all);
        } else {
            self.out.push((']', start));
        }
    }

    /// A class; `None` where it does not end. It holds a pair where two halves follow one another, as ECMA 262 has it.
    fn class(&self, start: usize) -> Option<Unit> {
        let is_negated = self.chars.get(start + 1) == Some(&'^');
        let mut at = start + 1 + usize::from(is_negated);
        let mut items = Vec::new();
        // To the engines, a class may begin with the bracket.
        while self.chars.get(at)? != &']' || items.is_empty() {
            let first = self.atom(at)?;
            at = first.end;
            let is_range = self.chars.get(at) == Some(&'-') && *self.chars.get(at + 1)? != ']';
            let last = if is_range { Some(self.atom(at + 1)?) } else { None };
            at = last.map_or(at, |last| last.end);
            items.push((first, last));
        }
        Some(Unit::Class { start, end: at + 1, is_negated, items })
    }

    fn atom(&self, start: usize) -> Option<Atom> {
        let atom =
            |end: usize, code| Atom { start, end: end.min(self.chars.len()), code, is_pair: false };
        let c = *self.chars.get(start)?;
        if c != '\\' {
            return Some(atom(start + 1, Some(u32::from(c))));
        }
        let after = start + 2;
        let Some(c) = self.chars.get(start + 1) else { return Some(atom(after, None)) };
        // Only `\u` stands for a half.
        let whole = |code: &u32| *c == 'u' || char::from_u32(*code).is_some();
        let digits = |length| {
            let code = self.digits(after, length).filter(whole);
            code.map(|code| atom(after + length, Some(code)))
        };
        let escape = match c {
            'u' if let Some(code) = self.digits(after, 4) => {
                let low = match self.chars.get(after + 4..after + 6) {
                    Some(['\\', 'u']) if within(code, HIGH) => self.digits(after + 6, 4),
                    _ => None,
                };
                match low.filter(|low| within(*low, LOW)) {
                    Some(low) => {
                        let code = Some(joined(code, low));
                        Some(Atom { start, end: after + 10, code, is_pair: true })
                    }
                    None => Some(atom(after + 4, Some(code))),
                }
            }
            'u' | 'x' | 'U' | 'p' | 'P' if self.chars.get(after) == Some(&'{') => {
                let length = self.chars[after..].iter().take(64).position(|c| *c == '}');
                length.map(|length| {
                    let code = self.digits(after + 1, length - 1);
                    atom(
                        after + length + 1,
                        code.filter(|code| !matches!(c, 'p' | 'P') && whole(code)),
                    )
                })
            }
            'x' => digits(2),
            'U' => digits(8),
            'p' | 'P' => Some(atom(after + 1, None)),
            'c' => self
                .chars
                .get(after)
                .filter(|letter| letter.is_ascii_alphabetic())
                .map(|letter| atom(after + 1, Some(u32::from(*letter) % 32))),
            'f' => Some(atom(after, Some(0xc))),
            'n' => Some(atom(after, Some(0xa))),
            'r' => Some(atom(after, Some(0xd))),
            't' => Some(atom(after, Some(0x9))),
            'v' => Some(atom(after, Some(0xb))),
            c if c.is_ascii_punctuation() => Some(atom(after, Some(u32::from(*c)))),
            _ => None,
        };
        Some(escape.unwrap_or_else(|| atom(after, None)))
    }

    fn digits(&self, at: usize, length: usize) -> Option<u32> {
        let digits = self.chars.get(at..at + length)?;
        let is_code = (1..=8).contains(&length) && digits.iter().all(char::is_ascii_hexdigit);
        let code = digits.iter().filter_map(|digit| digit.to_digit(16));
        let code = code.fold(0_u32, |code, digit| code << 4 | digit);
        (is_code && code <= u32::from(char::MAX)).then_some(code)
    }
}

/// The character that two halves make.
fn joined(high: u32, low: u32) -> u32 {
    0x1_0000 + ((high - HIGH.0) << 10) + (low - LOW.0)
}
