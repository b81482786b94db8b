//! A successful call allocates what its decoded input needs, and one future: the handler's own, which its trait's method boxes.

use allocation_counter::measure;
use serde_json::{Value, json};
use std::hint::black_box;
use std::pin::pin;
use std::sync::Arc;
use std::task::{Context, Poll, Waker};
use toolcast::generated::v1::{Decode, Reply, Tool, ToolSpec, Toolset, object};
use toolcast::{Binding, Invocation};

const SPEC: ToolSpec = ToolSpec::new("search", "Searches.").input(
    r#"{"type":"object","properties":{"query":{"type":"string"},"tags":{"type":"array","items":{"type":"string"}},"page":{"type":"integer"}},"required":["query"],"additionalProperties":false}"#,
);

struct Input {
    query: String,
    tags: Option<Vec<String>>,
    page: Option<i64>,
}
object!(Input { query, tags, page });

fn now<F: Future>(future: F) -> F::Output {
    match pin!(future).as_mut().poll(&mut Context::from_waker(Waker::noop())) {
        Poll::Ready(output) => output,
        Poll::Pending => panic!("waits for nothing"),
    }
}

#[test]
fn success_allocates_the_decoded_input_and_one_future() {
    let tool = Tool::replying(&SPEC, Arc::new(()), |(), input: Input, _| {
        black_box((&input.query, &input.tags, &input.page));
        Box::pin(async { Ok(Reply::from(())) })
    });
    let registry = now(Toolset::of([tool]).bind(Binding::new())).unwrap();
    let invocation = Invocation::new();
    let arguments = || json!({ "query": "late orders", "tags": ["a", "b"], "page": 2 });
    let call = |arguments: Value| now(registry.execute("search", arguments, &invocation)).unwrap();
    assert!(!call(arguments()).is_error(), "the validator is built");

    let value = arguments();
    let decoding = measure(|| drop(black_box(Input::decode(&value))));
    let executing = measure(|| drop(black_box(call(value))));
    assert_eq!(executing.count_total, decoding.count_total + 1);
}
