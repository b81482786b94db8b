//! The characters that some expressions tell apart, one for each kind.

use std::collections::{BTreeSet, HashMap};

/// Ranges between which the expressions may differ.
const RANGES: usize = 40_000;

/// The plainest characters first: what is shown to people is made of them.
const PLAIN: &str = "aA0bcdxyzBZ19_- .,:/@+#";

/// One character of each kind that the classes tell apart; `None` where there are too many.
pub(super) fn characters(classes: &[Vec<(char, char)>]) -> Option<Vec<char>> {
    let classes: BTreeSet<&Vec<(char, char)>> = classes.iter().collect();
    let mut starts = BTreeSet::from([0_u32, 0xE000]);
    for (low, high) in classes.iter().flat_map(|class| class.iter()) {
        starts.extend([u32::from(*low), u32::from(*high) + 1]);
        if starts.len() > RANGES {
            return None;
        }
    }
    // Plain characters stand for their kind wherever they belong.
    starts.extend(PLAIN.chars().flat_map(|c| [u32::from(c), u32::from(c) + 1]));
    let mut kinds: HashMap<Vec<u64>, char> = HashMap::new();
    for start in starts {
        let Some(character) = char::from_u32(start) else { continue };
        let mut kind = vec![0_u64; classes.len() / 64 + 1];
        for (at, class) in classes.iter().enumerate() {
            let after = class.partition_point(|(low, _)| *low <= character);
            if after > 0 && class[after - 1].1 >= character {
                kind[at / 64] |= 1 << (at % 64);
            }
        }
        let rank = |c: char| PLAIN.chars().position(|plain| plain == c).unwrap_or(usize::MAX);
        let shown = kinds.entry(kind).or_insert(character);
        let graphic = |c: char| c.is_ascii_graphic();
        if (rank(character), !graphic(character)) < (rank(*shown), !graphic(*shown)) {
            *shown = character;
        }
    }
    let mut characters: Vec<char> = kinds.into_values().collect();
    let rank = |c: &char| PLAIN.chars().position(|plain| plain == *c).unwrap_or(usize::MAX);
    characters.sort_by_key(|c| (rank(c), *c));
    Some(characters)
}
