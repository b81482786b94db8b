//! The one macro line that gives an item its wire form, broken where it is long.

use super::{Scope, json_literal, literal as text};
use crate::externs;
use crate::model::*;
use proc_macro2::Literal;
use serde_json::Value;

const WIDTH: usize = 100;

pub(super) fn form(item: &RustItem, scope: &Scope<'_>) -> String {
    let name = &item.name;
    match &item.kind {
        ItemKind::Struct { fields, rest } => {
            let mut entries: Vec<String> =
                fields.iter().map(|field| member(field, scope)).collect();
            if let Some(rest) = rest {
                let except = rest
                    .tag
                    .as_ref()
                    .map(|tag| format!(" except {}", text(tag)))
                    .unwrap_or_default();
                entries.push(format!("..{}{}{except}", rest.ident, via(&rest.ty)));
            }
            // A macro takes no comma after the rest.
            lay_out(&format!("object!({name}"), &entries, rest.is_none())
        }
        ItemKind::Literals(variants) => {
            let entries: Vec<String> = variants
                .iter()
                .map(|variant| format!("{} = {}", variant.ident, json(&variant.value)))
                .collect();
            lay_out(&format!("literals!({name}"), &entries, true)
        }
        ItemKind::Union { by: Discriminator::Tag(tag), variants } => {
            let entries: Vec<String> = variants
                .iter()
                .map(|variant| match &variant.guard {
                    Guard::Tag(value) => {
                        format!("{}{} = {}", variant.ident, via(&variant.ty), json(value))
                    }
                    _ => format!("{} = ()", variant.ident),
                })
                .collect();
            lay_out(&format!("union!({name} by {}", text(tag)), &entries, true)
        }
        ItemKind::Union { by: Discriminator::Guards(side), variants } => {
            let entries: Vec<String> = variants.iter().map(branch).collect();
            let of = if variants.iter().any(|variant| !variant.schemas.is_empty()) {
                format!(" of {side}")
            } else {
                String::new()
            };
            lay_out(&format!("union!({name}{of}"), &entries, true)
        }
        ItemKind::Alias(_) => String::new(),
    }
}

fn member(field: &RustField, scope: &Scope<'_>) -> String {
    let mut entry = field.ident.clone();
    if field.ident != field.wire {
        entry.push_str(&format!(" as {}", text(&field.wire)));
    }
    let via = via(&field.ty);
    entry.push_str(&via);
    match &field.presence {
        Presence::Defaulted(RustExpr::Json(json)) if !via.is_empty() => {
            entry.push_str(&format!(" = {}", json_literal(json)));
        }
        Presence::Required | Presence::Optional => {}
        Presence::Nullable => entry.push_str(" or null"),
        Presence::Defaulted(expr) => entry.push_str(&format!(" = {}", self::expr(expr, scope))),
    }
    entry
}

fn branch(variant: &UnionVariant) -> String {
    let mut entry = format!("{}{}", variant.ident, via(&variant.ty));
    match &variant.guard {
        Guard::Types(types) => entry.push_str(&format!(" if {}", types.join(" | "))),
        Guard::Has(name) => entry.push_str(&format!(" if {}", text(name))),
        Guard::Member(name, values) => {
            let values: Vec<String> = values.iter().map(json).collect();
            entry.push_str(&format!(" if {} = {}", text(name), values.join(" | ")));
        }
        Guard::Tag(_) => {}
    }
    if !variant.schemas.is_empty() {
        let pointers: Vec<String> = variant.schemas.iter().map(|schema| text(schema)).collect();
        entry.push_str(&format!(" at {}", pointers.join(" | ")));
    }
    entry
}

/// How a type of the user's own is read and written; nothing for one that is all ours.
fn via(ty: &RustType) -> String {
    let mut whats: Vec<&str> = Vec::new();
    externs::each(ty, &mut |external| {
        if !whats.contains(&external.what.as_str()) {
            whats.push(&external.what);
        }
    });
    match whats.is_empty() {
        true => String::new(),
        false => format!(" via ({}, {})", marker(ty), text(&whats.join(" or "))),
    }
}

/// A type's shape, with what converts its leaves in their place.
fn marker(ty: &RustType) -> String {
    match ty {
        RustType::Extern(external) if external.is_text => "convert::Text".into(),
        RustType::Extern(_) => "convert::Serde".into(),
        ty if !externs::any(ty) => "convert::Plain".into(),
        RustType::Vec(inner) => format!("Vec<{}>", marker(inner)),
        RustType::Map(inner) => format!("Map<String, {}>", marker(inner)),
        RustType::Option(inner) => format!("Option<{}>", marker(inner)),
        RustType::Maybe(inner) => format!("Maybe<{}>", marker(inner)),
        RustType::Tuple(types) => {
            let markers: Vec<String> = types.iter().map(marker).collect();
            let end = if markers.len() == 1 { ",)" } else { ")" };
            format!("({}{end}", markers.join(", "))
        }
        _ => "convert::Plain".into(),
    }
}

fn expr(expr: &RustExpr, scope: &Scope<'_>) -> String {
    match expr {
        RustExpr::None => "None".into(),
        RustExpr::Some(inner) => format!("Some({})", self::expr(inner, scope)),
        RustExpr::Bool(value) => value.to_string(),
        RustExpr::Integer(value) => grouped(&value.to_string()),
        RustExpr::Float(value) => grouped(&Literal::f64_unsuffixed(*value).to_string()),
        RustExpr::String(value) if value.is_empty() => "String::new()".into(),
        RustExpr::String(value) => format!("{}.into()", text(value)),
        RustExpr::Vec(items) => {
            let items: Vec<String> = items.iter().map(|item| self::expr(item, scope)).collect();
            format!("vec![{}]", items.join(", "))
        }
        RustExpr::EmptyMap => "Map::new()".into(),
        RustExpr::Variant(item, at) => {
            let item = &scope.module.items[*item];
            match &item.kind {
                ItemKind::Literals(variants) => format!("{}::{}", item.name, variants[*at].ident),
                _ => "()".into(),
            }
        }
        RustExpr::SharedVariant(number, variant) => {
            format!("{}::{variant}", scope.shared(*number))
        }
        RustExpr::Json(json) => format!("from_json({})?", json_literal(json)),
    }
}

/// A JSON value as the Rust literal that `literals!` and `union!` take.
fn json(value: &Value) -> String {
    match value {
        Value::Null => "()".into(),
        Value::Bool(value) => value.to_string(),
        Value::String(value) => text(value),
        Value::Number(number) => match (number.as_i64(), number.as_u64(), number.as_f64()) {
            (Some(whole), ..) if i32::try_from(whole).is_ok() => grouped(&whole.to_string()),
            (Some(whole), ..) => format!("{}_i64", grouped(&whole.to_string())),
            (_, Some(whole), _) => format!("{}_u64", grouped(&whole.to_string())),
            (_, _, Some(float)) if float.is_finite() => {
                format!("{}_f64", grouped(&Literal::f64_unsuffixed(float).to_string()))
            }
            _ => format!("Json({})", text(&number.to_string())),
        },
        other => format!("Json({})", json_literal(&other.to_string())),
    }
}

/// A number with its digits in groups of three, where there are more than a reader counts at a glance.
fn grouped(number: &str) -> String {
    let start = usize::from(number.starts_with('-'));
    let end =
        number[start..].find(|c: char| !c.is_ascii_digit()).map_or(number.len(), |at| start + at);
    let digits = &number[start..end];
    let mut grouped = number[..start].to_owned();
    for (at, digit) in digits.chars().enumerate() {
        if at > 0 && digits.len() > 5 && (digits.len() - at).is_multiple_of(3) {
            grouped.push('_');
        }
        grouped.push(digit);
    }
    grouped + &number[end..]
}

/// One line where it fits, else as many entries a line as fit.
fn lay_out(head: &str, entries: &[String], trailing_comma: bool) -> String {
    let one = match entries.is_empty() {
        true => format!("{head} {{}});\n"),
        false => format!("{head} {{ {} }});\n", entries.join(", ")),
    };
    if one.chars().count() <= WIDTH {
        return one;
    }
    let mut laid = format!("{head} {{\n");
    let mut line = String::from("   ");
    for (at, entry) in entries.iter().enumerate() {
        let comma = if trailing_comma || at + 1 < entries.len() { "," } else { "" };
        if line.len() > 3 && line.chars().count() + entry.chars().count() + 2 > WIDTH {
            laid.push_str(&line);
            laid.push('\n');
            line = String::from("   ");
        }
        line.push_str(&format!(" {entry}{comma}"));
    }
    laid.push_str(&line);
    laid.push_str("\n});\n");
    laid
}
