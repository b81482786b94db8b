//! What `unevaluatedProperties` and `unevaluatedItems` leave open. They close an object or array only after all that the
//! schemas beside them have evaluated: conditions, branches that fit as well, and `contains` among them. A type that is
//! closed too early loses members that the schema accepts, so where it is not certain, it stays open.

use super::{Additional, Document, Merged, NO_BRANCH, Site};
use crate::Error;
use crate::limits::Budget;
use serde_json::{Map, Value};
use std::collections::HashSet;

/// Keywords that hold one schema which applies to the same value under a condition.
const CONDITIONS: [&str; 3] = ["if", "then", "else"];

/// What was found below one schema.
#[derive(Default)]
struct Found {
    /// Members that the merged schema does not list are evaluated under a condition.
    members: bool,
    /// Items that it does not list are.
    items: bool,
    /// The merged schema says already that any further member may be there.
    open_members: bool,
    /// It says already that any further item may be there.
    open_items: bool,
    seen: HashSet<String>,
}

impl<'a> Document<'a> {
    /// Says what stays open, once all schemas of a site are merged.
    pub(super) fn close_unevaluated(
        &self,
        site: &Site,
        merged: &mut Merged<'a>,
        budget: &mut Budget,
    ) -> Result<(), Error> {
        for pointer in std::mem::take(&mut merged.conditions) {
            let mut found = Found::default();
            if let Some(Value::Object(schema)) = self.at(&pointer) {
                self.conditions(&pointer, schema, merged, &mut found, budget)?;
            }
            merged.conditional_members |= found.members;
        }
        for pointer in merged.unevaluated_members.clone() {
            let mut found = Found::default();
            self.collected(&pointer, &pointer, site, merged, &mut found, budget)?;
            let here = match (found.members, found.open_members) {
                (true, _) => Additional::Open,
                (false, true) => Additional::Silent,
                (false, false) => Additional::Closed,
            };
            merged.add_additional(here);
        }
        for pointer in std::mem::take(&mut merged.unevaluated_items) {
            let mut found = Found::default();
            self.collected(&pointer, &pointer, site, merged, &mut found, budget)?;
            merged.no_further_items |= !(found.items || found.open_items);
        }
        Ok(())
    }

    /// A schema whose own keywords are merged already.
    fn collected(
        &self,
        pointer: &str,
        closing: &str,
        site: &Site,
        merged: &Merged<'a>,
        found: &mut Found,
        budget: &mut Budget,
    ) -> Result<(), Error> {
        budget.step(self.side, pointer)?;
        let Some(Value::Object(schema)) = self.at(pointer) else { return Ok(()) };
        if !found.seen.insert(pointer.to_owned()) {
            return Ok(());
        }
        found.items |= schema.contains_key("contains");
        if pointer != closing {
            found.open_members |= opens(schema, ["additionalProperties", "unevaluatedProperties"]);
            found.open_items |= opens(schema, ["items", "unevaluatedItems"]);
        }
        self.conditions(pointer, schema, merged, found, budget)?;
        if let Some(target) = self.reference(pointer, schema) {
            self.collected(&target, closing, site, merged, found, budget)?;
        }
        for at in 0..branches(schema, "allOf") {
            self.collected(&format!("{pointer}/allOf/{at}"), closing, site, merged, found, budget)?;
        }
        for key in ["anyOf", "oneOf"] {
            let union = format!("{pointer}/{key}");
            let count = branches(schema, key);
            let chosen = site.chosen.iter().find(|(at, _)| *at == union).map(|(_, branch)| *branch);
            let chosen = chosen.filter(|branch| *branch != NO_BRANCH);
            let chosen = chosen.or((count == 1).then_some(0));
            for at in 0..count {
                let branch = format!("{union}/{at}");
                if chosen == Some(at) {
                    self.collected(&branch, closing, site, merged, found, budget)?;
                } else if chosen.is_none()
                    || key == "anyOf" && !self.excludes(merged, &branch, budget)?
                {
                    self.applied(&branch, merged, found, budget)?;
                }
            }
        }
        Ok(())
    }

    /// A schema that may apply and whose keywords are not merged.
    fn applied(
        &self,
        pointer: &str,
        merged: &Merged<'a>,
        found: &mut Found,
        budget: &mut Budget,
    ) -> Result<(), Error> {
        budget.step(self.side, pointer)?;
        let Some(Value::Object(schema)) = self.at(pointer) else { return Ok(()) };
        if !found.seen.insert(pointer.to_owned()) {
            return Ok(());
        }
        if let Some(Value::Object(members)) = schema.get("properties") {
            found.members |= members.iter().any(|(name, member)| {
                merged.member(name).is_none() && *member != Value::Bool(false)
            });
        }
        let patterns = schema.get("patternProperties").and_then(Value::as_object);
        found.members |= patterns.is_some_and(|patterns| !patterns.is_empty())
            || opens(schema, ["additionalProperties", "unevaluatedProperties"]);
        found.items |= schema.contains_key("contains")
            || branches(schema, "prefixItems") > merged.prefix.len()
            || opens(schema, ["items", "unevaluatedItems"]);
        self.conditions(pointer, schema, merged, found, budget)?;
        if let Some(target) = self.reference(pointer, schema) {
            self.applied(&target, merged, found, budget)?;
        }
        for key in ["allOf", "anyOf", "oneOf"] {
            for at in 0..branches(schema, key) {
                self.applied(&format!("{pointer}/{key}/{at}"), merged, found, budget)?;
            }
        }
        Ok(())
    }

    /// The schemas that a schema applies to the same value under a condition.
    fn conditions(
        &self,
        pointer: &str,
        schema: &Map<String, Value>,
        merged: &Merged<'a>,
        found: &mut Found,
        budget: &mut Budget,
    ) -> Result<(), Error> {
        for key in CONDITIONS {
            if schema.contains_key(key) {
                self.applied(&format!("{pointer}/{key}"), merged, found, budget)?;
            }
        }
        if let Some(Value::Object(dependent)) = schema.get("dependentSchemas") {
            for name in dependent.keys() {
                let below = format!("{pointer}/dependentSchemas/{}", super::escape(name));
                self.applied(&below, merged, found, budget)?;
            }
        }
        Ok(())
    }

    fn reference(&self, pointer: &str, schema: &Map<String, Value>) -> Option<String> {
        self.target(pointer, schema.get("$ref")?.as_str()?)
    }

    /// Whether no value has this merged shape and fits this branch too: a required member has other constants.
    fn excludes(
        &self,
        merged: &Merged<'a>,
        branch: &str,
        budget: &mut Budget,
    ) -> Result<bool, Error> {
        let other = self.merge_only(&[branch.to_owned()], budget)?;
        for (name, schemas) in &other.members {
            let Some(mine) = merged.member(name) else { continue };
            if !(merged.requires(name) || other.requires(name)) {
                continue;
            }
            let mine = self.merge_only(mine, budget)?.literals;
            let others = self.merge_only(schemas, budget)?.literals;
            if let (Some(mine), Some(others)) = (mine, others)
                && !mine.iter().any(|value| others.contains(value))
            {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// Some schemas merged, without what is known only at the end.
    fn merge_only(&self, schemas: &[String], budget: &mut Budget) -> Result<Merged<'a>, Error> {
        let mut merged = Merged::new();
        let site = Site::of(schemas.to_vec());
        let mut seen = HashSet::new();
        for schema in schemas {
            self.collect(schema, &site, false, &mut merged, &mut seen, budget)?;
        }
        Ok(merged)
    }
}

/// Whether one of these keywords takes further members or items.
fn opens(schema: &Map<String, Value>, keywords: [&str; 2]) -> bool {
    keywords.iter().any(|key| schema.get(*key).is_some_and(|value| *value != Value::Bool(false)))
}

/// How many schemas a keyword lists.
fn branches(schema: &Map<String, Value>, key: &str) -> usize {
    schema.get(key).and_then(Value::as_array).map_or(0, Vec::len)
}
