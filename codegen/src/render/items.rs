//! The items of a tool's file, spelled with `quote`, checked by `syn` and formatted by `prettyplease`.

use super::{Scope, unspeakable, wire};
use crate::Error;
use crate::docs::doc_lines;
use crate::model::*;
use proc_macro2::{Ident, Span, TokenStream};
use quote::quote;

/// What stands for an item's wire form until the file is formatted.
const PLACEHOLDER: &str = "wire_form_of_item_";

/// The items of a module; `tool` is the name of the tool whose arguments and result they are.
pub(super) fn render(
    module: &RustModule,
    scope: &Scope<'_>,
    tool: Option<&str>,
) -> Result<String, Error> {
    let mut tokens = TokenStream::new();
    for (at, item) in module.items.iter().enumerate() {
        tokens.extend(self::item(scope, tool, item));
        let placeholder = ident(&format!("{PLACEHOLDER}{at}"));
        tokens.extend(quote! { #placeholder!(); });
    }
    let file = syn::parse2(tokens).map_err(|error| unspeakable(module, &error))?;
    Ok(lay_out(&prettyplease::unparse(&file), scope))
}

/// Puts a blank line between items, and each wire form right below its item.
fn lay_out(formatted: &str, scope: &Scope<'_>) -> String {
    let mut text = String::with_capacity(formatted.len() + 1024);
    let mut ended = false;
    for line in formatted.lines() {
        if let Some(rest) = line.strip_prefix(PLACEHOLDER) {
            let at = rest.trim_end_matches("!();").parse::<usize>().ok();
            if let Some(item) = at.and_then(|at| scope.module.items.get(at)) {
                text.push_str(&wire::form(item, scope));
            }
            ended = true;
            continue;
        }
        if ended {
            text.push('\n');
        }
        text.push_str(line);
        text.push('\n');
        ended = false;
    }
    text
}

fn item(scope: &Scope<'_>, tool: Option<&str>, item: &RustItem) -> TokenStream {
    let name = ident(&item.name);
    let text = match (item.name.as_str(), tool) {
        ("Input", Some(tool)) => Some(format!("Arguments of `{tool}`.")),
        ("Output", Some(tool)) => Some(format!("Result of `{tool}`.")),
        _ => item.docs.clone(),
    };
    let docs_of_item = docs(text.as_deref());
    let asked = scope.options.attributes(scope.module, item);
    match &item.kind {
        ItemKind::Struct { fields, rest } => {
            let fields = fields.iter().map(|field| {
                let (name, ty) = (ident(&field.ident), ty(&field.ty, scope));
                let mut text = field.docs.clone().unwrap_or_default();
                if let Some(note) = &field.note {
                    text.push_str(&format!("\n\nAny JSON value: {note}."));
                }
                let docs = docs(Some(&text));
                quote! { #docs pub #name: #ty, }
            });
            let rest = rest.iter().map(|rest| {
                let (name, ty) = (ident(&rest.ident), ty(&rest.ty, scope));
                quote! { #[doc = " Members that the contract does not declare."] pub #name: Map<String, #ty>, }
            });
            quote! {
                #docs_of_item
                #[derive(Clone, Debug, PartialEq)]
                #asked
                pub struct #name { #(#fields)* #(#rest)* }
            }
        }
        ItemKind::Literals(variants) => {
            let variants = variants.iter().map(|variant| {
                let (name, docs) = (ident(&variant.ident), docs(variant.docs.as_deref()));
                quote! { #docs #name, }
            });
            quote! {
                #docs_of_item
                #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
                #asked
                pub enum #name { #(#variants)* }
            }
        }
        ItemKind::Union { variants, .. } => {
            let variants = variants.iter().map(|variant| {
                let (name, ty) = (ident(&variant.ident), ty(&variant.ty, scope));
                let docs = docs(variant.docs.as_deref());
                quote! { #docs #name(#ty), }
            });
            quote! {
                #docs_of_item
                #[derive(Clone, Debug, PartialEq)]
                #asked
                pub enum #name { #(#variants)* }
            }
        }
        ItemKind::Alias(target) => {
            let target = ty(target, scope);
            quote! { #docs_of_item pub type #name = #target; }
        }
    }
}

fn ty(ty: &RustType, scope: &Scope<'_>) -> TokenStream {
    let of = |inner: &RustType| self::ty(inner, scope);
    match ty {
        RustType::Bool => quote! { bool },
        RustType::I64 => quote! { i64 },
        RustType::U64 => quote! { u64 },
        RustType::F64 => quote! { f64 },
        RustType::String => quote! { String },
        RustType::Unit => quote! { () },
        RustType::Value => quote! { Value },
        RustType::Vec(inner) => {
            let inner = of(inner);
            quote! { Vec<#inner> }
        }
        RustType::Map(inner) => {
            let inner = of(inner);
            quote! { Map<String, #inner> }
        }
        RustType::Tuple(types) => {
            let types = types.iter().map(of);
            quote! { (#(#types,)*) }
        }
        RustType::Option(inner) => {
            let inner = of(inner);
            quote! { Option<#inner> }
        }
        RustType::Maybe(inner) => {
            let inner = of(inner);
            quote! { Maybe<#inner> }
        }
        RustType::Boxed(inner) => {
            let inner = of(inner);
            quote! { Box<#inner> }
        }
        RustType::Extern(external) => {
            // Its path is checked before anything is rendered.
            let path = syn::parse_str::<syn::TypePath>(&external.path);
            path.map_or_else(|_| quote! { Value }, |path| quote! { #path })
        }
        RustType::Item(index) => {
            let name = ident(&scope.module.items[*index].name);
            quote! { #name }
        }
        RustType::Shared(number) => {
            let path = scope.shared(*number).split("::").map(ident);
            quote! { #(#path)::* }
        }
    }
}

fn docs(text: Option<&str>) -> TokenStream {
    let lines = text.map(doc_lines).unwrap_or_default();
    quote! { #(#[doc = #lines])* }
}

fn ident(name: &str) -> Ident {
    match name.strip_prefix("r#") {
        Some(raw) => Ident::new_raw(raw, Span::call_site()),
        None => Ident::new(name, Span::call_site()),
    }
}
