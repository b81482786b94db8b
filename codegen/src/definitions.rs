//! The definitions that contracts share, gathered from what each contract has bundled. A definition is known by the file
//! and the pointer that it was written at; equal names mean nothing.

use crate::render::Place;
use camino::{Utf8Path, Utf8PathBuf};
use serde_json::{Map, Value};
use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};
use toolcast_contract::{Catalog, Part, holds_definitions, subschemas};

/// Both schemas of a contract, in the order of [`Definitions::names`].
const PARTS: [Part; 2] = [Part::Input, Part::Output];

/// All shared definitions of a catalog, as one document: `/$defs/MODULE/$defs/NAME`.
#[derive(Debug, Default)]
pub(crate) struct Definitions {
    pub(crate) document: Value,
    /// The files, ordered by path, each a module.
    pub(crate) files: Vec<DefinitionFile>,
    pub(crate) all: Vec<Definition>,
    by_key: HashMap<String, usize>,
    by_pointer: HashMap<String, usize>,
    /// For each contract its two schemas: the bundled names of shared definitions.
    names: Vec<[HashMap<String, usize>; 2]>,
}

/// A file of definitions.
#[derive(Debug)]
pub(crate) struct DefinitionFile {
    /// Relative to the schemas folder.
    pub(crate) source: Utf8PathBuf,
    pub(crate) place: Place,
}

/// One shared definition.
#[derive(Debug)]
pub(crate) struct Definition {
    /// Its file, as an index of [`Definitions::files`].
    pub(crate) file: usize,
    /// Where it stands in [`Definitions::document`].
    pub(crate) pointer: String,
    /// Where a contract has it: its index in the catalog, the schema, and the pointer there.
    pub(crate) seen_at: (usize, Part, String),
    /// The definitions that it refers to.
    pub(crate) refers_to: Vec<usize>,
}

/// A definition while it is not known yet whether it is shared.
struct Candidate<'a> {
    file: &'a Utf8Path,
    pointer: String,
    shared: bool,
    value: &'a Value,
    /// The schema that it was first seen in.
    part: usize,
    seen_at: (usize, Part, String),
    refers_to: BTreeSet<usize>,
}

/// The candidates by the names that one bundled schema has for them.
type Names<'a> = HashMap<&'a str, usize>;

impl Definitions {
    /// Gathers the definitions of a catalog. `places` says where the module of each file stands.
    pub(crate) fn of(catalog: &Catalog, places: impl FnOnce(&[&Utf8Path]) -> Vec<Place>) -> Self {
        let (mut candidates, parts) = candidates(catalog);
        refer(&mut candidates, &parts);
        leave_private(&mut candidates);
        let files: BTreeSet<&Utf8Path> = candidates
            .iter()
            .filter(|candidate| candidate.shared)
            .map(|candidate| candidate.file)
            .collect();
        let files: Vec<&Utf8Path> = files.into_iter().collect();
        let places = places(&files);
        let mut definitions = Self {
            document: Value::Null,
            files: files
                .iter()
                .zip(places)
                .map(|(file, place)| DefinitionFile { source: (*file).to_owned(), place })
                .collect(),
            all: Vec::new(),
            by_key: HashMap::new(),
            by_pointer: HashMap::new(),
            names: vec![Default::default(); catalog.contracts.len()],
        };
        if definitions.files.is_empty() {
            return definitions;
        }
        let keys = definitions.files.iter().enumerate();
        definitions.by_key = keys.map(|(number, file)| (file.key(), number)).collect();
        let index = definitions.name(catalog, &candidates, &files);
        let pointers = definitions.all.iter().enumerate();
        definitions.by_pointer =
            pointers.map(|(number, definition)| (definition.pointer.clone(), number)).collect();
        definitions.write(&candidates, &parts, &index);
        for (number, names) in parts.iter().enumerate() {
            let known = names.iter().filter_map(|(name, candidate)| {
                index.get(candidate).map(|definition| ((*name).to_owned(), *definition))
            });
            definitions.names[number / 2][number % 2] = known.collect();
        }
        definitions
    }

    /// The shared definitions of a contract's input (0) or output (1) schema, by their bundled names.
    pub(crate) fn names(&self, contract: usize, part: usize) -> Option<&HashMap<String, usize>> {
        self.names.get(contract).map(|parts| &parts[part])
    }

    /// The file that a pointer of the document lies in.
    pub(crate) fn file_of(&self, pointer: &str) -> Option<usize> {
        let key = pointer.strip_prefix("/$defs/")?.split('/').next()?;
        self.by_key.get(key).copied()
    }

    /// Whether a pointer of the document is that of a definition.
    pub(crate) fn is_one(&self, pointer: &str) -> bool {
        self.by_pointer.contains_key(pointer)
    }

    /// The definition that a pointer of the document lies in, and the way on from there.
    pub(crate) fn split<'a>(&self, pointer: &'a str) -> Option<(&Definition, &'a str)> {
        let (start, rest) = halves(pointer);
        Some((&self.all[*self.by_pointer.get(start)?], rest))
    }

    /// Names the definitions, each file's in its own order, and gives each its place in the document.
    fn name(
        &mut self,
        catalog: &Catalog,
        candidates: &[Candidate<'_>],
        files: &[&Utf8Path],
    ) -> HashMap<usize, usize> {
        let mut of_file: BTreeMap<&Utf8Path, Vec<usize>> = BTreeMap::new();
        for (number, candidate) in candidates.iter().enumerate() {
            if candidate.shared {
                of_file.entry(candidate.file).or_default().push(number);
            }
        }
        let mut index = HashMap::new();
        for (file, path) in files.iter().enumerate() {
            let mut here = of_file.remove(path).unwrap_or_default();
            here.sort_by_cached_key(|number| {
                let candidate = &candidates[*number];
                let (contract, part, pointer) = &candidate.seen_at;
                let origin = catalog.origin(&catalog.contracts[*contract], *part, pointer);
                (origin.and_then(|origin| origin.position), candidate.pointer.clone())
            });
            // A definition inside another is the same place, not another definition.
            let by_pointer: HashMap<&str, usize> =
                here.iter().map(|number| (candidates[*number].pointer.as_str(), *number)).collect();
            let inside: HashMap<usize, (usize, String)> = here
                .iter()
                .filter_map(|number| Some((*number, holder(candidates, &by_pointer, *number)?)))
                .collect();
            // What the author called a definition keeps that name, whatever else is referred to in the file.
            let mut by_right = here.clone();
            by_right.sort_by_key(|number| !is_named(&candidates[*number].pointer));
            let mut taken = HashSet::new();
            let mut names: HashMap<usize, String> = HashMap::new();
            for number in by_right {
                if inside.contains_key(&number) {
                    continue;
                }
                let base = readable_name(path, &candidates[number].pointer);
                let mut name = base.clone();
                let mut at = 2;
                while !taken.insert(name.clone()) {
                    name = format!("{base}{at}");
                    at += 1;
                }
                names.insert(number, name);
            }
            for number in here {
                let key = self.files[file].key();
                let (holder, rest) = match inside.get(&number) {
                    Some((holder, rest)) => (*holder, rest.as_str()),
                    None => (number, ""),
                };
                index.insert(number, self.all.len());
                self.all.push(Definition {
                    file,
                    pointer: format!("/$defs/{key}/$defs/{}{rest}", names[&holder]),
                    seen_at: candidates[number].seen_at.clone(),
                    refers_to: Vec::new(),
                });
            }
        }
        index
    }

    /// Writes the document: the definitions as a contract has them, but for the names in their references.
    fn write(
        &mut self,
        candidates: &[Candidate<'_>],
        parts: &[Names<'_>],
        index: &HashMap<usize, usize>,
    ) {
        let mut modules = Map::new();
        let mut order: Vec<(usize, usize)> =
            index.iter().map(|(candidate, definition)| (*definition, *candidate)).collect();
        order.sort_unstable();
        for (definition, candidate) in order {
            let candidate = &candidates[candidate];
            let names = &parts[candidate.part];
            let mut value = candidate.value.clone();
            for (pointer, name) in references(candidate.value) {
                let target = name.and_then(|name| index.get(names.get(name)?));
                if let (Some(target), Some(reference)) = (target, value.pointer_mut(&pointer)) {
                    *reference = Value::String(format!("#{}", self.all[*target].pointer));
                }
            }
            let mut refers_to: Vec<usize> =
                candidate.refers_to.iter().filter_map(|other| index.get(other).copied()).collect();
            refers_to.sort_unstable();
            self.all[definition].refers_to = refers_to;
            let (_, rest) = halves(&self.all[definition].pointer);
            if !rest.is_empty() {
                continue;
            }
            let module = self.files[self.all[definition].file].key();
            let name = self.all[definition].pointer.rsplit('/').next().unwrap_or_default();
            let module =
                modules.entry(module).or_insert_with(|| serde_json::json!({ "$defs": {} }));
            module["$defs"][name] = value;
        }
        self.document = serde_json::json!({ "$defs": modules });
    }

    /// A document of these definitions and all that they lead to, for the validators of branches.
    pub(crate) fn excerpt(&self, pointers: &BTreeSet<String>) -> Value {
        let mut reached = BTreeSet::new();
        let mut open: Vec<usize> = pointers
            .iter()
            .filter_map(|pointer| self.by_pointer.get(halves(pointer).0).copied())
            .collect();
        while let Some(number) = open.pop() {
            if reached.insert(number) {
                let holder = halves(&self.all[number].pointer).0;
                open.extend(self.by_pointer.get(holder));
                open.extend(&self.all[number].refers_to);
            }
        }
        let mut modules = Map::new();
        for number in reached {
            let definition = &self.all[number];
            let (holder, rest) = halves(&definition.pointer);
            if !rest.is_empty() {
                continue;
            }
            let name = holder.rsplit('/').next().unwrap_or_default();
            let Some(value) = self.document.pointer(&definition.pointer) else { continue };
            let module = modules
                .entry(self.files[definition.file].key())
                .or_insert_with(|| serde_json::json!({ "$defs": {} }));
            module["$defs"][name] = value.clone();
        }
        serde_json::json!({ "$defs": modules })
    }
}

/// A pointer as that of a definition, `/$defs/MODULE/$defs/NAME`, and the way on from there.
fn halves(pointer: &str) -> (&str, &str) {
    let end = pointer.match_indices('/').nth(4).map_or(pointer.len(), |(end, _)| end);
    pointer.split_at(end)
}

impl DefinitionFile {
    /// The module's path as a name in the document: identifiers hold no dot.
    fn key(&self) -> String {
        self.place.path().join(".")
    }
}

/// Every definition that is bundled into a schema which shares any, and what the schemas call them.
fn candidates(catalog: &Catalog) -> (Vec<Candidate<'_>>, Vec<Names<'_>>) {
    let mut known: HashMap<(&Utf8Path, String), usize> = HashMap::new();
    let mut candidates: Vec<Candidate<'_>> = Vec::new();
    let mut parts: Vec<Names<'_>> = Vec::new();
    for (number, contract) in catalog.contracts.iter().enumerate() {
        for (part, root) in PARTS.into_iter().zip([Some(&contract.input), contract.output.as_ref()])
        {
            let mut names = Names::new();
            let bundled = root.and_then(|root| root.get("$defs")).and_then(Value::as_object);
            for (name, value) in bundled.into_iter().flatten() {
                let pointer = format!("/$defs/{name}");
                let Some((file, written)) = catalog.written(contract, part, &pointer) else {
                    continue;
                };
                let id = *known.entry((file, written.clone())).or_insert(candidates.len());
                if id == candidates.len() {
                    candidates.push(Candidate {
                        file,
                        pointer: written,
                        shared: holds_definitions(file),
                        value,
                        part: parts.len(),
                        seen_at: (number, part, pointer),
                        refers_to: BTreeSet::new(),
                    });
                }
                names.insert(name, id);
            }
            parts.push(names);
        }
    }
    // What a `$dynamicRef` leads to depends on the contract: such a definition is another one in each.
    for (number, contract) in catalog.contracts.iter().enumerate() {
        for (part, root) in [Some(&contract.input), contract.output.as_ref()].iter().enumerate() {
            let part = 2 * number + part;
            let bundled = root.and_then(|root| root.get("$defs")).and_then(Value::as_object);
            for (name, value) in bundled.into_iter().flatten() {
                let Some(id) = parts[part].get(name.as_str()).copied() else { continue };
                let first = &candidates[id];
                let same = std::ptr::eq(first.value, value)
                    || !first.shared
                    || equal(first.value, &parts[first.part], value, &parts[part]);
                candidates[id].shared &= same;
            }
        }
    }
    (candidates, parts)
}

/// Whether two definitions are the same but for what their schemas call the definitions that they refer to.
fn equal(a: &Value, a_names: &Names<'_>, b: &Value, b_names: &Names<'_>) -> bool {
    match (a, b) {
        (Value::Object(a), Value::Object(b)) => {
            a.len() == b.len()
                && a.iter().zip(b).all(|((a_key, a), (b_key, b))| {
                    let both = (a.as_str().and_then(bundled), b.as_str().and_then(bundled));
                    a_key == b_key
                        && match both {
                            (Some(a), Some(b)) if a_key == "$ref" => {
                                a_names.get(a).is_some_and(|id| b_names.get(b) == Some(id))
                            }
                            _ => equal(a, a_names, b, b_names),
                        }
                })
        }
        (Value::Array(a), Value::Array(b)) => {
            a.len() == b.len() && a.iter().zip(b).all(|(a, b)| equal(a, a_names, b, b_names))
        }
        (a, b) => a == b,
    }
}

/// The name in a reference to a bundled definition.
fn bundled(reference: &str) -> Option<&str> {
    reference.strip_prefix("#/$defs/")
}

/// The places of all `$ref`s below a schema, and the bundled names that they refer to; `None` is the schema's root.
fn references(schema: &Value) -> Vec<(String, Option<&str>)> {
    let mut found = Vec::new();
    let mut open = vec![(String::new(), schema)];
    while let Some((pointer, schema)) = open.pop() {
        if let Some(reference) = schema.get("$ref").and_then(Value::as_str) {
            found.push((format!("{pointer}/$ref"), bundled(reference)));
        }
        subschemas(schema, &pointer, |_, pointer, schema| open.push((pointer, schema)));
    }
    found
}

/// Finds what each shared candidate refers to; one that refers to its contract's root is private.
fn refer(candidates: &mut [Candidate<'_>], parts: &[Names<'_>]) {
    for candidate in candidates.iter_mut().filter(|candidate| candidate.shared) {
        for (_, name) in references(candidate.value) {
            match name.and_then(|name| parts[candidate.part].get(name)) {
                Some(other) => {
                    candidate.refers_to.insert(*other);
                }
                None => candidate.shared = false,
            }
        }
    }
}

/// What leads to a private definition is private: its type would be another one in each contract.
fn leave_private(candidates: &mut [Candidate<'_>]) {
    let mut referred_by: Vec<Vec<usize>> = vec![Vec::new(); candidates.len()];
    for (number, candidate) in candidates.iter().enumerate() {
        for other in &candidate.refers_to {
            referred_by[*other].push(number);
        }
    }
    let mut open: Vec<usize> =
        (0..candidates.len()).filter(|number| !candidates[*number].shared).collect();
    while let Some(number) = open.pop() {
        for referring in std::mem::take(&mut referred_by[number]) {
            if std::mem::take(&mut candidates[referring].shared) {
                open.push(referring);
            }
        }
    }
}

/// The outermost definition of the same file that a definition lies in, and the way from there. Old spellings have
/// another way in the file than in the bundle; such a definition stands alone.
fn holder(
    candidates: &[Candidate<'_>],
    by_pointer: &HashMap<&str, usize>,
    number: usize,
) -> Option<(usize, String)> {
    let pointer = candidates[number].pointer.as_str();
    pointer.match_indices('/').find_map(|(end, _)| {
        let outer = *by_pointer.get(&pointer[..end])?;
        // What a definition defines in turn is not bundled with it.
        candidates[outer].value.pointer(&pointer[end..]).filter(|there| there.is_object())?;
        Some((outer, pointer[end..].to_owned()))
    })
}

/// Whether a pointer is that of a definition which its author named.
fn is_named(pointer: &str) -> bool {
    let mut tokens = pointer.split('/').skip(1);
    matches!(tokens.next(), Some("$defs" | "definitions"))
        && tokens.next().is_some()
        && tokens.next().is_none()
}

/// What a definition is called in the document: the last part of its pointer that is no number, else its file's stem.
fn readable_name(file: &Utf8Path, pointer: &str) -> String {
    let mut parts: Vec<&str> = Vec::new();
    for part in pointer.split('/').skip(1).collect::<Vec<_>>().into_iter().rev() {
        parts.insert(0, part);
        if !part.bytes().all(|byte| byte.is_ascii_digit()) {
            break;
        }
    }
    let name = match parts.is_empty() {
        true => file.file_stem().unwrap_or("definition").to_owned(),
        false => crate::merged::unescape(&parts.join("_")),
    };
    let plain = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '-' | '.');
    let name: String = name.chars().take(64).map(|c| if plain(c) { c } else { '_' }).collect();
    if name.is_empty() { "definition".into() } else { name }
}
