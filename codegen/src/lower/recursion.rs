//! Types that would contain themselves are boxed, at the edge that closes the circle and nowhere else.

use super::Draft;
use crate::model::{ItemKind, Presence, RustExpr, RustType};

/// Calls a function with every item that an item's kind names.
pub(super) fn each_type(kind: &mut ItemKind, visit: &mut dyn FnMut(&mut usize)) {
    each(kind, &mut |named| match named {
        Named::Type(RustType::Item(item)) | Named::Expr(RustExpr::Variant(item, _)) => visit(item),
        _ => {}
    });
}

/// Calls a function with every shared definition's item that an item's kind names.
pub(crate) fn each_shared(kind: &ItemKind, visit: &mut dyn FnMut(usize)) {
    each(&mut kind.clone(), &mut |named| match named {
        Named::Type(RustType::Shared(item)) | Named::Expr(RustExpr::SharedVariant(item, _)) => {
            visit(*item);
        }
        _ => {}
    });
}

/// Moves items to where they stand in their modules: an index in the same module, or the variants of an enum elsewhere.
pub(super) fn relocate(
    kind: &mut ItemKind,
    place: &mut dyn FnMut(usize) -> Result<usize, Vec<String>>,
) {
    each(kind, &mut |named| match named {
        Named::Type(ty) => {
            if let RustType::Item(item) = *ty {
                *ty = match place(item) {
                    Ok(here) => RustType::Item(here),
                    Err(_) => RustType::Shared(item),
                };
            }
        }
        Named::Expr(expr) => {
            if let RustExpr::Variant(item, at) = *expr {
                *expr = match place(item) {
                    Ok(here) => RustExpr::Variant(here, at),
                    Err(mut variants) if at < variants.len() => {
                        RustExpr::SharedVariant(item, variants.swap_remove(at))
                    }
                    Err(_) => return,
                };
            }
        }
    });
}

/// What can name an item.
enum Named<'a> {
    Type(&'a mut RustType),
    Expr(&'a mut RustExpr),
}

fn each(kind: &mut ItemKind, visit: &mut dyn FnMut(Named<'_>)) {
    match kind {
        ItemKind::Struct { fields, rest } => {
            for field in fields {
                each_mut(&mut field.ty, visit);
                if let Presence::Defaulted(expr) = &mut field.presence {
                    each_expr(expr, visit);
                }
            }
            if let Some(rest) = rest {
                each_mut(&mut rest.ty, visit);
            }
        }
        ItemKind::Literals(_) => {}
        ItemKind::Union { variants, .. } => {
            for variant in variants {
                each_mut(&mut variant.ty, visit);
            }
        }
        ItemKind::Alias(ty) => each_mut(ty, visit),
    }
}

fn each_expr(expr: &mut RustExpr, visit: &mut dyn FnMut(Named<'_>)) {
    match expr {
        RustExpr::Variant(..) | RustExpr::SharedVariant(..) => visit(Named::Expr(expr)),
        RustExpr::Some(inner) => each_expr(inner, visit),
        RustExpr::Vec(items) => items.iter_mut().for_each(|item| each_expr(item, visit)),
        _ => {}
    }
}

fn each_mut(ty: &mut RustType, visit: &mut dyn FnMut(Named<'_>)) {
    match ty {
        RustType::Item(_) | RustType::Shared(_) => visit(Named::Type(ty)),
        RustType::Vec(inner)
        | RustType::Map(inner)
        | RustType::Option(inner)
        | RustType::Maybe(inner)
        | RustType::Boxed(inner) => each_mut(inner, visit),
        RustType::Tuple(types) => types.iter_mut().for_each(|ty| each_mut(ty, visit)),
        _ => {}
    }
}

/// Calls a function with every item that a type names.
pub(super) fn each_in(ty: &RustType, visit: &mut dyn FnMut(usize)) {
    each_mut(&mut ty.clone(), &mut |named| {
        if let Named::Type(RustType::Item(index)) = named {
            visit(*index);
        }
    });
}

/// Boxes every edge that leads back to an item whose own fields are being laid out.
pub(super) fn box_cycles(drafts: &mut [Draft]) {
    #[derive(Clone, Copy, PartialEq)]
    enum Colour {
        New,
        Open,
        Closed,
    }
    let edges: Vec<Vec<usize>> = drafts.iter().map(|draft| held(&draft.kind)).collect();
    let mut colours = vec![Colour::New; drafts.len()];
    for start in 0..drafts.len() {
        // An explicit stack: a chain of definitions may be as long as the contract.
        let mut stack: Vec<(usize, usize)> = Vec::new();
        if colours[start] == Colour::New {
            colours[start] = Colour::Open;
            stack.push((start, 0));
        }
        while let Some((item, next)) = stack.last_mut() {
            let item = *item;
            let Some(&target) = edges[item].get(*next) else {
                colours[item] = Colour::Closed;
                stack.pop();
                continue;
            };
            *next += 1;
            match colours[target] {
                Colour::New => {
                    colours[target] = Colour::Open;
                    stack.push((target, 0));
                }
                Colour::Open => box_edges(&mut drafts[item].kind, target),
                Colour::Closed => {}
            }
        }
    }
}

/// The items that a kind holds in place: not behind a `Vec`, `Map` or `Box`.
fn held(kind: &ItemKind) -> Vec<usize> {
    let mut held = Vec::new();
    let mut kind = kind.clone();
    each_place(&mut kind, &mut |ty| {
        if let RustType::Item(index) = ty {
            held.push(*index);
        }
    });
    held
}

fn box_edges(kind: &mut ItemKind, target: usize) {
    each_place(kind, &mut |ty| {
        if *ty == RustType::Item(target) {
            *ty = RustType::Boxed(Box::new(RustType::Item(target)));
        }
    });
}

fn each_place(kind: &mut ItemKind, visit: &mut dyn FnMut(&mut RustType)) {
    match kind {
        ItemKind::Struct { fields, .. } => {
            fields.iter_mut().for_each(|field| in_place(&mut field.ty, visit))
        }
        ItemKind::Union { variants, .. } => {
            variants.iter_mut().for_each(|variant| in_place(&mut variant.ty, visit))
        }
        ItemKind::Literals(_) => {}
        ItemKind::Alias(ty) => in_place(ty, visit),
    }
}

fn in_place(ty: &mut RustType, visit: &mut dyn FnMut(&mut RustType)) {
    match ty {
        RustType::Option(inner) | RustType::Maybe(inner) => in_place(inner, visit),
        RustType::Tuple(types) => types.iter_mut().for_each(|ty| in_place(ty, visit)),
        RustType::Item(_) => visit(ty),
        _ => {}
    }
}
