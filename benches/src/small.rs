//! One string: `ticket_status`.

use crate::{Case, handle};
use std::sync::Arc;
use toolcast::generated::v1::*;

const SPEC: ToolSpec = ToolSpec::new("ticket_status", "Look up a ticket's status.").input(
    r#"{"type":"object","properties":{"ticket_id":{"type":"string"}},"required":["ticket_id"],"additionalProperties":false}"#,
);

/// Arguments, as generated code reads them.
#[derive(Clone, Debug, PartialEq)]
pub struct Input {
    /// The ticket.
    pub ticket_id: String,
}
object!(Input { ticket_id });

/// Arguments, as serde's derive reads them.
#[derive(serde::Deserialize)]
#[allow(missing_docs)]
pub struct Plain {
    pub ticket_id: String,
}

/// The case.
pub fn case() -> Case {
    let tool = Tool::replying(&SPEC, Arc::new(()), |(), input: Input, _| {
        std::hint::black_box(&input);
        handle()
    });
    Case { name: "small", tool, arguments: serde_json::json!({ "ticket_id": "SUP-481" }) }
}
