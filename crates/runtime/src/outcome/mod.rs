//! What a call gave: a value or an error for the model, and all that the application may want to know besides.

pub(crate) mod artifact;
pub(crate) mod artifact_store;
pub(crate) mod content;
pub(crate) mod deferred;
pub(crate) mod error;
pub(crate) mod folder_store;
pub(crate) mod large;
pub(crate) mod normalise;
pub(crate) mod reply;

use crate::outcome::artifact::Artifact;
use crate::outcome::content::Content;
use crate::outcome::error::Error;
use crate::schema::explain::{Fault, wording};
use crate::schema::repair::Repair;
use serde_json::{Map, Value, json};
use std::borrow::Cow;
use std::fmt;

/// Why an outcome is an error, stable for machines.
#[non_exhaustive]
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Code {
    /// No tool of this name is available in the run.
    UnknownTool,
    /// The arguments do not fit the contract; the handler was not called.
    InvalidInput,
    /// The tool failed in words of its own.
    ToolError,
    /// The tool failed with an error that only the application may read.
    Unexpected,
    /// The tool panicked.
    Panic,
    /// The tool took longer than its contract allows.
    Timeout,
    /// The result does not fit the contract, or is larger than the limits.
    InvalidOutput,
    /// The run has made as many calls as it may.
    CallLimit,
    /// An exclusive tool was called from within another of its run: waiting for its turn would never end.
    Deadlock,
    /// The contract itself does not compile; every call to the tool fails so.
    InvalidContract,
}

impl Code {
    /// The code as text, such as `invalid_input`.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::UnknownTool => "unknown_tool",
            Self::InvalidInput => "invalid_input",
            Self::ToolError => "tool_error",
            Self::Unexpected => "unexpected",
            Self::Panic => "panic",
            Self::Timeout => "timeout",
            Self::InvalidOutput => "invalid_output",
            Self::CallLimit => "call_limit",
            Self::Deadlock => "deadlock",
            Self::InvalidContract => "invalid_contract",
        }
    }
}

impl fmt::Display for Code {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

/// What a call gave.
///
/// [`Outcome::text`] and [`Outcome::to_mcp`] are what a model may read. [`Outcome::error`] and [`Outcome::faults`] are
/// for the application.
#[derive(Default)]
pub struct Outcome {
    pub(crate) value: Option<Value>,
    pub(crate) content: Vec<Content>,
    pub(crate) artifacts: Vec<Artifact>,
    pub(crate) failure: Option<Box<Failure>>,
    pub(crate) repairs: Vec<Repair>,
    pub(crate) call_id: Option<String>,
    pub(crate) has_schema: bool,
    /// Whether the value was too large for a model: it is stored, and a preview and a reference stand for it.
    pub(crate) is_stored: bool,
}

/// What an error outcome holds besides its text.
pub(crate) struct Failure {
    pub code: Code,
    pub error: Option<Error>,
    pub faults: Vec<Fault>,
}

impl Outcome {
    pub(crate) fn failed(code: Code, text: impl Into<String>) -> Self {
        Self {
            content: vec![Content::Text(text.into())],
            failure: Some(Box::new(Failure { code, error: None, faults: Vec::new() })),
            ..Self::default()
        }
    }

    pub(crate) fn because(mut self, error: Error) -> Self {
        if let Some(failure) = &mut self.failure {
            failure.error = Some(error);
        }
        self
    }

    pub(crate) fn with_faults(mut self, faults: Vec<Fault>) -> Self {
        if let Some(failure) = &mut self.failure {
            failure.faults = faults;
        }
        self
    }

    /// Whether the call failed. The text then says why, in words for the model.
    pub fn is_error(&self) -> bool {
        self.failure.is_some()
    }

    /// Why the call failed, for machines.
    pub fn code(&self) -> Option<Code> {
        self.failure.as_ref().map(|failure| failure.code)
    }

    /// The structured value, where the tool gave one.
    pub fn value(&self) -> Option<&Value> {
        self.value.as_ref()
    }

    /// The structured value, taken out.
    pub fn into_value(self) -> Option<Value> {
        self.value
    }

    /// The parts that a model or a client reads. A value without parts of its own is one part: its JSON text.
    pub fn content(&self) -> Cow<'_, [Content]> {
        match &self.value {
            Some(value) if self.content.is_empty() => {
                Cow::Owned(vec![Content::Text(value.to_string())])
            }
            _ => Cow::Borrowed(&self.content),
        }
    }

    /// All text of the outcome: text parts one a line, or the value's JSON text.
    pub fn text(&self) -> String {
        match &self.value {
            Some(value) if self.content.is_empty() => value.to_string(),
            _ => self.text_of_parts(),
        }
    }

    pub(crate) fn text_of_parts(&self) -> String {
        let texts = self.content.iter().filter_map(|part| match part {
            Content::Text(text) => Some(text.as_str()),
            _ => None,
        });
        texts.collect::<Vec<_>>().join("\n")
    }

    /// Files that the tool made.
    pub fn artifacts(&self) -> &[Artifact] {
        &self.artifacts
    }

    /// Produces the references of artifacts that were to be produced later, so that [`Outcome::to_mcp`] shows them.
    ///
    /// # Errors
    ///
    /// What the first of them failed with; the others are still tried when somebody asks for them.
    pub async fn resolve(&self) -> Result<(), Error> {
        for artifact in &self.artifacts {
            artifact.uri().await?;
        }
        Ok(())
    }

    /// The original error, for the application only: what a handler returned, or what a panic said.
    pub fn error(&self) -> Option<&Error> {
        self.failure.as_ref()?.error.as_ref()
    }

    /// The original error, taken out.
    pub fn into_error(self) -> Option<Error> {
        self.failure?.error
    }

    /// What did not fit: the arguments under [`Code::InvalidInput`], the result under [`Code::InvalidOutput`].
    pub fn faults(&self) -> &[Fault] {
        self.failure.as_ref().map_or(&[], |failure| &failure.faults)
    }

    /// What lenient input mended before the call.
    pub fn repairs(&self) -> &[Repair] {
        &self.repairs
    }

    /// The id of the call, where the caller gave one.
    pub fn call_id(&self) -> Option<&str> {
        self.call_id.as_deref()
    }

    /// The outcome in the form of MCP's `tools/call` result.
    ///
    /// The structured value stands under `structuredContent` where the contract has an output schema or the value is
    /// an object, and always as text too, whatever parts stand beside it. A value that was stored because it is too
    /// large for a model stands in neither: its preview and its reference do.
    pub fn to_mcp(&self) -> Value {
        let mut members = Map::new();
        let mut content: Vec<Value> = self.content.iter().map(Content::to_mcp).collect();
        let shown = self.value.as_ref().filter(|_| !self.is_stored);
        if let Some(value) = shown {
            let text = value.to_string();
            if !self.content.iter().any(|part| matches!(part, Content::Text(own) if *own == text)) {
                content.push(Content::Text(text).to_mcp());
            }
        }
        content.extend(self.artifacts.iter().filter_map(Artifact::to_mcp_link));
        members.insert("content".into(), content.into());
        if let Some(value) = shown.filter(|value| self.has_schema || value.is_object()) {
            members.insert("structuredContent".into(), value.clone());
        }
        if let Some(failure) = &self.failure {
            members.insert("isError".into(), true.into());
            let mut meta = Map::from_iter([("toolcast/code".into(), failure.code.as_str().into())]);
            if failure.code == Code::InvalidInput {
                let faults: Vec<Value> =
                    failure.faults.iter().take(100).map(Fault::to_json).collect();
                meta.insert("toolcast/faults".into(), faults.into());
            }
            members.insert("_meta".into(), meta.into());
        }
        members.into()
    }
}

/// Shows what there is and how large, never what it says: results may hold secrets.
impl fmt::Debug for Outcome {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Outcome")
            .field("code", &self.code())
            .field("value", &self.value.as_ref().map(wording::kind))
            .field("content", &self.content)
            .field("artifacts", &self.artifacts)
            .field("call_id", &self.call_id)
            .finish_non_exhaustive()
    }
}

impl Fault {
    /// The fault as JSON: `code`, `pointer`, `message`.
    pub fn to_json(&self) -> Value {
        json!({ "code": self.code, "pointer": self.pointer, "message": self.message })
    }
}
