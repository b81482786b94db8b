//! Names in ASCII: one transliteration for all that is named after a text of a contract, definitions and Rust items alike.
//! It is for names alone: values and members keep their own spelling.

/// What parts two syllables or symbols that one character stands for each: no character of any text that people write.
pub const PART: char = '\u{1f}';

/// A text in ASCII. Letters flow together (`Größe` is `Grosse`), syllables and symbols stand apart by [`PART`]
/// (`日本` is `Ri`, `Ben`); what no one can spell is its code, such as `u10ffff`.
#[must_use]
pub fn ascii(text: &str) -> String {
    let mut ascii = String::with_capacity(text.len());
    for c in text.chars() {
        if c.is_ascii() {
            ascii.push(c);
            continue;
        }
        if ('\u{300}'..='\u{36f}').contains(&c) {
            // A mark above or below the letter before it.
            continue;
        }
        let Some(spelled) = deunicode::deunicode_char(c) else {
            ascii.push(PART);
            ascii.push_str(&format!("u{:x}", u32::from(c)));
            ascii.push(PART);
            continue;
        };
        if !c.is_alphanumeric() {
            ascii.push(PART);
        }
        let mut letters = spelled.trim_end().chars();
        if c.is_uppercase() {
            // One capital letter that two stand for: `Æ` in `Ærlig` is `Ae`.
            ascii.extend(letters.next());
            ascii.extend(letters.flat_map(char::to_lowercase));
        } else {
            ascii.extend(letters.map(|letter| if letter == ' ' { PART } else { letter }));
        }
        if spelled.ends_with(' ') || !c.is_alphanumeric() {
            ascii.push(PART);
        }
    }
    ascii
}

/// A text as the name of a definition: letters, digits, `_`, `-` and `.`.
pub(crate) fn definition_name(text: &str) -> String {
    let short: String = text.chars().take(64).collect();
    let mut name = String::new();
    for c in ascii(&short).trim_matches(PART).chars().take(64) {
        match c {
            c if c.is_ascii_alphanumeric() || matches!(c, '_' | '-' | '.') => name.push(c),
            // Symbols beside each other are one gap.
            _ if name.ends_with('_') => {}
            _ => name.push('_'),
        }
    }
    if name.is_empty() { "definition".to_owned() } else { name }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn letters_flow_and_syllables_stand_apart() {
        for (text, name) in [
            ("Größe", "Grosse"),
            ("日本", "Ri_Ben"),
            ("Цвет", "Tsvet"),
            ("Ærlig", "Aerlig"),
            ("cafe\u{301}", "cafe"),
            ("🔥", "fire"),
            ("Page<User>", "Page_User_"),
            ("Wrap«User,string»", "Wrap_User_string_"),
            ("\u{10ffff}", "u10ffff"),
            ("", "definition"),
        ] {
            assert_eq!(definition_name(text), name, "{text}");
        }
    }
}
