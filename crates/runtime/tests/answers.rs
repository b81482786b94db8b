//! What an outcome says to whom: the call it answers, what MCP is shown, and what no log is.

mod support;

use serde_json::{Value, json};
use std::sync::{Arc, Mutex};
use support::bind;
use toolcast::{
    Artifact, Binding, Call, CancellationToken, CleanupError, Code, Content, Context, Definition,
    Error, Interrupted, Invocation, Limits, Media, Outcome, Panic, Progress, Reply, Request,
    RunOptions, Tool, Toolset,
};

fn tool(answer: impl Fn(&Context) -> Result<Reply, Error> + Send + Sync + 'static) -> Tool {
    Tool::define(Definition::new("t", "Answers."), move |_: Value, ctx: &Context| answer(ctx))
        .unwrap()
}

async fn call(tool: Tool) -> Result<Outcome, Interrupted> {
    bind([tool]).await.execute("t", json!({}), Invocation::new()).await
}

#[tokio::test]
async fn every_answer_says_which_call_it_belongs_to() {
    let limits = Limits { max_nodes: 2, ..Limits::default() };
    let options = RunOptions::new().max_calls(4).limits(limits);
    let toolset = Toolset::of([tool(|_| Ok("done".into()))]);
    let registry = toolset.bind_with(Binding::new(), options).await.unwrap();
    let calls = [
        ("t", json!({}), None),
        ("gone", json!({}), Some(Code::UnknownTool)),
        ("t", json!({ "a": 1 }), Some(Code::InvalidInput)),
        ("t", json!({ "a": 1, "b": 2 }), Some(Code::InvalidInput)),
        ("t", json!({}), Some(Code::CallLimit)),
    ];
    for (number, (name, arguments, code)) in calls.into_iter().enumerate() {
        let id = format!("call_{number}");
        let outcome = registry.execute(name, arguments, Call::default().id(&id)).await.unwrap();
        assert_eq!((outcome.code(), outcome.call_id()), (code, Some(&*id)));
    }
}

#[tokio::test]
async fn a_calls_token_hears_of_its_run_and_of_its_caller_at_once() {
    for is_run in [true, false] {
        let (run, caller) = (CancellationToken::new(), CancellationToken::new());
        let cancelling = if is_run { run.clone() } else { caller.clone() };
        let seen = Arc::new(Mutex::new(Vec::new()));
        let noting = Arc::clone(&seen);
        let tool = tool(move |ctx| {
            // A handler that never awaits; its clone of the token may be on any thread.
            let token = ctx.cancellation().clone();
            noting.lock().unwrap().push(token.is_cancelled());
            cancelling.cancel();
            noting.lock().unwrap().push(token.is_cancelled());
            Ok("done".into())
        });
        let options = RunOptions::new().cancellation(run);
        let registry = Toolset::of([tool]).bind_with(Binding::new(), options).await.unwrap();
        let asked = Call::default().cancellation(caller.child_token());
        let outcome = registry.execute("t", json!({}), asked).await.unwrap();
        assert_eq!(outcome.text(), "done");
        assert_eq!(*seen.lock().unwrap(), [false, true]);
    }
}

#[tokio::test]
async fn mcp_is_always_shown_the_value_as_text_too() {
    let parts = || Reply::parts().text("The chart:").image("image/png", [1, 2]);
    let outcome = call(tool(move |_| Ok(parts().value(json!({ "a": 1 })).into()))).await.unwrap();
    let shown = outcome.to_mcp();
    assert_eq!(shown["structuredContent"], json!({ "a": 1 }));
    assert_eq!(shown["content"][2], json!({ "type": "text", "text": r#"{"a":1}"# }));

    // A value that is no object has no other place.
    let outcome = call(tool(|_| Ok(Reply::parts().text("Two:").value(json!([1, 2])).into())));
    let shown = outcome.await.unwrap().to_mcp();
    assert_eq!(shown["content"][1]["text"], "[1,2]");
    assert_eq!(shown.get("structuredContent"), None);

    let own_text = || Reply::parts().text(r#"{"a":1}"#).value(json!({ "a": 1 }));
    let shown = call(tool(move |_| Ok(own_text().into()))).await.unwrap().to_mcp();
    assert_eq!(shown["content"].as_array().unwrap().len(), 1, "once is enough");
}

#[tokio::test]
async fn debug_forms_show_no_contents() {
    let secret = "s3cr3t";
    let artifact = Artifact::bytes("a.txt", "text/plain", secret).metadata("key", secret);
    let reference = Artifact::reference("b", "text/plain", format!("https://x/?{secret}"));
    let parts = Reply::parts()
        .text(secret)
        .value(json!({ "token": secret }))
        .image("image/png", secret)
        .artifact(artifact.clone())
        .artifact(reference.clone());
    let request = Request::new("t", json!({ "password": secret }), Invocation::new());
    let media = Media { bytes: secret.into(), media_type: "image/png".into() };
    let mut shown = vec![
        format!("{artifact:?} {:?} {:?}", artifact.body(), reference),
        format!("{request:?} {media:?} {:?}", Content::Text(secret.into())),
        format!("{parts:?} {:?} {:?}", Reply::Text(secret.into()), Reply::Json(secret.into())),
    ];
    let outcome = call(tool(move |_| Ok(parts.clone().into()))).await.unwrap();
    shown.push(format!("{outcome:?}"));
    for shown in shown {
        let bytes = format!("{:?}", secret.as_bytes());
        assert!(!shown.contains(secret) && !shown.contains(&bytes), "{shown}");
    }
    assert!(format!("{artifact:?}").contains("a.txt"), "what it is remains");
}

#[tokio::test]
async fn a_listener_to_progress_that_panics_is_not_the_tools_fault() {
    let heard = Arc::new(Mutex::new(Vec::new()));
    let hearing = Arc::clone(&heard);
    let tool = tool(|ctx| {
        (1..=3).for_each(|step| ctx.progress(f64::from(step)));
        Ok("done".into())
    });
    let asked = Call::default().on_progress(move |progress: Progress| {
        hearing.lock().unwrap().push(progress.value);
        assert!(progress.value > 1.0, "the listener fails at the first");
    });
    let outcome = bind([tool]).await.execute("t", json!({}), asked).await.unwrap();
    assert_eq!(outcome.text(), "done");
    assert_eq!(*heard.lock().unwrap_or_else(|poisoned| poisoned.into_inner()), [1.0, 2.0, 3.0]);
}

#[tokio::test]
async fn a_listener_runs_outside_of_every_lock() {
    // A listener that reports again, as one that forwards to another call of the same context may.
    let reporting: Arc<Mutex<Option<Arc<Context>>>> = Arc::default();
    let heard = Arc::new(Mutex::new(Vec::new()));
    let setup = {
        let (reporting, heard) = (Arc::clone(&reporting), Arc::clone(&heard));
        Call::default().on_progress(move |progress: Progress| {
            heard.lock().unwrap().push(progress.value);
            if progress.value < 3.0 {
                let ctx = reporting.lock().unwrap().clone();
                ctx.unwrap().progress(progress.value + 1.0);
            }
        })
    };
    let ctx = Arc::new(toolcast::testing::Setup::new().context_of(setup));
    *reporting.lock().unwrap() = Some(Arc::clone(&ctx));
    ctx.progress(1.0);
    assert_eq!(*heard.lock().unwrap(), [1.0, 2.0, 3.0]);
    reporting.lock().unwrap().take();
}

#[tokio::test]
async fn the_application_gets_what_a_panic_carried() {
    #[derive(Debug, PartialEq)]
    struct Carried(u8);
    let outcome = call(tool(|_| std::panic::panic_any(Carried(7)))).await.unwrap();
    assert_eq!(outcome.text(), "panic");
    let Some(Error::Panic(panic)) = outcome.error() else { panic!("it panicked") };
    assert_eq!(panic.text(), "a payload that is no text");
    assert_eq!(*panic.take_payload().unwrap().downcast::<Carried>().unwrap(), Carried(7));

    let closing =
        tool(|_| Ok("done".into())).on_close(|| async { std::panic::panic_any(Carried(8)) });
    let failed = bind([closing]).await.close().await.unwrap_err();
    let source = failed.failures()[0].source().unwrap();
    let payload = source.downcast_ref::<Panic>().unwrap().take_payload().unwrap();
    assert_eq!(*payload.downcast::<Carried>().unwrap(), Carried(8));
}

#[tokio::test]
async fn what_a_panic_carried_may_panic_once_more() {
    struct Bomb;
    impl Drop for Bomb {
        fn drop(&mut self) {
            panic!("and again");
        }
    }
    let outcome = call(tool(|_| std::panic::panic_any(Bomb))).await.unwrap();
    assert_eq!(outcome.code(), Some(Code::Panic));
    drop(outcome);
}

/// A tool's own error, standing on what it got from a run of its own.
#[derive(Debug)]
struct Wrapped(Box<dyn std::error::Error + Send + Sync>);

impl std::fmt::Display for Wrapped {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("wrapped")
    }
}

impl std::error::Error for Wrapped {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        Some(&*self.0)
    }
}

async fn failing_close() -> CleanupError {
    let stuck = tool(|_| Ok("done".into())).on_close(|| async { Err(Error::tool("stuck")) });
    bind([stuck]).await.close().await.unwrap_err()
}

#[tokio::test]
async fn a_failed_cleanup_is_never_tool_output() {
    type Fails = fn(CleanupError) -> Result<Reply, Error>;
    let ways: [Fails; 4] = [
        |failed| Err(failed)?,
        |failed| Err(Interrupted::Cleanup(failed))?,
        |failed| Err(Wrapped(failed.into()))?,
        |failed| Err(std::io::Error::other(failed))?,
    ];
    for way in ways {
        let failed = Mutex::new(Some(failing_close().await));
        let ended = call(tool(move |_| way(failed.lock().unwrap().take().unwrap()))).await;
        let Err(Interrupted::Cleanup(failed)) = ended else { panic!("{ended:?}") };
        assert!(!failed.failures().is_empty());
    }
    let ended = call(tool(|_| Err(Wrapped(Interrupted::Cancelled.into()))?)).await;
    assert!(matches!(ended, Err(Interrupted::Cancelled)));
}

#[tokio::test]
async fn a_reference_may_be_produced_later() {
    let asked = Arc::new(Mutex::new(0));
    let producing = Arc::clone(&asked);
    let tool = tool(move |ctx| {
        let asked = Arc::clone(&producing);
        ctx.attach(Artifact::deferred("report.pdf", "application/pdf", move || {
            let mut asked = asked.lock().unwrap();
            *asked += 1;
            let uri = match *asked {
                1 => Err(Error::tool("not yet")),
                count => Ok(format!("https://files.example/{count}")),
            };
            async move { uri }
        }));
        Ok("started".into())
    });
    let outcome = call(tool).await.unwrap();
    assert_eq!(*asked.lock().unwrap(), 0, "nothing is done before somebody asks");
    assert_eq!(outcome.to_mcp()["content"].as_array().unwrap().len(), 1);
    assert_eq!(outcome.resolve().await.unwrap_err().to_string(), "not yet");
    outcome.resolve().await.unwrap();
    outcome.resolve().await.unwrap();
    assert_eq!(*asked.lock().unwrap(), 2, "it is produced once");
    let shown = outcome.to_mcp();
    assert_eq!(shown["content"][1]["uri"], "https://files.example/2");
    assert_eq!(outcome.artifacts()[0].to_json()["uri"], "https://files.example/2");

    let panics = || -> std::future::Ready<Result<String, Error>> { panic!("no signature") };
    let failed = Artifact::deferred("a", "text/plain", panics);
    assert!(matches!(failed.uri().await, Err(Error::Panic(said)) if said == *"no signature"));
    assert_eq!(Artifact::bytes("a", "text/plain", "b").uri().await.unwrap(), None);
}
