use super::{Operations, load_folder};
use crate::tools::check::{Handler, Input, Output};
use toolcast::{Context, Error};

impl Handler for Operations {
    async fn call(&self, input: Input, ctx: &Context) -> Result<Output, Error> {
        let (catalog, diagnostics) = ctx
            .blocking(move || {
                load_folder(&input.schemas).map(|(catalog, mut found)| {
                    // What only a validator finds comes with what loading found, file by file.
                    found.extend(toolcast_review::check::check(&catalog));
                    found.sort_by(|a, b| (&a.file, a.position).cmp(&(&b.file, b.position)));
                    (catalog, found)
                })
            })
            .await?;
        Ok(Output {
            tools: catalog.contracts.len() as u64,
            findings: diagnostics.into_iter().map(Into::into).collect(),
        })
    }
}
