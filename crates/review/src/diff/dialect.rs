//! Under which rules both schemas of a pair are read: one draft, one attitude to `format`, one regular-expression engine.

use super::verdict::{Side, Why};
use super::walk::each_child;
use jsonschema::canonical::{self, CanonicalSchema, CanonicalizationError};
use jsonschema::{Draft, PatternOptions, Validator};
use serde_json::Value;
use std::borrow::Cow;
use toolcast_validate::{MAX_BACKTRACKS, MAX_PATTERN_BYTES, Options, with_plain_patterns};

#[derive(Clone, Copy, Debug)]
pub(super) struct Dialect {
    pub(super) draft: Draft,
    pub(super) formats: bool,
}

impl Dialect {
    /// The dialect that a document names; without one it is the newest.
    pub(super) fn of(schema: &Value, formats: bool) -> Result<Self, Why> {
        match declared(schema) {
            Draft::Unknown => Err(Why::UnknownDialect),
            draft => Ok(Self { draft, formats }),
        }
    }

    /// The dialect in which documents of both can be compared: their own, or the newest where they differ.
    pub(super) fn common(self, other: Self) -> Result<Self, Why> {
        let drafts = [self.draft, other.draft];
        if self.draft == other.draft {
            Ok(self)
        } else if drafts.contains(&Draft::Draft4) {
            // `1.0` is no integer in draft 4 alone, and no respelling says so.
            Err(self.differs(other))
        } else {
            Ok(Self { draft: Draft::Draft202012, ..self })
        }
    }

    /// That documents of the two cannot be compared.
    pub(super) fn differs(self, other: Self) -> Why {
        Why::Dialects { old: name(self.draft), new: name(other.draft) }
    }

    pub(super) fn validator(self, schema: &Value) -> Result<Validator, String> {
        self.options().compile(schema)
    }

    /// How the run time reads schemas, under this dialect.
    pub(super) fn options(self) -> Options {
        Options { draft: self.draft, formats: self.formats }
    }

    /// The validator of one side of a pair.
    pub(super) fn read(self, schema: &Value, side: Side) -> Result<Validator, Why> {
        self.validator(schema).map_err(|message| Why::Invalid { side, message })
    }

    pub(super) fn canonical(
        self,
        schema: &Value,
    ) -> Result<CanonicalSchema, CanonicalizationError> {
        // A pattern that cannot be put plainly is refused by the validator too.
        let schema = with_plain_patterns(schema).unwrap_or(Cow::Borrowed(schema));
        canonical::options()
            .offline()
            .with_draft(self.draft)
            .should_validate_formats(self.formats)
            .with_pattern_options(
                PatternOptions::fancy_regex()
                    .backtrack_limit(MAX_BACKTRACKS)
                    .size_limit(MAX_PATTERN_BYTES)
                    .dfa_size_limit(MAX_PATTERN_BYTES),
            )
            .canonicalize(&schema)
    }
}

/// The draft that a document names.
fn declared(schema: &Value) -> Draft {
    let Some(uri) = schema.get("$schema").and_then(Value::as_str) else {
        return Draft::Draft202012;
    };
    let uri = uri.trim_end_matches('#').trim_end_matches('/');
    let uri = uri.strip_prefix("https://").or_else(|| uri.strip_prefix("http://")).unwrap_or(uri);
    match uri {
        "json-schema.org/draft/2020-12/schema" => Draft::Draft202012,
        "json-schema.org/draft/2019-09/schema" => Draft::Draft201909,
        "json-schema.org/draft-07/schema" => Draft::Draft7,
        "json-schema.org/draft-06/schema" => Draft::Draft6,
        "json-schema.org/draft-04/schema" => Draft::Draft4,
        // The address that means "whatever is newest".
        "json-schema.org/schema" => Draft::Draft202012,
        _ => Draft::Unknown,
    }
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
