//! Where each contract's module stands, and the indexes of the folders.

use super::header;
use crate::definitions::Definitions;
use crate::names::{snake, words};
use crate::reserved;
use crate::{Error, Files};
use camino::{Utf8Path, Utf8PathBuf};
use std::collections::{BTreeMap, BTreeSet};
use toolcast_contract::Catalog;

/// Lints of ours and of clippy's that depend on a contract's words, names and sizes, and on nothing that could be
/// generated better.
const LINTS: &[&str] = &[
    "dead_code",
    "missing_docs",
    "clippy::doc_markdown",
    "clippy::enum_variant_names",
    "clippy::large_enum_variant",
    "clippy::module_inception",
    "clippy::struct_excessive_bools",
    "clippy::struct_field_names",
    "clippy::wildcard_imports",
];
const REASON: &str = "words, names and sizes are the contract's";

/// The place of a contract's module, or of a file of definitions.
#[derive(Clone, Debug)]
pub(crate) struct Place {
    pub(crate) parents: Vec<String>,
    pub(crate) ident: String,
}

impl Place {
    /// The modules from the index to this one, as identifiers without `r#`.
    pub(crate) fn path(&self) -> Vec<String> {
        self.parents.iter().chain([&self.ident]).cloned().collect()
    }
}

/// Places for all contracts and for files of definitions. A folder and its own name come before a file that would have
/// the same, and definitions before a tool.
pub(crate) fn places(catalog: &Catalog, definitions: &[&Utf8Path]) -> (Vec<Place>, Vec<Place>) {
    let mut taken: BTreeSet<Vec<String>> = BTreeSet::new();
    let mut folders: BTreeMap<Vec<String>, Vec<String>> = BTreeMap::new();
    let folder_of = |file: &&Utf8Path| -> Vec<String> {
        let parts = file.parent().into_iter().flat_map(|folder| folder.components());
        parts.map(|part| part.as_str().to_owned()).collect()
    };
    let all: BTreeSet<Vec<String>> = catalog
        .contracts
        .iter()
        .map(|contract| contract.toolset.clone())
        .chain(definitions.iter().map(folder_of))
        .collect();
    for toolset in all {
        for length in 1..=toolset.len() {
            let folder = toolset[..length].to_vec();
            if folders.contains_key(&folder) {
                continue;
            }
            let mut path = folders.get(&folder[..length - 1]).cloned().unwrap_or_default();
            path.push(unique(&path, module_name(&folder[length - 1]), "", &taken));
            taken.insert(path.clone());
            folders.insert(folder, path);
        }
    }
    let mut place = |folder: &[String], stem: &str, suffix: &str| {
        let parents = folders.get(folder).cloned().unwrap_or_default();
        let ident = unique(&parents, module_name(stem), suffix, &taken);
        let place = Place { parents, ident };
        taken.insert(place.path());
        place
    };
    let shared = definitions
        .iter()
        .map(|file| place(&folder_of(file), file.file_stem().unwrap_or("defs"), "_definitions"))
        .collect();
    let tools = catalog
        .contracts
        .iter()
        .map(|contract| {
            let stem = contract.source.file_stem().unwrap_or(&contract.name);
            place(&contract.toolset, stem, "_tool")
        })
        .collect();
    (tools, shared)
}

/// The shared definitions of a catalog, and the places of all modules.
pub(crate) fn survey(catalog: &Catalog) -> (Vec<Place>, Definitions) {
    let mut tools = Vec::new();
    let definitions = Definitions::of(catalog, |files| {
        let (places, shared) = places(catalog, files);
        tools = places;
        shared
    });
    (tools, definitions)
}

/// The path of each contract's module below the index as Rust names it, such as `boards::rename_board`, in the order of
/// the catalog.
pub fn module_paths(catalog: &Catalog) -> Vec<String> {
    survey(catalog).0.iter().map(|place| path(&place.path())).collect()
}

fn module_name(text: &str) -> String {
    let name = snake(&words(text));
    match name.as_str() {
        "" => "tool".into(),
        name if reserved::is_never_raw(name) || reserved::is_module(name) => format!("{name}_"),
        _ => name,
    }
}

fn unique(parents: &[String], name: String, suffix: &str, taken: &BTreeSet<Vec<String>>) -> String {
    let free = |name: &str| {
        let mut path = parents.to_vec();
        path.push(name.to_owned());
        !taken.contains(&path)
    };
    if free(&name) {
        return name;
    }
    let suffixed = format!("{name}{suffix}");
    if !suffix.is_empty() && free(&suffixed) {
        return suffixed;
    }
    let mut number = 2;
    loop {
        let numbered = format!("{name}_{number}");
        if free(&numbered) {
            return numbered;
        }
        number += 1;
    }
}

/// The `mod.rs` of every folder. A folder's index knows the tools of all folders below it; a folder of definitions has
/// none.
pub(super) fn files(
    places: &[Place],
    definitions: &[&Place],
    folder: &str,
) -> Result<Files, Error> {
    let mut modules: BTreeMap<Vec<String>, BTreeSet<String>> =
        BTreeMap::from([(Vec::new(), BTreeSet::new())]);
    let mut tools: BTreeMap<Vec<String>, Vec<String>> = BTreeMap::new();
    for (place, is_tool) in places
        .iter()
        .map(|place| (place, true))
        .chain(definitions.iter().map(|place| (*place, false)))
    {
        let path = place.path();
        for length in 0..path.len() {
            modules.entry(path[..length].to_vec()).or_default().insert(raw(&path[length]));
            if is_tool {
                let inner = self::path(&path[length..]);
                tools.entry(path[..length].to_vec()).or_default().push(inner);
            }
        }
    }
    let mut files = Files::default();
    for (path, modules) in modules {
        let source: Vec<&str> =
            std::iter::once(folder).chain(path.iter().map(String::as_str)).collect();
        let header = header(&format!("{}/", source.join("/")));
        let modules: Vec<String> = modules.into_iter().collect();
        let tools = tools.remove(&path);
        let binds = path.is_empty() || tools.is_some();
        let tools = tools.unwrap_or_default();
        let index = toolcast_templates::IndexFile {
            header: &header,
            modules: &modules,
            lints: LINTS,
            reason: REASON,
            tools: &tools,
            binds,
        };
        let text = toolcast_templates::render(&index).map_err(|error| Error::Unspeakable {
            contract: folder.to_owned(),
            message: error.to_string(),
        })?;
        let path: Utf8PathBuf = path.iter().collect();
        files.insert(path.join("mod.rs"), text);
    }
    Ok(files)
}

/// A path as Rust names it.
pub(super) fn path(modules: &[String]) -> String {
    modules.iter().map(|name| raw(name)).collect::<Vec<_>>().join("::")
}

fn raw(name: &str) -> String {
    if reserved::is_keyword(name) { format!("r#{name}") } else { name.to_owned() }
}
