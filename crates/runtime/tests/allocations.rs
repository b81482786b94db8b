//! A successful call allocates what its decoded input needs and what its handler does, and nothing else.

use allocation_counter::measure;
use serde_json::{Value, json};
use std::hint::black_box;
use std::pin::pin;
use std::sync::Arc;
use std::task::{Context, Poll, Waker};
use toolcast::generated::v1::{Decode, Reply, Tool, ToolSpec, Toolset, object};
use toolcast::{Binding, CallFuture, Definition, Invocation};

const SCHEMA: &str = r#"{"type":"object","properties":{"query":{"type":"string"},"tags":{"type":"array","items":{"type":"string"}},"page":{"type":"integer"}},"required":["query"],"additionalProperties":false}"#;
const SPEC: ToolSpec = ToolSpec::new("search", "Searches.").input(SCHEMA);

struct Input {
    query: String,
    tags: Option<Vec<String>>,
    page: Option<i64>,
}
object!(Input { query, tags, page });

fn arguments() -> Value {
    json!({ "query": "late orders", "tags": ["a", "b"], "page": 2 })
}

/// What a generated trait's method is: a future in a box.
fn handle(input: Input) -> CallFuture<'static, Reply> {
    black_box((&input.query, &input.tags, &input.page));
    Box::pin(async { Ok(Reply::from(())) })
}

fn now<F: Future>(future: F) -> F::Output {
    match pin!(future).as_mut().poll(&mut Context::from_waker(Waker::noop())) {
        Poll::Ready(output) => output,
        Poll::Pending => panic!("waits for nothing"),
    }
}

/// Allocations of decoding alone, and of a whole call to a tool.
fn decoding_and_calling(tool: Tool) -> (u64, u64) {
    let registry = now(Toolset::of([tool]).bind(Binding::new())).unwrap();
    let invocation = Invocation::new();
    let call = |arguments: Value| now(registry.execute("search", arguments, &invocation)).unwrap();
    assert!(!call(arguments()).is_error(), "the validator is built");
    let value = arguments();
    let decoding = measure(|| drop(black_box(Input::decode(&value))));
    let calling = measure(|| drop(black_box(call(value))));
    (decoding.count_total, calling.count_total)
}

#[test]
fn a_generated_handler_costs_its_input_and_its_own_future() {
    let tool = Tool::replying(&SPEC, Arc::new(()), |(), input: Input, _| handle(input));
    let input = Input::decode(&arguments()).unwrap();
    let handling = measure(|| drop(black_box(now(handle(input))))).count_total;
    let (decoding, calling) = decoding_and_calling(tool);
    assert_eq!((handling, calling), (1, decoding + handling));
}

#[test]
fn a_synchronous_closure_costs_its_input_alone() {
    let schema = serde_json::from_str(SCHEMA).unwrap();
    let tool =
        Tool::define(Definition::new("search", "Searches.").input(schema), |input: Input| {
            black_box((&input.query, &input.tags, &input.page));
            Reply::from(())
        });
    let (decoding, calling) = decoding_and_calling(tool.unwrap());
    assert_eq!(calling, decoding);
}
