//! Under which rules both schemas of a pair are read: one draft, one attitude to `format`, one regular-expression engine.

use super::verdict::{Side, Why};
use super::walk::each_child;
use jsonschema::canonical::{self, CanonicalSchema, CanonicalizationError};
use jsonschema::{Draft, PatternOptions, Validator};
use serde_json::Value;

/// Bounds on one pattern: steps of the backtracking engine (look-around needs it), and bytes of a compiled program.
const BACKTRACKS: usize = 10_000;
const PATTERN_SIZE: usize = 1 << 20;

#[derive(Clone, Copy, Debug)]
pub(super) struct Dialect {
    pub(super) draft: Draft,
    pub(super) formats: bool,
}

impl Dialect {
    /// The dialect that both documents are read under.
    pub(super) fn of(old: &Value, new: &Value, formats: bool) -> Result<Self, Why> {
        let draft = match (declared(old), declared(new)) {
            (Some(old), Some(new)) if old != new => {
                return Err(Why::Dialects { old: name(old), new: name(new) });
            }
            (Some(draft), _) | (_, Some(draft)) => draft,
            (None, None) => Self::guessed(old, new),
        };
        if draft == Draft::Unknown {
            return Err(Why::UnknownDialect);
        }
        Ok(Self { draft, formats })
    }

    /// Schemas that name no draft are read under the newest one that takes both.
    fn guessed(old: &Value, new: &Value) -> Draft {
        let drafts = [Draft::Draft202012, Draft::Draft7, Draft::Draft4];
        let takes = |draft: Draft, schema: &Value| {
            let dialect = Self { draft, formats: false };
            dialect.validator(schema).is_ok()
        };
        let fitting = drafts.into_iter().find(|draft| takes(*draft, old) && takes(*draft, new));
        fitting.unwrap_or(Draft::Draft202012)
    }

    pub(super) fn validator(self, schema: &Value) -> Result<Validator, String> {
        jsonschema::options()
            .offline()
            .with_draft(self.draft)
            .should_validate_formats(self.formats)
            .with_pattern_options(
                PatternOptions::fancy_regex()
                    .backtrack_limit(BACKTRACKS)
                    .size_limit(PATTERN_SIZE)
                    .dfa_size_limit(PATTERN_SIZE),
            )
            .build(schema)
            .map_err(|error| error.to_string())
    }

    /// A validator that may refer to `document` by `uri`.
    pub(super) fn validator_beside(
        self,
        schema: &Value,
        uri: &str,
        document: &Value,
    ) -> Result<Validator, String> {
        let registry = jsonschema::Registry::new()
            .draft(self.draft)
            .add(uri, self.draft.create_resource_ref(document))
            .and_then(jsonschema::RegistryBuilder::prepare)
            .map_err(|error| error.to_string())?;
        jsonschema::options()
            .offline()
            .with_draft(self.draft)
            .should_validate_formats(self.formats)
            .with_pattern_options(
                PatternOptions::fancy_regex()
                    .backtrack_limit(BACKTRACKS)
                    .size_limit(PATTERN_SIZE)
                    .dfa_size_limit(PATTERN_SIZE),
            )
            .with_registry(&registry)
            .build(schema)
            .map_err(|error| error.to_string())
    }

    /// The validator of one side of a pair.
    pub(super) fn read(self, schema: &Value, side: Side) -> Result<Validator, Why> {
        self.validator(schema).map_err(|message| Why::Invalid { side, message })
    }

    pub(super) fn canonical(
        self,
        schema: &Value,
    ) -> Result<CanonicalSchema, CanonicalizationError> {
        canonical::options()
            .offline()
            .with_draft(self.draft)
            .should_validate_formats(self.formats)
            .with_pattern_options(
                PatternOptions::fancy_regex()
                    .backtrack_limit(BACKTRACKS)
                    .size_limit(PATTERN_SIZE)
                    .dfa_size_limit(PATTERN_SIZE),
            )
            .canonicalize(schema)
    }
}

/// The draft that a document names; different drafts agree on documents without keywords.
fn declared(schema: &Value) -> Option<Draft> {
    let uri = schema.get("$schema")?.as_str()?;
    let uri = uri.trim_end_matches('#').trim_end_matches('/');
    let uri = uri.strip_prefix("https://").or_else(|| uri.strip_prefix("http://")).unwrap_or(uri);
    Some(match uri {
        "json-schema.org/draft/2020-12/schema" => Draft::Draft202012,
        "json-schema.org/draft/2019-09/schema" => Draft::Draft201909,
        "json-schema.org/draft-07/schema" => Draft::Draft7,
        "json-schema.org/draft-06/schema" => Draft::Draft6,
        "json-schema.org/draft-04/schema" => Draft::Draft4,
        // The address that means "whatever is newest".
        "json-schema.org/schema" => Draft::Draft202012,
        _ => Draft::Unknown,
    })
}

fn name(draft: Draft) -> &'static str {
    match draft {
        Draft::Draft4 => "draft 4",
        Draft::Draft6 => "draft 6",
        Draft::Draft7 => "draft 7",
        Draft::Draft201909 => "2019-09",
        Draft::Draft202012 => "2020-12",
        _ => "an unknown dialect",
    }
}

/// How much there is to read: nodes, and how deep they are nested.
pub(super) fn size(schema: &Value) -> (usize, usize) {
    let Value::Object(members) = schema else { return (1, 1) };
    let mut nodes = 1;
    let mut depth = 0;
    each_child(members, |_, child| {
        let (below, deep) = size(child);
        nodes += below;
        depth = depth.max(deep);
    });
    (nodes, depth + 1)
}
