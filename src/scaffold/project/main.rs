//! The tools of {{name}} on the command line: try `cargo run -- list`, then
//! `cargo run -- call greet '{"name":"Ada"}'`.

mod handlers;

/// The tools' types and traits, generated from `schemas/`; `generated/` is the copy to read.
mod tools {
    toolcast::include_tools!();
}

fn main() -> std::process::ExitCode {
    toolcast_serve::main(tools::toolset(handlers::Tools))
}
