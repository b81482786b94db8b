use crate::HelpDesk;
use crate::tools::boards::list_boards::{Board, Handler, Input, Output};
use toolcast::{Context, Error};

impl Handler for HelpDesk {
    async fn call(&self, _input: Input, _ctx: &Context) -> Result<Output, Error> {
        let database = self.database.lock();
        let mut query = database.prepare_cached("SELECT id, title FROM boards ORDER BY id")?;
        let boards = query
            .query_map([], |row| Ok(Board { id: row.get("id")?, title: row.get("title")? }))?
            .collect::<Result<_, _>>()?;
        Ok(Output { boards })
    }
}
