use crate::HelpDesk;
use crate::database::word;
use crate::tools::ticket_status::{Handler, Input, Output};
use rusqlite::OptionalExtension;
use toolcast::{Context, Error};

const STATUS: &str = "SELECT status FROM tickets WHERE id = ?1";

impl Handler for HelpDesk {
    async fn call(&self, input: Input, ctx: &Context) -> Result<Output, Error> {
        let Input { ticket_id } = input;
        self.database
            .run(ctx, |connection| {
                let status = connection.query_row(STATUS, [&ticket_id], |row| word(row, "status"));
                Ok(status.optional()?.map(|status| Output { ticket_id, status }))
            })
            .await?
            .ok_or_else(|| Error::tool("There is no ticket with this number."))
    }
}
