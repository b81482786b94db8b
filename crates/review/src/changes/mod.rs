//! What changed between two catalogs, and what each change means to whom: callers, readers of results, the model, whoever
//! approves calls, and the Rust code that implements the tools.
//!
//! Pure: the same catalogs give the same list, worst first.

mod fields;
mod pairs;
mod rules;
mod words;

use crate::diff::{Settings, Verdict, Witness};
use serde_json::Value;
use std::fmt;
use toolcast_contract::{Catalog, Contract, Part};

pub use rules::{RULES, Rule};
pub use words::{Word, words};

/// How much a change asks of a reviewer, worst first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Level {
    /// Something that worked no longer does.
    Breaking,
    /// Whether something breaks was not settled.
    Unproven,
    /// Worth a decision.
    Warning,
    /// Worth knowing.
    Info,
}

/// Whom a change concerns.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Category {
    /// Who calls the tool.
    Call,
    /// Who reads its result.
    Result,
    /// The model that reads its description.
    Prompt,
    /// Who approves its calls.
    Safety,
    /// The Rust code that implements it.
    Api,
}

/// Which callers a verdict speaks for.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Lens {
    /// Those that send declared members only; what breaks for others alone is a remark.
    #[default]
    Declared,
    /// All of them.
    Strict,
}

/// One change.
#[derive(Clone, Debug, PartialEq)]
pub struct Change {
    /// The rule that found it.
    pub rule: &'static Rule,
    /// How much it asks of a reviewer; the rule's own level, unless settings change it.
    pub level: Level,
    /// The tool, by its new name where it has one.
    pub tool: String,
    /// The schema that it lies in, and the JSON pointer there; `None` for what stands outside of both.
    pub place: Option<(Part, String)>,
    /// What changed, in one sentence.
    pub message: String,
    /// What there was.
    pub before: Option<String>,
    /// What there is.
    pub after: Option<String>,
    /// The value that used to be accepted and no longer is, and why.
    pub witness: Option<Witness>,
    /// What to do.
    pub help: Option<String>,
}

impl Change {
    fn new(rule: &'static Rule, tool: &Contract, message: impl Into<String>) -> Self {
        Self {
            rule,
            level: rule.level,
            tool: tool.name.clone(),
            place: None,
            message: message.into(),
            before: None,
            after: None,
            witness: None,
            help: (!rule.help.is_empty()).then(|| rule.help.to_owned()),
        }
    }

    fn at(mut self, part: Part, pointer: impl Into<String>) -> Self {
        self.place = Some((part, pointer.into()));
        self
    }

    fn showing(mut self, before: impl Into<String>, after: impl Into<String>) -> Self {
        self.before = Some(before.into());
        self.after = Some(after.into());
        self
    }
}

/// Two versions of one tool.
#[derive(Clone, Copy)]
struct Pair<'a> {
    old: &'a Contract,
    new: &'a Contract,
}

/// Every change between two catalogs.
#[must_use]
pub fn changes(old: &Catalog, new: &Catalog, lens: Lens, settings: &Settings) -> Vec<Change> {
    let mut found = Vec::new();
    let matched = pairs::pairs(old, new);
    rules::tools::gone(&matched, &mut found);
    for pair in &matched.pairs {
        if pair.old == pair.new {
            continue;
        }
        rules::tools::renamed(*pair, &mut found);
        rules::schemas::input(*pair, lens, settings, &mut found);
        rules::schemas::output(*pair, lens, settings, &mut found);
        rules::prompt::described(*pair, &mut found);
        rules::members::members(*pair, &mut found);
        rules::safety::hints(*pair, &mut found);
        rules::safety::behaviour(*pair, &mut found);
    }
    sort(&mut found);
    found
}

/// What changed in the generated Rust code of one tool; whoever calls knows how to generate it.
#[must_use]
pub fn api_change(tool: &Contract, before: &str, after: &str) -> Option<Change> {
    rules::api::api(tool, before, after)
}

/// A tool whose version on one side cannot be read: never to be taken for one without changes.
#[must_use]
pub fn unreadable(tool: &str, message: impl Into<String>) -> Change {
    let rule = &rules::UNREADABLE;
    Change {
        rule,
        level: rule.level,
        tool: tool.to_owned(),
        place: None,
        message: message.into(),
        before: None,
        after: None,
        witness: None,
        help: Some(rule.help.to_owned()),
    }
}

/// The changes between two bare schemas.
#[must_use]
pub fn bare(
    name: &str,
    old: &Value,
    new: &Value,
    part: Part,
    lens: Lens,
    settings: &Settings,
) -> Vec<Change> {
    let contract = |schema: &Value| bare_contract(name, schema.clone(), part);
    let (old, new) = (contract(old), contract(new));
    let pair = Pair { old: &old, new: &new };
    let mut found = Vec::new();
    match part {
        Part::Input => rules::schemas::input(pair, lens, settings, &mut found),
        Part::Output => rules::schemas::output(pair, lens, settings, &mut found),
    }
    rules::members::members(pair, &mut found);
    sort(&mut found);
    found
}

fn bare_contract(name: &str, schema: Value, part: Part) -> Contract {
    let (input, output) = match part {
        Part::Input => (schema, None),
        Part::Output => (Value::Bool(true), Some(schema)),
    };
    Contract {
        name: name.to_owned(),
        toolset: Vec::new(),
        source: name.into(),
        title: None,
        description: String::new(),
        input,
        output,
        exclusive: false,
        timeout_seconds: None,
        annotations: Default::default(),
        icons: Vec::new(),
        meta: Default::default(),
        renamed_from: None,
    }
}

fn sort(changes: &mut [Change]) {
    changes.sort_by(|a, b| {
        let key = |change: &Change| {
            let place = change.place.as_ref().map(|(part, at)| (*part as u8, at.clone()));
            (change.level, change.rule.category, change.tool.clone(), change.rule.id, place)
        };
        key(a).cmp(&key(b))
    });
}

/// The verdict that a lens asks for.
fn seen(lens: Lens, comparison: &crate::diff::Comparison) -> &Verdict {
    match lens {
        Lens::Declared => &comparison.declared,
        Lens::Strict => &comparison.strict,
    }
}

impl fmt::Display for Level {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Breaking => "breaking",
            Self::Unproven => "unproven",
            Self::Warning => "warning",
            Self::Info => "info",
        })
    }
}

impl fmt::Display for Category {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Call => "CALL",
            Self::Result => "RESULT",
            Self::Prompt => "PROMPT",
            Self::Safety => "SAFETY",
            Self::Api => "API",
        })
    }
}
