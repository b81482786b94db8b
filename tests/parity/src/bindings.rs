//! From a batch's sources to bindings: load, generate, and who is called what. A panic of the generator is a miss.

use crate::corpus::{Call, Server};
use crate::run::Miss;
use serde_json::Value;
use std::any::Any;
use std::collections::{BTreeMap, BTreeSet};
use std::panic::{self, AssertUnwindSafe};
use std::time::Instant;
use toolcast_contract::{Catalog, Contract, Limits, Severity, Sources};

/// A schemas folder: text by path.
pub type Folder = BTreeMap<String, String>;

/// Tools that are generated and compiled together.
#[derive(Clone, Debug, Default)]
pub struct Batch {
    /// What the table calls it.
    pub name: String,
    /// Its contracts. Each folder is loaded by itself, so that a broken one costs no other.
    pub folders: Vec<Folder>,
    /// How many tools the source lists.
    pub listed: usize,
    /// How many contracts were made of them.
    pub imported: usize,
    /// Seconds that it took to make them.
    pub seconds: f64,
    /// The calls to its tools.
    pub calls: Vec<Call>,
    /// What is already known not to be as it must be.
    pub faults: Vec<Miss>,
    /// What the importer reported.
    pub notes: Vec<String>,
}

/// One tool's place in generated code.
#[derive(Clone, Debug)]
pub struct Binding {
    /// The name by which calls name the tool.
    pub name: String,
    /// The Rust module below the index, such as `boards::rename_board`.
    pub module: String,
    /// Whether the handler answers with a `Reply`, having no output schema.
    pub replies: bool,
    /// Whether the answer comes out of `execute` as the handler decoded it: a `Reply` does, and an output whose schema is
    /// the input's.
    pub answers: bool,
    /// The schema of its arguments, bundled.
    pub input: Value,
}

impl Binding {
    /// The file of the module, without its ending.
    pub fn file(&self) -> String {
        let parts = self.module.split("::").map(|part| part.trim_start_matches("r#"));
        parts.collect::<Vec<_>>().join("/")
    }
}

/// The generated files of a batch, and its tools.
#[derive(Clone, Debug, Default)]
pub struct Bindings {
    /// Text by path.
    pub files: BTreeMap<String, String>,
    /// The tools in them.
    pub tools: Vec<Binding>,
}

/// A batch after generation.
#[derive(Clone, Debug, Default)]
pub struct Generated {
    catalog: Catalog,
    /// What was generated.
    pub bindings: Bindings,
    /// Why some of it was not.
    pub faults: Vec<Miss>,
    /// Seconds of loading and generating.
    pub seconds: f64,
}

/// A batch of a server's tools, by way of the importer.
///
/// What the importer repairs or leaves out is a note: it says so, and that is all that is asked of it. A call to a tool
/// that was left out is a miss all the same, and so is a file in which there are no tools.
pub fn import(server: &Server) -> Batch {
    let begun = Instant::now();
    let fault = |what: &String| Miss { tool: String::new(), what: what.clone() };
    let mut batch = Batch {
        name: server.name.clone(),
        faults: server.faults.iter().map(fault).collect(),
        ..Batch::default()
    };
    let file = format!("servers/{}.json", server.name);
    let imported = match guarded(|| toolcast_import::read(file.as_str().into(), &server.listing)) {
        Ok(imported) => imported,
        Err(panic) => {
            batch.faults.push(fault(&format!("import panics: {panic}")));
            return batch;
        }
    };
    batch.seconds = begun.elapsed().as_secs_f64();
    batch.listed = imported.tools.len() + imported.skipped;
    batch.imported = imported.tools.len();
    batch.notes = imported.diagnostics.iter().map(ToString::to_string).collect();
    if batch.listed == 0 && server.faults.is_empty() {
        batch.faults.push(fault(&format!("no tools: {}", batch.notes.join("; "))));
    }
    let mut routes = Routes::new();
    let mut folder = Folder::new();
    for tool in imported.tools {
        let schema = serde_json::from_str(&tool.text).unwrap_or_default();
        routes.entry(tool.original).or_default().push((tool.name, schema));
        folder.insert(tool.file.into_string(), tool.text);
    }
    batch.folders.push(folder);
    batch.calls = server.calls.iter().map(|call| route(call, &routes)).collect();
    batch
}

/// Where calls go: for each name on the server, the contracts that were made of it and their schemas.
type Routes = BTreeMap<String, Vec<(String, Value)>>;

/// Names a call's contract. A server may list a name more than once; the call then goes to the first tool of that name
/// whose own schema accepts it.
fn route(call: &Call, routes: &Routes) -> Call {
    let accepts = |schema: &Value| {
        let options = jsonschema::options().should_validate_formats(true);
        options.build(schema).is_ok_and(|validator| validator.is_valid(&call.arguments))
    };
    let tool = match routes.get(&call.tool).map(Vec::as_slice) {
        None | Some([]) => call.tool.clone(),
        Some([(contract, _)]) => contract.clone(),
        Some(several @ [(first, _), ..]) => {
            let found = several.iter().find(|(_, schema)| accepts(schema));
            found.map_or(first, |(contract, _)| contract).clone()
        }
    };
    Call { tool, ..call.clone() }
}

/// Loads and generates a batch. Every contract that has no bindings in the end is a miss.
pub fn generate(batch: &Batch) -> Generated {
    let begun = Instant::now();
    let mut generated = Generated::default();
    let mut contracts: Vec<Contract> = Vec::new();
    for folder in &batch.folders {
        match guarded(|| load(folder)) {
            Ok((found, mut faults)) => {
                contracts.extend(found);
                generated.faults.append(&mut faults);
            }
            Err(panic) => {
                let tool = folder.keys().last().cloned().unwrap_or_default();
                generated.faults.push(Miss { tool, what: format!("load panics: {panic}") });
            }
        }
    }
    contracts.sort_by(|a, b| a.source.cmp(&b.source));
    generated.catalog = Catalog::new(contracts);
    generated.render();
    generated.seconds = begun.elapsed().as_secs_f64();
    generated
}

/// The contracts of a folder, and its errors as misses.
pub fn load(folder: &Folder) -> (Vec<Contract>, Vec<Miss>) {
    let files = folder.iter().map(|(path, text)| (path.into(), text.clone().into_bytes()));
    let sources = Sources::from_files("", files);
    let (catalog, diagnostics) = Catalog::parse(&sources, &Limits::default());
    let errors = diagnostics.iter().filter(|found| found.severity == Severity::Error);
    let faults = errors
        .map(|found| Miss {
            tool: found.file.file_stem().unwrap_or_default().to_owned(),
            what: found.to_string(),
        })
        .collect();
    (catalog.contracts, faults)
}

/// Runs a stage of the generator; its panic is a finding, not the end of the run.
fn guarded<T>(stage: impl FnOnce() -> T) -> Result<T, String> {
    panic::catch_unwind(AssertUnwindSafe(stage)).map_err(|payload: Box<dyn Any + Send>| {
        let text = payload.downcast_ref::<&str>().map(|text| (*text).to_owned());
        text.or_else(|| payload.downcast_ref::<String>().cloned()).unwrap_or_default()
    })
}

impl Generated {
    /// Leaves out the tools of these modules; false where none of them is there.
    pub fn leave_out(&mut self, modules: &BTreeSet<String>) -> bool {
        let blamed: BTreeSet<&str> = self
            .bindings
            .tools
            .iter()
            .filter(|tool| modules.contains(&tool.file()))
            .map(|tool| tool.name.as_str())
            .collect();
        let found = !blamed.is_empty();
        self.catalog.contracts.retain(|contract| !blamed.contains(contract.name.as_str()));
        self.render();
        found
    }

    /// Generates all contracts that are left. Where that fails, each is tried by itself, so that the one to blame is
    /// found and the others are kept.
    fn render(&mut self) {
        self.bindings = match guarded(|| bindings(&self.catalog)) {
            Ok(Ok(bindings)) => bindings,
            _ => {
                let contracts = std::mem::take(&mut self.catalog.contracts);
                for contract in contracts {
                    let name = contract.name.clone();
                    let alone = Catalog::new(vec![contract.clone()]);
                    match guarded(|| bindings(&alone)) {
                        Ok(Ok(_)) => self.catalog.contracts.push(contract),
                        Ok(Err(what)) => self.faults.push(Miss { tool: name, what }),
                        Err(panic) => {
                            let what = format!("generating panics: {panic}");
                            self.faults.push(Miss { tool: name, what });
                        }
                    }
                }
                guarded(|| bindings(&self.catalog)).and_then(|result| result).unwrap_or_else(
                    |what| {
                        self.faults.push(Miss { tool: String::new(), what });
                        Bindings::default()
                    },
                )
            }
        };
    }
}

fn bindings(catalog: &Catalog) -> Result<Bindings, String> {
    let files = toolcast_codegen::render(catalog).map_err(|error| error.to_string())?;
    let places = toolcast_codegen::module_paths(catalog);
    let tools = catalog.contracts.iter().zip(places).map(|(contract, place)| Binding {
        name: contract.name.clone(),
        module: place,
        replies: contract.output.is_none(),
        answers: contract.output.as_ref().is_none_or(|output| *output == contract.input),
        input: contract.input.clone(),
    });
    Ok(Bindings {
        tools: tools.collect(),
        files: files.iter().map(|(path, text)| (path.to_string(), text.to_owned())).collect(),
    })
}
