//! A pattern as a combination of regular expressions: what looks ahead from the start, or back from the end, holds of the
//! whole text beside the rest.

use super::super::truth::Formula;
use super::Atom;
use std::rc::Rc;
use toolcast_schema::surrogate::without_surrogates;

/// Look-around within look-around.
const DEPTH: u32 = 4;

/// What a pattern says of a text; unknown where it is not regular.
pub(super) fn formula(pattern: &str) -> Formula<Atom> {
    let plain = without_surrogates(pattern).ok();
    plain.and_then(|pattern| expressions(&pattern, DEPTH)).unwrap_or(Formula::UNKNOWN)
}

fn expressions(pattern: &str, depth: u32) -> Option<Formula<Atom>> {
    let depth = depth.checked_sub(1)?;
    let expression = jsonschema_regex::to_rust_regex(pattern).ok()?;
    if regex_syntax::ParserBuilder::new().nest_limit(128).build().parse(&expression).is_ok() {
        return Some(Formula::Atom(Atom::Matches(Rc::from(&*expression))));
    }
    // A branch of its own for each alternative; an anchor belongs to one of them.
    let alternatives = split(pattern, '|')?;
    if alternatives.len() > 1 {
        let alternatives = alternatives.into_iter().map(|one| expressions(one, depth));
        return Some(Formula::Any(alternatives.collect::<Option<_>>()?));
    }
    if let Some(rest) = pattern.strip_prefix('^') {
        // A group around everything changes nothing.
        if let Some((positive, ahead, rest)) = look(rest, ["(?=", "(?!"]) {
            let ahead = expressions(&format!("^(?:{ahead})"), depth)?;
            let rest = expressions(&format!("^{rest}"), depth)?;
            return Some(Formula::All(vec![if positive { ahead } else { ahead.not() }, rest]));
        }
        if let Some(body) = rest.strip_suffix('$').filter(|body| !body.ends_with('\\'))
            && let Some((start, positive, behind)) = look_behind(body)
            && !start.ends_with('\\')
        {
            let behind = expressions(&format!("(?:{behind})$"), depth)?;
            let rest = expressions(&format!("^{start}$"), depth)?;
            return Some(Formula::All(vec![if positive { behind } else { behind.not() }, rest]));
        }
        if let Some(group) = group(rest) {
            let inner = expressions(&format!("^{group}"), depth)?;
            return Some(inner);
        }
    }
    None
}

/// What a group that is all of the text holds, where it captures nothing.
fn group(text: &str) -> Option<&str> {
    let body = text.strip_prefix("(?:")?;
    let end = group_end(body)?;
    let inner = &body[..end];
    (end + 1 == body.len() && split(inner, '|')?.len() == 1).then_some(inner)
}

/// A look-around at the start of the text: whether it is positive, what it holds, and what follows.
fn look<'t>(text: &'t str, opening: [&str; 2]) -> Option<(bool, &'t str, &'t str)> {
    let (positive, body) = match (text.strip_prefix(opening[0]), text.strip_prefix(opening[1])) {
        (Some(body), _) => (true, body),
        (None, Some(body)) => (false, body),
        (None, None) => return None,
    };
    let end = group_end(body)?;
    let rest = &body[end + 1..];
    (!rest.starts_with(['*', '+', '?', '{'])).then(|| (positive, &body[..end], rest))
}

/// A look-behind at the end of the text: what stands before it, whether it is positive, and what it holds.
fn look_behind(text: &str) -> Option<(&str, bool, &str)> {
    let at = text.rfind("(?<!").into_iter().chain(text.rfind("(?<=")).max()?;
    let (positive, inner, rest) = look(&text[at..], ["(?<=", "(?<!"])?;
    let start = &text[..at];
    // Where it stands within a group, the group does not end after it.
    (rest.is_empty() && split(start, '|').is_some()).then_some((start, positive, inner))
}

fn group_end(body: &str) -> Option<usize> {
    scan(body, |character, depth| character == ')' && depth == 0).ok().flatten()
}

/// The parts between separators outside groups; `None` where groups do not close.
fn split(text: &str, separator: char) -> Option<Vec<&str>> {
    let mut parts = Vec::new();
    let mut rest = text;
    while let Some(at) = scan(rest, |c, depth| c == separator && depth == 0).ok()? {
        parts.push(&rest[..at]);
        rest = &rest[at + separator.len_utf8()..];
    }
    parts.push(rest);
    Some(parts)
}

/// The first character outside escapes and classes for which `stop` holds; an error where groups do not close.
fn scan(text: &str, stop: impl Fn(char, usize) -> bool) -> Result<Option<usize>, ()> {
    let (mut depth, mut in_class) = (0_usize, false);
    let mut characters = text.char_indices();
    while let Some((at, character)) = characters.next() {
        match character {
            '\\' => {
                characters.next();
            }
            '[' if !in_class => in_class = true,
            ']' if in_class => in_class = false,
            _ if in_class => {}
            _ if stop(character, depth) => return Ok(Some(at)),
            '(' => depth += 1,
            ')' => depth = depth.checked_sub(1).ok_or(())?,
            _ => {}
        }
    }
    if depth == 0 { Ok(None) } else { Err(()) }
}
