//! A contract was added, and nothing answers it yet.

#[path = "../golden/compiler/expected/mod.rs"]
mod tools;

use toolcast::{Context, Error, Reply};

struct Desk;

impl tools::boards::rename_board::Handler for Desk {
    async fn call(&self, input: tools::boards::rename_board::Input, _: &Context) -> Result<Reply, Error> {
        Ok(input.title.into())
    }
}

fn main() {
    tools::toolset(Desk);
}

