//! One tool's contract as all later stages see it: bundled and checked.

use camino::Utf8PathBuf;
use serde_json::{Map, Value};

/// One tool's contract.
///
/// `input` and `output` are self-contained JSON Schemas of draft 2020-12: every `$ref` in them is `#` or
/// `#/$defs/<name>`, old spellings are upgraded, identifiers, anchors, comments and `x-tool` are gone, and so are the
/// root's `title` and `description`, which stand beside the schema wherever a tool is shown. They are what models are
/// shown and what the validator reads.
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

impl Contract {
    /// The tool in MCP's form, as `tools/list` gives it: `name`, `title`, `description`, `inputSchema`, `outputSchema`,
    /// `annotations`, `icons`, `_meta`, in this order, absent ones left out.
    pub fn specification(&self) -> Value {
        let mut tool = Map::new();
        tool.insert("name".to_owned(), Value::from(self.name.as_str()));
        if let Some(title) = &self.title {
            tool.insert("title".to_owned(), Value::from(title.as_str()));
        }
        tool.insert("description".to_owned(), Value::from(self.description.as_str()));
        tool.insert("inputSchema".to_owned(), self.input.clone());
        if let Some(output) = &self.output {
            tool.insert("outputSchema".to_owned(), output.clone());
        }
        let annotations = self.annotations.specification();
        if !annotations.is_empty() {
            tool.insert("annotations".to_owned(), Value::Object(annotations));
        }
        if !self.icons.is_empty() {
            tool.insert("icons".to_owned(), Value::Array(self.icons.clone()));
        }
        if !self.meta.is_empty() {
            tool.insert("_meta".to_owned(), Value::Object(self.meta.clone()));
        }
        Value::Object(tool)
    }
}

impl Annotations {
    /// The annotations in MCP's form; empty where the contract says nothing.
    pub fn specification(&self) -> Map<String, Value> {
        let mut members = Map::new();
        if let Some(title) = &self.title {
            members.insert("title".to_owned(), Value::from(title.as_str()));
        }
        for (name, hint) in [
            ("readOnlyHint", self.read_only),
            ("destructiveHint", self.destructive),
            ("idempotentHint", self.idempotent),
            ("openWorldHint", self.open_world),
        ] {
            if let Some(hint) = hint {
                members.insert(name.to_owned(), Value::Bool(hint));
            }
        }
        members
    }
}
