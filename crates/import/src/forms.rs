//! Recognises the forms in which tools are published, and brings each to one.

use serde_json::{Map, Value};
use toolcast_schema::finding::{printable, shown};
use toolcast_schema::pointer::join;

/// A tool in whatever form, its parts told apart.
#[derive(Clone, Debug, Default)]
pub(super) struct Tool {
    pub(super) name: String,
    pub(super) title: Option<String>,
    pub(super) description: Option<String>,
    pub(super) input: Schema,
    pub(super) output: Option<Schema>,
    pub(super) annotations: Option<Value>,
    pub(super) icons: Option<Value>,
    pub(super) meta: Option<Value>,
    /// What has no place in a contract: it goes under `x-tool.meta`.
    pub(super) unknown: Map<String, Value>,
    /// Where the tool stands in the text.
    pub(super) pointer: String,
    /// Whether the schemas are Gemini's own dialect of OpenAPI.
    pub(super) openapi: bool,
}

/// A schema and where it stands in the text.
#[derive(Clone, Debug, Default)]
pub(super) struct Schema {
    pub(super) value: Value,
    pub(super) pointer: String,
}

/// What stands where a tool is expected.
#[derive(Clone, Debug)]
pub(super) enum Found {
    Tool(Box<Tool>),
    Unusable { pointer: String, message: String, help: &'static str },
}

impl Found {
    pub(super) fn pointer(&self) -> &str {
        match self {
            Self::Tool(tool) => &tool.pointer,
            Self::Unusable { pointer, .. } => pointer,
        }
    }
}

/// Why a whole text is no list of tools.
pub(super) struct Refused {
    pub(super) pointer: String,
    pub(super) message: String,
    pub(super) help: &'static str,
}

/// What the list around a tool says of it.
#[derive(Clone, Copy, Default)]
struct Context {
    /// Its schemas are Gemini's dialect of OpenAPI.
    gemini: bool,
    /// It is a function, which may do without parameters.
    functions: bool,
}

/// Members that hold a list of tools, whoever publishes it.
const LISTS: [&str; 4] = ["tools", "functions", "functionDeclarations", "function_declarations"];
const HELP: &str = "import reads an answer to `tools/list`, a list of MCP, OpenAI or Anthropic tools, or Gemini's \
                    function declarations";

/// Appends every tool of `root`.
pub(super) fn find(root: &Value, out: &mut Vec<Found>) -> Result<(), Refused> {
    list(root, "", Context::default(), out)
}

fn list(
    value: &Value,
    pointer: &str,
    context: Context,
    out: &mut Vec<Found>,
) -> Result<(), Refused> {
    match value {
        Value::Array(elements) => {
            for (index, element) in elements.iter().enumerate() {
                let here = join(pointer, &index.to_string());
                match element {
                    Value::Object(members) => match holder(members) {
                        Some(_) => list(element, &here, context, out)?,
                        None => out.push(tool(members, here, context)),
                    },
                    other => out.push(Found::Unusable {
                        pointer: here,
                        message: format!("a tool is an object, not {}", shown(other)),
                        help: HELP,
                    }),
                }
            }
            Ok(())
        }
        Value::Object(members) => {
            if let Some(name) = holder(members) {
                let declarations = matches!(name, "functionDeclarations" | "function_declarations");
                let context = Context {
                    gemini: context.gemini || declarations,
                    functions: context.functions || declarations || name == "functions",
                };
                return list(&members[name], &join(pointer, name), context, out);
            }
            if let Some(error) = members.get("error").filter(|_| members.contains_key("jsonrpc")) {
                return Err(Refused {
                    pointer: join(pointer, "error"),
                    message: format!("the server answered with an error: {}", shown(error)),
                    help: "ask it again, or see its log",
                });
            }
            if members.contains_key("name") || members.contains_key("function") {
                out.push(tool(members, pointer.to_owned(), context));
                return Ok(());
            }
            Err(Refused {
                pointer: pointer.to_owned(),
                message: "there is no list of tools here".to_owned(),
                help: HELP,
            })
        }
        other => Err(Refused {
            pointer: pointer.to_owned(),
            message: format!("a list of tools is expected, not {}", shown(other)),
            help: HELP,
        }),
    }
}

/// The member of an object that holds tools or, in a JSON-RPC answer, the result.
fn holder(members: &Map<String, Value>) -> Option<&'static str> {
    let lists = LISTS.iter().find(|name| members.get(**name).is_some_and(Value::is_array));
    // Gemini's declarations may stand alone as one object.
    let result =
        || members.get("result").is_some_and(|result| result.is_object() || result.is_array());
    lists.copied().or_else(|| (result() && !members.contains_key("name")).then_some("result"))
}

fn tool(members: &Map<String, Value>, pointer: String, context: Context) -> Found {
    let unusable = |message: String, help: &'static str| Found::Unusable {
        pointer: pointer.clone(),
        message,
        help,
    };
    let kind = members.get("type").and_then(Value::as_str);
    // OpenAI's Chat Completions wrap what the Responses API writes flat.
    let (inner, inner_pointer) = match members.get("function") {
        Some(Value::Object(function)) => (function, join(&pointer, "function")),
        _ => (members, pointer.clone()),
    };
    let name = match inner.get("name") {
        Some(Value::String(name)) => name.clone(),
        Some(other) => {
            return unusable(format!("a tool's name is a string, not {}", shown(other)), HELP);
        }
        None => {
            let what = kind.map_or("there is no tool here".to_owned(), |kind| {
                format!("`{}` is a tool of the provider's own, without a schema", printable(kind))
            });
            return unusable(
                what,
                "it was left out: only tools with a name and a schema become contracts",
            );
        }
    };
    let mut tool = Tool { name, pointer: pointer.clone(), ..Tool::default() };
    let mut input = None;
    let wrapped = inner_pointer != pointer;
    let outer = wrapped.then_some((members, &pointer));
    for (part, here) in outer.into_iter().chain([(inner, &inner_pointer)]) {
        for (name, value) in part {
            let schema = || Schema { value: value.clone(), pointer: join(here, name) };
            match (name.as_str(), value) {
                ("name", _) | (_, Value::Null) => {}
                ("function", _) if wrapped => {}
                ("type", Value::String(kind)) if matches!(kind.as_str(), "function" | "custom") => {
                }
                ("title", Value::String(text)) => tool.title = Some(text.clone()),
                ("description", Value::String(text)) => tool.description = Some(text.clone()),
                ("inputSchema" | "input_schema" | "parameters", _) => {
                    let upper = value.get("type").and_then(Value::as_str).is_some_and(is_upper);
                    tool.openapi = name == "parameters" && (context.gemini || upper);
                    input = Some(schema());
                }
                ("parametersJsonSchema" | "parameters_json_schema", _) => {
                    tool.openapi = false;
                    input = Some(schema());
                }
                (
                    "outputSchema"
                    | "output_schema"
                    | "response"
                    | "responseJsonSchema"
                    | "response_json_schema",
                    Value::Object(_) | Value::Bool(_),
                ) => tool.output = Some(schema()),
                ("annotations", _) => tool.annotations = Some(value.clone()),
                ("icons", _) => tool.icons = Some(value.clone()),
                ("_meta", _) => tool.meta = Some(value.clone()),
                _ => {
                    tool.unknown.insert(name.clone(), value.clone());
                }
            }
        }
    }
    let function = context.functions || wrapped || kind == Some("function");
    match input {
        Some(input) => tool.input = input,
        // OpenAI and Gemini leave the parameters out where there are none; MCP and Anthropic always have a schema.
        None if function => {
            tool.input = Schema {
                value: serde_json::json!({ "type": "object", "properties": {} }),
                pointer: pointer.clone(),
            };
        }
        None => {
            let name = printable(&tool.name);
            return unusable(
                format!("`{name}` has no schema of its input"),
                "it was left out: only tools with a name and a schema become contracts",
            );
        }
    }
    Found::Tool(Box::new(tool))
}

fn is_upper(kind: &str) -> bool {
    kind.bytes().any(|byte| byte.is_ascii_uppercase())
        && kind.bytes().all(|byte| byte.is_ascii_uppercase() || byte == b'_')
}
