//! A tool has a name that every provider takes, and no other tool of the folder has it.

use super::Rule;
use toolcast_schema::finding::printable;

/// A tool's name takes A-Z, a-z, 0-9, `_` and `-`, as every provider does.
pub const NAME_CHARACTERS: Rule = Rule::error(
    "name-characters",
    "A tool's name takes A-Z, a-z, 0-9, `_` and `-`, as every provider does.",
);

/// A tool has a name.
pub const NAME_EMPTY: Rule = Rule::error("name-empty", "A tool has a name.");

/// A tool's name has at most 64 characters, as every provider asks.
pub const NAME_TOO_LONG: Rule = Rule::error(
    "name-too-long",
    "A tool's name has at most 64 characters, as every provider asks.",
);

/// A tool's name is unique in the folder, sub-folders included.
pub const NAME_USED_TWICE: Rule =
    Rule::error("name-used-twice", "A tool's name is unique in the folder, sub-folders included.");

/// The fault of a tool's name, if it has one: the rule, what is wrong and what to do.
pub fn fault(name: &str) -> Option<(Rule, String, String)> {
    let bad = name.chars().find(|c| !(c.is_ascii_alphanumeric() || matches!(c, '_' | '-')));
    if let Some(bad) = bad {
        return Some((
            NAME_CHARACTERS,
            format!("the name `{}` contains `{}`", printable(name), printable(&bad.to_string())),
            "names take A-Z, a-z, 0-9, `_` and `-`; give another in `x-tool.name` or rename the file".to_owned(),
        ));
    }
    match name.len() {
        0 => Some((
            NAME_EMPTY,
            "the tool's name is empty".to_owned(),
            "give one in `x-tool.name`".to_owned(),
        )),
        1..=64 => None,
        length => Some((
            NAME_TOO_LONG,
            format!("the name `{}` has {length} characters", printable(name)),
            "a name has at most 64, which every provider takes; give a shorter one in `x-tool.name`".to_owned(),
        )),
    }
}
