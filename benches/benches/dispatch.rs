//! What `execute` costs above the bare handler, beside reading the same arguments into the same struct with serde's
//! derive.

use criterion::{BatchSize, Criterion, criterion_group, criterion_main};
use serde_json::Value;
use std::hint::black_box;
use toolcast::{Binding, Invocation, Toolset};
use toolcast_benches::{cases, handle, medium, nested, now, small};

fn dispatch(criterion: &mut Criterion) {
    let read: [fn(Value); 3] = [
        |value| drop(black_box(serde_json::from_value::<small::Plain>(value).expect("valid"))),
        |value| drop(black_box(serde_json::from_value::<medium::Plain>(value).expect("valid"))),
        |value| drop(black_box(serde_json::from_value::<nested::Plain>(value).expect("valid"))),
    ];
    for (case, read) in cases().into_iter().zip(read) {
        let mut group = criterion.benchmark_group(case.name);
        let registry = now(Toolset::of([case.tool.clone()]).bind(Binding::new())).expect("binds");
        let (name, invocation) = (case.tool.name().to_owned(), Invocation::new());
        group.bench_function("from_value", |bencher| {
            bencher.iter_batched(|| case.arguments.clone(), read, BatchSize::SmallInput);
        });
        group.bench_function("handler", |bencher| {
            bencher.iter(|| drop(black_box(now(handle()))));
        });
        group.bench_function("execute", |bencher| {
            let call = |arguments| {
                let outcome = now(registry.execute(&name, arguments, &invocation)).expect("runs");
                assert!(!outcome.is_error());
                // Dropped in here, as the struct is: criterion would move it into a list of outcomes.
                drop(black_box(outcome));
            };
            bencher.iter_batched(|| case.arguments.clone(), call, BatchSize::SmallInput);
        });
        group.finish();
    }
}

criterion_group!(benches, dispatch);
criterion_main!(benches);
