//! The catalog: every contract of a folder that has no fault, and every fault of the others. A pure function of the
//! folder's bytes: the same bytes give the same catalog and the same diagnostics, in the same order.

use crate::contract::Contract;
use crate::rules::files::{
    DUPLICATE_KEY, FILE_CLASH, INVALID_JSON, NOT_UTF8, NUMBER_RANGE, TOO_DEEP, TOO_LARGE,
    TOO_MANY_FAULTS, TOO_MANY_FILES, TOO_MANY_SUBSCHEMAS, UNKNOWN_DIALECT,
};
use crate::rules::name::NAME_USED_TWICE;
use crate::rules::{self, Kind, Report, Rule};
use crate::sources::Sources;
use crate::tool::Tool;
use camino::{Utf8Path, Utf8PathBuf};
use serde_json::Value;
use std::collections::{BTreeMap, HashMap, HashSet};
use toolcast_schema::bundle::{Bundle, Refused, bundle};
use toolcast_schema::diagnostic::{Diagnostic, Position};
use toolcast_schema::dialect::Dialect;
use toolcast_schema::encoding::{self, Encoding};
use toolcast_schema::finding::printable;
use toolcast_schema::index::{Document, Index, Location};
use toolcast_schema::json::{self, End, FaultKind, Places};
use toolcast_schema::limits::Limits;

/// Where a contract's output schema stands.
const OUTPUT: &str = "/x-tool/output";

/// Every contract of a schemas folder, ordered by source path.
#[derive(Clone, Debug, Default)]
pub struct Catalog {
    /// The contracts, ordered by [`Contract::source`].
    pub contracts: Vec<Contract>,
    root: Utf8PathBuf,
    texts: BTreeMap<Utf8PathBuf, (Value, Places)>,
    origins: BTreeMap<Utf8PathBuf, [Origins; 2]>,
}

/// By pointer into a bundled schema: the file that it was written in, and the pointer there.
type Origins = BTreeMap<String, (Utf8PathBuf, String)>;

/// Which schema of a contract is meant.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Part {
    /// [`Contract::input`].
    Input,
    /// [`Contract::output`].
    Output,
}

/// Where a part of a bundled schema was written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Origin {
    /// The file, as the person named it.
    pub file: Utf8PathBuf,
    /// The place in it; `None` for a metaschema, which is no file of the folder.
    pub position: Option<Position>,
}

/// Reads and parses the folder `folder` within the default [`Limits`].
pub fn load(folder: &Utf8Path) -> (Catalog, Vec<Diagnostic>) {
    let limits = Limits::default();
    Catalog::parse(&Sources::read_within(folder, &limits), &limits)
}

impl Catalog {
    /// A catalog of contracts that come from elsewhere than files; it can locate nothing.
    pub fn new(contracts: Vec<Contract>) -> Self {
        Self { contracts, ..Self::default() }
    }

    /// The contracts of `sources`, and all faults. A contract with an error-level fault, or that refers to a file with
    /// one, is left out; the others are kept.
    pub fn parse(sources: &Sources, limits: &Limits) -> (Self, Vec<Diagnostic>) {
        let mut parser = Parser {
            sources,
            limits,
            diagnostics: sources.faults().to_vec(),
            unread: HashSet::new(),
        };
        let documents = parser.documents();
        parser.clashes();
        let index = Index::new(documents, std::mem::take(&mut parser.unread), limits);
        let kind = |number: usize| kind(&index.documents[number].path);
        let report = rules::check(&index, &kind, limits);
        let catalog = parser.catalog(&index, report);
        let mut diagnostics = parser.diagnostics;
        diagnostics.sort_by(|a, b| {
            let key = |d: &Diagnostic| (d.file.clone(), d.position, d.rule, d.message.clone());
            key(a).cmp(&key(b))
        });
        diagnostics.dedup();
        (catalog.with_texts(sources.root(), index), diagnostics)
    }

    /// The contract of that name.
    pub fn get(&self, name: &str) -> Option<&Contract> {
        self.contracts.iter().find(|contract| contract.name == name)
    }

    /// Where `pointer`, a JSON pointer into the contract's own file, stands; the nearest part around it where the file
    /// has no such place.
    pub fn locate(&self, contract: &Contract, pointer: &str) -> Option<Position> {
        let (value, places) = self.texts.get(&contract.source)?;
        Some(places.locate(value, pointer, End::Key))
    }

    /// Where `pointer`, a JSON pointer into the bundled input or output schema, was written: in the contract's own file
    /// or in one that it refers to.
    pub fn origin(&self, contract: &Contract, part: Part, pointer: &str) -> Option<Origin> {
        let (file, written) = self.written(contract, part, pointer)?;
        let position =
            self.texts.get(file).map(|(value, places)| places.locate(value, &written, End::Key));
        Some(Origin { file: self.root.join(file), position })
    }

    /// The file, relative to the schemas folder, and the JSON pointer in it that `pointer` of the bundled input or output
    /// schema was written at: what tells a definition from others of its name, whichever contract it is bundled into.
    pub fn written(
        &self,
        contract: &Contract,
        part: Part,
        pointer: &str,
    ) -> Option<(&Utf8Path, String)> {
        let origins = &self.origins.get(&contract.source)?[part as usize];
        let mut known = pointer;
        let (file, start) = loop {
            match origins.get(known) {
                Some(origin) => break origin,
                None => known = &known[..known.rfind('/')?],
            }
        };
        Some((file, format!("{start}{}", &pointer[known.len()..])))
    }

    /// The schemas folder, as the person named it.
    pub fn root(&self) -> &Utf8Path {
        &self.root
    }

    fn with_texts(mut self, root: &Utf8Path, index: Index) -> Self {
        self.root = root.to_owned();
        let files = index.documents.into_iter().filter(|document| !document.is_metaschema);
        self.texts =
            files.map(|document| (document.path, (document.value, document.places))).collect();
        self
    }
}

/// Whether a file, relative to the schemas folder, holds shared definitions and no contract.
pub fn holds_definitions(path: &Utf8Path) -> bool {
    path.components().rev().skip(1).any(|part| part.as_str() == "defs")
}

/// What a file is for: its folder says so.
fn kind(path: &Utf8Path) -> Kind {
    match holds_definitions(path) {
        true => Kind::Definitions,
        false => Kind::Contract,
    }
}

struct Parser<'a> {
    sources: &'a Sources,
    limits: &'a Limits,
    diagnostics: Vec<Diagnostic>,
    unread: HashSet<String>,
}

impl Parser<'_> {
    fn error(
        &mut self,
        path: &Utf8Path,
        position: Option<Position>,
        rule: Rule,
        message: String,
        help: &str,
    ) {
        self.diagnostics.push(Diagnostic {
            severity: rule.severity,
            rule: rule.id,
            file: self.sources.root().join(path),
            position,
            message,
            help: (!help.is_empty()).then(|| help.to_owned()),
        });
    }

    /// Every file that is JSON and of a known dialect.
    fn documents(&mut self) -> Vec<Document> {
        let mut documents = Vec::new();
        let sources = self.sources;
        let (mut files, mut bytes) = (0, 0);
        for (path, text) in sources.entries() {
            files += 1;
            bytes += text.len();
            let root = Utf8Path::new("");
            if files > self.limits.files {
                let message = format!("more than {} files (limit `files`)", self.limits.files);
                self.error(root, None, TOO_MANY_FILES, message, "");
                break;
            }
            if bytes > self.limits.total_bytes {
                let most = self.limits.total_bytes;
                let message = format!(
                    "the folder's files are larger than {most} bytes (limit `total_bytes`)"
                );
                self.error(
                    root,
                    None,
                    TOO_LARGE,
                    message,
                    "keep contracts in a folder of their own",
                );
                break;
            }
            match self.document(path, text) {
                Some(document) => documents.push(document),
                None => {
                    self.unread.insert(path.to_string());
                }
            }
        }
        documents
    }

    fn document(&mut self, path: &Utf8Path, bytes: &[u8]) -> Option<Document> {
        if bytes.len() > self.limits.file_bytes {
            let most = self.limits.file_bytes;
            let message = format!("larger than {most} bytes (limit `file_bytes`)");
            self.error(path, None, TOO_LARGE, message, "split it, or move data out of the schema");
            return None;
        }
        let text = match encoding::text(bytes) {
            Ok(text) => text,
            Err(Encoding { position, message, help }) => {
                self.error(path, Some(position), NOT_UTF8, message.to_owned(), help);
                return None;
            }
        };
        let parsed = match json::parse(text, self.limits.depth) {
            Ok(parsed) => parsed,
            Err(fault) => {
                let (rule, message, help) = match fault.kind {
                    FaultKind::Syntax => (
                        INVALID_JSON,
                        fault.message,
                        "a contract is plain JSON: double quotes, no comments, no comma before `}` or `]`",
                    ),
                    FaultKind::NumberRange => {
                        (NUMBER_RANGE, fault.message, "write a smaller number")
                    }
                    FaultKind::TooDeep => (
                        TOO_DEEP,
                        format!("{} (limit `depth`)", fault.message),
                        "move the inner schemas into `$defs` and refer to them",
                    ),
                };
                self.error(path, Some(fault.position), rule, message, help);
                return None;
            }
        };
        for duplicate in parsed.duplicates.iter().take(self.limits.faults) {
            let message = format!(
                "the key `{}` stands already on line {}",
                printable(&duplicate.name),
                duplicate.first.line
            );
            self.error(
                path,
                Some(duplicate.position),
                DUPLICATE_KEY,
                message,
                "remove one of the two",
            );
        }
        let dialect = match parsed.value.get("$schema").and_then(Value::as_str) {
            None => Dialect::Draft2020,
            Some(uri) => match Dialect::named(uri) {
                Some(dialect) => dialect,
                None => {
                    let position = parsed.places.locate(&parsed.value, "/$schema", End::Value);
                    let message =
                        format!("`{}` is not a dialect that is read here", printable(uri));
                    let help = "write the schema in draft 2020-12 \
                                (`\"$schema\": \"https://json-schema.org/draft/2020-12/schema\"`) or draft 7";
                    self.error(path, Some(position), UNKNOWN_DIALECT, message, help);
                    return None;
                }
            },
        };
        if !parsed.duplicates.is_empty() {
            return None;
        }
        let mut document = Document::new(path.to_owned(), dialect, parsed.value, parsed.places);
        if kind(path) == Kind::Contract {
            document.further_roots.push(OUTPUT.to_owned());
        }
        Some(document)
    }

    /// Paths that some file systems hold for one.
    fn clashes(&mut self) {
        let sources = self.sources;
        let mut seen: HashMap<String, &Utf8Path> = HashMap::new();
        for path in sources.files().chain(sources.folders()) {
            match seen.insert(path.as_str().to_lowercase(), path) {
                Some(first) if first != path => {
                    let message = format!("`{path}` and `{first}` differ only in case");
                    let help = "rename one: macOS and Windows hold them for one file; \
                                `x-tool.name` keeps a tool's name";
                    self.error(path, None, FILE_CLASH, message, help);
                }
                _ => {}
            }
        }
    }

    fn catalog(&mut self, index: &Index, report: Report) -> Catalog {
        let mut told: HashMap<usize, usize> = HashMap::new();
        for (number, finding) in report.findings {
            let told = told.entry(number).or_default();
            *told += 1;
            // Finding a place is a search through the file, so a file of nothing but faults is not told whole.
            if *told > self.limits.faults {
                continue;
            }
            let document = &index.documents[number];
            let position = document.places.locate(&document.value, &finding.pointer, finding.end);
            self.diagnostics.push(Diagnostic {
                severity: finding.severity,
                rule: finding.rule,
                file: self.sources.root().join(&document.path),
                position: Some(position),
                message: finding.message,
                help: finding.help,
            });
        }
        let mut told: Vec<(usize, usize)> = told.into_iter().collect();
        told.sort_unstable();
        for (number, count) in told {
            if count > self.limits.faults {
                let more = count - self.limits.faults;
                let message = format!("{more} more faults are not told (limit `faults`)");
                let help = "mend these first";
                self.error(&index.documents[number].path, None, TOO_MANY_FAULTS, message, help);
            }
        }
        let mut broken = report.broken;
        for &(number, limit, most) in &index.too_many {
            let (message, help) = match limit {
                "subschemas" => (
                    format!("more than {most} subschemas (limit `{limit}`)"),
                    "split the file: a model cannot use a schema of that size",
                ),
                "total_subschemas" => (
                    format!("more than {most} subschemas in all files (limit `{limit}`)"),
                    "split the folder, or point at the one that holds contracts alone",
                ),
                _ => (
                    format!(
                        "its names, nested as they are, take more than {most} bytes (limit `{limit}`)"
                    ),
                    "split the file: a model cannot use a schema of that size",
                ),
            };
            self.error(&index.documents[number].path, None, TOO_MANY_SUBSCHEMAS, message, help);
            broken.insert(number);
        }
        let named = self.names(index, report.tools, &mut broken);
        let mut catalog = Catalog::default();
        let mut total = 0;
        for (number, name, tool) in named {
            if broken.contains(&number) {
                continue;
            }
            match self.contract(index, number, name, tool, &broken) {
                Ok((contract, origins, bytes)) => {
                    total += bytes;
                    if total > self.limits.total_bundled_bytes {
                        let most = self.limits.total_bundled_bytes;
                        let message = format!(
                            "all contracts together, with what they refer to, are larger than {most} bytes \
                             (limit `total_bundled_bytes`)"
                        );
                        let help = "have fewer contracts share a large file of definitions";
                        self.error(&contract.source, None, TOO_LARGE, message, help);
                        break;
                    }
                    catalog.origins.insert(contract.source.clone(), origins);
                    catalog.contracts.push(contract);
                }
                // A file that it refers to is broken, and has diagnostics of its own.
                Err(Refused::Lost) => {}
                Err(Refused::Limit(limit, most)) => {
                    let message =
                        format!("larger than {most} with all that it refers to (limit `{limit}`)");
                    let help = "refer to less: all of it is shown to a model";
                    self.error(&index.documents[number].path, None, TOO_LARGE, message, help);
                }
            }
        }
        catalog
    }

    /// The contracts' names, checked; contracts whose names are at fault join `broken`.
    fn names(
        &mut self,
        index: &Index,
        tools: Vec<(usize, Tool)>,
        broken: &mut HashSet<usize>,
    ) -> Vec<(usize, String, Tool)> {
        let mut named = Vec::new();
        let mut taken: HashMap<String, Utf8PathBuf> = HashMap::new();
        for (number, tool) in tools {
            let document = &index.documents[number];
            let position =
                |pointer: &str| document.places.locate(&document.value, pointer, End::Value);
            let (name, place) = match &tool.name {
                Some(name) => (name.clone(), position("/x-tool/name")),
                None => (document.path.file_stem().unwrap_or("").to_owned(), position("")),
            };
            if let Some((rule, message, help)) = rules::of_name(&name) {
                self.error(&document.path, Some(place), rule, message, &help);
                broken.insert(number);
            }
            match taken.get(&name) {
                Some(first) => {
                    let message = format!(
                        "the name `{}` is used twice: here and in `{}`",
                        printable(&name),
                        self.sources.root().join(first)
                    );
                    let help =
                        "give one of the two another name (rename the file, or `x-tool.name`)";
                    self.error(&document.path, Some(place), NAME_USED_TWICE, message, help);
                    broken.insert(number);
                }
                None => {
                    taken.insert(name.clone(), document.path.clone());
                }
            }
            named.push((number, name, tool));
        }
        named
    }

    fn contract(
        &mut self,
        index: &Index,
        number: usize,
        name: String,
        tool: Tool,
        broken: &HashSet<usize>,
    ) -> Result<(Contract, [Origins; 2], usize), Refused> {
        let document = &index.documents[number];
        let part = |pointer: &str| {
            bundle(
                index,
                &Location { document: number, pointer: pointer.to_owned() },
                broken,
                self.limits,
            )
        };
        let origins = |bundle: &Bundle| {
            let places = bundle.origins.iter().map(|(pointer, location)| {
                let file = index.documents[location.document].path.clone();
                (pointer.clone(), (file, location.pointer.clone()))
            });
            places.collect::<Origins>()
        };
        let input = part("")?;
        let output = match tool.has_output {
            true => Some(part(OUTPUT)?),
            false => None,
        };
        let text = |name: &str| document.value.get(name).and_then(Value::as_str).map(str::to_owned);
        let folders = document.path.parent().into_iter().flat_map(|folder| folder.components());
        let bytes = input.bytes + output.as_ref().map_or(0, |output| output.bytes);
        let places = [origins(&input), output.as_ref().map(origins).unwrap_or_default()];
        let contract = Contract {
            name,
            toolset: folders.map(|part| part.as_str().to_owned()).collect(),
            source: document.path.clone(),
            title: text("title"),
            description: text("description").unwrap_or_default(),
            input: input.schema,
            output: output.map(|output| output.schema),
            exclusive: tool.exclusive,
            timeout_seconds: tool.timeout_seconds,
            annotations: tool.annotations,
            icons: tool.icons,
            meta: tool.meta,
            renamed_from: tool.renamed_from,
        };
        Ok((contract, places, bytes))
    }
}
