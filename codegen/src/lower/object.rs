//! Objects: a struct where members are declared, a map where none are.

use super::*;
use crate::names::snake;
use crate::reserved;

impl<'a> Lowering<'a> {
    pub(super) fn object(
        &mut self,
        site: &Site,
        merged: Merged<'a>,
        hint: &Hint,
        mode: &Mode,
        depth: usize,
    ) -> Result<RustType, Error> {
        let declares = !merged.members.is_empty() || !merged.required.is_empty();
        let undeclared = merged.required.iter().filter(|name| merged.member(name).is_none());
        if merged.members.len() + undeclared.count() > limits::MEMBERS {
            self.note(site, format!("it has more than {} members", limits::MEMBERS));
            return Ok(RustType::Map(Box::new(RustType::Value)));
        }
        let closed = merged.additional == Additional::Closed && merged.patterns.is_empty();
        if declares || closed {
            return self.structure_at(site.clone(), merged, hint, mode.clone(), depth);
        }
        let member = self.undeclared(site, &merged, hint, depth)?;
        Ok(RustType::Map(Box::new(member)))
    }

    /// A struct for a site, whatever its members.
    pub(super) fn structure(
        &mut self,
        site: Site,
        merged: Merged<'a>,
        hint: &Hint,
        mode: Mode,
    ) -> Result<RustType, Error> {
        self.structure_at(site, merged, hint, mode, 0)
    }

    pub(super) fn structure_at(
        &mut self,
        site: Site,
        merged: Merged<'a>,
        hint: &Hint,
        mode: Mode,
        depth: usize,
    ) -> Result<RustType, Error> {
        let item = self.draft(&site, &merged, hint, ItemKind::Alias(RustType::Value))?;
        let ty = RustType::Item(item);
        // Members may refer back to this struct.
        let lowered = Lowered { ty: ty.clone(), nullable: merged.types.has(Types::NULL) };
        self.done.insert((site.clone(), mode.clone()), State::Done(lowered));

        let mut fields = Vec::new();
        for (name, schemas) in &merged.members {
            if mode.tag.as_deref() != Some(*name)
                && let Some(field) = self.field(name, schemas, &merged, hint, depth)?
            {
                fields.push(field);
            }
        }
        for name in &merged.required {
            if merged.member(name).is_none()
                && mode.tag.as_deref() != Some(*name)
                && merged.allows(name)
            {
                fields.push(RustField {
                    ident: String::new(),
                    wire: (*name).to_owned(),
                    ty: RustType::Value,
                    presence: Presence::Required,
                    docs: None,
                    note: None,
                });
            }
        }
        let explicit = matches!(merged.additional, Additional::Open | Additional::Typed(_));
        // Without `properties`, an object is a map by nature: names that are merely required close nothing.
        let nameless = merged.members.is_empty() && !merged.required.is_empty();
        let kept = merged.additional == Additional::Silent
            && (mode.keep || nameless || merged.conditional_members);
        let rest = if explicit || kept || !merged.patterns.is_empty() {
            let ty = self.undeclared(&site, &merged, hint, depth)?;
            Some(Rest { ident: String::new(), ty, tag: mode.tag })
        } else {
            None
        };
        self.drafts[item].kind = ItemKind::Struct { fields, rest };
        Ok(ty)
    }

    fn field(
        &mut self,
        name: &str,
        schemas: &[String],
        parent: &Merged<'a>,
        hint: &Hint,
        depth: usize,
    ) -> Result<Option<RustField>, Error> {
        let site = Site::of(schemas.to_vec());
        let merged = self.document.annotated(&site, &mut self.budget)?;
        let forbidden =
            schemas.iter().any(|schema| self.document.at(schema) == Some(&Value::Bool(false)));
        if forbidden && !parent.requires(name) {
            // The member can never be there.
            return Ok(None);
        }
        let own = schemas.iter().find_map(|schema| self.document.string_at(schema, "description"));
        let mut child = hint.child(name);
        child.described = own.is_some();
        let lowered = self.lower(site, &child, &Mode::default(), depth + 1)?;
        let note = self.failed.take();
        let docs = match &lowered.ty {
            RustType::Item(_) | RustType::Shared(_) => own,
            _ => merged.description,
        };
        let required = parent.requires(name);
        let default = merged.default.filter(|_| !required);
        let default = default.and_then(|value| {
            let items = defaults::Items {
                own: &self.drafts,
                shared: self.shared.map_or(&[], |shared| shared.drafts()),
            };
            items.presence(&lowered, value)
        });
        let (ty, presence) = match (required, default) {
            (true, _) => {
                let nullable =
                    lowered.nullable && !matches!(lowered.ty, RustType::Value | RustType::Unit);
                (lowered.present(), if nullable { Presence::Nullable } else { Presence::Required })
            }
            (false, Some(expr)) => (lowered.present(), Presence::Defaulted(expr)),
            (false, None) if lowered.nullable => {
                (RustType::Maybe(Box::new(lowered.ty)), Presence::Optional)
            }
            (false, None) => (RustType::Option(Box::new(lowered.ty)), Presence::Optional),
        };
        let ident = merged.rust_name.filter(|name| snake_like(name)).unwrap_or_default().to_owned();
        Ok(Some(RustField {
            ident,
            wire: name.to_owned(),
            ty,
            presence,
            docs: docs.map(str::to_owned),
            note,
        }))
    }

    /// The type of members that are not declared.
    fn undeclared(
        &mut self,
        site: &Site,
        merged: &Merged<'a>,
        hint: &Hint,
        depth: usize,
    ) -> Result<RustType, Error> {
        let mut sites: Vec<Site> =
            merged.patterns.iter().map(|pattern| Site::of(vec![pattern.clone()])).collect();
        match &merged.additional {
            Additional::Silent | Additional::Open => return Ok(RustType::Value),
            Additional::Typed(schemas) => sites.push(Site::of(schemas.clone())),
            Additional::Closed => {}
        }
        let each = hint.each("Value");
        let mut types = Vec::new();
        for site in sites {
            // A pattern that nothing fits says which names may not be there.
            if self.merged(&site)?.types.is_none() {
                continue;
            }
            let ty = self.lower(site, &each, &Mode::default(), depth + 1)?.present();
            if !types.contains(&ty) {
                types.push(ty);
            }
        }
        match types.len() {
            1 => Ok(types.swap_remove(0)),
            0 => Ok(RustType::Value),
            _ => {
                self.note(site, "its patterns give members different types");
                Ok(RustType::Value)
            }
        }
    }
}

/// Whether an `x-rust-name` is meant for a field.
pub(super) fn snake_like(name: &str) -> bool {
    !name.is_empty()
        && name.starts_with(|c: char| c.is_ascii_lowercase())
        && snake(&words(name)) == name
        && !reserved::is_never_raw(name)
}
