//! Tools as generated code would bind them, and registries over them.
#![allow(dead_code, reason = "each test file uses its part")]

use std::sync::Arc;
use toolcast::generated::v1::*;
use toolcast::{Binding, Registry};

pub const TICKET_STATUS: ToolSpec = ToolSpec::new("ticket_status", "Look up a ticket's status.")
    .input(r#"{"type":"object","properties":{"ticket_id":{"type":"string"}},"required":["ticket_id"],"additionalProperties":false}"#)
    .output(r#"{"type":"object","properties":{"ticket_id":{"type":"string"},"status":{"enum":["open","waiting_on_customer","closed"]}},"required":["ticket_id","status"]}"#);

#[derive(Clone, Debug, PartialEq)]
pub struct Input {
    pub ticket_id: String,
}
object!(Input { ticket_id });

#[derive(Clone, Debug, PartialEq)]
pub struct Output {
    pub ticket_id: String,
    pub status: String,
}
object!(Output { ticket_id, status });

/// As a generated file would bind it.
pub fn ticket_status() -> Tool {
    Tool::typed(&TICKET_STATUS, Arc::new(()), |(), input: Input, _ctx| {
        Box::pin(async move {
            Ok(Output { ticket_id: input.ticket_id, status: "waiting_on_customer".to_owned() })
        })
    })
}

/// A run of some tools without collaborators.
pub async fn bind(tools: impl IntoIterator<Item = Tool>) -> Registry {
    Toolset::of(tools).bind(Binding::new()).await.expect("the test's tools bind")
}
