//! What models and clients are shown of a tool.

use serde_json::{Map, Value, json};
use std::time::Duration;
use toolcast_contract::Annotations;

/// A tool as models and clients are shown it.
#[non_exhaustive]
#[derive(Clone, Debug, PartialEq)]
pub struct Specification {
    /// The name by which it is called.
    pub name: String,
    /// The title that a person sees.
    pub title: Option<String>,
    /// What the model reads.
    pub description: String,
    /// The JSON Schema of the arguments: the very one that calls are validated against.
    pub input_schema: Value,
    /// The JSON Schema of the result.
    pub output_schema: Option<Value>,
    /// MCP's hints.
    pub annotations: Annotations,
    /// Whether calls take the run-wide exclusive lock.
    pub exclusive: bool,
    /// How long one call may take by the contract.
    pub timeout: Option<Duration>,
    /// MCP's icons.
    pub icons: Vec<Value>,
    /// MCP's `_meta`.
    pub meta: Map<String, Value>,
}

impl Specification {
    /// The tool in the form of MCP's `tools/list`.
    pub fn to_mcp(&self) -> Value {
        let mut members = Map::new();
        members.insert("name".into(), self.name.clone().into());
        if let Some(title) = &self.title {
            members.insert("title".into(), title.clone().into());
        }
        members.insert("description".into(), self.description.clone().into());
        members.insert("inputSchema".into(), self.input_schema.clone());
        if let Some(schema) = &self.output_schema {
            members.insert("outputSchema".into(), schema.clone());
        }
        let annotations = self.annotations.specification();
        if !annotations.is_empty() {
            members.insert("annotations".into(), annotations.into());
        }
        if !self.icons.is_empty() {
            members.insert("icons".into(), json!(self.icons));
        }
        if !self.meta.is_empty() {
            members.insert("_meta".into(), json!(self.meta));
        }
        members.into()
    }
}
