//! Real calls through another generator's types and through ours: one scratch crate that holds both, reads each call
//! with both and writes down what each keeps.

use crate::scratch;
use serde_json::{Map, Value};
use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use toolcast_contract::{Annotations, Catalog, Contract};

/// One schema, what the other generator wrote for it (a type `Input`), and calls that it accepts.
#[derive(Clone, Debug)]
pub struct Pair {
    /// What a report calls it.
    pub name: String,
    /// The schema of the arguments.
    pub schema: Value,
    /// The other generator's code.
    pub theirs: String,
    /// Arguments.
    pub calls: Vec<Value>,
}

/// What both kept of one call, or why one did not read it.
#[derive(Clone, Debug)]
pub struct Answer {
    /// The pair's name.
    pub name: String,
    /// The arguments.
    pub sent: Value,
    /// What our type wrote again.
    pub ours: Result<Value, String>,
    /// What the other's did.
    pub theirs: Result<Value, String>,
}

/// Whether both kept the same. typify drops an optional list that is empty, which is its known loss.
pub fn same(ours: &Value, theirs: &Value) -> bool {
    match (ours, theirs) {
        (Value::Object(ours), Value::Object(theirs)) => {
            theirs.keys().all(|name| ours.contains_key(name))
                && ours.iter().all(|(name, value)| match theirs.get(name) {
                    Some(other) => same(value, other),
                    None => value.as_array().is_some_and(Vec::is_empty),
                })
        }
        (Value::Array(ours), Value::Array(theirs)) => {
            ours.len() == theirs.len() && ours.iter().zip(theirs).all(|(a, b)| same(a, b))
        }
        (ours, theirs) => ours == theirs,
    }
}

/// Compiles both sides in this folder and sends every call through both.
///
/// # Errors
///
/// Where one side does not compile, with what rustc said, or the program ends early.
pub fn answers(folder: &Path, pairs: &[Pair]) -> io::Result<Vec<Answer>> {
    write_crate(folder, pairs)?;
    let program = compile(folder)?;
    let calls: Vec<(usize, &Value)> = pairs
        .iter()
        .enumerate()
        .flat_map(|(index, pair)| pair.calls.iter().map(move |call| (index, call)))
        .collect();
    let input: String = calls.iter().map(|(index, call)| format!("{index}\t{call}\n")).collect();
    let mut child = Command::new(program).stdin(Stdio::piped()).stdout(Stdio::piped()).spawn()?;
    let mut pipe = child.stdin.take().ok_or_else(|| io::Error::other("no pipe to the program"))?;
    // Written from a thread of its own: the program answers while it is still being asked.
    let asking = std::thread::spawn(move || pipe.write_all(input.as_bytes()));
    let output = child.wait_with_output()?;
    asking.join().map_err(|_| io::Error::other("the asking thread panicked"))??;
    let text = String::from_utf8_lossy(&output.stdout);
    let lines: Vec<&str> = text.lines().collect();
    if lines.len() != calls.len() {
        return Err(io::Error::other(format!("{} answers to {} calls", lines.len(), calls.len())));
    }
    calls
        .into_iter()
        .zip(lines)
        .map(|((index, sent), line)| {
            let answer: Value = serde_json::from_str(line)?;
            let name = pairs[index].name.clone();
            let (ours, theirs) = (side(&answer["ours"]), side(&answer["theirs"]));
            Ok(Answer { name, sent: sent.clone(), ours, theirs })
        })
        .collect()
}

fn side(answer: &Value) -> Result<Value, String> {
    match answer.get("kept") {
        Some(kept) => Ok(kept.clone()),
        None => Err(answer["refused"].as_str().unwrap_or("no answer").to_owned()),
    }
}

fn write_crate(folder: &Path, pairs: &[Pair]) -> io::Result<()> {
    let name = crate_name(folder);
    let runtime = scratch::project_folder().join("crates/runtime").display().to_string();
    let manifest = format!(
        "[package]\nname = {name:?}\nversion = \"0.0.0\"\nedition = \"2024\"\n\n[workspace]\n\n\
         [dependencies]\ntoolcast = {{ path = {runtime:?} }}\n\
         serde = {{ version = \"1\", features = [\"derive\"] }}\n\
         serde_json = {{ version = \"1\", features = [\"preserve_order\"] }}\n\n\
         [profile.dev]\ndebug = 0\nincremental = false\n\n\
         [profile.dev.package.\"*\"]\ndebug = \"line-tables-only\"\n"
    );
    scratch::write(&folder.join("Cargo.toml"), &manifest)?;
    fs::copy(scratch::project_folder().join("Cargo.lock"), folder.join("Cargo.lock"))?;
    let catalog = Catalog::new(pairs.iter().enumerate().map(contract).collect());
    let files = toolcast_codegen::render(&catalog).map_err(io::Error::other)?;
    for (path, text) in files.iter() {
        scratch::write(&folder.join("src/ours").join(path), text)?;
    }
    let (mut modules, mut arms) = (String::new(), String::new());
    for (index, (pair, contract)) in pairs.iter().zip(&catalog.contracts).enumerate() {
        let module = &contract.name;
        scratch::write(&folder.join(format!("src/theirs/{module}.rs")), &pair.theirs)?;
        modules.push_str(&format!("    pub mod {module};\n"));
        arms.push_str(&format!(
            "        \"{index}\" => both::<ours::{module}::Input, theirs::{module}::Input>(call),\n"
        ));
    }
    let main = include_str!("peer.rs.txt")
        .replace("    // MODULES\n", &modules)
        .replace("        // TOOLS\n", &arms);
    scratch::write(&folder.join("src/main.rs"), &main)
}

fn compile(folder: &Path) -> io::Result<PathBuf> {
    let output = scratch::cargo(folder, "build").stdin(Stdio::null()).output()?;
    if !output.status.success() {
        return Err(io::Error::other(String::from_utf8_lossy(&output.stderr).into_owned()));
    }
    Ok(scratch::target_folder().join("debug").join(crate_name(folder)))
}

/// Scratch crates share a target folder, so each needs a name of its own.
fn crate_name(folder: &Path) -> String {
    let name = folder.file_name().and_then(|name| name.to_str());
    format!("parity_{}", name.unwrap_or("peer"))
}

/// Names of one width, so that the catalog's order is that of the pairs.
fn contract((index, pair): (usize, &Pair)) -> Contract {
    let name = format!("tool_{index:05}");
    Contract {
        source: format!("{name}.json").into(),
        name,
        toolset: Vec::new(),
        title: None,
        description: "A tool.".to_owned(),
        input: pair.schema.clone(),
        output: None,
        exclusive: false,
        timeout_seconds: None,
        annotations: Annotations::default(),
        icons: Vec::new(),
        meta: Map::new(),
        renamed_from: None,
    }
}

#[cfg(test)]
mod tests {
    use super::same;
    use serde_json::json;

    #[test]
    fn only_an_empty_list_may_be_dropped() {
        for (ours, theirs, expected) in [
            (json!({ "a": [], "b": 1 }), json!({ "b": 1 }), true),
            (json!({ "a": [{ "c": [] }] }), json!({ "a": [{}] }), true),
            (json!({ "a": [1] }), json!({}), false),
            (json!({}), json!({ "a": [] }), false),
            (json!({ "a": 1 }), json!({ "a": 1.0 }), false),
            (json!([1, 2]), json!([1]), false),
        ] {
            assert_eq!(same(&ours, &theirs), expected, "{ours} {theirs}");
        }
    }
}
