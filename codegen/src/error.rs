//! Why generation failed, in words for the person who runs it.

use camino::Utf8PathBuf;
use std::fmt;
use toolcast_contract::{Diagnostic, one_line};

/// The schema of a contract that something is said of.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Side {
    /// The schema of the arguments.
    Input,
    /// The schema of the result.
    Output,
    /// The definitions that contracts share.
    Definitions,
}

impl fmt::Display for Side {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Input => "input",
            Self::Output => "output",
            Self::Definitions => "definitions",
        })
    }
}

/// Why nothing was generated.
#[derive(Debug)]
#[non_exhaustive]
pub enum Error {
    /// The contracts have faults.
    Faults(Vec<Diagnostic>),
    /// Options that ask for what there is not: each with its remedy.
    Options(Vec<String>),
    /// A contract is larger than what is read from anyone.
    Limit {
        /// The contract's file.
        contract: String,
        /// The schema.
        side: Side,
        /// JSON pointer to where the bound was met.
        pointer: String,
        /// The bound.
        bound: String,
    },
    /// A file could not be read or written.
    Io {
        /// The file.
        path: Utf8PathBuf,
        /// Why.
        source: std::io::Error,
    },
    /// Something that is not ours stands where a file of ours would: each place, and what it is. Nothing was written.
    InTheWay(Vec<(Utf8PathBuf, &'static str)>),
    /// The build script runs outside of cargo, or where cargo's variables are no UTF-8.
    Environment(String),
    /// The generator wrote what is no Rust. Please report the contract.
    Unspeakable {
        /// The contract's file.
        contract: String,
        /// What `syn` says.
        message: String,
    },
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Options(faults) => f.write_str(&faults.join("\n")),
            Self::Faults(faults) => {
                for (at, fault) in faults.iter().enumerate() {
                    let gap = if at == 0 { "" } else { "\n" };
                    write!(f, "{gap}{fault}")?;
                }
                Ok(())
            }
            Self::Limit { contract, side: Side::Definitions, pointer, bound } => write!(
                f,
                "{}: its definitions need more than {bound} (met at `{pointer}`)",
                one_line(contract)
            ),
            Self::Limit { contract, side, pointer, bound } => write!(
                f,
                "{}: the {side} schema needs more than {bound} (met at `{}`)",
                one_line(contract),
                if pointer.is_empty() { "/" } else { pointer }
            ),
            Self::Io { path, source } => write!(f, "{}: {source}", one_line(path.as_str())),
            Self::InTheWay(places) => {
                for (path, what) in places {
                    let path = one_line(path.as_str());
                    writeln!(
                        f,
                        "{path}: {what} stands in the way and was not written by toolcast"
                    )?;
                }
                f.write_str("  help: move it away, or generate into a folder of its own")
            }
            Self::Environment(message) => f.write_str(message),
            Self::Unspeakable { contract, message } => {
                write!(
                    f,
                    "{contract}: the generated code does not parse ({message}); please report this contract"
                )
            }
        }
    }
}

impl std::error::Error for Error {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            Self::Io { source, .. } => Some(source),
            _ => None,
        }
    }
}
