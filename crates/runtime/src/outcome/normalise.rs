//! From what a handler gave to an outcome: measured as a whole, validated, artifacts gathered.

use crate::call::context::Context;
use crate::outcome::error::Error;
use crate::outcome::{Code, Outcome};
use crate::run::limits::{Limits, Measure, TooLarge};
use crate::run::registry::Inner;
use crate::schema::explain::{self, Fault};
use crate::tool::Tool;
use serde_json::Value;
use std::fmt;

/// Checks what a handler gave, and completes the outcome.
pub(crate) fn complete(inner: &Inner, tool: &Tool, ctx: &Context, outcome: &mut Outcome) {
    let mut attached = ctx.take_artifacts();
    if !attached.is_empty() {
        attached.append(&mut outcome.artifacts);
        outcome.artifacts = attached;
    }
    outcome.has_schema = tool.inner.definition.output.is_some();
    let checked = measure(outcome, &inner.options.limits)
        .map_err(|cap| too_large(tool, cap))
        .and_then(|()| fits(tool, outcome.value.as_ref()));
    if let Err(refused) = checked {
        *outcome = *refused;
    }
}

/// Measures all that would leave the run: the value, texts, pictures and sounds, what is said of artifacts. Artifacts'
/// own bytes are not among it: no model reads them, and a store has limits of its own.
fn measure(outcome: &mut Outcome, limits: &Limits) -> Result<(), TooLarge> {
    let mut measure = Measure::new(limits);
    if let Some(value) = &mut outcome.value {
        // Also takes a value apart that is too deep to be dropped as it is.
        measure.cap(value)?;
    }
    for part in &outcome.content {
        measure.node(part.size())?;
    }
    for artifact in &outcome.artifacts {
        artifact.measure(&mut measure)?;
    }
    Ok(())
}

/// The outcome of a call whose result exceeds a cap.
pub(crate) fn too_large(tool: &Tool, cap: TooLarge) -> Box<Outcome> {
    let text = format!("`{}` gave a result that is {cap}; ask for less", tool.name());
    let message = format!("the result is {cap}");
    let fault = Fault { code: "size", pointer: String::new(), message };
    refused(text, vec![fault])
}

/// Passes a value that is as the contract promises.
fn fits(tool: &Tool, value: Option<&Value>) -> Result<(), Box<Outcome>> {
    let Some(schema) = &tool.inner.definition.output else { return Ok(()) };
    let output = schema.compiled().map_err(|message| {
        let error = Error::caused("the tool's contract is broken", message.to_owned());
        Outcome::failed(Code::InvalidContract, error.to_string()).because(error)
    })?;
    match value {
        Some(value) if output.validator.is_valid(value) => Ok(()),
        Some(value) => Err(invalid(tool, explain::faults(output, value))),
        None => {
            let message = "a structured value is missing".to_owned();
            let fault = Fault { code: "required", pointer: String::new(), message };
            Err(invalid(tool, vec![fault]))
        }
    }
}

/// The model learns that the result is wrong, the application what is wrong with it.
fn invalid(tool: &Tool, faults: Vec<Fault>) -> Box<Outcome> {
    refused(format!("`{}` gave a result that does not fit its contract", tool.name()), faults)
}

fn refused(text: String, faults: Vec<Fault>) -> Box<Outcome> {
    let details = explain::text(&text, &faults, &explain::TextLimits::default());
    let error = Error::caused(text.clone(), InvalidOutput(details));
    Box::new(Outcome::failed(Code::InvalidOutput, text).because(error).with_faults(faults))
}

/// A result that does not fit its contract, with what is wrong with it.
#[derive(Debug)]
struct InvalidOutput(String);

impl fmt::Display for InvalidOutput {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for InvalidOutput {}
