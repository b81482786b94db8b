//! Types of the user's own in the place of generated ones. What stands for what is decided before anything is lowered;
//! what no place can hold is a fault.

use crate::definitions::Definitions;
use crate::lower::definition_name;
use crate::model::{Discriminator, ExternType, ItemKind, RustModule, RustType};
use crate::options::is_path_of;
use std::collections::HashMap;
use toolcast_contract::one_line;

/// The formats that a validator asserts, so that they tell a string from other strings.
const ASSERTED: [&str; 19] = [
    "date",
    "date-time",
    "duration",
    "email",
    "hostname",
    "idn-email",
    "idn-hostname",
    "ipv4",
    "ipv6",
    "iri",
    "iri-reference",
    "json-pointer",
    "regex",
    "relative-json-pointer",
    "time",
    "uri",
    "uri-reference",
    "uri-template",
    "uuid",
];

/// What stands for formats, and for shared definitions by their pointers in the document of definitions.
#[derive(Default)]
pub(crate) struct Externs {
    formats: HashMap<String, ExternType>,
    definitions: HashMap<String, ExternType>,
}

impl Externs {
    /// Of several that are asked for one thing, the first counts.
    pub(crate) fn of(asked: &[(String, String)], definitions: &Definitions) -> Self {
        let mut externs = Self::default();
        for (option, (what, path)) in asked.iter().enumerate() {
            let is_text = true;
            let path = path.clone();
            for definition in &definitions.all {
                let Some(name) = definition_name(definitions, &definition.pointer) else {
                    continue;
                };
                let place = definitions.files[definition.file].place.path();
                if is_path_of(what, &place, &name) {
                    let what = format!("a `{name}`");
                    let ty = ExternType { path: path.clone(), what, is_text, format: None, option };
                    externs.definitions.entry(definition.pointer.clone()).or_insert(ty);
                }
            }
            let expected = format!("a string of format `{}`", one_line(what));
            let format = Some(what.clone());
            let ty = ExternType { path, what: expected, is_text, format, option };
            externs.formats.entry(what.clone()).or_insert(ty);
        }
        externs
    }

    pub(crate) fn format(&self, format: &str) -> Option<&ExternType> {
        self.formats.get(format)
    }

    pub(crate) fn definition(&self, pointer: &str) -> Option<&ExternType> {
        self.definitions.get(pointer)
    }
}

/// The user's types that a type names itself, and not by an item that it names.
pub(crate) fn each<'a>(ty: &'a RustType, visit: &mut dyn FnMut(&'a ExternType)) {
    match ty {
        RustType::Extern(external) => visit(external),
        RustType::Vec(inner)
        | RustType::Map(inner)
        | RustType::Option(inner)
        | RustType::Maybe(inner)
        | RustType::Boxed(inner) => each(inner, visit),
        RustType::Tuple(types) => types.iter().for_each(|ty| each(ty, visit)),
        _ => {}
    }
}

/// Whether a type names a type of the user's itself.
pub(crate) fn any(ty: &RustType) -> bool {
    let mut found = false;
    each(ty, &mut |_| found = true);
    found
}

/// Faults of what is asked.
pub(crate) fn faults(asked: &[(String, String)], modules: &[&RustModule]) -> Vec<String> {
    let mut faults = Vec::new();
    let mut is_used = vec![false; asked.len()];
    for (module, item) in
        modules.iter().flat_map(|module| module.items.iter().map(move |item| (module, item)))
    {
        let mut visit = |ty| each(ty, &mut |external| is_used[external.option] = true);
        match &item.kind {
            ItemKind::Struct { fields, rest } => {
                fields.iter().for_each(|field| visit(&field.ty));
                rest.iter().for_each(|rest| visit(&rest.ty));
            }
            ItemKind::Union { variants, .. } => {
                variants.iter().for_each(|variant| visit(&variant.ty));
            }
            ItemKind::Alias(ty) => visit(ty),
            ItemKind::Literals(_) => {}
        }
        let place = one_line(module.source.as_str());
        match &item.kind {
            ItemKind::Alias(ty) => each(ty, &mut |external| {
                faults.push(format!(
                    "`extern_type`: {place}: its whole `{}` would be made of `{}`\n  \
                     help: make it an object with such a member; only a member or a branch is converted",
                    item.name,
                    one_line(&external.path)
                ));
            }),
            ItemKind::Union { by: Discriminator::Guards(_), variants } => {
                for variant in variants {
                    let RustType::Extern(external) = &variant.ty else { continue };
                    let Some(format) = &external.format else { continue };
                    if !variant.schemas.is_empty() && !ASSERTED.contains(&format.as_str()) {
                        faults.push(format!(
                            "`extern_type`: {place}: in `{}`, no validator tells a `{}` from the other strings\n  \
                             help: put that branch behind them, or leave out its `format`",
                            item.name,
                            one_line(format)
                        ));
                    }
                }
            }
            _ => {}
        }
    }
    for ((what, path), is_used) in asked.iter().zip(is_used) {
        let is_absolute = path.starts_with("::") || path.starts_with("crate::");
        if !is_absolute || syn::parse_str::<syn::TypePath>(path).is_err() {
            faults.push(format!(
                "`extern_type`: `{}` is no path of a type\n  help: write one such as `::uuid::Uuid` or `crate::Money`",
                one_line(path)
            ));
        }
        if !is_used {
            faults.push(format!(
                "`extern_type`: no string has the format `{0}`, and no shared definition that a contract uses fits it\n  \
                 help: write a format such as `uuid`, or a path such as `defs::money::Money`; the first that fits counts",
                one_line(what)
            ));
        }
    }
    faults
}
