//! The nearest known name, for people and models who mistyped one.

/// Names longer than this are not compared: suggestions are for slips, and the comparison is quadratic.
const LONGEST: usize = 64;

/// The candidate that `name` was probably meant to be: no more than one to three slips away, as its length allows
/// (insertions, deletions, substitutions and swaps; case and `_`, `-`, `$` aside), the first of the nearest; else the
/// shortest that begins with it. `None` where there is neither.
pub fn nearest<'a>(name: &str, candidates: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let wanted = folded(name)?;
    let bound = match wanted.len() {
        0..=2 => 0,
        3..=4 => 1,
        5..=8 => 2,
        _ => 3,
    };
    let mut best: Option<(usize, &str)> = None;
    let mut longer: Option<(usize, &str)> = None;
    for candidate in candidates {
        let Some(other) = folded(candidate) else { continue };
        if wanted.len() >= 4 && other.starts_with(&wanted) && candidate != name {
            let length = other.len();
            if longer.is_none_or(|(least, _)| length < least) {
                longer = Some((length, candidate));
            }
        }
        if candidate == name || other.len().abs_diff(wanted.len()) > bound {
            continue;
        }
        let distance = distance(&wanted, &other);
        if distance <= bound
            && distance < other.len()
            && best.is_none_or(|(least, _)| distance < least)
        {
            best = Some((distance, candidate));
        }
    }
    best.or(longer).map(|(_, candidate)| candidate)
}

fn folded(name: &str) -> Option<Vec<char>> {
    let folded: Vec<char> = name
        .chars()
        .take(LONGEST + 1)
        .filter(|c| !matches!(c, '_' | '-' | '$'))
        .flat_map(char::to_lowercase)
        .collect();
    (folded.len() <= LONGEST).then_some(folded)
}

/// Optimal string alignment: a swap of neighbours counts once.
fn distance(a: &[char], b: &[char]) -> usize {
    let mut before: Vec<usize> = Vec::new();
    let mut last: Vec<usize> = (0..=b.len()).collect();
    for i in 1..=a.len() {
        let mut row = vec![i];
        for j in 1..=b.len() {
            let change = usize::from(a[i - 1] != b[j - 1]);
            let mut least = (last[j] + 1).min(row[j - 1] + 1).min(last[j - 1] + change);
            if i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1] {
                least = least.min(before[j - 2] + 1);
            }
            row.push(least);
        }
        before = std::mem::replace(&mut last, row);
    }
    last[b.len()]
}

#[cfg(test)]
mod tests {
    use super::nearest;

    #[test]
    fn slips_find_their_name() {
        let known = ["required", "properties", "ticket_id", "id", "anyOf", "allOf"];
        assert_eq!(nearest("requried", known), Some("required"));
        assert_eq!(nearest("propertys", known), Some("properties"));
        assert_eq!(nearest("ticketId", known), Some("ticket_id"));
        assert_eq!(nearest("ticket_idd", known), Some("ticket_id"));
        assert_eq!(nearest("anyof", known), Some("anyOf"));
        assert_eq!(nearest("tick", known), Some("ticket_id"));
        assert_eq!(nearest("colour", known), None);
        assert_eq!(nearest("x", known), None);
        assert_eq!(nearest(&"x".repeat(10_000), known), None);
    }
}
