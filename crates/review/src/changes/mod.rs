//! What changed between two catalogs, and what each change means to whom: callers, readers of results, the model, whoever
//! approves calls, and the Rust code that implements the tools.
//!
//! Pure: the same catalogs give the same list, worst first.

mod breaks;
mod edits;
mod fields;
mod pairs;
mod rules;
mod words;

use crate::diff::{Fault, Settings, Verdict, Why, Witness};
use serde_json::Value;
use std::fmt;
use toolcast_contract::{Catalog, Contract, Part};

pub use rules::{CONFIGURATION_CHANGED, RULES, Rule, UNREADABLE};
pub use words::{Word, words};

/// How much a change asks of a reviewer, worst first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
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
pub enum View {
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
    /// The name that the tool had, where it was another.
    pub tool_before: Option<String>,
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
            tool_before: None,
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

/// What was found of a change.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Review {
    /// Every change, worst first.
    pub changes: Vec<Change>,
    /// How each schema that changed was decided.
    pub verdicts: Vec<Decided>,
}

/// How the change of one schema was decided.
#[derive(Clone, Debug, PartialEq)]
pub struct Decided {
    /// The tool, by its new name.
    pub tool: String,
    /// Which of its schemas.
    pub part: Part,
    /// For callers that send declared members only.
    pub declared: Verdict,
    /// For all callers.
    pub strict: Verdict,
}

/// Two versions of one tool.
#[derive(Clone, Copy)]
struct Pair<'a> {
    old: &'a Contract,
    new: &'a Contract,
}

/// Every change between two catalogs.
#[must_use]
pub fn changes(old: &Catalog, new: &Catalog, view: View, settings: &Settings) -> Review {
    let mut review = Review::default();
    let matched = pairs::pairs(old, new);
    rules::tools::gone(&matched, &mut review.changes);
    for pair in &matched.pairs {
        if pair.old == pair.new {
            continue;
        }
        let mut own = Review::default();
        rules::tools::renamed(*pair, &mut own.changes);
        rules::schemas::input(*pair, view, settings, &mut own);
        rules::schemas::output(*pair, view, settings, &mut own);
        let found = &mut own.changes;
        rules::prompt::described(*pair, found);
        rules::members::members(*pair, found);
        rules::safety::hints(*pair, found);
        rules::safety::behaviour(*pair, found);
        rules::tools::moved(*pair, found);
        rules::edited::edited(*pair, found);
        if pair.old.name != pair.new.name {
            for change in found {
                change.tool_before = Some(pair.old.name.clone());
            }
        }
        review.changes.append(&mut own.changes);
        review.verdicts.append(&mut own.verdicts);
    }
    sort(&mut review.changes);
    review
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
        tool_before: None,
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
    view: View,
    settings: &Settings,
) -> Review {
    let contract = |schema: &Value| bare_contract(name, schema.clone(), part);
    let (old, new) = (contract(old), contract(new));
    let pair = Pair { old: &old, new: &new };
    let mut review = Review::default();
    match part {
        Part::Input => rules::schemas::input(pair, view, settings, &mut review),
        Part::Output => rules::schemas::output(pair, view, settings, &mut review),
    }
    rules::members::members(pair, &mut review.changes);
    rules::edited::edited(pair, &mut review.changes);
    sort(&mut review.changes);
    review
}

/// Whether a bare schema can be compared at all, else what is wrong with it.
pub fn readable(schema: &Value, settings: &Settings) -> Result<(), String> {
    // A comparison with itself builds the validator, which reads every keyword.
    match crate::diff::compare(schema, schema, settings).strict {
        Verdict::Unproven(Why::Invalid { message, .. }) => Err(message),
        _ => Ok(()),
    }
}

/// What a schema says against a value, by the validator that the run time uses.
pub fn faults(schema: &Value, value: &Value) -> Result<Vec<Fault>, String> {
    crate::diff::faults_of(schema, "", value)
}

/// That the configuration of the comparison itself changed; `file` is how it is called.
#[must_use]
pub fn configuration_changed(file: &str, message: impl Into<String>) -> Change {
    let mut change = unreadable(file, message);
    change.rule = &rules::CONFIGURATION_CHANGED;
    change.level = change.rule.level;
    change.help = Some(change.rule.help.to_owned());
    change
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

/// The verdict that a view asks for.
fn seen(view: View, comparison: &crate::diff::Comparison) -> &Verdict {
    match view {
        View::Declared => &comparison.declared,
        View::Strict => &comparison.strict,
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
