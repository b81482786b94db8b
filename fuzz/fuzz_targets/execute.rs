//! Any schema and any arguments through `execute`, and with them arguments made to fit: it ends, panics nowhere, an
//! accepted value reaches the handler whole, and what a lenient tool mends is then valid. The same arguments are decoded
//! by types of every kind, which must write back what they read.
#![no_main]

use libfuzzer_sys::{fuzz_mutator, fuzz_target};
use serde_json::{Value, json};
use std::sync::LazyLock;
use toolcast::generated::v1::{Decode, Encode, Map, Maybe, literals, object, union};
use toolcast::testing::Generator;
use toolcast::{Binding, Call, Definition, Outcome, Registry, Tool, Toolset};
use toolcast_fuzz::documents;

/// A member of every kind that `object!` knows.
#[derive(Clone, Debug, PartialEq)]
pub struct Everything {
    text: Option<String>,
    whole: Maybe<i64>,
    size: u64,
    float: Option<f64>,
    any: Maybe<Value>,
    list: Option<Vec<Everything>>,
    pair: Option<(bool, String)>,
    kind: Option<Kind>,
    shape: Option<Shape>,
    id: Option<Id>,
    rest: Map<String, Value>,
}
object!(Everything {
    text as "",
    whole,
    size as "a/b" = 10,
    float,
    any,
    list,
    pair,
    kind,
    shape,
    id,
    ..rest
});

/// Literals of every type.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// A string.
    Few,
    /// A number.
    Ten,
    /// Null.
    Unlimited,
}
literals!(Kind { Few = "few", Ten = 10, Unlimited = () });

/// A tagged union.
#[derive(Clone, Debug, PartialEq)]
pub enum Shape {
    /// One branch.
    Circle(Circle),
    /// The other.
    Square(Square),
}
union!(Shape by "kind" { Circle = "circle", Square = 2 });

/// A branch.
#[derive(Clone, Debug, PartialEq)]
pub struct Circle {
    radius: f64,
}
object!(Circle { radius });

/// A branch.
#[derive(Clone, Debug, PartialEq)]
pub struct Square {
    side: Option<Box<Shape>>,
}
object!(Square { side });

/// A union told apart by type.
#[derive(Clone, Debug, PartialEq)]
pub enum Id {
    /// A number.
    Number(i64),
    /// A string.
    Text(String),
    /// Several.
    Many(Vec<Id>),
}
union!(Id { Number if integer, Text if string, Many if array });

static RUNTIME: LazyLock<tokio::runtime::Runtime> = LazyLock::new(|| {
    let mut builder = tokio::runtime::Builder::new_current_thread();
    // Without a runtime there is nothing to fuzz.
    builder.enable_time().build().expect("a runtime of one thread needs no resource that is missing")
});

/// The schema as that of arguments and, which asks less of it, as that of a result.
fn tools(schema: &Value) -> Option<Toolset> {
    let gives = Definition::new("gives", "Gives its argument.")
        .input(json!({ "type": "object", "properties": { "value": true } }))
        .output(schema.clone());
    let gives = Tool::define(gives, |input: Value| input["value"].clone()).ok()?;
    let takes = |name: &str| {
        let definition = Definition::new(name, "Gives its arguments.");
        Tool::define(definition.input(schema.clone()).output(schema.clone()), |input: Value| input)
    };
    let takes = [takes("takes"), takes("mends").map(|tool| tool.lenient(true))];
    Some(Toolset::of(takes.into_iter().flatten().chain([gives])))
}

async fn call(run: &Registry, name: &str, arguments: &Value) -> Outcome {
    let outcome = run.execute(name, arguments.clone(), Call::default()).await;
    let outcome = outcome.expect("nothing interrupts the call");
    assert!(!outcome.text().is_empty() || !outcome.is_error());
    outcome
}

/// What every call with these arguments keeps to, whether they fit the schema or not.
async fn check(run: &Registry, arguments: &Value) -> bool {
    let gives = call(run, "gives", &json!({ "value": arguments })).await;
    let mut accepted = vec![!gives.is_error()];
    if !gives.is_error() {
        assert_eq!(gives.value(), Some(arguments));
    }
    if run.fetch("takes").is_some() {
        let takes = call(run, "takes", arguments).await;
        let mends = call(run, "mends", arguments).await;
        accepted.push(!takes.is_error());
        if !takes.is_error() {
            assert_eq!(takes.value(), Some(arguments));
            assert_eq!(mends.value(), Some(arguments));
        } else if !mends.is_error() {
            let mended = mends.value().expect("the tool gives its arguments");
            assert!(!call(run, "takes", mended).await.is_error());
        }
    }
    assert!(accepted.iter().all(|accepts| *accepts == accepted[0]));
    accepted[0]
}

fuzz_mutator!(|data: &mut [u8], size: usize, max_size: usize, seed: u32| {
    toolcast_fuzz::mutate(data, size, max_size, seed)
});

fuzz_target!(|bytes: &[u8]| {
    let mut parts = documents(bytes).map(serde_json::from_slice::<Value>);
    let (Some(Ok(schema)), Some(Ok(arguments))) = (parts.next(), parts.next()) else { return };
    if let Ok(read) = Everything::decode(&arguments) {
        let written = read.encode();
        let again = Everything::decode(&written).expect("what was written is read");
        assert_eq!(read, again);
        assert_eq!(written, again.encode());
    }
    let Some(tools) = tools(&schema) else { return };
    let made = Generator::new(&schema, 7).ok().and_then(|mut generator| generator.value());
    RUNTIME.block_on(async {
        let run = tools.bind(Binding::default()).await.expect("the tools bind");
        check(&run, &arguments).await;
        if let Some(made) = made {
            assert!(check(&run, &made).await, "{made} fits");
        }
        run.close().await.expect("nothing to release");
    });
});
