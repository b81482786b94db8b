//! Which tool of the new catalog is which of the old one: by name, else by a declared rename, else by similarity.

use super::Pair;
use std::collections::BTreeSet;
use toolcast_contract::{Catalog, Contract};

/// The tools of two catalogs, matched; each stands in one list.
pub(super) struct Pairs<'a> {
    pub(super) pairs: Vec<Pair<'a>>,
    pub(super) removed: Vec<&'a Contract>,
    pub(super) added: Vec<&'a Contract>,
}

pub(super) fn pairs<'a>(old: &'a Catalog, new: &'a Catalog) -> Pairs<'a> {
    let mut pairs = Vec::new();
    let mut taken = BTreeSet::new();
    let mut added = Vec::new();
    for tool in &new.contracts {
        let named = old.get(&tool.name);
        // A declared rename counts only where the old name is really gone.
        let before = tool.renamed_from.as_deref().filter(|name| new.get(name).is_none());
        match named.or_else(|| before.and_then(|name| old.get(name))) {
            Some(before) if taken.insert(before.name.as_str()) => {
                pairs.push(Pair { old: before, new: tool });
            }
            _ => added.push(tool),
        }
    }
    let mut removed: Vec<&Contract> =
        old.contracts.iter().filter(|tool| !taken.contains(tool.name.as_str())).collect();
    // A rename that nobody declared: one tool gone, one come, alike in what callers and models see, and no other so.
    removed.retain(|before| {
        let alike: Vec<usize> =
            (0..added.len()).filter(|at| is_alike(before, added[*at])).collect();
        let [one] = alike.as_slice() else { return true };
        pairs.push(Pair { old: before, new: added.remove(*one) });
        false
    });
    Pairs { pairs, removed, added }
}

fn is_alike(old: &Contract, new: &Contract) -> bool {
    let members = |tool: &Contract| {
        tool.input.get("properties").and_then(|all| all.as_object()).map_or(0, |all| all.len())
    };
    let same_input = old.input == new.input && members(old) > 0;
    let same_words = old.description == new.description;
    (same_input && (same_words || (old.output.is_some() && old.output == new.output)))
        || (same_words && old.input == new.input)
}
