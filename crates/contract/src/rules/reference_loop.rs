//! Finds references that lead back to themselves without going into a member or an element: a validator that follows
//! them never ends, and no value can be said to fit.

use super::Rule;
use serde_json::Value;
use std::collections::HashMap;
use toolcast_schema::finding::Finding;
use toolcast_schema::index::{Index, Location};
use toolcast_schema::json::End;
use toolcast_schema::keyword::{Subschemas, subschemas};
use toolcast_schema::pointer::join;

/// A reference does not lead back to itself with nothing in between.
pub const RULE: Rule =
    Rule::error("ref-loop", "A reference does not lead back to itself with nothing in between.");

#[derive(Clone, Copy, PartialEq, Eq)]
enum Mark {
    OnPath,
    Done,
}

/// A way from one schema to another that looks at the same value; the keyword is set where it is a reference.
struct Step {
    to: Location,
    keyword: Option<&'static str>,
}

/// Every reference that closes a loop, with its document.
pub(super) fn find(index: &Index) -> Vec<(usize, Finding)> {
    let mut marks: HashMap<Location, Mark> = HashMap::new();
    let mut found = Vec::new();
    for (document, text) in index.documents.iter().enumerate() {
        if text.is_metaschema {
            continue;
        }
        for subschema in &text.schemas {
            let start = Location { document, pointer: subschema.pointer.clone() };
            if !marks.contains_key(&start) {
                search(index, start, &mut marks, &mut found);
            }
        }
    }
    found
}

/// Depth first, on a stack of its own: chains of references are as long as the author of a hostile contract likes.
fn search(
    index: &Index,
    start: Location,
    marks: &mut HashMap<Location, Mark>,
    found: &mut Vec<(usize, Finding)>,
) {
    marks.insert(start.clone(), Mark::OnPath);
    let mut path = vec![(steps(index, &start), start)];
    while let Some((ahead, here)) = path.last_mut() {
        let Some(step) = ahead.pop() else {
            marks.insert(here.clone(), Mark::Done);
            path.pop();
            continue;
        };
        match marks.get(&step.to) {
            Some(Mark::Done) => {}
            Some(Mark::OnPath) => {
                // A loop closes with a reference: subschemas only lead inwards.
                let Some(keyword) = step.keyword else { continue };
                let message = format!(
                    "`{keyword}` leads back to `{}#{}`, where it came from, with no member or element in between",
                    index.documents[step.to.document].path, step.to.pointer
                );
                let pointer = join(&here.pointer, keyword);
                let finding = RULE
                    .finding(pointer, End::Value, message)
                    .help("a schema may refer to itself only from inside a member or an element");
                found.push((here.document, finding));
            }
            None => {
                marks.insert(step.to.clone(), Mark::OnPath);
                path.push((steps(index, &step.to), step.to));
            }
        }
    }
}

fn steps(index: &Index, from: &Location) -> Vec<Step> {
    let Some(schema) = index.value(from) else { return Vec::new() };
    let mut steps = Vec::new();
    subschemas(schema, &from.pointer, |row, pointer, _| {
        if row.subschemas == Subschemas::InPlace {
            steps.push(Step { to: Location { document: from.document, pointer }, keyword: None });
        }
    });
    for keyword in ["$ref", "$dynamicRef"] {
        let Some(Value::String(reference)) = schema.get(keyword) else { continue };
        let Ok(target) = index.follow(from, reference) else { continue };
        // Where a dynamic reference leads is known only on the way.
        let open = keyword == "$dynamicRef"
            && target.dynamic.is_some_and(|anchor| index.contested.contains(&anchor));
        if !open && !index.documents[target.location.document].is_metaschema {
            steps.push(Step { to: target.location, keyword: Some(keyword) });
        }
    }
    steps
}
