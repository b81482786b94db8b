use super::Tools;
use crate::tools::greet::{Handler, Input, Language, Output};
use toolcast::{Context, Error};

impl Handler for Tools {
    async fn call(&self, input: Input, _ctx: &Context) -> Result<Output, Error> {
        let hello = match input.language {
            Language::English => "Hello",
            Language::French => "Bonjour",
        };
        Ok(Output { greeting: format!("{hello}, {}!", input.name) })
    }
}
