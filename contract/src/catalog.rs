//! The catalog: contracts as all later stages see them, bundled and checked.

use camino::Utf8PathBuf;
use serde_json::{Map, Value};

/// Every contract of a schemas folder, ordered by source path.
#[derive(Clone, Debug, Default)]
pub struct Catalog {
    /// The contracts, ordered by [`Contract::source`].
    pub contracts: Vec<Contract>,
}

/// One tool's contract.
///
/// `input` and `output` are self-contained JSON Schemas of draft 2020-12: every `$ref` in them is a JSON pointer into
/// the same document (`#/$defs/Address`), draft 7 spellings are upgraded, and `x-tool` is gone. They are what models
/// are shown and what the validator reads.
#[derive(Clone, Debug, PartialEq)]
pub struct Contract {
    /// The tool's name: `x-tool.name`, else the file's stem. 1 to 64 of `A-Z a-z 0-9 _ -`.
    pub name: String,
    /// The folders between the schemas folder and the file, outermost first: the toolset, and the Rust module path.
    pub toolset: Vec<String>,
    /// The file, relative to the schemas folder, with `/` between its parts.
    pub source: Utf8PathBuf,
    /// The root `title`.
    pub title: Option<String>,
    /// The root `description`: what the model reads.
    pub description: String,
    /// The schema of the arguments.
    pub input: Value,
    /// The schema of the result (`x-tool.output`).
    pub output: Option<Value>,
    /// Whether calls take the run-wide exclusive lock (`x-tool.exclusive`).
    pub exclusive: bool,
    /// How long one call may take, in seconds (`x-tool.timeoutSeconds`).
    pub timeout_seconds: Option<f64>,
    /// The MCP hints (`x-tool.annotations`).
    pub annotations: Annotations,
    /// MCP icons (`x-tool.icons`), as written.
    pub icons: Vec<Value>,
    /// Passed through as MCP's `_meta` (`x-tool.meta`).
    pub meta: Map<String, Value>,
    /// The name the tool had before (`x-tool.renamedFrom`): `diff` then pairs the two.
    pub renamed_from: Option<String>,
}

/// MCP's tool annotations; `None` means that the contract does not say.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Annotations {
    /// `annotations.title`.
    pub title: Option<String>,
    /// `readOnlyHint` (MCP's default: false).
    pub read_only: Option<bool>,
    /// `destructiveHint` (MCP's default: true).
    pub destructive: Option<bool>,
    /// `idempotentHint` (MCP's default: false).
    pub idempotent: Option<bool>,
    /// `openWorldHint` (MCP's default: true).
    pub open_world: Option<bool>,
}
