//! Words out of any text, and identifiers out of words. What comes out is ASCII and starts with a letter.

use toolcast_schema::ascii::ascii;

/// The longest name made from a text; the rest of a longer text is cut at a word.
const LONGEST: usize = 60;

/// The words of a text, in lower case. Symbols between letters part words; a text of symbols is spelled out.
pub(crate) fn words(text: &str) -> Vec<String> {
    let plain = split(text, false);
    let plain = if plain.is_empty() { spelled(text) } else { plain };
    if plain.is_empty() { marks(text) } else { plain }
}

/// The words of a text with every symbol spelled out: what tells `a-b` and `a_b` apart.
pub(crate) fn spelled(text: &str) -> Vec<String> {
    split(text, true)
}

fn split(text: &str, spell: bool) -> Vec<String> {
    // A text of any length may come; no more of it is read than a name can hold.
    let short: String = text.chars().take(4 * LONGEST).collect();
    let ascii = ascii(&short);
    let chars: Vec<char> = ascii.chars().collect();
    let mut words: Vec<String> = Vec::new();
    let mut word = String::new();
    let mut length = 0;
    for (at, &c) in chars.iter().enumerate() {
        if length > LONGEST {
            break;
        }
        let before = at.checked_sub(1).map(|before| chars[before]);
        let after = chars.get(at + 1).copied();
        if c.is_ascii_alphanumeric() {
            let starts = match before {
                Some(b) if c.is_ascii_uppercase() => {
                    b.is_ascii_lowercase()
                        || b.is_ascii_digit()
                        || (b.is_ascii_uppercase()
                            && after.is_some_and(|a| a.is_ascii_lowercase())
                            && !plural(&chars, at))
                }
                _ => false,
            };
            if starts && !word.is_empty() {
                words.push(std::mem::take(&mut word));
            }
            word.push(c.to_ascii_lowercase());
            length += 1;
            continue;
        }
        if !word.is_empty() {
            words.push(std::mem::take(&mut word));
        }
        // A sign before a number, and a symbol between digits, carry the meaning.
        let signed = matches!(c, '-' | '+')
            && !before.is_some_and(|b| b.is_ascii_alphanumeric())
            && after.is_some_and(|a| a.is_ascii_digit());
        if (spell || signed)
            && let Some(name) = symbol(c)
        {
            // Pairs that everyone reads as one.
            let last = words.last().map(String::as_str);
            match (last, name) {
                (Some("less"), "equal") if before == Some('<') => {
                    words.extend(["or".into(), name.into()])
                }
                (Some("greater"), "equal") if before == Some('>') => {
                    words.extend(["or".into(), name.into()])
                }
                (Some("not"), "equal") if before == Some('!') => words.push(name.into()),
                _ => words.push(if signed && c == '-' { "minus".into() } else { name.into() }),
            }
            length += name.len();
        }
    }
    if !word.is_empty() {
        words.push(word);
    }
    words
}

/// Whether the lower-case letter after `at` is the plural of an abbreviation: `IDs` is one word.
fn plural(chars: &[char], at: usize) -> bool {
    chars.get(at + 1) == Some(&'s') && !chars.get(at + 2).is_some_and(char::is_ascii_alphabetic)
}

fn symbol(c: char) -> Option<&'static str> {
    Some(match c {
        '<' => "less",
        '>' => "greater",
        '=' => "equal",
        '!' => "not",
        '+' => "plus",
        '-' => "dash",
        '*' => "star",
        '/' => "slash",
        '\\' => "backslash",
        '%' => "percent",
        '&' => "and",
        '|' => "or",
        '^' => "caret",
        '~' => "tilde",
        '?' => "question",
        '.' => "dot",
        ',' => "comma",
        ':' => "colon",
        ';' => "semicolon",
        '@' => "at",
        '#' => "hash",
        '$' => "dollar",
        '_' => "underscore",
        '\'' => "quote",
        '"' => "double_quote",
        '`' => "backtick",
        '(' => "open_paren",
        ')' => "close_paren",
        '[' => "open_bracket",
        ']' => "close_bracket",
        '{' => "open_brace",
        '}' => "close_brace",
        ' ' => "space",
        '\n' => "newline",
        '\t' => "tab",
        _ => return None,
    })
}

/// `page_size`; a leading digit gets a letter before it.
pub(crate) fn snake(words: &[String]) -> String {
    fix_digit(words.join("_"), 'n')
}

/// `PageSize`; digits that would run together are kept apart.
pub(crate) fn pascal(words: &[String]) -> String {
    let mut name = String::new();
    for word in words.iter().flat_map(|word| word.split('_')) {
        let mut chars = word.chars();
        let Some(first) = chars.next() else { continue };
        if first.is_ascii_digit() && name.ends_with(|c: char| c.is_ascii_digit()) {
            name.push('_');
        }
        name.push(first.to_ascii_uppercase());
        name.extend(chars);
    }
    fix_digit(name, 'N')
}

fn fix_digit(name: String, letter: char) -> String {
    if name.starts_with(|c: char| c.is_ascii_digit()) { format!("{letter}{name}") } else { name }
}

/// Other words for a text, best first: what tells it from texts that have the same plain words.
pub(crate) fn alternatives(text: &str) -> Vec<Vec<String>> {
    let plain = words(text);
    let mut found: Vec<Vec<String>> = Vec::new();
    let joined = |before: &[&str], middle: &[String], after: &[String]| {
        let before = before.iter().map(|word| (*word).to_owned());
        before.chain(middle.iter().cloned()).chain(after.iter().cloned()).collect::<Vec<_>>()
    };
    let sign = match text.chars().next() {
        Some('-') => Some("minus"),
        Some('+') => Some("plus"),
        _ => None,
    };
    if let Some(sign) = sign
        && text[1..].starts_with(char::is_alphabetic)
    {
        found.push(joined(&[sign], &plain, &[]));
    }
    let marks = marks(text);
    if !marks.is_empty() {
        found.push(joined(&[], &plain, &marks));
    }
    let spelled = spelled(text);
    found.push(spelled.clone());
    if let Some(case) = case(text) {
        if !marks.is_empty() {
            // The case alone would not tell `à` from `a`.
            found.push(joined(&[case], &plain, &marks));
            return found;
        }
        found.push(joined(&[case], &plain, &[]));
        found.push(joined(&[case], &spelled, &[]));
        if let Some(sign) = sign {
            found.push(joined(&[sign, case], &plain, &[]));
        }
    }
    found
}

/// What a person calls the spelling of a text's letters.
fn case(text: &str) -> Option<&'static str> {
    let mut letters = text.chars().filter(|c| c.is_uppercase() || c.is_lowercase());
    let first = letters.next()?;
    let parted = text.chars().any(|c| !c.is_alphanumeric());
    Some(match (first.is_uppercase(), letters.clone().all(char::is_uppercase)) {
        (true, true) => "upper",
        (false, _) if letters.clone().all(char::is_lowercase) => "lower",
        (false, _) if !parted => "camel",
        (true, _) if letters.clone().all(char::is_lowercase) => "title",
        (true, _) if !parted => "pascal",
        _ => "mixed",
    })
}

/// Letters with a mark, by the name of the mark in Unicode.
const MARKS: [(&str, &str, char); 14] = [
    ("grave", "ÀÈÌÒÙàèìòùǸǹẀẁ", '\u{300}'),
    ("acute", "ÁÉÍÓÚÝáéíóúýĆćĹĺŃńŔŕŚśŹź", '\u{301}'),
    ("circumflex", "ÂÊÎÔÛâêîôûĈĉĜĝĤĥĴĵŜŝŴŵŶŷ", '\u{302}'),
    ("tilde", "ÃÑÕãñõĨĩŨũ", '\u{303}'),
    ("macron", "ĀāĒēĪīŌōŪū", '\u{304}'),
    ("breve", "ĂăĔĕĞğĬĭŎŏŬŭ", '\u{306}'),
    ("dot", "ĊċĖėĠġİŻż", '\u{307}'),
    ("diaeresis", "ÄËÏÖÜäëïöüÿŸ", '\u{308}'),
    ("ring", "ÅåŮů", '\u{30a}'),
    ("double_acute", "ŐőŰű", '\u{30b}'),
    ("caron", "ČčĎďĚěŇňŘřŠšŤťŽžǍǎǏǐǑǒǓǔ", '\u{30c}'),
    ("cedilla", "ÇçĢģĶķĻļŅņŖŗŞşŢţ", '\u{327}'),
    ("ogonek", "ĄąĘęĮįŲų", '\u{328}'),
    ("stroke", "ØøĐđĦħŁłŦŧ", '\u{335}'),
];

/// What is left of the letters of a text once they are in ASCII, in words; three of them tell enough.
fn marks(text: &str) -> Vec<String> {
    let mark = |c: char| {
        let known = MARKS.iter().find(|(_, letters, mark)| *mark == c || letters.contains(c));
        match (known, c) {
            (Some((name, _, mark)), c) if *mark == c => format!("combining_{name}"),
            (Some((name, ..)), _) => (*name).to_owned(),
            (None, 'ß' | 'ẞ') => "sharp_s".to_owned(),
            (None, 'Æ' | 'æ' | 'Œ' | 'œ') => "ligature".to_owned(),
            (None, 'ı') => "dotless".to_owned(),
            (None, '\u{a0}') => "no_break_space".to_owned(),
            (None, c) => format!("u{:04x}", u32::from(c)),
        }
    };
    text.chars().filter(|c| !c.is_ascii()).take(3).map(mark).collect()
}

/// How far a text is from its plain words: those that are nearest are named first.
pub(crate) fn distance(text: &str) -> u8 {
    if !text.is_ascii() {
        2
    } else if text.chars().all(|c| c.is_ascii_alphanumeric() || c == '_') {
        0
    } else {
        1
    }
}

/// The singular of an English plural that a rule decides, for the items of an array: `filters` to `filter`.
pub(crate) fn singular(words: &[String]) -> Option<Vec<String>> {
    let last = words.last()?;
    let stem = |cut: usize, add: &str| format!("{}{add}", &last[..last.len() - cut]);
    let one = if last == "children" {
        "child".into()
    } else if last == "people" {
        "person".into()
    } else if last.len() > 4 && last.ends_with("ies") && last != "series" {
        stem(3, "y")
    } else if ["sses", "xes", "ches", "shes"].iter().any(|end| last.ends_with(end)) {
        stem(2, "")
    } else if last.len() > 3
        && last.ends_with('s')
        && !["ss", "us", "is", "news", "series"].iter().any(|end| last.ends_with(end))
    {
        stem(1, "")
    } else {
        return None;
    };
    let mut words = words.to_vec();
    words.pop();
    words.push(one);
    Some(words)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn both(text: &str) -> (String, String) {
        let words = words(text);
        (snake(&words), pascal(&words))
    }

    #[test]
    fn names_are_words() {
        for (text, field, name) in [
            ("pageSize", "page_size", "PageSize"),
            ("HTTPServer", "http_server", "HttpServer"),
            ("userIDs", "user_ids", "UserIds"),
            ("$ref", "ref", "Ref"),
            ("2fa", "n2fa", "N2fa"),
            ("<=", "less_or_equal", "LessOrEqual"),
            (">", "greater", "Greater"),
            ("!=", "not_equal", "NotEqual"),
            ("+1", "plus_1", "Plus1"),
            ("-1", "minus_1", "Minus1"),
            ("16:9", "n16_9", "N16_9"),
            ("🔥", "fire", "Fire"),
            ("café", "cafe", "Cafe"),
            ("Größe", "grosse", "Grosse"),
            ("日本", "ri_ben", "RiBen"),
            ("цветКожи", "tsvet_kozhi", "TsvetKozhi"),
            ("__proto__", "proto", "Proto"),
            ("", "", ""),
        ] {
            assert_eq!(both(text), (field.into(), name.into()), "{text}");
        }
    }

    #[test]
    fn near_texts_have_other_words() {
        for (text, other) in [
            ("-id", "MinusId"),
            ("+created_at", "PlusCreatedAt"),
            ("ä", "ADiaeresis"),
            ("à", "AGrave"),
            ("a\u{308}", "ACombiningDiaeresis"),
            ("İd", "IdDot"),
            ("straße", "StrasseSharpS"),
            ("a b", "ASpaceB"),
            ("Ａ", "AUff21"),
        ] {
            assert_eq!(pascal(&alternatives(text)[0]), other, "{text}");
        }
        for (text, other) in
            [("ID", "UpperId"), ("id", "LowerId"), ("Id", "TitleId"), ("addDate", "CamelAddDate")]
        {
            assert_eq!(pascal(&alternatives(text)[1]), other, "{text}");
        }
    }

    #[test]
    fn singulars() {
        for (many, one) in
            [("filters", "filter"), ("entries", "entry"), ("boxes", "box"), ("statuses", "statuse")]
        {
            assert_eq!(singular(&words(many)), Some(words(one)), "{many}");
        }
        assert_eq!(singular(&words("status")), None);
    }
}
