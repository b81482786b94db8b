//! Unions: what tells their branches apart, and what each is called.

use super::*;
use crate::merged::{NO_BRANCH, UnionSite};

/// One branch of a union.
struct Branch<'a> {
    site: Site,
    merged: Merged<'a>,
    /// The branch's own schema, for a validator; a branch that is only a type has none.
    schema: Option<String>,
}

/// A branch's name after the values of the member that tells branches apart.
struct TagName {
    name: String,
    /// It has one value, as each branch of a tagged union has.
    single: bool,
}

/// Branches that became one type.
struct Group {
    ty: RustType,
    members: Vec<usize>,
}

impl<'a> Lowering<'a> {
    /// The unions that give a site shape; others only narrow what the types hold anyway.
    pub(super) fn shaping_unions(
        &mut self,
        site: &Site,
        merged: &Merged<'a>,
    ) -> Result<Vec<UnionSite>, Error> {
        let mut shaping = Vec::new();
        for union in &merged.unions {
            let mut shapes = false;
            for branch in &union.branches {
                let branch = self.merged(&Site::of(vec![branch.clone()]).only(site.mask))?;
                shapes |= branch.opaque.is_some()
                    || !branch.unions.is_empty()
                    || !branch.types.has(merged.types)
                    || branch.literals.is_some()
                    || branch.members.iter().any(|(name, _)| merged.member(name).is_none())
                    || !branch.items.is_empty()
                    || !branch.prefix.is_empty()
                    || matches!(branch.additional, Additional::Typed(_))
                    || !branch.patterns.is_empty()
                    || branch.conditional_members
                    || self.of_format(&branch).is_some()
                    || branch.wide && branch.unsigned() && !merged.unsigned();
                if shapes {
                    break;
                }
            }
            if shapes {
                shaping.push(union.clone());
            }
        }
        Ok(shaping)
    }

    pub(super) fn union(
        &mut self,
        site: &Site,
        merged: Merged<'a>,
        union: UnionSite,
        hint: &Hint,
        depth: usize,
    ) -> Result<Lowered, Error> {
        let nullable = merged.types.has(Types::NULL);
        if union.branches.len() > limits::BRANCHES {
            return Ok(self.opaque(site, format!("it has more than {} branches", limits::BRANCHES)));
        }
        let plain = self.merged(&site.choose(&union.pointer, NO_BRANCH))?;
        let plain = plain.is_plain()
            && plain.format.is_none_or(|format| self.externs.format(format).is_none());
        let mut branches = Vec::new();
        for (at, schema) in union.branches.iter().enumerate() {
            let chosen = site.choose(&union.pointer, at).only(Types::ALL.without(Types::NULL));
            let merged = self.merged(&chosen)?;
            if merged.types.is_none() && merged.opaque.is_none() {
                continue;
            }
            // A branch that stands for itself shares its type with everyone who refers to the same definition.
            let direct = Site::of(vec![schema.clone()]);
            let itself = plain && self.merged(&direct)?.types.without(Types::NULL) == merged.types;
            let site = if itself { direct } else { chosen };
            branches.push(Branch { site, merged, schema: Some(schema.clone()) });
        }
        absorb_empty(&mut branches);
        if let [branch] = branches.as_slice() {
            let mut lowered = self.lower(branch.site.clone(), hint, &Mode::default(), depth)?;
            lowered.nullable |= nullable;
            return Ok(lowered);
        }
        if branches.iter().all(|branch| branch.merged.literals.is_some()) {
            let ty = self.literal_union(site, &merged, &branches, hint)?;
            return Ok(Lowered { ty, nullable });
        }
        if let Some(tag) = self.find_tag(&branches)? {
            let ty = self.tagged(site, &merged, &branches, &tag, hint, depth)?;
            return Ok(Lowered { ty, nullable });
        }
        self.guarded(site, merged, branches, hint, nullable, depth)
    }

    /// A schema with several types is a union of them.
    pub(super) fn type_union(
        &mut self,
        site: &Site,
        each: &[(Types, &'static str)],
        merged: Merged<'a>,
        hint: &Hint,
        nullable: bool,
        depth: usize,
    ) -> Result<Lowered, Error> {
        let mut branches = Vec::new();
        for (types, _) in each {
            let site = site.only(*types);
            let mut merged = self.merged(&site)?;
            // What describes the union does not describe its branches.
            (merged.title, merged.description, merged.rust_name) = (None, None, None);
            branches.push(Branch { site, merged, schema: None });
        }
        self.guarded(site, merged, branches, hint, nullable, depth)
    }

    fn literal_union(
        &mut self,
        site: &Site,
        merged: &Merged<'a>,
        branches: &[Branch<'a>],
        hint: &Hint,
    ) -> Result<RustType, Error> {
        let mut values: Vec<(Value, Option<String>, Option<String>)> = Vec::new();
        for branch in branches {
            let literals = branch.merged.literals.as_deref().unwrap_or_default();
            let own = literals.len() == 1;
            for literal in literals {
                if literal.is_null() || values.iter().any(|(known, ..)| known == *literal) {
                    continue;
                }
                let name = branch.schema.as_deref().filter(|_| own).and_then(|schema| {
                    self.document
                        .string_at(schema, "x-rust-name")
                        .or(self.document.string_at(schema, "title"))
                });
                let docs = branch.schema.as_deref().filter(|_| own);
                let docs = docs.and_then(|schema| self.document.string_at(schema, "description"));
                values.push(((*literal).clone(), name.map(str::to_owned), docs.map(str::to_owned)));
            }
        }
        self.literal_item(site, merged, hint, values)
    }

    fn tagged(
        &mut self,
        site: &Site,
        merged: &Merged<'a>,
        branches: &[Branch<'a>],
        tag: &str,
        hint: &Hint,
        depth: usize,
    ) -> Result<RustType, Error> {
        let item = self.draft(site, merged, hint, ItemKind::Alias(RustType::Value))?;
        let ty = RustType::Item(item);
        let lowered = Lowered { ty: ty.clone(), nullable: merged.types.has(Types::NULL) };
        self.done.insert((site.clone(), Mode::default()), State::Done(lowered));
        let mut variants: Vec<UnionVariant> = Vec::new();
        for branch in branches {
            let value = self.tag_value(&branch.merged, tag)?;
            let (site, _) = self.resolve(branch.site.clone(), hint);
            let mode = Mode { tag: Some(tag.to_owned()), keep: false };
            // Variants are named after the tag, which is what a caller writes.
            let mut ident =
                variant_override(&branch.merged).unwrap_or_else(|| emit::literal_name(&value));
            emit::make_unique(&mut ident, variants.iter().map(|variant| variant.ident.as_str()));
            let (_, child) = self.resolve(branch.site.clone(), &hint.child(&ident));
            let ty = match self.is_shared(&site) {
                // A shared definition is one type: it holds its tag, which can have no other value.
                true => self.lower(branch.site.clone(), &child, &Mode::default(), depth + 1)?.ty,
                false => match self.done.get(&(site.clone(), mode.clone())) {
                    Some(State::Done(lowered)) => lowered.ty.clone(),
                    _ => {
                        let merged = self.merged(&branch.site)?;
                        self.structure_at(site, merged, &child, mode, depth + 1)?
                    }
                },
            };
            variants.push(UnionVariant {
                ident,
                ty,
                guard: Guard::Tag(value),
                schemas: Vec::new(),
                docs: None,
            });
        }
        self.drafts[item].kind =
            ItemKind::Union { by: Discriminator::Tag(tag.to_owned()), variants };
        Ok(ty)
    }

    /// The member that has one constant in each branch, another in each.
    fn find_tag(&mut self, branches: &[Branch<'a>]) -> Result<Option<String>, Error> {
        let suits = |branch: &Branch<'_>| {
            branch.merged.types == Types::OBJECT
                && branch.merged.opaque.is_none()
                && branch.merged.unions.is_empty()
        };
        if branches.len() < 2 || !branches.iter().all(suits) {
            return Ok(None);
        }
        for (name, _) in &branches[0].merged.members {
            let mut seen: Vec<Value> = Vec::new();
            for branch in branches {
                let values = if branch.merged.requires(name) {
                    self.values(&branch.merged, name)?
                } else {
                    None
                };
                match values.as_deref() {
                    Some([value]) if !seen.contains(value) => seen.push(value.clone()),
                    _ => break,
                }
            }
            if seen.len() == branches.len() {
                return Ok(Some((*name).to_owned()));
            }
        }
        Ok(None)
    }

    /// Names after a member that all branches require, with other values in each: one branch with several values makes no
    /// tagged union, and renames no other.
    fn tag_names(&mut self, branches: &[Branch<'a>]) -> Result<Vec<Option<TagName>>, Error> {
        let none = || branches.iter().map(|_| None).collect::<Vec<_>>();
        if branches.len() < 2 || !branches.iter().all(|branch| branch.merged.types == Types::OBJECT)
        {
            return Ok(none());
        }
        for (name, _) in &branches[0].merged.members {
            let mut seen: Vec<Value> = Vec::new();
            let mut names = Vec::new();
            for branch in branches {
                let Some(values) = self.values(&branch.merged, name)? else { break };
                if !branch.merged.requires(name) || values.iter().any(|value| seen.contains(value))
                {
                    break;
                }
                let shown: Vec<String> = values.iter().take(3).map(emit::literal_name).collect();
                let more = if values.len() > shown.len() { "OrMore" } else { "" };
                let name = format!("{}{more}", shown.join("Or"));
                names.push(Some(TagName { name, single: values.len() == 1 }));
                seen.extend(values);
            }
            if names.len() == branches.len() {
                return Ok(names);
            }
        }
        Ok(none())
    }

    fn tag_value(&mut self, merged: &Merged<'a>, tag: &str) -> Result<Value, Error> {
        let schemas = merged.member(tag).unwrap_or_default().to_vec();
        let literals = self.merged(&Site::of(schemas))?.literals.unwrap_or_default();
        Ok(literals.first().map_or(Value::Null, |value| (*value).clone()))
    }

    /// A union whose branches are told apart by type, constant, required member, or their own schemas.
    fn guarded(
        &mut self,
        site: &Site,
        merged: Merged<'a>,
        mut branches: Vec<Branch<'a>>,
        hint: &Hint,
        nullable: bool,
        depth: usize,
    ) -> Result<Lowered, Error> {
        set_integers_apart(&mut branches);
        let item = self.draft(site, &merged, hint, ItemKind::Alias(RustType::Value))?;
        let itself = Lowered { ty: RustType::Item(item), nullable };
        self.done.insert((site.clone(), Mode::default()), State::Done(itself.clone()));

        let exact: Vec<Option<Guard>> =
            (0..branches.len()).map(|at| self.exact(&branches, &[at])).collect::<Result<_, _>>()?;
        let tags = self.tag_names(&branches)?;
        let names = variant_names(&branches, &tags, &self.document);
        let mut groups: Vec<Group> = Vec::new();
        for (at, branch) in branches.iter().enumerate() {
            let unsure = exact[at].is_none()
                && (0..branches.len()).any(|other| {
                    other != at
                        && exact[other].is_none()
                        && overlap(&branches[at].merged, &branches[other].merged)
                });
            let silent = branch.merged.additional == Additional::Silent;
            let keep = unsure && silent && branch.merged.types == Types::OBJECT;
            let mode = Mode { tag: None, keep };
            let lowered =
                self.lower(branch.site.clone(), &hint.child(&names[at]), &mode, depth + 1)?;
            let known = groups.iter_mut().find(|group| group.ty == lowered.ty);
            match known {
                Some(group) => group.members.push(at),
                None => groups.push(Group { ty: lowered.ty, members: vec![at] }),
            }
        }
        widen_integers(&mut groups, branches.iter().any(|branch| branch.merged.wide));
        if groups.iter().any(|group| group.ty == RustType::Value) {
            groups = vec![Group { ty: RustType::Value, members: Vec::new() }];
        }
        if let [group] = groups.as_slice()
            && !self.refers(item, &group.ty)
        {
            let ty = group.ty.clone();
            return Ok(Lowered { nullable: nullable || ty == RustType::Value, ty });
        }
        let variants = self.variants(&branches, &groups, &names)?;
        self.drafts[item].kind =
            ItemKind::Union { by: Discriminator::Guards(self.document.side), variants };
        Ok(itself)
    }

    fn variants(
        &mut self,
        branches: &[Branch<'a>],
        groups: &[Group],
        names: &[String],
    ) -> Result<Vec<UnionVariant>, Error> {
        let mut variants: Vec<(Types, UnionVariant)> = Vec::new();
        let mut unsure: Vec<(Types, UnionVariant)> = Vec::new();
        let mut numbers: Vec<(Types, UnionVariant)> = Vec::new();
        let fractions = branches.iter().any(|branch| branch.merged.types.has(Types::FRACTION));
        let integers = |group: &&Group| matches!(group.ty, RustType::I64 | RustType::U64);
        let several = groups.iter().filter(integers).count() > 1;
        for group in groups {
            let types = group
                .members
                .iter()
                .fold(Types::NONE, |types, at| types.or(branches[*at].merged.types));
            let types = if group.members.is_empty() { Types::ALL } else { types };
            let guard = self.exact(branches, &group.members)?;
            let own = |at: &usize| {
                branches[*at]
                    .schema
                    .as_deref()
                    .and_then(|schema| self.document.string_at(schema, "description"))
            };
            let docs = match group.members.as_slice() {
                [at] if !matches!(group.ty, RustType::Item(_) | RustType::Shared(_)) => own(at),
                _ => None,
            };
            let mut ident = group.members.first().map_or("Value".into(), |at| names[*at].clone());
            if group.members.len() > 1
                && let Some(name) = type_name(types)
            {
                ident = name.into();
            }
            if several && integers(&group) && ident.starts_with("Integer") {
                ident = if group.ty == RustType::U64 { "Unsigned" } else { "Signed" }.to_owned();
            }
            let taken = variants.iter().chain(&unsure).chain(&numbers);
            let taken = taken.map(|(_, variant)| variant.ident.as_str());
            emit::make_unique(&mut ident, taken);
            let mut named: Vec<&'static str> =
                types.each().into_iter().map(|(_, name)| name).collect();
            if (fractions && !types.has(Types::FRACTION)) || several && integers(&group) {
                // An integer that this branch cannot hold is left to one that holds it.
                let holds = self.integers_of(&group.ty);
                named.iter_mut().filter(|name| **name == "integer").for_each(|name| *name = holds);
            }
            let guard = match guard {
                Some(Guard::Types(_)) => Some(Guard::Types(named.clone())),
                other => other,
            };
            let variant = UnionVariant {
                ident,
                ty: group.ty.clone(),
                schemas: match guard {
                    Some(_) => Vec::new(),
                    None => {
                        group.members.iter().filter_map(|at| branches[*at].schema.clone()).collect()
                    }
                },
                docs: docs.map(str::to_owned),
                guard: guard.clone().unwrap_or(Guard::Types(named)),
            };
            match guard {
                // No guard says "a number that is not whole": it is asked once whole ones are taken.
                Some(_) if types.has(Types::FRACTION) && !types.has(Types::WHOLE) => {
                    numbers.push((types, variant))
                }
                Some(_) => variants.push((types, variant)),
                None => unsure.push((types, variant)),
            }
        }
        // What holds only whole numbers holds them exactly, and is asked before what rounds them.
        unsure.sort_by_key(|(types, _)| types.has(Types::FRACTION));
        // A value that the schema accepts and no earlier branch took belongs to the last one of its type.
        for at in 0..unsure.len() {
            let types = unsure[at].0;
            if !unsure[at + 1..].iter().any(|(later, _)| !later.and(types).is_none()) {
                unsure[at].1.schemas.clear();
            }
        }
        variants.extend(unsure);
        variants.extend(numbers);
        Ok(variants.into_iter().map(|(_, variant)| variant).collect())
    }

    /// The integers that a branch of this type holds, as a guard names them.
    fn integers_of(&self, ty: &RustType) -> &'static str {
        let unsigned = match ty {
            RustType::Item(item) => match &self.drafts[*item].kind {
                ItemKind::Union { variants, .. } => {
                    variants.iter().any(|variant| variant.ty == RustType::U64)
                }
                _ => return "integer",
            },
            ty => *ty == RustType::U64,
        };
        if unsigned { "u64" } else { "i64" }
    }

    /// A guard that is true for values of these branches and false for values of all others.
    fn exact(
        &mut self,
        branches: &[Branch<'a>],
        members: &[usize],
    ) -> Result<Option<Guard>, Error> {
        let types =
            members.iter().fold(Types::NONE, |types, at| types.or(branches[*at].merged.types));
        let rivals: Vec<usize> = (0..branches.len())
            .filter(|at| !members.contains(at) && !branches[*at].merged.types.and(types).is_none())
            .collect();
        if rivals.is_empty() {
            return Ok(Some(Guard::Types(
                types.each().into_iter().map(|(_, name)| name).collect(),
            )));
        }
        let [only] = members else { return Ok(None) };
        let merged = &branches[*only].merged;
        if types != Types::OBJECT {
            return Ok(None);
        }
        let required: Vec<&str> = merged.required.clone();
        for name in &required {
            if rivals.iter().all(|at| !branches[*at].merged.allows(name)) {
                return Ok(Some(Guard::Has((*name).to_owned())));
            }
        }
        for name in required {
            let Some(values) = self.tags(&branches[*only].merged, name)? else { continue };
            let mut apart = true;
            for at in &rivals {
                let rival = &branches[*at].merged;
                apart &= !rival.allows(name)
                    || self
                        .tags(rival, name)?
                        .is_some_and(|others| others.iter().all(|other| !values.contains(other)));
                if !apart {
                    break;
                }
            }
            if apart {
                return Ok(Some(Guard::Member(name.to_owned(), values)));
            }
        }
        Ok(None)
    }

    /// The values that a member can have, where a guard can name them.
    fn tags(&mut self, merged: &Merged<'a>, name: &str) -> Result<Option<Vec<Value>>, Error> {
        let values = self.values(merged, name)?;
        Ok(values.filter(|values| values.iter().all(is_tag)))
    }

    /// The values that a member can have, where they are few and no arrays or objects.
    fn values(&mut self, merged: &Merged<'a>, name: &str) -> Result<Option<Vec<Value>>, Error> {
        let Some(schemas) = merged.member(name) else { return Ok(None) };
        let literals = self.merged(&Site::of(schemas.to_vec()))?.literals;
        let scalar = |value: &&Value| !value.is_array() && !value.is_object();
        Ok(literals
            .filter(|values| !values.is_empty() && values.len() <= 20 && values.iter().all(scalar))
            .map(|values| values.into_iter().cloned().collect()))
    }

    /// Whether an item or a type made since refers to this item.
    fn refers(&mut self, item: usize, ty: &RustType) -> bool {
        let mut found = false;
        recursion::each_in(ty, &mut |index| found |= index == item);
        for draft in &mut self.drafts[item + 1..] {
            recursion::each_type(&mut draft.kind, &mut |index| found |= *index == item);
        }
        found
    }
}

fn is_tag(value: &Value) -> bool {
    match value {
        Value::String(_) | Value::Bool(_) => true,
        Value::Number(number) => number.is_i64(),
        _ => false,
    }
}

/// Integers of either sign are told apart by no value, so `i64` takes all, unless more are meant than it holds.
fn widen_integers(groups: &mut Vec<Group>, wide: bool) {
    let is_integer = |ty: &RustType| matches!(ty, RustType::I64 | RustType::U64);
    if wide || groups.iter().filter(|group| is_integer(&group.ty)).count() < 2 {
        return;
    }
    let Some(first) = groups.iter().position(|group| is_integer(&group.ty)) else { return };
    let mut members = Vec::new();
    groups.retain_mut(|group| {
        if is_integer(&group.ty) {
            members.append(&mut group.members);
        }
        !is_integer(&group.ty)
    });
    groups.insert(first.min(groups.len()), Group { ty: RustType::I64, members });
}

/// Beside branches that are any integer, a branch that is any number is there for the others.
fn set_integers_apart(branches: &mut [Branch<'_>]) {
    let plain = |branch: &Branch<'_>, types| {
        branch.merged.types == types && branch.merged.literals.is_none()
    };
    if branches.iter().any(|branch| plain(branch, Types::WHOLE)) {
        for branch in branches.iter_mut().filter(|branch| plain(branch, Types::NUMBER)) {
            branch.merged.types = Types::FRACTION;
        }
    }
}

/// Any string, or the empty string: that is any string.
fn absorb_empty(branches: &mut Vec<Branch<'_>>) {
    let empty = |branch: &Branch<'_>| matches!(branch.merged.literals.as_deref(), Some([Value::String(text)]) if text.is_empty());
    if branches
        .iter()
        .any(|branch| branch.merged.types == Types::STRING && branch.merged.literals.is_none())
    {
        branches.retain(|branch| !empty(branch));
    }
}

fn overlap(a: &Merged<'_>, b: &Merged<'_>) -> bool {
    !a.types.and(b.types).is_none()
}

fn variant_override(merged: &Merged<'_>) -> Option<String> {
    merged.rust_name.filter(|name| emit::is_type_name(name)).map(str::to_owned)
}

fn type_name(types: Types) -> Option<&'static str> {
    Some(match types {
        Types::BOOL => "Bool",
        Types::WHOLE => "Integer",
        Types::NUMBER | Types::FRACTION => "Number",
        Types::STRING => "Text",
        Types::ARRAY => "List",
        Types::OBJECT => "Object",
        _ => return None,
    })
}

/// What each branch is called: the one value of the member that tells branches apart, its title, the definition it refers
/// to, the values of that member, or what it is.
fn variant_names(
    branches: &[Branch<'_>],
    tags: &[Option<TagName>],
    document: &Document<'_>,
) -> Vec<String> {
    let mut names: Vec<String> = Vec::new();
    for (at, branch) in branches.iter().enumerate() {
        let merged = &branch.merged;
        let own = branch.schema.as_deref();
        let title = own.and_then(|schema| document.string_at(schema, "title"));
        let defined =
            own.map(|schema| document.resolve_alias(schema.to_owned())).and_then(|pointer| {
                let (_, name) = pointer.rsplit_once("/$defs/")?;
                (!name.contains('/')).then(|| pascal(&words(&unescape(name))))
            });
        let override_name = own.and_then(|schema| document.string_at(schema, "x-rust-name"));
        let tag = |single: bool| {
            tags[at].as_ref().filter(|tag| tag.single == single).map(|tag| tag.name.clone())
        };
        let mut name = override_name
            .filter(|name| emit::is_type_name(name))
            .map(str::to_owned)
            .or_else(|| tag(true))
            .or_else(|| title.and_then(emit::title_name))
            .or(defined)
            .or_else(|| tag(false))
            .unwrap_or_else(|| described(branches, at, merged));
        emit::make_unique(&mut name, names.iter().map(String::as_str));
        names.push(name);
    }
    names
}

fn described(branches: &[Branch<'_>], at: usize, merged: &Merged<'_>) -> String {
    if let Some([value]) = merged.literals.as_deref() {
        return emit::literal_name(value);
    }
    let Some(name) = type_name(merged.types) else { return "Other".into() };
    if merged.literals.is_some() {
        return "Known".into();
    }
    let twins = branches
        .iter()
        .enumerate()
        .filter(|(other, branch)| *other != at && branch.merged.types == merged.types);
    let twins: Vec<&Merged<'_>> = twins.map(|(_, branch)| &branch.merged).collect();
    if merged.types == Types::OBJECT && !twins.is_empty() {
        let mine =
            merged.required.iter().find(|name| twins.iter().all(|twin| !twin.requires(name)));
        let mine = mine.or_else(|| {
            merged
                .members
                .iter()
                .map(|(name, _)| name)
                .find(|name| twins.iter().all(|twin| twin.member(name).is_none()))
        });
        if let Some(mine) = mine {
            return pascal(&words(&format!("with {mine}")));
        }
    }
    name.into()
}
