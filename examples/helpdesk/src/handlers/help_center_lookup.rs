use crate::HelpDesk;
use crate::tools::help_center_lookup::{Handler, Input};
use toolcast::{Context, Error, Reply};

const ARTICLES: &str =
    "SELECT title || ': ' || url FROM articles WHERE topic = ?1 ORDER BY reads DESC LIMIT ?2";

impl Handler for HelpDesk {
    async fn call(&self, input: Input, ctx: &Context) -> Result<Reply, Error> {
        let articles: Vec<String> = self
            .database
            .run(ctx, move |connection| {
                // `limit` is there even if the model left it out: its schema has a default.
                let key = (input.topic.to_string(), input.limit);
                connection.prepare_cached(ARTICLES)?.query_map(key, |row| row.get(0))?.collect()
            })
            .await?;
        Ok(articles.join("\n").into())
    }
}
