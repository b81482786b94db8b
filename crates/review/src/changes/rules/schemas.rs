//! What a schema no longer accepts: the verdicts of `diff`, told of a tool.

use super::super::breaks::{Break, breaks};
use super::super::edits::{Edit, What, edits};
use super::super::{Category, Change, Decided, Level, Pair, Review, View, seen};
use super::Rule;
use crate::diff::{Comparison, Settings, Verdict, Witness, compare};
use serde_json::Value;
use toolcast_contract::Part;

pub(super) const CALL_BREAKS: Rule = Rule {
    id: "call-breaks",
    level: Level::Breaking,
    category: Category::Call,
    summary: "Arguments that were valid are refused now.",
    help: "accept the old form as well (optional, or a union), or rename the tool",
};

pub(super) const CALL_BREAKS_UNDECLARED: Rule = Rule {
    id: "call-breaks-undeclared",
    level: Level::Info,
    category: Category::Call,
    summary: "Arguments with members that the contract never declared are refused now.",
    help: "",
};

pub(super) const CALL_UNPROVEN: Rule = Rule {
    id: "call-unproven",
    level: Level::Unproven,
    category: Category::Call,
    summary: "Whether valid arguments stay valid was neither proved nor refuted.",
    help: "read the change by hand; simpler schemas are easier to prove",
};

pub(super) const PARAMETER_IGNORED: Rule = Rule {
    id: "call-parameter-ignored",
    level: Level::Warning,
    category: Category::Call,
    summary: "A parameter is gone, and calls that still send it are accepted as if it said nothing.",
    help: "refuse it (`\"additionalProperties\": false`) or keep it declared",
};

pub(super) const RESULT_BREAKS: Rule = Rule {
    id: "result-breaks",
    level: Level::Breaking,
    category: Category::Result,
    summary: "Results that the old output schema refuses may come now.",
    help: "whoever reads results by the old schema meets values that it excludes",
};

pub(super) const RESULT_BREAKS_UNDECLARED: Rule = Rule {
    id: "result-breaks-undeclared",
    level: Level::Info,
    category: Category::Result,
    summary: "Results with members that the contract does not declare may be refused by the old output schema.",
    help: "",
};

pub(super) const RESULT_UNPROVEN: Rule = Rule {
    id: "result-unproven",
    level: Level::Unproven,
    category: Category::Result,
    summary: "Whether results stay what readers know was neither proved nor refuted.",
    help: "read the change by hand; simpler schemas are easier to prove",
};

pub(super) const RESULT_MEMBER_GONE: Rule = Rule {
    id: "result-member-gone",
    level: Level::Warning,
    category: Category::Result,
    summary: "An optional member of the result is no longer declared: whoever reads it finds nothing.",
    help: "keep it declared as long as someone reads it",
};

pub(super) const OUTPUT_REMOVED: Rule = Rule {
    id: "output-removed",
    level: Level::Breaking,
    category: Category::Result,
    summary: "The output schema is gone: nothing is promised of results any more.",
    help: "keep the output schema",
};

pub(super) const OUTPUT_ADDED: Rule = Rule {
    id: "output-added",
    level: Level::Info,
    category: Category::Result,
    summary: "Results have a schema now.",
    help: "",
};

struct Told {
    part: Part,
    breaks: &'static Rule,
    undeclared: &'static Rule,
    unproven: &'static Rule,
    refused: &'static str,
}

pub(in super::super) fn input(
    pair: Pair<'_>,
    view: View,
    settings: &Settings,
    review: &mut Review,
) {
    let (old, new) = (&pair.old.input, &pair.new.input);
    if old == new {
        return;
    }
    let comparison = compare(old, new, settings);
    let told = Told {
        part: Part::Input,
        breaks: &CALL_BREAKS,
        undeclared: &CALL_BREAKS_UNDECLARED,
        unproven: &CALL_UNPROVEN,
        refused: "these arguments were valid and are refused now",
    };
    tell(pair, view, (old, new), settings, &comparison, &told, review);
    ignored(pair, &comparison, &mut review.changes);
    review.verdicts.push(decided(pair, Part::Input, comparison));
}

pub(in super::super) fn output(
    pair: Pair<'_>,
    view: View,
    settings: &Settings,
    review: &mut Review,
) {
    let found = &mut review.changes;
    match (&pair.old.output, &pair.new.output) {
        (Some(old), Some(new)) if old != new => {
            // Readers know the old schema: it must accept whatever the new one lets through.
            let comparison = compare(new, old, settings);
            let told = Told {
                part: Part::Output,
                breaks: &RESULT_BREAKS,
                undeclared: &RESULT_BREAKS_UNDECLARED,
                unproven: &RESULT_UNPROVEN,
                refused: "this result may come now, and the old output schema refuses it",
            };
            tell(pair, view, (new, old), settings, &comparison, &told, review);
            members_gone(pair, (old, new), &mut review.changes);
            review.verdicts.push(decided(pair, Part::Output, comparison));
        }
        (Some(_), None) => {
            let message = "the output schema is gone";
            found.push(Change::new(&OUTPUT_REMOVED, pair.new, message).at(Part::Output, ""));
        }
        (None, Some(_)) => {
            let change = Change::new(&OUTPUT_ADDED, pair.new, "results have a schema now");
            found.push(change.at(Part::Output, ""));
        }
        _ => {}
    }
}

fn decided(pair: Pair<'_>, part: Part, comparison: Comparison) -> Decided {
    let Comparison { declared, strict, .. } = comparison;
    Decided { tool: pair.new.name.clone(), part, declared, strict }
}

fn tell(
    pair: Pair<'_>,
    view: View,
    (from, to): (&Value, &Value),
    settings: &Settings,
    comparison: &Comparison,
    told: &Told,
    review: &mut Review,
) {
    let found = &mut review.changes;
    let with = |rule: &'static Rule, pointer: String, witness: Witness, message: String| {
        let mut change = Change::new(rule, pair.new, message).at(told.part, pointer);
        change.witness = Some(witness);
        change
    };
    let pointer_of = |witness: &Witness| {
        witness.faults.first().map(|fault| fault.schema.clone()).unwrap_or_default()
    };
    let verdict = seen(view, comparison);
    if verdict.is_compatible() {
        if let Verdict::Breaking(witness) = &comparison.strict {
            let message = format!("with a member that is not declared: {}", told.refused);
            let witness = witness.as_ref().clone();
            found.push(with(told.undeclared, pointer_of(&witness), witness, message));
        }
        return;
    }
    // One break must not hide the next, and a schema that is not decided as a whole may hold one that is.
    let each = breaks(from, to, view, settings);
    for Break { pointer, witness } in &each.found {
        let message = told.refused.to_owned();
        found.push(with(told.breaks, pointer.clone(), witness.clone(), message));
    }
    match verdict {
        Verdict::Breaking(witness) if each.found.is_empty() => {
            let witness = witness.as_ref().clone();
            found.push(with(told.breaks, pointer_of(&witness), witness, told.refused.to_owned()));
        }
        Verdict::Unproven(why) => {
            found.push(Change::new(told.unproven, pair.new, why.to_string()).at(told.part, ""));
        }
        _ => {
            for (pointer, why) in each.open {
                let change = Change::new(told.unproven, pair.new, why);
                found.push(change.at(told.part, pointer));
            }
        }
    }
}

/// Parameters that are gone from an object which takes them nevertheless, and says nothing of it.
fn ignored(pair: Pair<'_>, comparison: &Comparison, found: &mut Vec<Change>) {
    let (old, new) = (&pair.old.input, &pair.new.input);
    let before = found.len();
    for edit in edits(old, new).unwrap_or_default() {
        let pointer = edit.pointer();
        let place = Some((Part::Input, pointer.clone()));
        // What is refused is not ignored.
        let is_told = found.iter().any(|change| change.place == place);
        if !is_told
            && is_gone(&edit)
            && takes_undeclared(new, &edit)
            && let Some(name) = edit.member()
        {
            let message = format!(
                "`{name}` is no longer declared: calls that send it are accepted, and nothing reads it"
            );
            found.push(Change::new(&PARAMETER_IGNORED, pair.new, message).at(Part::Input, pointer));
        }
    }
    if let (Some(witness), true) = (&comparison.ignored, found.len() == before) {
        let message = "a member that was declared is accepted, and nothing reads it any more";
        let mut change = Change::new(&PARAMETER_IGNORED, pair.new, message).at(Part::Input, "");
        // Nothing is said against the value: that is what the warning is about.
        change.witness = Some(Witness { value: witness.value.clone(), faults: Vec::new() });
        found.push(change);
    }
}

/// Optional members of the result that are gone; a required one that is gone breaks.
fn members_gone(pair: Pair<'_>, (old, new): (&Value, &Value), found: &mut Vec<Change>) {
    for edit in edits(old, new).unwrap_or_default() {
        let What::Member { name, .. } = &edit.what else { continue };
        if !is_gone(&edit) {
            continue;
        }
        let node = old.pointer(&edit.node);
        let required = node.and_then(|node| node.get("required")).and_then(Value::as_array);
        let required = required.is_some_and(|names| names.iter().any(|known| known == name));
        let breaks = found
            .iter()
            .any(|change| change.rule == &RESULT_BREAKS && change.tool == pair.new.name);
        if !(required && breaks)
            && let Some(name) = edit.member()
        {
            let message = format!("`{name}` of the result is no longer declared");
            let change = Change::new(&RESULT_MEMBER_GONE, pair.new, message);
            found.push(change.at(Part::Output, edit.pointer()));
        }
    }
}

fn is_gone(edit: &Edit) -> bool {
    matches!(&edit.what, What::Member { keyword, new: None, .. } if keyword == "properties")
}

/// Whether the object takes members that it does not declare.
fn takes_undeclared(schema: &Value, edit: &Edit) -> bool {
    let node = schema.pointer(&edit.node);
    let takes = |keyword: &str| match node.and_then(|node| node.get(keyword)) {
        None | Some(Value::Bool(true)) => true,
        Some(Value::Object(schema)) => schema.is_empty(),
        Some(_) => false,
    };
    takes("additionalProperties") && takes("unevaluatedProperties")
}
