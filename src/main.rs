//! The `toolcast` command: reads the command line, calls a tool or the scaffold, prints what came of it.

mod cli;
mod failure;
mod handlers;
mod operation;
mod report;
mod scaffold;

/// The types and traits of our own operations, generated from `schemas/`; `generated/` is the copy to read.
mod tools {
    toolcast::include_tools!();
}

use anstream::{eprintln, print, println};
use clap::{ColorChoice, CommandFactory, FromArgMatches};
use cli::{Cli, Command};
use failure::Failure;
use std::process::ExitCode;

/// The operations found something to report.
const FINDINGS: u8 = 1;
/// The command could not do its work; clap uses the same for a command line that it does not understand.
const COULD_NOT_RUN: u8 = 2;

fn main() -> ExitCode {
    // Help and usage errors are printed while the line is parsed, so that the choice of colours must be known before.
    let color = color_of(std::env::args_os().skip(1));
    color.write_global();
    let command = Cli::command().color(match color {
        anstream::ColorChoice::Always | anstream::ColorChoice::AlwaysAnsi => ColorChoice::Always,
        anstream::ColorChoice::Never => ColorChoice::Never,
        anstream::ColorChoice::Auto => ColorChoice::Auto,
    });
    let matches = command.get_matches();
    let cli = Cli::from_arg_matches(&matches).unwrap_or_else(|error| error.exit());
    match run(&cli.command) {
        Ok(found) => ExitCode::from(if found { FINDINGS } else { 0 }),
        Err(failure) => {
            eprintln!("{}", report::failure(&failure));
            ExitCode::from(COULD_NOT_RUN)
        }
    }
}

/// Runs a command; true where there is something to report.
fn run(command: &Command) -> Result<bool, Failure> {
    match command {
        Command::Generate(options) => {
            let result = operation::generate(options)?;
            match options.json {
                true => println!("{}", report::json(&result)?),
                false => print!("{}", report::generated(&result, options)),
            }
            Ok(report::found_by_generate(&result))
        }
        Command::Check(options) => {
            let result = operation::check(options)?;
            match options.json {
                true => println!("{}", report::json(&result)?),
                false => print!("{}", report::checked(&result)),
            }
            Ok(report::found_by_check(&result))
        }
        Command::Init(options) => {
            let name = scaffold::init(options)?;
            // So that what is committed first is whole; the first build would write the same.
            operation::generate(&cli::Generate {
                schemas: options.dir.join("schemas"),
                out: options.dir.join("generated"),
                check: false,
                json: false,
            })?;
            println!("{}: the project `{name}`. Try it:", options.dir);
            println!("  cd {} && cargo run -- call greet '{{\"name\":\"Ada\"}}'", options.dir);
            Ok(false)
        }
        Command::New(options) => {
            let created = scaffold::new(options)?;
            eprintln!(
                "{}: a contract with one argument. Edit it, then give it a handler, for example:\n",
                created.contract
            );
            print!("{}", created.handler);
            Ok(false)
        }
        Command::Completions { shell } => {
            clap_complete::generate(
                *shell,
                &mut Cli::command(),
                "toolcast",
                &mut std::io::stdout(),
            );
            Ok(false)
        }
    }
}

/// The value of `--color`, by the same rule as clap's but without its errors.
fn color_of(arguments: impl Iterator<Item = std::ffi::OsString>) -> anstream::ColorChoice {
    let mut choice = anstream::ColorChoice::Auto;
    let mut wanted = false;
    for argument in arguments {
        let argument = argument.to_string_lossy();
        let value = if wanted { Some(&*argument) } else { argument.strip_prefix("--color=") };
        match value {
            Some("always") => choice = anstream::ColorChoice::Always,
            Some("never") => choice = anstream::ColorChoice::Never,
            _ => {}
        }
        wanted = argument == "--color";
    }
    choice
}
