//! Tries witnesses again: what either version says of a value, by the validator that runs at run time, without a search.

use super::version::{Version, versions};
use super::{Question, witnesses};
use crate::failure::Failure;
use camino::{Utf8Path, Utf8PathBuf};
use serde::Deserialize;
use serde_json::Value;
use std::io::Read;
use toolcast_codegen::contract::{Limits, one_line, reader};
use toolcast_review::changes;

/// A witness as `--emit-witnesses` writes it.
#[derive(Deserialize)]
struct Witness {
    tool: String,
    #[serde(default)]
    part: Option<String>,
    value: Value,
}

/// What came of each witness.
pub struct Replayed(Vec<Tried>);

struct Tried {
    name: String,
    value: String,
    /// What the side says that accepted, and the side that refused.
    said: [Result<Vec<String>, String>; 2],
    sides: [String; 2],
}

/// Tries the witnesses of a file, or of the files of a folder.
pub fn replay(question: &Question, file: &Utf8Path) -> Result<Replayed, Failure> {
    let versions = versions(question)?;
    let mut tried = Vec::new();
    for (path, text) in texts(file)? {
        let shown = one_line(path.as_str()).into_owned();
        let witness: Witness = serde_json::from_str(&text).map_err(|error| {
            Failure::new(format!("{shown}: no witness: {error}")).help(
                "a witness is a JSON object with `tool`, `part` (input or output) and `value`",
            )
        })?;
        let output = match witness.part.as_deref() {
            None | Some("input") => false,
            Some("output") => true,
            Some(_) => {
                return Err(Failure::new(format!("{shown}: `part` is `input` or `output`")));
            }
        };
        let ask = |version: &Version| -> Result<Vec<String>, String> {
            let schema = match version {
                Version::Bare { value, .. } => Some(value),
                Version::Contracts(contracts) => {
                    let contract = contracts.catalog.contracts.iter().find(|contract| {
                        contract.name == witness.tool
                            || contract.renamed_from.as_deref() == Some(&*witness.tool)
                    });
                    contract.and_then(|contract| match output {
                        true => contract.output.as_ref(),
                        false => Some(&contract.input),
                    })
                }
            };
            let schema = schema.ok_or("there is no such tool or schema")?;
            let faults = changes::faults(schema, &witness.value)?;
            let told = |fault: &toolcast_review::diff::Fault| match fault.at.as_str() {
                "" => fault.message.clone(),
                at => format!("{at}: {}", fault.message),
            };
            Ok(faults.iter().map(told).collect())
        };
        // A result comes from the new version, and the old one's readers must take it.
        let (accepts, refuses) = match output {
            true => (&versions.new, &versions.old),
            false => (&versions.old, &versions.new),
        };
        tried.push(Tried {
            name: format!("{} ({})", witness.tool, if output { "output" } else { "input" }),
            value: witness.value.to_string(),
            said: [ask(accepts), ask(refuses)],
            sides: [accepts, refuses].map(|version| version.name().to_owned()),
        });
    }
    match tried.is_empty() {
        true => Err(Failure::new(format!("{}: no witness", one_line(file.as_str())))
            .help("`--emit-witnesses DIR` writes them")),
        false => Ok(Replayed(tried)),
    }
}

fn texts(file: &Utf8Path) -> Result<Vec<(Utf8PathBuf, String)>, Failure> {
    let most = Limits::default().file_bytes;
    if file == "-" {
        let mut text = String::new();
        std::io::stdin()
            .take(most as u64)
            .read_to_string(&mut text)
            .map_err(|error| Failure::io(Utf8Path::new("standard input"), &error))?;
        return Ok(vec![("standard input".into(), text)]);
    }
    let files = match file.is_dir() {
        true => witnesses::files(file)?,
        false => vec![file.to_owned()],
    };
    let read = |path: Utf8PathBuf| {
        let content =
            reader::read_named(&path, most).map_err(|why| Failure::unread(&path, &why))?;
        let text = String::from_utf8(content.bytes)
            .map_err(|_| Failure::new(format!("{}: this is not UTF-8", one_line(path.as_str()))))?;
        Ok((path, text))
    };
    files.into_iter().map(read).collect()
}

impl Tried {
    fn holds(&self) -> bool {
        let [accepted, refused] = &self.said;
        accepted.as_ref().is_ok_and(Vec::is_empty)
            && refused.as_ref().is_ok_and(|faults| !faults.is_empty())
    }
}

impl Replayed {
    /// Whether some value is accepted by the one version and refused by the other.
    pub fn holds(&self) -> bool {
        self.0.iter().any(Tried::holds)
    }

    /// What a person reads.
    pub fn text(&self) -> String {
        let mut text = String::new();
        for tried in &self.0 {
            text += &format!("{}: {}\n", one_line(&tried.name), one_line(&tried.value));
            for (side, said) in tried.sides.iter().zip(&tried.said) {
                let side = one_line(side);
                text += &match said {
                    Ok(faults) if faults.is_empty() => format!("  {side}: accepted\n"),
                    Ok(faults) => format!("  {side}: refused: {}\n", one_line(&faults.join("; "))),
                    Err(why) => format!("  {side}: not asked: {}\n", one_line(why)),
                };
            }
        }
        let holding = self.0.iter().filter(|tried| tried.holds()).count();
        text + &format!("{holding} of {} still break\n", self.0.len())
    }
}
