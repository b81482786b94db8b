//! Whether a text is a regular expression, as the run time reads one: ECMA 262's, put into the syntax of `regex`, which
//! refuses what it does not know; where look-around or a back-reference is met, `fancy_regex` decides.
//!
//! What is refused here is refused at run time: a test in `codegen` holds the two against each other. The converse needs
//! Unicode's tables and the compiled program, and is left to `toolcast check`. A parser of our own, because `regex-syntax`
//! alone would be a tenth of what a user's build script costs.

use crate::surrogate;
use std::collections::HashSet;

/// Why a pattern is none: what is wrong, where (characters from 1), and what to do.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fault {
    /// The character, from 1.
    pub at: usize,
    /// What is wrong.
    pub what: String,
    /// What to do.
    pub help: &'static str,
}

/// Finds the first fault of a pattern.
pub fn fault(pattern: &str) -> Option<Fault> {
    let (chars, places): (Vec<char>, Vec<usize>) = match surrogate::written(pattern) {
        Ok(written) => written.into_iter().unzip(),
        Err(fault) => return Some(fault),
    };
    let mut reader = Reader {
        chars,
        at: 0,
        open: Vec::new(),
        repeatable: false,
        names: HashSet::new(),
        backtracking: false,
    };
    match reader.pattern() {
        Err(Stop::Fault(mut fault)) => {
            // Halves of surrogate pairs are read as the characters that they make.
            fault.at = places.get(fault.at - 1).map_or(fault.at, |place| place + 1);
            Some(fault)
        }
        Ok(()) | Err(Stop::Unknown) => None,
    }
}

/// Why reading ends before the pattern does.
enum Stop {
    Fault(Fault),
    /// What follows may be right or wrong: only the engines know.
    Unknown,
}

type Read<T = ()> = Result<T, Stop>;

/// What an escape means, or a character of a class.
#[derive(Clone, Copy)]
enum Atom {
    Char(char),
    /// Several characters, such as `\d`.
    Class,
    /// A place between characters, such as `\b`.
    Place,
    /// Whatever the engine makes of it.
    Unknown,
}

struct Reader {
    chars: Vec<char>,
    at: usize,
    /// Where the groups that are still open began.
    open: Vec<usize>,
    /// Whether something stands before that can be repeated.
    repeatable: bool,
    names: HashSet<String>,
    /// Whether look-around or a back-reference was met: from there on only what no engine takes is certain.
    backtracking: bool,
}

const CLOSE_HELP: &str = "write both brackets, or put a backslash (in JSON two) before the one";
const ESCAPE_HELP: &str =
    "remove the backslash, or write `\\\\` (in JSON `\\\\\\\\`) for a backslash";
const COUNT_HELP: &str = "write `{2}`, `{2,}` or `{2,5}`; for a brace `\\{` (in JSON `\\\\{`)";
const REPEAT_HELP: &str =
    "put something before it, or a backslash (in JSON two) for the character itself";
const CODE_HELP: &str =
    "write a character's code in hexadecimal: `\\u00e9`, `\\u{1f600}` (no surrogates)";
const RANGE_HELP: &str = "turn the range round, or put a backslash (in JSON two) before the `-`";

impl Reader {
    fn pattern(&mut self) -> Read {
        while let Some(&c) = self.chars.get(self.at) {
            let start = self.at;
            self.at += 1;
            match c {
                '\\' => self.escape(start).map(drop)?,
                '[' => self.class(start)?,
                '(' => self.group(start)?,
                ')' => match self.open.pop() {
                    Some(_) => self.repeatable = true,
                    None => return self.wrong(start, "this `)` closes nothing", CLOSE_HELP),
                },
                '|' => self.repeatable = false,
                '*' | '+' | '?' => self.repetition(start, c)?,
                '{' => self.count(start)?,
                _ => self.repeatable = true,
            }
        }
        match self.open.pop() {
            Some(start) => self.wrong(start, "this `(` is not closed", CLOSE_HELP),
            None => Ok(()),
        }
    }

    fn wrong<T>(&self, at: usize, what: impl Into<String>, help: &'static str) -> Read<T> {
        Err(Stop::Fault(Fault { at: at + 1, what: what.into(), help }))
    }

    /// A fault, unless the engine that backtracks may see it otherwise.
    fn refused<T>(&self, at: usize, what: impl Into<String>, help: &'static str) -> Read<T> {
        match self.backtracking {
            true => Err(Stop::Unknown),
            false => self.wrong(at, what, help),
        }
    }

    fn peek(&self) -> Option<char> {
        self.chars.get(self.at).copied()
    }

    fn eat(&mut self, text: &str) -> bool {
        let there = self.chars[self.at..].iter().copied().take(text.len()).eq(text.chars());
        if there {
            self.at += text.len();
        }
        there
    }

    /// What stands between braces that are open already; `None` where they do not end.
    fn braced(&mut self) -> Option<String> {
        let length = self.chars[self.at..].iter().position(|c| *c == '}')?;
        let text = self.chars[self.at..self.at + length].iter().collect();
        self.at += length + 1;
        Some(text)
    }

    /// What follows a backslash.
    fn escape(&mut self, start: usize) -> Read<Atom> {
        let Some(c) = self.peek() else {
            return self.wrong(start, "nothing follows the backslash", ESCAPE_HELP);
        };
        self.at += 1;
        self.repeatable = true;
        if self.backtracking {
            return Ok(Atom::Unknown);
        }
        Ok(match c {
            '0'..='9' => {
                self.backtracking = true;
                Atom::Unknown
            }
            'x' | 'u' | 'U' => Atom::Char(self.code(start, c)?),
            'p' | 'P' => return self.property(start),
            'c' if self.peek().is_some_and(|letter| letter.is_ascii_alphabetic()) => {
                self.at += 1;
                Atom::Unknown
            }
            // Half a word boundary: an extension of `regex`.
            'b' if self.peek() == Some('{') => return Err(Stop::Unknown),
            'b' | 'B' | 'A' | 'z' | '<' | '>' => Atom::Place,
            'd' | 'D' | 's' | 'S' | 'w' | 'W' => Atom::Class,
            'a' => Atom::Unknown,
            'f' => Atom::Char('\u{c}'),
            'n' => Atom::Char('\n'),
            'r' => Atom::Char('\r'),
            't' => Atom::Char('\t'),
            'v' => Atom::Char('\u{b}'),
            c if c.is_ascii() && !c.is_ascii_alphanumeric() => Atom::Char(c),
            c => {
                let what = format!("the escape `\\{c}` means nothing here");
                return self.refused(start, what, ESCAPE_HELP);
            }
        })
    }

    /// A code point, its letter being read.
    fn code(&mut self, start: usize, letter: char) -> Read<char> {
        let digits = match self.eat("{") {
            true => self.braced().unwrap_or_default(),
            false => {
                let length = match letter {
                    'x' => 2,
                    'u' => 4,
                    _ => 8,
                };
                let digits: String = self.chars[self.at..].iter().take(length).collect();
                self.at = (self.at + length).min(self.chars.len());
                if digits.chars().count() == length { digits } else { String::new() }
            }
        };
        let known = digits.chars().all(|c| c.is_ascii_hexdigit());
        let code = u32::from_str_radix(&digits, 16).ok().filter(|_| known).and_then(char::from_u32);
        match code {
            Some(c) => Ok(c),
            None => self.refused(
                start,
                format!("`\\{letter}` is followed by no character's code"),
                CODE_HELP,
            ),
        }
    }

    /// A Unicode class, its letter being read; whether there is one of that name is not known here.
    fn property(&mut self, start: usize) -> Read<Atom> {
        let named = match self.eat("{") {
            true => self.braced().is_some(),
            false => {
                self.at += 1;
                self.at <= self.chars.len()
            }
        };
        match named {
            true => Ok(Atom::Class),
            false => self.refused(
                start,
                "the name of the Unicode class does not end",
                "write `\\p{Letter}`",
            ),
        }
    }

    fn repetition(&mut self, start: usize, c: char) -> Read {
        if !self.repeatable {
            return self.refused(
                start,
                format!("nothing stands before `{c}` that it could repeat"),
                REPEAT_HELP,
            );
        }
        self.eat("?");
        Ok(())
    }

    fn count(&mut self, start: usize) -> Read {
        if self.backtracking {
            return Ok(());
        }
        if !self.repeatable {
            return self.refused(
                start,
                "nothing stands before `{` that it could repeat",
                REPEAT_HELP,
            );
        }
        let Some(text) = self.braced() else {
            return self.refused(start, "this `{` is not closed", COUNT_HELP);
        };
        let (least, most) = match text.split_once(',') {
            None => (text.as_str(), None),
            Some((least, most)) => (least, Some(most).filter(|most| !most.trim().is_empty())),
        };
        let number = |text: &str| text.trim().parse::<u32>().ok().filter(|_| !text.contains('+'));
        match (number(least), most.map(number)) {
            (Some(least), Some(Some(most))) if least > most => {
                self.refused(start, format!("`{{{text}}}` ends before it begins"), COUNT_HELP)
            }
            (Some(_), None | Some(Some(_))) => {
                self.eat("?");
                Ok(())
            }
            _ => self.refused(start, format!("`{{{text}}}` is no count"), COUNT_HELP),
        }
    }

    fn group(&mut self, start: usize) -> Read {
        self.open.push(start);
        self.repeatable = false;
        if !self.eat("?") {
            return Ok(());
        }
        if ["=", "!", "<=", "<!"].into_iter().any(|sign| self.eat(sign)) {
            self.backtracking = true;
            return Ok(());
        }
        if self.backtracking {
            // A comment or the flag `x` hides what follows; groups of a kind that only that engine has do not.
            return match self.peek() {
                Some(':') => Ok(()),
                _ => Err(Stop::Unknown),
            };
        }
        if self.eat("P<") || self.eat("<") {
            return self.name(start);
        }
        self.flags(start)
    }

    fn name(&mut self, start: usize) -> Read {
        let Some(length) = self.chars[self.at..].iter().position(|c| *c == '>') else {
            return self.refused(start, "the group's name does not end", "write `(?<name>...)`");
        };
        let name: String = self.chars[self.at..self.at + length].iter().collect();
        self.at += length + 1;
        let plain = |c: char| c.is_alphanumeric() || matches!(c, '_' | '.' | '[' | ']');
        if !name.starts_with(|c: char| c == '_' || c.is_alphabetic()) || !name.chars().all(plain) {
            return self.refused(
                start,
                "the group has no name that can be used",
                "name it with letters, digits and `_`",
            );
        }
        match self.names.insert(name) {
            true => Ok(()),
            false => self.refused(
                start,
                "a group before this one has the same name",
                "give it another name, or write `(?:...)`",
            ),
        }
    }

    fn flags(&mut self, start: usize) -> Read {
        const HELP: &str =
            "write `(?:...)`, `(?i:...)`, `(?<name>...)`, or look-around: `(?=...)`, `(?!...)`";
        let mut seen = HashSet::new();
        while let Some(c) = self.peek() {
            self.at += 1;
            match c {
                ':' | ')' if self.chars[self.at - 2] == '-' => break,
                ':' => return Ok(()),
                // `(?i)` opens nothing; `(?)` is none.
                ')' if seen.is_empty() => break,
                ')' => {
                    self.open.pop();
                    return Ok(());
                }
                // Spaces and comments are then no part of the pattern.
                'x' => return Err(Stop::Unknown),
                'i' | 'm' | 's' | 'U' | 'u' | 'R' | '-' if seen.insert(c) => {}
                _ => break,
            }
        }
        self.refused(start, "what follows `(?` is no kind of group", HELP)
    }

    fn class(&mut self, start: usize) -> Read {
        self.eat("^");
        if self.peek() == Some(']') {
            // To ECMA 262 the class is empty, to the engines it begins with the bracket.
            return match self.chars[self.at + 1..].contains(&']') {
                true => Err(Stop::Unknown),
                false => self.wrong(
                    start,
                    "a class of no characters",
                    "put characters between `[` and `]`",
                ),
            };
        }
        // The last atom of which a range may begin: its place, and its character where it is one.
        let mut from: Option<(usize, Atom)> = None;
        while let Some(c) = self.peek() {
            let at = self.at;
            self.at += 1;
            match c {
                ']' => {
                    self.repeatable = true;
                    return Ok(());
                }
                '-' if self.peek().is_some_and(|next| next != ']') && !self.backtracking => {
                    // Runs of hyphens are told apart by the translation alone.
                    if self.peek() == Some('-') {
                        return self.rest_of_class(start);
                    }
                    match from.take() {
                        Some((begin, first)) => self.range(begin, first)?,
                        None => from = Some((at, Atom::Char('-'))),
                    }
                }
                c => from = Some((at, self.atom(at, c)?)),
            }
        }
        self.wrong(start, "this `[` is not closed", CLOSE_HELP)
    }

    /// The end of a range, its beginning and the hyphen being read.
    fn range(&mut self, begin: usize, first: Atom) -> Read {
        let at = self.at;
        self.at += 1;
        // There is one: the caller looked.
        let last = self.atom(at, self.chars[at])?;
        match (first, last) {
            (Atom::Char(first), Atom::Char(last)) if first > last => {
                let what = format!("the range `{first}-{last}` ends before it begins");
                self.refused(begin, what, RANGE_HELP)
            }
            (Atom::Class, _) | (_, Atom::Class) => {
                let what = "a range cannot begin or end with several characters";
                self.refused(begin, what, RANGE_HELP)
            }
            _ => Ok(()),
        }
    }

    /// A character of a class.
    fn atom(&mut self, at: usize, c: char) -> Read<Atom> {
        if c != '\\' {
            return Ok(Atom::Char(c));
        }
        match self.escape(at)? {
            Atom::Place => {
                let what =
                    format!("a class holds characters, and `\\{}` is none", self.chars[at + 1]);
                self.refused(at, what, ESCAPE_HELP)
            }
            atom => Ok(atom),
        }
    }

    /// Passes over what is left of a class.
    fn rest_of_class(&mut self, start: usize) -> Read {
        while let Some(c) = self.peek() {
            self.at += 1;
            match c {
                '\\' => self.at += 1,
                ']' => {
                    self.repeatable = true;
                    return Ok(());
                }
                _ => {}
            }
        }
        self.wrong(start, "this `[` is not closed", CLOSE_HELP)
    }
}
