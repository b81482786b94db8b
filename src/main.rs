//! The `toolcast` command: reads the command line, calls a tool or the scaffold, prints what came of it.

mod cli;
mod diff;
mod failure;
mod handlers;
mod import;
mod operation;
mod report;
mod scaffold;

/// The types and traits of our own operations, generated from `schemas/`; `generated/` is the copy to read.
mod tools {
    toolcast::include_tools!();
}

use clap::{ColorChoice, CommandFactory, FromArgMatches};
use cli::{Cli, Command};
use failure::Failure;
use std::io::{self, Write};
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
        Ok(done) => {
            // Where the error stream fails too, nobody is left to tell.
            let _ = print(anstream::stderr(), &done.said);
            match print(anstream::stdout(), &done.printed) {
                Ok(()) => ExitCode::from(if done.found { FINDINGS } else { 0 }),
                Err(error) => failed(&Failure::new(format!("standard output: {error}"))),
            }
        }
        Err(failure) => failed(&failure),
    }
}

fn failed(failure: &Failure) -> ExitCode {
    let _ = print(anstream::stderr(), &report::failure(failure));
    ExitCode::from(COULD_NOT_RUN)
}

/// What a command gives.
#[derive(Default)]
struct Done {
    /// The result, for standard output.
    printed: String,
    /// What a person should know besides, for standard error.
    said: String,
    /// Whether there is something to report.
    found: bool,
}

fn run(command: &Command) -> Result<Done, Failure> {
    let mut done = Done::default();
    match command {
        Command::Generate(options) => {
            let result = operation::generate(options)?;
            done.found = report::found_by_generate(&result);
            done.printed = match options.json {
                true => report::json(&result)?,
                false => report::generated(&result, options),
            };
        }
        Command::Check(options) => {
            let result = operation::check(options)?;
            done.found = report::found_by_check(&result);
            done.printed = match options.json {
                true => report::json(&result)?,
                false => report::checked(&result),
            };
        }
        Command::Import(options) => {
            let result = import::import(options)?;
            done.found = result.is_incomplete();
            done.printed = match options.json {
                true => report::inert(&result.json().to_string()) + "\n",
                false => report::imported(&result, options),
            };
        }
        Command::Diff(options) => {
            if let Some(file) = &options.replay {
                let question = handlers::diff::question(&operation::diff_input(options));
                let replayed = diff::replay::replay(&question, file)?;
                done.found = replayed.holds();
                done.printed = replayed.text();
                return Ok(done);
            }
            let report = operation::diff(options)?;
            if let Some(folder) = &options.emit_witnesses {
                diff::witnesses::write(&report, folder)?;
            }
            done.found = report.fails;
            done.printed = diff::format::render(&report, options)?;
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
            done.printed = report::started(&name, options);
        }
        Command::New(options) => {
            let created = scaffold::new(options)?;
            done.said = report::created(&created);
            // Alone on standard output, so that it can be sent into a file.
            done.printed = created.handler;
        }
        Command::Completions { shell } => {
            let mut script = Vec::new();
            clap_complete::generate(*shell, &mut Cli::command(), "toolcast", &mut script);
            done.printed = String::from_utf8_lossy(&script).into_owned();
        }
    }
    Ok(done)
}

/// Prints a text; a reader that went away is no error, a disk that is full is one.
fn print(mut stream: impl Write, text: &str) -> io::Result<()> {
    match stream.write_all(text.as_bytes()).and_then(|()| stream.flush()) {
        Err(error) if error.kind() != io::ErrorKind::BrokenPipe => Err(error),
        _ => Ok(()),
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
