//! `toolcast.toml`: levels of rules, and breaks that the team has accepted, each with a reason and an end.

use super::report::Level;
use crate::failure::Failure;
use camino::Utf8Path;
use serde::Deserialize;
use std::collections::BTreeMap;
use std::time::{SystemTime, UNIX_EPOCH};
use toolcast_codegen::contract::{self, one_line, reader};
use toolcast_review::changes::{Change, Lens, Level as Rank, RULES};

/// Bytes of one configuration: 1 MiB.
const MOST_BYTES: usize = 1 << 20;

/// What the file says of `diff`.
#[derive(Clone, Debug)]
pub struct Config {
    /// Whom a break must concern.
    pub lens: Lens,
    /// The mildest level that fails.
    pub fail_on: Level,
    levels: BTreeMap<String, Written>,
    accepted: Vec<Accepted>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    #[serde(default)]
    diff: Section,
}

#[derive(Default, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
struct Section {
    lens: Option<WrittenLens>,
    fail_on: Option<Level>,
    #[serde(default)]
    levels: BTreeMap<String, Written>,
    #[serde(default)]
    accepted: Vec<Accepted>,
}

#[derive(Deserialize)]
#[serde(rename_all = "lowercase")]
enum WrittenLens {
    Declared,
    Strict,
}

#[derive(Clone, Copy, Debug, Deserialize)]
#[serde(rename_all = "lowercase")]
enum Written {
    Breaking,
    Unproven,
    Warning,
    Info,
    Off,
}

#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Accepted {
    rule: String,
    tool: String,
    reason: String,
    /// The last day on which it is accepted, `2027-01-31`.
    until: String,
}

impl Config {
    /// Reads the named file, or `toolcast.toml` where there is one.
    pub fn read(file: Option<&Utf8Path>) -> Result<Self, Failure> {
        let path = file.unwrap_or_else(|| super::default_config());
        let content = match reader::read_named(path, MOST_BYTES) {
            Ok(content) => content,
            Err(unread) if file.is_none() && unread.is_missing() => {
                return Self::parse("").map_err(Failure::new);
            }
            Err(unread) => return Err(Failure::unread(path, &unread)),
        };
        let shown = one_line(path.as_str());
        let text = contract::text(&content.bytes).map_err(|fault| {
            Failure::new(format!("{shown}: {}", fault.message)).help(fault.help)
        })?;
        Self::parse(text).map_err(|failure| match content.linked {
            // What a link leads to may be no one's configuration, and is not for everyone to read.
            true => Failure::new(format!("{shown}: what this link leads to is no configuration"))
                .help("put the file itself here"),
            false => Failure::new(format!("{shown}: {failure}")),
        })
    }

    fn parse(text: &str) -> Result<Self, String> {
        let file: File = toml::from_str(text).map_err(|error| error.to_string())?;
        let section = file.diff;
        let named = section.levels.keys().chain(section.accepted.iter().map(|a| &a.rule));
        for rule in named {
            if !RULES.iter().any(|known| known.id == rule) {
                let ids = RULES.iter().map(|rule| rule.id);
                let near = toolcast_codegen::contract::nearest(rule, ids);
                let near = near.map(|near| format!("; did you mean `{near}`?")).unwrap_or_default();
                return Err(format!("there is no rule `{rule}`{near}"));
            }
        }
        for accepted in &section.accepted {
            if accepted.reason.trim().is_empty() {
                return Err(format!("accepting `{}` needs a reason", accepted.rule));
            }
            if day(&accepted.until).is_none() {
                let until = &accepted.until;
                return Err(format!("`until = \"{until}\"` is no day such as \"2027-01-31\""));
            }
        }
        Ok(Self {
            lens: match section.lens {
                Some(WrittenLens::Strict) => Lens::Strict,
                _ => Lens::Declared,
            },
            fail_on: section.fail_on.unwrap_or(Level::Breaking),
            levels: section.levels,
            accepted: section.accepted,
        })
    }

    /// Gives a change its configured level; false where its rule is off.
    pub fn apply(&self, change: &mut Change) -> bool {
        match self.levels.get(change.rule.id) {
            None => {}
            Some(Written::Breaking) => change.level = Rank::Breaking,
            Some(Written::Unproven) => change.level = Rank::Unproven,
            Some(Written::Warning) => change.level = Rank::Warning,
            Some(Written::Info) => change.level = Rank::Info,
            Some(Written::Off) => return false,
        }
        true
    }

    /// Why a change is accepted, where it is: an entry whose day has passed accepts nothing.
    pub fn accepted(&self, change: &Change) -> Result<Option<String>, Failure> {
        let fits = |entry: &&Accepted| entry.rule == change.rule.id && entry.tool == change.tool;
        for entry in self.accepted.iter().filter(fits) {
            if day(&entry.until) >= Some(today()?) {
                return Ok(Some(format!("{} (until {})", entry.reason, entry.until)));
            }
        }
        Ok(None)
    }
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
        assert!(error(&format!("{entry}reason = \"x\"\nuntil = \"soon\"")).contains("soon"));
    }
}
