//! The two versions that are compared, from wherever they come.

use super::Question;
use super::git::Repository;
use crate::failure::Failure;
use camino::Utf8Path;
use serde_json::Value;
use toolcast_codegen::contract::{
    Catalog, Diagnostic, Limits, Severity, Sources, one_line, reader, text,
};

/// One version.
pub enum Version {
    /// Contracts.
    Contracts(Contracts),
    /// A bare JSON Schema.
    Bare {
        /// How messages name it.
        name: String,
        /// The schema.
        value: Value,
    },
}

/// The contracts of one version.
pub struct Contracts {
    /// How messages name it.
    pub name: String,
    /// What could be read.
    pub catalog: Catalog,
    /// What could not.
    pub faults: Vec<Diagnostic>,
}

impl Version {
    /// How messages name it.
    pub fn name(&self) -> &str {
        match self {
            Self::Contracts(contracts) => &contracts.name,
            Self::Bare { name, .. } => name,
        }
    }
}

/// Both versions, the old one first.
pub fn versions(question: &Question) -> Result<(Version, Version), Failure> {
    let here = question.schemas.as_path();
    if !here.exists() {
        let shown = one_line(here.as_str());
        return Err(Failure::new(format!("{shown}: there is no such folder or file"))
            .help("name the folder that holds the contracts"));
    }
    if let Some(failure) = here.is_dir().then(|| Failure::no_folder(here)).flatten() {
        return Err(failure);
    }
    let against = question.against.as_deref();
    let named = against.map(Utf8Path::new).filter(|path| path.exists());
    if question.bare.is_some() {
        let Some(old) = named.filter(|path| path.is_file()) else {
            return Err(Failure::new("bare schemas are compared file by file")
                .help("`toolcast diff --as input --against OLD.json NEW.json`"));
        };
        return Ok((bare(old)?, bare(here)?));
    }
    match (named, here.is_dir()) {
        (Some(old), true) if old.is_dir() => Ok((folder(old), folder(here))),
        (Some(old), false) if old.is_file() => Ok((file(old)?, file(here)?)),
        (Some(old), _) => Err(Failure::new(format!(
            "{} and {}: a folder is compared with a folder, a file with a file",
            one_line(old.as_str()),
            one_line(here.as_str())
        ))),
        (None, true) => {
            let repository = Repository::open(here)?;
            let (commit, name) = match against {
                Some(revision) => (repository.commit(revision)?, one_line(revision).into_owned()),
                None => repository.base()?,
            };
            let sources = Sources::from_files(here, repository.files(&commit)?);
            Ok((contracts(name, &sources), folder(here)))
        }
        (None, false) => Err(Failure::new(format!(
            "{}: a file is compared with a file",
            one_line(here.as_str())
        ))
        .help("`toolcast diff --against OLD.json NEW.json`")),
    }
}

/// One file, no larger than a contract may be.
fn read(path: &Utf8Path) -> Result<reader::Content, Failure> {
    reader::read_named(path, Limits::default().file_bytes)
        .map_err(|unread| Failure::unread(path, &unread))
}

/// A path as messages show it.
fn named(path: &Utf8Path) -> String {
    one_line(path.as_str()).into_owned()
}

fn contracts(name: String, sources: &Sources) -> Version {
    let (catalog, diagnostics) = Catalog::parse(sources, &Limits::default());
    let faults = diagnostics.into_iter().filter(|fault| fault.severity == Severity::Error);
    Version::Contracts(Contracts { name, catalog, faults: faults.collect() })
}

fn folder(path: &Utf8Path) -> Version {
    contracts(named(path), &Sources::read(path))
}

/// One contract. Its name is the same on both sides, or every comparison of two files would find a rename.
fn file(path: &Utf8Path) -> Result<Version, Failure> {
    let content = read(path)?;
    let parent = path.parent().unwrap_or(Utf8Path::new(""));
    let name = path.file_name().unwrap_or("contract.json");
    let sources = Sources::from_files(parent, [(name.into(), content.bytes)]);
    let (mut catalog, diagnostics) = Catalog::parse(&sources, &Limits::default());
    let faults: Vec<Diagnostic> =
        diagnostics.into_iter().filter(|fault| fault.severity == Severity::Error).collect();
    if content.linked && !faults.is_empty() {
        // What a link leads to may not be checked in, and is not for everyone to read.
        return Err(Failure::new(format!("{} leads to what is no contract", named(path)))
            .help("name the file itself"));
    }
    if let Some(first) = faults.first() {
        return Err(Failure::new(format!("{} is no contract:\n{first}", one_line(path.as_str())))
            .help("compare bare JSON Schemas with `--as input` or `--as output`"));
    }
    for contract in &mut catalog.contracts {
        contract.name = "contract".to_owned();
    }
    Ok(Version::Contracts(Contracts { name: named(path), catalog, faults }))
}

fn bare(path: &Utf8Path) -> Result<Version, Failure> {
    let bytes = read(path)?.bytes;
    let shown = one_line(path.as_str());
    let text = text(&bytes)
        .map_err(|fault| Failure::new(format!("{shown}: {}", fault.message)).help(fault.help))?;
    let value = serde_json::from_str(text)
        .map_err(|error| Failure::new(format!("{shown}: not JSON: {error}")))?;
    Ok(Version::Bare { name: named(path), value })
}
