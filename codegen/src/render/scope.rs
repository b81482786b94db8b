//! What the types of other modules are called in one module: by their names where nothing else has them, else by path.

use super::Modules;
use super::index::path;
use crate::Options;
use crate::lower::each_shared;
use crate::model::RustModule;
use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};

/// Where the items of shared definitions stand, by their numbers.
#[derive(Default)]
pub(super) struct SharedNames {
    names: HashMap<usize, (Vec<String>, String)>,
    options: Options,
}

impl SharedNames {
    pub(super) fn of(modules: &Modules, options: &Options) -> Self {
        let names = modules.placed.iter().map(|(number, (file, index))| {
            let module = &modules.definitions[*file];
            (*number, (module_path(module), module.items[*index].name.clone()))
        });
        Self { names: names.collect(), options: options.clone() }
    }
}

/// The names of one module.
pub(super) struct Scope<'a> {
    pub(super) module: &'a RustModule,
    /// What follows `use`, a line each.
    pub(super) imports: Vec<String>,
    names: HashMap<usize, String>,
    pub(super) options: &'a Options,
}

impl<'a> Scope<'a> {
    pub(super) fn of(module: &'a RustModule, shared: &'a SharedNames) -> Self {
        let mut used = BTreeSet::new();
        for item in &module.items {
            each_shared(&item.kind, &mut |number| {
                used.insert(number);
            });
        }
        let known: Vec<(usize, &(Vec<String>, String))> = used
            .into_iter()
            .filter_map(|number| Some((number, shared.names.get(&number)?)))
            .collect();
        let own: HashSet<&str> = module.items.iter().map(|item| item.name.as_str()).collect();
        let mut twice: HashMap<&str, usize> = HashMap::new();
        for (_, (_, name)) in &known {
            *twice.entry(name.as_str()).or_default() += 1;
        }
        let here = module_path(module);
        let mut names = HashMap::new();
        let mut imports: BTreeMap<String, BTreeSet<&str>> = BTreeMap::new();
        for (number, (target, name)) in known {
            let from = relative(&here, target);
            if own.contains(name.as_str()) || twice.get(name.as_str()) != Some(&1) {
                names.insert(number, format!("{from}::{name}"));
            } else {
                imports.entry(from).or_default().insert(name);
                names.insert(number, name.clone());
            }
        }
        let imports = imports.into_iter().map(|(from, names)| {
            let names: Vec<&str> = names.into_iter().collect();
            match names.as_slice() {
                [name] => format!("{from}::{name}"),
                names => format!("{from}::{{{}}}", names.join(", ")),
            }
        });
        Self { module, imports: imports.collect(), names, options: &shared.options }
    }

    /// What an item of a shared definition is called.
    pub(super) fn shared(&self, number: usize) -> &str {
        // Every item that a module names was found above; a module that was lowered alone names none.
        self.names.get(&number).map_or("Value", String::as_str)
    }
}

fn module_path(module: &RustModule) -> Vec<String> {
    module.parents.iter().chain([&module.ident]).cloned().collect()
}

/// The path from one module to another.
fn relative(here: &[String], target: &[String]) -> String {
    let common = here.iter().zip(target).take_while(|(a, b)| a == b).count();
    let up = vec!["super"; here.len() - common].join("::");
    format!("{up}::{}", path(&target[common..]))
}
