//! Nothing is answered yet: both tools are named in one run.

#[path = "../golden/compiler/expected/mod.rs"]
mod tools;

struct Desk;

fn main() {
    tools::toolset(Desk);
}

