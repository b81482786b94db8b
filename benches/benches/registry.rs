//! Binding many tools, and many callers at once.

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use std::time::{Duration, Instant};
use toolcast::{Binding, Definition, Invocation, Tool, Toolset, Value};
use toolcast_benches::{cases, now};

const TOOLS: usize = 10_000;
const CALLERS: u64 = 64;

fn bind(criterion: &mut Criterion) {
    let [_, medium, _] = cases();
    let names: Vec<String> = (0..TOOLS).map(|number| format!("tool_{number}")).collect();
    let tools = names.iter().map(|name| medium.tool.clone().renamed(name.clone()));
    let toolset = Toolset::of(tools);
    let bound = now(toolset.bind(Binding::new())).expect("binds");
    assert_eq!(bound.names().len(), TOOLS);
    assert!(bound.fetch("tool_0").is_some_and(|tool| !tool.is_compiled()), "built before its use");
    criterion.bench_function("bind 10,000 tools", |bencher| {
        bencher.iter_with_large_drop(|| now(toolset.bind(Binding::new())).expect("binds"));
    });
}

fn callers(criterion: &mut Criterion) {
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .worker_threads(2)
        .enable_time()
        .build()
        .expect("a runtime");
    let [small, medium, _] = cases();
    let yields = Definition::new("yields", "Waits for a moment.");
    let yields = Tool::define(yields, |_: Value| async {
        tokio::task::yield_now().await;
        "done"
    });
    let tools = [small.tool, medium.tool, yields.expect("valid")];
    let registry = runtime.block_on(Toolset::of(tools).bind(Binding::new())).expect("binds");
    let mut group = criterion.benchmark_group("callers");
    group.throughput(Throughput::Elements(1));
    let calls =
        [("search_issues", medium.arguments), ("yields", Value::Object(toolcast::Map::new()))];
    for (name, arguments) in calls {
        for callers in [1, CALLERS] {
            group.bench_function(format!("{name}, {callers} at once"), |bencher| {
                bencher.iter_custom(|calls| {
                    runtime.block_on(async {
                        let begun = Instant::now();
                        let share = calls.div_ceil(callers);
                        let tasks: Vec<_> = (0..callers)
                            .map(|_| {
                                let (registry, arguments) = (registry.clone(), arguments.clone());
                                tokio::spawn(async move {
                                    for _ in 0..share {
                                        let call = registry.execute(
                                            name,
                                            arguments.clone(),
                                            Invocation::new(),
                                        );
                                        assert!(!call.await.expect("runs").is_error());
                                    }
                                })
                            })
                            .collect();
                        for task in tasks {
                            task.await.expect("no panic");
                        }
                        begun.elapsed().mul_f64(calls as f64 / (share * callers) as f64)
                    })
                });
            });
        }
    }
    group.finish();
}

criterion_group! {
    name = benches;
    config = Criterion::default().measurement_time(Duration::from_secs(4)).sample_size(30);
    targets = bind, callers
}
criterion_main!(benches);
