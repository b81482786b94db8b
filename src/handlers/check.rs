use super::{Operations, bound, load_folder};
use crate::tools::check::{Handler, Input, Output};
use toolcast::{Context, Error};
use toolcast_codegen::notes;

impl Handler for Operations {
    async fn call(&self, input: Input, ctx: &Context) -> Result<Output, Error> {
        ctx.blocking(move || check(&input)).await
    }
}

fn check(input: &Input) -> Result<Output, Error> {
    let (catalog, mut found) = load_folder(&input.schemas)?;
    // What only a validator finds, and what no type says, come with what loading found, file by file.
    found.extend(toolcast_review::check::check(&catalog));
    match notes(&catalog) {
        Ok(notes) => found.extend(notes),
        Err(error) => found.push(bound(error, &catalog)?),
    }
    found.sort_by(|a, b| (&a.file, a.position).cmp(&(&b.file, b.position)));
    Ok(Output {
        tools: catalog.contracts.len() as u64,
        findings: found.into_iter().map(Into::into).collect(),
    })
}
