use super::Operations;
use crate::diff::report::Level;
use crate::diff::{Against, ConfigFrom, Question, diff};
use crate::tools::diff::{Handler, Input, Output};
use camino::Utf8PathBuf;
use serde_json::{Value, json};
use toolcast::{Context, Error};
use toolcast_codegen::contract::Part;
use toolcast_review::changes::View;

impl Handler for Operations {
    async fn call(&self, input: Input, ctx: &Context) -> Result<Output, Error> {
        if input.against.is_some() && input.against_path.is_some() {
            return Err(Error::tool(
                "`against` and `against_path` name one thing each: give one of them",
            ));
        }
        let question = question(&json!(input));
        let report = ctx
            .blocking(move || diff(&question).map_err(|failure| Error::tool(failure.to_string())))
            .await?;
        // The report is written in the form of the contract's output; the validator looks at it once more.
        Ok(serde_json::from_value(serde_json::to_value(report)?)?)
    }
}

/// The question that the arguments ask.
pub fn question(input: &Value) -> Question {
    let text = |name: &str| input[name].as_str().map(ToOwned::to_owned);
    let path = |name: &str| text(name).map(Utf8PathBuf::from);
    Question {
        schemas: path("schemas").unwrap_or_else(|| "schemas".into()),
        against: match (path("against_path"), text("against")) {
            (Some(path), _) => Some(Against::Path(path)),
            (None, Some(text)) => Some(Against::written(&text)),
            (None, None) => None,
        },
        merge_base: input["merge_base"] == true,
        base_schemas: path("base_schemas"),
        allow_empty_base: input["allow_empty_base"] == true,
        bare: match text("as").as_deref() {
            Some("input") => Some(Part::Input),
            Some("output") => Some(Part::Output),
            _ => None,
        },
        view: match text("view").as_deref() {
            Some("strict") => Some(View::Strict),
            Some("declared") => Some(View::Declared),
            _ => None,
        },
        fail_on: match text("fail_on").as_deref() {
            Some("breaking") => Some(Level::Breaking),
            Some("unproven") => Some(Level::Unproven),
            Some("warning") => Some(Level::Warning),
            Some("info") => Some(Level::Info),
            _ => None,
        },
        config: path("config"),
        config_from: match text("config_from").as_deref() {
            Some("working-tree") => ConfigFrom::WorkingTree,
            _ => ConfigFrom::Base,
        },
    }
}
