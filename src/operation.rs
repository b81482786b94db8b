//! Calls our own tools as any other caller would: arguments as JSON, validated, answered by the handlers.

use crate::cli;
use crate::diff::report::Report;
use crate::failure::Failure;
use crate::handlers::Operations;
use crate::tools::{self, check, generate};
use camino::Utf8PathBuf;
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::{Value, json};
use toolcast::{Binding, Code, Invocation, Outcome, ToolSpec};

/// Calls `generate`.
pub fn generate(options: &cli::Generate) -> Result<generate::Output, Failure> {
    let input = generate::Input {
        schemas: options.schemas.to_string(),
        out: options.out.to_string(),
        check: options.check,
    };
    call(&generate::SPEC, input)
}

/// Calls `check`.
pub fn check(options: &cli::Check) -> Result<check::Output, Failure> {
    call(&check::SPEC, check::Input { schemas: options.schemas.to_string() })
}

/// Calls `diff`. Its result is read as the report that the forms are made of.
pub fn diff(options: &cli::Diff) -> Result<Report, Failure> {
    call(&tools::diff::SPEC, diff_input(options))
}

/// The arguments of `diff`.
pub fn diff_input(options: &cli::Diff) -> Value {
    let mut input = json!({"schemas": options.schemas.as_str()});
    let path = |path: &Option<Utf8PathBuf>| path.as_ref().map(ToString::to_string);
    let given = [
        ("against", options.against.clone()),
        ("against_path", path(&options.against_path)),
        ("base_schemas", path(&options.base_schemas)),
        ("as", options.bare.map(|part| part.as_str().to_owned())),
        ("view", options.view.map(|view| view.as_str().to_owned())),
        ("fail_on", options.fail_on.map(|level| level.as_str().to_owned())),
        ("config", path(&options.config)),
    ];
    for (name, value) in given {
        if let Some(value) = value {
            input[name] = Value::from(value);
        }
    }
    input["merge_base"] = options.merge_base.into();
    input["allow_empty_base"] = options.allow_empty_base.into();
    input["config_from"] = options.config_from.as_str().into();
    input
}

fn call<O: DeserializeOwned>(spec: &ToolSpec, input: impl Serialize) -> Result<O, Failure> {
    let failed_with = |error: serde_json::Error| Failure::new(format!("{}: {error}", spec.name()));
    let arguments = serde_json::to_value(input).map_err(failed_with)?;
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_time()
        .build()
        .map_err(|error| Failure::new(format!("no thread to work on: {error}")))?;
    let outcome = runtime.block_on(execute(spec.name(), arguments))?;
    if outcome.is_error() {
        return Err(failed(&outcome));
    }
    serde_json::from_value(outcome.into_value().unwrap_or_default()).map_err(failed_with)
}

async fn execute(name: &str, arguments: Value) -> Result<Outcome, Failure> {
    let registry = tools::toolset(Operations)
        .bind(Binding::new())
        .await
        .map_err(|error| Failure::new(error.to_string()))?;
    let outcome = registry.execute(name, arguments, Invocation::new().interface("cli")).await;
    registry.close().await.map_err(|error| Failure::new(error.to_string()))?;
    outcome.map_err(|error| Failure::new(error.to_string()))
}

/// A model would read the outcome's text; the person at the terminal is the application and reads the error itself.
fn failed(outcome: &Outcome) -> Failure {
    let text = outcome.text();
    let cause = outcome.error().and_then(|error| error.source());
    match (outcome.code(), cause) {
        (Some(Code::Unexpected), Some(cause)) => {
            let mut message = cause.to_string();
            let mut deeper = cause.source();
            while let Some(error) = deeper {
                message.push_str(&format!(": {error}"));
                deeper = error.source();
            }
            Failure::new(message)
        }
        _ => Failure::new(text),
    }
}
