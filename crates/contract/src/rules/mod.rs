//! The rules of loading, one a file: each with its id, what it asks and the code that finds its breaches. The table lists
//! them all; every diagnostic of this crate carries one of its ids.

mod check;
mod default_mismatch;
pub(crate) mod files;
mod foreign_keyword;
mod identifiers;
mod keyword_shape;
mod later_keyword;
mod misplaced_x_tool;
mod missing_description;
pub(crate) mod name;
mod old_spelling;
mod pattern_syntax;
mod reference;
mod reference_loop;
mod root_not_object;
mod unknown_format;
mod unknown_keyword;

pub(crate) use check::{Kind, Report, check};

use serde_json::{Map, Value};
use toolcast_schema::diagnostic::Severity;
use toolcast_schema::dialect::Dialect;
use toolcast_schema::finding::Finding;
use toolcast_schema::index::Index;
use toolcast_schema::json::End;
use toolcast_schema::keyword::{Drafts, Keyword, keyword};
use toolcast_schema::limits::Limits;
use toolcast_schema::pointer::join;

/// A rule that a folder of contracts must keep.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Rule {
    /// The stable id, in kebab case.
    pub id: &'static str,
    /// How bad a breach is.
    pub severity: Severity,
    /// What is asked, in one sentence.
    pub summary: &'static str,
}

impl Rule {
    pub(crate) const fn error(id: &'static str, summary: &'static str) -> Self {
        Self { id, severity: Severity::Error, summary }
    }

    pub(crate) const fn warning(id: &'static str, summary: &'static str) -> Self {
        Self { id, severity: Severity::Warning, summary }
    }

    /// A breach of the rule.
    pub(crate) fn finding(self, pointer: String, end: End, message: String) -> Finding {
        Finding::new(self.severity, self.id, pointer, end, message)
    }
}

/// Every rule of loading, by id. `toolcast-review` adds those that need a validator.
pub const RULES: &[Rule] = &[
    identifiers::ANCHOR_USED_TWICE,
    default_mismatch::RULE,
    files::DUPLICATE_KEY,
    files::FILE_CLASH,
    foreign_keyword::RULE,
    identifiers::ID_USED_TWICE,
    files::INVALID_JSON,
    keyword_shape::RULE,
    later_keyword::RULE,
    misplaced_x_tool::RULE,
    missing_description::RULE,
    name::NAME_CHARACTERS,
    name::NAME_EMPTY,
    name::NAME_TOO_LONG,
    name::NAME_USED_TWICE,
    files::NO_FOLDER,
    files::NOT_READ,
    files::NOT_UTF8,
    files::NUMBER_RANGE,
    old_spelling::RULE,
    files::PATH_NOT_UTF8,
    pattern_syntax::RULE,
    reference::DANGLING,
    reference::ESCAPE,
    reference::LEAVES_FOLDER,
    reference_loop::RULE,
    reference::NETWORK,
    reference::NOT_SCHEMA,
    root_not_object::RULE,
    files::SYMLINK,
    files::TOO_DEEP,
    files::TOO_LARGE,
    files::TOO_MANY_FAULTS,
    files::TOO_MANY_FILES,
    files::TOO_MANY_SUBSCHEMAS,
    files::UNKNOWN_DIALECT,
    unknown_format::RULE,
    unknown_keyword::RULE,
    crate::tool::UNKNOWN_X_TOOL,
    files::UNREADABLE,
    crate::tool::X_TOOL_SHAPE,
];

/// One member of a schema, as the rules of keywords see it.
struct Member<'a> {
    /// The pointer of the schema.
    schema: &'a str,
    members: &'a Map<String, Value>,
    dialect: Dialect,
    name: &'a str,
    value: &'a Value,
    /// The keyword's row in the table of keywords.
    row: Option<&'static Keyword>,
}

impl Member<'_> {
    fn pointer(&self) -> String {
        join(self.schema, self.name)
    }

    /// Whether the file's dialect does not know the keyword, so that it means nothing there.
    fn is_ignored(&self) -> bool {
        self.dialect == Dialect::Draft7
            && self.row.is_some_and(|row| row.drafts == Drafts::Later)
            // `$defs` works by pointer in every draft, and annotations change nothing.
            && !matches!(self.name, "$defs" | "deprecated" | "$vocabulary")
    }
}

/// The rules that look at one member of a schema, in the order in which breaches are told.
const OF_MEMBERS: &[fn(&Member<'_>, &mut Vec<Finding>)] = &[
    misplaced_x_tool::check,
    unknown_keyword::check,
    foreign_keyword::check,
    later_keyword::check,
    old_spelling::check,
    keyword_shape::check,
    pattern_syntax::check,
    unknown_format::check,
];

/// Appends the breaches of the schema at `pointer`, not those of its subschemas.
fn members(schema: &Value, pointer: &str, dialect: Dialect, out: &mut Vec<Finding>) {
    let Value::Object(members) = schema else { return };
    for (name, value) in members {
        let row = keyword(name);
        let member = Member { schema: pointer, members, dialect, name, value, row };
        for rule in OF_MEMBERS {
            rule(&member, out);
        }
    }
}

/// The breaches of every schema of `index`, none of which is a contract: rules of a contract's root are not asked.
pub fn of_schemas(index: &Index, limits: &Limits) -> Vec<Finding> {
    let report = check(index, &|_| Kind::Schema, limits);
    report.findings.into_iter().map(|(_, finding)| finding).collect()
}

/// What is wrong with a tool's name, and what to do; `None` where it is a name that every provider takes.
pub fn of_name(name: &str) -> Option<(Rule, String, String)> {
    name::fault(name)
}
