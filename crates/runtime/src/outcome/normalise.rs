//! From what a handler gave to an outcome: measured, validated, artifacts gathered, large results stored.

use crate::call::context::Context;
use crate::outcome::artifact::{Artifact, ArtifactBody};
use crate::outcome::artifact_store::ArtifactStore;
use crate::outcome::content::{Content, ResourceLink};
use crate::outcome::error::Error;
use crate::outcome::{Code, Outcome};
use crate::run::limits;
use crate::run::registry::Inner;
use crate::schema::explain::{self, Fault};
use crate::tool::Tool;
use serde_json::Value;
use std::fmt;

/// Characters of a stored result that the model still sees.
const PREVIEW: usize = 1_000;

/// Checks what a handler gave, and completes the outcome.
pub(crate) fn settle(inner: &Inner, tool: &Tool, ctx: &Context, outcome: &mut Outcome) {
    let mut attached = ctx.take_artifacts();
    if !attached.is_empty() {
        attached.append(&mut outcome.artifacts);
        outcome.artifacts = attached;
    }
    outcome.has_schema = tool.inner.definition.output.is_some();
    if let Err(refused) = fits(inner, tool, outcome.value.as_mut()) {
        *outcome = *refused;
    }
}

/// Passes a value that is within the limits and as the contract promises.
fn fits(inner: &Inner, tool: &Tool, mut value: Option<&mut Value>) -> Result<(), Box<Outcome>> {
    if let Some(value) = &mut value
        && let Err(cap) = limits::cap(value, &inner.options.limits)
    {
        let message = format!("the result is {cap}");
        return Err(invalid(tool, vec![Fault { code: "size", pointer: String::new(), message }]));
    }
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
    let text = format!("`{}` gave a result that does not fit its contract", tool.name());
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

/// Stores what is too large for a model, where the run has a store.
pub(crate) async fn keep(
    store: &dyn ArtifactStore,
    most: usize,
    tool: &Tool,
    outcome: &mut Outcome,
) {
    if outcome.is_error() {
        return;
    }
    for position in 0..outcome.artifacts.len() {
        let artifact = &outcome.artifacts[position];
        if let ArtifactBody::Bytes(_) = artifact.body() {
            match store.store(artifact).await {
                Ok(uri) => outcome.artifacts[position].refer(uri),
                Err(failure) => {
                    *outcome = unstored(failure);
                    return;
                }
            }
        }
    }
    if size(outcome) <= most {
        return;
    }
    let (text, media_type, ending) = match &outcome.value {
        Some(value) if outcome.content.is_empty() => {
            (value.to_string(), "application/json", "json")
        }
        _ => (outcome.text(), "text/plain; charset=utf-8", "txt"),
    };
    if text.len() <= most {
        // What is large is pictures and sounds, which no preview stands for.
        return;
    }
    let name = format!("{}.{ending}", tool.name());
    let size = text.len();
    let preview: String = text.chars().take(PREVIEW).collect();
    let stored = Artifact::bytes(name.clone(), media_type, text);
    let uri = match store.store(&stored).await {
        Ok(uri) => uri,
        Err(failure) => {
            *outcome = unstored(failure);
            return;
        }
    };
    let note = format!("{preview}...\n\nThe whole result ({size} bytes) is stored at {uri}");
    let link = ResourceLink {
        uri,
        name,
        media_type: Some(media_type.to_owned()),
        size: Some(size as u64),
        ..ResourceLink::default()
    };
    outcome.content.retain(|part| !matches!(part, Content::Text(_)));
    outcome.content.insert(0, Content::Text(note));
    outcome.content.push(Content::ResourceLink(link));
}

/// Estimated bytes of the words that a model would read.
fn size(outcome: &Outcome) -> usize {
    let texts = outcome.content.iter().map(|part| match part {
        Content::Text(text) => text.len(),
        _ => 0,
    });
    let texts: usize = texts.sum();
    let is_shown = |_: &&Value| outcome.content.is_empty();
    texts + outcome.value.as_ref().filter(is_shown).map_or(0, limits::bytes)
}

fn unstored(failure: crate::outcome::error::BoxError) -> Outcome {
    let error = Error::caused("the result could not be stored", failure);
    Outcome::failed(Code::Unexpected, error.to_string()).because(error)
}
