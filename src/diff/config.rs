//! `toolcast.toml`: levels of rules, and breaks that the team has accepted, each with a reason and an end.
//!
//! What is wrong with the file is said by key and place. Its values are not repeated: the file may be none of ours.

use super::report::Level;
use crate::failure::Failure;
use std::collections::BTreeMap;
use std::time::{SystemTime, UNIX_EPOCH};
use toml::{Table, Value};
use toolcast_codegen::contract::{nearest, one_line};
use toolcast_review::changes::{CONFIGURATION_CHANGED, Change, Level as Rank, RULES, View};

/// What the file says of `diff`.
#[derive(Clone, Debug, PartialEq)]
pub struct Config {
    /// Whom a break must concern.
    pub view: View,
    /// The mildest level that fails.
    pub fail_on: Level,
    levels: BTreeMap<String, Option<Rank>>,
    accepted: Vec<Accepted>,
}

/// One accepted change.
#[derive(Clone, Debug, PartialEq)]
struct Accepted {
    rule: String,
    tool: String,
    /// What exactly is accepted; `None` in the form that accepted whatever a rule found of a tool.
    exactly: Option<Exactly>,
    reason: String,
    /// The last day on which it is accepted, `2027-01-31`.
    until: String,
}

/// One change and no other: where it is, and what stood and stands there.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Exactly {
    /// The JSON pointer that the report gives.
    pub pointer: String,
    /// The digest of the schema, or of the whole contract, before the change.
    pub old: String,
    /// The same after it.
    pub new: String,
}

impl Default for Config {
    fn default() -> Self {
        Self {
            view: View::default(),
            fail_on: Level::Breaking,
            levels: BTreeMap::new(),
            accepted: Vec::new(),
        }
    }
}

impl Config {
    /// Reads the file's text.
    pub fn parse(text: &str) -> Result<Self, String> {
        let file: Table = text.parse().map_err(|error: toml::de::Error| {
            let at = error.span().map_or(0, |span| span.start).min(text.len());
            let before = text.as_bytes().get(..at).unwrap_or_default();
            let line = before.iter().filter(|byte| **byte == b'\n').count() + 1;
            format!("line {line} is not TOML")
        })?;
        known("", &file, &["diff"])?;
        let Some(diff) = file.get("diff") else { return Ok(Self::default()) };
        let diff = table("diff", diff)?;
        known("diff.", diff, &["view", "lens", "fail-on", "levels", "accepted"])?;
        let mut config = Self::default();
        // `lens` is what `view` was called first.
        for key in ["lens", "view"] {
            if let Some(view) = diff.get(key) {
                let views = [("declared", View::Declared), ("strict", View::Strict)];
                config.view = one_of(&format!("diff.{key}"), view, &views)?;
            }
        }
        if let Some(level) = diff.get("fail-on") {
            config.fail_on = one_of("diff.fail-on", level, &FAIL_ON)?;
        }
        if let Some(levels) = diff.get("levels") {
            for (rule, level) in table("diff.levels", levels)? {
                if !RULES.iter().any(|known| known.id == rule) {
                    let shown: String = one_line(rule).chars().take(80).collect();
                    return Err(format!("there is no rule `{shown}`{}", meant(rule)));
                }
                let level = one_of(&format!("diff.levels.{rule}"), level, &LEVELS)?;
                config.levels.insert(rule.clone(), level);
            }
        }
        if let Some(accepted) = diff.get("accepted") {
            let Value::Array(entries) = accepted else {
                return Err("`diff.accepted` is no list of tables (`[[diff.accepted]]`)".to_owned());
            };
            for (at, entry) in entries.iter().enumerate() {
                config.accepted.push(Accepted::read(at + 1, entry)?);
            }
        }
        Ok(config)
    }

    /// Gives a change its configured level; false where its rule is off.
    pub fn apply(&self, change: &mut Change) -> bool {
        // What the configuration hides must not hide that it does.
        if change.rule == &CONFIGURATION_CHANGED {
            return true;
        }
        match self.levels.get(change.rule.id) {
            None => {}
            Some(Some(level)) => change.level = *level,
            Some(None) => return false,
        }
        true
    }

    /// Why a change is accepted, where it is: an entry whose day has passed accepts nothing.
    pub fn accepted(&self, change: &Change, what: &Exactly) -> Result<Option<String>, Failure> {
        for entry in self.accepted.iter().filter(|entry| entry.fits(change)) {
            if entry.exactly.as_ref() == Some(what) && day(&entry.until) >= Some(today()?) {
                return Ok(Some(format!("{} (until {})", entry.reason, entry.until)));
            }
        }
        Ok(None)
    }

    /// Whether some entry would accept whatever a rule finds of a tool.
    pub fn is_sweeping(&self) -> bool {
        self.accepted.iter().any(|entry| entry.exactly.is_none())
    }

    /// What to write instead of entries that do not say which change they mean, where they meant this one.
    pub fn instead(&self, change: &Change, what: &Exactly) -> Option<String> {
        let entry =
            self.accepted.iter().find(|entry| entry.exactly.is_none() && entry.fits(change));
        entry.map(|entry| written(change, what, &entry.reason, &entry.until))
    }
}

impl Accepted {
    fn read(number: usize, entry: &Value) -> Result<Self, String> {
        let name = format!("diff.accepted, entry {number}");
        let entry = table(&name, entry)?;
        let keys = ["rule", "tool", "pointer", "old", "new", "reason", "until"];
        known(&format!("{name}: "), entry, &keys)?;
        let text = |key: &str| -> Result<Option<String>, String> {
            match entry.get(key) {
                None => Ok(None),
                Some(Value::String(text)) => Ok(Some(text.clone())),
                Some(_) => Err(format!("{name}: `{key}` is no text")),
            }
        };
        let needed = |key: &str| text(key)?.ok_or_else(|| format!("{name}: `{key}` is missing"));
        let (rule, tool) = (needed("rule")?, needed("tool")?);
        let (reason, until) = (needed("reason")?, needed("until")?);
        if !RULES.iter().any(|known| known.id == rule) {
            return Err(format!("{name}: `rule` names no rule{}", meant(&rule)));
        }
        if reason.trim().is_empty() {
            return Err(format!("{name}: `reason` is empty"));
        }
        if day(&until).is_none() {
            return Err(format!("{name}: `until` is no day such as \"2027-01-31\""));
        }
        let exactly = match (text("pointer")?, text("old")?, text("new")?) {
            (Some(pointer), Some(old), Some(new)) => Some(Exactly { pointer, old, new }),
            (None, None, None) => None,
            _ => return Err(format!("{name}: `pointer`, `old` and `new` belong together")),
        };
        Ok(Self { rule, tool, exactly, reason, until })
    }

    fn fits(&self, change: &Change) -> bool {
        self.rule == change.rule.id && self.tool == change.tool
    }
}

const FAIL_ON: [(&str, Level); 5] = [
    ("breaking", Level::Breaking),
    ("unproven", Level::Unproven),
    ("warning", Level::Warning),
    ("warn", Level::Warning),
    ("info", Level::Info),
];

const LEVELS: [(&str, Option<Rank>); 5] = [
    ("breaking", Some(Rank::Breaking)),
    ("unproven", Some(Rank::Unproven)),
    ("warning", Some(Rank::Warning)),
    ("info", Some(Rank::Info)),
    ("off", None),
];

/// The entry that accepts one change, as it stands in the file.
pub fn written(change: &Change, what: &Exactly, reason: &str, until: &str) -> String {
    // JSON's escapes are TOML's; the character that JSON leaves alone is not in TOML.
    let quoted = |text: &str| {
        let json = serde_json::Value::from(text).to_string().replace('\u{7f}', "\\u007f");
        crate::report::inert(&json)
    };
    format!(
        "[[diff.accepted]]\nrule = {}\ntool = {}\npointer = {}\nold = {}\nnew = {}\nreason = {}\nuntil = {}\n",
        quoted(change.rule.id),
        quoted(&change.tool),
        quoted(&what.pointer),
        quoted(&what.old),
        quoted(&what.new),
        quoted(reason),
        quoted(until)
    )
}

fn table<'a>(name: &str, value: &'a Value) -> Result<&'a Table, String> {
    value.as_table().ok_or_else(|| format!("`{name}` is no table"))
}

fn known(name: &str, table: &Table, keys: &[&str]) -> Result<(), String> {
    match table.keys().find(|key| !keys.contains(&key.as_str())) {
        None => Ok(()),
        Some(key) => {
            let near = nearest(key, keys.iter().copied());
            let near = near.map(|near| format!("; did you mean `{near}`?")).unwrap_or_default();
            let shown: String = one_line(key).chars().take(80).collect();
            Err(format!("{name}`{shown}` is not known here{near}"))
        }
    }
}

fn one_of<T: Copy>(name: &str, value: &Value, choices: &[(&str, T)]) -> Result<T, String> {
    let chosen = value.as_str().and_then(|text| choices.iter().find(|(word, _)| *word == text));
    chosen.map(|(_, choice)| *choice).ok_or_else(|| {
        let words: Vec<String> = choices.iter().map(|(word, _)| format!("\"{word}\"")).collect();
        format!("`{name}` is none of {}", words.join(", "))
    })
}

fn meant(rule: &str) -> String {
    let near = nearest(rule, RULES.iter().map(|rule| rule.id));
    near.map(|near| format!("; did you mean `{near}`?")).unwrap_or_default()
}

/// Days since 1970-01-01 of a date, by the proleptic Gregorian calendar.
fn day(text: &str) -> Option<i64> {
    let mut parts = text.splitn(3, '-');
    let mut number = |digits: usize| -> Option<i64> {
        let part = parts.next()?;
        let plain = part.len() == digits && part.bytes().all(|byte| byte.is_ascii_digit());
        plain.then(|| part.parse().ok())?
    };
    let (year, month, day) = (number(4)?, number(2)?, number(2)?);
    let leap = (year % 4 == 0 && year % 100 != 0) || year % 400 == 0;
    let days = [31, if leap { 29 } else { 28 }, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];
    let month = usize::try_from(month).ok()?.checked_sub(1)?;
    if !(1..=*days.get(month)?).contains(&day) {
        return None;
    }
    let before = year - 1;
    let years = before * 365 + before / 4 - before / 100 + before / 400;
    Some(years + days[..month].iter().sum::<i64>() + day - 719_163)
}

fn today() -> Result<i64, Failure> {
    let now = SystemTime::now().duration_since(UNIX_EPOCH);
    let now = now.map_err(|_| Failure::new("the clock of this machine stands before 1970"))?;
    i64::try_from(now.as_secs() / 86_400).map_err(|error| Failure::new(error.to_string()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counts_days() {
        assert_eq!(day("1970-01-01"), Some(0));
        assert_eq!(day("2000-03-01"), Some(11_017));
        assert_eq!(day("2026-11-30"), Some(20_787));
        assert_eq!(day("2027-02-29"), None);
        assert_eq!(day("2027-1-1"), None);
        assert_eq!(day("soon"), None);
    }

    #[test]
    fn refuses_what_it_does_not_know() {
        let error = |text: &str| Config::parse(text).err().unwrap_or_default();
        assert!(
            error("[diff.levels]\ncall-brakes = \"info\"").contains("did you mean `call-breaks`")
        );
        assert!(error("[diff]\nlense = \"strict\"").contains("lense"));
        let entry = "[[diff.accepted]]\nrule = \"call-breaks\"\ntool = \"a\"\n";
        assert!(
            error(&format!("{entry}reason = \" \"\nuntil = \"2027-01-01\"")).contains("reason")
        );
        assert!(error(&format!("{entry}reason = \"x\"\nuntil = \"soon\"")).contains("until"));
        let half = format!("{entry}reason = \"x\"\nuntil = \"2027-01-01\"\nold = \"sha256:0\"");
        assert!(error(&half).contains("belong together"));
    }

    #[test]
    fn repeats_no_value() {
        for text in [
            "TOKEN=hunter2\0HOME=/home/hunter2",
            "hunter2",
            "a = 1\nb = hunter2",
            "[diff]\nview = \"hunter2\"",
            "[diff]\nfail-on = \"hunter2\"",
            "[diff.levels]\ncall-breaks = \"hunter2\"",
            "[[diff.accepted]]\nrule = \"hunter2\"\ntool = \"a\"\nreason = \"b\"\nuntil = \"hunter2\"",
            "diff = \"hunter2\"",
        ] {
            let error = Config::parse(text).err().unwrap_or_default();
            assert!(!error.is_empty() && !error.contains("hunter2"), "{text}: {error}");
        }
    }

    #[test]
    fn takes_the_first_name_of_the_view() {
        let view = |text: &str| Config::parse(text).map(|config| config.view);
        assert_eq!(view("[diff]\nlens = \"strict\""), Ok(View::Strict));
        assert_eq!(view("[diff]\nview = \"strict\""), Ok(View::Strict));
        assert_eq!(view(""), Ok(View::Declared));
    }
}
