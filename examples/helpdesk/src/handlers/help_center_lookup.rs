use crate::HelpDesk;
use crate::tools::help_center_lookup::{Handler, Input};
use toolcast::{Context, Error, Reply};

impl Handler for HelpDesk {
    async fn call(&self, input: Input, _ctx: &Context) -> Result<Reply, Error> {
        let database = self.database.lock();
        let mut query = database.prepare_cached(
            "SELECT title, url FROM articles WHERE topic = ?1 ORDER BY reads DESC LIMIT ?2",
        )?;
        let articles: Vec<String> = query
            .query_map((input.topic.to_string(), input.limit), |row| {
                Ok(format!("{}: {}", row.get::<_, String>("title")?, row.get::<_, String>("url")?))
            })?
            .collect::<Result<_, _>>()?;
        Ok(articles.join("\n").into())
    }
}
