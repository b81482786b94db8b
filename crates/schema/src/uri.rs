//! URI references resolved as RFC 3986 §5.2 says, with one difference: a path that climbs above its root is told apart.

/// The scheme under which a folder's files stand: `schemas:///boards/rename_board.json`.
pub const FOLDER: &str = "schemas:///";

/// A resolved reference.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Resolved {
    /// The URI without its fragment.
    pub uri: String,
    /// What stands after `#`, as written.
    pub fragment: Option<String>,
    /// Whether `..` led above the root.
    pub climbed: bool,
}

struct Parts<'a> {
    scheme: Option<&'a str>,
    authority: Option<&'a str>,
    path: &'a str,
    query: Option<&'a str>,
}

/// Splits a URI reference as RFC 3986's appendix B does; the fragment is cut off before.
fn parts(reference: &str) -> Parts<'_> {
    let (scheme, rest) = match reference.split_once(':') {
        Some((scheme, rest)) if is_scheme(scheme) => (Some(scheme), rest),
        _ => (None, reference),
    };
    let (rest, query) = match rest.split_once('?') {
        Some((rest, query)) => (rest, Some(query)),
        None => (rest, None),
    };
    let (authority, path) = match rest.strip_prefix("//") {
        Some(rest) => {
            let end = rest.find('/').unwrap_or(rest.len());
            (Some(&rest[..end]), &rest[end..])
        }
        None => (None, rest),
    };
    Parts { scheme, authority, path, query }
}

fn is_scheme(text: &str) -> bool {
    text.starts_with(|c: char| c.is_ascii_alphabetic())
        && text.chars().all(|c| c.is_ascii_alphanumeric() || matches!(c, '+' | '-' | '.'))
}

/// The scheme that a reference names itself, in lower case.
pub fn scheme(reference: &str) -> Option<String> {
    parts(reference).scheme.map(str::to_ascii_lowercase)
}

/// `reference` as seen from `base`.
pub fn resolve(base: &str, reference: &str) -> Resolved {
    let (reference, fragment) = match reference.split_once('#') {
        Some((reference, fragment)) => (reference, Some(fragment.to_owned())),
        None => (reference, None),
    };
    if reference.is_empty() {
        return Resolved { uri: base.to_owned(), fragment, climbed: false };
    }
    let to = parts(reference);
    let from = parts(base);
    let mut climbed = false;
    let (scheme, authority, path, query) = if to.scheme.is_some() {
        (to.scheme, to.authority, without_dots(to.path, &mut climbed), to.query)
    } else if to.authority.is_some() {
        (from.scheme, to.authority, without_dots(to.path, &mut climbed), to.query)
    } else if to.path.is_empty() {
        (from.scheme, from.authority, from.path.to_owned(), to.query.or(from.query))
    } else if to.path.starts_with('/') {
        (from.scheme, from.authority, without_dots(to.path, &mut climbed), to.query)
    } else {
        let folder = match from.path.rfind('/') {
            Some(slash) => &from.path[..=slash],
            None if from.authority.is_some() => "/",
            None => "",
        };
        let joined = format!("{folder}{}", to.path);
        (from.scheme, from.authority, without_dots(&joined, &mut climbed), to.query)
    };
    let mut uri = String::new();
    if let Some(scheme) = scheme {
        uri.push_str(&scheme.to_ascii_lowercase());
        uri.push(':');
    }
    if let Some(authority) = authority {
        uri.push_str("//");
        uri.push_str(authority);
    }
    uri.push_str(&path);
    if let Some(query) = query {
        uri.push('?');
        uri.push_str(query);
    }
    Resolved { uri, fragment, climbed }
}

fn without_dots(path: &str, climbed: &mut bool) -> String {
    if !path.contains('.') && !path.contains('%') {
        return path.to_owned();
    }
    let absolute = path.starts_with('/');
    let mut kept: Vec<&str> = Vec::new();
    let mut segments = path.split('/').skip(usize::from(absolute)).peekable();
    while let Some(segment) = segments.next() {
        // An escaped dot is a dot (RFC 3986 §6.2.2.2), and must not smuggle a step upwards past this.
        let plain = decode(segment);
        let last = segments.peek().is_none();
        match plain.as_deref().unwrap_or(segment) {
            "." => {
                if last {
                    kept.push("");
                }
            }
            ".." => {
                if kept.pop().is_none() {
                    *climbed = true;
                }
                if last {
                    kept.push("");
                }
            }
            _ => kept.push(segment),
        }
    }
    let joined = kept.join("/");
    if absolute { format!("/{joined}") } else { joined }
}

/// Percent-escapes undone; `None` where they are broken or do not spell UTF-8.
pub fn decode(text: &str) -> Option<String> {
    if !text.contains('%') {
        return Some(text.to_owned());
    }
    let mut bytes = Vec::with_capacity(text.len());
    let mut rest = text.bytes();
    while let Some(byte) = rest.next() {
        if byte == b'%' {
            let high = (rest.next()? as char).to_digit(16)?;
            let low = (rest.next()? as char).to_digit(16)?;
            bytes.push((high * 16 + low) as u8);
        } else {
            bytes.push(byte);
        }
    }
    String::from_utf8(bytes).ok()
}

/// The URI of a file of the folder.
pub fn of_file(path: &str) -> String {
    let mut uri = FOLDER.to_owned();
    for byte in path.bytes() {
        match byte {
            b'A'..=b'Z' | b'a'..=b'z' | b'0'..=b'9' | b'-' | b'.' | b'_' | b'~' | b'/' => {
                uri.push(byte as char);
            }
            other => uri.push_str(&format!("%{other:02X}")),
        }
    }
    uri
}

/// The path of the file that a URI of the folder names.
pub fn file_of(uri: &str) -> Option<String> {
    decode(uri.strip_prefix(FOLDER)?.trim_start_matches('/'))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rfc_3986_examples() {
        for (reference, expected) in [
            ("g", "http://a/b/c/g"),
            ("./g", "http://a/b/c/g"),
            ("g/", "http://a/b/c/g/"),
            ("/g", "http://a/g"),
            ("//g", "http://g"),
            ("?y", "http://a/b/c/d;p?y"),
            ("g?y", "http://a/b/c/g?y"),
            ("", "http://a/b/c/d;p?q"),
            (".", "http://a/b/c/"),
            ("..", "http://a/b/"),
            ("../g", "http://a/b/g"),
            ("../../g", "http://a/g"),
            ("urn:x:y", "urn:x:y"),
        ] {
            assert_eq!(resolve("http://a/b/c/d;p?q", reference).uri, expected, "{reference}");
        }
    }

    #[test]
    fn climbing_is_noticed() {
        let base = of_file("boards/a b.json");
        assert_eq!(base, "schemas:///boards/a%20b.json");
        assert_eq!(file_of(&base).as_deref(), Some("boards/a b.json"));
        let up = resolve(&base, "../defs/x.json#/$defs/X");
        assert_eq!((up.uri.as_str(), up.climbed), ("schemas:///defs/x.json", false));
        assert_eq!(up.fragment.as_deref(), Some("/$defs/X"));
        assert!(resolve(&base, "../../x.json").climbed);
        assert!(resolve(&base, "%2e%2e/%2E./x.json").climbed);
    }
}
