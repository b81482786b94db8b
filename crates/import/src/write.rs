//! Writes an imported tool as a contract's file.

use camino::Utf8Path;
use serde_json::{Map, Value};
use toolcast_contract::{Catalog, Sources};
use toolcast_schema::diagnostic::{Diagnostic, Severity};
use toolcast_schema::keyword::{Form, keyword};
use toolcast_schema::limits::Limits;

/// A tool whose schemas are without fault, in 2020-12.
#[derive(Clone, Debug)]
pub(super) struct Sound {
    /// As it was where the tool came from.
    pub(super) name: String,
    pub(super) title: Option<String>,
    pub(super) description: String,
    /// Without `title` and `description`.
    pub(super) input: Map<String, Value>,
    pub(super) output: Option<Value>,
    pub(super) annotations: Map<String, Value>,
    pub(super) icons: Vec<Value>,
    pub(super) meta: Map<String, Value>,
}

impl Sound {
    pub(super) fn keep_meta(&mut self, meta: Option<Value>) {
        match meta {
            None => {}
            Some(Value::Object(meta)) => self.meta = meta,
            Some(other) => self.keep("_meta", other),
        }
    }

    /// The hints that MCP knows are annotations; whatever else is among them is kept apart.
    pub(super) fn keep_annotations(&mut self, annotations: Option<Value>) {
        let members = match annotations {
            None => return,
            Some(Value::Object(members)) => members,
            Some(other) => return self.keep("annotations", other),
        };
        let mut odd = Map::new();
        for (name, value) in members {
            match (name.as_str(), &value) {
                ("title", Value::String(_))
                | (
                    "readOnlyHint" | "destructiveHint" | "idempotentHint" | "openWorldHint",
                    Value::Bool(_),
                ) => {
                    self.annotations.insert(name, value);
                }
                (_, Value::Null) => {}
                _ => {
                    odd.insert(name, value);
                }
            }
        }
        if !odd.is_empty() {
            self.keep("annotations", Value::Object(odd));
        }
    }

    pub(super) fn keep_icons(&mut self, icons: Option<Value>) {
        match icons {
            None => {}
            Some(Value::Array(icons))
                if icons.iter().all(|icon| icon.get("src").is_some_and(Value::is_string)) =>
            {
                self.icons = icons;
            }
            Some(other) => self.keep("icons", other),
        }
    }

    pub(super) fn keep_unknown(&mut self, unknown: Map<String, Value>) {
        for (name, value) in unknown {
            self.keep(&name, value);
        }
    }

    /// What the input schema's root says beside the tool's own words.
    pub(super) fn keep_of_schema(
        &mut self,
        title: Option<String>,
        description: Option<String>,
        x_tool: Option<Value>,
    ) {
        let mut own = Map::new();
        if let Some(title) = title.filter(|title| self.title.as_ref() != Some(title)) {
            own.insert("title".to_owned(), Value::String(title));
        }
        if let Some(description) =
            description.filter(|description| *description != self.description)
        {
            own.insert("description".to_owned(), Value::String(description));
        }
        if let Some(x_tool) = x_tool {
            own.insert("x-tool".to_owned(), x_tool);
        }
        if !own.is_empty() {
            self.keep("inputSchema", Value::Object(own));
        }
    }

    fn keep(&mut self, name: &str, value: Value) {
        let mut free = name.to_owned();
        while self.meta.contains_key(&free) {
            free.push('_');
        }
        self.meta.insert(free, value);
    }

    /// The contract under the given name, in the file `<stem>.json`.
    pub(super) fn contract(&self, name: &str, stem: &str) -> Value {
        let mut root = Map::new();
        if let Some(dialect) = self.input.get("$schema") {
            root.insert("$schema".to_owned(), dialect.clone());
        }
        if let Some(title) = &self.title {
            root.insert("title".to_owned(), Value::from(title.as_str()));
        }
        root.insert("description".to_owned(), Value::from(self.description.as_str()));
        for (name, value) in &self.input {
            root.insert(name.clone(), value.clone());
        }
        let mut tool = Map::new();
        if name != stem {
            tool.insert("name".to_owned(), Value::from(name));
        }
        if !self.annotations.is_empty() {
            tool.insert("annotations".to_owned(), Value::Object(self.annotations.clone()));
        }
        if let Some(output) = &self.output {
            tool.insert("output".to_owned(), moved(output));
        }
        if !self.icons.is_empty() {
            tool.insert("icons".to_owned(), Value::Array(self.icons.clone()));
        }
        let mut meta = self.meta.clone();
        if name != self.name {
            meta.insert("originalName".to_owned(), Value::from(self.name.as_str()));
        }
        if !meta.is_empty() {
            tool.insert("meta".to_owned(), Value::Object(meta));
        }
        if !tool.is_empty() {
            root.insert("x-tool".to_owned(), Value::Object(tool));
        }
        Value::Object(root)
    }
}

/// The output schema as it stands in a contract: its references name places under `x-tool.output`.
fn moved(output: &Value) -> Value {
    mapped(output, &mut |members| {
        if let Some(Value::String(reference)) = members.get_mut("$ref")
            && let Some(pointer) = reference.strip_prefix('#')
        {
            *reference = format!("#/x-tool/output{pointer}");
        }
    })
}

/// `schema` with `change` made to every schema in it, outermost first. Its depth is the text's, which is bounded.
pub(super) fn mapped(schema: &Value, change: &mut dyn FnMut(&mut Map<String, Value>)) -> Value {
    let Value::Object(members) = schema else { return schema.clone() };
    let mut members = members.clone();
    change(&mut members);
    for (name, value) in &mut members {
        let Some(form) = keyword(name).map(|row| row.form) else { continue };
        match (form, &mut *value) {
            (Form::Schema | Form::SchemaOrSchemas, Value::Object(_)) => {
                *value = mapped(value, change)
            }
            (Form::Schemas | Form::SchemaOrSchemas, Value::Array(elements)) => {
                for element in elements {
                    *element = mapped(element, change);
                }
            }
            (Form::SchemaMap | Form::Dependencies, Value::Object(entries)) => {
                for entry in entries.values_mut() {
                    *entry = mapped(entry, change);
                }
            }
            _ => {}
        }
    }
    Value::Object(members)
}

/// The file's text, once it is known to load without an error; else its faults.
pub(super) fn text(path: &Utf8Path, contract: &Value) -> Result<String, Vec<Diagnostic>> {
    let text = match serde_json::to_string_pretty(contract) {
        Ok(text) => text + "\n",
        Err(error) => {
            return Err(vec![Diagnostic {
                severity: Severity::Error,
                rule: "invalid-json",
                file: path.to_owned(),
                position: None,
                message: error.to_string(),
                help: Some("the tool was left out".to_owned()),
            }]);
        }
    };
    let sources = Sources::from_files("", [(path.to_owned(), text.clone().into_bytes())]);
    let (catalog, diagnostics) = Catalog::parse(&sources, &Limits::default());
    if catalog.contracts.len() == 1 {
        return Ok(text);
    }
    Err(diagnostics
        .into_iter()
        .filter(|diagnostic| diagnostic.severity == Severity::Error)
        .map(|diagnostic| Diagnostic {
            help: Some(match diagnostic.help {
                Some(help) => format!("the tool was left out; {help}"),
                None => "the tool was left out".to_owned(),
            }),
            ..diagnostic
        })
        .collect())
}
