//! Constraints on arrays: how long, of what, and whether elements repeat.

use super::super::document::length;
use super::super::types::same_value;
use super::super::verdict::Rules;
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
            "maxItems" => length(new, keyword).is_some_and(|wanted| {
                self.at_most(known, keyword) <= wanted
                    || self.by(Rules::COUNTED, self.longest(known) <= wanted)
            }),
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
    pub(super) fn longest(&self, known: Known<'_, 'a>) -> usize {
        let most = self.at_most(known, "maxItems");
        let unique = known
            .shape
            .parts
            .iter()
            .any(|part| part.get("uniqueItems") == Some(&Value::Bool(true)));
        let mut values: Vec<Value> = Vec::new();
        let mut listed = unique;
        // One position past every prefix stands for all that follow.
        let fixed = self.fixed(known);
        for at in 0..POSITIONS.min(most) {
            if at > fixed && !listed {
                break;
            }
            let demands = self.element(known, at);
            if at <= fixed && self.has_no_value(&demands) {
                return at;
            }
            // Distinct elements are no more than there are values.
            if listed {
                match self.values(&demands) {
                    Some(more) => {
                        values.extend(
                            more.into_iter()
                                .filter(|value| {
                                    !values.iter().any(|known| same_value(known, value))
                                })
                                .collect::<Vec<_>>(),
                        );
                        if values.len() <= at {
                            return at;
                        }
                    }
                    None => listed = false,
                }
            }
        }
        most
    }

    /// The longest prefix that speaks of positions one by one.
    fn fixed(&self, known: Known<'_, 'a>) -> usize {
        let parts = known.shape.parts.iter();
        parts.map(|part| self.old.items(part).prefix.len()).max().unwrap_or(0)
    }

    /// What certainly holds of the element at a position, where there is one.
    fn element(&self, known: Known<'_, 'a>, at: usize) -> Vec<&'a Value> {
        let parts = known.shape.parts.iter();
        let items = parts.filter_map(|part| {
            let items = self.old.items(part);
            items.prefix.get(at).or(items.rest)
        });
        items.collect()
    }

    /// How many elements fit `demand` at least.
    fn fitting(&self, known: Known<'_, 'a>, demand: &'a Value, depth: u32, level: u32) -> usize {
        let least = self.at_least(known, "minItems");
        let fixed = self.fixed(known);
        if fixed > POSITIONS {
            return 0;
        }
        let fits = |at: usize| self.implies(&self.element(known, at), demand, depth, level + 1);
        let in_prefix = (0..fixed.min(least)).filter(|at| fits(*at)).count();
        let after = least.saturating_sub(fixed);
        in_prefix + if after > 0 && fits(fixed) { after } else { 0 }
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
        let longest = self.longest(known);
        (0..=fixed).take_while(|at| *at < longest).all(|at| {
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
        let contained = |part: &&'a Schema| {
            let old = part.get("contains")?;
            let enough = length(part, "minContains").unwrap_or(1) >= least;
            // What is contained is an element as well.
            let mut demands = vec![old];
            if self.fixed(known) == 0 {
                demands.extend(self.element(known, 0));
            }
            (enough && self.implies(&demands, demand, depth, level + 1)).then_some(())
        };
        let enough = least == 0
            || known.shape.parts.iter().any(|part| contained(part).is_some())
            || self.by(Rules::COUNTED, self.fitting(known, demand, depth, level) >= least);
        enough
            && most.is_none_or(|most| {
                self.longest(known) <= most
                    || known.shape.parts.iter().any(|part| {
                        // As few may match only where both count the same ones.
                        length(part, "maxContains").is_some_and(|old| old <= most)
                            && part.get("contains").is_some_and(|old| self.same(old, demand))
                    })
            })
    }
}
