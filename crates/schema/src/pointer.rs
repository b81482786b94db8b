//! JSON pointers (RFC 6901), as texts.

/// The reference tokens of a JSON pointer, unescaped.
pub fn tokens(pointer: &str) -> impl Iterator<Item = String> + '_ {
    pointer.split('/').skip(1).map(|token| token.replace("~1", "/").replace("~0", "~"))
}

/// `pointer` with one more token.
pub fn join(pointer: &str, token: &str) -> String {
    let mut joined = String::with_capacity(pointer.len() + token.len() + 1);
    joined.push_str(pointer);
    joined.push('/');
    if !token.contains(['~', '/']) {
        joined.push_str(token);
        return joined;
    }
    for c in token.chars() {
        match c {
            '~' => joined.push_str("~0"),
            '/' => joined.push_str("~1"),
            c => joined.push(c),
        }
    }
    joined
}
