use crate::HelpDesk;
use crate::tools::boards::rename_board::{Handler, Input};
use toolcast::{Context, Error, Reply};

const RENAME: &str = "UPDATE boards SET title = ?2 WHERE id = ?1";

impl Handler for HelpDesk {
    async fn call(&self, input: Input, ctx: &Context) -> Result<Reply, Error> {
        let Input { board, title } = input;
        match self
            .database
            .run(ctx, |connection| connection.execute(RENAME, [board, title]))
            .await?
        {
            0 => Err(Error::tool("There is no board with this id; `list_boards` knows them.")),
            _ => Ok("Renamed.".into()),
        }
    }
}
