//! Unions and conditions: which branch came closest, and what it lacks.

use super::walk::{Found, Path, Repairable, Walk, list};
use super::words;
use serde_json::{Map, Value};

/// Faults that are kept of one branch.
const KEPT: usize = 20;

/// Looks at `anyOf`, `oneOf`, `not` and `if` of a schema.
pub(super) fn walk<'s>(walk: &mut Walk<'s>, schema: &'s Map<String, Value>, value: &Value) {
    for keyword in ["anyOf", "oneOf"] {
        let branches = list(schema, keyword);
        if !branches.is_empty() {
            one_keyword(walk, keyword, branches, value);
        }
    }
    if let Some(unwanted) = schema.get("not")
        && walk.fits(unwanted, value) == Some(true)
    {
        let what = walk.describe(unwanted).map(|what| format!(": {what}")).unwrap_or_default();
        walk.fault("not", format!("the value is one that is excluded{what}"));
    }
    if let Some(condition) = schema.get("if")
        && let Some(holds) = walk.fits(condition, value)
        && let Some(then) = schema.get(if holds { "then" } else { "else" })
    {
        walk.walk(then, value);
    }
}

fn one_keyword<'s>(
    walk: &mut Walk<'s>,
    keyword: &'static str,
    branches: &'s [Value],
    value: &Value,
) {
    let mut failed: Vec<(usize, Vec<Found>)> = Vec::new();
    let mut fitting = 0;
    for (position, branch) in branches.iter().enumerate() {
        let found = walk.apart(branch, value, KEPT);
        if walk.is_exhausted() {
            return walk.fault(keyword, "the value fits none of the alternatives".to_owned());
        }
        if found.is_empty() {
            fitting += 1;
            if keyword == "anyOf" {
                return;
            }
        } else {
            failed.push((position, found));
        }
    }
    match fitting {
        0 => none_fits(walk, branches, failed),
        1 => {}
        many => {
            let message = format!("the value fits {many} alternatives where exactly one is wanted");
            walk.fault(keyword, message);
        }
    }
}

fn none_fits<'s>(walk: &mut Walk<'s>, branches: &'s [Value], failed: Vec<(usize, Vec<Found>)>) {
    let here = walk.path.len();
    let repairable = walk.repairing.then(|| repairs(here, &failed));
    // Every branch wants another type: their types are the answer.
    let types: Option<Vec<String>> = failed
        .iter()
        .map(|(_, found)| {
            found.iter().find(|found| found.path.len() == here && found.code == "type")
        })
        .map(|found| Some(found?.types.clone()))
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
            types.iter().map(|name| words::of_type(name).to_owned()).collect();
        let message = format!("expected {}{got}", words::either(&expected));
        return walk.fault_with("type", message, repairable, None, types);
    }
    // Every branch refuses one and the same member, or the value itself, by its literals: those are the answer.
    if let Some((path, allowed, came)) = common_literals(here, &failed) {
        let message = format!("expected {}{came}", words::one_of(&allowed));
        let repair = repairable.map(|how| (here, how));
        let allowed = Some(allowed);
        return walk.push(Found {
            path,
            code: "enum",
            message,
            repair,
            allowed,
            types: Vec::new(),
        });
    }
    let closest = failed.into_iter().min_by_key(|(position, found)| (rank(here, found), *position));
    let Some((position, found)) = closest else { return };
    let title = branches[position].get("title").and_then(Value::as_str).map(words::quoted);
    let title =
        title.unwrap_or_else(|| format!("alternative {} of {}", position + 1, branches.len()));
    for (order, mut one) in found.into_iter().enumerate() {
        if branches.len() > 1 {
            one.message = format!("{} (closest: {title})", one.message);
        }
        // What mends one branch may be wrong for another: only the union as a whole is repaired.
        let how = if order == 0 { repairable.clone() } else { Some(Repairable::Jointly) };
        one.repair = how.map(|how| (here, how));
        walk.push(one);
    }
}

/// How far a branch is from the value: a wrong type is farthest, then wrong literals, which are usually the tag.
fn rank(here: usize, found: &[Found]) -> (bool, usize, usize) {
    let wrong_type = found.iter().any(|found| found.path.len() == here && found.code == "type");
    let literals = found
        .iter()
        .filter(|found| found.path.len() <= here + 1 && matches!(found.code, "const" | "enum"))
        .count();
    (wrong_type, literals, found.len())
}

fn common_literals(
    here: usize,
    failed: &[(usize, Vec<Found>)],
) -> Option<(Path, Vec<Value>, String)> {
    let first = failed.first()?.1.iter();
    for candidate in first.filter(|found| found.path.len() <= here + 1 && found.allowed.is_some()) {
        let mut allowed: Vec<Value> = Vec::new();
        let everywhere = failed.iter().all(|(_, found)| {
            let same = found
                .iter()
                .find(|found| is_same(&found.path, &candidate.path) && found.allowed.is_some());
            let values = same.and_then(|found| found.allowed.as_ref());
            for value in values.into_iter().flatten() {
                if !allowed.contains(value) {
                    allowed.push(value.clone());
                }
            }
            values.is_some()
        });
        if everywhere {
            let came =
                candidate.message.split_once(", got ").map(|(_, came)| format!(", got {came}"));
            return Some((candidate.path.clone(), allowed, came.unwrap_or_default()));
        }
    }
    None
}

/// The repairs of each branch whose every fault suggests one; a branch that lacks something else is beyond repair.
fn repairs(here: usize, failed: &[(usize, Vec<Found>)]) -> Repairable {
    let branches = failed.iter().filter_map(|(_, found)| {
        let repairs = found.iter().map(|found| {
            let (depth, how) = found.repair.clone()?;
            Some((found.path.steps().get(here..depth)?.to_vec(), how))
        });
        repairs.collect::<Option<Vec<_>>>()
    });
    Repairable::Union(branches.collect())
}

/// Whether two paths that share all but perhaps their last step are the same.
fn is_same(one: &Path, other: &Path) -> bool {
    one.len() == other.len() && one.last() == other.last()
}
