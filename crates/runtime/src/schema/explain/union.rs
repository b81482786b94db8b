//! Unions that a value does not fit: which branch came closest, and what it lacks.

use super::found::{Branch, Found, Repairable};
use super::path::Step;
use super::wording;
use serde_json::Value;

/// Sets of missing members that a text lists at most.
const LISTED: usize = 6;

/// What is told of a value at `here` that fits none of some branches, each of which has its faults.
pub(super) fn none_fits(
    path: Vec<Step>,
    branches: &[Value],
    failed: Vec<(usize, Vec<Found>)>,
    is_repairing: bool,
) -> Vec<Found> {
    let here = path.len();
    let repairable = is_repairing.then(|| repairs(here, &failed));
    // Every branch wants another type: their types are the answer.
    let types: Option<Vec<String>> = failed
        .iter()
        .map(|(_, found)| Some(wrong_type(here, found)?.types.clone()))
        .collect::<Option<Vec<_>>>()
        .map(|types| types.concat());
    if let Some(mut types) = types {
        let got = failed[0].1.iter().find_map(|found| found.message.split_once(", got "));
        let got = got.map(|(_, got)| format!(", got {got}")).unwrap_or_default();
        let mut seen = Vec::new();
        types.retain(|name| {
            !seen.contains(name) && {
                seen.push(name.clone());
                true
            }
        });
        let expected: Vec<String> =
            types.iter().map(|name| wording::of_type(name).to_owned()).collect();
        let message = format!("expected {}{got}", wording::either(&expected));
        let repair = repairable.map(|how| (here, how));
        return vec![Found { repair, types, ..Found::new(path, "type", message) }];
    }
    // A branch for values of another type is not what is meant.
    let is_other_type = |(_, found): &(usize, Vec<Found>)| wrong_type(here, found).is_some();
    let (_, failed): (Vec<_>, Vec<_>) = failed.into_iter().partition(is_other_type);
    // Every branch refuses one and the same member, or the value itself, by its literals: those are the answer.
    if let Some(mut literals) = common_literals(here, &failed) {
        literals.repair = repairable.map(|how| (here, how));
        let mut told = shared(&failed, &literals);
        told.insert(0, literals);
        return told;
    }
    if let Some(message) = lacking(here, &failed) {
        return vec![Found::new(path, "required", message)];
    }
    let closest = failed.into_iter().min_by_key(|(position, found)| (rank(here, found), *position));
    let Some((position, mut found)) = closest else { return Vec::new() };
    let title = branches.get(position).and_then(|branch| branch.get("title")?.as_str());
    let branch = match title {
        Some(title) => Branch::Titled(title.to_owned()),
        None => Branch::Numbered(position + 1, branches.len()),
    };
    for (order, one) in found.iter_mut().enumerate() {
        if branches.len() > 1 {
            one.of_branch(&branch);
        }
        // What mends one branch may be wrong for another: only the union as a whole is repaired.
        let how = if order == 0 { repairable.clone() } else { Some(Repairable::Jointly) };
        one.repair = how.map(|how| (here, how));
    }
    found
}

/// The fault of a branch that is for values of another type.
fn wrong_type(here: usize, found: &[Found]) -> Option<&Found> {
    found.iter().find(|found| found.path.len() == here && found.code == "type")
}

/// How far a branch is from the value: wrong literals, which are usually the tag, are farthest.
fn rank(here: usize, found: &[Found]) -> (usize, usize) {
    let is_near = |found: &&Found| found.path.len() <= here + 1;
    let literals = found.iter().filter(is_near).filter(|found| found.allowed.is_some()).count();
    (literals, found.len())
}

/// The literals of a member, or of the value itself, that every branch wants and none finds.
fn common_literals(here: usize, failed: &[(usize, Vec<Found>)]) -> Option<Found> {
    let first = failed.first()?.1.iter();
    for candidate in first.filter(|found| found.path.len() <= here + 1 && found.allowed.is_some()) {
        let mut allowed: Vec<Value> = Vec::new();
        let everywhere = failed.iter().all(|(_, found)| {
            let same =
                found.iter().find(|found| found.path == candidate.path && found.allowed.is_some());
            let values = same.and_then(|found| found.allowed.as_ref());
            for value in values.into_iter().flatten() {
                if !allowed.contains(value) {
                    allowed.push(value.clone());
                }
            }
            values.is_some()
        });
        if everywhere {
            let wanted = wording::one_of(&allowed);
            let (code, message) = match candidate.code {
                "required" => ("required", format!("missing; expected {wanted}")),
                _ => {
                    let came = candidate.message.split_once(", got ").map(|(_, came)| came);
                    let came = came.map(|came| format!(", got {came}")).unwrap_or_default();
                    ("enum", format!("expected {wanted}{came}"))
                }
            };
            let found = Found::new(candidate.path.clone(), code, message);
            return Some(Found { allowed: Some(allowed), ..found });
        }
    }
    None
}

/// The faults besides one that all branches have alike: they remain whichever is meant.
fn shared(failed: &[(usize, Vec<Found>)], besides: &Found) -> Vec<Found> {
    let Some(((_, first), rest)) = failed.split_first() else { return Vec::new() };
    let is_alike = |one: &Found, other: &Found| {
        one.code == other.code && one.message == other.message && one.path == other.path
    };
    let everywhere =
        |one: &&Found| rest.iter().all(|(_, found)| found.iter().any(|other| is_alike(one, other)));
    let others = first.iter().filter(|one| one.path != besides.path);
    let mut shared: Vec<Found> = others.filter(everywhere).cloned().collect();
    shared.iter_mut().for_each(|one| one.repair = Some((besides.path.len(), Repairable::Jointly)));
    shared
}

/// What is missing, where each of several branches lacks members and nothing else: naming those of one would choose it.
fn lacking(here: usize, failed: &[(usize, Vec<Found>)]) -> Option<String> {
    let mut wanted: Vec<String> = Vec::new();
    for (_, found) in failed {
        let mut names = Vec::new();
        for one in found {
            let Some(Step::Key(name)) = one.path.last() else { return None };
            if one.code != "required" || one.path.len() != here + 1 {
                return None;
            }
            names.push(wording::quoted(name));
        }
        let names = names.join(" and ");
        if !wanted.contains(&names) {
            wanted.push(names);
        }
    }
    // One wish of all, or so many that a text would not help.
    (2..=LISTED).contains(&wanted.len()).then(|| format!("missing: {}", wording::either(&wanted)))
}

/// The repairs of each branch whose every fault suggests one; a branch that lacks something else is beyond repair.
fn repairs(here: usize, failed: &[(usize, Vec<Found>)]) -> Repairable {
    let branches = failed.iter().filter_map(|(_, found)| {
        let repairs = found.iter().map(|found| {
            let (depth, how) = found.repair.clone()?;
            Some((found.path.get(here..depth)?.to_vec(), how))
        });
        repairs.collect::<Option<Vec<_>>>()
    });
    Repairable::Union(branches.collect())
}
