//! Faults of a contract that only a validator finds.

use crate::diff::{faults_of, impossible, misfits};
use serde_json::{Value, json};
use toolcast_contract::{Catalog, Contract, Diagnostic, Part, Severity};

/// A rule that needs a validator.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Rule {
    /// The stable id, in kebab case.
    pub id: &'static str,
    /// How bad a breach is.
    pub severity: Severity,
    /// What is asked, in one sentence.
    pub summary: &'static str,
}

/// Every rule of this module.
pub const RULES: &[Rule] = &[
    Rule {
        id: "schema-invalid",
        severity: Severity::Error,
        summary: "The validator that runs at run time can read the schema, its patterns included.",
    },
    Rule {
        id: "example-mismatch",
        severity: Severity::Error,
        summary: "An example at the root of a schema fits the schema: models copy examples.",
    },
    Rule {
        id: "default-invalid",
        severity: Severity::Error,
        summary: "A default fits the whole schema of its member, formats and references included.",
    },
    Rule {
        id: "accepts-nothing",
        severity: Severity::Error,
        summary: "A schema accepts some value: a tool that refuses every call is a mistake; a part that nothing fits is \
                  probably one, and a warning.",
    },
];

/// Every fault that only a validator finds, by contract.
#[must_use]
pub fn check(catalog: &Catalog) -> Vec<Diagnostic> {
    let mut found = Vec::new();
    for contract in &catalog.contracts {
        schema(catalog, contract, Part::Input, &contract.input, &mut found);
        if let Some(output) = &contract.output {
            schema(catalog, contract, Part::Output, output, &mut found);
        }
    }
    found
}

fn schema(
    catalog: &Catalog,
    contract: &Contract,
    part: Part,
    schema: &Value,
    found: &mut Vec<Diagnostic>,
) {
    let mut tell = |severity, rule: &'static str, pointer: &str, message: String, help: &str| {
        let origin = catalog.origin(contract, part, pointer);
        let (file, position) = match origin {
            Some(origin) => (origin.file, origin.position),
            None => (catalog.root().join(&contract.source), None),
        };
        found.push(Diagnostic {
            severity,
            rule,
            file,
            position,
            message,
            help: Some(help.to_owned()),
        });
    };
    for part in impossible(schema) {
        let (severity, message, help) = match part.whole {
            true => (
                Severity::Error,
                "no value fits this schema, and so no call or result at all",
                "two of its constraints exclude each other; loosen one of them",
            ),
            false => (
                Severity::Warning,
                "no value fits this schema: what it describes can never be there",
                "two of its constraints exclude each other; loosen one of them, or say `false` if it is meant",
            ),
        };
        tell(severity, "accepts-nothing", &part.pointer, message.into(), help);
    }
    let mut fault = |rule: &'static str, pointer: &str, message: String, help: &str| {
        tell(Severity::Error, rule, pointer, message, help);
    };
    if let Err(message) = faults_of(schema, "", &Value::Null) {
        let mut patterns = Vec::new();
        each(schema, &mut String::new(), DEPTH, &mut |schema, pointer| {
            patterns_of(schema, pointer, &mut patterns);
        });
        let broken: Vec<_> = patterns
            .into_iter()
            .filter(|(_, pattern)| {
                faults_of(&json!({"pattern": pattern}), "", &Value::Null).is_err()
            })
            .collect();
        for (pointer, pattern) in &broken {
            let message = format!(
                "`{}` is no regular expression, or needs more memory than a pattern may take",
                shown(pattern)
            );
            let help = "mend it: close its groups and classes, and repeat less";
            fault("schema-invalid", pointer, message, help);
        }
        if broken.is_empty() {
            let help = "the run time would refuse every call; mend the schema";
            fault("schema-invalid", "", shown(&message), help);
        }
        return;
    }
    for (index, example) in
        schema.get("examples").and_then(Value::as_array).into_iter().flatten().enumerate()
    {
        if let Ok(faults) = faults_of(schema, "", example)
            && let Some(first) = faults.first()
        {
            let at =
                if first.at.is_empty() { String::new() } else { format!(" at `{}`", first.at) };
            let message = format!("the example does not fit its schema{at}: {}", first.message);
            let help = "mend the example, or the schema if the example is right";
            fault("example-mismatch", &format!("/examples/{index}"), message, help);
        }
    }
    let mut defaults = Vec::new();
    each(schema, &mut String::new(), DEPTH, &mut |schema, pointer| {
        if let Some(default) = schema.get("default") {
            defaults.push((pointer.to_owned(), default));
        }
    });
    for (at, first) in misfits(schema, &defaults) {
        let message = format!("the default does not fit its schema: {}", first.message);
        let help = "calls that leave the member out would be given a value that calls may not send";
        fault("default-invalid", &format!("{}/default", defaults[at].0), message, help);
    }
}

/// How deep schemas are looked into; no contract that was loaded is deeper.
const DEPTH: u32 = 256;

/// Visits a schema and all subschemas, each with its pointer.
fn each<'a>(
    schema: &'a Value,
    pointer: &mut String,
    depth: u32,
    visit: &mut impl FnMut(&'a Value, &str),
) {
    let (Value::Object(members), Some(depth)) = (schema, depth.checked_sub(1)) else { return };
    visit(schema, pointer);
    let mut below = |step: String, child: &'a Value| {
        let length = pointer.len();
        pointer.push_str(&step);
        each(child, pointer, depth, visit);
        pointer.truncate(length);
    };
    for keyword in ["properties", "$defs", "patternProperties", "dependentSchemas"] {
        for (name, child) in members.get(keyword).and_then(Value::as_object).into_iter().flatten() {
            below(format!("/{keyword}/{}", escaped(name)), child);
        }
    }
    for keyword in ["anyOf", "oneOf", "allOf", "prefixItems"] {
        let children = members.get(keyword).and_then(Value::as_array).into_iter().flatten();
        for (index, child) in children.enumerate() {
            below(format!("/{keyword}/{index}"), child);
        }
    }
    for keyword in [
        "items",
        "additionalProperties",
        "contains",
        "propertyNames",
        "not",
        "if",
        "then",
        "else",
        "unevaluatedItems",
        "unevaluatedProperties",
    ] {
        if let Some(child) = members.get(keyword) {
            below(format!("/{keyword}"), child);
        }
    }
}

/// The regular expressions that a schema names itself, with their pointers.
fn patterns_of<'a>(schema: &'a Value, pointer: &str, found: &mut Vec<(String, &'a str)>) {
    if let Some(pattern) = schema.get("pattern").and_then(Value::as_str) {
        found.push((format!("{pointer}/pattern"), pattern));
    }
    let named = schema.get("patternProperties").and_then(Value::as_object).into_iter().flatten();
    for (pattern, _) in named {
        found.push((format!("{pointer}/patternProperties/{}", escaped(pattern)), pattern));
    }
}

/// A member's name as a JSON pointer spells it.
fn escaped(name: &str) -> String {
    name.replace('~', "~0").replace('/', "~1")
}

/// Text of the contract as a message shows it: bounded, on one line.
fn shown(text: &str) -> String {
    const MOST: usize = 120;
    let mut short: String = text
        .chars()
        .take(MOST)
        .flat_map(|c| match c.is_control() {
            true => c.escape_default().collect::<Vec<_>>(),
            false => vec![c],
        })
        .collect();
    if text.chars().nth(MOST).is_some() {
        short.push('…');
    }
    short
}
