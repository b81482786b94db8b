//! The contract's `ticket_id` became `ticket_number`: the error stands at the handler's own line.

#[path = "../golden/compiler/expected/mod.rs"]
mod tools;

use toolcast::{Context, Error, Reply};
use tools::ticket_status::{Handler, Input, Output, Status};

struct Desk;

impl Handler for Desk {
    async fn call(&self, input: Input, _: &Context) -> Result<Output, Error> {
        match input.ticket_id.as_str() {
            "SUP-481" => Ok(Output { status: Status::Open }),
            _ => Err(Error::tool("There is no ticket with this number.")),
        }
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

