//! Words out of any text, and identifiers out of words. What comes out is ASCII and starts with a letter.

/// The longest name made from a text; the rest of a longer text is cut at a word.
const LONGEST: usize = 60;

/// The words of a text, in lower case. Symbols between letters part words; a text of symbols is spelled out.
pub(crate) fn words(text: &str) -> Vec<String> {
    let plain = split(text, false);
    if plain.is_empty() { spelled(text) } else { plain }
}

/// The words of a text with every symbol spelled out: what tells `a-b` and `a_b` apart.
pub(crate) fn spelled(text: &str) -> Vec<String> {
    split(text, true)
}

fn split(text: &str, spell: bool) -> Vec<String> {
    // A text of any length may come; no more of it is read than a name can hold.
    let short: String = text.chars().take(4 * LONGEST).collect();
    let ascii: String = short
        .chars()
        .map(|c| {
            if c.is_ascii() {
                c.to_string()
            } else {
                deunicode::deunicode_char(c)
                    .map_or_else(|| format!(" u{:x} ", u32::from(c)), |s| format!("{s} "))
            }
        })
        .collect::<Vec<_>>()
        .concat();
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
            ("__proto__", "proto", "Proto"),
            ("", "", ""),
        ] {
            assert_eq!(both(text), (field.into(), name.into()), "{text}");
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
