//! That two schemas share no value: what `not` and `oneOf` ask for.

use super::super::document::{entries, names};
use super::super::evaluate::bounds;
use super::super::numbers::Line;
use super::super::strings;
use super::super::truth::Formula;
use super::super::types::Types;
use super::{Known, Schema, Subsumption};
use serde_json::Value;
use std::cmp::Ordering;

impl<'a> Subsumption<'a> {
    /// Whether `new` rejects every value of which `known` holds.
    pub(super) fn excludes(
        &self,
        known: Known<'_, 'a>,
        new: &'a Value,
        depth: u32,
        level: u32,
    ) -> bool {
        if !self.possible(known) {
            return true;
        }
        let schema = match new {
            Value::Bool(all) => return !*all,
            Value::Object(schema) => schema,
            _ => return false,
        };
        if self.spent() || depth >= super::DEPTH {
            return false;
        }
        let deeper = |branch: &'a Value| self.excludes(known, branch, depth + 1, level);
        if let Some(reference) = self.new.reference(schema) {
            if self.new.target(reference).is_some_and(deeper) {
                return true;
            }
            if !self.new.reads_siblings() {
                return false;
            }
        }
        if !known.kind.meets(Types::declared(schema, self.new)) {
            return true;
        }
        if let Some(values) = self.finite(known)
            && values.iter().all(|value| self.accepts(self.new, new, value) == Some(false))
        {
            return true;
        }
        if known.kind == Types::STRING {
            let both = Formula::All(vec![
                self.known_text(known),
                strings::text(self.new, self.dialect, new),
            ]);
            if self.languages.is_empty(&both) {
                return true;
            }
        }
        if known.kind.within(Types::NUMBER) && self.old.draft == self.new.draft {
            let line = Line { document: self.old, kind: known.kind };
            let demanded = Line { document: self.new, ..line }.number(new);
            if line.within(&super::known_number(line, known), &demanded.not()) {
                return true;
            }
        }
        let branches = |keyword: &str| schema.get(keyword).and_then(Value::as_array);
        self.literals_differ(known, schema)
            || branches("allOf").is_some_and(|all| all.iter().any(deeper))
            || branches("anyOf").is_some_and(|any| any.iter().all(deeper))
            || branches("oneOf").is_some_and(|one| one.iter().all(deeper))
            || schema.get("not").is_some_and(|not| self.follows(known, not, depth + 1, level))
            || (known.kind.within(Types::NUMBER) && ranges_differ(known, schema))
            || (known.kind == Types::OBJECT && self.members_differ(known, schema, depth, level))
    }

    /// Whether the new schema lists its values and the old one takes none of them.
    fn literals_differ(&self, known: Known<'_, 'a>, schema: &'a Schema) -> bool {
        let literals: Vec<&Value> = match (schema.get("const"), schema.get("enum")) {
            (Some(literal), _) => vec![literal],
            (None, Some(Value::Array(options))) => options.iter().collect(),
            _ => return false,
        };
        literals.len() <= 512
            && literals.iter().filter(|value| self.may_be(value, known.kind)).all(|value| {
                known.shape.parts.iter().any(|part| {
                    // A part may hold references beside its own keywords; only its own literals are asked.
                    match (part.get("const"), part.get("enum")) {
                        (Some(own), _) => !super::super::types::same_value(own, value),
                        (None, Some(Value::Array(own))) => {
                            !own.iter().any(|own| super::super::types::same_value(own, value))
                        }
                        _ => false,
                    }
                })
            })
    }

    /// Whether a value of this type may equal the literal.
    fn may_be(&self, literal: &Value, kind: Types) -> bool {
        let strict = self.new.strict_integers() && literal.is_number();
        let types = if strict { Types::NUMBER } else { Types::of(literal, self.new) };
        types.meets(kind)
    }

    fn members_differ(
        &self,
        known: Known<'_, 'a>,
        schema: &'a Schema,
        depth: u32,
        level: u32,
    ) -> bool {
        let wanted = names(schema, "required");
        if wanted.iter().any(|name| self.demands(known, name).contains(&&Value::Bool(false))) {
            return true;
        }
        let required = self.required(known);
        required.iter().chain(&wanted).any(|name| {
            // Whatever has this member must fit both, and a value that cannot fit both is in neither's overlap.
            let demands = self.demands(known, name);
            let declared = schema.get("properties").and_then(|all| all.get(*name));
            let further = || {
                let patterned = entries(schema, "patternProperties").next().is_some();
                schema.get("additionalProperties").filter(|_| !patterned)
            };
            declared.or_else(further).is_some_and(|new| {
                self.old.all_shapes(&demands, 64).is_some_and(|shapes| {
                    shapes.iter().all(|shape| {
                        Types::EACH.into_iter().all(|kind| {
                            self.excludes(Known { shape, kind }, new, depth + 1, level + 1)
                        })
                    })
                })
            })
        })
    }
}

fn ranges_differ(known: Known<'_, '_>, schema: &Schema) -> bool {
    let old: Vec<_> = known.shape.parts.iter().flat_map(|part| bounds(part)).collect();
    bounds(schema).into_iter().any(|(new, new_inclusive, side)| {
        old.iter().filter(|(_, _, other)| *other != side).any(|(old, old_inclusive, _)| {
            match old.compare(new) {
                Some(Ordering::Equal) => !(*old_inclusive && new_inclusive),
                // The new values lie on `side` of their limit, the old ones on the other side of theirs.
                Some(order) => order != side,
                None => false,
            }
        })
    })
}
