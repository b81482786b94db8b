//! The command line as clap sees it. Nothing here does any work.

use crate::diff::format::Format;
use camino::Utf8PathBuf;
use clap::{Args, ColorChoice, Parser, Subcommand, ValueEnum};
use clap_complete::Shell;

/// Casts JSON Schema tool contracts into Rust.
#[derive(Debug, Parser)]
#[command(name = "toolcast", version, arg_required_else_help = true)]
#[command(long_about = "Casts JSON Schema tool contracts into Rust.

A contract is one JSON Schema file a tool, checked in under `schemas/`. Toolcast turns each into a typed input, \
a constant with what a model is shown, and a handler trait; you write the `call` bodies, and each call is \
validated against the very schema that the model saw.")]
#[command(after_long_help = "Examples:
  toolcast init shop            start a project with one tool
  toolcast new boards/archive   add a contract to it
  toolcast import tools.json    turn an MCP server's tools into contracts
  toolcast check                find every fault of every contract
  toolcast generate             refresh the bindings in `generated/`
  toolcast generate --check     fail where the bindings are stale (for CI)
  toolcast diff                 what this branch changes, and what that breaks

Exit status: 0 nothing to report, 1 findings, 2 the command could not run.")]
pub struct Cli {
    /// Colour the output: always, never, or where it goes to a terminal.
    #[arg(long, global = true, value_name = "WHEN", default_value = "auto")]
    pub color: ColorChoice,
    /// What to do.
    #[command(subcommand)]
    pub command: Command,
}

/// What to do.
#[derive(Debug, Subcommand)]
pub enum Command {
    /// Write the Rust bindings of a folder of contracts.
    Generate(Generate),
    /// Report every fault of every contract.
    Check(Check),
    /// Turn other systems' tools into contracts.
    Import(Import),
    /// Compare contracts with an earlier version: what breaks, with proof.
    Diff(Diff),
    /// Start a project with one tool.
    Init(Init),
    /// Add a contract, and print the handler to paste.
    New(New),
    /// Print the completion script of a shell.
    #[command(after_long_help = "Example:
  toolcast completions bash > ~/.local/share/bash-completion/completions/toolcast")]
    Completions {
        /// The shell.
        shell: Shell,
    },
}

/// `toolcast generate`.
#[derive(Args, Debug)]
#[command(after_long_help = "Examples:
  toolcast generate
  toolcast generate --schemas api/schemas --out api/src/generated
  toolcast generate --check

A project whose build script calls `toolcast_codegen::Build` needs this command only in CI, with `--check`. \
A project without a build script commits what it writes.

Only files whose bytes differ are written; only files that carry Toolcast's header and were made from this folder of \
contracts are ever removed.")]
pub struct Generate {
    /// Folder of contracts.
    #[arg(long, value_name = "DIR", default_value = "schemas")]
    pub schemas: Utf8PathBuf,
    /// Folder to write the bindings to.
    #[arg(long, value_name = "DIR", default_value = "generated")]
    pub out: Utf8PathBuf,
    /// Write nothing; exit with 1 where the folder differs from what the contracts say.
    #[arg(long)]
    pub check: bool,
    /// Print the result as JSON.
    #[arg(long)]
    pub json: bool,
}

/// `toolcast check`.
#[derive(Args, Debug)]
#[command(after_long_help = "Examples:
  toolcast check
  toolcast check api/schemas --json

Each finding stands on a line of its own, `file:line:column: severity[rule]: message`, with a line of help. \
Warnings and notes are printed; only errors make the exit status 1.")]
pub struct Check {
    /// Folder of contracts.
    #[arg(value_name = "DIR", default_value = "schemas")]
    pub schemas: Utf8PathBuf,
    /// Print the result as JSON.
    #[arg(long)]
    pub json: bool,
}

/// `toolcast import`.
#[derive(Args, Debug)]
#[command(group(clap::ArgGroup::new("source").required(true).multiple(true)))]
#[command(after_long_help = "Examples:
  toolcast import tools.json
  toolcast import openai.json gemini.json --into api/schemas
  toolcast import --stdio 'npx -y @modelcontextprotocol/server-everything'
  toolcast import --http https://example.com/mcp --header 'Authorization: Bearer ...'

Reads an answer to MCP's `tools/list`, a list of MCP, OpenAI or Anthropic tools, or Gemini's function declarations, \
and writes one contract a tool. What is certainly meant is repaired, and each repair is reported; a tool that cannot \
be repaired is reported and left out. What has no place in a contract is kept under `x-tool.meta`. Importing the same \
tools again changes nothing.

Exit status: 0 all tools imported, repaired or not, 1 something was left out, 2 the command could not run.")]
pub struct Import {
    /// Files to read; `-` is standard input.
    #[arg(value_name = "FILE", group = "source")]
    pub files: Vec<Utf8PathBuf>,
    /// Folder to write the contracts to.
    #[arg(long, value_name = "DIR", default_value = "schemas")]
    pub into: Utf8PathBuf,
    /// Ask the MCP server that a command starts.
    #[arg(long, value_name = "COMMAND", group = "source", conflicts_with = "http")]
    pub stdio: Option<String>,
    /// Ask the MCP server at an address.
    #[arg(long, value_name = "URL", group = "source")]
    pub http: Option<String>,
    /// Send a header with every request to the address.
    #[arg(long, value_name = "NAME: VALUE", requires = "http")]
    pub header: Vec<String>,
    /// How many seconds a server may take for each answer; all of them may take ten times as long.
    #[arg(long, value_name = "SECONDS", default_value_t = 30, value_parser = clap::value_parser!(u64).range(1..=3600))]
    pub timeout: u64,
    /// Print the result as JSON.
    #[arg(long)]
    pub json: bool,
}

/// `toolcast diff`.
#[derive(Args, Debug)]
#[command(after_long_help = "Examples:
  toolcast diff                                    this branch against where it left the default branch
  toolcast diff --against v1.4.0 api/schemas
  toolcast diff --against origin/release --merge-base
  toolcast diff --against-path ../shop-1.4/schemas schemas
  toolcast diff --against old.json new.json --as input
  toolcast diff --format markdown > comment.md
  toolcast diff --explain                          what settled each verdict, and how to try each witness again

Each change of a schema is proved compatible, or shown breaking by a value that used to be accepted, or called \
unproven. `toolcast.toml` sets levels of rules and accepts breaks, each with a reason and a last day; a comparison \
with a commit goes by the file of that commit.

Exit status: 0 nothing that fails, 1 something as bad as --fail-on, 2 a version could not be read.")]
pub struct Diff {
    /// Folder of contracts, or one file.
    #[arg(value_name = "DIR", default_value = "schemas")]
    pub schemas: Utf8PathBuf,
    /// What to compare with: a git revision [default: the merge base with the default branch]. What begins with `./`, `../`
    /// or `/`, or ends in `/` or `.json`, is a folder or a file.
    #[arg(long, value_name = "REV")]
    pub against: Option<String>,
    /// Compare with a folder or a file, whatever its name.
    #[arg(long, value_name = "PATH", visible_alias = "against-dir", conflicts_with = "against")]
    pub against_path: Option<Utf8PathBuf>,
    /// Compare with the last commit that REV has in common with the current one.
    #[arg(long, requires = "against")]
    pub merge_base: bool,
    /// The folder's path in the revision, where it was moved since.
    #[arg(long, value_name = "DIR")]
    pub base_schemas: Option<Utf8PathBuf>,
    /// Take a version without contracts to compare with: these are the first.
    #[arg(long)]
    pub allow_empty_base: bool,
    /// Read both files as bare JSON Schemas.
    #[arg(long = "as", value_name = "PART")]
    pub bare: Option<Bare>,
    /// Whom a break must concern: callers who send declared members only, or all [default: declared].
    #[arg(long, value_name = "VIEW", alias = "lens")]
    pub view: Option<View>,
    /// The mildest level that fails [default: breaking].
    #[arg(long, value_name = "LEVEL")]
    pub fail_on: Option<FailOn>,
    /// Form of the report.
    #[arg(long, value_name = "FORM", default_value = "text", conflicts_with = "json")]
    format: Format,
    /// Print the result as JSON.
    #[arg(long)]
    json: bool,
    /// Say what settled each verdict, how to try each witness again, and how to accept each break.
    #[arg(long)]
    pub explain: bool,
    /// Write each witness to a file of its own in this folder, as a test case to keep.
    #[arg(long, value_name = "DIR")]
    pub emit_witnesses: Option<Utf8PathBuf>,
    /// Instead of searching, try the witnesses of a file, or of the files of a folder; `-` is standard input.
    #[arg(long, value_name = "FILE|DIR", conflicts_with_all = ["emit_witnesses", "format", "json", "explain"])]
    pub replay: Option<Utf8PathBuf>,
    /// File of levels and accepted breaks [default: the nearest toolcast.toml from DIR upward].
    #[arg(long, value_name = "FILE")]
    pub config: Option<Utf8PathBuf>,
    /// Which toolcast.toml counts: that of the commit that is compared with, or that of the working tree.
    #[arg(long, value_name = "VERSION", default_value = "base", conflicts_with = "config")]
    pub config_from: ConfigFrom,
}

/// Which version's configuration counts.
#[derive(Clone, Copy, Debug, ValueEnum)]
pub enum ConfigFrom {
    /// That of the commit that is compared with.
    Base,
    /// That of the working tree; a change of it is reported.
    WorkingTree,
}

/// What a bare schema describes.
#[derive(Clone, Copy, Debug, ValueEnum)]
pub enum Bare {
    /// Arguments: the new schema must accept what the old one accepts.
    Input,
    /// A result: the old schema must accept what the new one accepts.
    Output,
}

/// Whom a break must concern.
#[derive(Clone, Copy, Debug, ValueEnum)]
pub enum View {
    /// Callers who send declared members only.
    Declared,
    /// All callers.
    Strict,
}

/// The mildest level that fails.
#[derive(Clone, Copy, Debug, ValueEnum)]
pub enum FailOn {
    /// Something that worked no longer does.
    Breaking,
    /// Whether something breaks was not settled.
    Unproven,
    /// Something is worth a decision.
    #[value(alias = "warning")]
    Warn,
    /// Anything changed.
    Info,
}

impl Diff {
    /// The form that was asked for.
    pub fn format(&self) -> Format {
        if self.json { Format::Json } else { self.format }
    }
}

impl FailOn {
    /// The word as the contract spells it.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Breaking => "breaking",
            Self::Unproven => "unproven",
            Self::Warn => "warning",
            Self::Info => "info",
        }
    }
}

impl ConfigFrom {
    /// The word as the contract spells it.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Base => "base",
            Self::WorkingTree => "working-tree",
        }
    }
}

impl Bare {
    /// The word as the contract spells it.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Input => "input",
            Self::Output => "output",
        }
    }
}

impl View {
    /// The word as the contract spells it.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Declared => "declared",
            Self::Strict => "strict",
        }
    }
}

/// `toolcast init`.
#[derive(Args, Debug)]
#[command(after_long_help = "Examples:
  toolcast init shop
  toolcast init shop --toolcast-path ../toolcast

The project builds and runs at once:
  cd shop && cargo run -- call greet '{\"name\":\"Ada\"}'

Files that exist are never overwritten.")]
pub struct Init {
    /// Folder of the new project; its name becomes the package's.
    pub dir: Utf8PathBuf,
    /// Depend on a checkout of Toolcast instead of a published version.
    #[arg(long, value_name = "DIR")]
    pub toolcast_path: Option<Utf8PathBuf>,
    /// Name of the package.
    #[arg(long)]
    pub name: Option<String>,
}

/// `toolcast new`.
#[derive(Args, Debug)]
#[command(after_long_help = "Examples:
  toolcast new archive_board
  toolcast new boards/archive_board --description 'Archive a board that nobody needs.'

The contract goes to schemas/NAME.json. The next build names the handler that is missing; what this command prints \
is a first version of it.")]
pub struct New {
    /// Name of the tool: 1 to 64 of A-Z, a-z, 0-9, `_` and `-`; folders before it are its toolset.
    pub name: String,
    /// What the tool does and when to use it: what a model reads.
    #[arg(long, value_name = "TEXT")]
    pub description: Option<String>,
    /// Folder of contracts.
    #[arg(long, value_name = "DIR", default_value = "schemas")]
    pub schemas: Utf8PathBuf,
}
