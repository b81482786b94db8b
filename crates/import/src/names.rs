//! Gives each tool a legal name that no other has, and a file name that every file system takes and tells from the others.

use std::collections::{BTreeSet, HashMap, HashSet};
use toolcast_contract::rules;
use toolcast_schema::finding::printable;

const LONGEST: usize = 64;

/// The names given so far.
pub(super) struct Names {
    names: HashSet<String>,
    /// Names that are legal as they are: no other tool is given one of them.
    legal: HashSet<String>,
    /// Stems in lower case: some file systems know no other difference.
    stems: HashSet<String>,
    /// What is in the folder already, lower case to its own spelling.
    reserved: HashMap<String, String>,
    numbers: HashMap<String, usize>,
}

/// What a tool is called from now on.
pub(super) struct Given {
    pub(super) name: String,
    pub(super) stem: String,
    /// Rule, message and help, where the name is another than it was.
    pub(super) report: Option<(&'static str, String, String)>,
}

impl Names {
    /// For tools that are now called `originals`, in a folder where the files `reserved` are.
    pub(super) fn new<'a>(
        originals: impl IntoIterator<Item = &'a str>,
        reserved: &BTreeSet<String>,
    ) -> Self {
        let legal = originals.into_iter().filter(|name| rules::of_name(name).is_none());
        let stems = reserved.iter().map(|file| file.strip_suffix(".json").unwrap_or(file));
        let reserved = stems.map(|stem| (stem.to_lowercase(), stem.to_owned())).collect();
        let legal = legal.map(str::to_owned).collect();
        Self {
            legal,
            names: HashSet::new(),
            stems: HashSet::new(),
            reserved,
            numbers: HashMap::new(),
        }
    }

    /// A name and a stem for the tool that was called `original`.
    pub(super) fn give(&mut self, original: &str) -> Given {
        let fault = rules::of_name(original);
        let legal = match &fault {
            None => original.to_owned(),
            Some(_) => legal(original),
        };
        let name = self.free(&legal, |names, name| {
            names.names.contains(name) || (name != original && names.legal.contains(name))
        });
        self.names.insert(name.clone());
        let wanted = match is_device(&name) {
            true => format!("{name}_"),
            false => name.clone(),
        };
        let stem = self.free(&wanted, |names, stem| {
            let lower = stem.to_lowercase();
            names.stems.contains(&lower)
                || names.reserved.get(&lower).is_some_and(|there| there != stem)
        });
        self.stems.insert(stem.to_lowercase());
        let report = match fault {
            Some((rule, message, _)) => Some((
                rule.id,
                message,
                format!(
                    "it is called `{name}` here; `x-tool.meta.originalName` keeps the old name"
                ),
            )),
            None if name != original => Some((
                "name-used-twice",
                format!("the name `{}` is used twice", printable(original)),
                format!(
                    "this one is called `{name}` here; `x-tool.meta.originalName` keeps the old name"
                ),
            )),
            None => None,
        };
        Given { name, stem, report }
    }

    fn free(&mut self, wanted: &str, taken: impl Fn(&Self, &str) -> bool) -> String {
        let mut free = wanted.to_owned();
        while taken(self, &free) {
            // Counting goes on where it stopped: a hundred tools of one name are not five thousand tries.
            let number = self.numbers.entry(wanted.to_lowercase()).or_insert(1);
            *number += 1;
            let suffix = format!("_{number}");
            let kept: String = wanted.chars().take(LONGEST - suffix.len()).collect();
            free = kept + &suffix;
        }
        free
    }
}

/// The nearest legal name: runs of other characters become `_`.
fn legal(original: &str) -> String {
    let mut name = String::new();
    for c in original.chars() {
        if c.is_ascii_alphanumeric() || matches!(c, '_' | '-') {
            name.push(c);
        } else if !name.ends_with('_') {
            name.push('_');
        }
    }
    let name: String = name.trim_matches('_').chars().take(LONGEST).collect();
    if name.is_empty() { "tool".to_owned() } else { name }
}

/// Names that Windows keeps for devices, whatever follows a dot.
fn is_device(stem: &str) -> bool {
    let lower = stem.to_ascii_lowercase();
    match lower.as_str() {
        "con" | "prn" | "aux" | "nul" | "conin" | "conout" => true,
        _ => {
            let numbered = lower.strip_prefix("com").or_else(|| lower.strip_prefix("lpt"));
            numbered.is_some_and(|rest| {
                rest.len() == 1 && rest.bytes().all(|byte| byte.is_ascii_digit())
            })
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn given(names: &[&str], reserved: &[&str]) -> Vec<(String, String)> {
        let reserved = reserved.iter().map(|file| (*file).to_owned()).collect();
        let mut given = Names::new(names.iter().copied(), &reserved);
        names.iter().map(|name| given.give(name)).map(|given| (given.name, given.stem)).collect()
    }

    #[test]
    fn every_name_becomes_legal_and_distinct() {
        let long = "x".repeat(70);
        let expected = [
            ("Search", "Search"),
            ("search", "search_2"),
            ("search_2", "search_2_2"),
            ("search_3", "search_3"),
            ("CON", "CON_"),
            ("a_b_2", "a_b_2"),
            ("a_b", "a_b"),
            ("tool", "tool"),
            ("tool_2", "tool_2"),
        ];
        let names =
            given(&["Search", "search", "search_2", "search", "CON", "a/b", "a_b", "", "..."], &[]);
        let names: Vec<_> =
            names.iter().map(|(name, stem)| (name.as_str(), stem.as_str())).collect();
        assert_eq!(names, expected);
        let longs = given(&[&long, &long], &[]);
        assert_eq!(longs[0].0, "x".repeat(64));
        assert_eq!(longs[1].0, "x".repeat(62) + "_2");
    }

    #[test]
    fn what_is_in_the_folder_is_told_apart() {
        assert_eq!(given(&["search"], &["Search.json"])[0].1, "search_2");
        assert_eq!(given(&["search"], &["Search.json", "search_2.json"])[0].1, "search_2");
        assert_eq!(given(&["search"], &["search.json"])[0].1, "search");
    }
}
