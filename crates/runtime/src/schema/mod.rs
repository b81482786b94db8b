//! One JSON Schema of a tool: parsed and compiled at most once, on first use.

pub(crate) mod explain;
pub(crate) mod ignore;
pub(crate) mod repair;

use serde_json::Value;
use std::collections::HashMap;
use std::sync::{Arc, LazyLock, Mutex, OnceLock, PoisonError};
use toolcast_validate::{Options, Validator};

/// A schema and its validator.
pub(crate) struct Compiled {
    pub value: Value,
    pub validator: Validator,
}

/// A schema as a tool states it. Cheap until it is used.
pub(crate) struct Schema {
    source: Source,
    compiled: OnceLock<Result<Arc<Compiled>, String>>,
}

enum Source {
    /// The text of generated code: tools made anew for every run share one validator through it.
    Text(&'static str),
    Value(Value),
}

/// Validators of texts in the binary. A text is known by its place, which never moves or ends; so the cache grows no
/// further than the program's own constants.
static TEXTS: LazyLock<Mutex<Texts>> = LazyLock::new(Mutex::default);

type Texts = HashMap<(usize, usize), Result<Arc<Compiled>, String>>;

impl Schema {
    pub(crate) const fn text(text: &'static str) -> Self {
        Self { source: Source::Text(text), compiled: OnceLock::new() }
    }

    /// A schema that is compiled at once, so that a fault in it is found at definition.
    pub(crate) fn checked(value: Value) -> Result<Self, String> {
        let compiled = Arc::new(Compiled { validator: compile(&value)?, value: value.clone() });
        Ok(Self { source: Source::Value(value), compiled: OnceLock::from(Ok(compiled)) })
    }

    /// The schema's value.
    pub(crate) fn value(&self) -> Result<Value, String> {
        match &self.source {
            Source::Value(value) => Ok(value.clone()),
            Source::Text(text) => serde_json::from_str(text).map_err(|fault| fault.to_string()),
        }
    }

    /// The schema and its validator, built on first use.
    pub(crate) fn compiled(&self) -> Result<&Compiled, &str> {
        let compiled = self.compiled.get_or_init(|| match &self.source {
            Source::Text(text) => {
                let place = (text.as_ptr() as usize, text.len());
                let mut texts = TEXTS.lock().unwrap_or_else(PoisonError::into_inner);
                texts.entry(place).or_insert_with(|| from_text(text)).clone()
            }
            Source::Value(value) => compile(value)
                .map(|validator| Arc::new(Compiled { validator, value: value.clone() })),
        });
        match compiled {
            Ok(compiled) => Ok(compiled),
            Err(fault) => Err(fault),
        }
    }

    /// Whether a validator has been built.
    pub(crate) fn is_compiled(&self) -> bool {
        self.compiled.get().is_some()
    }
}

fn from_text(text: &str) -> Result<Arc<Compiled>, String> {
    let value: Value = serde_json::from_str(text).map_err(|fault| fault.to_string())?;
    Ok(Arc::new(Compiled { validator: compile(&value)?, value }))
}

/// Compiles a schema by the rules that every part of Toolcast validates by.
///
/// # Errors
///
/// The compiler's message, for the application; it may quote the schema. Or how the schema could run on and on.
pub(crate) fn compile(schema: &Value) -> Result<Validator, String> {
    Options::default().compile(schema)
}
