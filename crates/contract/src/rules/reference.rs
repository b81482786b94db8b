//! A reference leads to a schema that is there, in the schemas folder.

use super::Rule;
use toolcast_schema::finding::{Finding, printable};
use toolcast_schema::index::Lost;
use toolcast_schema::json::End;
use toolcast_schema::pointer::join;

/// A reference leads to something that is there.
pub const DANGLING: Rule =
    Rule::error("ref-dangling", "A reference leads to something that is there.");

/// The escapes of a reference (`%`, `~`) are well formed.
pub const ESCAPE: Rule =
    Rule::error("ref-escape", "The escapes of a reference (`%`, `~`) are well formed.");

/// A reference stays in the schemas folder.
pub const LEAVES_FOLDER: Rule =
    Rule::error("ref-leaves-folder", "A reference stays in the schemas folder.");

/// A reference names no network address, unless a file here claims it by `$id`.
pub const NETWORK: Rule = Rule::error(
    "ref-network",
    "A reference names no network address, unless a file here claims it by `$id`.",
);

/// A reference leads to a schema.
pub const NOT_SCHEMA: Rule = Rule::error("ref-not-schema", "A reference leads to a schema.");

/// What is told of the reference in `keyword` at `pointer` that leads nowhere.
pub(super) fn finding(lost: &Lost, keyword: &str, reference: &str, pointer: &str) -> Finding {
    let named = printable(reference);
    let (rule, message, help) = match lost {
        Lost::LeavesFolder => (
            LEAVES_FOLDER,
            format!("`{keyword}` leads out of the schemas folder: `{named}`"),
            Some("copy the definition into a `defs` folder and refer to it there".to_owned()),
        ),
        Lost::Network => (
            NETWORK,
            format!("`{keyword}` names a network address: `{named}`"),
            Some(
                "nothing is fetched: save the schema under `defs/` and refer to the file"
                    .to_owned(),
            ),
        ),
        Lost::NoDocument { wanted, near } => (
            DANGLING,
            format!("`{keyword}` leads nowhere: there is no `{}`", printable(wanted)),
            Some(near.as_ref().map_or_else(
                || "a reference names a file by its path from this one, or something in this one by `#`".to_owned(),
                |near| format!("did you mean `{}`?", printable(near)),
            )),
        ),
        Lost::NoPlace { document, near } => (
            DANGLING,
            format!("`{keyword}` leads nowhere: `{document}` has no `{}`", fragment(&named)),
            Some(near.as_ref().map_or_else(
                || "define it there (`$defs`), or refer to something that is there".to_owned(),
                |near| format!("did you mean `{}`?", printable(near)),
            )),
        ),
        Lost::NotSchema => (
            NOT_SCHEMA,
            format!("`{keyword}` leads to a value that is no schema: `{named}`"),
            Some("refer to an object, `true` or `false`".to_owned()),
        ),
        Lost::Escape => (
            ESCAPE,
            format!("`{keyword}` has a broken escape: `{named}`"),
            Some(
                "`%` takes two hexadecimal digits (`%25` is `%`), `~` takes `0` or `1`".to_owned(),
            ),
        ),
        Lost::Unread => (DANGLING, format!("`{keyword}` leads to a broken file"), None),
    };
    let place = join(pointer, keyword);
    let mut finding = rule.finding(place, End::Value, message);
    finding.help = help;
    finding
}

fn fragment(reference: &str) -> &str {
    reference.find('#').map_or("#", |at| &reference[at..])
}
