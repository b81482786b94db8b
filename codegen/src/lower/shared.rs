//! The types of shared definitions: lowered once, before any contract, in one document. Contracts name them by number;
//! names and modules come last, when it is known which of them a contract uses.

use super::*;
use std::collections::BTreeSet;

/// The types of all shared definitions.
#[derive(Default)]
pub(crate) struct SharedTypes {
    drafts: Vec<Draft>,
    done: HashMap<(Site, Mode), Lowered>,
    /// Why a definition became a `Value`.
    reasons: HashMap<Site, String>,
    notes: Vec<Note>,
}

/// The types of shared definitions as one bundled schema knows them.
#[derive(Clone, Copy)]
pub(crate) struct View<'a> {
    pub(crate) types: &'a SharedTypes,
    pub(crate) definitions: &'a Definitions,
    /// By their bundled names.
    pub(crate) names: &'a HashMap<String, usize>,
}

/// What became of an item: its module and its index there.
pub(crate) type Placed = HashMap<usize, (usize, usize)>;

impl<'a> View<'a> {
    /// Where a pointer of the bundled schema leads in the document of definitions.
    pub(super) fn global(&self, pointer: &str) -> Option<String> {
        let inner = pointer.strip_prefix("/$defs/")?;
        let (name, rest) = inner.split_at(inner.find('/').unwrap_or(inner.len()));
        let definition = &self.definitions.all[*self.names.get(name)?];
        Some(format!("{}{rest}", definition.pointer))
    }

    /// The type of a site that lies in a shared definition, and why it is a `Value`.
    pub(super) fn find(&self, site: &Site, mode: &Mode) -> Option<(Lowered, Option<String>)> {
        let [pointer] = site.schemas.as_slice() else { return None };
        if !site.chosen.is_empty() || site.mask != Types::ALL || mode.tag.is_some() {
            return None;
        }
        let mut key = (Site::of(vec![self.global(pointer)?]), mode.clone());
        let mut lowered = self.types.done.get(&key);
        if lowered.is_none() {
            // Only a struct has another form that keeps undeclared members, and only where it would lose them.
            key.1 = Mode::default();
            lowered = self.types.done.get(&key);
        }
        let mut lowered = lowered?.clone();
        share(&mut lowered.ty);
        let reason = self.types.reasons.get(&key.0).cloned();
        Some((lowered, reason))
    }

    pub(super) fn drafts(&self) -> &'a [Draft] {
        &self.types.drafts
    }
}

/// Names items of shared definitions as they are named from elsewhere.
fn share(ty: &mut RustType) {
    match ty {
        RustType::Item(item) => *ty = RustType::Shared(*item),
        RustType::Vec(inner)
        | RustType::Map(inner)
        | RustType::Option(inner)
        | RustType::Maybe(inner)
        | RustType::Boxed(inner) => share(inner),
        RustType::Tuple(types) => types.iter_mut().for_each(share),
        _ => {}
    }
}

impl<'a> Lowering<'a> {
    /// Whether a site is a shared definition, whole.
    pub(super) fn is_shared(&self, site: &Site) -> bool {
        let [pointer] = site.schemas.as_slice() else { return false };
        let whole = site.chosen.is_empty() && site.mask == Types::ALL;
        let named = match (self.definitions, self.shared) {
            (Some(definitions), _) => definitions.is_one(pointer),
            (None, Some(shared)) => {
                let global = shared.global(pointer);
                global.is_some_and(|pointer| shared.definitions.is_one(&pointer))
            }
            (None, None) => false,
        };
        whole && named
    }

    /// The user's own type for a shared definition, while those are lowered: contracts find it as any other.
    pub(super) fn of_definition(&mut self, site: &Site) -> Result<Option<Lowered>, Error> {
        let [pointer] = site.schemas.as_slice() else { return Ok(None) };
        let whole = self.definitions.is_some() && site.chosen.is_empty();
        let external = self.externs.definition(pointer).filter(|_| whole);
        let Some(external) = external.cloned() else { return Ok(None) };
        let types = self.merged(site)?.types;
        let is_text = types.without(Types::NULL) == Types::STRING;
        let ty = RustType::Extern(Box::new(ExternType { is_text, ..external }));
        let lowered = Lowered { ty, nullable: types.has(Types::NULL) };
        let key = (Site::of(site.schemas.clone()), Mode::default());
        self.done.insert(key, State::Done(lowered.clone()));
        Ok(Some(lowered))
    }

    /// The user's own type for a plain string's format.
    pub(super) fn of_format(&self, merged: &Merged<'a>) -> Option<RustType> {
        let is_text = merged.types.without(Types::NULL) == Types::STRING;
        let format = merged.format.filter(|_| is_text && merged.literals.is_none())?;
        Some(RustType::Extern(Box::new(self.externs.format(format)?.clone())))
    }
}

impl SharedTypes {
    /// Lowers all definitions, each after those that it refers to.
    pub(crate) fn of(definitions: &Definitions, externs: &Externs) -> Result<Self, Error> {
        if definitions.all.is_empty() {
            return Ok(Self::default());
        }
        let document =
            Document { root: &definitions.document, side: Side::Definitions, aliases: None };
        let mut lowering = Lowering {
            document,
            budget: Budget::new(""),
            drafts: Vec::new(),
            notes: Vec::new(),
            done: HashMap::new(),
            failed: None,
            shared: None,
            definitions: Some(definitions),
            externs,
        };
        let mut reasons = HashMap::new();
        for number in in_order(definitions) {
            let definition = &definitions.all[number];
            lowering.budget.restart(definitions.files[definition.file].source.as_str());
            let site = Site::of(vec![definition.pointer.clone()]);
            let hint = Hint::of_pointer(&definition.pointer, Side::Definitions);
            let lowered = lowering.lower(site.clone(), &hint, &Mode::default(), 0)?;
            if let Some(reason) = lowering.failed.take() {
                reasons.insert(site.clone(), reason);
            }
            // A union whose branches overlap holds its branches in a form that keeps undeclared members.
            if let RustType::Item(item) = lowered.ty
                && matches!(lowering.drafts[item].kind, ItemKind::Struct { rest: None, .. })
                && lowering.merged(&site)?.additional == Additional::Silent
            {
                let mode = Mode { keep: true, ..Mode::default() };
                lowering.lower(site, &hint.child("open"), &mode, 0)?;
            }
        }
        let Lowering { mut drafts, notes, done, .. } = lowering;
        recursion::box_cycles(&mut drafts);
        let done = done.into_iter().filter_map(|(key, state)| match state {
            State::Done(lowered) => Some((key, lowered)),
            State::Busy => None,
        });
        Ok(Self { drafts, done: done.collect(), reasons, notes })
    }

    /// The modules of the definitions that `modules` use, one a file, and where each item stands.
    pub(crate) fn modules(
        self,
        definitions: &Definitions,
        modules: &[RustModule],
    ) -> (Vec<RustModule>, Placed) {
        let mut used = BTreeSet::new();
        for module in modules {
            for item in &module.items {
                recursion::each_shared(&item.kind, &mut |number| {
                    used.insert(number);
                });
            }
        }
        let mut reached = vec![false; self.drafts.len()];
        let mut open: Vec<usize> = used.into_iter().collect();
        let mut drafts = self.drafts;
        while let Some(item) = open.pop() {
            if !std::mem::replace(&mut reached[item], true) {
                recursion::each_type(&mut drafts[item].kind, &mut |index| open.push(*index));
            }
        }
        let mut of_file: Vec<Vec<Draft>> = definitions.files.iter().map(|_| Vec::new()).collect();
        let mut placed = Placed::new();
        for (number, draft) in drafts.into_iter().enumerate() {
            let file = definitions.file_of(&draft.pointer).filter(|_| reached[number]);
            if let Some(file) = file {
                placed.insert(number, (file, of_file[file].len()));
                of_file[file].push(draft);
            }
        }
        let variants: Vec<Vec<Vec<String>>> = of_file
            .iter()
            .map(|drafts| drafts.iter().map(|draft| variants(&draft.kind)).collect())
            .collect();
        let mut notes = by_file(definitions, self.notes, |note| &note.pointer);
        let wishes = overrides::wishes(&definitions.document, Side::Definitions, |_| true);
        let mut wishes = by_file(definitions, wishes, |wish| &wish.pointer);
        let files = definitions.files.iter().zip(of_file).enumerate();
        let modules = files.map(|(at, (file, mut drafts))| {
            for draft in &mut drafts {
                recursion::relocate(&mut draft.kind, &mut |item| match placed.get(&item) {
                    Some((file, index)) if *file == at => Ok(*index),
                    Some((file, index)) => Err(variants[*file][*index].clone()),
                    None => Err(Vec::new()),
                });
            }
            let items = emit::named(drafts);
            let mut notes = std::mem::take(&mut notes[at]);
            notes.extend(overrides::unfulfilled(std::mem::take(&mut wishes[at]), &items));
            RustModule {
                parents: file.place.parents.clone(),
                ident: file.place.ident.clone(),
                source: file.source.clone(),
                items,
                has_output: false,
                notes,
            }
        });
        (modules.collect(), placed)
    }
}

/// What the type of a definition is called, where no other takes that name.
pub(crate) fn definition_name(definitions: &Definitions, pointer: &str) -> Option<String> {
    let schema = definitions.document.pointer(pointer)?;
    let text = |key| schema.get(key).and_then(Value::as_str);
    let wish = text("x-rust-name").filter(|name| emit::is_type_name(name)).map(str::to_owned);
    wish.or_else(|| text("title").and_then(emit::title_name))
        .or_else(|| Hint::of_pointer(pointer, Side::Definitions).path.pop())
}

/// Things by the file of definitions that their pointers lie in.
fn by_file<T>(
    definitions: &Definitions,
    things: Vec<T>,
    pointer: impl Fn(&T) -> &String,
) -> Vec<Vec<T>> {
    let mut of_file: Vec<Vec<T>> = definitions.files.iter().map(|_| Vec::new()).collect();
    for thing in things {
        if let Some(file) = definitions.file_of(pointer(&thing)) {
            of_file[file].push(thing);
        }
    }
    of_file
}

/// The identifiers of an enum's variants.
fn variants(kind: &ItemKind) -> Vec<String> {
    match kind {
        ItemKind::Literals(variants) => {
            variants.iter().map(|variant| variant.ident.clone()).collect()
        }
        _ => Vec::new(),
    }
}

/// The definitions, each after those that it refers to, as far as no circle is closed: a chain of them is then no chain
/// of calls.
fn in_order(definitions: &Definitions) -> Vec<usize> {
    let mut order = Vec::with_capacity(definitions.all.len());
    let mut seen = vec![false; definitions.all.len()];
    for start in 0..definitions.all.len() {
        let mut stack: Vec<(usize, usize)> = Vec::new();
        if !std::mem::replace(&mut seen[start], true) {
            stack.push((start, 0));
        }
        while let Some((number, next)) = stack.last_mut() {
            match definitions.all[*number].refers_to.get(*next) {
                Some(&target) => {
                    *next += 1;
                    if !std::mem::replace(&mut seen[target], true) {
                        stack.push((target, 0));
                    }
                }
                None => {
                    order.push(*number);
                    stack.pop();
                }
            }
        }
    }
    order
}
