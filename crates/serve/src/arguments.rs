//! The command line's own grammar, and how a call's arguments are read.

use clap::{Args, Parser, Subcommand};
use serde_json::Value;
use std::fmt;
use std::io::Read;

/// Arguments that are read at most, in bytes: beyond the run's own limits, so that those give the better message.
const MOST: u64 = 64 << 20;

/// Lists, shows and calls this program's tools.
#[derive(Parser)]
#[command(disable_help_subcommand = true)]
pub(super) struct Line {
    #[command(subcommand)]
    pub command: Command,
}

#[derive(Subcommand)]
pub(super) enum Command {
    /// List the tools
    List {
        /// As `{"tools":[...]}` in MCP's form
        #[arg(long)]
        json: bool,
    },
    /// Show a tool's contract, as a model sees it
    Spec {
        /// The tool's name
        name: String,
        /// On one line
        #[arg(long)]
        json: bool,
    },
    /// Call a tool; the answer is one line of JSON or the tool's text
    Call(CallLine),
}

#[derive(Args)]
pub(super) struct CallLine {
    /// The tool's name
    pub name: String,
    /// The arguments as JSON, `@FILE` to read them from a file, `-` from standard input; none is `{}`
    pub arguments: Option<String>,
    /// Who asks, as the application would state it after authentication
    #[arg(long, value_name = "ID")]
    pub actor: Option<String>,
    /// A value of the application's context: `KEY=TEXT`, or `KEY:=JSON` for other values; may be repeated
    #[arg(long, value_name = "KEY=VALUE", value_parser = context)]
    pub context: Vec<(String, Value)>,
    /// Print the whole outcome, errors too, as JSON on standard output
    #[arg(long)]
    pub json: bool,
}

fn context(text: &str) -> Result<(String, Value), String> {
    let (key, value) = text.split_once('=').ok_or("expected KEY=TEXT or KEY:=JSON")?;
    let (key, value) = match key.strip_suffix(':') {
        Some(key) => {
            let value =
                serde_json::from_str(value).map_err(|fault| format!("not JSON: {fault}"))?;
            (key, value)
        }
        None => (key, Value::from(value)),
    };
    if key.is_empty() {
        return Err("the key is empty".to_owned());
    }
    Ok((key.to_owned(), value))
}

/// Why there are no arguments.
pub(super) struct Unread(String);

impl fmt::Display for Unread {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// The arguments of a call, from the text of the command line.
pub(super) fn read(text: Option<&str>) -> Result<Value, Unread> {
    let (source, json) = match text {
        None => return Ok(Value::Object(serde_json::Map::new())),
        Some("-") => ("standard input".to_owned(), all(std::io::stdin().lock())),
        Some(text) => match text.strip_prefix('@') {
            Some(path) => (format!("`{path}`"), std::fs::File::open(path).and_then(all)),
            None => ("the command line's arguments".to_owned(), Ok(text.to_owned())),
        },
    };
    let json = json.map_err(|fault| Unread(format!("cannot read {source}: {fault}")))?;
    serde_json::from_str(&json).map_err(|fault| Unread(format!("no JSON in {source}: {fault}")))
}

fn all(source: impl Read) -> std::io::Result<String> {
    let mut text = String::new();
    if source.take(MOST + 1).read_to_string(&mut text)? as u64 > MOST {
        return Err(std::io::Error::other(format!("more than {MOST} bytes")));
    }
    Ok(text)
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn context_values_are_text_unless_marked_as_json() {
        assert_eq!(context("account_id=7"), Ok(("account_id".to_owned(), json!("7"))));
        assert_eq!(context("limits:={\"a\":1}"), Ok(("limits".to_owned(), json!({"a": 1}))));
        assert_eq!(context("note=a=b"), Ok(("note".to_owned(), json!("a=b"))));
        assert!(context("x:=nope").is_err() && context("x").is_err() && context("=x").is_err());
    }
}
