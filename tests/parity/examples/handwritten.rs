//! The types of a schemas folder as a person would write them with serde's derives, for comparing compile times:
//! `handwritten SCHEMAS FILE [--types-only]`. Types, each tool's input and output read from a value and written to one
//! unless told otherwise; no contract, no handler.

use camino::Utf8Path;
use std::fmt::Write;
use toolcast_codegen::model::{
    Discriminator, Guard, ItemKind, Presence, RustItem, RustModule, RustType,
};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut arguments = std::env::args().skip(1);
    let (Some(schemas), Some(file)) = (arguments.next(), arguments.next()) else {
        return Err("usage: handwritten SCHEMAS FILE [--types-only]".into());
    };
    let types_only = arguments.next().as_deref() == Some("--types-only");
    let (catalog, _) = toolcast_contract::load(Utf8Path::new(&schemas));
    let mut text = "#![allow(dead_code, unused_imports)]\n".to_owned();
    for (index, contract) in catalog.contracts.iter().enumerate() {
        let module = toolcast_codegen::lower(contract, Vec::new(), format!("tool_{index}"))?;
        writeln!(
            text,
            "pub mod tool_{index} {{\n    use serde::{{Deserialize, Serialize}};\n    use serde_json::Value;"
        )?;
        for item in &module.items {
            write_item(&mut text, &module, item)?;
        }
        let is_root = |item: &&RustItem| ["Input", "Output"].contains(&&*item.name);
        for root in module.items.iter().filter(is_root).filter(|_| !types_only) {
            write_use(&mut text, &root.name)?;
        }
        text.push_str("}\n");
    }
    std::fs::write(file, text)?;
    Ok(())
}

/// Reads and writes a type: derives are generic, and cost next to nothing in a library that does neither.
fn write_use(text: &mut String, name: &str) -> std::fmt::Result {
    let small = name.to_lowercase();
    writeln!(
        text,
        "    pub fn read_{small}(value: Value) -> serde_json::Result<{name}> {{\n        serde_json::from_value(value)\n    }}"
    )?;
    writeln!(
        text,
        "    pub fn write_{small}(value: &{name}) -> serde_json::Result<Value> {{\n        serde_json::to_value(value)\n    }}"
    )
}

fn write_item(text: &mut String, module: &RustModule, item: &RustItem) -> std::fmt::Result {
    let name = &item.name;
    let derives = "    #[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]";
    match &item.kind {
        ItemKind::Struct { fields, rest } => {
            writeln!(text, "{derives}\n    pub struct {name} {{")?;
            for field in fields {
                if field.ident != field.wire {
                    writeln!(text, "        #[serde(rename = {:?})]", field.wire)?;
                }
                match field.presence {
                    Presence::Optional => {
                        writeln!(
                            text,
                            "        #[serde(default, skip_serializing_if = \"Option::is_none\")]"
                        )?;
                    }
                    // A person writes a function for it; an empty value costs the compiler as much as any other.
                    Presence::Defaulted(_) => writeln!(text, "        #[serde(default)]")?,
                    Presence::Required | Presence::Nullable => {}
                }
                let defaulted = matches!(field.presence, Presence::Defaulted(_));
                let ty = spell(module, &field.ty);
                // `default` needs a type that has one.
                let ty =
                    if defaulted && has_item(&field.ty) { format!("Option<{ty}>") } else { ty };
                writeln!(text, "        pub {}: {ty},", field.ident)?;
            }
            if let Some(rest) = rest {
                let ty = spell(module, &rest.ty);
                writeln!(
                    text,
                    "        #[serde(flatten)]\n        pub {}: std::collections::BTreeMap<String, {ty}>,",
                    rest.ident
                )?;
            }
            writeln!(text, "    }}")
        }
        ItemKind::Literals(variants) => {
            writeln!(text, "{derives}\n    pub enum {name} {{")?;
            for variant in variants {
                let wire =
                    variant.value.as_str().map_or_else(|| variant.value.to_string(), str::to_owned);
                writeln!(text, "        #[serde(rename = {wire:?})]\n        {},", variant.ident)?;
            }
            writeln!(text, "    }}")
        }
        ItemKind::Union { by, variants } => {
            let how = match by {
                Discriminator::Tag(tag) => format!("tag = {tag:?}"),
                Discriminator::Guards(_) => "untagged".to_owned(),
            };
            writeln!(text, "{derives}\n    #[serde({how})]\n    pub enum {name} {{")?;
            for variant in variants {
                if let Guard::Tag(tag) = &variant.guard {
                    let wire = tag.as_str().map_or_else(|| tag.to_string(), str::to_owned);
                    writeln!(text, "        #[serde(rename = {wire:?})]")?;
                }
                writeln!(text, "        {}({}),", variant.ident, spell(module, &variant.ty))?;
            }
            writeln!(text, "    }}")
        }
        ItemKind::Alias(ty) => writeln!(text, "    pub type {name} = {};", spell(module, ty)),
    }
}

fn has_item(ty: &RustType) -> bool {
    matches!(ty, RustType::Item(_) | RustType::Boxed(_) | RustType::Tuple(_))
}

fn spell(module: &RustModule, ty: &RustType) -> String {
    let inner = |ty: &RustType| spell(module, ty);
    match ty {
        RustType::Bool => "bool".to_owned(),
        RustType::I64 => "i64".to_owned(),
        RustType::U64 => "u64".to_owned(),
        RustType::F64 => "f64".to_owned(),
        RustType::String => "String".to_owned(),
        RustType::Unit => "()".to_owned(),
        RustType::Value => "Value".to_owned(),
        RustType::Vec(ty) => format!("Vec<{}>", inner(ty)),
        RustType::Map(ty) => format!("std::collections::BTreeMap<String, {}>", inner(ty)),
        RustType::Tuple(all) => {
            format!("({},)", all.iter().map(inner).collect::<Vec<_>>().join(", "))
        }
        RustType::Option(ty) => format!("Option<{}>", inner(ty)),
        RustType::Maybe(ty) => format!("Option<Option<{}>>", inner(ty)),
        RustType::Boxed(ty) => format!("Box<{}>", inner(ty)),
        RustType::Item(index) => module.items[*index].name.clone(),
        // Whoever writes one tool by hand has no module that others share, nor types of their own.
        RustType::Shared(_) | RustType::Extern(_) => "Value".to_owned(),
    }
}
