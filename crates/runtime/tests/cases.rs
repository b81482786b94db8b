//! Contracts and calls that once went wrong, sent through tools that are defined at run time.
//!
//! Runs where `TOOLCAST_CORPUS` names the folder that holds `cases/contracts`.

use serde_json::Value;
use std::path::Path;
use toolcast::{Binding, Code, Context, Definition, Invocation, Tool, Toolset};

#[tokio::test]
async fn calls_are_accepted_and_refused_as_they_should_be() {
    let Ok(corpus) = std::env::var("TOOLCAST_CORPUS") else {
        println!("skipped: TOOLCAST_CORPUS is not set");
        return;
    };
    let mut folders: Vec<_> = std::fs::read_dir(Path::new(&corpus).join("cases/contracts"))
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .filter(|folder| folder.join("calls.json").exists())
        .collect();
    folders.sort();
    let (mut sent, mut wrong) = (0, Vec::new());
    for folder in &folders {
        let name = folder.file_name().unwrap().to_string_lossy().into_owned();
        let definitions = match Definition::load(folder.join("schemas")) {
            Ok(definitions) => definitions,
            Err(faults) => {
                wrong.push(format!("{name}: does not load: {faults}"));
                continue;
            }
        };
        let tools: Vec<Tool> = definitions.into_iter().map(echo).collect();
        let strict = Toolset::of(tools.clone()).bind(Binding::new()).await.unwrap();
        let lenient = Toolset::of(tools).lenient(true).bind(Binding::new()).await.unwrap();
        let calls = std::fs::read(folder.join("calls.json")).unwrap();
        let calls: Vec<Value> = serde_json::from_slice(&calls).unwrap();
        for call in &calls {
            sent += 1;
            let registry = if call["lenient"] == true { &lenient } else { &strict };
            let tool = call["tool"].as_str().unwrap();
            let outcome = registry.execute(tool, call["args"].clone(), Invocation::new()).await;
            let outcome = outcome.unwrap();
            let is_refused = outcome.code() == Some(Code::InvalidInput);
            let is_right = match call["expect"].as_str() {
                Some("refuse") => {
                    let mentioned = call["mentions"].as_str().unwrap_or("");
                    is_refused && outcome.text().contains(mentioned)
                }
                _ => {
                    let gave = outcome.value().cloned().unwrap_or_default();
                    !is_refused && call.get("echo").is_none_or(|echo| is_echoed(echo, &gave))
                }
            };
            if !is_right {
                wrong.push(format!("{name}: {call}: {}", outcome.text()));
            }
        }
    }
    assert!(sent > 50, "the cases are not where they should be");
    assert!(wrong.is_empty(), "{} of {sent}:\n{}", wrong.len(), wrong.join("\n"));
    println!("{sent} calls in {} folders", folders.len());
}

fn echo(definition: Definition) -> Tool {
    Tool::define(definition, |_: Value, ctx: &Context| ctx.arguments().clone()).unwrap()
}

/// Whether raw arguments hold what the types would: they lack what defaults fill, and hold what no contract declares.
fn is_echoed(echo: &Value, gave: &Value) -> bool {
    match (echo, gave) {
        (Value::Object(echo), Value::Object(gave)) => {
            echo.iter().all(|(name, echo)| gave.get(name).is_none_or(|gave| is_echoed(echo, gave)))
        }
        (Value::Number(echo), Value::Number(gave)) => {
            echo == gave || echo.as_f64() == gave.as_f64()
        }
        _ => echo == gave,
    }
}
