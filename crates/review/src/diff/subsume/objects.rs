//! Constraints on objects: which members there may be, must be, and of what.

use super::super::document::{Dependency, entries, length, names};
use super::super::verdict::Rules;
use super::members::Kind;
use super::{Known, Schema, Subsumption};
use serde_json::Value;

impl<'a> Subsumption<'a> {
    pub(super) fn object(
        &self,
        known: Known<'_, 'a>,
        new: &'a Schema,
        keyword: &str,
        demand: &'a Value,
        depth: u32,
        level: u32,
    ) -> bool {
        match keyword {
            "required" => names(new, "required").iter().all(|name| self.must_have(known, name)),
            "minProperties" => length(new, keyword).is_some_and(|wanted| {
                self.at_least(known, keyword) >= wanted || self.required(known).len() >= wanted
            }),
            "maxProperties" => length(new, keyword).is_some_and(|wanted| {
                self.at_most(known, keyword) <= wanted
                    || self.closed_names(known).is_some_and(|names| names.len() <= wanted)
            }),
            "dependencies" | "dependentRequired" | "dependentSchemas" => {
                self.new.dependencies(new).into_iter().all(|(name, dependency)| {
                    self.cannot_have(known, name)
                        || self.dependency(known, name, &dependency, depth, level)
                })
            }
            "propertyNames" => self.member_names(known, demand, depth, level),
            "properties" => entries(new, keyword).all(|(name, schema)| {
                self.cannot_have(known, name)
                    || self.implies(&self.demands(known, name), schema, depth, level + 1)
            }),
            "patternProperties" => entries(new, keyword).all(|(pattern, schema)| {
                self.pattern_members(known, new, pattern, schema, depth, level)
            }),
            "additionalProperties" => self.further_members(known, new, demand, depth, level),
            _ => true,
        }
    }

    pub(super) fn required(&self, known: Known<'_, 'a>) -> Vec<&'a str> {
        let mut found: Vec<&'a str> = Vec::new();
        for part in &known.shape.parts {
            found.extend(names(part, "required"));
        }
        found.sort_unstable();
        found.dedup();
        found
    }

    fn must_have(&self, known: Known<'_, 'a>, name: &str) -> bool {
        let required = self.required(known);
        required.contains(&name)
            || known.shape.parts.iter().any(|part| {
                self.old.dependencies(part).into_iter().any(|(given, dependency)| {
                    required.contains(&given)
                        && matches!(dependency, Dependency::Names(names) if names.contains(&name))
                })
            })
    }

    pub(super) fn cannot_have(&self, known: Known<'_, 'a>, name: &str) -> bool {
        self.has_no_value(&self.demands(known, name)) || !self.allows_name(known, name)
    }

    fn allows_name(&self, known: Known<'_, 'a>, name: &str) -> bool {
        let names = known.shape.parts.iter().filter_map(|part| part.get("propertyNames"));
        let name = Value::String(name.to_owned());
        names.into_iter().all(|names| self.accepts(self.old, names, &name) != Some(false))
    }

    /// What certainly holds of the member `name`, where there is one.
    pub(super) fn demands(&self, known: Known<'_, 'a>, name: &str) -> Vec<&'a Value> {
        let mut found = Vec::new();
        for part in &known.shape.parts {
            let declared = part.get("properties").and_then(|all| all.get(name));
            found.extend(declared);
            let mut further = declared.is_none();
            for (pattern, schema) in entries(part, "patternProperties") {
                match self.patterns.matches(pattern, name) {
                    Some(true) => {
                        found.push(schema);
                        further = false;
                    }
                    Some(false) => {}
                    // It may match; then `additionalProperties` says nothing of this member.
                    None => further = false,
                }
            }
            if further {
                found.extend(part.get("additionalProperties"));
            }
        }
        found
    }

    /// All names that a member may have, where the old schema is closed.
    fn closed_names(&self, known: Known<'_, 'a>) -> Option<Vec<&'a String>> {
        if !self.kinds(known, None)?.is_empty() {
            return None;
        }
        let names = self.declared(known).into_iter();
        Some(names.filter(|name| !self.cannot_have(known, name)).collect())
    }

    fn dependency(
        &self,
        known: Known<'_, 'a>,
        name: &str,
        dependency: &Dependency<'a>,
        depth: u32,
        level: u32,
    ) -> bool {
        let old = known.shape.parts.iter().flat_map(|part| self.old.dependencies(part));
        let mut old = old.filter(|(given, _)| *given == name).map(|(_, dependency)| dependency);
        match dependency {
            Dependency::Names(wanted) => {
                wanted.iter().all(|name| self.must_have(known, name))
                    || old.any(|old| {
                        matches!(old, Dependency::Names(has)
                            if wanted.iter().all(|name| has.contains(name)))
                    })
            }
            Dependency::Schema(wanted) => {
                self.follows(known, wanted, depth, level)
                    || old
                        .any(|old| matches!(old, Dependency::Schema(has) if self.same(has, wanted)))
            }
        }
    }

    fn member_names(
        &self,
        known: Known<'_, 'a>,
        demand: &'a Value,
        depth: u32,
        level: u32,
    ) -> bool {
        if let Some(names) = self.closed_names(known)
            && names.iter().all(|name| {
                self.accepts(self.new, demand, &Value::String((*name).clone())) == Some(true)
            })
        {
            return true;
        }
        let fits = |name: &String| {
            self.cannot_have(known, name)
                || self.accepts(self.new, demand, &Value::String(name.clone())) == Some(true)
        };
        if let Some(kinds) = self.kinds(known, None)
            && kinds.iter().all(|kind| self.fits(kind, demand))
            && self.declared(known).into_iter().all(fits)
        {
            return true;
        }
        let old: Vec<&'a Value> =
            known.shape.parts.iter().filter_map(|part| part.get("propertyNames")).collect();
        // Names are strings, whatever the schema of names says.
        self.old.all_shapes(&old, 64).is_some_and(|shapes| {
            shapes.iter().all(|shape| {
                let name = Known { shape, kind: super::Types::STRING };
                self.follows(name, demand, depth, level)
            })
        })
    }

    /// Names that some part declares: the others are all alike to every part.
    fn declared(&self, known: Known<'_, 'a>) -> Vec<&'a String> {
        let parts = known.shape.parts.iter();
        let mut found: Vec<&'a String> =
            parts.flat_map(|part| entries(part, "properties")).map(|(name, _)| name).collect();
        found.sort_unstable();
        found.dedup();
        found
    }

    fn pattern_members(
        &self,
        known: Known<'_, 'a>,
        new: &'a Schema,
        pattern: &str,
        schema: &'a Value,
        depth: u32,
        level: u32,
    ) -> bool {
        let declared = self.declared(known).into_iter().all(|name| {
            self.patterns.matches(pattern, name) == Some(false)
                || self.cannot_have(known, name)
                || self.implies(&self.demands(known, name), schema, depth, level + 1)
        });
        // Names that only the new schema declares are known by it to match or not.
        let named = entries(new, "properties").all(|(name, _)| {
            self.patterns.matches(pattern, name) == Some(false)
                || self.cannot_have(known, name)
                || self.implies(&self.demands(known, name), schema, depth, level + 1)
        });
        if declared
            && named
            && let Some(kinds) = self.kinds(known, Some(new))
        {
            let mut kinds = kinds.iter().filter(|kind| kind.matched.contains(&pattern));
            let shown = kinds.all(|kind| self.implies(&kind.demands, schema, depth, level + 1));
            return self.by(Rules::NAMES, shown);
        }
        declared
            && (schema == &Value::Bool(true)
                || known.shape.parts.iter().any(|part| {
                    let same = entries(part, "patternProperties")
                        .find(|(old, _)| self.patterns.same(old, pattern));
                    if let Some((_, old)) = same {
                        return self.implies(&[old], schema, depth, level + 1);
                    }
                    self.undeclared(part, schema, |_| false, depth, level)
                })
                || self.implies(&[], schema, depth, level + 1))
    }

    fn further_members(
        &self,
        known: Known<'_, 'a>,
        new: &'a Schema,
        schema: &'a Value,
        depth: u32,
        level: u32,
    ) -> bool {
        let spoken = |name: &String| {
            new.get("properties").is_some_and(|all| all.get(name).is_some())
                || entries(new, "patternProperties")
                    .any(|(pattern, _)| self.patterns.matches(pattern, name) == Some(true))
        };
        let declared = self.declared(known).into_iter().all(|name| {
            spoken(name)
                || self.cannot_have(known, name)
                || self.implies(&self.demands(known, name), schema, depth, level + 1)
        });
        if declared && let Some(kinds) = self.kinds(known, Some(new)) {
            let is_spoken = |kind: &Kind<'a>| {
                entries(new, "patternProperties")
                    .any(|(name, _)| kind.matched.contains(&name.as_str()))
            };
            let mut kinds = kinds.iter().filter(|kind| !is_spoken(kind));
            let shown = kinds.all(|kind| self.implies(&kind.demands, schema, depth, level + 1));
            return self.by(Rules::NAMES, shown);
        }
        let covered = |old: &str| {
            entries(new, "patternProperties").any(|(pattern, _)| self.patterns.same(old, pattern))
        };
        declared
            && (known
                .shape
                .parts
                .iter()
                .any(|part| self.undeclared(part, schema, covered, depth, level))
                || self.implies(&[], schema, depth, level + 1))
    }

    /// Whether `schema` accepts every member that no part declares by name, by what one part says of such members.
    /// Patterns of the old schema that are `covered` need no answer.
    fn undeclared(
        &self,
        part: &'a Schema,
        schema: &'a Value,
        covered: impl Fn(&str) -> bool,
        depth: u32,
        level: u32,
    ) -> bool {
        let by_pattern = entries(part, "patternProperties").all(|(pattern, old)| {
            covered(pattern) || self.implies(&[old], schema, depth, level + 1)
        });
        let rest: Vec<&'a Value> = part.get("additionalProperties").into_iter().collect();
        by_pattern && self.implies(&rest, schema, depth, level + 1)
    }
}
