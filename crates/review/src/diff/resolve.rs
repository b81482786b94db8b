//! One document in which every reference names a definition of its own: `#/$defs/NAME`, and nothing else is ever a target.
//!
//! Later stages move, sort and drop parts of a schema, which is only safe where no pointer can notice. So references are
//! followed first: pointers to anywhere, anchors, embedded documents by `$id`, and dynamic references by the scope that
//! each copy of a definition was reached through. What is not followed with certainty yields no document at all.
//!
//! What the draft does not read is left out, and `2.0` is written `2`: validators are always given the written document.

use super::dialect::Dialect;
use super::formats;
use super::keywords::{Holds, is_read, subschemas};
use super::walk::each_child;
use jsonschema::{Draft, uri};
use serde_json::{Map, Number, Value};
use std::collections::{BTreeMap, HashMap, HashSet};

/// Definitions, subschemas and nesting of the result.
const DEFINITIONS: usize = 4_096;
const SUBSCHEMAS: usize = 40_000;
const DEPTH: usize = 600;

/// Where a document without a name of its own is.
const PLACE: &str = "json-schema:///";

/// The document with all references resolved, in the spelling of the draft `to`: its own, or the newest.
pub(super) fn resolved(root: &Value, dialect: Dialect, to: Draft) -> Option<Value> {
    let draft = dialect.draft;
    let Value::Object(members) = root else { return Some(root.clone()) };
    let mut index = Index::new(draft);
    let base = index.base_of(PLACE, members, true)?;
    index.gather(root, &base, true, 0)?;
    let mut copy = Copying {
        index,
        formats: dialect.formats,
        to,
        names: HashMap::new(),
        taken: HashSet::new(),
        definitions: Map::new(),
        left: SUBSCHEMAS,
    };
    let mut scope = Scope::new();
    copy.enter(&base, &mut scope);
    let mut whole = copy.schema(root, &base, &scope, 0)?;
    if let Value::Object(whole) = &mut whole
        && !copy.definitions.is_empty()
    {
        whole.insert("$defs".into(), Value::Object(copy.definitions));
    }
    Some(whole)
}

/// The outermost document that declares each dynamic anchor.
type Scope = BTreeMap<String, String>;

/// The name of recursive references (2019-09) in a scope; no anchor may be empty.
const RECURSIVE: &str = "";

struct Index<'a> {
    draft: Draft,
    /// Documents and embedded documents by their address.
    documents: HashMap<String, &'a Value>,
    anchors: HashMap<(String, String), &'a Value>,
    dynamic: HashMap<String, Vec<String>>,
    /// The document that each subschema is in.
    places: HashMap<usize, String>,
}

impl<'a> Index<'a> {
    fn new(draft: Draft) -> Self {
        Self {
            draft,
            documents: HashMap::new(),
            anchors: HashMap::new(),
            dynamic: HashMap::new(),
            places: HashMap::new(),
        }
    }

    fn reads_siblings(&self) -> bool {
        !matches!(self.draft, Draft::Draft4 | Draft::Draft6 | Draft::Draft7)
    }

    /// What a schema object calls itself, where its draft reads that.
    fn name<'s>(&self, schema: &'s Map<String, Value>) -> Option<&'s str> {
        if !self.reads_siblings() && schema.contains_key("$ref") {
            return None;
        }
        let keyword = if self.draft == Draft::Draft4 { "id" } else { "$id" };
        schema.get(keyword).and_then(Value::as_str)
    }

    fn base_of(&self, outer: &str, schema: &Map<String, Value>, root: bool) -> Option<String> {
        match self.name(schema) {
            Some(name) if !name.starts_with('#') => {
                let (address, fragment) = absolute(outer, name)?;
                // An address with a fragment was never well defined but at the root.
                (root || fragment.is_none_or(|fragment| fragment.is_empty())).then_some(address)
            }
            _ => Some(outer.to_owned()),
        }
    }

    /// Notes the documents and anchors of a schema; `None` where one name means two things.
    fn gather(&mut self, schema: &'a Value, outer: &str, root: bool, depth: usize) -> Option<()> {
        let Value::Object(members) = schema else { return Some(()) };
        if depth > DEPTH {
            return None;
        }
        let base = if root { outer.to_owned() } else { self.base_of(outer, members, false)? };
        self.places.insert(address_of(schema), base.clone());
        if (root || base != outer) && self.documents.insert(base.clone(), schema).is_some() {
            return None;
        }
        if let Some(anchor) = self.name(members).and_then(|name| name.strip_prefix('#')) {
            self.anchor(&base, anchor, schema)?;
        }
        if self.reads_siblings() {
            for keyword in ["$anchor", "$dynamicAnchor"] {
                if let Some(anchor) = members.get(keyword).and_then(Value::as_str) {
                    self.anchor(&base, anchor, schema)?;
                    if keyword == "$dynamicAnchor" {
                        self.dynamic.entry(base.clone()).or_default().push(anchor.to_owned());
                    }
                }
            }
            let is_document = self.documents.get(&base).is_some_and(|d| std::ptr::eq(*d, schema));
            if is_document && members.get("$recursiveAnchor") == Some(&Value::Bool(true)) {
                self.dynamic.entry(base.clone()).or_default().push(RECURSIVE.to_owned());
            }
        }
        let mut children = Vec::new();
        // Names within keywords that this draft does not read are still addresses to some validators.
        each_child(members, |_, child| children.push(child));
        children.into_iter().try_for_each(|child| self.gather(child, &base, false, depth + 1))
    }

    fn anchor(&mut self, base: &str, anchor: &str, schema: &'a Value) -> Option<()> {
        let key = (base.to_owned(), anchor.to_owned());
        match self.anchors.insert(key, schema) {
            Some(other) if !std::ptr::eq(other, schema) => None,
            _ => Some(()),
        }
    }

    /// What a reference written in the document `base` names, and which document that is in.
    fn target(&self, base: &str, reference: &str) -> Option<(&'a Value, String)> {
        let (address, fragment) = absolute(base, reference)?;
        let document = *self.documents.get(&address)?;
        let place = self.places.get(&address_of(document)).cloned().unwrap_or(address);
        let Some(fragment) = fragment.filter(|fragment| !fragment.is_empty()) else {
            return Some((document, place));
        };
        let fragment = super::document::percent_decoded(&fragment)?;
        if !fragment.starts_with('/') {
            return Some((*self.anchors.get(&(place.clone(), fragment))?, place));
        }
        let mut at = document;
        let mut steps = fragment[1..].split('/').peekable();
        while let Some(step) = steps.next() {
            let step = step.replace("~1", "/").replace("~0", "~");
            at = match at {
                Value::Object(members) => members.get(&step)?,
                Value::Array(items) => items.get(step.parse::<usize>().ok()?)?,
                _ => return None,
            };
            if let Some(inner) = self.places.get(&address_of(at)).filter(|inner| **inner != place) {
                // A pointer through an embedded document is read differently by different validators.
                return steps.peek().is_none().then(|| (at, inner.clone()));
            }
        }
        let known = self.places.contains_key(&address_of(at));
        // Outside the known places nothing was indexed, so nothing there may have a name.
        (known || !has_names(at)).then_some((at, place))
    }
}

fn has_names(value: &Value) -> bool {
    match value {
        Value::Object(members) => {
            ["$id", "id", "$anchor", "$dynamicAnchor", "$recursiveAnchor"]
                .iter()
                .any(|name| members.get(*name).is_some_and(|value| !value.is_object()))
                || members.values().any(has_names)
        }
        Value::Array(items) => items.iter().any(has_names),
        _ => false,
    }
}

/// The address and the fragment of a reference as seen from `base`.
fn absolute(base: &str, reference: &str) -> Option<(String, Option<String>)> {
    let (address, fragment) = match reference.split_once('#') {
        Some((address, fragment)) => (address, Some(fragment.to_owned())),
        None => (reference, None),
    };
    if address.is_empty() {
        return Some((base.to_owned(), fragment));
    }
    let base = uri::from_str(base).ok()?;
    let address = uri::resolve_against(&base.borrow(), address).ok()?;
    Some((address.as_str().to_owned(), fragment))
}

fn address_of(value: &Value) -> usize {
    std::ptr::from_ref(value) as usize
}

struct Copying<'a> {
    index: Index<'a>,
    formats: bool,
    to: Draft,
    /// Definitions by what they hold and the scope that they were reached through.
    names: HashMap<(usize, Scope), String>,
    taken: HashSet<String>,
    definitions: Map<String, Value>,
    left: usize,
}

impl<'a> Copying<'a> {
    /// Steps into a document: anchors that no outer one declares are now its own.
    fn enter(&self, base: &str, scope: &mut Scope) {
        for anchor in self.index.dynamic.get(base).into_iter().flatten() {
            scope.entry(anchor.clone()).or_insert_with(|| base.to_owned());
        }
    }

    fn schema(
        &mut self,
        schema: &'a Value,
        base: &str,
        scope: &Scope,
        depth: usize,
    ) -> Option<Value> {
        let Value::Object(written) = schema else {
            return schema.is_boolean().then(|| schema.clone());
        };
        self.left = self.left.checked_sub(1)?;
        if depth > DEPTH {
            return None;
        }
        let own = self.index.places.get(&address_of(schema)).cloned();
        let base = own.unwrap_or_else(|| base.to_owned());
        let mut scope = scope.clone();
        self.enter(&base, &mut scope);
        let mut references = Vec::new();
        for keyword in ["$ref", "$dynamicRef", "$recursiveRef"] {
            let Some(Value::String(reference)) = written.get(keyword) else { continue };
            if is_read(self.index.draft, keyword) {
                references.push(self.reference(keyword, reference, &base, &scope, depth)?);
            }
        }
        let mut copied = Map::new();
        if let Some(first) = references.first() {
            copied.insert("$ref".into(), Value::String(first.clone()));
            if !self.index.reads_siblings() {
                return Some(Value::Object(copied));
            }
        }
        for (keyword, value) in written {
            if !is_read(self.index.draft, keyword) || is_idle(keyword, written) {
                continue;
            }
            if keyword == "format" && !self.asserts(value) {
                continue;
            }
            let value = match subschemas(keyword, value) {
                Holds::One => self.schema(value, &base, &scope, depth + 1)?,
                Holds::List => {
                    let mut items = Vec::new();
                    for item in value.as_array()? {
                        items.push(self.schema(item, &base, &scope, depth + 1)?);
                    }
                    Value::Array(items)
                }
                Holds::Named => {
                    let mut entries = Map::new();
                    for (name, entry) in value.as_object()? {
                        let entry = if entry.is_array() {
                            entry.clone()
                        } else {
                            self.schema(entry, &base, &scope, depth + 1)?
                        };
                        entries.insert(name.clone(), entry);
                    }
                    Value::Object(entries)
                }
                Holds::Nothing if keyword.starts_with('$') => continue,
                Holds::Nothing => self.plain(value),
            };
            copied.insert(keyword.clone(), value);
        }
        // The second of two references is one more part of the same value.
        for reference in references.into_iter().skip(1) {
            let part = Value::Object(Map::from_iter([("$ref".into(), Value::String(reference))]));
            match copied.entry("allOf").or_insert_with(|| Value::Array(Vec::new())) {
                Value::Array(parts) => parts.push(part),
                _ => return None,
            }
        }
        if self.to != self.index.draft {
            upgrade(&mut copied, self.index.draft)?;
        }
        Some(Value::Object(copied))
    }

    /// Whether a format says anything to the validator.
    fn asserts(&self, format: &Value) -> bool {
        let known = |format: &str| formats::is_known(format, self.index.draft);
        self.formats && format.as_str().is_some_and(known)
    }

    fn reference(
        &mut self,
        keyword: &str,
        reference: &str,
        base: &str,
        scope: &Scope,
        depth: usize,
    ) -> Option<String> {
        let (mut target, mut place) = self.index.target(base, reference)?;
        let dynamic = match keyword {
            "$recursiveRef" => {
                let members = target.as_object();
                let anchored = members.and_then(|members| members.get("$recursiveAnchor"));
                (anchored == Some(&Value::Bool(true))).then_some(RECURSIVE)
            }
            "$dynamicRef" => {
                let anchor = reference.split_once('#').map(|(_, anchor)| anchor);
                let declared = target.get("$dynamicAnchor").and_then(Value::as_str);
                anchor.filter(|anchor| !anchor.is_empty() && declared == Some(anchor))
            }
            _ => None,
        };
        if let Some(anchor) = dynamic
            && let Some(outermost) = scope.get(anchor)
        {
            place.clone_from(outermost);
            target = if anchor == RECURSIVE {
                self.index.documents.get(outermost)?
            } else {
                self.index.anchors.get(&(outermost.clone(), anchor.to_owned()))?
            };
        }
        let mut inner = scope.clone();
        self.enter(&place, &mut inner);
        let key = (address_of(target), inner.clone());
        let name = match self.names.get(&key) {
            Some(name) => name.clone(),
            None => {
                if self.names.len() >= DEFINITIONS {
                    return None;
                }
                let name = self.fresh_name(reference);
                self.names.insert(key, name.clone());
                let copied = self.schema(target, &place, &inner, depth + 1)?;
                self.definitions.insert(name.clone(), copied);
                name
            }
        };
        Some(format!("#/$defs/{name}"))
    }

    /// A name for a definition: like the reference, so that both versions of a document say the same.
    fn fresh_name(&mut self, reference: &str) -> String {
        let plain: String =
            reference.chars().map(|c| if c.is_ascii_alphanumeric() { c } else { '_' }).collect();
        let mut name = plain.clone();
        let mut next = 2;
        while !self.taken.insert(name.clone()) {
            name = format!("{plain}.{next}");
            next += 1;
        }
        name
    }

    /// A literal with one spelling for each number. Draft 4 tells `1` and `1.0` apart.
    fn plain(&self, value: &Value) -> Value {
        match value {
            Value::Number(number) if self.index.draft != Draft::Draft4 => {
                Value::Number(whole(number).unwrap_or_else(|| number.clone()))
            }
            Value::Array(items) => items.iter().map(|item| self.plain(item)).collect(),
            Value::Object(members) => Value::Object(
                members.iter().map(|(name, value)| (name.clone(), self.plain(value))).collect(),
            ),
            other => other.clone(),
        }
    }
}

/// A float that is a whole number, written as one.
fn whole(number: &Number) -> Option<Number> {
    /// Above this, a float may stand for several whole numbers.
    const EXACT: f64 = 9_007_199_254_740_992.0;
    let float = number.as_f64().filter(|float| number.is_f64() && float.fract() == 0.0)?;
    #[expect(clippy::cast_possible_truncation, reason = "within the exact range, and whole")]
    (float.abs() < EXACT).then(|| Number::from(float as i64))
}

/// Respells the keywords of one schema object of an older draft (not draft 4) in 2020-12; `None` where that is not
/// possible.
fn upgrade(schema: &mut Map<String, Value>, draft: Draft) -> Option<()> {
    let asserts = |keyword: &str| schema.contains_key(keyword);
    // Contents are asserted by draft 6 and 7 alone; `contains` evaluates nothing in 2019-09; host names changed.
    if asserts("contentEncoding")
        || asserts("contentMediaType")
        || (draft == Draft::Draft201909 && asserts("contains") && asserts("unevaluatedItems"))
        || (draft == Draft::Draft201909 && asserts("unevaluatedItems") && schema.len() > 2)
        || (draft == Draft::Draft6 && asserts("format"))
    {
        return None;
    }
    if schema.get("items").is_some_and(Value::is_array) {
        let prefix = schema.shift_remove("items")?;
        if prefix.as_array().is_some_and(|prefix| !prefix.is_empty()) {
            schema.insert("prefixItems".into(), prefix);
        }
        if let Some(rest) = schema.shift_remove("additionalItems") {
            schema.insert("items".into(), rest);
        }
    }
    Some(())
}

/// Whether a keyword says nothing without another that is not there.
fn is_idle(keyword: &str, schema: &Map<String, Value>) -> bool {
    let without = |other: &str| !schema.contains_key(other);
    match keyword {
        "then" | "else" => without("if"),
        "minContains" | "maxContains" => without("contains"),
        "additionalItems" => !schema.get("items").is_some_and(Value::is_array),
        _ => false,
    }
}
