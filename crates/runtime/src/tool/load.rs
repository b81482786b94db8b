//! Contracts from files at run time, under the very rules of the build.

use crate::tool::definition::{Definition, DefinitionBuilder, DefinitionError};
use crate::tool::dynamic::{IntoDefinition, Sealed};
use camino::{Utf8Path, Utf8PathBuf};
use std::fmt;
use std::path::Path;
use toolcast_contract::{Catalog, Contract, Diagnostic, Limits, Severity, Sources};

impl Definition {
    /// Every contract of a schemas folder, for tools that are defined at run time. Blocks while it reads.
    ///
    /// # Errors
    ///
    /// Every fault of every file, each with its place and what to do.
    pub fn load(folder: impl AsRef<Path>) -> Result<Vec<Definition>, LoadError> {
        let folder = folder.as_ref();
        let Some(folder) = Utf8Path::from_path(folder) else {
            let message = format!("the folder's name is not UTF-8: {}", folder.display());
            return Err(LoadError { diagnostics: Vec::new(), other: vec![message] });
        };
        let (catalog, diagnostics) = toolcast_contract::load(folder);
        definitions(&catalog, diagnostics)
    }

    /// One contract from the text of its file. The name is the file's stem unless the contract says otherwise.
    ///
    /// ```
    /// use toolcast::{Definition, Tool, Value};
    ///
    /// let contract = r#"{ "description": "Say hello.", "type": "object", "properties": { "name": { "type": "string" } } }"#;
    /// let hello = Tool::define(Definition::parse("hello.json", contract)?, |input: Value| {
    ///     format!("Hello {}!", input["name"].as_str().unwrap_or("you"))
    /// })?;
    /// assert_eq!(hello.name(), "hello");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    ///
    /// Every fault of the contract, each with its place and what to do. A reference to another file is one.
    pub fn parse(file: &str, text: &str) -> Result<Definition, LoadError> {
        let files = [(Utf8PathBuf::from(file), text.as_bytes().to_vec())];
        let sources = Sources::from_files("", files);
        let (catalog, diagnostics) = Catalog::parse(&sources, &Limits::default());
        let other = |message: String| LoadError { diagnostics: Vec::new(), other: vec![message] };
        let definition = definitions(&catalog, diagnostics)?.pop();
        definition.ok_or_else(|| other(format!("{file} holds no contract")))
    }
}

fn definitions(
    catalog: &Catalog,
    diagnostics: Vec<Diagnostic>,
) -> Result<Vec<Definition>, LoadError> {
    let mut failed = LoadError { diagnostics, other: Vec::new() };
    failed.diagnostics.retain(|diagnostic| diagnostic.severity == Severity::Error);
    let mut definitions = Vec::new();
    for contract in &catalog.contracts {
        match contract.into_definition(Sealed) {
            Ok(definition) => definitions.push(definition),
            Err(fault) => failed.other.push(format!("{}: {fault}", contract.source)),
        }
    }
    if failed.diagnostics.is_empty() && failed.other.is_empty() {
        Ok(definitions)
    } else {
        Err(failed)
    }
}

impl IntoDefinition for &Contract {
    fn into_definition(self, _: Sealed) -> Result<Definition, DefinitionError> {
        DefinitionBuilder::from(self).build()
    }
}

/// Why contracts could not be loaded: every fault of every file.
#[derive(Debug)]
pub struct LoadError {
    diagnostics: Vec<Diagnostic>,
    other: Vec<String>,
}

impl LoadError {
    /// The faults that have a place in a file.
    pub fn diagnostics(&self) -> &[Diagnostic] {
        &self.diagnostics
    }
}

impl fmt::Display for LoadError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let faults = self.diagnostics.iter().map(Diagnostic::to_string).chain(self.other.clone());
        f.write_str(&faults.collect::<Vec<_>>().join("\n"))
    }
}

impl std::error::Error for LoadError {}
