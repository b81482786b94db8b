use crate::HelpDesk;
use crate::database::word;
use crate::tools::order_status::{Handler, Input, Output};
use rusqlite::OptionalExtension;
use toolcast::{Context, Error};

impl Handler for HelpDesk {
    async fn call(&self, input: Input, ctx: &Context) -> Result<Output, Error> {
        // Who asks comes from the application, which authenticated the caller; never from what the model wrote.
        let actor = ctx.invocation().require_actor()?;
        let account = ctx.invocation().require_text("account_id")?;

        let order = self
            .database
            .lock()
            .query_row(
                "SELECT status, placed_on, tracking_number FROM orders JOIN members USING (account_id)
                 WHERE actor_id = ?1 AND account_id = ?2 AND number = ?3",
                [actor, account, &input.order_number],
                |row| {
                    Ok(Output {
                        order_number: input.order_number.clone(),
                        status: word(row, "status")?,
                        placed_on: row.get("placed_on")?,
                        tracking_number: row.get("tracking_number")?,
                    })
                },
            )
            .optional()?;

        // One answer for a missing order and for another account's: the difference is not the model's to know.
        order.ok_or_else(|| Error::tool("This account has no order with this number."))
    }
}
