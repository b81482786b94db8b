//! What `diff` found, in the form of its own contract's output.

use camino::Utf8Path;
use serde::{Deserialize, Serialize};
use toolcast_codegen::contract::{Origin, Part};
use toolcast_review::changes::{self, Level as Rank};
use toolcast_review::diff;

/// What `diff` found.
#[derive(Clone, Debug, Deserialize, Serialize)]
pub struct Report {
    /// What was compared with.
    pub before: String,
    /// What was compared.
    pub after: String,
    /// Tools after the change.
    pub tools: u64,
    /// The mildest level that fails.
    pub fail_on: Level,
    /// Whether something that was not accepted is as bad as that.
    pub fails: bool,
    /// The configuration that counted.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub config: Option<String>,
    /// What should be known of the comparison as a whole.
    pub notes: Vec<String>,
    /// Every change, worst first, accepted ones last.
    pub changes: Vec<Change>,
    /// How each schema that changed was decided.
    pub verdicts: Vec<Decided>,
}

/// How the change of one schema was decided.
#[derive(Clone, Debug, Deserialize, Serialize)]
pub struct Decided {
    /// The tool.
    pub tool: String,
    /// `input` or `output`.
    pub part: String,
    /// For callers who send declared members only.
    pub declared: Verdict,
    /// For all callers.
    pub strict: Verdict,
}

/// One verdict, and what decided it.
#[derive(Clone, Debug, Deserialize, Serialize)]
pub struct Verdict {
    /// `compatible`, `breaking` or `unproven`.
    pub verdict: String,
    /// What decided it, or why it was not decided.
    pub why: String,
}

impl Decided {
    /// As the rules found it.
    pub fn new(decided: &changes::Decided) -> Self {
        Self {
            tool: decided.tool.clone(),
            part: part(decided.part).to_owned(),
            declared: Verdict::new(&decided.declared),
            strict: Verdict::new(&decided.strict),
        }
    }
}

impl Verdict {
    fn new(verdict: &diff::Verdict) -> Self {
        let (verdict, why) = match verdict {
            diff::Verdict::Compatible(proof) => ("compatible", proof.to_string()),
            diff::Verdict::Breaking(witness) => ("breaking", format!("by {}", witness.value)),
            diff::Verdict::Unproven(why) => ("unproven", why.to_string()),
        };
        Self { verdict: verdict.to_owned(), why }
    }
}

/// A schema of a contract as reports name it.
fn part(part: Part) -> &'static str {
    match part {
        Part::Input => "input",
        Part::Output => "output",
    }
}

/// One change.
#[derive(Clone, Debug, Deserialize, Serialize)]
pub struct Change {
    /// How bad it is.
    pub level: Level,
    /// Whom it concerns.
    pub category: String,
    /// The rule's id.
    pub rule: String,
    /// The tool.
    pub tool: String,
    /// What changed.
    pub message: String,
    /// Where.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub file: Option<String>,
    /// Line, from 1.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub line: Option<u64>,
    /// Column, from 1.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub column: Option<u64>,
    /// JSON pointer into the schema.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub pointer: Option<String>,
    /// What there was.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub before: Option<String>,
    /// What there is.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub after: Option<String>,
    /// The value that used to be accepted, as JSON text.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub witness: Option<String>,
    /// What is said against it.
    pub faults: Vec<Fault>,
    /// What to do.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub help: Option<String>,
    /// Why it is accepted.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub accepted: Option<String>,
    /// The schema that it lies in: `input` or `output`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub part: Option<String>,
    /// The entry that would accept it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub acceptance: Option<String>,
}

/// What is said against a witness.
#[derive(Clone, Debug, Deserialize, Serialize)]
pub struct Fault {
    /// JSON pointer into the witness.
    pub at: String,
    /// The keyword that failed.
    pub keyword: String,
    /// JSON pointer into the schema.
    pub schema: String,
    /// What is wrong.
    pub message: String,
}

/// How bad a change is, worst first.
#[derive(Clone, Copy, Debug, Deserialize, Eq, Ord, PartialEq, PartialOrd, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Level {
    /// Something that worked no longer does.
    Breaking,
    /// Whether something breaks was not decided.
    Unproven,
    /// Worth a decision.
    Warning,
    /// Worth knowing.
    Info,
}

impl Level {
    /// The level as it is written.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Breaking => "breaking",
            Self::Unproven => "unproven",
            Self::Warning => "warning",
            Self::Info => "info",
        }
    }
}

impl From<Rank> for Level {
    fn from(rank: Rank) -> Self {
        match rank {
            Rank::Breaking => Self::Breaking,
            Rank::Unproven => Self::Unproven,
            Rank::Warning => Self::Warning,
            Rank::Info => Self::Info,
        }
    }
}

impl Report {
    /// Whether something that was not accepted is as bad as `fail_on`.
    pub fn fails(&self, fail_on: Level) -> bool {
        self.open().any(|change| change.level <= fail_on)
    }

    /// The changes that the configuration does not accept.
    pub fn open(&self) -> impl Iterator<Item = &Change> {
        self.changes.iter().filter(|change| change.accepted.is_none())
    }

    /// How many open changes there are of a level.
    pub fn count(&self, level: Level) -> usize {
        self.open().filter(|change| change.level == level).count()
    }

    /// One sentence: what the comparison came to.
    pub fn summary(&self) -> String {
        if self.changes.is_empty() {
            return format!("no change in {} against {}", tools(self.tools), self.before);
        }
        let levels = [Level::Breaking, Level::Unproven, Level::Warning, Level::Info];
        let counts: Vec<String> = levels
            .into_iter()
            .map(|level| (self.count(level), level.as_str()))
            .filter(|(count, _)| *count > 0)
            .map(|(count, name)| format!("{count} {name}"))
            .collect();
        let accepted = self.changes.len() - self.open().count();
        let accepted = if accepted > 0 { format!(", {accepted} accepted") } else { String::new() };
        let counts = if counts.is_empty() { "nothing open".to_owned() } else { counts.join(", ") };
        format!("{counts}{accepted} in {} against {}", tools(self.tools), self.before)
    }
}

fn tools(count: u64) -> String {
    if count == 1 { "1 tool".to_owned() } else { format!("{count} tools") }
}

impl Change {
    /// The change as it is told; its place in a file comes later.
    pub fn new(change: &changes::Change) -> Self {
        let faults = change.witness.as_ref().map(|witness| &witness.faults[..]).unwrap_or_default();
        Self {
            level: change.level.into(),
            category: change.rule.category.to_string(),
            rule: change.rule.id.to_owned(),
            tool: change.tool.clone(),
            message: change.message.clone(),
            file: None,
            line: None,
            column: None,
            pointer: change.place.as_ref().map(|(_, pointer)| pointer.clone()),
            before: change.before.clone(),
            after: change.after.clone(),
            witness: change.witness.as_ref().map(|witness| witness.value.to_string()),
            faults: faults
                .iter()
                .map(|fault| Fault {
                    at: fault.at.clone(),
                    keyword: fault.keyword.clone(),
                    schema: fault.schema.clone(),
                    message: fault.message.clone(),
                })
                .collect(),
            help: change.help.clone(),
            accepted: None,
            part: change.place.as_ref().map(|(of, _)| part(*of).to_owned()),
            acceptance: None,
        }
    }

    /// Says where the change stands.
    pub fn locate(&mut self, origin: &Origin) {
        self.stands_in(&origin.file);
        self.line = origin.position.map(|position| position.line as u64);
        self.column = origin.position.map(|position| position.column as u64);
    }

    /// Says in which file.
    pub fn stands_in(&mut self, file: &Utf8Path) {
        // Annotations and scanners know a file by its plain path only.
        let here = std::env::current_dir().unwrap_or_default();
        let inner = Utf8Path::from_path(&here).and_then(|here| file.strip_prefix(here).ok());
        self.file = Some(super::git::plain(inner.unwrap_or(file)));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_are_plain() {
        for (written, plain) in [
            ("./schemas/a.json", "schemas/a.json"),
            ("a/./b/../c.json", "a/c.json"),
            ("../a.json", "../a.json"),
            ("a//b.json", "a/b.json"),
        ] {
            assert_eq!(super::super::git::plain(Utf8Path::new(written)), plain);
        }
    }
}
