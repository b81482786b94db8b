//! The command line of a program's tools: `list`, `spec`, `call`. Standard output carries the answer and nothing else.
//!
//! ```no_run
//! # use toolcast::Toolset;
//! # fn tools() -> Toolset { Toolset::new() }
//! fn main() -> std::process::ExitCode {
//!     toolcast_serve::main(tools())
//! }
//! ```
//!
//! ```text
//! helpdesk list
//! helpdesk spec ticket_status
//! helpdesk call ticket_status '{"ticket_id":"SUP-481"}'
//! helpdesk call order_status @arguments.json --actor user-1 --context account_id=acme
//! ```
//!
//! | exit code | meaning |
//! |---|---|
//! | 0 | the answer is on standard output |
//! | 1 | the tool answered with an error, or the arguments do not fit its contract: its text is on standard error, with `--json` on standard output |
//! | 2 | the call could not run: no such tool, no such file, no JSON, cancelled |

mod arguments;
mod print;

use arguments::{Command, Line};
use clap::Parser as _;
use serde_json::{Value, json};
use std::ffi::OsString;
use std::process::ExitCode;
use toolcast::{Binding, Code, Invocation, Outcome, Registry, RunOptions, Toolset};

/// Runs the program's command line over its tools: one call in `main`.
pub fn main(toolset: Toolset) -> ExitCode {
    Cli::new(toolset).main()
}

/// A command line over tools, where it needs more than [`main`] gives.
pub struct Cli {
    toolset: Toolset,
    binding: Binding,
    options: RunOptions,
}

impl Cli {
    /// A command line over some tools.
    pub fn new(toolset: Toolset) -> Self {
        Self { toolset, binding: Binding::new(), options: RunOptions::default() }
    }

    /// Sets the collaborators of the run.
    pub fn binding(mut self, binding: Binding) -> Self {
        self.binding = binding;
        self
    }

    /// Sets limits, a deadline, a store of artifacts and the like.
    pub fn options(mut self, options: RunOptions) -> Self {
        self.options = options;
        self
    }

    /// Runs the process's own command line in a tokio runtime of its own, and prints.
    pub fn main(self) -> ExitCode {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_time().build();
        match runtime {
            Ok(runtime) => runtime.block_on(self.run()),
            Err(fault) => Answer::impossible(format!("no runtime: {fault}")).print(),
        }
    }

    /// As [`Cli::main`], in the current tokio runtime.
    pub async fn run(self) -> ExitCode {
        self.answer(std::env::args_os()).await.print()
    }

    /// What some command line, program name first, gives. Prints nothing, but may read standard input.
    pub async fn answer(self, line: impl IntoIterator<Item = OsString>) -> Answer {
        let line = match Line::try_parse_from(line) {
            Ok(line) => line,
            Err(shown) if shown.use_stderr() => {
                let stderr = shown.render().to_string();
                return Answer { stdout: String::new(), stderr, code: 2 };
            }
            Err(shown) => return Answer::success(shown.render().to_string()),
        };
        let registry = match self.toolset.bind_with(self.binding, self.options).await {
            Ok(registry) => registry,
            Err(fault) => return Answer::impossible(fault.to_string()),
        };
        let mut answer = command(&registry, line.command).await;
        if let Err(failed) = registry.close().await {
            answer.stderr.push_str(&format!("error: {failed}\n"));
            answer.code = answer.code.max(2);
        }
        answer
    }
}

/// What a command line gives: two texts and an exit code.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Answer {
    /// For standard output.
    pub stdout: String,
    /// For standard error.
    pub stderr: String,
    /// The exit code: 0, 1 or 2.
    pub code: u8,
}

impl Answer {
    fn success(stdout: String) -> Self {
        Self { stdout, stderr: String::new(), code: 0 }
    }

    fn impossible(message: impl std::fmt::Display) -> Self {
        Self { stdout: String::new(), stderr: format!("error: {message}\n"), code: 2 }
    }
}

async fn command(registry: &Registry, command: Command) -> Answer {
    let specifications = match registry.specifications() {
        Ok(specifications) => specifications,
        Err(fault) => return Answer::impossible(fault),
    };
    match command {
        Command::List { json: true } => {
            let tools: Vec<Value> = specifications.iter().map(|tool| tool.to_mcp()).collect();
            Answer::success(format!("{}\n", json!({ "tools": tools })))
        }
        Command::List { json: false } => Answer::success(print::table(&specifications)),
        Command::Spec { name, json } => {
            match specifications.iter().find(|tool| tool.name == name) {
                Some(tool) if json => Answer::success(format!("{}\n", tool.to_mcp())),
                Some(tool) => Answer::success(format!("{:#}\n", tool.to_mcp())),
                // The registry names the nearest of its tools.
                None => match registry.execute(&name, json!({}), Invocation::new()).await {
                    Ok(outcome) => Answer::impossible(outcome.text()),
                    Err(interrupted) => Answer::impossible(interrupted),
                },
            }
        }
        Command::Call(line) => {
            let arguments = match arguments::read(line.arguments.as_deref()) {
                Ok(arguments) => arguments,
                Err(fault) => return Answer::impossible(fault),
            };
            let mut invocation = Invocation::new().interface("cli");
            if let Some(actor) = line.actor {
                invocation = invocation.actor(actor);
            }
            for (key, value) in line.context {
                invocation = invocation.context(key, value);
            }
            match registry.execute(&line.name, arguments, invocation).await {
                Ok(outcome) => called(&outcome, line.json),
                Err(interrupted) => Answer::impossible(interrupted),
            }
        }
    }
}

fn called(outcome: &Outcome, json: bool) -> Answer {
    if outcome.code() == Some(Code::UnknownTool) {
        return Answer::impossible(outcome.text());
    }
    let code = u8::from(outcome.is_error());
    if json {
        let stdout = format!("{}\n", print::outcome(outcome));
        return Answer { stdout, stderr: String::new(), code };
    }
    if outcome.is_error() {
        return Answer { stdout: String::new(), stderr: format!("{}\n", outcome.text()), code };
    }
    Answer::success(print::result(outcome))
}
