//! What a program may hand over and get back: replies, errors, collaborators.

use serde_json::{Value, json};
use std::borrow::Cow;
use std::collections::{BTreeMap, HashMap};
use std::sync::Arc;
use std::sync::atomic::{AtomicU8, Ordering};
use std::time::Duration;
use toolcast::generated::v1::ToolSpec;
use toolcast::{
    Binding, Close, Code, Context, Definition, Error, Invocation, Reply, RunOptions, Tool, Toolset,
};

#[test]
fn plain_values_are_replies() {
    let json = |reply: Reply| match reply {
        Reply::Json(value) => value,
        other => panic!("{other:?}"),
    };
    assert_eq!(json(true.into()), json!(true));
    assert_eq!(json(7_u64.into()), json!(7));
    assert_eq!(json((-7_i32).into()), json!(-7));
    assert_eq!(json(1.5.into()), json!(1.5));
    assert_eq!(json(vec!["a", "b"].into()), json!(["a", "b"]));
    assert_eq!(json([1, 2].into()), json!([1, 2]));
    assert_eq!(json(BTreeMap::from([("a", 1)]).into()), json!({ "a": 1 }));
    let unordered = HashMap::from([("b", 2), ("a", 1), ("c", 3)]);
    assert_eq!(json(unordered.into()).to_string(), r#"{"a":1,"b":2,"c":3}"#);
    assert_eq!(json(None::<String>.into()), Value::Null);
    assert_eq!(Reply::from(Some("found")), Reply::Text("found".to_owned()));
    assert_eq!(Reply::from(Cow::Borrowed("text")), Reply::Text("text".to_owned()));
    assert_eq!(Reply::from(()), Reply::parts().into());
}

#[test]
fn the_question_mark_takes_every_error_and_tells_a_model_no_more_than_its_type() {
    fn io() -> Result<(), Error> {
        Err(std::io::Error::other("the disk of tenant 7 is full"))?
    }
    fn boxed() -> Result<(), Error> {
        let error: Box<dyn std::error::Error + Send + Sync> = "the key is 123".into();
        Err(error)?
    }
    fn anyhow() -> Result<(), Error> {
        Err(anyhow::anyhow!("the key is 123").context("while reading the vault"))?
    }
    let told: Vec<_> = [io(), boxed(), anyhow()].map(|failed| failed.unwrap_err()).into();
    let names: Vec<_> = told.iter().map(Error::to_string).collect();
    assert_eq!(names, ["Error", "Error", "Error"]);
    let causes: Vec<_> = told.iter().map(|error| error.source().unwrap().to_string()).collect();
    assert_eq!(
        causes,
        ["the disk of tenant 7 is full", "the key is 123", "while reading the vault"]
    );
    let error = Error::unexpected("x".parse::<u8>().unwrap_err());
    assert_eq!(error.to_string(), "ParseIntError");
    assert!(error.source().unwrap().is::<std::num::ParseIntError>());
}

#[derive(Debug, PartialEq)]
struct Database(u8);

#[test]
fn a_collaborator_is_found_however_it_was_shared() {
    let found = |binding: &Binding| binding.get::<Database>().map(|database| database.0);
    let shared = Arc::new(Database(2));
    let given = Binding::new().with(Arc::clone(&shared));
    assert_eq!((found(&given), given.has::<Database>()), (Some(2), true));
    assert!(Arc::ptr_eq(&given.shared::<Database>().unwrap(), &shared));
    assert!(Arc::ptr_eq(given.get::<Arc<Database>>().unwrap(), &shared));
    // The last one counts, in whatever form.
    assert_eq!(found(&given.clone().with(Database(3))), Some(3));
    assert_eq!(found(&Binding::new().with(Database(3)).with(Arc::clone(&shared))), Some(2));
    assert_eq!(found(&given.with_shared(Arc::new(Database(4)))), Some(4));
    let workspace = Binding::new().workspace(Arc::new(Database(5)));
    assert_eq!(workspace.workspace_as::<Database>(), Some(&Database(5)));
}

#[test]
fn what_is_required_and_missing_is_named_for_the_application_alone() {
    let missing = Context::default().require::<Database>().unwrap_err();
    assert_eq!(missing.to_string(), "the binding holds no `api::Database`");
    let missing = Invocation::new().require::<Database>().unwrap_err();
    assert_eq!(missing.to_string(), "the invocation holds no `api::Database`");
    assert_eq!(Error::from(missing).to_string(), "NotBound");
    let asked = Invocation::new().extension(Database(1));
    assert_eq!(asked.require::<Database>(), Ok(&Database(1)));
}

fn database_tool() -> Tool {
    let definition = Definition::new("read", "Reads.").title("Reader").exclusive();
    let tool = Tool::define(definition.timeout_seconds(2.0), |_: Value, ctx: &Context| {
        Ok::<_, Error>(ctx.require::<Database>()?.0)
    });
    tool.unwrap()
}

#[tokio::test]
async fn a_tool_is_called_without_a_registry_by_the_same_rules() {
    let tool = database_tool().renamed("read_database");
    let refused = tool.execute(json!({ "x": 1 }), Invocation::new()).await.unwrap();
    assert_eq!(refused.code(), Some(Code::InvalidInput));
    assert!(refused.text().contains("`read_database`"));
    let unbound = tool.execute(json!({}), Invocation::new()).await.unwrap();
    assert_eq!(unbound.text(), "NotBound");
    let binding = Binding::new().with(Database(7));
    let call = tool.execute_with(json!({}), Invocation::new(), binding, RunOptions::new());
    assert_eq!(call.await.unwrap().value(), Some(&json!(7)));
}

#[test]
fn a_tool_tells_all_that_it_holds() {
    let tool = database_tool().renamed("read_database").lenient(true).ignore_members(["_meta"]);
    assert_eq!((tool.name(), tool.declared_name()), ("read_database", "read"));
    assert_eq!((tool.title(), tool.description()), (Some("Reader"), "Reads."));
    assert_eq!((tool.is_exclusive(), tool.timeout()), (true, Some(Duration::from_secs(2))));
    assert_eq!((tool.leniency(), tool.ignored_members()), (Some(true), &["_meta".to_owned()][..]));
    assert_eq!(tool.annotations(), &toolcast::Annotations::default());
    let shown = tool.specification().unwrap();
    assert_eq!(
        (shown.name.as_str(), &shown.input_schema["type"]),
        ("read_database", &json!("object"))
    );
    const SPEC: ToolSpec = ToolSpec::new("t", "Takes.").title("T").read_only(true);
    assert_eq!((SPEC.title, SPEC.read_only, SPEC.output), (Some("T"), Some(true), None));
}

#[tokio::test]
async fn a_handlers_type_owns_its_close() {
    #[derive(Clone, Default)]
    struct Desk(Arc<AtomicU8>);
    impl Close for Desk {
        async fn close(&self) -> Result<(), Error> {
            self.0.fetch_add(1, Ordering::SeqCst);
            Ok(())
        }
    }
    let desk = Desk::default();
    let toolset = Toolset::of([database_tool().closed_by(Arc::new(desk.clone()))]);
    let registry = toolset.closed_by(desk.clone()).bind(Binding::new()).await.unwrap();
    assert_eq!(desk.0.load(Ordering::SeqCst), 0);
    registry.close().await.unwrap();
    assert_eq!(desk.0.load(Ordering::SeqCst), 2);
}
