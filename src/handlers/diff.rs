use super::Operations;
use crate::diff::{Question, diff};
use crate::tools::diff::{Handler, Input, Output};
use serde_json::{Value, json};
use toolcast::{Context, Error};
use toolcast_codegen::contract::Part;
use toolcast_review::changes::Lens;

impl Handler for Operations {
    async fn call(&self, input: Input, ctx: &Context) -> Result<Output, Error> {
        let question = question(&json!(input));
        let report = ctx
            .blocking(move || diff(&question).map_err(|failure| Error::tool(failure.to_string())))
            .await?;
        // The report is written in the form of the contract's output; the validator looks at it once more.
        Ok(serde_json::from_value(serde_json::to_value(report)?)?)
    }
}

fn question(input: &Value) -> Question {
    let text = |name: &str| input[name].as_str().map(ToOwned::to_owned);
    Question {
        schemas: text("schemas").unwrap_or_else(|| "schemas".to_owned()).into(),
        against: text("against"),
        bare: match text("as").as_deref() {
            Some("input") => Some(Part::Input),
            Some("output") => Some(Part::Output),
            _ => None,
        },
        lens: match text("lens").as_deref() {
            Some("strict") => Some(Lens::Strict),
            Some("declared") => Some(Lens::Declared),
            _ => None,
        },
        config: text("config").map(Into::into),
    }
}
