//! Defaults as Rust expressions. A default that its type cannot hold is no default.

use super::{Draft, Lowered};
use crate::externs;
use crate::model::*;
use serde_json::Value;

/// The items that a type may name.
#[derive(Clone, Copy)]
pub(super) struct Items<'a> {
    pub(super) own: &'a [Draft],
    /// Those of shared definitions; they name each other as their own.
    pub(super) shared: &'a [Draft],
}

impl<'a> Items<'a> {
    /// The expression that fills an absent member of this type.
    pub(super) fn presence(self, lowered: &Lowered, value: &Value) -> Option<RustExpr> {
        match (&lowered.ty, value) {
            // The run time converts it, and says where it cannot.
            (ty, value) if externs::any(ty) => {
                let fits = lowered.nullable && value.is_null() || fits(ty, value, self, 0);
                fits.then(|| RustExpr::Json(value.to_string()))
            }
            (RustType::Value, value) => Some(RustExpr::Json(value.to_string())),
            (RustType::Unit, _) => None,
            (_, Value::Null) if lowered.nullable => Some(RustExpr::None),
            (ty, value) if lowered.nullable => {
                Some(RustExpr::Some(Box::new(expr(ty, value, self)?)))
            }
            (ty, value) => expr(ty, value, self),
        }
    }

    /// The item of a type, and the items that it names in turn.
    fn get(self, ty: &RustType) -> Option<(&'a ItemKind, Self)> {
        match ty {
            RustType::Item(item) => Some((&self.own[*item].kind, self)),
            RustType::Shared(item) => {
                let inner = Self { own: self.shared, shared: self.shared };
                Some((&self.shared[*item].kind, inner))
            }
            _ => None,
        }
    }
}

fn expr(ty: &RustType, value: &Value, items: Items<'_>) -> Option<RustExpr> {
    Some(match (ty, value) {
        (RustType::Bool, Value::Bool(value)) => RustExpr::Bool(*value),
        (RustType::I64, value) => {
            RustExpr::Integer(whole(value).filter(|whole| i64::try_from(*whole).is_ok())?)
        }
        (RustType::U64, value) => {
            RustExpr::Integer(whole(value).filter(|whole| u64::try_from(*whole).is_ok())?)
        }
        (RustType::F64, Value::Number(value)) => {
            RustExpr::Float(value.as_f64().filter(|float| float.is_finite())?)
        }
        (RustType::String, Value::String(value)) => RustExpr::String(value.clone()),
        (RustType::Option(_), Value::Null) => RustExpr::None,
        (RustType::Option(inner), value) => RustExpr::Some(Box::new(expr(inner, value, items)?)),
        (RustType::Vec(inner), Value::Array(values)) if values.len() <= 8 => {
            let simple: Option<Vec<RustExpr>> =
                values.iter().map(|item| expr(inner, item, items)).collect();
            match simple {
                Some(items) if !items.iter().any(|item| matches!(item, RustExpr::Json(_))) => {
                    RustExpr::Vec(items)
                }
                Some(_) => RustExpr::Json(value.to_string()),
                None => return None,
            }
        }
        (RustType::Map(_), Value::Object(members)) if members.is_empty() => RustExpr::EmptyMap,
        (RustType::Item(item) | RustType::Shared(item), value) => match items.get(ty)?.0 {
            ItemKind::Literals(variants) => {
                let at = variants.iter().position(|variant| same(&variant.value, value))?;
                match ty {
                    RustType::Item(_) => RustExpr::Variant(*item, at),
                    _ => RustExpr::SharedVariant(*item, variants[at].ident.clone()),
                }
            }
            _ if fits(ty, value, items, 0) => RustExpr::Json(value.to_string()),
            _ => return None,
        },
        (ty, value) if fits(ty, value, items, 0) => RustExpr::Json(value.to_string()),
        _ => return None,
    })
}

fn whole(value: &Value) -> Option<i128> {
    let number = value.as_number()?;
    let float = || {
        number
            .as_f64()
            .filter(|float| float.fract() == 0.0 && float.abs() < 9e15)
            .map(|float| float as i128)
    };
    number.as_i64().map(i128::from).or_else(|| number.as_u64().map(i128::from)).or_else(float)
}

fn same(a: &Value, b: &Value) -> bool {
    a == b || (a.is_number() && b.is_number() && a.as_f64() == b.as_f64())
}

/// Whether a value decodes into a type. What only a schema can decide counts as no.
fn fits(ty: &RustType, value: &Value, known: Items<'_>, depth: usize) -> bool {
    if depth > 32 {
        return false;
    }
    let fits = |ty: &RustType, value: &Value| fits(ty, value, known, depth + 1);
    match (ty, value) {
        (RustType::Value, _) | (RustType::Option(_) | RustType::Maybe(_), Value::Null) => true,
        (RustType::Unit, value) => value.is_null(),
        (RustType::Bool, value) => value.is_boolean(),
        (RustType::I64, value) => whole(value).is_some_and(|whole| i64::try_from(whole).is_ok()),
        (RustType::U64, value) => whole(value).is_some_and(|whole| u64::try_from(whole).is_ok()),
        (RustType::F64, value) => value.as_f64().is_some_and(f64::is_finite),
        (RustType::String, value) => value.is_string(),
        (RustType::Extern(external), value) => value.is_string() || !external.is_text,
        (RustType::Option(inner) | RustType::Maybe(inner) | RustType::Boxed(inner), value) => {
            fits(inner, value)
        }
        (RustType::Vec(inner), Value::Array(items)) => items.iter().all(|item| fits(inner, item)),
        (RustType::Map(inner), Value::Object(members)) => {
            members.values().all(|member| fits(inner, member))
        }
        (RustType::Tuple(types), Value::Array(items)) => {
            types.len() == items.len() && types.iter().zip(items).all(|(ty, item)| fits(ty, item))
        }
        (RustType::Item(_) | RustType::Shared(_), value) => {
            known.get(ty).is_some_and(|(kind, known)| fits_item(kind, value, known, depth + 1))
        }
        _ => false,
    }
}

fn fits_item(kind: &ItemKind, value: &Value, known: Items<'_>, depth: usize) -> bool {
    let fits = |ty: &RustType, value: &Value| fits(ty, value, known, depth);
    match (kind, value) {
        (ItemKind::Literals(variants), value) => {
            variants.iter().any(|variant| same(&variant.value, value))
        }
        (ItemKind::Struct { fields, rest }, Value::Object(members)) => {
            fields.iter().all(|field| match members.get(&field.wire) {
                Some(member) => fits(&field.ty, member),
                None => matches!(field.presence, Presence::Optional | Presence::Defaulted(_)),
            }) && rest.as_ref().is_none_or(|rest| {
                let declared = |name: &String| fields.iter().any(|field| field.wire == **name);
                members.iter().all(|(name, member)| declared(name) || fits(&rest.ty, member))
            })
        }
        (ItemKind::Union { by: Discriminator::Tag(tag), variants }, Value::Object(members)) => {
            variants.iter().any(|variant| match (&variant.guard, members.get(tag)) {
                (Guard::Tag(wire), Some(value)) => {
                    same(wire, value) && fits(&variant.ty, &Value::Object(members.clone()))
                }
                _ => false,
            })
        }
        (ItemKind::Union { variants, .. }, value) => {
            variants.iter().any(|variant| fits(&variant.ty, value))
        }
        _ => false,
    }
}
