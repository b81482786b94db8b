//! Reads JSON text strictly and remembers where every member and value stands.
//!
//! A parser of our own, because each of these decides a diagnostic and no maintained crate gives them together: every
//! duplicate key rather than the first or none, numbers by their own text, a stated depth, and positions in characters.
//! Recursion is bounded by [`MAX_DEPTH`], so no input can exhaust the stack.

use crate::diagnostic::Position;
use crate::pointer::tokens;
use serde_json::{Map, Number, Value};

/// No limit on depth may be set above this: the parser and `serde_json::Value`'s own drop recurse.
pub const MAX_DEPTH: usize = 512;

/// Finding the first of two equal names is a search, so a file made of duplicates must not be reported whole.
const MOST_DUPLICATES: usize = 100;

/// Where a value stands, and its children in the order of the value's own members or elements.
#[derive(Clone, Debug, Default)]
pub struct Places {
    key: Option<Place>,
    value: Place,
    children: Vec<Places>,
}

/// A [`Position`] in half the space: a file is far smaller than 4 GiB.
#[derive(Clone, Copy, Debug, Default)]
struct Place {
    line: u32,
    column: u32,
}

impl From<Place> for Position {
    fn from(place: Place) -> Self {
        Position { line: place.line as usize, column: place.column as usize }
    }
}

/// Which end of a member is meant.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum End {
    /// The member's name, where there is one.
    Key,
    /// The value.
    Value,
}

impl Places {
    /// The position of what `pointer` names in `root`, whose places these are; of the nearest ancestor where the
    /// pointer leads nowhere.
    pub fn locate(&self, root: &Value, pointer: &str, end: End) -> Position {
        let mut here = self;
        let mut value = root;
        for token in tokens(pointer) {
            let next = match value {
                Value::Object(members) => {
                    members.iter().position(|(name, _)| *name == token).zip(members.get(&token))
                }
                Value::Array(elements) => token
                    .parse::<usize>()
                    .ok()
                    .and_then(|index| elements.get(index).map(|value| (index, value))),
                _ => None,
            };
            let Some((index, child)) = next else { return here.value.into() };
            let Some(place) = here.children.get(index) else { return here.value.into() };
            here = place;
            value = child;
        }
        match (end, here.key) {
            (End::Key, Some(key)) => key.into(),
            _ => here.value.into(),
        }
    }
}

/// A parsed text.
#[derive(Clone, Debug)]
pub struct Parsed {
    /// The value, its members in the order of the text.
    pub value: Value,
    /// Where the value and all that it holds stand.
    pub places: Places,
    /// Members that repeat a name of their object; `value` keeps the first.
    pub duplicates: Vec<Duplicate>,
}

/// A member whose name its object already had.
#[derive(Clone, Debug)]
pub struct Duplicate {
    /// The name.
    pub name: String,
    /// Where it stands again.
    pub position: Position,
    /// Where it stands first.
    pub first: Position,
}

/// Why a text is not a JSON document that can be used.
#[derive(Clone, Debug, PartialEq)]
pub struct Fault {
    /// The kind of fault.
    pub kind: FaultKind,
    /// Where the text is wrong.
    pub position: Position,
    /// What is wrong, without the place.
    pub message: String,
}

/// The kinds of fault that a person mends in different ways.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FaultKind {
    /// The text is no JSON (RFC 8259).
    Syntax,
    /// It is nested deeper than was allowed.
    TooDeep,
    /// A number is past the range of a 64-bit float.
    NumberRange,
}

/// Parses `text`, refusing what is nested deeper than `depth`.
///
/// # Errors
///
/// The first fault of the text. Duplicate keys are no such fault: they are in [`Parsed::duplicates`].
pub fn parse(text: &str, depth: usize) -> Result<Parsed, Fault> {
    let mut parser = Parser {
        text,
        bytes: text.as_bytes(),
        at: 0,
        depth_left: depth.min(MAX_DEPTH),
        depth: depth.min(MAX_DEPTH),
        duplicates: Vec::new(),
        mark: 0,
        line: 1,
        column: 1,
    };
    if text.starts_with('\u{feff}') {
        return Err(parser.fault(0, "the file begins with a byte order mark"));
    }
    parser.skip_space();
    let (value, places) = parser.value()?;
    parser.skip_space();
    if parser.at < parser.bytes.len() {
        let what = parser.describe_here();
        return Err(parser.fault(parser.at, &format!("expected the end of the file, found {what}")));
    }
    Ok(Parsed { value, places, duplicates: parser.duplicates })
}

/// An object or array, and where its children stand.
type Nested = (Value, Vec<Places>);

struct Parser<'a> {
    text: &'a str,
    bytes: &'a [u8],
    at: usize,
    depth: usize,
    depth_left: usize,
    duplicates: Vec<Duplicate>,
    /// The last offset whose line and column were worked out; counting goes on from there, so that a minified file of
    /// one long line costs no quadratic time.
    mark: usize,
    line: u32,
    column: u32,
}

impl Parser<'_> {
    fn place(&mut self, offset: usize) -> Place {
        // Tokens are placed in order, so `offset` is never before `mark`.
        for c in self.text[self.mark..offset].chars() {
            if c == '\n' {
                self.line += 1;
                self.column = 1;
            } else {
                self.column += 1;
            }
        }
        self.mark = offset;
        Place { line: self.line, column: self.column }
    }

    fn fault(&mut self, offset: usize, message: &str) -> Fault {
        let position = self.place(offset.max(self.mark)).into();
        Fault { kind: FaultKind::Syntax, position, message: message.to_owned() }
    }

    fn skip_space(&mut self) {
        while let Some(b' ' | b'\t' | b'\n' | b'\r') = self.bytes.get(self.at) {
            self.at += 1;
        }
    }

    fn describe_here(&self) -> String {
        match self.text[self.at..].chars().next() {
            None => "the end of the file".to_owned(),
            Some('/') => "`/` (JSON has no comments)".to_owned(),
            Some('\'') => "`'` (strings take double quotes)".to_owned(),
            Some(c) if c.is_control() => format!("the character U+{:04X}", c as u32),
            Some(c) => format!("`{c}`"),
        }
    }

    fn expected<T>(&mut self, what: &str) -> Result<T, Fault> {
        let found = self.describe_here();
        Err(self.fault(self.at, &format!("expected {what}, found {found}")))
    }

    fn value(&mut self) -> Result<(Value, Places), Fault> {
        let place = self.place(self.at);
        let leaf = |value| (value, Places { key: None, value: place, children: Vec::new() });
        match self.bytes.get(self.at) {
            Some(b'{') => self.nested(place, Self::object),
            Some(b'[') => self.nested(place, Self::array),
            Some(b'"') => Ok(leaf(Value::String(self.string()?))),
            Some(b'-' | b'0'..=b'9') => Ok(leaf(Value::Number(self.number()?))),
            _ => {
                for (word, value) in [
                    ("true", Value::Bool(true)),
                    ("false", Value::Bool(false)),
                    ("null", Value::Null),
                ] {
                    if self.text[self.at..].starts_with(word) {
                        self.at += word.len();
                        return Ok(leaf(value));
                    }
                }
                self.expected("a value")
            }
        }
    }

    fn nested(
        &mut self,
        place: Place,
        inner: fn(&mut Self) -> Result<Nested, Fault>,
    ) -> Result<(Value, Places), Fault> {
        if self.depth_left == 0 {
            let message = format!("nested deeper than {} levels", self.depth);
            return Err(Fault { kind: FaultKind::TooDeep, position: place.into(), message });
        }
        self.depth_left -= 1;
        self.at += 1;
        let (value, children) = inner(self)?;
        self.depth_left += 1;
        Ok((value, Places { key: None, value: place, children }))
    }

    fn object(&mut self) -> Result<Nested, Fault> {
        let mut members = Map::new();
        let mut children: Vec<Places> = Vec::new();
        self.skip_space();
        if self.bytes.get(self.at) == Some(&b'}') {
            self.at += 1;
            return Ok((Value::Object(members), children));
        }
        loop {
            self.skip_space();
            if self.bytes.get(self.at) != Some(&b'"') {
                if self.bytes.get(self.at) == Some(&b'}') {
                    return Err(self.fault(self.at, "a comma stands before `}`"));
                }
                return self.expected("a member's name in double quotes");
            }
            let key = self.place(self.at);
            let name = self.string()?;
            self.skip_space();
            if self.bytes.get(self.at) != Some(&b':') {
                return self.expected("`:` after a member's name");
            }
            self.at += 1;
            self.skip_space();
            let (value, mut places) = self.value()?;
            places.key = Some(key);
            if !members.contains_key(&name) {
                members.insert(name, value);
                children.push(places);
            } else if self.duplicates.len() < MOST_DUPLICATES
                && let Some(index) = members.keys().position(|other| *other == name)
            {
                let first = children[index].key.unwrap_or_default().into();
                self.duplicates.push(Duplicate { name, position: key.into(), first });
            }
            self.skip_space();
            match self.bytes.get(self.at) {
                Some(b',') => self.at += 1,
                Some(b'}') => {
                    self.at += 1;
                    return Ok((Value::Object(members), children));
                }
                _ => return self.expected("`,` or `}` after a member"),
            }
        }
    }

    fn array(&mut self) -> Result<Nested, Fault> {
        let mut elements = Vec::new();
        let mut children = Vec::new();
        self.skip_space();
        if self.bytes.get(self.at) == Some(&b']') {
            self.at += 1;
            return Ok((Value::Array(elements), children));
        }
        loop {
            self.skip_space();
            if self.bytes.get(self.at) == Some(&b']') {
                return Err(self.fault(self.at, "a comma stands before `]`"));
            }
            let (value, places) = self.value()?;
            elements.push(value);
            children.push(places);
            self.skip_space();
            match self.bytes.get(self.at) {
                Some(b',') => self.at += 1,
                Some(b']') => {
                    self.at += 1;
                    return Ok((Value::Array(elements), children));
                }
                _ => return self.expected("`,` or `]` after an element"),
            }
        }
    }

    fn string(&mut self) -> Result<String, Fault> {
        let opening = self.at;
        self.at += 1;
        let mut out = String::new();
        loop {
            let start = self.at;
            while !matches!(self.bytes.get(self.at), None | Some(b'"' | b'\\' | 0..=0x1f)) {
                self.at += 1;
            }
            // Both ends are at ASCII bytes or the end of the text, so they are character boundaries.
            out.push_str(&self.text[start..self.at]);
            match self.bytes.get(self.at) {
                None => return Err(self.fault(opening, "the string is never closed")),
                Some(b'"') => {
                    self.at += 1;
                    return Ok(out);
                }
                Some(b'\\') => out.push(self.escape()?),
                Some(b'\n' | b'\r') => {
                    return Err(
                        self.fault(self.at, "a string ends at the end of its line: write `\\n`")
                    );
                }
                Some(control) => {
                    let message = format!(
                        "a control character (U+{control:04X}) in a string: write `\\u{control:04x}`"
                    );
                    return Err(self.fault(self.at, &message));
                }
            }
        }
    }

    fn escape(&mut self) -> Result<char, Fault> {
        let start = self.at;
        self.at += 1;
        let Some(&letter) = self.bytes.get(self.at) else {
            return Err(self.fault(start, "the string is never closed"));
        };
        self.at += 1;
        Ok(match letter {
            b'"' | b'\\' | b'/' => letter as char,
            b'b' => '\u{8}',
            b'f' => '\u{c}',
            b'n' => '\n',
            b'r' => '\r',
            b't' => '\t',
            b'u' => {
                let lone = "half of a surrogate pair stands alone";
                let high = self.four_digits(start)?;
                let code = match high {
                    0xd800..=0xdbff => {
                        if !self.text[self.at..].starts_with("\\u") {
                            return Err(self.fault(start, lone));
                        }
                        self.at += 2;
                        let low = self.four_digits(start)?;
                        if !(0xdc00..=0xdfff).contains(&low) {
                            return Err(self.fault(start, lone));
                        }
                        0x10000 + ((high - 0xd800) << 10) + (low - 0xdc00)
                    }
                    code => code,
                };
                match char::from_u32(code) {
                    Some(c) => c,
                    None => return Err(self.fault(start, lone)),
                }
            }
            _ => {
                return Err(self.fault(
                    start,
                    "no such escape: JSON knows \\\" \\\\ \\/ \\b \\f \\n \\r \\t \\u",
                ));
            }
        })
    }

    fn four_digits(&mut self, start: usize) -> Result<u32, Fault> {
        let digits =
            self.bytes.get(self.at..self.at + 4).filter(|d| d.iter().all(u8::is_ascii_hexdigit));
        match digits {
            Some(digits) => {
                let code = digits
                    .iter()
                    .fold(0, |code, digit| code * 16 + (*digit as char).to_digit(16).unwrap_or(0));
                self.at += 4;
                Ok(code)
            }
            None => Err(self.fault(start, "`\\u` takes four hexadecimal digits")),
        }
    }

    fn number(&mut self) -> Result<Number, Fault> {
        let start = self.at;
        let digits = |parser: &mut Self| {
            let first = parser.at;
            while matches!(parser.bytes.get(parser.at), Some(b'0'..=b'9')) {
                parser.at += 1;
            }
            parser.at > first
        };
        if self.bytes.get(self.at) == Some(&b'-') {
            self.at += 1;
        }
        let leading_zero = self.bytes.get(self.at) == Some(&b'0');
        let integer = self.at;
        if !digits(self) {
            return self.expected("a digit");
        }
        if leading_zero && self.at > integer + 1 {
            return Err(self.fault(start, "a number does not begin with a zero"));
        }
        if self.bytes.get(self.at) == Some(&b'.') {
            self.at += 1;
            if !digits(self) {
                return self.expected("a digit after the decimal point");
            }
        }
        if let Some(b'e' | b'E') = self.bytes.get(self.at) {
            self.at += 1;
            if let Some(b'+' | b'-') = self.bytes.get(self.at) {
                self.at += 1;
            }
            if !digits(self) {
                return self.expected("a digit of the exponent");
            }
        }
        let text = &self.text[start..self.at];
        // Asked of the text rather than of serde_json, whose answer depends on `arbitrary_precision`.
        let in_range = text.parse::<f64>().is_ok_and(f64::is_finite);
        match text.parse::<Number>() {
            Ok(number) if in_range => Ok(number),
            _ => {
                let shown: String = text.chars().take(40).collect();
                let position = self.place(start.max(self.mark)).into();
                let message = format!("`{shown}` is past the range of a 64-bit float");
                Err(Fault { kind: FaultKind::NumberRange, position, message })
            }
        }
    }
}

/// Bytes of a value as JSON text, about: escapes are not counted.
pub fn size(value: &Value) -> usize {
    match value {
        Value::Null | Value::Bool(_) => 5,
        Value::Number(_) => 8,
        Value::String(text) => text.len() + 2,
        Value::Array(elements) => {
            2 + elements.iter().map(|element| size(element) + 1).sum::<usize>()
        }
        Value::Object(members) => {
            2 + members.iter().map(|(name, value)| name.len() + 4 + size(value)).sum::<usize>()
        }
    }
}

#[cfg(test)]
mod tests;
