//! The text of a file's bytes: UTF-8 without a mark before it. What else editors write is called by its name.

use crate::diagnostic::Position;

/// Why bytes are no text that is read: where, what is wrong, and what to do.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Encoding {
    /// Where the first byte stands that is not right.
    pub position: Position,
    /// What is wrong.
    pub message: &'static str,
    /// What to do.
    pub help: &'static str,
}

/// The text of `bytes`.
///
/// # Errors
///
/// Where they are UTF-16, begin with a byte order mark, or are no UTF-8.
pub fn text(bytes: &[u8]) -> Result<&str, Encoding> {
    let wrong = |position, message, help| Err(Encoding { position, message, help });
    let start = Position { line: 1, column: 1 };
    // JSON begins with a character of ASCII, so that UTF-16 without a mark has a zero among its first two bytes.
    if let [0xff, 0xfe, ..] | [0xfe, 0xff, ..] | [0, _, ..] | [_, 0, ..] = bytes {
        let help = "save it as UTF-8; a shell's `>` may have written it (PowerShell: `-Encoding utf8NoBOM`)";
        return wrong(start, "the file is UTF-16, not UTF-8", help);
    }
    if bytes.starts_with("\u{feff}".as_bytes()) {
        let help = "save it as UTF-8 without a byte order mark (BOM): editors offer both";
        return wrong(
            start,
            "the file begins with a byte order mark, which JSON does not have",
            help,
        );
    }
    std::str::from_utf8(bytes).or_else(|error| {
        let valid = String::from_utf8_lossy(&bytes[..error.valid_up_to()]);
        let line = valid.matches('\n').count() + 1;
        let column = valid.rsplit('\n').next().unwrap_or("").chars().count() + 1;
        wrong(Position { line, column }, "the file is not UTF-8", "save it as UTF-8")
    })
}
