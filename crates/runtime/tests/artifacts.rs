//! Rule 8's files: artifacts and results too large for a model.

mod support;

use serde_json::{Value, json};
use std::path::PathBuf;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;
use toolcast::{
    Artifact, ArtifactBody, ArtifactStore, Binding, BoxError, Call, CancellationToken, Code,
    Content, Context, Definition, FolderStore, Interrupted, Invocation, Outcome, Reply, RunOptions,
    Storing, Tool, Toolset,
};

/// A folder of one test, removed at its end.
struct Folder(PathBuf);

impl Folder {
    fn new() -> Self {
        static COUNT: AtomicUsize = AtomicUsize::new(0);
        let number = COUNT.fetch_add(1, Ordering::Relaxed);
        Self(std::env::temp_dir().join(format!("toolcast-store-{}-{number}", std::process::id())))
    }

    /// The contents of the files, which must all be directly in the folder.
    fn files(&self) -> Vec<(String, String)> {
        let entries = std::fs::read_dir(&self.0).into_iter().flatten().map(|entry| entry.unwrap());
        entries
            .map(|entry| {
                let name = entry.file_name().into_string().unwrap();
                // A part may go away as it is looked at.
                (name, std::fs::read_to_string(entry.path()).unwrap_or_default())
            })
            .collect()
    }
}

impl Folder {
    /// Waits until no file is left. A write that has begun is finished on its thread, and undone there, after its call.
    async fn is_emptied(&self) {
        for _ in 0..2_000 {
            if self.files().is_empty() {
                return;
            }
            tokio::time::sleep(Duration::from_millis(5)).await;
        }
        panic!("{:?} is left", self.files());
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

async fn call(tool: Tool, options: RunOptions) -> Outcome {
    let registry = Toolset::of([tool]).bind_with(Binding::new(), options).await.unwrap();
    registry.execute("t", json!({}), Invocation::new()).await.unwrap()
}

fn tool(answer: impl Fn(&Context) -> toolcast::Reply + Send + Sync + 'static) -> Tool {
    Tool::define(Definition::new("t", "Makes files."), move |_: Value, ctx: &Context| answer(ctx))
        .unwrap()
}

/// A tool that makes one file.
fn attach(bytes: &'static str) -> Tool {
    tool(move |ctx| {
        ctx.attach(Artifact::bytes("a", "text/plain", bytes));
        "done".into()
    })
}

#[tokio::test]
async fn artifacts_are_stored_under_safe_names_and_referred_to() {
    let folder = Folder::new();
    let making = tool(|ctx| {
        ctx.attach(
            Artifact::bytes("../../etc/orders 1.csv", "text/csv", "id\n1\n").metadata("rows", 1),
        );
        ctx.attach(Artifact::reference("elsewhere", "text/plain", "https://example.com/x"));
        "done".into()
    });
    let outcome = call(making, RunOptions::new().artifacts(FolderStore::new(&folder.0))).await;
    let files = folder.files();
    assert_eq!(files.len(), 1);
    assert!(files[0].0.ends_with("_.._etc_orders_1.csv"), "{}", files[0].0);
    assert_eq!(files[0].1, "id\n1\n");
    let ArtifactBody::Reference(uri) = outcome.artifacts()[0].body() else { panic!("stored") };
    assert!(uri.starts_with("file:///") && uri.ends_with(&files[0].0));
    let shown = outcome.to_mcp();
    assert_eq!(shown["content"][1]["type"], "resource_link");
    assert_eq!(shown["content"][1]["_meta"], json!({ "rows": 1 }));
    assert_eq!(shown["content"][2]["uri"], "https://example.com/x");
}

#[tokio::test]
async fn a_large_result_is_a_preview_and_a_reference() {
    let folder = Folder::new();
    let large = || json!((0..20_000).collect::<Vec<_>>());
    let options =
        || RunOptions::new().artifacts(FolderStore::new(&folder.0)).max_result_bytes(10_000);
    let outcome = call(tool(move |_| large().into()), options()).await;
    assert!(outcome.text().len() < 2_000);
    assert!(outcome.text().contains("The whole result (108891 bytes) is stored at file:///"));
    assert!(matches!(outcome.content().last(), Some(Content::ResourceLink(_))));
    assert_eq!(outcome.value(), Some(&large()), "the application has it whole");
    assert_eq!(folder.files()[0].1, large().to_string());

    let small = call(tool(|_| json!([1]).into()), options()).await;
    assert_eq!(small.text(), "[1]");
    assert_eq!(folder.files().len(), 1);
}

#[tokio::test]
async fn a_store_has_limits_and_its_failure_is_the_applications_to_read() {
    let folder = Folder::new();
    let store = FolderStore::new(&folder.0).max_total_bytes(12);
    for (bytes, expected) in [("12345", None), ("1234567", None), ("1", Some(Code::ToolError))] {
        let outcome = call(attach(bytes), RunOptions::new().artifacts(store.clone())).await;
        assert_eq!(outcome.code(), expected);
        if expected.is_some() {
            assert_eq!(outcome.text(), "the result could not be stored: the store is full");
        }
    }
    let small = FolderStore::new(&folder.0).max_bytes(4);
    let outcome = call(attach("12345"), RunOptions::new().artifacts(small)).await;
    assert_eq!(outcome.code(), Some(Code::ToolError));
    assert_eq!(outcome.text(), "the result could not be stored: it is too large for the store");
    assert!(outcome.error().unwrap().source().unwrap().to_string().contains("larger than 4 bytes"));
    assert_eq!(folder.files().len(), 2, "no partial file is left");

    let few = FolderStore::new(folder.0.join("few")).max_files(1);
    for (bytes, expected) in [("1", None), ("1", None), ("2", Some(Code::ToolError))] {
        let outcome = call(attach(bytes), RunOptions::new().artifacts(few.clone())).await;
        assert_eq!(outcome.code(), expected, "equal bytes take no more room");
    }
    // The folder is the application's: what it prunes makes room.
    std::fs::remove_dir_all(folder.0.join("few")).unwrap();
    let outcome = call(attach("2"), RunOptions::new().artifacts(few)).await;
    assert_eq!(outcome.code(), None);
}

#[tokio::test]
async fn equal_bytes_are_stored_once() {
    let folder = Folder::new();
    let twice = tool(|ctx| {
        ctx.attach(Artifact::bytes("one.txt", "text/plain", "the same"));
        ctx.attach(Artifact::bytes("other.txt", "text/plain", "the same"));
        "done".into()
    });
    // Stores that know nothing of each other find the file too.
    for _ in 0..2 {
        let options = RunOptions::new().artifacts(FolderStore::new(&folder.0));
        let outcome = call(twice.clone(), options).await;
        let uris: Vec<_> = outcome.artifacts().iter().map(|artifact| artifact.body()).collect();
        assert_eq!(uris[0], uris[1]);
        assert_eq!(folder.files().len(), 1);
    }
}

#[cfg(unix)]
#[tokio::test]
async fn files_are_for_their_owner_alone() {
    use std::os::unix::fs::PermissionsExt;
    let folder = Folder::new();
    let store = FolderStore::new(folder.0.join("deep/down"));
    call(attach("secret"), RunOptions::new().artifacts(store)).await;
    let mode = |path: &std::path::Path| path.metadata().unwrap().permissions().mode() & 0o777;
    let inner = folder.0.join("deep/down");
    let file = std::fs::read_dir(&inner).unwrap().next().unwrap().unwrap().path();
    assert_eq!((mode(&folder.0), mode(&inner), mode(&file)), (0o700, 0o700, 0o600));
}

#[tokio::test]
async fn a_call_that_fails_leaves_nothing_behind() {
    let folder = Folder::new();
    let several = tool(|ctx| {
        for bytes in ["1234", "12345", "123456"] {
            ctx.attach(Artifact::bytes("a", "text/plain", bytes));
        }
        "done".into()
    });
    let store = FolderStore::new(&folder.0).max_bytes(5);
    let outcome = call(several, RunOptions::new().artifacts(store.clone())).await;
    assert_eq!(outcome.code(), Some(Code::ToolError));
    assert!(folder.files().is_empty(), "{:?}", folder.files());
    // The room is given back, and what another call has stored stays.
    let store = store.max_files(1);
    let outcome = call(attach("1234"), RunOptions::new().artifacts(store)).await;
    assert_eq!((outcome.code(), folder.files().len()), (None, 1));
}

/// Stores some artifacts as a folder does, and misbehaves at those that are called so.
struct Misbehaving(FolderStore);

impl ArtifactStore for Misbehaving {
    fn store<'a>(&'a self, artifact: &'a Artifact) -> Storing<'a> {
        match artifact.name() {
            "panic" => Box::pin(async { panic!("the disk is gone") }),
            "early panic" => panic!("the disk is gone"),
            "hang" => Box::pin(std::future::pending()),
            "fail" => Box::pin(async { Err("no route to the disk".into()) }),
            _ => self.0.store(artifact),
        }
    }
    fn commit(&self, uri: &str) -> Result<(), BoxError> {
        self.0.commit(uri)
    }
    fn discard(&self, uri: &str) {
        self.0.discard(uri);
    }
}

fn misbehaving(folder: &Folder, does: &'static str) -> (Toolset, RunOptions) {
    let definition = Definition::new("t", "Makes files.").timeout_seconds(3600.0);
    let tool = Tool::define(definition, move |_: Value, ctx: &Context| {
        ctx.attach(Artifact::bytes("first", "text/plain", "stored before"));
        ctx.attach(Artifact::bytes(does, "text/plain", "1"));
        "done"
    });
    let store = Misbehaving(FolderStore::new(&folder.0));
    (Toolset::of([tool.unwrap()]), RunOptions::new().artifacts(store))
}

#[tokio::test]
async fn a_store_that_panics_or_fails_is_not_the_tools_fault() {
    for does in ["panic", "early panic", "fail"] {
        let folder = Folder::new();
        let (toolset, options) = misbehaving(&folder, does);
        let registry = toolset.bind_with(Binding::new(), options).await.unwrap();
        let outcome = registry.execute("t", json!({}), Invocation::new()).await.unwrap();
        assert_eq!(outcome.code(), Some(Code::Unexpected), "{does}");
        assert_eq!(outcome.text(), "the result could not be stored");
        let said = outcome.error().unwrap().source().unwrap().to_string();
        assert!(said.contains("disk"), "{said}");
        assert!(folder.files().is_empty(), "{does} left {:?}", folder.files());
    }
}

#[tokio::test]
async fn a_store_that_hangs_ends_with_its_call() {
    let folder = Folder::new();
    let (toolset, options) = misbehaving(&folder, "hang");
    let bound = || toolset.bind_with(Binding::new(), options.clone());

    let soon = Call::default().timeout(Duration::from_millis(20));
    let ended = bound().await.unwrap().execute("t", json!({}), soon).await;
    assert!(matches!(ended, Err(Interrupted::DeadlineExceeded)));
    folder.is_emptied().await;

    let token = CancellationToken::new();
    let (registry, cancelled) =
        (bound().await.unwrap(), Call::default().cancellation(token.clone()));
    let (ended, ()) = tokio::join!(registry.execute("t", json!({}), cancelled), async {
        tokio::time::sleep(Duration::from_millis(20)).await;
        token.cancel();
    });
    assert!(matches!(ended, Err(Interrupted::Cancelled)));
    folder.is_emptied().await;

    let registry = bound().await.unwrap();
    let (ended, closed) = tokio::join!(registry.execute("t", json!({}), Call::default()), async {
        tokio::time::sleep(Duration::from_millis(20)).await;
        tokio::time::timeout(Duration::from_secs(20), registry.close()).await
    });
    assert!(matches!(ended, Err(Interrupted::Cancelled)));
    closed.expect("close does not wait for the store").unwrap();
    folder.is_emptied().await;

    let registry = bound().await.unwrap();
    let dropped = registry.execute("t", json!({}), Call::default());
    assert!(tokio::time::timeout(Duration::from_millis(20), dropped).await.is_err());
    folder.is_emptied().await;
}

#[tokio::test(start_paused = true)]
async fn the_time_of_a_contract_counts_for_storing_too() {
    let folder = Folder::new();
    let (toolset, options) = misbehaving(&folder, "hang");
    let registry = toolset.bind_with(Binding::new(), options).await.unwrap();
    let outcome = registry.execute("t", json!({}), Invocation::new()).await.unwrap();
    assert_eq!(outcome.code(), Some(Code::Timeout));
    assert!(folder.files().is_empty());
}

#[tokio::test]
async fn preview_and_note_never_exceed_the_limit() {
    for most in [0, 1, 20, 100, 300, 1_000, 3_000] {
        for reply in [
            Reply::from("\u{e9}\u{4e16}".repeat(3_000)),
            json!((0..5_000).collect::<Vec<_>>()).into(),
            // Escapes make text of few characters long.
            json!("\u{1}".repeat(2_000)).into(),
            Reply::parts().text("a".repeat(2_000)).value(json!("b".repeat(3_500))).into(),
            Reply::parts().text("a".repeat(5_000)).text("b").value(json!([1])).into(),
        ] {
            let folder = Folder::new();
            let options = RunOptions::new().artifacts(FolderStore::new(&folder.0));
            let value = match &reply {
                Reply::Parts(_) => None,
                Reply::Json(value) => Some(value.clone()),
                _ => None,
            };
            let outcome = call(tool(move |_| reply.clone()), options.max_result_bytes(most)).await;
            assert!(outcome.text().len() <= most, "{} of {most}", outcome.text().len());
            let link = |part: &Content| matches!(part, Content::ResourceLink(_));
            assert!(outcome.content().iter().any(link), "the reference always stands there");
            assert!(value.is_none() || outcome.value() == value.as_ref());
            let shown = outcome.to_mcp();
            if value.is_some() {
                assert_eq!(shown.get("structuredContent"), None);
            }
            let texts = shown["content"].as_array().unwrap().iter();
            let texts: usize = texts.filter_map(|part| part["text"].as_str()).map(str::len).sum();
            assert!(texts <= most, "{texts} of {most}");
        }
    }
}

#[tokio::test]
async fn a_value_beside_text_of_its_own_is_stored_when_both_are_too_long() {
    let folder = Folder::new();
    let large = json!({ "rows": "x".repeat(9_000) });
    let reply = Reply::parts().text("Nine thousand:").value(large.clone());
    let options = RunOptions::new().artifacts(FolderStore::new(&folder.0)).max_result_bytes(4_000);
    let outcome = call(tool(move |_| reply.clone().into()), options).await;
    assert!(outcome.text().ends_with("\nNine thousand:"), "{}", outcome.text());
    assert_eq!(folder.files()[0].1, large.to_string());
    assert_eq!(outcome.value(), Some(&large), "the application has it whole");
    assert_eq!(outcome.to_mcp().get("structuredContent"), None);
}

#[tokio::test]
async fn without_a_store_results_pass_whole() {
    let outcome = call(tool(|_| json!("x".repeat(100_000)).into()), RunOptions::new()).await;
    assert_eq!(outcome.text().len(), 100_002);
}
