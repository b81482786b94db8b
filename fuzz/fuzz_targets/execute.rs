//! Any schema and any arguments through `execute`: it ends, panics nowhere, and an accepted value reaches the handler
//! whole. The same arguments are decoded by types of every kind, which must write back what they read.
#![no_main]

use libfuzzer_sys::fuzz_target;
use serde_json::Value;
use std::sync::LazyLock;
use toolcast::generated::v1::{Decode, Encode, Map, Maybe, literals, object, union};
use toolcast::{Binding, Call, Definition, Tool, Toolset};

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

fuzz_target!(|bytes: &[u8]| {
    let mut parts = bytes.splitn(2, |byte| *byte == 0).map(serde_json::from_slice::<Value>);
    let (Some(Ok(schema)), Some(Ok(arguments))) = (parts.next(), parts.next()) else { return };
    if let Ok(read) = Everything::decode(&arguments) {
        let written = read.encode();
        let again = Everything::decode(&written).expect("what was written is read");
        assert_eq!(read, again);
        assert_eq!(written, again.encode());
    }
    let definition = Definition::new("tool", "A tool.").input(schema.clone()).output(schema);
    let Ok(tool) = Tool::define(definition, |input: Value| input) else { return };
    RUNTIME.block_on(async {
        let run = Toolset::of([tool]).bind(Binding::default()).await.expect("one tool binds");
        let outcome = run.execute("tool", arguments.clone(), Call::default()).await;
        let outcome = outcome.expect("nothing interrupts the call");
        assert!(!outcome.text().is_empty() || !outcome.is_error());
        if !outcome.is_error() {
            assert_eq!(outcome.value(), Some(&arguments));
        }
        run.close().await.expect("nothing to release");
    });
});
