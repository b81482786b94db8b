use crate::HelpDesk;
use crate::tools::boards::rename_board::{Handler, Input};
use toolcast::{Context, Error, Reply};

impl Handler for HelpDesk {
    async fn call(&self, input: Input, _ctx: &Context) -> Result<Reply, Error> {
        let renamed = self
            .database
            .lock()
            .execute("UPDATE boards SET title = ?2 WHERE id = ?1", [&input.board, &input.title])?;
        match renamed {
            0 => Err(Error::tool("There is no board with this id; `list_boards` knows them.")),
            _ => Ok("Renamed.".into()),
        }
    }
}
