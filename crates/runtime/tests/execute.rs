//! Rules 1, 2 and 8: one call, from raw arguments to an outcome.

mod support;

use serde_json::{Value, json};
use support::{bind, ticket_status};
use toolcast::{Artifact, Code, Context, Definition, Error, Interrupted, Invocation, Reply, Tool};

#[tokio::test]
async fn a_valid_call_is_decoded_called_and_normalised() {
    let registry = bind([ticket_status()]).await;
    let outcome = registry
        .execute("ticket_status", json!({ "ticket_id": "SUP-481" }), Invocation::new())
        .await
        .unwrap();
    assert!(!outcome.is_error());
    assert_eq!(outcome.text(), r#"{"ticket_id":"SUP-481","status":"waiting_on_customer"}"#);
}

#[tokio::test]
async fn every_fault_of_invalid_input_is_named_at_once() {
    let registry = bind([ticket_status()]).await;
    let outcome = registry
        .execute("ticket_status", json!({ "ticket_idd": 7, "x": 1 }), Invocation::new())
        .await
        .unwrap();
    assert_eq!(outcome.code(), Some(Code::InvalidInput));
    assert_eq!(
        outcome.text(),
        "Invalid arguments for `ticket_status`: 3 faults.\n\
         - /ticket_id: missing; expected a string\n\
         - /ticket_idd: unknown property; did you mean `ticket_id`?\n\
         - /x: unknown property; known: `ticket_id`"
    );
}

/// A tool without arguments whose handler is a closure over the context.
fn doing<R: Into<Reply> + Send + 'static>(
    does: impl Fn(&Context) -> Result<R, Error> + Send + Sync + 'static,
) -> Tool {
    let definition = Definition::new("do", "Does something.");
    Tool::define(definition, move |_: Value, ctx: &Context| does(ctx)).unwrap()
}

#[tokio::test]
async fn a_tool_error_reaches_the_model_and_any_other_by_its_type_name_only() {
    let registry = bind([doing(|_| Err::<Reply, _>(Error::tool("no such ticket")))]).await;
    let outcome = registry.execute("do", json!({}), Invocation::new()).await.unwrap();
    assert_eq!((outcome.code(), outcome.text()), (Some(Code::ToolError), "no such ticket".into()));

    let secret = |_: &Context| Err::<Reply, _>(std::io::Error::other("password=hunter2").into());
    let registry = bind([doing(secret)]).await;
    let outcome = registry.execute("do", json!({}), Invocation::new()).await.unwrap();
    assert_eq!((outcome.code(), outcome.text()), (Some(Code::Unexpected), "Error".into()));
    let original = outcome.error().and_then(Error::source).unwrap();
    assert_eq!(original.to_string(), "password=hunter2");
}

#[tokio::test]
async fn a_panic_is_an_outcome_and_says_nothing() {
    let registry = bind([doing(|_| -> Result<Reply, Error> { panic!("secret") })]).await;
    let outcome = registry.execute("do", json!({}), Invocation::new()).await.unwrap();
    assert_eq!((outcome.code(), outcome.text()), (Some(Code::Panic), "panic".into()));
    assert!(matches!(outcome.error(), Some(Error::Panic(said)) if said == "secret"));
}

#[tokio::test]
async fn cancellation_deadlines_and_cleanup_propagate() {
    let cases: [fn() -> Error; 3] = [
        || Error::Cancelled,
        || Error::DeadlineExceeded,
        || Error::Cleanup(vec!["left a file".into()]),
    ];
    let mut seen = Vec::new();
    for failure in cases {
        let registry = bind([doing(move |_| Err::<Reply, _>(failure()))]).await;
        seen.push(registry.execute("do", json!({}), Invocation::new()).await.unwrap_err());
    }
    assert!(matches!(
        seen[..],
        [Interrupted::Cancelled, Interrupted::DeadlineExceeded, Interrupted::Cleanup(_)]
    ));
}

#[tokio::test]
async fn a_result_that_breaks_its_contract_is_an_error_whose_details_the_application_sees() {
    let definition = Definition::new("count", "Counts.").output(json!({ "type": "integer" }));
    let tool = Tool::define(definition, |_: Value| json!("many")).unwrap();
    let registry = bind([tool]).await;
    let outcome = registry.execute("count", json!({}), Invocation::new()).await.unwrap();
    assert_eq!(outcome.code(), Some(Code::InvalidOutput));
    assert_eq!(outcome.text(), "`count` gave a result that does not fit its contract");
    assert_eq!(outcome.faults()[0].message, "expected an integer, got \"many\"");
}

#[tokio::test]
async fn a_reply_may_hold_parts_and_artifacts() {
    let registry = bind([doing(|ctx| {
        ctx.attach(Artifact::bytes("log.txt", "text/plain", "done"));
        Ok(Reply::parts().text("See").image("image/png", *b"png").value(json!({ "ok": true })))
    })])
    .await;
    let outcome = registry.execute("do", json!({}), Invocation::new()).await.unwrap();
    assert_eq!(outcome.artifacts()[0].name(), "log.txt");
    assert_eq!(
        outcome.to_mcp(),
        json!({
            "content": [
                { "type": "text", "text": "See" },
                { "type": "image", "data": "cG5n", "mimeType": "image/png" },
                { "type": "text", "text": r#"{"ok":true}"# }
            ],
            "structuredContent": { "ok": true }
        })
    );
}

#[tokio::test]
async fn an_unknown_tool_is_answered_with_the_nearest_name() {
    let registry = bind([ticket_status()]).await;
    let outcome = registry.execute("ticket_state", json!({}), Invocation::new()).await.unwrap();
    assert_eq!(outcome.code(), Some(Code::UnknownTool));
    assert_eq!(outcome.text(), "there is no tool `ticket_state`; did you mean `ticket_status`?");
}
