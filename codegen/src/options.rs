//! What a project asks of its bindings beyond its contracts. Everything is checked before anything is rendered: an option
//! that is no Rust, or a pattern that fits nothing, is a fault and not silence.

use crate::Error;
use crate::model::{ItemKind, RustItem, RustModule};
use proc_macro2::TokenStream;
use quote::quote;
use toolcast_contract::{Catalog, Contract, one_line};

/// What is asked of bindings beyond their contracts; nothing by default.
///
/// A pattern is a text in which `*` stands for any characters. One for types is held against the path of a type below the
/// index, such as `boards::list_boards::Input` or `defs::board::Board`, and without `::` against its name alone. One for
/// contracts is held against the file without its ending, such as `boards/list_boards`, and against the tool's name.
///
/// ```
/// let options = toolcast_codegen::Options::default()
///     .exclude("internal/*")
///     .derive("defs::money::*", "Eq")
///     .type_attribute("OrderStatus", "#[non_exhaustive]");
/// ```
#[derive(Clone, Debug, Default)]
pub struct Options {
    attributes: Vec<(String, String)>,
    derives: Vec<(String, String)>,
    include: Vec<String>,
    exclude: Vec<String>,
    pub(crate) externs: Vec<(String, String)>,
}

impl Options {
    /// Puts an attribute, such as `#[non_exhaustive]`, on the types that a pattern fits.
    #[must_use]
    pub fn type_attribute(
        mut self,
        pattern: impl Into<String>,
        attribute: impl Into<String>,
    ) -> Self {
        self.attributes.push((pattern.into(), attribute.into()));
        self
    }

    /// Derives a trait, such as `Eq` or `my_crate::Row`, for the types that a pattern fits.
    #[must_use]
    pub fn derive(mut self, pattern: impl Into<String>, derive: impl Into<String>) -> Self {
        self.derives.push((pattern.into(), derive.into()));
        self
    }

    /// Has a type of the user's own, such as `::uuid::Uuid` or `crate::Money`, where a string has a `format`, or in the
    /// place of the shared definitions that a pattern fits.
    ///
    /// A string is read by the type's `FromStr` and written by its `Display`; a definition that is no string by serde's
    /// two traits. The type needs `Clone`, `Debug` and `PartialEq`, as the types that hold it have them.
    #[must_use]
    pub fn extern_type(mut self, what: impl Into<String>, path: impl Into<String>) -> Self {
        self.externs.push((what.into(), path.into()));
        self
    }

    /// Leaves out every contract that no such pattern fits.
    #[must_use]
    pub fn include(mut self, pattern: impl Into<String>) -> Self {
        self.include.push(pattern.into());
        self
    }

    /// Leaves out the contracts that a pattern fits.
    #[must_use]
    pub fn exclude(mut self, pattern: impl Into<String>) -> Self {
        self.exclude.push(pattern.into());
        self
    }

    /// The contracts that are asked for.
    pub(crate) fn select(&self, catalog: &Catalog) -> Result<Catalog, Error> {
        let mut faults = Vec::new();
        for (option, patterns) in [("include", &self.include), ("exclude", &self.exclude)] {
            for pattern in patterns {
                if !catalog.contracts.iter().any(|contract| is_of(pattern, contract)) {
                    faults.push(unused(option, pattern, "contract", "a file such as `boards/*`"));
                }
            }
        }
        if !faults.is_empty() {
            return Err(Error::Options(faults));
        }
        let mut selected = catalog.clone();
        selected.contracts.retain(|contract| {
            let any = |patterns: &[String]| patterns.iter().any(|one| is_of(one, contract));
            (self.include.is_empty() || any(&self.include)) && !any(&self.exclude)
        });
        Ok(selected)
    }

    pub(crate) fn selects(&self) -> bool {
        !self.include.is_empty() || !self.exclude.is_empty()
    }

    /// Faults of what is said of types.
    pub(crate) fn check(&self, modules: &[&RustModule]) -> Result<(), Error> {
        let mut faults = crate::externs::faults(&self.externs, modules);
        let fits = |pattern: &str| {
            modules.iter().any(|module| {
                let mut types = module.items.iter().filter(|item| is_type(item));
                types.any(|item| is_for(pattern, module, item))
            })
        };
        let attributes = self.attributes.iter().map(|option| ("type_attribute", option));
        let derives = self.derives.iter().map(|option| ("derive", option));
        for (option, (pattern, text)) in attributes.chain(derives) {
            let wanted = match option {
                "derive" => syn::parse_str::<syn::Path>(text).map(|_| ()),
                _ => attribute(text).map(|_| ()),
            };
            if let Err(error) = wanted {
                let example = if option == "derive" { "Eq" } else { "#[non_exhaustive]" };
                faults.push(format!(
                    "`{option}`: `{}` is none: {error}\n  help: write one such as `{example}`",
                    one_line(text)
                ));
            }
            if !fits(pattern) {
                faults.push(unused(option, pattern, "type", "a path such as `defs::*` or a name"));
            }
        }
        if faults.is_empty() { Ok(()) } else { Err(Error::Options(faults)) }
    }

    /// The attributes of one type.
    pub(crate) fn attributes(&self, module: &RustModule, item: &RustItem) -> TokenStream {
        let own = self.attributes.iter().filter(|(pattern, _)| is_for(pattern, module, item));
        let attributes = own.filter_map(|(_, text)| attribute(text).ok());
        let mut derives: Vec<&str> = Vec::new();
        for (pattern, derive) in &self.derives {
            let had = matches!(item.kind, ItemKind::Literals(_))
                && matches!(derive.as_str(), "Eq" | "Hash" | "Copy");
            if is_for(pattern, module, item) && !had && !derives.contains(&derive.as_str()) {
                derives.push(derive);
            }
        }
        let derives: Vec<syn::Path> =
            derives.into_iter().filter_map(|derive| syn::parse_str(derive).ok()).collect();
        let derives = (!derives.is_empty()).then(|| quote! { #[derive(#(#derives),*)] });
        quote! { #derives #(#attributes)* }
    }
}

fn is_type(item: &RustItem) -> bool {
    !matches!(item.kind, ItemKind::Alias(_))
}

/// An attribute's text as tokens: it must stand in front of a type.
fn attribute(text: &str) -> syn::Result<TokenStream> {
    let item: syn::ItemStruct = syn::parse_str(&format!("{text}\nstruct Type;"))?;
    let attributes = item.attrs;
    if attributes.is_empty() {
        return Err(syn::Error::new(proc_macro2::Span::call_site(), "there is no attribute"));
    }
    Ok(quote! { #(#attributes)* })
}

fn unused(option: &str, pattern: &str, what: &str, example: &str) -> String {
    format!(
        "`{option}`: no {what} fits `{}`\n  help: write {example}; `*` stands for any characters",
        one_line(pattern)
    )
}

fn is_of(pattern: &str, contract: &Contract) -> bool {
    let path = contract.source.as_str();
    fits(pattern, path.strip_suffix(".json").unwrap_or(path)) || fits(pattern, &contract.name)
}

fn is_for(pattern: &str, module: &RustModule, item: &RustItem) -> bool {
    let module: Vec<String> = module.parents.iter().chain([&module.ident]).cloned().collect();
    is_path_of(pattern, &module, &item.name)
}

/// Whether a pattern fits the type of a name in a module.
pub(crate) fn is_path_of(pattern: &str, module: &[String], name: &str) -> bool {
    match pattern.contains("::") {
        true => fits(pattern, &format!("{}::{name}", module.join("::"))),
        false => fits(pattern, name),
    }
}

/// Whether a text is what a pattern says. The first place for each part is as good as any later one.
fn fits(pattern: &str, text: &str) -> bool {
    let mut parts = pattern.split('*');
    let Some(mut rest) = parts.next().and_then(|first| text.strip_prefix(first)) else {
        return false;
    };
    let Some(last) = parts.next_back() else { return rest.is_empty() };
    for part in parts {
        match rest.find(part) {
            Some(at) => rest = &rest[at + part.len()..],
            None => return false,
        }
    }
    rest.ends_with(last)
}

#[cfg(test)]
mod tests {
    use super::fits;

    #[test]
    fn stars_stand_for_any_characters() {
        for (pattern, text, wanted) in [
            ("Input", "Input", true),
            ("Input", "Inputs", false),
            ("*", "", true),
            ("defs::*", "defs::board::Board", true),
            ("*::Board", "defs::board::Board", true),
            ("d*s::*::B*d", "defs::board::Board", true),
            ("a*a", "a", false),
            ("", "a", false),
        ] {
            assert_eq!(fits(pattern, text), wanted, "{pattern} {text}");
        }
    }
}
