//! Rule 8's files: artifacts and results too large for a model.

mod support;

use serde_json::{Value, json};
use std::path::PathBuf;
use std::sync::atomic::{AtomicUsize, Ordering};
use toolcast::{
    Artifact, ArtifactBody, Binding, Code, Content, Context, Definition, FolderStore, Invocation,
    Outcome, RunOptions, Tool, Toolset,
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
                (name, std::fs::read_to_string(entry.path()).unwrap())
            })
            .collect()
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
    let attach = || {
        tool(|ctx| {
            ctx.attach(Artifact::bytes("a", "text/plain", "12345"));
            "done".into()
        })
    };
    let store = FolderStore::new(&folder.0).max_total_bytes(12);
    for expected in [None, None, Some(Code::Unexpected)] {
        let outcome = call(attach(), RunOptions::new().artifacts(store.clone())).await;
        assert_eq!(outcome.code(), expected);
    }
    let small = FolderStore::new(&folder.0).max_bytes(4);
    let outcome = call(attach(), RunOptions::new().artifacts(small)).await;
    assert_eq!(outcome.text(), "the result could not be stored");
    assert!(outcome.error().unwrap().source().unwrap().to_string().contains("larger than 4 bytes"));
    assert_eq!(folder.files().len(), 2, "no partial file is left");
}

#[tokio::test]
async fn without_a_store_results_pass_whole() {
    let outcome = call(tool(|_| json!("x".repeat(100_000)).into()), RunOptions::new()).await;
    assert_eq!(outcome.text().len(), 100_002);
}
