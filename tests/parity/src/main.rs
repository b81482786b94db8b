//! Sends a corpus of real calls through generated bindings: `parity DIR`.
//!
//! Exit 0: nothing missed. Exit 1: misses, all listed. Exit 2: it could not run.

use clap::Parser;
use parity::scratch::{self, Settings};
use parity::{bindings, corpus, random, report, run, suite};
use std::path::PathBuf;
use std::process::ExitCode;
use std::{env, io};

/// Imports every tool of a corpus, generates and compiles its bindings, sends every call through them and compares
/// what the handler got with what was sent.
#[derive(Parser)]
#[command(version)]
struct Arguments {
    /// A folder with `servers/*.json` and `calls/*.jsonl`; with --suite the official JSON Schema test suite.
    #[arg(required_unless_present = "random")]
    folder: Option<PathBuf>,
    /// Run the official JSON Schema test suite instead of a corpus.
    #[arg(long)]
    suite: bool,
    /// Make contracts and calls up instead, as many as this; --seed for other ones.
    #[arg(long, value_name = "COUNT", conflicts_with = "suite")]
    random: Option<u64>,
    /// From what contracts and calls are made up.
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Only servers (or files of the suite) whose name contains this.
    #[arg(long, value_name = "TEXT")]
    only: Option<String>,
    /// Compile the bindings with optimisation.
    #[arg(long)]
    optimise: bool,
    /// The edition of the crates that hold the bindings.
    #[arg(long, default_value = "2024", value_parser = ["2021", "2024"])]
    edition: String,
    /// Let another crate of the graph turn on `serde_json/arbitrary_precision`.
    #[arg(long)]
    arbitrary_precision: bool,
    /// Lint and document the bindings too: clippy with pedantic, rustdoc, warnings being errors.
    #[arg(long)]
    quality: bool,
    /// How many compilers may run at once.
    #[arg(long, default_value_t = 2)]
    jobs: usize,
    /// Where the scratch workspace stands.
    #[arg(long, value_name = "DIR")]
    scratch: Option<PathBuf>,
}

fn main() -> ExitCode {
    if env::var_os(scratch::CLOCK).is_some()
        || env::args().nth(1).is_some_and(|name| name.ends_with("rustc"))
    {
        let arguments: Vec<String> = env::args().skip(1).collect();
        return match scratch::run_clocked(&arguments) {
            Ok(code) => ExitCode::from(u8::try_from(code).unwrap_or(1)),
            Err(error) => fail(&error),
        };
    }
    match check(&Arguments::parse()) {
        Ok(0) => ExitCode::SUCCESS,
        Ok(_) => ExitCode::FAILURE,
        Err(error) => fail(&error),
    }
}

fn fail(error: &io::Error) -> ExitCode {
    eprintln!("parity could not run: {error}");
    ExitCode::from(2)
}

fn check(arguments: &Arguments) -> io::Result<usize> {
    let mut batches = match (&arguments.folder, arguments.random) {
        (_, Some(count)) => vec![random::batch(arguments.seed, count)],
        (Some(folder), None) if arguments.suite => suite::read(folder)?,
        (Some(folder), None) => corpus::read(folder)?.iter().map(bindings::import).collect(),
        // clap asks for one of the two.
        (None, None) => Vec::new(),
    };
    if let Some(only) = &arguments.only {
        batches.retain(|batch| batch.name.contains(only.as_str()));
    }
    let settings = Settings {
        folder: arguments.scratch.clone().unwrap_or_else(|| scratch::scratch_folder("run")),
        edition: if arguments.edition == "2021" { "2021" } else { "2024" },
        arbitrary_precision: arguments.arbitrary_precision,
        release: arguments.optimise,
        jobs: arguments.jobs,
        clock: Some(env::current_exe()?),
        quality: arguments.quality,
    };
    let rows = run::run(&batches, &settings)?;
    print!("{}", report::render(&rows));
    Ok(rows.iter().map(|row| row.misses.len()).sum())
}
