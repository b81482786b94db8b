use crate::HelpDesk;
use crate::tools::boards::list_boards::{Board, Handler, Input, Output};
use toolcast::{Context, Error};

const BOARDS: &str = "SELECT id, title FROM boards ORDER BY id";

impl Handler for HelpDesk {
    async fn call(&self, _input: Input, ctx: &Context) -> Result<Output, Error> {
        let boards = self.database.run(ctx, |connection| {
            let mut query = connection.prepare_cached(BOARDS)?;
            query
                .query_map([], |row| Ok(Board { id: row.get("id")?, title: row.get("title")? }))?
                .collect()
        });
        Ok(Output { boards: boards.await? })
    }
}
