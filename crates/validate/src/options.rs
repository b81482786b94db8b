//! How a schema is compiled. Whoever validates does it through these options, so that a value that one part of Toolcast
//! accepts is accepted by all.

use crate::complexity::check_complexity;
use crate::pattern::with_plain_patterns;
use jsonschema::{
    Draft, FancyRegex, PatternOptions, Registry, RegistryBuilder, ValidationOptions, Validator,
};
use serde_json::Value;

/// Bytes that one compiled pattern may take.
pub const MAX_PATTERN_BYTES: usize = 1 << 20;

/// Steps of the engine that backtracks; a match that takes longer is refused.
pub const MAX_BACKTRACKS: usize = 10_000;

/// The address of a [`Document`] within the schemas that refer to it.
const DOCUMENT: &str = "urn:toolcast:document";

/// What a schema is compiled as: a draft, and whether formats are asserted. No network, no file, patterns in linear time
/// where they allow it, unknown formats ignored.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Options {
    /// The draft. By default 2020-12, whatever `$schema` says.
    pub draft: Draft,
    /// Whether `format` is asserted. It is by default.
    pub formats: bool,
}

impl Default for Options {
    fn default() -> Self {
        Self { draft: Draft::Draft202012, formats: true }
    }
}

impl Options {
    /// Compiles a schema whose validator is certain to come to an end.
    ///
    /// # Errors
    ///
    /// The compiler's message, for the application; it may quote the schema. Or how the schema could run on and on.
    pub fn compile(self, schema: &Value) -> Result<Validator, String> {
        check_complexity(schema)?;
        self.build(ValidationOptions::default, schema)
    }

    /// Prepares a document whose parts are compiled one by one.
    ///
    /// # Errors
    ///
    /// The compiler's message, for the application; it may quote the schema. Or how the schema could run on and on.
    pub fn document(self, root: &Value) -> Result<Document, String> {
        check_complexity(root)?;
        let root = with_plain_patterns(root)?.into_owned();
        let registry = Registry::new()
            .draft(self.draft)
            .add(DOCUMENT, self.draft.create_resource(root))
            .and_then(RegistryBuilder::prepare)
            .map_err(|fault| fault.to_string())?;
        Ok(Document { registry, options: self })
    }

    fn build<'a>(
        self,
        options: impl Fn() -> ValidationOptions<'a>,
        schema: &Value,
    ) -> Result<Validator, String> {
        let schema = &*with_plain_patterns(schema)?;
        let options = || {
            options()
                .offline()
                .with_draft(self.draft)
                .should_validate_formats(self.formats)
                .should_ignore_unknown_formats(true)
        };
        let linear = PatternOptions::regex().size_limit(MAX_PATTERN_BYTES);
        options().with_pattern_options(linear).build(schema).or_else(|_| {
            // Look-around and back-references need backtracking.
            let options = options().with_pattern_options(backtracking());
            options.build(schema).map_err(|fault| fault.to_string())
        })
    }
}

/// A document whose parts are compiled one by one, each with all of the document to refer to.
#[derive(Debug)]
pub struct Document {
    registry: Registry<'static>,
    options: Options,
}

impl Document {
    /// Compiles the part that a JSON pointer names; the empty pointer names the whole.
    ///
    /// # Errors
    ///
    /// The compiler's message, for the application; it may quote the schema.
    pub fn part(&self, pointer: &str) -> Result<Validator, String> {
        self.compile(&Self::reference(pointer))
    }

    /// Compiles a schema that may hold [references](Self::reference) to parts of the document.
    ///
    /// # Errors
    ///
    /// The compiler's message, for the application; it may quote the schema.
    pub fn compile(&self, schema: &Value) -> Result<Validator, String> {
        self.options.build(|| ValidationOptions::default().with_registry(&self.registry), schema)
    }

    /// A schema that is the part that a JSON pointer names.
    #[must_use]
    pub fn reference(pointer: &str) -> Value {
        serde_json::json!({ "$ref": format!("{DOCUMENT}#{}", fragment(pointer)) })
    }
}

fn backtracking() -> PatternOptions<FancyRegex> {
    PatternOptions::fancy_regex().backtrack_limit(MAX_BACKTRACKS).size_limit(MAX_PATTERN_BYTES)
}

/// A JSON pointer as a URI fragment: all but unreserved characters, `/` and `$` percent-encoded.
fn fragment(pointer: &str) -> String {
    let mut fragment = String::with_capacity(pointer.len());
    for byte in pointer.bytes() {
        if byte.is_ascii_alphanumeric() || b"/-_.~$".contains(&byte) {
            fragment.push(char::from(byte));
        } else {
            fragment.push_str(&format!("%{byte:02X}"));
        }
    }
    fragment
}
