use crate::HelpDesk;
use crate::database::word;
use crate::tools::order_status::{Handler, Input, Output};
use rusqlite::OptionalExtension;
use toolcast::{Context, Error};

const ORDER: &str =
    "SELECT status, placed_on, tracking_number FROM orders JOIN members USING (account_id)
    WHERE actor_id = ?1 AND account_id = ?2 AND number = ?3";

impl Handler for HelpDesk {
    async fn call(&self, input: Input, ctx: &Context) -> Result<Output, Error> {
        // Who asks comes from the application, which authenticated the caller; never from what the model wrote.
        let actor = ctx.invocation().require_actor()?.to_owned();
        let account = ctx.invocation().require_text("account_id")?.to_owned();

        let Input { order_number } = input;
        let order = self
            .database
            .run(ctx, move |connection| {
                let key = [&actor, &account, &order_number];
                let order = connection.query_row(ORDER, key, |row| {
                    Ok(Output {
                        order_number: order_number.clone(),
                        status: word(row, "status")?,
                        placed_on: row.get("placed_on")?,
                        tracking_number: row.get("tracking_number")?,
                    })
                });
                order.optional()
            })
            .await?;

        // One answer for a missing order and for another account's: the difference is not the model's to know.
        order.ok_or_else(|| Error::tool("This account has no order with this number."))
    }
}
