//! Constraints on strings and numbers.

use super::super::decimal::Decimal;
use super::super::document::length;
use super::super::evaluate::bounds;
use super::super::types::Types;
use super::{Known, Schema, Subsumption};
use serde_json::Value;
use std::cmp::Ordering;

impl<'a> Subsumption<'a> {
    /// The largest of the old schema's lower limits.
    pub(super) fn at_least(&self, known: Known<'_, 'a>, keyword: &str) -> usize {
        known.shape.parts.iter().filter_map(|part| length(part, keyword)).max().unwrap_or(0)
    }

    /// The smallest of the old schema's upper limits.
    pub(super) fn at_most(&self, known: Known<'_, 'a>, keyword: &str) -> usize {
        let limits = known.shape.parts.iter().filter_map(|part| length(part, keyword));
        limits.min().unwrap_or(usize::MAX)
    }

    pub(super) fn string(&self, known: Known<'_, 'a>, keyword: &str, demand: &Value) -> bool {
        let own = Schema::from_iter([(keyword.to_owned(), demand.clone())]);
        match keyword {
            "minLength" => {
                length(&own, keyword).is_some_and(|wanted| self.at_least(known, keyword) >= wanted)
            }
            "maxLength" => {
                length(&own, keyword).is_some_and(|wanted| self.at_most(known, keyword) <= wanted)
            }
            "pattern" => demand.as_str().is_some_and(|pattern| {
                self.patterns.is_trivial(pattern)
                    || known.shape.parts.iter().any(|part| {
                        let old = part.get("pattern").and_then(Value::as_str);
                        old.is_some_and(|old| self.patterns.same(old, pattern))
                    })
            }),
            "format" if !self.dialect.formats => true,
            "format" | "contentEncoding" | "contentMediaType" => {
                known.shape.parts.iter().any(|part| part.get(keyword) == Some(demand))
            }
            _ => true,
        }
    }

    pub(super) fn number(&self, known: Known<'_, 'a>, new: &Schema, keyword: &str) -> bool {
        let whole = known.kind == Types::INTEGER;
        match keyword {
            "minimum" | "exclusiveMinimum" | "maximum" | "exclusiveMaximum" => {
                let written = ["minimum", "exclusiveMinimum", "maximum", "exclusiveMaximum"]
                    .iter()
                    .filter(|word| new.get(**word).is_some_and(Value::is_number))
                    .count();
                let wanted = bounds(new);
                // A limit past our arithmetic is not in the list, and nothing is claimed of it.
                wanted.len() == written
                    && wanted.into_iter().all(|wanted| {
                        let old = known.shape.parts.iter().flat_map(|part| bounds(part));
                        old.into_iter().any(|old| is_tighter(old, wanted, whole))
                    })
            }
            "multipleOf" => new.get(keyword).and_then(Decimal::of_value).is_some_and(|wanted| {
                let one = Decimal::integer(1);
                (whole && one.is_multiple_of(wanted) == Some(true))
                    || known.shape.parts.iter().any(|part| {
                        let old = part.get("multipleOf").and_then(Decimal::of_value);
                        old.is_some_and(|old| old.is_multiple_of(wanted) == Some(true))
                    })
            }),
            _ => true,
        }
    }
}

type Bound = (Decimal, bool, Ordering);

/// Whether `old` implies `wanted`.
pub(super) fn is_tighter(old: Bound, wanted: Bound, whole: bool) -> bool {
    if old.2 != wanted.2 {
        return false;
    }
    let closed = |(limit, inclusive, side): Bound| {
        let step = if side == Ordering::Greater { 1 } else { -1 };
        match limit.plus(Decimal::integer(step)) {
            Some(next) if whole && !inclusive && limit.is_integer() => (next, true, side),
            _ => (limit, inclusive, side),
        }
    };
    let (old, wanted) = (closed(old), closed(wanted));
    match old.0.compare(wanted.0) {
        Some(Ordering::Equal) => wanted.1 || !old.1,
        Some(order) => order == wanted.2,
        None => false,
    }
}
