//! A tool's contract at run time, whether generated code, a contract file or the program itself states it.

use crate::ToolSpec;
use crate::schema::Schema;
use crate::tool::specification::Specification;
use serde_json::{Map, Value, json};
use std::borrow::Cow;
use std::fmt;
use std::time::Duration;
use toolcast_contract::Annotations;

/// Bytes of a name; every provider takes as many.
const LONGEST_NAME: usize = 64;

/// A contract as it is declared: name, description, schemas, and what stands under `x-tool`.
///
/// Generated tools have theirs from their [`ToolSpec`]; dynamic ones are built here, for [`Tool::define`].
///
/// [`Tool::define`]: crate::Tool::define
pub struct Definition {
    pub(crate) name: Cow<'static, str>,
    pub(crate) title: Option<Cow<'static, str>>,
    pub(crate) description: Cow<'static, str>,
    pub(crate) input: Schema,
    pub(crate) output: Option<Schema>,
    pub(crate) exclusive: bool,
    pub(crate) timeout_seconds: Option<f64>,
    pub(crate) annotations: Annotations,
    icons: Json,
    meta: Json,
}

/// JSON that stands as text in generated code and as a value elsewhere.
#[derive(Clone)]
enum Json {
    Text(Option<&'static str>),
    Value(Value),
}

impl Json {
    fn value(&self) -> Value {
        match self {
            // Generated code writes valid JSON; whatever else stands there is shown to nobody.
            Self::Text(text) => {
                text.and_then(|text| serde_json::from_str(text).ok()).unwrap_or(Value::Null)
            }
            Self::Value(value) => value.clone(),
        }
    }
}

impl From<&'static ToolSpec> for Definition {
    fn from(spec: &'static ToolSpec) -> Self {
        Self {
            name: spec.name.into(),
            title: spec.title.map(Cow::Borrowed),
            description: spec.description.into(),
            input: Schema::text(spec.input),
            output: spec.output.map(Schema::text),
            exclusive: spec.exclusive,
            timeout_seconds: spec.timeout_seconds,
            annotations: Annotations {
                title: spec.annotation_title.map(str::to_owned),
                read_only: spec.read_only,
                destructive: spec.destructive,
                idempotent: spec.idempotent,
                open_world: spec.open_world,
            },
            icons: Json::Text(spec.icons),
            meta: Json::Text(spec.meta),
        }
    }
}

impl Definition {
    /// How long a call may take by the contract.
    pub(crate) fn timeout(&self) -> Option<Duration> {
        // What no duration can say is longer than any call lives.
        self.timeout_seconds.and_then(|seconds| Duration::try_from_secs_f64(seconds).ok())
    }

    /// The contract as models and clients are shown it, under the name it has in its run.
    pub(crate) fn specification(&self, name: &str) -> Result<Specification, String> {
        let list = |value| if let Value::Array(items) = value { items } else { Vec::new() };
        let map = |value| if let Value::Object(members) = value { members } else { Map::new() };
        Ok(Specification {
            name: name.to_owned(),
            title: self.title.as_deref().map(str::to_owned),
            description: self.description.to_string(),
            input_schema: self.input.value()?,
            output_schema: self.output.as_ref().map(Schema::value).transpose()?,
            annotations: self.annotations.clone(),
            exclusive: self.exclusive,
            timeout: self.timeout(),
            icons: list(self.icons.value()),
            meta: map(self.meta.value()),
        })
    }
}

impl fmt::Debug for Definition {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Definition").field("name", &self.name).finish_non_exhaustive()
    }
}

/// The rule of names: 1 to 64 of `A-Z a-z 0-9 _ -`.
pub(crate) fn is_name(name: &str) -> bool {
    (1..=LONGEST_NAME).contains(&name.len())
        && name.bytes().all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-'))
}

/// What a definition may fail at. Nothing of it is meant for models.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DefinitionError {
    tool: String,
    message: String,
}

impl DefinitionError {
    pub(crate) fn new(tool: impl Into<String>, message: impl Into<String>) -> Self {
        Self { tool: tool.into(), message: message.into() }
    }
}

impl fmt::Display for DefinitionError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "the tool `{}` cannot be defined: {}", self.tool, self.message)
    }
}

impl std::error::Error for DefinitionError {}

/// A contract being stated by the program: see [`Definition::new`].
#[derive(Clone)]
pub struct DefinitionBuilder {
    name: String,
    description: String,
    title: Option<String>,
    input: Value,
    output: Option<Value>,
    exclusive: bool,
    timeout_seconds: Option<f64>,
    annotations: Annotations,
    icons: Vec<Value>,
    meta: Map<String, Value>,
}

impl Definition {
    /// States a contract in the program. It takes no arguments until [`DefinitionBuilder::input`] says otherwise.
    #[allow(clippy::new_ret_no_self, reason = "the contract is whole only once it is built")]
    pub fn new(name: impl Into<String>, description: impl Into<String>) -> DefinitionBuilder {
        DefinitionBuilder {
            name: name.into(),
            description: description.into(),
            title: None,
            input: json!({ "type": "object", "properties": {}, "additionalProperties": false }),
            output: None,
            exclusive: false,
            timeout_seconds: None,
            annotations: Annotations::default(),
            icons: Vec::new(),
            meta: Map::new(),
        }
    }
}

impl Definition {
    /// As [`Definition::new`], under the name of a type in snake case: that of the handler, as a rule.
    ///
    /// ```
    /// struct TicketStatus;
    /// let definition = toolcast::Definition::named_after::<TicketStatus>("Look up a ticket's status.").build()?;
    /// let tool = toolcast::Tool::define(definition, |_: toolcast::Value| "open")?;
    /// assert_eq!(tool.name(), "ticket_status");
    /// # Ok::<(), toolcast::DefinitionError>(())
    /// ```
    pub fn named_after<T: ?Sized>(description: impl Into<String>) -> DefinitionBuilder {
        Self::new(snake_case(std::any::type_name::<T>()), description)
    }
}

/// A type's own name, without path and parameters, as a tool's name: `HTTPFetch2` is `http_fetch2`. What no name may hold
/// is left out.
fn snake_case(type_name: &str) -> String {
    let head = type_name.split(['<', '{', '[', '(']).next().unwrap_or(type_name);
    let head = head.trim_end_matches("::").rsplit("::").next().unwrap_or(head);
    let chars: Vec<char> =
        head.chars().filter(|char| is_name(char.encode_utf8(&mut [0; 4]))).collect();
    let mut name = String::new();
    for (at, char) in chars.iter().enumerate() {
        let before = at.checked_sub(1).map(|before| chars[before]);
        let after = chars.get(at + 1);
        // A word begins at a capital, and at the last of several before a small letter.
        let begins = char.is_ascii_uppercase()
            && before.is_some_and(|before| {
                !before.is_ascii_uppercase() && !matches!(before, '_' | '-')
                    || before.is_ascii_uppercase() && after.is_some_and(char::is_ascii_lowercase)
            });
        if begins {
            name.push('_');
        }
        name.push(char.to_ascii_lowercase());
    }
    name
}

impl DefinitionBuilder {
    /// The JSON Schema of the arguments.
    pub fn input(mut self, schema: Value) -> Self {
        self.input = schema;
        self
    }

    /// The JSON Schema of the result.
    pub fn output(mut self, schema: Value) -> Self {
        self.output = Some(schema);
        self
    }

    /// The title that a person sees.
    pub fn title(mut self, title: impl Into<String>) -> Self {
        self.title = Some(title.into());
        self
    }

    /// Calls take the run-wide exclusive lock.
    pub fn exclusive(mut self) -> Self {
        self.exclusive = true;
        self
    }

    /// How long one call may take, in seconds.
    pub fn timeout_seconds(mut self, seconds: f64) -> Self {
        self.timeout_seconds = Some(seconds);
        self
    }

    /// MCP's hints.
    pub fn annotations(mut self, annotations: Annotations) -> Self {
        self.annotations = annotations;
        self
    }

    /// MCP's icons.
    pub fn icons(mut self, icons: Vec<Value>) -> Self {
        self.icons = icons;
        self
    }

    /// MCP's `_meta`.
    pub fn meta(mut self, meta: Map<String, Value>) -> Self {
        self.meta = meta;
        self
    }

    /// The definition, checked.
    ///
    /// # Errors
    ///
    /// A name that is not 1 to 64 of `A-Z a-z 0-9 _ -`, an empty description, a schema that is no valid JSON Schema,
    /// input that is not an object, a timeout that is no positive number.
    pub fn build(self) -> Result<Definition, DefinitionError> {
        let fault = |message: String| DefinitionError::new(self.name.clone(), message);
        if !is_name(&self.name) {
            return Err(fault("a name is 1 to 64 of A-Z a-z 0-9 _ -".to_owned()));
        }
        if self.description.trim().is_empty() {
            return Err(fault("a description is required: models choose tools by it".to_owned()));
        }
        if self.input.get("type").and_then(Value::as_str) != Some("object") {
            return Err(fault(
                "its input schema needs `\"type\": \"object\"` at the root".to_owned(),
            ));
        }
        if self.timeout_seconds.is_some_and(|seconds| !(seconds > 0.0 && seconds.is_finite())) {
            return Err(fault("its timeout is not a positive number of seconds".to_owned()));
        }
        let schema = |value: &Value, which: &str| {
            Schema::checked(value.clone())
                .map_err(|message| fault(format!("its {which} schema is not valid: {message}")))
        };
        Ok(Definition {
            input: schema(&self.input, "input")?,
            output: self.output.as_ref().map(|output| schema(output, "output")).transpose()?,
            name: self.name.into(),
            title: self.title.map(Cow::Owned),
            description: self.description.into(),
            exclusive: self.exclusive,
            timeout_seconds: self.timeout_seconds,
            annotations: self.annotations,
            icons: Json::Value(self.icons.into()),
            meta: Json::Value(self.meta.into()),
        })
    }
}

impl From<&toolcast_contract::Contract> for DefinitionBuilder {
    fn from(contract: &toolcast_contract::Contract) -> Self {
        Self {
            name: contract.name.clone(),
            description: contract.description.clone(),
            title: contract.title.clone(),
            input: contract.input.clone(),
            output: contract.output.clone(),
            exclusive: contract.exclusive,
            timeout_seconds: contract.timeout_seconds,
            annotations: contract.annotations.clone(),
            icons: contract.icons.clone(),
            meta: contract.meta.clone(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_types_name_is_a_tools_name() {
        let names = [
            ("helpdesk::tools::TicketStatus", "ticket_status"),
            ("a::HTTPFetch2", "http_fetch2"),
            ("a::V2Search", "v2_search"),
            ("a::Fetch<b::Client, 3>", "fetch"),
            ("a::rename_board", "rename_board"),
            ("a::Snake_Case", "snake_case"),
            ("a::main::{{closure}}", "main"),
            ("a::Größe", "gre"),
            ("X", "x"),
            ("[u8]", ""),
        ];
        for (of, name) in names {
            assert_eq!(snake_case(of), name, "{of}");
        }
        assert!(Definition::named_after::<[u8]>("Has no name.").build().is_err());
    }
}
