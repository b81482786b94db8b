//! One folder a case: `import/<case>/input.json` and what comes of it. `UPDATE_EXPECT=1` writes what is expected anew.

use camino::{Utf8Path, Utf8PathBuf};
use proptest::prelude::*;
use serde_json::{Value, json};
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::fs;
use std::path::Path;
use toolcast_contract::{Catalog, Limits, Severity, Sources};
use toolcast_import::{self as import, Import, Importer};

fn catalog(import: &Import) -> Catalog {
    let files = import.tools.iter().map(|tool| (tool.file.clone(), tool.text.clone().into_bytes()));
    let (catalog, diagnostics) =
        Catalog::parse(&Sources::from_files("schemas", files), &Limits::default());
    let errors: Vec<String> = diagnostics
        .iter()
        .filter(|d| d.severity == Severity::Error)
        .map(ToString::to_string)
        .collect();
    assert!(errors.is_empty(), "imported contracts have faults: {errors:#?}");
    assert_eq!(catalog.contracts.len(), import.tools.len());
    catalog
}

#[test]
fn cases() {
    let mut same = true;
    let mut folders: Vec<Utf8PathBuf> = Utf8Path::new("tests/import")
        .read_dir_utf8()
        .expect("the folder of cases is there")
        .map(|entry| entry.expect("it can be read").into_path())
        .collect();
    folders.sort();
    assert!(!folders.is_empty());
    for folder in folders {
        let input = fs::read_to_string(folder.join("input.json")).expect("a case has an input");
        let import = import::read(Utf8Path::new("input.json"), &input);
        let mut text = String::new();
        for diagnostic in &import.diagnostics {
            let _ = writeln!(text, "{diagnostic}");
        }
        let _ = writeln!(text, "imported {}, left out {}", import.tools.len(), import.skipped);
        for tool in &import.tools {
            let _ = write!(text, "--- {} ({:?})\n{}", tool.file, tool.name, tool.text);
        }
        let expected = folder.join("expected.txt");
        if std::env::var_os("UPDATE_EXPECT").is_some() {
            fs::write(&expected, &text).expect("the expectation can be written");
        } else if fs::read_to_string(&expected).unwrap_or_default() != text {
            eprintln!("--- {expected} differs; actual:\n{text}");
            same = false;
        }
        let errors = import.diagnostics.iter().any(|d| d.severity == Severity::Error);
        assert!(errors || import.skipped == 0, "{folder}: tools were left out without an error");
        catalog(&import);
    }
    assert!(same, "see above; UPDATE_EXPECT=1 accepts");
}

#[test]
fn several_texts_share_names_and_existing_files_are_minded() {
    let tool = |name: &str| {
        json!([{ "name": name, "description": "x", "inputSchema": { "type": "object" } }])
            .to_string()
    };
    let mut importer = Importer::default();
    importer.reserve(["Find.json".to_owned()]);
    importer.read(Utf8Path::new("a.json"), &tool("search"));
    importer.read(Utf8Path::new("b.json"), &tool("search"));
    importer.read(Utf8Path::new("c.json"), &tool("find"));
    let import = importer.finish();
    let files: Vec<&str> = import.tools.iter().map(|tool| tool.file.as_str()).collect();
    assert_eq!(files, ["search.json", "search_2.json", "find_2.json"]);
    assert_eq!(import.diagnostics.len(), 1);
}

/// What is imported, served and imported again stays as it is.
fn again(import: &Import) {
    let tools: Vec<Value> = catalog(import).contracts.iter().map(|c| c.specification()).collect();
    let listed = json!({ "tools": tools }).to_string();
    let second = import::read(Utf8Path::new("again.json"), &listed);
    let served = |import: &Import| -> BTreeMap<String, Value> {
        catalog(import).contracts.iter().map(|c| (c.name.clone(), c.specification())).collect()
    };
    let (first, second) = (served(import), served(&second));
    for (name, tool) in &first {
        assert_eq!(Some(tool), second.get(name), "{name} changed on its second way in");
    }
}

#[test]
fn real_tools_are_imported() {
    let Some(corpus) = std::env::var_os("TOOLCAST_CORPUS") else {
        eprintln!("skipped: TOOLCAST_CORPUS is not set");
        return;
    };
    let servers = Path::new(&corpus).join("corpus/servers");
    let (mut tools, mut imported) = (0, 0);
    let mut rules: BTreeMap<(Severity, &str), usize> = BTreeMap::new();
    let mut paths: Vec<_> = fs::read_dir(servers)
        .expect("the corpus has servers")
        .map(|entry| entry.expect("they can be listed").path())
        .collect();
    paths.sort();
    for path in paths {
        let text = fs::read_to_string(&path).expect("they can be read");
        let list: Value = serde_json::from_str(&text).expect("they are JSON");
        let source = Utf8Path::from_path(&path).expect("paths are UTF-8");
        let import = import::read(Utf8Path::new(source.file_name().expect("a file")), &text);
        tools += list["tools"].as_array().expect("a list of tools").len();
        imported += import.tools.len();
        for diagnostic in &import.diagnostics {
            *rules.entry((diagnostic.severity, diagnostic.rule)).or_default() += 1;
            if std::env::var_os("TOOLCAST_VERBOSE").is_some() {
                println!("{diagnostic}");
            }
        }
        let originals: BTreeSet<&str> =
            import.tools.iter().map(|tool| tool.original.as_str()).collect();
        for tool in list["tools"].as_array().expect("a list of tools") {
            let name = tool["name"].as_str().expect("a name");
            assert!(
                originals.contains(name) || import.skipped > 0,
                "{name} is gone without a word"
            );
        }
        again(&import);
    }
    println!("{imported} of {tools} tools imported: {rules:?}");
    assert!(tools > 0, "the corpus is empty");
    assert!(imported * 100 >= tools * 99, "{imported} of {tools}");
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 300, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn any_text_is_read(text in "[\\[\\]{}\",:0-9a-z\\\\ ]{0,80}") {
        import::read(Utf8Path::new("x"), &text);
    }

    #[test]
    fn any_name_gets_a_file(names in prop::collection::vec(".{0,80}", 1..8)) {
        let tools: Vec<Value> = names
            .iter()
            .map(|name| json!({ "name": name, "description": "x", "inputSchema": { "type": "object" } }))
            .collect();
        let import = import::read(Utf8Path::new("x"), &Value::Array(tools).to_string());
        prop_assert_eq!(import.tools.len(), names.len());
        catalog(&import);
    }
}

#[test]
fn a_byte_order_mark_means_nothing() {
    let text =
        r#"[{ "name": "a", "description": "Does it.", "inputSchema": { "type": "object" } }]"#;
    let plain = import::read("tools.json".into(), text);
    assert_eq!(plain.tools.len(), 1);
    assert_eq!(import::read("tools.json".into(), &format!("\u{feff}{text}")), plain);
}
