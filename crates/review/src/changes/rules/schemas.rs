//! What a schema no longer accepts: the verdicts of `diff`, told of a tool.

use super::super::{Category, Change, Lens, Level, Pair, seen};
use super::Rule;
use crate::diff::{Comparison, Settings, Verdict, Witness, compare};
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
    lens: Lens,
    settings: &Settings,
    found: &mut Vec<Change>,
) {
    if pair.old.input == pair.new.input {
        return;
    }
    let comparison = compare(&pair.old.input, &pair.new.input, settings);
    let told = Told {
        part: Part::Input,
        breaks: &CALL_BREAKS,
        undeclared: &CALL_BREAKS_UNDECLARED,
        unproven: &CALL_UNPROVEN,
        refused: "these arguments were valid and are refused now",
    };
    tell(pair, lens, &comparison, &told, found);
    if let Some(witness) = &comparison.ignored {
        let gone: Vec<String> = witness
            .faults
            .iter()
            .filter(|fault| fault.keyword == "additionalProperties")
            .map(|fault| fault.message.clone())
            .collect();
        let message = match gone.first() {
            Some(first) => format!("a member that was declared is now ignored: {first}"),
            None => "a member that was declared is now ignored".to_owned(),
        };
        let mut change = Change::new(&PARAMETER_IGNORED, pair.new, message).at(Part::Input, "");
        change.witness = Some(witness.clone());
        found.push(change);
    }
}

pub(in super::super) fn output(
    pair: Pair<'_>,
    lens: Lens,
    settings: &Settings,
    found: &mut Vec<Change>,
) {
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
            tell(pair, lens, &comparison, &told, found);
        }
        (Some(_), None) => {
            let message = "the output schema is gone";
            found.push(Change::new(&OUTPUT_REMOVED, pair.new, message));
        }
        (None, Some(_)) => {
            let change = Change::new(&OUTPUT_ADDED, pair.new, "results have a schema now");
            found.push(change.at(Part::Output, ""));
        }
        _ => {}
    }
}

fn tell(pair: Pair<'_>, lens: Lens, comparison: &Comparison, told: &Told, found: &mut Vec<Change>) {
    let with = |rule: &'static Rule, witness: &Witness, message: String| {
        // A result is refused by the old schema, whose pointers lead nowhere in the new one.
        let pointer = match (told.part, witness.faults.first()) {
            (Part::Input, Some(fault)) => fault.schema.clone(),
            _ => String::new(),
        };
        let mut change = Change::new(rule, pair.new, message).at(told.part, pointer);
        change.witness = Some(witness.clone());
        change
    };
    match seen(lens, comparison) {
        Verdict::Breaking(witness) => {
            found.push(with(told.breaks, witness, told.refused.to_owned()));
        }
        Verdict::Unproven(why) => {
            let change = Change::new(told.unproven, pair.new, why.to_string());
            found.push(change.at(told.part, ""));
        }
        Verdict::Compatible(_) => {
            if let Verdict::Breaking(witness) = &comparison.strict {
                let message = format!("with a member that is not declared: {}", told.refused);
                found.push(with(told.undeclared, witness, message));
            }
        }
    }
}
