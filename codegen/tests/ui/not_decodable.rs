//! A closure whose input is no type that decodes.

use toolcast::{Definition, Tool};

struct Own;

fn main() {
    let definition = Definition::new("ping", "Answers.");
    let _ = Tool::define_with(definition, |_: Own, _| Box::pin(async { Ok("pong") }));
}
