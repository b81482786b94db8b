//! What a comparison may cost. Counts bound it where they can, so that the same pair always gets the same verdict; the
//! clock is the last resort.

use super::dialect::size;
use super::verdict::Why;
use serde_json::Value;
use std::sync::mpsc;
use std::thread;
use std::time::Duration;

/// Subschemas of one document; real tools have some hundreds.
const SUBSCHEMAS: usize = 20_000;
/// Subschemas within subschemas. The parser of JSON itself stops at 128.
const NESTING: usize = 256;
/// The walks recurse a few frames a level, the canonical form some hundred bytes to kilobytes each.
const STACK: usize = 256 << 20;

/// Refuses a document that no part of the comparison should be given.
pub(super) fn admit(schema: &Value) -> Result<(), Why> {
    if depth_of(schema) > NESTING * 2 {
        return Err(Why::TooComplex("nested too deeply".into()));
    }
    let (nodes, _) = size(schema);
    if nodes > SUBSCHEMAS {
        return Err(Why::TooComplex(format!("{nodes} subschemas, of at most {SUBSCHEMAS}")));
    }
    Ok(())
}

/// How deep a value is nested, without recursion: this is what guards the recursion of everything else.
fn depth_of(value: &Value) -> usize {
    let mut deepest = 0;
    let mut todo = vec![(value, 1)];
    while let Some((value, depth)) = todo.pop() {
        deepest = deepest.max(depth);
        if depth > NESTING * 2 {
            return depth;
        }
        match value {
            Value::Array(items) => todo.extend(items.iter().map(|item| (item, depth + 1))),
            Value::Object(members) => todo.extend(members.values().map(|m| (m, depth + 1))),
            _ => {}
        }
    }
    deepest
}

/// Runs `work` on a thread with a large stack, and waits for at most `patience`.
///
/// Work that runs over is left behind: its thread cannot be stopped, and ends with the process or with its counts.
pub(super) fn bounded<T: Send + 'static>(
    patience: Duration,
    work: impl FnOnce() -> T + Send + 'static,
) -> Option<T> {
    let (sender, receiver) = mpsc::channel();
    let spawned = thread::Builder::new().name("diff".into()).stack_size(STACK).spawn(move || {
        // The receiver may have given up; then there is nobody to tell.
        let _ = sender.send(work());
    });
    spawned.ok()?;
    receiver.recv_timeout(patience).ok()
}
