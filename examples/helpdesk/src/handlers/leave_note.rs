use crate::HelpDesk;
use crate::tools::leave_note::{Handler, Input, Output};
use toolcast::{Context, Error};

impl Handler for HelpDesk {
    async fn call(&self, input: Input, _ctx: &Context) -> Result<Output, Error> {
        let mut notes = self.notes();
        notes.push(input.note);
        Ok(Output { notes: notes.len() as u64 })
    }
}
