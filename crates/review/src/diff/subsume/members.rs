//! Names of members by kind: those that patterns and name schemas tell apart, and that no part declares by name.

use super::super::document::entries;
use super::super::strings::{self, Text};
use super::super::truth::Formula;
use super::{Known, Schema, Subsumption};
use serde_json::Value;

/// Patterns of one question: each doubles the kinds at worst.
const PATTERNS: usize = 10;
const KINDS: usize = 128;

/// Names that match the same patterns.
pub(super) struct Kind<'a> {
    names: Text,
    /// What the old schema demands of such a member.
    pub(super) demands: Vec<&'a Value>,
    /// The patterns of the new schema that such a name matches, by their place.
    pub(super) matched: Vec<&'a str>,
}

impl<'a> Subsumption<'a> {
    /// The kinds of names that a value may have besides those that are declared by name in either schema: perhaps more
    /// than there are. `None` where there are too many patterns.
    pub(super) fn kinds(
        &self,
        known: Known<'_, 'a>,
        new: Option<&'a Schema>,
    ) -> Option<Vec<Kind<'a>>> {
        let parts = &known.shape.parts;
        let mut patterns: Vec<&'a str> = Vec::new();
        for part in parts.iter().copied().chain(new) {
            patterns
                .extend(entries(part, "patternProperties").map(|(pattern, _)| pattern.as_str()));
        }
        patterns.sort_unstable();
        patterns.dedup();
        if patterns.len() > PATTERNS {
            return None;
        }
        let names = parts.iter().filter_map(|part| part.get("propertyNames"));
        let mut start: Vec<Text> =
            names.map(|names| strings::text(self.old, self.dialect, names)).collect();
        let declared =
            parts.iter().copied().chain(new).flat_map(|part| entries(part, "properties"));
        let declared: Vec<Value> = declared.map(|(name, _)| Value::String(name.clone())).collect();
        start.push(strings::one_of(&declared).not());
        let mut kinds = vec![(Formula::All(start), Vec::new())];
        for pattern in &patterns {
            let mut next = Vec::new();
            for (names, matched) in kinds {
                let said = strings::pattern(pattern);
                for (said, holds) in [(said.clone(), true), (said.not(), false)] {
                    let names = Formula::All(vec![names.clone(), said]);
                    if !self.languages.is_empty(&names) {
                        let mut matched: Vec<&'a str> = matched.clone();
                        matched.extend(holds.then_some(*pattern));
                        next.push((names, matched));
                    }
                }
            }
            if next.len() > KINDS {
                return None;
            }
            kinds = next;
        }
        if patterns.is_empty() {
            kinds.retain(|(names, _)| !self.languages.is_empty(names));
        }
        let demands = |matched: &[&'a str]| {
            let mut demands = Vec::new();
            for part in parts {
                let before = demands.len();
                let patterned = entries(part, "patternProperties");
                let patterned = patterned.filter(|(name, _)| matched.contains(&name.as_str()));
                demands.extend(patterned.map(|(_, schema)| schema));
                if demands.len() == before {
                    demands.extend(part.get("additionalProperties"));
                }
            }
            demands
        };
        let kinds = kinds.into_iter().map(|(names, matched)| Kind {
            names,
            demands: demands(&matched),
            matched,
        });
        Some(kinds.filter(|kind| !self.has_no_value(&kind.demands)).collect())
    }

    /// Whether every name of a kind fits a schema of names.
    pub(super) fn fits(&self, kind: &Kind<'a>, names: &'a Value) -> bool {
        self.languages.within(&kind.names, &strings::text(self.new, self.dialect, names))
    }
}
