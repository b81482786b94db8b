//! Spans by OpenTelemetry's conventions: names, ids and outcomes; arguments and results only where asked for.

mod support;

use serde_json::json;
use std::collections::BTreeMap;
use std::fmt::Debug;
use std::sync::{Arc, Mutex};
use support::ticket_status;
use toolcast::{Binding, Call, Invocation, RunOptions, Toolset};
use tracing::field::{Field, Visit};
use tracing::span::{Attributes, Id, Record};
use tracing::{Event, Metadata, Subscriber};

/// The fields of all spans, flat: each test makes one.
#[derive(Clone, Default)]
struct Fields(Arc<Mutex<BTreeMap<String, String>>>);

impl Visit for Fields {
    fn record_debug(&mut self, field: &Field, value: &dyn Debug) {
        self.0.lock().unwrap().insert(field.name().to_owned(), format!("{value:?}"));
    }

    fn record_str(&mut self, field: &Field, value: &str) {
        self.0.lock().unwrap().insert(field.name().to_owned(), value.to_owned());
    }
}

impl Subscriber for Fields {
    fn enabled(&self, _: &Metadata<'_>) -> bool {
        true
    }

    fn new_span(&self, span: &Attributes<'_>) -> Id {
        self.0.lock().unwrap().insert("span".to_owned(), span.metadata().name().to_owned());
        span.record(&mut self.clone());
        Id::from_u64(1)
    }

    fn record(&self, _: &Id, values: &Record<'_>) {
        values.record(&mut self.clone());
    }

    fn record_follows_from(&self, _: &Id, _: &Id) {}
    fn event(&self, _: &Event<'_>) {}
    fn enter(&self, _: &Id) {}
    fn exit(&self, _: &Id) {}
}

/// The fields of the span of one call.
fn span(options: RunOptions, name: &str, ticket: &str) -> BTreeMap<String, String> {
    let fields = Fields::default();
    let runtime = tokio::runtime::Builder::new_current_thread().enable_time().build().unwrap();
    tracing::subscriber::with_default(fields.clone(), || {
        runtime.block_on(async {
            let toolset = Toolset::of([ticket_status()]);
            let registry = toolset.bind_with(Binding::new(), options).await.unwrap();
            let call = Call::new(Invocation::new()).id("call-7");
            registry.execute(name, json!({ "ticket_id": ticket }), call).await.unwrap();
        });
    });
    let fields = fields.0.lock().unwrap();
    fields.clone()
}

#[test]
fn a_span_names_the_tool_the_call_and_the_outcome_and_nothing_else() {
    let span = span(RunOptions::new(), "ticket_status", "SECRET-1");
    let span: Vec<(&str, &str)> = span.iter().map(|(name, value)| (&**name, &**value)).collect();
    assert_eq!(
        span,
        [
            ("gen_ai.operation.name", "execute_tool"),
            ("gen_ai.tool.call.id", "call-7"),
            ("gen_ai.tool.name", "ticket_status"),
            ("gen_ai.tool.type", "function"),
            ("otel.name", "execute_tool ticket_status"),
            ("span", "execute_tool"),
            ("toolcast.outcome", "success"),
        ]
    );
}

#[test]
fn an_error_is_named_by_its_code_and_an_unknown_name_is_tamed() {
    let span = span(RunOptions::new(), &"x\n".repeat(1_000), "1");
    assert_eq!(span["toolcast.outcome"], "error");
    assert_eq!(span["error.type"], "unknown_tool");
    assert!(span["gen_ai.tool.name"].len() < 300 && !span["gen_ai.tool.name"].contains('\n'));
}

#[test]
fn values_are_recorded_where_asked_for() {
    let span = span(RunOptions::new().record_values(true), "ticket_status", "SUP-1");
    assert_eq!(span["gen_ai.tool.call.arguments"], r#"{"ticket_id":"SUP-1"}"#);
    assert!(span["gen_ai.tool.call.result"].contains("waiting_on_customer"));
}
