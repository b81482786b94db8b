//! Arrays: the smallest that the old schema accepts, and those around each position and length that either side names.

use super::*;

/// Lengths just past the limits that are too long to be tried in all combinations.
pub(super) fn beyond(parts: &Parts<'_>, keywords: &[&str], from: usize, to: usize) -> Vec<usize> {
    let mut found = Vec::new();
    for part in parts {
        for keyword in keywords {
            let Some(limit) = length(part, keyword) else { continue };
            let past = if keyword.starts_with("max") { limit + 1 } else { limit.saturating_sub(1) };
            found
                .extend([past, limit].into_iter().filter(|length| *length > from && *length <= to));
        }
    }
    found.sort_unstable();
    found.dedup();
    found.truncate(4);
    found
}

impl<'a> Generator<'a> {
    fn element(side: Evaluator<'a>, parts: &Parts<'a>, at: usize) -> Vec<&'a Value> {
        parts
            .iter()
            .filter_map(|part| {
                let items = side.document.items(part);
                items.prefix.get(at).or(items.rest)
            })
            .collect()
    }

    /// An array of `wanted` elements; distinct ones where the parts ask for that.
    fn array_of(&self, shape: &Shape<'a>, wanted: usize, depth: u32) -> Option<Vec<Value>> {
        let distinct =
            shape.parts.iter().any(|part| part.get("uniqueItems") == Some(&Value::Bool(true)));
        let mut array: Vec<Value> = Vec::new();
        let mut spare: HashMap<Vec<usize>, Vec<Value>> = HashMap::new();
        for at in 0..wanted {
            let demands = Self::element(self.old, &shape.parts, at);
            let plain = self.one(&demands, depth + 1)?;
            if !distinct || !array.iter().any(|value| same_value(value, &plain)) {
                array.push(plain);
                continue;
            }
            // Counting is quicker than comparing, where numbers are taken.
            let count = Value::from(at);
            if wanted > 64 && self.accepted(&demands, &count) {
                array.push(count);
                continue;
            }
            if wanted > LONGEST_ARRAY {
                return None;
            }
            let others = spare.entry(addresses(&demands)).or_insert_with(|| {
                let mut others = self.values(&demands, &[], depth + 1, 48);
                let more = (0..64).map(|n| Value::from(format!("item{n}")));
                let more = more.chain((0..64).map(|n| Value::from(100 + n)));
                others.extend(more.filter(|value| self.accepted(&demands, value)));
                others
            });
            let other =
                others.iter().find(|other| !array.iter().any(|value| same_value(value, other)));
            array.push(other?.clone());
        }
        Some(array)
    }

    pub(super) fn smallest_array(&self, shape: &Shape<'a>, depth: u32) -> Option<Vec<Value>> {
        let least = shape.parts.iter().filter_map(|part| length(part, "minItems")).max();
        let least = least.unwrap_or(0);
        if least > LONGEST_ARRAY {
            return None;
        }
        let mut array = self.array_of(shape, least, depth)?;
        for part in &shape.parts {
            let Some(contains) = part.get("contains") else { continue };
            let wanted = length(part, "minContains").unwrap_or(1).min(LONGEST_ARRAY);
            let has = array.iter().filter(|value| self.old.accepts(contains, value)).count();
            let fixed = self.old.document.items(part).prefix.len();
            for _ in has..wanted {
                let mut demands = Self::element(self.old, &shape.parts, array.len().max(fixed));
                demands.push(contains);
                let value = self.one(&demands, depth + 1)?;
                match (fixed..array.len()).find(|at| !self.old.accepts(contains, &array[*at])) {
                    Some(at) => array[at] = value,
                    None => array.push(value),
                }
            }
        }
        Some(array)
    }

    pub(super) fn arrays(
        &self,
        shape: &Shape<'a>,
        around: &Parts<'a>,
        depth: u32,
        budget: usize,
        pool: &mut Vec<Value>,
    ) {
        let Some(base) = self.smallest_array(shape, depth) else { return };
        pool.push(Value::Array(base.clone()));
        if budget < 2 {
            return;
        }
        let both: Vec<_> = shape.parts.iter().chain(around).copied().collect();
        let prefix = both
            .iter()
            .flat_map(|part| {
                [
                    self.old.document.items(part).prefix.len(),
                    self.new.document.items(part).prefix.len(),
                ]
            })
            .max()
            .unwrap_or(0);
        let mut lengths: Vec<usize> = both
            .iter()
            .flat_map(|part| {
                ["minItems", "maxItems", "minContains", "maxContains"]
                    .map(|keyword| length(part, keyword))
            })
            .flatten()
            .flat_map(|limit| [limit, limit.saturating_add(1), limit.saturating_sub(1)])
            .chain([1, 2, 3, prefix, prefix + 1, prefix.saturating_sub(1)])
            .filter(|length| *length <= LONGEST_ARRAY)
            .collect();
        lengths.sort_unstable();
        lengths.dedup();
        lengths.truncate(24);
        lengths.extend(beyond(&both, &["minItems", "maxItems"], LONGEST_ARRAY, LARGEST));
        for wanted in &lengths {
            self.old.fuel.spend(*wanted);
            pool.extend(self.array_of(shape, *wanted, depth).map(Value::Array));
        }

        let positions: Vec<usize> = (0..=prefix.min(POSITIONS)).collect();
        let share = (budget / positions.len()).clamp(3, budget);
        for at in positions {
            let demands = Self::element(self.old, &shape.parts, at);
            let mut hints = Self::element(self.new, around, at);
            let contained = around.iter().filter_map(|part| part.get("contains"));
            hints.extend(contained);
            if self.same(&demands, &hints) {
                continue;
            }
            for value in self.values(&demands, &hints, depth + 1, share) {
                let mut array = base.clone();
                if array.len() <= at {
                    let Some(longer) = self.array_of(shape, at + 1, depth) else { break };
                    array = longer;
                }
                array[at] = value.clone();
                pool.push(Value::Array(array));
                for wanted in lengths.iter().filter(|length| **length > at && **length <= 8) {
                    // The same element again and again: for `uniqueItems` and `contains`.
                    if let Some(mut array) = self.array_of(shape, at, depth) {
                        array.resize(*wanted, value.clone());
                        pool.push(Value::Array(array));
                    }
                }
            }
        }
    }
}
