//! Generates bindings for folders of published tools: `cargo run --release -p toolcast-codegen --example corpus -- DIR OUT`.
//!
//! DIR holds `tools/list` answers, one a server. Each tool becomes a contract in memory, as it stands.

use camino::Utf8PathBuf;
use serde_json::Value;
use std::time::Instant;
use toolcast_codegen::{Mode, place, render};
use toolcast_contract::{Annotations, Catalog, Contract};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut arguments = std::env::args().skip(1);
    let servers = Utf8PathBuf::from(arguments.next().ok_or("usage: corpus DIR OUT")?);
    let out = Utf8PathBuf::from(arguments.next().ok_or("usage: corpus DIR OUT")?);
    let started = Instant::now();
    let mut contracts = Vec::new();
    for entry in servers.read_dir_utf8()? {
        let path = entry?.path().to_owned();
        let server = path.file_stem().unwrap_or("server").to_owned();
        let list: Value = serde_json::from_str(&std::fs::read_to_string(&path)?)?;
        for tool in list["tools"].as_array().into_iter().flatten() {
            contracts.push(contract(&server, tool));
        }
    }
    contracts.sort_by(|a, b| a.source.cmp(&b.source));
    let (count, read) = (contracts.len(), started.elapsed());
    let files = render(&Catalog::new(contracts))?;
    let rendered = started.elapsed();
    let report = place(&files, &out, Mode::Write)?;
    let (mut code, mut all) = (0, 0);
    for (_, text) in files.iter().filter(|(path, _)| path.extension() == Some("rs")) {
        all += text.lines().count();
        code += text
            .lines()
            .map(str::trim)
            .filter(|line| !line.is_empty() && !line.starts_with("//"))
            .count();
    }
    println!("{count} tools: read {read:?}, rendered {rendered:?}, placed {:?}", started.elapsed());
    println!(
        "{} written, {} removed, {} unchanged",
        report.written.len(),
        report.removed.len(),
        report.unchanged
    );
    println!(
        "lines a tool: {:.1} of code, {:.1} in all",
        code as f64 / count as f64,
        all as f64 / count as f64
    );
    Ok(())
}

fn contract(server: &str, tool: &Value) -> Contract {
    let text = |value: &Value| value.as_str().map(str::to_owned);
    let name = text(&tool["name"]).unwrap_or_default();
    let stem: String = name.chars().map(|c| if c == '/' { '_' } else { c }).collect();
    let output = tool.get("outputSchema").filter(|schema| schema.is_object()).cloned();
    let mut input = tool["inputSchema"].clone();
    if let Some(schema) = input.as_object_mut() {
        schema.insert("type".into(), "object".into());
    }
    Contract {
        source: format!("{server}/{stem}.json").into(),
        toolset: vec![server.to_owned()],
        name,
        title: text(&tool["title"]),
        description: text(&tool["description"]).unwrap_or_default(),
        input,
        output,
        exclusive: false,
        timeout_seconds: None,
        annotations: Annotations {
            read_only: tool["annotations"]["readOnlyHint"].as_bool(),
            ..Annotations::default()
        },
        icons: Vec::new(),
        meta: serde_json::Map::new(),
        renamed_from: None,
    }
}
