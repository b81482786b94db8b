//! JSON Schema's own schemas, so that a reference to one needs no network.

use crate::dialect::Dialect;
use crate::index::Document;
use crate::json;

const BASE: &str = "https://json-schema.org/draft/2020-12/";

const TEXTS: &[(&str, &str)] = &[
    ("schema", include_str!("metaschema/schema.json")),
    ("meta/core", include_str!("metaschema/core.json")),
    ("meta/applicator", include_str!("metaschema/applicator.json")),
    ("meta/unevaluated", include_str!("metaschema/unevaluated.json")),
    ("meta/validation", include_str!("metaschema/validation.json")),
    ("meta/meta-data", include_str!("metaschema/meta-data.json")),
    ("meta/format-annotation", include_str!("metaschema/format-annotation.json")),
    ("meta/format-assertion", include_str!("metaschema/format-assertion.json")),
    ("meta/content", include_str!("metaschema/content.json")),
];

const DRAFT_7: &str = include_str!("metaschema/draft-07.json");

/// The metaschemas of both dialects.
pub fn documents() -> Vec<Document> {
    let later =
        TEXTS.iter().map(|(name, text)| (format!("{BASE}{name}"), Dialect::Draft2020, *text));
    let draft_7 = ("http://json-schema.org/draft-07/schema".to_owned(), Dialect::Draft7, DRAFT_7);
    later
        .chain([draft_7])
        .filter_map(|(uri, dialect, text)| {
            let parsed = json::parse(text, json::MAX_DEPTH).ok()?;
            let mut document = Document::new(uri.into(), dialect, parsed.value, parsed.places);
            document.is_metaschema = true;
            Some(document)
        })
        .collect()
}

#[cfg(test)]
mod tests {
    #[test]
    fn all_of_them_parse() {
        assert_eq!(super::documents().len(), super::TEXTS.len() + 1);
    }
}
