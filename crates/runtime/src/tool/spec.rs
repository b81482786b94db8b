//! The contract as constants: what generated code states and a model is shown.

/// A tool's contract as generated code states it: a constant, built without running anything.
///
/// Schemas and other JSON stand as the text of the bundled documents; they are parsed once, on first use. The methods of the
/// fields' names set them, and are what generated code uses; the fields are there to be read.
#[non_exhaustive]
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ToolSpec {
    /// The name by which the tool is called.
    pub name: &'static str,
    /// The title that a person sees.
    pub title: Option<&'static str>,
    /// What the model reads.
    pub description: &'static str,
    /// The JSON Schema of the arguments, as JSON text.
    pub input: &'static str,
    /// The JSON Schema of the result, as JSON text.
    pub output: Option<&'static str>,
    /// Whether calls take the run-wide exclusive lock.
    pub exclusive: bool,
    /// How long one call may take, in seconds.
    pub timeout_seconds: Option<f64>,
    /// MCP's `annotations.title`.
    pub annotation_title: Option<&'static str>,
    /// MCP's `readOnlyHint`.
    pub read_only: Option<bool>,
    /// MCP's `destructiveHint`.
    pub destructive: Option<bool>,
    /// MCP's `idempotentHint`.
    pub idempotent: Option<bool>,
    /// MCP's `openWorldHint`.
    pub open_world: Option<bool>,
    /// MCP's `icons`, as the JSON text of an array.
    pub icons: Option<&'static str>,
    /// MCP's `_meta`, as the JSON text of an object.
    pub meta: Option<&'static str>,
}

impl ToolSpec {
    /// A contract that takes no arguments, until [`ToolSpec::input`] says otherwise.
    pub const fn new(name: &'static str, description: &'static str) -> Self {
        Self {
            name,
            title: None,
            description,
            input: r#"{"type":"object","properties":{},"additionalProperties":false}"#,
            output: None,
            exclusive: false,
            timeout_seconds: None,
            annotation_title: None,
            read_only: None,
            destructive: None,
            idempotent: None,
            open_world: None,
            icons: None,
            meta: None,
        }
    }

    /// The name by which the tool is called.
    pub const fn name(&self) -> &'static str {
        self.name
    }

    /// The title a person sees.
    pub const fn title(mut self, title: &'static str) -> Self {
        self.title = Some(title);
        self
    }

    /// The JSON Schema of the arguments, as JSON text.
    pub const fn input(mut self, schema: &'static str) -> Self {
        self.input = schema;
        self
    }

    /// The JSON Schema of the result, as JSON text.
    pub const fn output(mut self, schema: &'static str) -> Self {
        self.output = Some(schema);
        self
    }

    /// Calls take the run-wide exclusive lock.
    pub const fn exclusive(mut self) -> Self {
        self.exclusive = true;
        self
    }

    /// How long one call may take, in seconds.
    pub const fn timeout_seconds(mut self, seconds: f64) -> Self {
        self.timeout_seconds = Some(seconds);
        self
    }

    /// MCP's `annotations.title`.
    pub const fn annotation_title(mut self, title: &'static str) -> Self {
        self.annotation_title = Some(title);
        self
    }

    /// MCP's `readOnlyHint`.
    pub const fn read_only(mut self, hint: bool) -> Self {
        self.read_only = Some(hint);
        self
    }

    /// MCP's `destructiveHint`.
    pub const fn destructive(mut self, hint: bool) -> Self {
        self.destructive = Some(hint);
        self
    }

    /// MCP's `idempotentHint`.
    pub const fn idempotent(mut self, hint: bool) -> Self {
        self.idempotent = Some(hint);
        self
    }

    /// MCP's `openWorldHint`.
    pub const fn open_world(mut self, hint: bool) -> Self {
        self.open_world = Some(hint);
        self
    }

    /// MCP's `icons`, as the JSON text of an array.
    pub const fn icons(mut self, icons: &'static str) -> Self {
        self.icons = Some(icons);
        self
    }

    /// MCP's `_meta`, as the JSON text of an object.
    pub const fn meta(mut self, meta: &'static str) -> Self {
        self.meta = Some(meta);
        self
    }
}
