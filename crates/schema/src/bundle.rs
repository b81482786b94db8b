//! Makes one self-contained 2020-12 schema of a schema and all that it refers to. Every reference in the result is `#` or
//! `#/$defs/<name>`; `$id`, anchors and old spellings are gone, and what the schema accepts is unchanged.
//!
//! `$dynamicRef` is resolved here rather than kept: which anchor it means depends only on the resources entered so far,
//! so a definition is made once for each set of anchors that it can be entered with (`Scope`). Almost always that is one.

use crate::ascii::definition_name;
use crate::dialect::Dialect;
use crate::form::count;
use crate::index::{Index, Location, RECURSIVE, Target};
use crate::json::size;
use crate::keyword::{Drafts, Form, is_schema, keyword};
use crate::limits::Limits;
use crate::pointer::{join, tokens};
use serde_json::{Map, Number, Value};
use std::collections::{BTreeMap, HashMap, HashSet, VecDeque};
use writer::Writer;

mod writer;

const DIALECT: &str = "https://json-schema.org/draft/2020-12/schema";

/// A bundled schema.
#[derive(Clone, Debug)]
pub struct Bundle {
    /// The schema, self-contained.
    pub schema: Value,
    /// Pointer of each subschema in `schema`, and where it was written.
    pub origins: BTreeMap<String, Location>,
    /// Bytes of the schema as JSON text, about.
    pub bytes: usize,
}

/// Why no bundle was made.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Refused {
    /// A limit was met: its name and value.
    Limit(&'static str, usize),
    /// A reference leads nowhere, or to a file that is broken; reported where it stands.
    Lost,
}

/// The dynamic anchors met so far on the way, each with the outermost place that declares it. Only anchors that several
/// resources declare are kept: the others mean the same from everywhere.
type Scope = BTreeMap<String, Location>;

/// What a definition is made of: a place, and the scope it is entered with.
type Entry = (Location, usize);

/// Bundles the schema at `root`. `broken` are documents with faults of their own.
///
/// # Errors
///
/// That a limit was met, or that a reference leads to nothing that is sound.
pub fn bundle(
    index: &Index,
    root: &Location,
    broken: &HashSet<usize>,
    limits: &Limits,
) -> Result<Bundle, Refused> {
    let mut bundler = Bundler {
        index,
        broken,
        limits,
        root: (root.clone(), 0),
        scopes: vec![Scope::new()],
        by_scope: HashMap::from([(Scope::new(), 0)]),
        names: HashMap::new(),
        reserved: HashMap::new(),
        own: Vec::new(),
        taken: HashSet::new(),
        numbers: HashMap::new(),
        pending: VecDeque::new(),
        origins: BTreeMap::new(),
        subschemas: 0,
        pointers: 0,
        bytes: 0,
    };
    bundler.root.1 = bundler.enter(0, index.resource_of(root));
    bundler.reserve_own(root);
    bundler.run()
}

struct Bundler<'a> {
    index: &'a Index,
    broken: &'a HashSet<usize>,
    limits: &'a Limits,
    root: Entry,
    scopes: Vec<Scope>,
    by_scope: HashMap<Scope, usize>,
    names: HashMap<Entry, String>,
    reserved: HashMap<Entry, String>,
    /// The reserved names in the author's order.
    own: Vec<String>,
    taken: HashSet<String>,
    /// The last number tried for a name that was taken, so that a thousand of one name are not a million tries.
    numbers: HashMap<String, usize>,
    pending: VecDeque<(Entry, String)>,
    origins: BTreeMap<String, Location>,
    subschemas: usize,
    pointers: usize,
    bytes: usize,
}

impl Bundler<'_> {
    /// The schema's and the contract's own definitions keep their names, whatever comes from elsewhere and in whatever
    /// order.
    fn reserve_own(&mut self, root: &Location) {
        let document = &self.index.documents[root.document];
        let mut holders = vec![root.pointer.as_str()];
        if !root.pointer.is_empty() {
            holders.push("");
        }
        for holder in holders {
            for folder in ["$defs", "definitions"] {
                let folder = join(holder, folder);
                let Some(Value::Object(definitions)) = document.value.pointer(&folder) else {
                    continue;
                };
                for name in definitions.keys() {
                    let location =
                        Location { document: root.document, pointer: join(&folder, name) };
                    let scope = self.enter(self.root.1, self.index.resource_of(&location));
                    let name = self.free_name(name);
                    self.own.push(name.clone());
                    self.reserved.insert((location, scope), name);
                }
            }
        }
    }

    fn free_name(&mut self, wanted: &str) -> String {
        let base = definition_name(wanted);
        let mut name = base.clone();
        while !self.taken.insert(name.clone()) {
            let number = self.numbers.entry(base.clone()).or_insert(1);
            *number += 1;
            name = format!("{base}{number}");
        }
        name
    }

    fn run(mut self) -> Result<Bundle, Refused> {
        let root = self.root.clone();
        let mut schema = self.schema(&root, "")?;
        let mut made: HashMap<String, Value> = HashMap::new();
        let mut order: Vec<String> = Vec::new();
        while let Some((entry, name)) = self.pending.pop_front() {
            let value = self.schema(&entry, &join("/$defs", &name))?;
            order.push(name.clone());
            made.insert(name, value);
        }
        if let Value::Bool(any) = schema {
            schema = boolean_as_object(any);
        }
        let Value::Object(members) = &mut schema else { return Err(Refused::Lost) };
        // The TypeScript SDK of MCP refuses a whole tool list for one boolean directly under `properties`.
        if let Some(Value::Object(properties)) = members.get_mut("properties") {
            for property in properties.values_mut() {
                if let Value::Bool(any) = property {
                    *property = boolean_as_object(*any);
                }
            }
        }
        let mut definitions = Map::new();
        for name in &self.own {
            if let Some(value) = made.remove(name) {
                definitions.insert(name.clone(), value);
            }
        }
        for name in order {
            if let Some(value) = made.remove(&name) {
                definitions.insert(name, value);
            }
        }
        if !definitions.is_empty() {
            members.insert("$defs".to_owned(), Value::Object(definitions));
        }
        let declares =
            self.index.value(&root.0).is_some_and(|value| value.get("$schema").is_some());
        if declares {
            members.shift_insert(0, "$schema".to_owned(), Value::from(DIALECT));
        }
        Ok(Bundle { schema, origins: self.origins, bytes: self.bytes })
    }

    /// The scope after entering `resource` with `scope`.
    fn enter(&mut self, scope: usize, resource: usize) -> usize {
        let resource = &self.index.resources[resource];
        let mut wider: Option<Scope> = None;
        for (name, pointer) in &resource.dynamic_anchors {
            if self.index.contested.contains(name) && !self.scopes[scope].contains_key(name) {
                let location = Location { document: resource.document, pointer: pointer.clone() };
                wider
                    .get_or_insert_with(|| self.scopes[scope].clone())
                    .insert(name.clone(), location);
            }
        }
        match wider {
            None => scope,
            Some(wider) => match self.by_scope.get(&wider) {
                Some(known) => *known,
                None => {
                    self.by_scope.insert(wider.clone(), self.scopes.len());
                    self.scopes.push(wider);
                    self.scopes.len() - 1
                }
            },
        }
    }

    fn spend(&mut self, bytes: usize) -> Result<(), Refused> {
        self.bytes += bytes;
        if self.bytes > self.limits.bundled_bytes {
            return Err(Refused::Limit("bundled_bytes", self.limits.bundled_bytes));
        }
        Ok(())
    }

    fn copied(&mut self, value: &Value) -> Result<Value, Refused> {
        self.spend(size(value))?;
        Ok(value.clone())
    }

    /// The schema at `entry`, as it stands at `pointer` of the result.
    fn schema(&mut self, entry: &Entry, pointer: &str) -> Result<Value, Refused> {
        self.subschemas += 1;
        if self.subschemas > self.limits.bundled_subschemas {
            return Err(Refused::Limit("bundled_subschemas", self.limits.bundled_subschemas));
        }
        let (location, scope) = entry;
        let members = match self.index.value(location) {
            Some(Value::Object(members)) => members,
            Some(Value::Bool(any)) => return self.copied(&Value::Bool(*any)),
            _ => return Err(Refused::Lost),
        };
        self.pointers += pointer.len() + location.pointer.len();
        if self.pointers > self.limits.pointers {
            return Err(Refused::Limit("pointers", self.limits.pointers));
        }
        self.origins.insert(pointer.to_owned(), location.clone());
        let resource = self.index.resource_of(location);
        let scope = self.enter(*scope, resource);
        let dialect = self.index.resources[resource].dialect;
        let mut writer = Writer { out: Map::new(), references: Vec::new() };
        let hidden = dialect == Dialect::Draft7 && members.contains_key("$ref");
        let at_root = pointer.is_empty() && location.pointer.is_empty();
        for (name, value) in members {
            let place = Place { location, pointer, scope, name };
            self.spend(name.len() + 4)?;
            match keyword(name) {
                Some(_) if at_root && matches!(name.as_str(), "title" | "description") => {}
                Some(_) if hidden && !is_annotation(name) && name != "$ref" => {}
                Some(row) => {
                    let is_later = row.drafts == Drafts::Later && name != "deprecated";
                    if dialect == Dialect::Draft7 && is_later {
                        continue;
                    }
                    self.known(&place, row.form, value, members, &mut writer)?;
                }
                None if name == "x-tool" && location.pointer.is_empty() => {}
                None => {
                    let value = self.copied(value)?;
                    writer.out.insert(name.clone(), value);
                }
            }
        }
        let mut out = writer.finish();
        if at_root && hidden {
            // Draft 7 ignores `type` beside `$ref`, MCP demands it at the root, and arguments are objects anyway.
            out.entry("type").or_insert_with(|| Value::from("object"));
        }
        Ok(Value::Object(out))
    }

    fn known(
        &mut self,
        place: &Place<'_>,
        form: Form,
        value: &Value,
        members: &Map<String, Value>,
        writer: &mut Writer,
    ) -> Result<(), Refused> {
        let name = place.name;
        match name {
            "$schema" | "$id" | "$anchor" | "$dynamicAnchor" | "$recursiveAnchor"
            | "$vocabulary" | "$comment" | "$defs" | "definitions" => return Ok(()),
            "$ref" | "$dynamicRef" | "$recursiveRef" => {
                let Some(reference) = value.as_str() else { return Err(Refused::Lost) };
                let target = self.reference(place, reference)?;
                self.spend(target.len() + 2)?;
                if name == "$ref" {
                    writer.out.insert("$ref".to_owned(), Value::String(target));
                } else {
                    writer.references.push(Value::String(target));
                }
                return Ok(());
            }
            "exclusiveMinimum" | "exclusiveMaximum" if value.is_boolean() => {
                let bound = if name == "exclusiveMinimum" { "minimum" } else { "maximum" };
                if let (true, Some(limit)) = (value == &Value::Bool(true), members.get(bound)) {
                    writer.out.insert(name.to_owned(), limit.clone());
                }
                return Ok(());
            }
            "minimum" | "maximum" => {
                let exclusive =
                    if name == "minimum" { "exclusiveMinimum" } else { "exclusiveMaximum" };
                if members.get(exclusive) == Some(&Value::Bool(true)) {
                    return Ok(());
                }
            }
            "additionalItems" if !matches!(members.get("items"), Some(Value::Array(_))) => {
                return Ok(());
            }
            _ => {}
        }
        let written = match (name, value) {
            ("items", Value::Array(_)) => "prefixItems",
            ("additionalItems", _) => "items",
            _ => name,
        };
        let here = join(place.pointer, written);
        match (form, value) {
            (Form::Schema | Form::SchemaOrSchemas, value) if is_schema(value) => {
                let inner = self.below(place, &[name], &here)?;
                writer.out.insert(written.to_owned(), inner);
            }
            (Form::Schemas | Form::SchemaOrSchemas, Value::Array(elements)) => {
                if elements.is_empty() {
                    return Ok(());
                }
                let mut list = Vec::with_capacity(elements.len());
                for index in 0..elements.len() {
                    let token = index.to_string();
                    list.push(self.below(place, &[name, &token], &format!("{here}/{index}"))?);
                }
                writer.out.insert(written.to_owned(), Value::Array(list));
            }
            (Form::SchemaMap, Value::Object(entries)) => {
                let mut map = Map::new();
                for key in entries.keys() {
                    self.spend(key.len() + 4)?;
                    map.insert(key.clone(), self.below(place, &[name, key], &join(&here, key))?);
                }
                writer.merge(written, map);
            }
            (Form::Dependencies, Value::Object(entries)) => {
                let (mut required, mut schemas) = (Map::new(), Map::new());
                for (key, entry) in entries {
                    if entry.is_array() {
                        required.insert(key.clone(), self.copied(entry)?);
                    } else {
                        let there = join(&join(place.pointer, "dependentSchemas"), key);
                        schemas.insert(key.clone(), self.below(place, &[name, key], &there)?);
                    }
                }
                if !required.is_empty() {
                    writer.merge("dependentRequired", required);
                }
                if !schemas.is_empty() {
                    writer.merge("dependentSchemas", schemas);
                }
            }
            (Form::NamesMap, Value::Object(entries)) => {
                let entries = entries.clone();
                self.spend(size(value))?;
                writer.merge(written, entries);
            }
            (Form::Count, Value::Number(number)) => {
                let whole = count(number).map_or(Value::Number(number.clone()), |whole| {
                    Value::Number(Number::from(whole))
                });
                writer.out.insert(written.to_owned(), whole);
            }
            _ => {
                let value = self.copied(value)?;
                writer.out.insert(written.to_owned(), value);
            }
        }
        Ok(())
    }

    fn below(
        &mut self,
        place: &Place<'_>,
        tokens: &[&str],
        pointer: &str,
    ) -> Result<Value, Refused> {
        let inner = tokens
            .iter()
            .fold(place.location.pointer.clone(), |pointer, token| join(&pointer, token));
        let location = Location { document: place.location.document, pointer: inner };
        self.schema(&(location, place.scope), pointer)
    }

    /// What to write for a reference that stands at `place`.
    fn reference(&mut self, place: &Place<'_>, reference: &str) -> Result<String, Refused> {
        let Target { mut location, dynamic } =
            self.index.follow(place.location, reference).map_err(|_| Refused::Lost)?;
        let anchor = match place.name {
            "$dynamicRef" => dynamic,
            // Draft 2019-09: dynamic where the resource it leads to says `$recursiveAnchor`.
            "$recursiveRef" => {
                let resource = &self.index.resources[self.index.resource_of(&location)];
                resource.dynamic_anchors.contains_key(RECURSIVE).then(|| RECURSIVE.to_owned())
            }
            _ => None,
        };
        if let Some(outermost) = anchor.and_then(|anchor| self.scopes[place.scope].get(&anchor)) {
            location = outermost.clone();
        }
        if self.broken.contains(&location.document) {
            return Err(Refused::Lost);
        }
        let scope = self.enter(place.scope, self.index.resource_of(&location));
        let entry = (location, scope);
        if entry == self.root {
            return Ok("#".to_owned());
        }
        if let Some(name) = self.names.get(&entry) {
            return Ok(format!("#/$defs/{name}"));
        }
        let name = match self.reserved.get(&entry) {
            Some(name) => name.clone(),
            None => self.free_name(&self.readable_name(&entry.0)),
        };
        self.names.insert(entry.clone(), name.clone());
        self.pending.push_back((entry, name.clone()));
        Ok(format!("#/$defs/{name}"))
    }

    /// The definition that the place stands in and the last two parts of the way from there to it, keywords that hold
    /// members left out; else the file's stem.
    fn readable_name(&self, location: &Location) -> String {
        let parts: Vec<String> = tokens(&location.pointer).collect();
        let defined =
            parts.windows(2).rposition(|pair| matches!(pair[0].as_str(), "$defs" | "definitions"));
        let (mut name, from) = match defined {
            Some(at) => (vec![parts[at + 1].as_str()], at + 2),
            None => (Vec::new(), 0),
        };
        let mut way: Vec<String> = Vec::new();
        let mut below = parts[from..].iter().peekable();
        while let Some(part) = below.next() {
            match part.as_str() {
                "properties" | "patternProperties" | "dependentSchemas" => {
                    way.extend(below.next().cloned());
                }
                // A member that is no keyword holds schemas as `$defs` does.
                other if keyword(other).is_none() && below.peek().is_some() => way.clear(),
                keyword => {
                    let number =
                        below.next_if(|next| next.bytes().all(|byte| byte.is_ascii_digit()));
                    way.push(match number {
                        Some(number) => format!("{keyword}_{number}"),
                        None => keyword.to_owned(),
                    });
                }
            }
        }
        name.extend(way[way.len().saturating_sub(2)..].iter().map(String::as_str));
        if !name.is_empty() {
            return name.join("_");
        }
        let path = self.index.documents[location.document].path.as_str();
        let file = path.rsplit('/').next().unwrap_or(path);
        file.strip_suffix(".json").unwrap_or(file).to_owned()
    }
}

/// One keyword of one schema.
struct Place<'a> {
    location: &'a Location,
    pointer: &'a str,
    scope: usize,
    name: &'a str,
}

fn is_annotation(name: &str) -> bool {
    matches!(
        name,
        "title" | "description" | "default" | "examples" | "readOnly" | "writeOnly" | "deprecated"
    )
}

fn boolean_as_object(any: bool) -> Value {
    if any { serde_json::json!({}) } else { serde_json::json!({ "not": {} }) }
}
