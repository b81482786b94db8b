//! Where each contract's module stands, and the indexes of the folders.

use super::header;
use crate::reserved;
use crate::words::{snake, words};
use crate::{Error, Files};
use camino::Utf8PathBuf;
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

/// The place of a contract's module.
pub(super) struct Place {
    pub(super) parents: Vec<String>,
    pub(super) ident: String,
}

/// Places for all contracts. A folder and its own name come before a tool that would have the same.
pub(super) fn places(catalog: &Catalog) -> Vec<Place> {
    let mut taken: BTreeSet<Vec<String>> = BTreeSet::new();
    let mut folders: BTreeMap<Vec<String>, Vec<String>> = BTreeMap::new();
    let all: BTreeSet<&[String]> =
        catalog.contracts.iter().map(|contract| contract.toolset.as_slice()).collect();
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
    let mut places = Vec::with_capacity(catalog.contracts.len());
    for contract in &catalog.contracts {
        let parents = folders.get(&contract.toolset).cloned().unwrap_or_default();
        let stem = contract.source.file_stem().unwrap_or(&contract.name);
        let ident = unique(&parents, module_name(stem), "_tool", &taken);
        let mut path = parents.clone();
        path.push(ident.clone());
        taken.insert(path);
        places.push(Place { parents, ident });
    }
    places
}

/// The path of each contract's module below the index as Rust names it, such as `boards::rename_board`, in the order of
/// the catalog.
pub fn module_paths(catalog: &Catalog) -> Vec<String> {
    let path = |place: &Place| -> Vec<String> {
        place.parents.iter().chain([&place.ident]).map(|name| raw(name)).collect()
    };
    places(catalog).iter().map(|place| path(place).join("::")).collect()
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

/// The `mod.rs` of every folder. A folder's index knows the tools of all folders below it.
pub(super) fn files(places: &[Place], folder: &str) -> Result<Files, Error> {
    let mut modules: BTreeMap<Vec<String>, BTreeSet<String>> =
        BTreeMap::from([(Vec::new(), BTreeSet::new())]);
    let mut tools: BTreeMap<Vec<String>, Vec<String>> = BTreeMap::new();
    for place in places {
        let path: Vec<String> = place.parents.iter().chain([&place.ident]).cloned().collect();
        for length in 0..path.len() {
            modules.entry(path[..length].to_vec()).or_default().insert(raw(&path[length]));
            let inner: Vec<String> = path[length..].iter().map(|name| raw(name)).collect();
            tools.entry(path[..length].to_vec()).or_default().push(inner.join("::"));
        }
    }
    let mut files = Files::default();
    for (path, modules) in modules {
        let source: Vec<&str> =
            std::iter::once(folder).chain(path.iter().map(String::as_str)).collect();
        let header = header(&format!("{}/", source.join("/")));
        let modules: Vec<String> = modules.into_iter().collect();
        let tools = tools.remove(&path).unwrap_or_default();
        let index = toolcast_templates::IndexFile {
            header: &header,
            modules: &modules,
            lints: LINTS,
            reason: REASON,
            tools: &tools,
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

fn raw(name: &str) -> String {
    if reserved::is_keyword(name) { format!("r#{name}") } else { name.to_owned() }
}
