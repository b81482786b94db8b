//! What whoever approves calls relies on. MCP's hints are compared by what they mean, defaults filled in: a hint written
//! out that says what silence said is no change.

use super::super::{Category, Change, Level, Pair};
use super::Rule;
use toolcast_contract::Annotations;

pub(super) const LOOSENED: Rule = Rule {
    id: "hint-loosened",
    level: Level::Warning,
    category: Category::Safety,
    summary: "The tool may do more than it said: calls that were approved unseen may need a look.",
    help: "clients decide by these hints what to approve without asking",
};

pub(super) const TIGHTENED: Rule = Rule {
    id: "hint-tightened",
    level: Level::Warning,
    category: Category::Safety,
    summary: "The tool says that it does less: clients may stop asking before they call it.",
    help: "make sure that the implementation keeps the promise",
};

pub(super) const EXCLUSIVE_DROPPED: Rule = Rule {
    id: "exclusive-dropped",
    level: Level::Warning,
    category: Category::Safety,
    summary: "Calls may overlap other exclusive calls of the run now.",
    help: "make sure that the handler bears calls at the same time",
};

pub(super) const EXCLUSIVE_ADDED: Rule = Rule {
    id: "exclusive-added",
    level: Level::Info,
    category: Category::Safety,
    summary: "Calls wait for other exclusive calls of the run now.",
    help: "",
};

pub(super) const TIMEOUT: Rule = Rule {
    id: "timeout-changed",
    level: Level::Warning,
    category: Category::Call,
    summary: "A call may take more or less time than before.",
    help: "a shorter limit ends calls that used to finish; a longer one holds callers up",
};

/// What the hints amount to (MCP: destructive and idempotent mean something only for a tool that is not read-only).
fn effective(hints: &Annotations) -> [(&'static str, bool); 4] {
    let read_only = hints.read_only.unwrap_or(false);
    [
        ("modifies its environment", !read_only),
        ("may destroy something", !read_only && hints.destructive.unwrap_or(true)),
        ("has a further effect when repeated", !read_only && !hints.idempotent.unwrap_or(false)),
        ("reaches an open world", hints.open_world.unwrap_or(true)),
    ]
}

pub(in super::super) fn hints(pair: Pair<'_>, found: &mut Vec<Change>) {
    let (old, new) = (effective(&pair.old.annotations), effective(&pair.new.annotations));
    let now = |wanted: bool| -> Vec<&str> {
        let changed = old
            .iter()
            .zip(&new)
            .filter(|((_, before), (_, after))| before != after && *after == wanted);
        changed.map(|(_, (what, _))| *what).collect()
    };
    let written = |hints: &Annotations| {
        serde_json::Value::Object(
            hints.specification().into_iter().filter(|(name, _)| name != "title").collect(),
        )
        .to_string()
    };
    for (rule, risks, says) in [
        (&LOOSENED, now(true), "now says that it"),
        (&TIGHTENED, now(false), "no longer says that it"),
    ] {
        if !risks.is_empty() {
            let message = format!("the tool {says} {}", risks.join(", "));
            let change = Change::new(rule, pair.new, message);
            found.push(
                change.showing(written(&pair.old.annotations), written(&pair.new.annotations)),
            );
        }
    }
}

pub(in super::super) fn behaviour(pair: Pair<'_>, found: &mut Vec<Change>) {
    match (pair.old.exclusive, pair.new.exclusive) {
        (true, false) => {
            let message = "the tool is no longer exclusive";
            found.push(Change::new(&EXCLUSIVE_DROPPED, pair.new, message));
        }
        (false, true) => {
            found.push(Change::new(&EXCLUSIVE_ADDED, pair.new, "the tool is exclusive now"));
        }
        _ => {}
    }
    let (old, new) = (pair.old.timeout_seconds, pair.new.timeout_seconds);
    if old != new {
        let shown = |seconds: Option<f64>| match seconds {
            Some(seconds) => format!("{seconds} s"),
            None => "no limit of its own".to_owned(),
        };
        let message = format!("a call may take {}, before: {}", shown(new), shown(old));
        let change = Change::new(&TIMEOUT, pair.new, message);
        found.push(change.showing(shown(old), shown(new)));
    }
}
