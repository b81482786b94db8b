//! Many tasks, many tools, everything that may go wrong: no answer lost or doubled, no overlap of exclusive tools, no close
//! missed or doubled, no deadlock, flat memory.
//!
//! `TOOLCAST_SOAK=20 cargo test --release -p toolcast --test soak` makes twenty times as many calls;
//! `TOOLCAST_SOAK_SEED` repeats a run's choices.

use serde_json::{Value, json};
use std::env;
use std::sync::Arc;
use std::sync::atomic::{AtomicU8, AtomicU64, AtomicUsize, Ordering};
use std::time::Duration;
use toolcast::{
    Binding, Call, CancellationToken, Code, Context, Definition, Error, Interrupted, Invocation,
    Reply, Tool, Toolset,
};

const TASKS: usize = 64;
const TOOLS: usize = 200;
const CALLS: usize = 100_000;
/// Calls of one run, after which it is closed in the midst of others.
const RUN: usize = 10_000;

/// What one run sees.
#[derive(Default)]
struct Run {
    /// Exclusive calls that are inside now.
    exclusive: AtomicUsize,
    /// How often each tool was made, and closed.
    made: AtomicUsize,
    closed: Vec<AtomicUsize>,
    /// How often each call's handler was entered.
    entered: Vec<AtomicU8>,
}

/// Marsaglia's xorshift: choices that a seed repeats.
struct Choices(u64);

impl Choices {
    fn below(&mut self, bound: u64) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0 % bound
    }
}

struct Alone<'a>(&'a AtomicUsize);

impl<'a> Alone<'a> {
    fn enter(inside: &'a AtomicUsize) -> Self {
        assert_eq!(inside.fetch_add(1, Ordering::SeqCst), 0, "exclusive tools overlap");
        Self(inside)
    }
}

impl Drop for Alone<'_> {
    fn drop(&mut self) {
        self.0.fetch_sub(1, Ordering::SeqCst);
    }
}

/// What a call does: the arguments' `does` says it.
async fn behave(run: &Run, exclusive: bool, input: &Value, ctx: &Context) -> Result<Reply, Error> {
    let number = input["number"].as_u64().unwrap();
    run.entered[number as usize].fetch_add(1, Ordering::SeqCst);
    let _alone = exclusive.then(|| Alone::enter(&run.exclusive));
    match input["does"].as_u64().unwrap() {
        0 => panic!("soak"),
        1 => return Err(Error::tool("refused")),
        2 => return Err(std::io::Error::other("secret").into()),
        3 => tokio::time::sleep(Duration::from_millis(50)).await,
        4 => {
            let answer = ctx.blocking(move || number).await;
            return Ok(json!(answer).into());
        }
        5 => {
            tokio::task::yield_now().await;
            panic!("soak");
        }
        6 => ctx.check()?,
        _ => tokio::task::yield_now().await,
    }
    Ok(json!(number).into())
}

fn tools(run: &Arc<Run>) -> Toolset {
    let tools = (0..TOOLS).map(|position| {
        let exclusive = position % 3 == 0;
        let definition = Definition::new(format!("tool_{position}"), "Misbehaves at random.").input(json!({
            "type": "object",
            "properties": { "number": { "type": "integer", "minimum": 0 }, "does": { "type": "integer" } },
            "required": ["number", "does"],
            "additionalProperties": false,
        }));
        let definition = if exclusive { definition.exclusive() } else { definition };
        run.made.fetch_add(1, Ordering::SeqCst);
        let (calling, closing) = (Arc::clone(run), Arc::clone(run));
        Tool::define_with(definition, move |input: Value, ctx| {
            let run = Arc::clone(&calling);
            Box::pin(async move { behave(&run, exclusive, &input, ctx).await })
        })
        .unwrap()
        .on_close(move || {
            closing.closed[position].fetch_add(1, Ordering::SeqCst);
            async { Ok(()) }
        })
    });
    Toolset::of(tools)
}

/// One run: all tasks call at random until its calls are used up; some task closes it before the end.
async fn one_run(seed: u64, answered: Arc<AtomicU64>) {
    let run = Arc::new(Run {
        closed: (0..TOOLS).map(|_| AtomicUsize::new(0)).collect(),
        entered: (0..RUN).map(|_| AtomicU8::new(0)).collect(),
        ..Run::default()
    });
    let making = Arc::clone(&run);
    let registry = Toolset::provider(move |_| tools(&making)).bind(Binding::new()).await.unwrap();
    let next = Arc::new(AtomicUsize::new(0));
    let closes_at = RUN - Choices(seed | 1).below(200) as usize;
    let tasks: Vec<_> = (0..TASKS)
        .map(|task| {
            let (registry, next, run) = (registry.clone(), Arc::clone(&next), Arc::clone(&run));
            let answered = Arc::clone(&answered);
            let mut choices =
                Choices((seed ^ (task as u64 + 1).wrapping_mul(0x9E37_79B9_7F4A_7C15)) | 1);
            tokio::spawn(async move {
                loop {
                    let number = next.fetch_add(1, Ordering::SeqCst);
                    if number >= RUN {
                        return;
                    }
                    if number == closes_at {
                        registry.close().await.unwrap();
                    }
                    one_call(&registry, &run, number, &mut choices).await;
                    answered.fetch_add(1, Ordering::SeqCst);
                }
            })
        })
        .collect();
    for task in tasks {
        task.await.expect("no panic leaves a call");
    }
    drop(registry);
    assert_eq!(run.made.load(Ordering::SeqCst), TOOLS);
    assert!(run.closed.iter().all(|closed| closed.load(Ordering::SeqCst) == 1), "closes");
    assert_eq!(run.exclusive.load(Ordering::SeqCst), 0);
}

async fn one_call(registry: &toolcast::Registry, run: &Run, number: usize, choices: &mut Choices) {
    let does = choices.below(40);
    let name = format!("tool_{}", choices.below(TOOLS as u64));
    let arguments = json!({ "number": number, "does": does });
    let mut call = Call::new(Invocation::new());
    match choices.below(12) {
        0 => call = call.timeout(Duration::from_micros(choices.below(2_000))),
        1 => {
            let token = CancellationToken::new();
            call = call.cancellation(token.clone());
            tokio::spawn(async move {
                tokio::task::yield_now().await;
                token.cancel();
            });
        }
        2 => {
            // Dropped midway: the call is cancelled, and nobody hears of it.
            let patience = Duration::from_micros(choices.below(500));
            let _ = tokio::time::timeout(patience, registry.execute(&name, arguments, call)).await;
            return;
        }
        3 => {
            let wrong = json!({ "number": -1, "does": "x", "more": true });
            match registry.execute(&name, wrong, call).await {
                Ok(outcome) => assert_eq!(outcome.faults().len(), 3),
                Err(Interrupted::Closed) => {}
                Err(other) => panic!("{other}"),
            }
            assert_eq!(run.entered[number].load(Ordering::SeqCst), 0, "invalid input was called");
            return;
        }
        _ => {}
    }
    let answer = registry.execute(&name, arguments, call).await;
    let entered = run.entered[number].load(Ordering::SeqCst);
    match answer {
        Ok(outcome) => {
            assert_eq!(entered, 1, "an answer for {entered} calls");
            match outcome.code() {
                None => assert_eq!(outcome.value(), Some(&json!(number)), "somebody else's answer"),
                Some(Code::Panic) => assert!(does == 0 || does == 5),
                Some(Code::ToolError) => assert_eq!((does, outcome.text()), (1, "refused".into())),
                Some(Code::Unexpected) => assert_eq!((does, outcome.text()), (2, "Error".into())),
                Some(other) => panic!("{other}: {}", outcome.text()),
            }
        }
        Err(Interrupted::Closed) => assert_eq!(entered, 0),
        Err(Interrupted::Cancelled | Interrupted::DeadlineExceeded) => assert!(entered <= 1),
        Err(other) => panic!("{other}"),
    }
}

/// Bytes that the process holds in memory, where the system says so.
fn resident() -> Option<u64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find(|line| line.starts_with("VmRSS:"))?;
    line.split_whitespace().nth(1)?.parse::<u64>().ok().map(|kilobytes| kilobytes << 10)
}

#[test]
fn soak() {
    let number = |name| env::var(name).ok().and_then(|text| text.parse::<u64>().ok());
    let calls = CALLS * number("TOOLCAST_SOAK").unwrap_or(1).max(1) as usize;
    let seed = number("TOOLCAST_SOAK_SEED").unwrap_or(0x5EED);
    println!("seed {seed}, {calls} calls");
    let loud = std::panic::take_hook();
    std::panic::set_hook(Box::new(move |panic| {
        if panic.payload().downcast_ref::<&str>() != Some(&"soak") {
            loud(panic);
        }
    }));
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .worker_threads(4)
        .enable_time()
        .build()
        .unwrap();
    let answered = Arc::new(AtomicU64::new(0));
    let mut warm = None;
    let runs = calls.div_ceil(RUN);
    for run in 0..runs {
        let seed = seed.wrapping_add(run as u64).wrapping_mul(0x2545_F491_4F6C_DD1D);
        let one = one_run(seed, Arc::clone(&answered));
        let limit = Duration::from_secs(60);
        runtime.block_on(async { tokio::time::timeout(limit, one).await }).expect("no deadlock");
        if run == runs / 4 {
            warm = resident();
        }
    }
    assert_eq!(answered.load(Ordering::SeqCst) as usize, runs * RUN);
    if let (Some(warm), Some(end)) = (warm, resident()) {
        println!("resident: {} MiB warm, {} MiB at the end", warm >> 20, end >> 20);
        assert!(end < warm + (32 << 20), "memory grew from {warm} to {end} bytes");
    }
}
