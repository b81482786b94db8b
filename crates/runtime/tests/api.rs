//! What a program may hand over and get back: replies, errors, collaborators.

use serde_json::{Value, json};
use std::borrow::Cow;
use std::collections::{BTreeMap, HashMap};
use std::sync::Arc;
use toolcast::{Binding, Context, Error, Invocation, Reply};

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
