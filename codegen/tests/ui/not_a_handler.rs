//! Something that answers no call where a closure is wanted, and a contract that is none.

use toolcast::{Definition, Tool};

fn main() {
    let _ = Tool::define(Definition::new("ping", "Answers."), "pong");
    let _ = Tool::define("ping", |_: toolcast::Value| "pong");
}
