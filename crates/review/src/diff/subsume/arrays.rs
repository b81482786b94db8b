//! Constraints on arrays: how long, of what, and whether elements repeat.

use super::super::document::length;
use super::{Known, Schema, Subsumption};
use serde_json::Value;

/// Positions looked at one by one.
const POSITIONS: usize = 256;

impl<'a> Subsumption<'a> {
    pub(super) fn array(
        &self,
        known: Known<'_, 'a>,
        new: &'a Schema,
        keyword: &str,
        demand: &'a Value,
        depth: u32,
        level: u32,
    ) -> bool {
        match keyword {
            "minItems" => {
                length(new, keyword).is_some_and(|wanted| self.at_least(known, keyword) >= wanted)
            }
            "maxItems" => length(new, keyword).is_some_and(|wanted| self.longest(known) <= wanted),
            "uniqueItems" => {
                demand != &Value::Bool(true)
                    || self.longest(known) <= 1
                    || known.shape.parts.iter().any(|part| part.get(keyword) == Some(demand))
            }
            "items" | "prefixItems" | "additionalItems" => self.elements(known, new, depth, level),
            "contains" => self.contains(known, new, demand, depth, level),
            _ => true,
        }
    }

    /// No array is longer.
    fn longest(&self, known: Known<'_, 'a>) -> usize {
        let closed = known.shape.parts.iter().filter_map(|part| {
            let items = self.old.items(part);
            (items.rest == Some(&Value::Bool(false))).then_some(items.prefix.len())
        });
        closed.min().unwrap_or(usize::MAX).min(self.at_most(known, "maxItems"))
    }

    fn elements(&self, known: Known<'_, 'a>, new: &'a Schema, depth: u32, level: u32) -> bool {
        let new = self.new.items(new);
        let parts = &known.shape.parts;
        let fixed = parts.iter().map(|part| self.old.items(part).prefix.len()).max().unwrap_or(0);
        let fixed = fixed.max(new.prefix.len());
        if fixed > POSITIONS {
            return false;
        }
        // One position past every prefix stands for all that follow.
        (0..=fixed).take_while(|at| *at < self.longest(known)).all(|at| {
            let Some(schema) = new.prefix.get(at).or(new.rest) else { return true };
            let demands: Vec<&'a Value> = parts
                .iter()
                .filter_map(|part| {
                    let items = self.old.items(part);
                    items.prefix.get(at).or(items.rest)
                })
                .collect();
            self.implies(&demands, schema, depth, level + 1)
        })
    }

    fn contains(
        &self,
        known: Known<'_, 'a>,
        new: &'a Schema,
        demand: &'a Value,
        depth: u32,
        level: u32,
    ) -> bool {
        let least = length(new, "minContains").unwrap_or(1);
        let most = length(new, "maxContains");
        if least == 0 && most.is_none() {
            return true;
        }
        known.shape.parts.iter().any(|part| {
            let Some(old) = part.get("contains") else { return false };
            let enough = length(part, "minContains").unwrap_or(1) >= least;
            match most {
                // Fewer elements may match on both sides only where both count the same ones.
                Some(most) => {
                    let few = length(part, "maxContains").is_some_and(|old| old <= most);
                    enough && few && self.same(old, demand)
                }
                None => enough && self.implies(&[old], demand, depth, level + 1),
            }
        })
    }
}
