//! Lowers a contract to Rust items. Every decision is made here, and every name; nothing is rendered.

mod defaults;
mod emit;
mod object;
mod overrides;
mod recursion;
mod shared;
mod union;

pub(crate) use recursion::each_shared;
pub(crate) use shared::{Placed, SharedTypes, View, definition_name};

use crate::definitions::Definitions;
use crate::externs::Externs;
use crate::limits::{self, Budget};
use crate::merged::{Additional, Aliases, Document, Merged, Site, Types, unescape};
use crate::model::*;
use crate::names::{pascal, singular, words};
use crate::{Error, Side};
use serde_json::Value;
use std::collections::HashMap;
use toolcast_contract::Contract;

/// Lowers one contract into a module with this identifier.
///
/// # Errors
///
/// Where the contract meets a bound on size or work.
pub fn lower(
    contract: &Contract,
    parents: Vec<String>,
    ident: String,
) -> Result<RustModule, Error> {
    let externs = Externs::default();
    lower_beside(contract, parents, ident, [None, None], [None, None], &externs)
}

/// Lowers one contract beside the types of shared definitions, as its two schemas know them.
pub(crate) fn lower_beside(
    contract: &Contract,
    parents: Vec<String>,
    ident: String,
    shared: [Option<View<'_>>; 2],
    aliases: [Option<&Aliases>; 2],
    externs: &Externs,
) -> Result<RustModule, Error> {
    let mut budget = Budget::new(contract.source.as_str());
    let mut drafts = Vec::new();
    let mut notes = Vec::new();
    let mut wishes = Vec::new();
    let [of_input, of_output] = shared;
    let documents = [
        (Side::Input, Some(&contract.input), of_input),
        (Side::Output, contract.output.as_ref(), of_output),
    ];
    for ((side, root, shared), aliases) in documents.into_iter().zip(aliases) {
        let Some(root) = root else { continue };
        let document = Document { root, side, aliases };
        let mut lowering = Lowering {
            document,
            budget,
            drafts,
            notes,
            done: HashMap::new(),
            failed: None,
            shared,
            definitions: None,
            externs,
        };
        lowering.root()?;
        // What stands in a shared definition is said of that.
        let own = |pointer: &str| shared.is_none_or(|shared| shared.global(pointer).is_none());
        wishes.extend(overrides::wishes(root, side, own));
        (budget, drafts, notes) = (lowering.budget, lowering.drafts, lowering.notes);
    }
    recursion::box_cycles(&mut drafts);
    let items = emit::items(drafts);
    notes.extend(overrides::unfulfilled(wishes, &items));
    Ok(RustModule {
        parents,
        ident,
        source: contract.source.clone(),
        items,
        has_output: contract.output.is_some(),
        notes,
    })
}

/// An item that has no name yet.
struct Draft {
    hint: Hint,
    /// The schema that it was made for.
    pointer: String,
    title: Option<String>,
    rust_name: Option<String>,
    docs: Option<String>,
    kind: ItemKind,
}

/// What an item could be called, from the outermost word to its own.
#[derive(Clone, Debug)]
struct Hint {
    path: Vec<String>,
    /// `Input` and `Output` are called that and nothing else.
    root: Option<&'static str>,
    /// Whether the place that refers to the item has its description already.
    described: bool,
    /// Whether the definition that it stands in belongs to its name.
    defined: bool,
}

impl Hint {
    fn child(&self, text: &str) -> Self {
        let mut path = self.path.clone();
        let words = words(text);
        path.push(if words.is_empty() { "Empty".into() } else { pascal(&words) });
        Self { path, root: None, described: false, defined: false }
    }

    /// The items of an array, or the members of a map.
    fn each(&self, fallback: &str) -> Self {
        let mut path = self.path.clone();
        match path.last().map(|last| words(last)).and_then(|words| singular(&words)) {
            Some(one) => {
                path.pop();
                path.push(pascal(&one));
            }
            None => path.push(fallback.into()),
        }
        Self { path, root: None, described: false, defined: false }
    }

    /// The name of a place that a reference leads to.
    fn of_pointer(pointer: &str, side: Side) -> Self {
        let mut hint = Self { path: Vec::new(), root: None, described: false, defined: false };
        let mut segments = pointer.split('/').skip(1).map(unescape);
        while let Some(segment) = segments.next() {
            match segment.as_str() {
                "$defs" | "definitions" => {
                    hint.path.clear();
                    if let Some(name) = segments.next() {
                        // A name such as `a.b.Address` or `Page[Order]` is known by all its words.
                        hint = hint.child(&name);
                    }
                }
                "properties" | "patternProperties" | "dependentSchemas" => {
                    if let Some(name) = segments.next() {
                        hint = hint.child(&name);
                    }
                }
                "items" => hint = hint.each("Item"),
                "additionalProperties" => hint = hint.each("Value"),
                "allOf" => {
                    segments.next();
                }
                "anyOf" | "oneOf" | "prefixItems" => {
                    let at = segments.next().and_then(|at| at.parse::<usize>().ok()).unwrap_or(0);
                    hint = hint.child(&format!("Option {}", at + 1));
                }
                other => hint = hint.child(other),
            }
        }
        if hint.path.is_empty() {
            hint.root = match side {
                Side::Input => Some("Input"),
                Side::Output => Some("Output"),
                Side::Definitions => None,
            };
        }
        hint
    }
}

/// What a site becomes.
#[derive(Clone, Debug, PartialEq)]
struct Lowered {
    /// The type of every value but null.
    ty: RustType,
    /// Whether null is allowed.
    nullable: bool,
}

impl Lowered {
    /// The type where the value is always there.
    fn present(self) -> RustType {
        match self.ty {
            RustType::Value | RustType::Unit => self.ty,
            ty if self.nullable => RustType::Option(Box::new(ty)),
            ty => ty,
        }
    }
}

/// How a struct stands in a union.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
struct Mode {
    /// The member that the union keeps.
    tag: Option<String>,
    /// Keep undeclared members: a value may fit several branches, and no member of any may be lost.
    keep: bool,
}

#[derive(Clone)]
enum State {
    Busy,
    Done(Lowered),
}

struct Lowering<'a> {
    document: Document<'a>,
    budget: Budget,
    drafts: Vec<Draft>,
    notes: Vec<Note>,
    done: HashMap<(Site, Mode), State>,
    /// Why the last lowered site became a `Value`, for the field's doc comment.
    failed: Option<String>,
    /// The types of shared definitions, where the document is a contract's.
    shared: Option<View<'a>>,
    /// The document as definitions, where it is theirs.
    definitions: Option<&'a Definitions>,
    /// The user's own types.
    externs: &'a Externs,
}

impl<'a> Lowering<'a> {
    /// Lowers the document's root to `Input` or `Output`.
    fn root(&mut self) -> Result<(), Error> {
        let hint = Hint::of_pointer("", self.document.side);
        let site = Site::of(vec![String::new()]);
        let first = self.drafts.len();
        let lowered = self.lower(site, &hint, &Mode::default(), 0)?;
        if lowered == (Lowered { ty: RustType::Item(first), nullable: false }) {
            return Ok(());
        }
        let ty = lowered.present();
        self.drafts.push(Draft {
            hint,
            pointer: String::new(),
            title: None,
            rust_name: None,
            docs: None,
            kind: ItemKind::Alias(ty),
        });
        // The root stands before what it is made of.
        self.drafts[first..].rotate_right(1);
        let moved = self.drafts.len() - 1;
        for draft in &mut self.drafts[first..] {
            recursion::each_type(&mut draft.kind, &mut |index| {
                if *index >= first {
                    *index = if *index == moved { first } else { *index + 1 };
                }
            });
        }
        Ok(())
    }

    fn merged(&mut self, site: &Site) -> Result<Merged<'a>, Error> {
        self.document.merged(site, &mut self.budget)
    }

    fn note(&mut self, site: &Site, reason: impl Into<String>) {
        let reason = reason.into();
        self.failed = Some(reason.clone());
        let pointer = site.schemas.first().cloned().unwrap_or_default();
        let note = Note { side: self.document.side, pointer, about: About::Type, reason };
        if !self.notes.contains(&note) {
            self.notes.push(note);
        }
    }

    /// Any JSON value, because no type says more.
    fn opaque(&mut self, site: &Site, reason: impl Into<String>) -> Lowered {
        self.note(site, reason);
        Lowered { ty: RustType::Value, nullable: true }
    }

    /// What a site becomes. The same site is the same type, wherever it is used.
    fn lower(
        &mut self,
        site: Site,
        hint: &Hint,
        mode: &Mode,
        depth: usize,
    ) -> Result<Lowered, Error> {
        self.failed = None;
        let (site, hint) = self.resolve(site, hint);
        if let Some((lowered, reason)) = self.shared.and_then(|shared| shared.find(&site, mode)) {
            self.failed = reason;
            return Ok(lowered);
        }
        if let Some(lowered) = self.of_definition(&site)? {
            return Ok(lowered);
        }
        let key = (site.clone(), mode.clone());
        match self.done.get(&key) {
            Some(State::Done(lowered)) => return Ok(lowered.clone()),
            Some(State::Busy) => {
                return Ok(self.opaque(&site, "it contains itself without an object between"));
            }
            None => {}
        }
        if depth > limits::DEPTH {
            return Ok(
                self.opaque(&site, format!("it is nested deeper than {} types", limits::DEPTH))
            );
        }
        self.done.insert(key.clone(), State::Busy);
        let lowered = self.shape(&site, &hint, mode, depth)?;
        self.done.insert(key, State::Done(lowered.clone()));
        Ok(lowered)
    }

    /// Follows pure references, and takes the name of the place they lead to.
    fn resolve(&self, mut site: Site, hint: &Hint) -> (Site, Hint) {
        if site.chosen.is_empty() && site.schemas.len() == 1 {
            let from = site.schemas.remove(0);
            let to = self.document.resolve_alias(from.clone());
            let hint = if self.document.aliases.is_some_and(|aliases| aliases.leads_to(&to)) {
                // Whoever comes first, the member or a reference to it, the type has the same name.
                Hint { defined: true, ..Hint::of_pointer(&to, self.document.side) }
            } else if to == from
                || to.strip_prefix(&from).is_some_and(|rest| !rest.contains("$defs"))
            {
                hint.clone()
            } else {
                Hint::of_pointer(&to, self.document.side)
            };
            site.schemas.push(to);
            return (site, hint);
        }
        (site, hint.clone())
    }

    fn shape(
        &mut self,
        site: &Site,
        hint: &Hint,
        mode: &Mode,
        depth: usize,
    ) -> Result<Lowered, Error> {
        let merged = self.merged(site)?;
        if let Some(reason) = merged.opaque {
            return Ok(self.opaque(site, reason));
        }
        let nullable = merged.types.has(Types::NULL);
        let types = merged.types.without(Types::NULL);
        if types.is_none() {
            return Ok(if nullable {
                Lowered { ty: RustType::Unit, nullable: true }
            } else {
                self.opaque(site, "no value fits it")
            });
        }
        let done = |ty| Ok(Lowered { nullable: nullable || ty == RustType::Value, ty });
        if merged.literals.is_some() {
            let ty = self.literals(site, merged, hint)?;
            return done(ty);
        }
        let unions = self.shaping_unions(site, &merged)?;
        match unions.as_slice() {
            [] => {}
            [union] => {
                let union = union.clone();
                return self.union(site, merged, union, hint, depth);
            }
            _ if types == Types::OBJECT => {
                self.note(
                    site,
                    "its unions combine: the members of their branches are kept in `rest`",
                );
                let mode = Mode { keep: true, ..mode.clone() };
                let ty = self.structure(site.clone(), merged, hint, mode)?;
                return done(ty);
            }
            _ => {
                return Ok(
                    self.opaque(site, "its unions combine in more ways than a type can list")
                );
            }
        }
        if types == Types::ALL.without(Types::NULL) {
            let plain = merged.is_plain();
            let named_only = merged.members.is_empty() && merged.items.is_empty();
            if !(plain || named_only) {
                self.note(site, "it has no `type`, so that any value fits");
            }
            return Ok(Lowered { ty: RustType::Value, nullable: true });
        }
        let mut each = types.each();
        if each.len() >= 5 && merged.is_plain() {
            return Ok(Lowered { ty: RustType::Value, nullable: true });
        }
        if merged.whole_apart
            && let Some(at) = each.iter().position(|(types, _)| *types == Types::NUMBER)
        {
            each.splice(at..=at, [(Types::WHOLE, "integer"), (Types::FRACTION, "number")]);
        }
        if each.len() > 1 {
            return self.type_union(site, &each, merged, hint, nullable, depth);
        }
        let ty = match types {
            Types::BOOL => RustType::Bool,
            Types::WHOLE if merged.unsigned() => RustType::U64,
            Types::WHOLE => RustType::I64,
            Types::STRING => self.of_format(&merged).unwrap_or(RustType::String),
            Types::ARRAY => self.array(site, &merged, hint, depth)?,
            Types::OBJECT => self.object(site, merged, hint, mode, depth)?,
            _ => RustType::F64,
        };
        done(ty)
    }

    fn array(
        &mut self,
        site: &Site,
        merged: &Merged<'a>,
        hint: &Hint,
        depth: usize,
    ) -> Result<RustType, Error> {
        let each = hint.each("Item");
        if merged.prefix.is_empty() {
            if merged.items.is_empty() {
                return Ok(RustType::Vec(Box::new(RustType::Value)));
            }
            let item =
                self.lower(Site::of(merged.items.clone()), &each, &Mode::default(), depth + 1)?;
            return Ok(RustType::Vec(Box::new(item.present())));
        }
        let count = merged.prefix.len() as u64;
        let exact =
            (merged.no_further_items || merged.max_items <= count) && merged.min_items >= count;
        let mut types = Vec::new();
        if merged.prefix.len() <= 6 {
            for (at, schemas) in merged.prefix.iter().enumerate() {
                let hint = hint.child(ORDINALS[at]);
                let lowered =
                    self.lower(Site::of(schemas.clone()), &hint, &Mode::default(), depth + 1)?;
                types.push(lowered.present());
            }
            if exact {
                return Ok(RustType::Tuple(types));
            }
            if !merged.no_further_items {
                let further = match merged.items.is_empty() {
                    true => RustType::Value,
                    false => self
                        .lower(Site::of(merged.items.clone()), &each, &Mode::default(), depth + 1)?
                        .present(),
                };
                types.push(further);
            }
            let same = types.iter().all(|ty| *ty == types[0]);
            if same && types[0] != RustType::Value {
                return Ok(RustType::Vec(Box::new(types.swap_remove(0))));
            }
        }
        self.note(site, "its items differ by position and their number is not fixed");
        Ok(RustType::Vec(Box::new(RustType::Value)))
    }

    fn literals(
        &mut self,
        site: &Site,
        merged: Merged<'a>,
        hint: &Hint,
    ) -> Result<RustType, Error> {
        let values: Vec<&Value> = merged
            .literals
            .clone()
            .unwrap_or_default()
            .into_iter()
            .filter(|value| !value.is_null())
            .collect();
        let described = values.into_iter().map(|value| (value.clone(), None, None)).collect();
        self.literal_item(site, &merged, hint, described)
    }

    /// An enum of literals; each may bring a name and a description.
    fn literal_item(
        &mut self,
        site: &Site,
        merged: &Merged<'a>,
        hint: &Hint,
        values: Vec<(Value, Option<String>, Option<String>)>,
    ) -> Result<RustType, Error> {
        let is = |value: &Value| values.iter().any(|(known, ..)| known == value);
        if values.len() == 2 && is(&Value::Bool(true)) && is(&Value::Bool(false)) {
            return Ok(RustType::Bool);
        }
        if values.len() > limits::LITERALS {
            self.note(site, format!("it has more than {} values", limits::LITERALS));
            let text = values.iter().all(|(value, ..)| value.is_string());
            return Ok(if text { RustType::String } else { RustType::Value });
        }
        let variants = emit::literal_variants(values);
        let item = self.draft(site, merged, hint, ItemKind::Literals(variants))?;
        Ok(RustType::Item(item))
    }

    fn draft(
        &mut self,
        site: &Site,
        merged: &Merged<'a>,
        hint: &Hint,
        kind: ItemKind,
    ) -> Result<usize, Error> {
        let pointer = site.schemas.first().map_or("", String::as_str);
        self.budget.item(self.document.side, pointer)?;
        self.drafts.push(Draft {
            hint: hint.clone(),
            pointer: pointer.to_owned(),
            title: merged.title.map(str::to_owned),
            rust_name: merged.rust_name.map(str::to_owned),
            docs: if hint.described { None } else { merged.description.map(str::to_owned) },
            kind,
        });
        Ok(self.drafts.len() - 1)
    }
}

const ORDINALS: [&str; 6] = ["First", "Second", "Third", "Fourth", "Fifth", "Sixth"];
