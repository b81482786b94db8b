//! Faults of a contract that only a validator finds.

use crate::diff::faults_of;
use serde_json::Value;
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
        summary: "A schema accepts some value: a tool that refuses every call is a mistake.",
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
    let mut fault = |rule: &'static str, pointer: &str, message: String, help: &str| {
        let origin = catalog.origin(contract, part, pointer);
        let (file, position) = match origin {
            Some(origin) => (origin.file, origin.position),
            None => (catalog.root().join(&contract.source), None),
        };
        found.push(Diagnostic {
            severity: Severity::Error,
            rule,
            file,
            position,
            message,
            help: Some(help.to_owned()),
        });
    };
    if let Err(message) = faults_of(schema, "", &Value::Null) {
        let help = "the run time would refuse every call; mend the schema";
        fault("schema-invalid", "", message, help);
        return;
    }
    if crate::diff::accepts_nothing(schema) {
        let help = "two of its constraints exclude each other; loosen one of them";
        fault("accepts-nothing", "", "no value fits this schema".into(), help);
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
    gather(schema, &mut String::new(), &mut defaults, 64);
    for (pointer, default) in defaults {
        if let Ok(faults) = faults_of(schema, &pointer, default)
            && let Some(first) = faults.first()
        {
            let message = format!("the default does not fit its schema: {}", first.message);
            let help =
                "calls that leave the member out would be given a value that calls may not send";
            fault("default-invalid", &format!("{pointer}/default"), message, help);
        }
    }
}

/// Every `default` of a schema, with the pointer of the subschema that it belongs to.
fn gather<'a>(
    schema: &'a Value,
    pointer: &mut String,
    found: &mut Vec<(String, &'a Value)>,
    depth: u32,
) {
    let (Value::Object(members), Some(depth)) = (schema, depth.checked_sub(1)) else { return };
    if let Some(default) = members.get("default") {
        found.push((pointer.clone(), default));
    }
    for keyword in ["properties", "$defs", "patternProperties"] {
        if let Some(Value::Object(children)) = members.get(keyword) {
            for (name, child) in children {
                let length = pointer.len();
                let name = name.replace('~', "~0").replace('/', "~1");
                pointer.push_str(&format!("/{keyword}/{name}"));
                gather(child, pointer, found, depth);
                pointer.truncate(length);
            }
        }
    }
    for keyword in ["anyOf", "oneOf", "allOf", "prefixItems"] {
        if let Some(Value::Array(children)) = members.get(keyword) {
            for (index, child) in children.iter().enumerate() {
                let length = pointer.len();
                pointer.push_str(&format!("/{keyword}/{index}"));
                gather(child, pointer, found, depth);
                pointer.truncate(length);
            }
        }
    }
    for keyword in ["items", "additionalProperties"] {
        if let Some(child) = members.get(keyword) {
            let length = pointer.len();
            pointer.push_str(&format!("/{keyword}"));
            gather(child, pointer, found, depth);
            pointer.truncate(length);
        }
    }
}
