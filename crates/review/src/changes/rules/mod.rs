//! The table of rules, and the rules by whom they concern.

pub(super) mod api;
pub(super) mod edited;
pub(super) mod members;
pub(super) mod prompt;
pub(super) mod safety;
pub(super) mod schemas;
pub(super) mod tools;

use super::{Category, Level};

/// A rule that finds changes.
#[derive(Debug, PartialEq, Eq)]
pub struct Rule {
    /// The stable id, in kebab case.
    pub id: &'static str,
    /// How much it asks of a reviewer, unless settings say otherwise.
    pub level: Level,
    /// Whom it concerns.
    pub category: Category,
    /// What it finds, in one sentence.
    pub summary: &'static str,
    /// What to do about it; empty where there is nothing to do.
    pub help: &'static str,
}

/// Every rule.
pub const RULES: &[&Rule] = &[
    &tools::REMOVED,
    &tools::RENAMED,
    &tools::ADDED,
    &tools::MOVED,
    &tools::META,
    &UNREADABLE,
    &CONFIGURATION_CHANGED,
    &schemas::CALL_BREAKS,
    &schemas::CALL_BREAKS_UNDECLARED,
    &schemas::CALL_UNPROVEN,
    &schemas::PARAMETER_IGNORED,
    &schemas::RESULT_BREAKS,
    &schemas::RESULT_BREAKS_UNDECLARED,
    &schemas::RESULT_UNPROVEN,
    &schemas::OUTPUT_REMOVED,
    &schemas::OUTPUT_ADDED,
    &schemas::RESULT_MEMBER_GONE,
    &edited::CALL,
    &edited::RESULT,
    &prompt::DESCRIPTION,
    &prompt::TITLE,
    &prompt::ICONS,
    &members::DESCRIPTION,
    &members::DEFAULT,
    &members::RESULT_DEFAULT,
    &members::PARAMETER_TITLE,
    &members::DEPRECATED,
    &members::ENUM_ORDER,
    &members::EXAMPLES,
    &safety::LOOSENED,
    &safety::TIGHTENED,
    &safety::EXCLUSIVE_DROPPED,
    &safety::EXCLUSIVE_ADDED,
    &safety::TIMEOUT,
    &api::CHANGED,
];

/// One side cannot be read.
pub const UNREADABLE: Rule = Rule {
    id: "version-unreadable",
    level: Level::Breaking,
    category: Category::Call,
    summary: "A version of the contract has faults, so that nothing can be said of the change.",
    help: "run `toolcast check` on that version and mend the contract",
};

/// What the comparison itself goes by changed.
pub const CONFIGURATION_CHANGED: Rule = Rule {
    id: "configuration-changed",
    level: Level::Warning,
    category: Category::Safety,
    summary: "`toolcast.toml` changed: levels, or what is accepted.",
    help: "read it as you would a change of the gate itself; it cannot be turned off or accepted",
};
