//! Hostile input: bounded time and memory, a clear error, and the process lives.

mod support;

use serde_json::{Map, Value, json};
use std::sync::Arc;
use std::time::{Duration, Instant};
use support::bind;
use toolcast::generated::serde;
use toolcast::generated::v1::object;
use toolcast::{
    Artifact, Binding, Code, Context, Definition, Error, Invocation, Limits, Outcome, Reply,
    ResourceLink, RunOptions, Tool, ToolSpec, Toolset,
};

/// Generous for debug builds on a busy machine; a hang is far longer.
const SOON: Duration = Duration::from_secs(20);

async fn call(schema: Value, arguments: Value) -> Outcome {
    let definition = Definition::new("t", "Takes arguments.").input(schema);
    let registry = bind([Tool::define(definition, |_: Value| "accepted").unwrap()]).await;
    let begun = Instant::now();
    let outcome = registry.execute("t", arguments, Invocation::new()).await.unwrap();
    assert!(begun.elapsed() < SOON, "took {:?}", begun.elapsed());
    assert!(outcome.text().len() <= 4_096);
    outcome
}

fn nested(levels: usize) -> Value {
    // Not with `json!`, which copies recursively.
    (0..levels).fold(json!({}), |inner, _| Map::from_iter([("a".to_owned(), inner)]).into())
}

#[test]
fn ten_thousand_levels_on_a_small_stack() {
    let small = std::thread::Builder::new().stack_size(1 << 20);
    let thread = small.spawn(|| {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_time().build().unwrap();
        runtime.block_on(async {
            let outcome = call(json!({ "type": "object" }), nested(10_000)).await;
            assert_eq!(outcome.faults()[0].code, "size");
            assert!(
                outcome.text().ends_with("(root): the arguments are nested deeper than 128 levels")
            );
            let registry = bind([]).await;
            // A future that is dropped before it runs drops no deep value either.
            drop(registry.execute("t", nested(10_000), Invocation::new()));
        });
    });
    thread.unwrap().join().unwrap();
}

#[test]
fn the_deepest_allowed_value_fits_a_small_stack_through_recursive_unions() {
    let tree = json!({
        "type": "object", "properties": { "a": { "$ref": "#/$defs/t" } },
        "$defs": { "t": { "anyOf": [
            { "type": "object", "properties": { "a": { "$ref": "#/$defs/t" } }, "required": ["a"], "additionalProperties": false },
            { "type": "object", "properties": { "a": { "$ref": "#/$defs/t" }, "b": {} }, "required": ["b"] },
            { "type": "null" },
        ] } }
    });
    let small = std::thread::Builder::new().stack_size(2 << 20);
    let thread = small.spawn(move || {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_time().build().unwrap();
        let outcome = runtime.block_on(call(tree, nested(127)));
        assert_eq!(outcome.code(), Some(Code::InvalidInput));
    });
    thread.unwrap().join().unwrap();
}

#[tokio::test]
async fn sixteen_mebibytes_are_refused_or_explained() {
    let text = "x".repeat(16 << 20);
    let outcome = call(json!({ "type": "object" }), json!({ "a": text })).await;
    assert_eq!(outcome.faults()[0].code, "size");
    let text = "x".repeat((16 << 20) - 100);
    let schema =
        json!({ "type": "object", "properties": { "a": { "maxLength": 10, "pattern": "^y" } } });
    let outcome = call(schema, json!({ "a": text })).await;
    assert_eq!(outcome.faults().len(), 2);
}

#[tokio::test]
async fn a_hundred_thousand_faults_in_sixteen_mebibytes() {
    let schema = json!({
        "type": "object",
        "additionalProperties": {
            "anyOf": [
                { "type": "object", "required": ["a", "b"] },
                { "type": "object", "required": ["c"], "additionalProperties": false },
            ]
        }
    });
    let filler = "y".repeat(120);
    let faulty = |n: usize| (format!("k{n}"), json!({ "x": filler }));
    let arguments = Value::Object((0..100_000).map(faulty).collect::<Map<_, _>>());
    let outcome = call(schema, arguments).await;
    assert_eq!(outcome.code(), Some(Code::InvalidInput));
    assert!(outcome.faults().len() <= 1_000);
    assert!(outcome.text().contains("1000 faults or more"));
}

#[tokio::test]
async fn exponential_backtracking_ends() {
    let long = format!("{}!", "a".repeat(50_000));
    for pattern in ["^(a+)+$", "^(?=(a+)+$)(a|aa)+$", "^(a|a)*\\1b$"] {
        let schema = json!({ "type": "object", "properties": { "x": { "pattern": pattern } } });
        let outcome = call(schema, json!({ "x": long })).await;
        assert_eq!(outcome.faults()[0].code, "pattern", "{pattern}");
    }
}

#[tokio::test]
async fn a_pattern_too_large_to_compile_is_an_error_at_definition() {
    let schema = json!({ "type": "object", "properties": { "x": { "pattern": "((a{1000}){1000}){1000}" } } });
    let definition = Definition::new("t", "Takes arguments.").input(schema);
    assert!(Tool::define(definition, |_: Value| "accepted").is_err());
}

#[tokio::test]
async fn unions_within_unions_end() {
    let mut defs = Map::new();
    for level in 0..9 {
        let next = format!("#/$defs/l{}", level + 1);
        let branch = |name: &str| json!({ "type": "object", "properties": { name: {}, "n": { "$ref": next } }, "required": ["n"] });
        defs.insert(
            format!("l{level}"),
            json!({ "anyOf": [branch("a"), branch("b"), branch("c")] }),
        );
    }
    defs.insert("l9".into(), json!({ "type": "integer" }));
    let schema =
        json!({ "type": "object", "properties": { "n": { "$ref": "#/$defs/l0" } }, "$defs": defs });
    let arguments = (0..10).fold(json!("leaf"), |inner, _| json!({ "n": inner }));
    assert_eq!(call(schema, arguments).await.code(), Some(Code::InvalidInput));
}

/// A chain of unions, each of two references to the next: one value meets 2^levels subschemas.
fn chain_of_unions(levels: usize) -> Value {
    let union = |level: usize| {
        let next = json!({ "$ref": format!("#/$defs/l{}", level + 1) });
        (format!("l{level}"), json!({ "anyOf": [next, next] }))
    };
    let mut defs: Map<_, _> = (0..levels).map(union).collect();
    defs.insert(format!("l{levels}"), json!({ "type": "integer" }));
    json!({ "type": "object", "properties": { "x": { "$ref": "#/$defs/l0" } }, "$defs": defs })
}

#[tokio::test]
async fn repairs_of_unions_within_unions_end() {
    let tree = json!({
        "type": "object", "properties": { "t": { "$ref": "#/$defs/t" } },
        "$defs": { "t": { "anyOf": [
            { "type": "array", "items": { "$ref": "#/$defs/t" } },
            { "type": "array", "prefixItems": [{ "$ref": "#/$defs/t" }, { "$ref": "#/$defs/t" }], "items": { "$ref": "#/$defs/t" } },
            { "type": "integer" },
        ] } }
    });
    let definition = Definition::new("t", "Takes arguments.").input(tree);
    let tool = Tool::define(definition, |_: Value| "accepted").unwrap().lenient(true);
    let registry = bind([tool]).await;
    for levels in [4, 20, 100] {
        let value = (0..levels).fold(json!("x"), |inner, _| json!([inner, "1", "y"]));
        let begun = Instant::now();
        let outcome =
            registry.execute("t", json!({ "t": value }), Invocation::new()).await.unwrap();
        assert!(begun.elapsed() < SOON, "took {:?}", begun.elapsed());
        assert_eq!(outcome.code(), Some(Code::InvalidInput));
    }
}

#[tokio::test]
async fn a_chain_of_unions_that_would_never_end_is_refused_at_definition() {
    let define = |levels| {
        let definition = Definition::new("t", "Takes arguments.").input(chain_of_unions(levels));
        Tool::define(definition, |_: Value| "accepted")
    };
    let refused = define(60).unwrap_err().to_string();
    assert!(refused.ends_with("may apply more than 100000 subschemas to one value"), "{refused}");
    let registry = bind([define(10).unwrap()]).await;
    let outcome = registry.execute("t", json!({ "x": "?" }), Invocation::new()).await.unwrap();
    assert_eq!(outcome.code(), Some(Code::InvalidInput));
}

#[tokio::test]
async fn a_chain_of_unions_in_generated_code_is_a_broken_contract() {
    let text = Box::leak(chain_of_unions(60).to_string().into_boxed_str());
    let spec = Box::leak(Box::new(ToolSpec::new("t", "Takes arguments.").input(text)));
    let tool = Tool::replying(spec, Arc::new(()), |(), _: Value, _| {
        Box::pin(async { Ok(Reply::from("accepted")) })
    });
    let registry = bind([tool]).await;
    let outcome = registry.execute("t", json!({ "x": "?" }), Invocation::new()).await.unwrap();
    assert_eq!(outcome.code(), Some(Code::InvalidContract));
}

#[tokio::test]
async fn references_that_go_in_circles_end() {
    let schema = json!({ "type": "object", "properties": { "x": { "$ref": "#/$defs/a" } }, "$defs": { "a": { "$ref": "#/$defs/b" }, "b": { "$ref": "#/$defs/a" } } });
    let definition = Definition::new("t", "Takes arguments.").input(schema);
    // Refused at definition or harmless at the call: either ends.
    if let Ok(tool) = Tool::define(definition, |_: Value| "accepted") {
        let registry = bind([tool]).await;
        registry.execute("t", json!({ "x": 1 }), Invocation::new()).await.unwrap();
    }
}

#[tokio::test]
async fn a_result_too_deep_or_too_large_is_the_tools_fault() {
    let tool = Tool::define(Definition::new("deep", "Digs."), |_: Value| nested(10_000)).unwrap();
    let large =
        Tool::define(Definition::new("large", "Grows."), |_: Value| json!("x".repeat(2_000)));
    let options = RunOptions::new().limits(Limits { max_bytes: 1_000, ..Limits::default() });
    let toolset = Toolset::of([tool, large.unwrap()]);
    let registry = toolset.bind_with(Binding::new(), options).await.unwrap();
    for name in ["deep", "large"] {
        let outcome = registry.execute(name, json!({}), Invocation::new()).await.unwrap();
        assert_eq!(outcome.code(), Some(Code::InvalidOutput));
    }
}

#[tokio::test]
async fn a_result_counts_as_a_whole() {
    let replies: [fn() -> Reply; 7] = [
        || "x".repeat(2_000).into(),
        || Reply::parts().text("x".repeat(600)).text("x".repeat(600)).into(),
        || Reply::parts().text("x".repeat(600)).value(json!("x".repeat(600))).into(),
        || Reply::parts().image("image/png", vec![0; 2_000]).into(),
        || {
            Reply::parts()
                .link(ResourceLink { uri: "x".repeat(2_000), ..Default::default() })
                .into()
        },
        || Reply::parts().artifact(Artifact::bytes("x".repeat(2_000), "text/plain", "")).into(),
        || {
            let artifact = Artifact::bytes("a", "text/plain", "").metadata("a", "x".repeat(2_000));
            Reply::parts().artifact(artifact).into()
        },
    ];
    for (number, reply) in replies.into_iter().enumerate() {
        let tool = Tool::define(Definition::new("large", "Grows."), move |_: Value| reply());
        let options = RunOptions::new().limits(Limits { max_bytes: 1_000, ..Limits::default() });
        let toolset = Toolset::of([tool.unwrap()]);
        let registry = toolset.bind_with(Binding::new(), options).await.unwrap();
        let outcome = registry.execute("large", json!({}), Invocation::new()).await.unwrap();
        assert_eq!(outcome.code(), Some(Code::InvalidOutput), "{number}");
        assert_eq!(
            outcome.text(),
            "`large` gave a result that is larger than 1000 bytes; ask for less"
        );
    }
    let parts = || (0..2_000).fold(Reply::parts(), |parts, _| parts.text(""));
    let tool = Tool::define(Definition::new("many", "Grows."), move |_: Value| parts());
    let options = RunOptions::new().limits(Limits { max_nodes: 1_000, ..Limits::default() });
    let registry = Toolset::of([tool.unwrap()]).bind_with(Binding::new(), options).await.unwrap();
    let outcome = registry.execute("many", json!({}), Invocation::new()).await.unwrap();
    assert!(outcome.text().ends_with("more than 1000 values; ask for less"));
}

#[tokio::test]
async fn a_tools_own_error_text_is_cut_to_the_limit() {
    for most in [2, 10, 1_000] {
        let long = "\u{e9}".repeat(100_000);
        let said = long.clone();
        let tool = Tool::define(Definition::new("fail", "Fails."), move |_: Value| {
            Err::<Reply, _>(Error::tool(said.clone()))
        });
        let options = RunOptions::new().limits(Limits { max_bytes: most, ..Limits::default() });
        let registry =
            Toolset::of([tool.unwrap()]).bind_with(Binding::new(), options).await.unwrap();
        let outcome = registry.execute("fail", json!({}), Invocation::new()).await.unwrap();
        assert!(outcome.text().len() <= most);
        if most == 1_000 {
            assert!(outcome.text().ends_with("... (200000 bytes in all, cut)"));
        }
        assert!(matches!(outcome.error(), Some(Error::Tool(whole)) if *whole == long));
    }
}

#[test]
fn artifacts_with_deep_metadata_end_on_a_small_stack() {
    let small = std::thread::Builder::new().stack_size(1 << 20);
    let thread = small.spawn(|| {
        let tool = Tool::define(Definition::new("t", "Digs."), |_: Value, ctx: &Context| {
            ctx.attach(Artifact::bytes("a", "text/plain", "").metadata("deep", nested(100_000)));
            "done"
        });
        let runtime = tokio::runtime::Builder::new_current_thread().build().unwrap();
        let outcome = runtime.block_on(async {
            let registry = bind([tool.unwrap()]).await;
            registry.execute("t", json!({}), Invocation::new()).await.unwrap()
        });
        assert_eq!(outcome.code(), Some(Code::InvalidOutput));
        assert!(outcome.text().contains("nested deeper than 256 levels"));
    });
    thread.unwrap().join().unwrap();
}

/// A result that is nested as deep as it likes, as a recursive contract's type is.
#[derive(Default)]
struct Node {
    next: Option<Box<Node>>,
    all: Vec<Node>,
    any: Option<Value>,
}
object!(Node { next, all, any });

/// A type of the application's own.
#[derive(Default)]
struct Plain {
    next: Option<Box<Plain>>,
}

impl serde::Serialize for Plain {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(self.next.iter().map(|next| ("next", next)))
    }
}

const DEEP: ToolSpec = ToolSpec::new("deep", "Digs.").output(r#"{"type":"object"}"#);

async fn typed(make: fn() -> Node) -> Outcome {
    let tool = Tool::typed(&DEEP, Arc::new(()), move |(), _: Value, _| {
        Box::pin(async move { Ok(make()) })
    });
    bind([tool]).await.execute("deep", json!({}), Invocation::new()).await.unwrap()
}

#[test]
fn a_deep_typed_result_is_the_tools_fault_and_ends_on_a_small_stack() {
    fn chain(levels: usize) -> Node {
        let deeper = |inner, _| Node { next: Some(Box::new(inner)), ..Node::default() };
        (0..levels).fold(Node::default(), deeper)
    }
    fn lists(levels: usize) -> Node {
        (0..levels).fold(Node::default(), |inner, _| Node { all: vec![inner], ..Node::default() })
    }
    let deep: [fn() -> Node; 4] = [
        || chain(300),
        || chain(100_000),
        || lists(100_000),
        || Node { any: Some(nested(100_000)), ..Node::default() },
    ];
    let small = std::thread::Builder::new().stack_size(2 << 20);
    let thread = small.spawn(move || {
        let runtime = tokio::runtime::Builder::new_current_thread().build().unwrap();
        for (number, make) in deep.into_iter().enumerate() {
            let outcome = runtime.block_on(typed(make));
            assert_eq!(outcome.code(), Some(Code::InvalidOutput), "{number}");
            let text = "`deep` gave a result that is nested deeper than 128 levels; ask for less";
            assert_eq!(outcome.text(), text);
        }
        let outcome = runtime.block_on(typed(|| chain(100)));
        assert_eq!(outcome.code(), None);
        let plain =
            (0..100_000).fold(Plain::default(), |inner, _| Plain { next: Some(inner.into()) });
        let refused = Reply::json(&plain).unwrap_err().to_string();
        assert_eq!(refused, "the result is nested deeper than 256 levels; ask for less");
        std::mem::forget(plain);
        assert!(Reply::json(&Plain { next: Some(Plain::default().into()) }).is_ok());
        let chain = chain(100_000);
        assert!(serde_json::to_string(&chain).is_err());
        // Dropping it is its owner's affair, and would not end well here.
        std::mem::forget(chain);
    });
    thread.unwrap().join().unwrap();
}

#[tokio::test]
async fn an_unknown_name_of_any_size_is_answered() {
    let registry = bind([]).await;
    let outcome =
        registry.execute(&"x".repeat(1 << 20), json!({}), Invocation::new()).await.unwrap();
    assert!(outcome.text().len() < 200);
}
