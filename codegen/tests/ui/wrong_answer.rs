//! A handler answers with something else than its contract's output.

#[path = "../golden/compiler/expected/mod.rs"]
mod tools;

use toolcast::{Context, Error, Reply};
use tools::ticket_status::{Handler, Input};

struct Desk;

impl Handler for Desk {
    async fn call(&self, input: Input, _: &Context) -> Result<String, Error> {
        Ok(input.ticket_number)
    }
}

impl tools::boards::rename_board::Handler for Desk {
    async fn call(&self, input: tools::boards::rename_board::Input, _: &Context) -> Result<Reply, Error> {
        Ok(input.title.into())
    }
}

fn main() {
    tools::toolset(Desk);
}

