//! Every subschema of every file, the resources and anchors that JSON Schema's `$id` and `$anchor` make of them, and the
//! one place where a reference is followed. Positions are pointers into the files as written, never into anything
//! upgraded or bundled.

use crate::dialect::Dialect;
use crate::json::Places;
use crate::keyword::{is_schema, subschemas};
use crate::limits::Limits;
use crate::metaschema;
use crate::nearest::nearest;
use crate::pointer::{join, tokens};
use crate::uri;
use camino::Utf8PathBuf;
use serde_json::Value;
use std::cell::Cell;
use std::collections::{BTreeMap, HashMap, HashSet};

/// Names compared for the suggestions of one run.
const COMPARISONS: usize = 200_000;

/// A file that parsed.
#[derive(Debug)]
pub struct Document {
    /// Relative to the schemas folder; a metaschema's URI.
    pub path: Utf8PathBuf,
    /// Whether it is a metaschema that ships with this crate: its path is its URI.
    pub is_metaschema: bool,
    /// The file's value.
    pub value: Value,
    /// Where the value and all that it holds stand in the file.
    pub places: Places,
    /// What the root is written in.
    pub dialect: Dialect,
    /// Pointers to schemas that stand where no keyword of JSON Schema leads.
    pub further_roots: Vec<String>,
    /// Every subschema, in document order.
    pub schemas: Vec<Subschema>,
    by_pointer: HashMap<String, usize>,
}

/// One subschema of a document.
#[derive(Clone, Debug)]
pub struct Subschema {
    /// Its JSON pointer in the document.
    pub pointer: String,
    /// The number of the resource that it belongs to.
    pub resource: usize,
}

/// A schema with a URI of its own.
#[derive(Debug)]
pub struct Resource {
    /// The number of the document that it stands in.
    pub document: usize,
    /// Its JSON pointer there.
    pub pointer: String,
    /// The URI that its references start from.
    pub base: String,
    /// What it is written in.
    pub dialect: Dialect,
    anchors: HashMap<String, String>,
    /// Pointers by `$dynamicAnchor`; [`RECURSIVE`] stands for draft 2019-09's.
    pub dynamic_anchors: BTreeMap<String, String>,
}

/// A place in a document.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Location {
    /// The document's number in its index.
    pub document: usize,
    /// The JSON pointer there.
    pub pointer: String,
}

/// Where a reference leads.
#[derive(Clone, Debug)]
pub struct Target {
    /// The schema's place.
    pub location: Location,
    /// The dynamic anchor that led there, if one did: `$dynamicRef` then looks further.
    pub dynamic: Option<String>,
}

/// Why a reference leads nowhere.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Lost {
    /// Above the schemas folder, or to an absolute path.
    LeavesFolder,
    /// To a network address that no file in the folder claims.
    Network,
    /// To a file or a URI that is not there; the nearest that is.
    NoDocument {
        /// The path or URI that is not there.
        wanted: String,
        /// The nearest path that is.
        near: Option<String>,
    },
    /// To a file that is there but could not be read as JSON: its own fault is reported.
    Unread,
    /// To a pointer or anchor that the document has not; the nearest that it has.
    NoPlace {
        /// The document's path.
        document: String,
        /// The nearest place in it, as a fragment.
        near: Option<String>,
    },
    /// To a value that is no schema.
    NotSchema,
    /// A `%` or `~` escape is broken.
    Escape,
}

/// All documents, ready to follow references through.
#[derive(Debug, Default)]
pub struct Index {
    /// The documents, in the order given, the metaschemas last where a reference names one.
    pub documents: Vec<Document>,
    /// Every schema with a URI of its own.
    pub resources: Vec<Resource>,
    by_uri: HashMap<String, usize>,
    /// Relative `$id`s, by the document that they stand in: two contracts may each call a part of theirs `item`.
    local: HashMap<(usize, String), usize>,
    by_path: HashMap<String, usize>,
    unread: HashSet<String>,
    /// URIs that two resources claim: the resource that came second, and the first.
    pub claimed_twice: Vec<(usize, usize)>,
    /// Anchors that stand twice in one resource.
    pub anchors_twice: Vec<(Location, String)>,
    /// Documents with more subschemas, or longer pointers to them, than a limit allows: the limit's name and value.
    pub too_many: Vec<(usize, &'static str, usize)>,
    /// Subschemas of all documents.
    subschemas: usize,
    /// How many more names are compared for suggestions: a file full of lost references must not take forever.
    comparisons: Cell<usize>,
    /// Dynamic anchors that several resources declare: only these make `$dynamicRef` differ from `$ref`.
    pub contested: HashSet<String>,
}

/// The name that stands for draft 2019-09's anchor without a name.
pub const RECURSIVE: &str = "\u{0}recursive";

impl Index {
    /// Indexes `documents`; `unread` are the paths of files that are there but did not parse.
    pub fn new(documents: Vec<Document>, unread: HashSet<String>, limits: &Limits) -> Self {
        let mut index = Self { unread, comparisons: Cell::new(COMPARISONS), ..Self::default() };
        let mut wants_metaschemas = false;
        for document in documents {
            wants_metaschemas |= index.add(document, limits);
        }
        if wants_metaschemas {
            let ours = Limits { total_subschemas: usize::MAX, ..Limits::default() };
            for document in metaschema::documents() {
                index.add(document, &ours);
            }
        }
        let mut seen = HashSet::new();
        for resource in &index.resources {
            for name in resource.dynamic_anchors.keys() {
                if !seen.insert(name.clone()) {
                    index.contested.insert(name.clone());
                }
            }
        }
        index
    }

    /// Adds one document; says whether it refers to a metaschema.
    fn add(&mut self, mut document: Document, limits: &Limits) -> bool {
        let number = self.documents.len();
        // Taken out while the walk reads it, so that the walk may write to the index.
        let value = std::mem::take(&mut document.value);
        let file_uri = match document.is_metaschema {
            true => document.path.to_string(),
            false => uri::of_file(document.path.as_str()),
        };
        let root = self.resources.len();
        self.resources.push(Resource {
            document: number,
            pointer: String::new(),
            base: file_uri.clone(),
            dialect: document.dialect,
            anchors: HashMap::new(),
            dynamic_anchors: BTreeMap::new(),
        });
        self.by_uri.insert(file_uri, root);
        self.by_path.insert(document.path.to_string(), number);
        let mut pending: Vec<(String, &Value, usize)> = Vec::new();
        for pointer in &document.further_roots {
            if let Some(schema) = value.pointer(pointer).filter(|schema| is_schema(schema)) {
                pending.push((pointer.clone(), schema, root));
            }
        }
        pending.push((String::new(), &value, root));
        let mut wants_metaschemas = false;
        let mut pointers = 0;
        while let Some((pointer, schema, outer)) = pending.pop() {
            if document.schemas.len() >= limits.subschemas {
                self.too_many.push((number, "subschemas", limits.subschemas));
                break;
            }
            if self.subschemas >= limits.total_subschemas {
                self.too_many.push((number, "total_subschemas", limits.total_subschemas));
                break;
            }
            self.subschemas += 1;
            if pointers > limits.pointers {
                self.too_many.push((number, "pointers", limits.pointers));
                break;
            }
            let resource = self.enter(number, &pointer, schema, outer);
            for keyword in ["$ref", "$dynamicRef"] {
                wants_metaschemas |= schema
                    .get(keyword)
                    .and_then(Value::as_str)
                    .is_some_and(|reference| reference.contains("json-schema.org/draft"));
            }
            let from = pending.len();
            subschemas(schema, &pointer, |_, pointer, schema| {
                pointers += pointer.len();
                // Past the limit nothing is kept: a name of megabytes over a thousand members is gigabytes of pointers.
                if pointers <= limits.pointers {
                    pending.push((pointer, schema, resource));
                }
            });
            // The stack gives back the last first: turned round, the walk is in document order.
            pending[from..].reverse();
            document.by_pointer.insert(pointer.clone(), document.schemas.len());
            document.schemas.push(Subschema { pointer, resource });
        }
        document.value = value;
        self.documents.push(document);
        wants_metaschemas
    }

    /// The resource that the schema at `pointer` belongs to: a new one where it has an `$id`.
    fn enter(&mut self, document: usize, pointer: &str, schema: &Value, outer: usize) -> usize {
        let Value::Object(members) = schema else { return outer };
        let dialect = self.resources[outer].dialect;
        let text = |name: &str| members.get(name).and_then(Value::as_str);
        let mut resource = outer;
        // Draft 7: "All other properties in a "$ref" object MUST be ignored", `$id` among them.
        let hidden = dialect == Dialect::Draft7 && members.contains_key("$ref");
        if let Some(id) = text("$id").filter(|_| !hidden) {
            let resolved = uri::resolve(&self.resources[outer].base, id);
            if resolved.uri != self.resources[outer].base || pointer.is_empty() {
                if pointer.is_empty() {
                    self.resources[outer].base = resolved.uri.clone();
                } else {
                    resource = self.resources.len();
                    self.resources.push(Resource {
                        document,
                        pointer: pointer.to_owned(),
                        base: resolved.uri.clone(),
                        dialect: text("$schema").and_then(Dialect::named).unwrap_or(dialect),
                        anchors: HashMap::new(),
                        dynamic_anchors: BTreeMap::new(),
                    });
                }
                self.claim(document, resolved.uri, resource);
            }
            if dialect == Dialect::Draft7
                && let Some(anchor) = resolved.fragment.filter(|anchor| !anchor.is_empty())
            {
                self.anchor(resource, document, &anchor, pointer);
            }
        }
        if self.resources[resource].dialect == Dialect::Draft2020 {
            if let Some(anchor) = text("$anchor") {
                self.anchor(resource, document, anchor, pointer);
            }
            if let Some(anchor) = text("$dynamicAnchor") {
                self.anchor(resource, document, anchor, pointer);
                let anchors = &mut self.resources[resource].dynamic_anchors;
                anchors.entry(anchor.to_owned()).or_insert_with(|| pointer.to_owned());
            }
            if members.get("$recursiveAnchor") == Some(&Value::Bool(true)) {
                let anchors = &mut self.resources[resource].dynamic_anchors;
                anchors.insert(RECURSIVE.to_owned(), pointer.to_owned());
            }
        }
        resource
    }

    fn claim(&mut self, document: usize, uri: String, resource: usize) {
        if uri.starts_with(uri::FOLDER) {
            match self.local.get(&(document, uri.clone())) {
                Some(&first) => self.claimed_twice.push((resource, first)),
                None => {
                    self.by_uri.entry(uri.clone()).or_insert(resource);
                    self.local.insert((document, uri), resource);
                }
            }
            return;
        }
        match self.by_uri.get(&uri) {
            Some(&first) if first != resource => self.claimed_twice.push((resource, first)),
            _ => {
                self.by_uri.insert(uri, resource);
            }
        }
    }

    fn anchor(&mut self, resource: usize, document: usize, name: &str, pointer: &str) {
        let anchors = &mut self.resources[resource].anchors;
        match anchors.get(name) {
            Some(first) if first != pointer => {
                let location = Location { document, pointer: pointer.to_owned() };
                self.anchors_twice.push((location, name.to_owned()));
            }
            _ => {
                anchors.insert(name.to_owned(), pointer.to_owned());
            }
        }
    }

    /// The value at a place.
    pub fn value(&self, location: &Location) -> Option<&Value> {
        self.documents[location.document].value.pointer(&location.pointer)
    }

    /// Whether the walk by keywords came to this place, so that it was checked as a schema.
    pub fn is_subschema(&self, location: &Location) -> bool {
        self.documents[location.document].by_pointer.contains_key(&location.pointer)
    }

    /// The resource that a place belongs to; places outside the walk belong to the nearest schema around them.
    pub fn resource_of(&self, location: &Location) -> usize {
        let document = &self.documents[location.document];
        let mut pointer = location.pointer.as_str();
        loop {
            if let Some(&number) = document.by_pointer.get(pointer) {
                return document.schemas[number].resource;
            }
            match pointer.rfind('/') {
                Some(slash) => pointer = &pointer[..slash],
                // The root of every document is a subschema, unless the limit cut the walk off before it.
                None => return document.schemas.first().map_or(0, |root| root.resource),
            }
        }
    }

    /// Follows `reference`, which stands at `from`.
    ///
    /// # Errors
    ///
    /// Why it leads nowhere.
    pub fn follow(&self, from: &Location, reference: &str) -> Result<Target, Lost> {
        let resource = self.resource_of(from);
        let resolved = uri::resolve(&self.resources[resource].base, reference);
        let local = self.local.get(&(from.document, resolved.uri.clone())).copied();
        let found =
            local.or_else(|| self.by_uri.get(resolved.uri.as_str()).copied()).or_else(|| {
                // A file with an `$id` of its own may still name its neighbours by path.
                let path = self.documents[from.document].path.as_str();
                let by_path = uri::resolve(&uri::of_file(path), reference);
                self.file(&by_path)
            });
        let found = match found {
            Some(found) => found,
            None => self.file(&resolved).ok_or_else(|| self.lost(from, reference, &resolved))?,
        };
        self.within(found, resolved.fragment.as_deref().unwrap_or(""))
    }

    fn file(&self, resolved: &uri::Resolved) -> Option<usize> {
        if resolved.climbed {
            return None;
        }
        let number = *self.by_path.get(&uri::file_of(&resolved.uri)?)?;
        self.documents[number].schemas.first().map(|root| root.resource)
    }

    fn lost(&self, from: &Location, reference: &str, resolved: &uri::Resolved) -> Lost {
        let path = self.documents[from.document].path.as_str();
        let by_path = uri::resolve(&uri::of_file(path), reference);
        if resolved.climbed || by_path.climbed {
            return Lost::LeavesFolder;
        }
        match uri::scheme(reference).as_deref() {
            Some("http" | "https" | "ftp" | "ws" | "wss") => return Lost::Network,
            Some("file") => return Lost::LeavesFolder,
            // One letter is a drive.
            Some(scheme) if scheme.len() == 1 => return Lost::LeavesFolder,
            Some(_) => return Lost::NoDocument { wanted: resolved.uri.clone(), near: None },
            None if reference.starts_with("//") => return Lost::Network,
            None if reference.starts_with('/') => return Lost::LeavesFolder,
            None => {}
        }
        let Some(wanted) = uri::file_of(&by_path.uri) else { return Lost::Escape };
        if self.unread.contains(&wanted) {
            return Lost::Unread;
        }
        let near =
            self.suggest(&wanted, self.by_path.keys().map(String::as_str)).map(str::to_owned);
        Lost::NoDocument { wanted, near }
    }

    fn within(&self, resource: usize, fragment: &str) -> Result<Target, Lost> {
        let resource = &self.resources[resource];
        let document = resource.document;
        let fragment = uri::decode(fragment).ok_or(Lost::Escape)?;
        if !fragment.is_empty() && !fragment.starts_with('/') {
            let Some(pointer) = resource.anchors.get(&fragment) else {
                let known = resource.anchors.keys().map(String::as_str);
                let near = self.suggest(&fragment, known).map(|name| format!("#{name}"));
                return Err(Lost::NoPlace {
                    document: self.documents[document].path.to_string(),
                    near,
                });
            };
            let dynamic = resource.dynamic_anchors.get(&fragment) == Some(pointer);
            return Ok(Target {
                location: Location { document, pointer: pointer.clone() },
                dynamic: dynamic.then_some(fragment),
            });
        }
        if fragment.replace("~0", "").replace("~1", "").contains('~') {
            return Err(Lost::Escape);
        }
        let mut pointer = resource.pointer.clone();
        for token in tokens(&fragment) {
            pointer = join(&pointer, &token);
        }
        let location = Location { document, pointer };
        match self.value(&location) {
            Some(value) if is_schema(value) => Ok(Target { location, dynamic: None }),
            Some(_) => Err(Lost::NotSchema),
            None => {
                let near = self.near_place(resource, &fragment);
                Err(Lost::NoPlace { document: self.documents[document].path.to_string(), near })
            }
        }
    }

    /// The nearest of `known`, whatever their order, while comparisons are left.
    fn suggest<'a>(&self, wanted: &str, known: impl Iterator<Item = &'a str>) -> Option<&'a str> {
        // Both maps behind `known` know their length; once the budget is short, it is spent.
        let left = self.comparisons.get().saturating_sub(known.size_hint().0 + 1);
        self.comparisons.set(left);
        if left == 0 {
            return None;
        }
        let mut known: Vec<&str> = known.collect();
        known.sort_unstable();
        nearest(wanted, known)
    }

    /// The nearest place to one that is not there: a sibling of the part that fails, else a definition of that name.
    fn near_place(&self, resource: &Resource, fragment: &str) -> Option<String> {
        let root = self.documents[resource.document].value.pointer(&resource.pointer)?;
        let mut value = root;
        let mut reached = String::new();
        let mut rest: Vec<String> = tokens(fragment).collect();
        while let Some(token) = rest.first() {
            let Some(next) = value.get(token) else { break };
            reached = join(&reached, token);
            value = next;
            rest.remove(0);
        }
        let wanted = rest.first()?;
        let tail = |start: String, rest: &[String]| {
            rest.iter().fold(start, |pointer, token| join(&pointer, token))
        };
        if let Value::Object(members) = value
            && let Some(near) = self.suggest(wanted, members.keys().map(String::as_str))
        {
            return Some(format!("#{}", tail(join(&reached, near), &rest[1..])));
        }
        let last = rest.last()?;
        for folder in ["$defs", "definitions"] {
            let Some(Value::Object(members)) = root.get(folder) else { continue };
            let near = match members.contains_key(last.as_str()) {
                true => Some(last.as_str()),
                false => self.suggest(last, members.keys().map(String::as_str)),
            };
            if let Some(near) = near {
                return Some(format!("#{}", join(&format!("/{folder}"), near)));
            }
        }
        None
    }
}

impl Document {
    /// A parsed file, not yet walked.
    pub fn new(path: Utf8PathBuf, dialect: Dialect, value: Value, places: Places) -> Self {
        Self {
            path,
            is_metaschema: false,
            value,
            places,
            dialect,
            further_roots: Vec::new(),
            schemas: Vec::new(),
            by_pointer: HashMap::new(),
        }
    }
}
