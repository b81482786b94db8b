//! The lock and the gate under every schedule that shuttle tries: the very files of the crate, over shuttle's primitives.

mod sync {
    pub(crate) use shuttle::sync::atomic::{AtomicUsize, Ordering};
    pub(crate) use shuttle::sync::{Mutex, MutexGuard};
    pub(crate) use std::sync::PoisonError;
}

#[allow(dead_code)]
#[path = "../src/call/exclusive.rs"]
mod exclusive;
#[allow(dead_code)]
#[path = "../src/call/gate.rs"]
mod gate;

use exclusive::Exclusive;
use gate::Gate;
use shuttle::future::{block_on, spawn, yield_now};
use shuttle::sync::Arc;
use shuttle::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::future::{Future, poll_fn};
use std::pin::pin;
use std::task::Poll;

const SCHEDULES: usize = 2_000;

/// Holds the lock for a while and fails if somebody else does.
async fn stay(lock: &Exclusive, inside: &AtomicUsize) {
    let _held = lock.acquire().await;
    assert_eq!(inside.fetch_add(1, Ordering::SeqCst), 0, "two inside");
    yield_now().await;
    inside.fetch_sub(1, Ordering::SeqCst);
}

/// Asks for the lock, and gives up after some polls.
async fn give_up(lock: &Exclusive, polls: usize) {
    let mut waiting = pin!(lock.acquire());
    for _ in 0..polls {
        let held = poll_fn(|cx| Poll::Ready(waiting.as_mut().poll(cx).is_ready())).await;
        if held {
            return;
        }
        yield_now().await;
    }
}

#[test]
fn the_lock_excludes_and_nobody_is_forgotten() {
    shuttle::check_random(
        || {
            let (lock, inside) = (Arc::new(Exclusive::default()), Arc::new(AtomicUsize::new(0)));
            let tasks: Vec<_> = (0..4)
                .map(|number| {
                    let (lock, inside) = (Arc::clone(&lock), Arc::clone(&inside));
                    spawn(async move {
                        // One of the four is impatient; its place in line must pass to the next.
                        if number == 1 {
                            give_up(&lock, 2).await;
                        }
                        stay(&lock, &inside).await;
                    })
                })
                .collect();
            block_on(async {
                for task in tasks {
                    task.await.unwrap();
                }
                // Free again: a waiter that was forgotten would hold it for ever.
                stay(&lock, &inside).await;
            });
        },
        SCHEDULES,
    );
}

#[test]
fn the_lock_is_given_in_the_order_of_arrival() {
    shuttle::check_random(
        || {
            let lock = Exclusive::default();
            block_on(async {
                let held = lock.acquire().await;
                let (mut first, mut second) = (pin!(lock.acquire()), pin!(lock.acquire()));
                poll_fn(|cx| {
                    assert!(first.as_mut().poll(cx).is_pending());
                    assert!(second.as_mut().poll(cx).is_pending());
                    Poll::Ready(())
                })
                .await;
                drop(held);
                poll_fn(|cx| {
                    assert!(second.as_mut().poll(cx).is_pending(), "overtook");
                    assert!(lock_is_refused(&lock, cx), "a newcomer overtook");
                    assert!(first.as_mut().poll(cx).is_ready());
                    Poll::Ready(())
                })
                .await;
            });
        },
        50,
    );
}

fn lock_is_refused(lock: &Exclusive, cx: &mut std::task::Context<'_>) -> bool {
    pin!(lock.acquire()).poll(cx).is_pending()
}

#[test]
fn the_gate_closes_once_and_empties_before_anything_is_released() {
    shuttle::check_random(
        || {
            let gate = Arc::new(Gate::default());
            let released = Arc::new(AtomicBool::new(false));
            let closers = Arc::new(AtomicUsize::new(0));
            let callers: Vec<_> = (0..3)
                .map(|_| {
                    let (gate, released) = (Arc::clone(&gate), Arc::clone(&released));
                    spawn(async move {
                        if let Some(_inside) = gate.enter() {
                            yield_now().await;
                            assert!(!released.load(Ordering::SeqCst), "released under a call");
                        }
                    })
                })
                .collect();
            let closing: Vec<_> = (0..2)
                .map(|_| {
                    let (gate, released, closers) =
                        (Arc::clone(&gate), Arc::clone(&released), Arc::clone(&closers));
                    spawn(async move {
                        if gate.close() {
                            closers.fetch_add(1, Ordering::SeqCst);
                            gate.empty().await;
                            released.store(true, Ordering::SeqCst);
                            assert!(gate.enter().is_none(), "entered a closed gate");
                        }
                    })
                })
                .collect();
            block_on(async {
                for task in callers.into_iter().chain(closing) {
                    task.await.unwrap();
                }
            });
            assert_eq!(closers.load(Ordering::SeqCst), 1);
            assert!(released.load(Ordering::SeqCst));
        },
        SCHEDULES,
    );
}
