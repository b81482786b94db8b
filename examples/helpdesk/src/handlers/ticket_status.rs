use crate::HelpDesk;
use crate::database::word;
use crate::tools::ticket_status::{Handler, Input, Output};
use rusqlite::OptionalExtension;
use toolcast::{Context, Error};

impl Handler for HelpDesk {
    async fn call(&self, input: Input, _ctx: &Context) -> Result<Output, Error> {
        let status = self
            .database
            .lock()
            .query_row("SELECT status FROM tickets WHERE id = ?1", [&input.ticket_id], |row| {
                word(row, "status")
            })
            .optional()?
            .ok_or_else(|| Error::tool("There is no ticket with this number."))?;
        Ok(Output { ticket_id: input.ticket_id, status })
    }
}
