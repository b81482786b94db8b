//! Names that schemas give themselves are unique: `$id` in the folder, an anchor in its resource.

use super::Rule;
use toolcast_schema::finding::{Finding, printable};
use toolcast_schema::index::Index;
use toolcast_schema::json::End;
use toolcast_schema::pointer::join;

/// An anchor's name is unique in its schema resource (2020-12 §8.2.2).
pub const ANCHOR_USED_TWICE: Rule = Rule::error(
    "anchor-used-twice",
    "An anchor's name is unique in its schema resource (2020-12 §8.2.2).",
);

/// An `$id` is unique in the folder.
pub const ID_USED_TWICE: Rule = Rule::error("id-used-twice", "An `$id` is unique in the folder.");

/// Every name that is used twice, with its document.
pub(super) fn find(index: &Index) -> Vec<(usize, Finding)> {
    let identifiers = index.claimed_twice.iter().map(|&(second, first)| {
        let [second, first] = [second, first].map(|number| &index.resources[number]);
        let other = &index.documents[first.document].path;
        let message = format!("the `$id` `{}` is taken by `{other}`", printable(&second.base));
        let finding = ID_USED_TWICE
            .finding(join(&second.pointer, "$id"), End::Value, message)
            .help("give each schema an `$id` of its own, or none");
        (second.document, finding)
    });
    let anchors = index.anchors_twice.iter().map(|(location, name)| {
        let message = format!("the anchor `{}` stands twice in one schema", printable(name));
        let finding = ANCHOR_USED_TWICE
            .finding(location.pointer.clone(), End::Value, message)
            .help("rename one of the two");
        (location.document, finding)
    });
    identifiers.chain(anchors).collect()
}
