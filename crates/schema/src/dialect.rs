//! The dialects of JSON Schema that are read. All else is refused by name.

/// The dialects that a schema may be written in.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Dialect {
    /// 2020-12, which is also what a file that names none is read as.
    Draft2020,
    /// Draft 7, upgraded on the way in.
    Draft7,
}

impl Dialect {
    /// The dialect that a `$schema` names.
    pub fn named(uri: &str) -> Option<Self> {
        let bare = uri.trim_end_matches('#');
        let bare = bare.strip_prefix("https://").or_else(|| bare.strip_prefix("http://"))?;
        match bare {
            "json-schema.org/draft/2020-12/schema" => Some(Self::Draft2020),
            "json-schema.org/draft-07/schema" => Some(Self::Draft7),
            _ => None,
        }
    }
}
