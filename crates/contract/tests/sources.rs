//! What is read from a disk, and which limit says what.

use camino::{Utf8Path, Utf8PathBuf};
use std::fs;
use toolcast_contract::{Catalog, Diagnostic, Limits, Part, Severity, Sources, load};

const TOOL: &str = r#"{ "description": "Does a thing.", "type": "object" }"#;

fn folder() -> (tempfile::TempDir, Utf8PathBuf) {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let path = Utf8PathBuf::from_path_buf(folder.path().to_owned()).expect("its path is UTF-8");
    (folder, path)
}

fn write(root: &Utf8Path, path: &str, text: &str) {
    let path = root.join(path);
    fs::create_dir_all(path.parent().expect("a file has a folder")).expect("folders can be made");
    fs::write(path, text).expect("files can be written");
}

fn rules(diagnostics: &[Diagnostic]) -> Vec<(&str, &str)> {
    diagnostics.iter().map(|d| (d.file.file_name().unwrap_or(""), d.rule)).collect()
}

fn memory(files: &[(&str, &str)]) -> Sources {
    Sources::from_files(
        "schemas",
        files.iter().map(|(path, text)| (Utf8PathBuf::from(*path), text.as_bytes().to_vec())),
    )
}

#[test]
fn a_folder_is_read_in_order_and_watched_whole() {
    let (_guard, root) = folder();
    write(&root, "b.json", TOOL);
    write(&root, "boards/a.json", TOOL);
    write(&root, "defs/shared.json", "{}");
    write(&root, "README.md", "not a contract");
    write(&root, ".hidden/x.json", "{");
    fs::create_dir(root.join("empty")).expect("a folder can be made");
    let sources = Sources::read(&root);
    let files: Vec<&str> = sources.files().map(Utf8Path::as_str).collect();
    assert_eq!(files, ["b.json", "boards/a.json", "defs/shared.json"]);
    let folders: Vec<&str> = sources.folders().map(Utf8Path::as_str).collect();
    assert_eq!(folders, ["", "boards", "defs", "empty"]);
    let (catalog, diagnostics) = load(&root);
    assert_eq!(diagnostics, []);
    let names: Vec<_> =
        catalog.contracts.iter().map(|c| (c.name.as_str(), c.toolset.clone())).collect();
    assert_eq!(names, [("b", vec![]), ("a", vec!["boards".to_owned()])]);
}

#[test]
fn files_that_only_look_like_contracts_are_told() {
    let (_guard, root) = folder();
    for name in ["a.JSON", "b.yaml", "c.jsonc", "d.txt"] {
        write(&root, name, TOOL);
    }
    let (catalog, diagnostics) = load(&root);
    assert_eq!(catalog.contracts.len(), 0);
    assert_eq!(
        rules(&diagnostics),
        [("a.JSON", "not-read"), ("b.yaml", "not-read"), ("c.jsonc", "not-read")]
    );
    let in_memory = memory(&[("README.md", "not JSON"), (".git/x.json", "{"), ("a.json", TOOL)]);
    assert_eq!(in_memory.files().count(), 1);
}

#[test]
fn a_folder_that_is_not_there_is_a_diagnostic() {
    let (_, diagnostics) = load(Utf8Path::new("no/such/folder"));
    assert_eq!(rules(&diagnostics), [("folder", "no-folder")]);
}

#[cfg(unix)]
#[test]
fn links_may_lead_to_files_of_the_folder_only() {
    use std::os::unix::fs::symlink;
    let (_guard, root) = folder();
    let (_other, outside) = folder();
    write(&outside, "secret.json", TOOL);
    write(&root, "real.json", TOOL);
    symlink("real.json", root.join("inside.json")).expect("a link can be made");
    symlink(outside.join("secret.json"), root.join("out.json")).expect("a link can be made");
    symlink(&outside, root.join("folder")).expect("a link can be made");
    symlink(".", root.join("cycle")).expect("a link can be made");
    symlink("nowhere.json", root.join("dangling.json")).expect("a link can be made");
    let (catalog, diagnostics) = load(&root);
    assert_eq!(
        rules(&diagnostics),
        [
            ("cycle", "symlink"),
            ("dangling.json", "unreadable"),
            ("folder", "symlink"),
            ("out.json", "symlink")
        ]
    );
    assert_eq!(catalog.contracts.len(), 2);
}

#[cfg(target_os = "linux")]
#[test]
fn a_name_that_is_not_utf8_is_a_diagnostic() {
    use std::os::unix::ffi::OsStrExt;
    let (_guard, root) = folder();
    let name = std::ffi::OsStr::from_bytes(b"caf\xe9.json");
    fs::write(root.as_std_path().join(name), TOOL).expect("Linux takes any bytes");
    assert_eq!(rules(&load(&root).1), [("caf\u{fffd}.json", "path-not-utf8")]);
}

#[test]
fn paths_that_differ_only_in_case_clash() {
    // In memory: some file systems cannot hold these.
    let sources = memory(&[
        ("Search.json", TOOL),
        ("search.json", TOOL),
        ("A/x.json", TOOL),
        ("a/y.json", TOOL),
    ]);
    let (_, diagnostics) = Catalog::parse(&sources, &Limits::default());
    assert_eq!(rules(&diagnostics), [("a", "file-clash"), ("search.json", "file-clash")]);
}

#[test]
fn each_limit_names_itself() {
    let unlimited = Limits::default();
    let chain: String = (0..20)
        .map(|n| format!(r##""d{n}": {{ "allOf": [{{ "$ref": "#/$defs/d{0}" }}, {{ "$ref": "#/$defs/d{0}" }}] }},"##, n + 1))
        .collect();
    let doubling = format!(
        r##"{{ "description": "Doubles.", "type": "object", "properties": {{ "a": {{ "$ref": "#/$defs/d0" }} }}, "$defs": {{ {chain} "d20": {{}} }} }}"##
    );
    let files = [("a.json", TOOL), ("b.json", doubling.as_str())];
    for (limits, rule, limit) in [
        (Limits { depth: 2, ..unlimited }, "too-deep", "depth"),
        (Limits { file_bytes: 100, ..unlimited }, "too-large", "file_bytes"),
        (Limits { total_bytes: 100, ..unlimited }, "too-large", "total_bytes"),
        (Limits { files: 1, ..unlimited }, "too-many-files", "files"),
        (Limits { subschemas: 10, ..unlimited }, "too-many-subschemas", "subschemas"),
        (Limits { total_subschemas: 20, ..unlimited }, "too-many-subschemas", "total_subschemas"),
        (Limits { bundled_subschemas: 30, ..unlimited }, "too-large", "bundled_subschemas"),
        (Limits { bundled_bytes: 500, ..unlimited }, "too-large", "bundled_bytes"),
        (Limits { total_bundled_bytes: 500, ..unlimited }, "too-large", "total_bundled_bytes"),
    ] {
        let (catalog, diagnostics) = Catalog::parse(&memory(&files), &limits);
        assert_eq!(diagnostics.len(), 1, "{limit}: {diagnostics:?}");
        assert_eq!(diagnostics[0].rule, rule);
        assert!(diagnostics[0].message.contains(&format!("limit `{limit}`")), "{}", diagnostics[0]);
        assert_eq!(diagnostics[0].severity, Severity::Error);
        let kept: Vec<&str> = catalog.contracts.iter().map(|c| c.name.as_str()).collect();
        assert_eq!(kept, ["a"], "{limit}");
    }
    let (catalog, diagnostics) = Catalog::parse(&memory(&files), &unlimited);
    assert_eq!(diagnostics, []);
    // Nothing is inlined, so a chain that doubles twenty times stays as long as it was written.
    assert!(catalog.contracts[1].input.to_string().len() < doubling.len() * 2);
}

fn object(properties: impl Iterator<Item = (String, String)>, more: &str) -> String {
    let properties: Vec<String> =
        properties.map(|(name, schema)| format!("\"{name}\": {schema}")).collect();
    format!(
        "{{ \"description\": \"x\", \"type\": \"object\", \"properties\": {{ {} }}{more} }}",
        properties.join(", ")
    )
}

#[test]
fn files_made_to_take_long_do_not() {
    let many = 20_000;
    let started = std::time::Instant::now();
    let properties = (0..many).map(|n| (format!("a{n}"), "7".to_owned()));
    let all_wrong = object(properties, "");
    let lost = (0..many).map(|n| (format!("a{n}"), format!("{{ \"$ref\": \"#/$defs/x{n}\" }}")));
    let definitions: Vec<String> = (0..many).map(|n| format!("\"y{n}\": true")).collect();
    let lost = object(
        lost.take(10_000),
        &format!(", \"$defs\": {{ {} }}", definitions[..10_000].join(", ")),
    );
    let values: Vec<String> = (0..many).map(|n| n.to_string()).collect();
    let defaults = (0..many)
        .map(|n| (format!("a{n}"), "{ \"$ref\": \"#/$defs/E\", \"default\": -1 }".to_owned()));
    let defaults = object(
        defaults,
        &format!(", \"$defs\": {{ \"E\": {{ \"enum\": [{}] }} }}", values.join(", ")),
    );
    let name = "n".repeat(2 << 20);
    let inner = object((0..1_000).map(|n| (n.to_string(), "{}".to_owned())), "");
    let long_names = object([(name, inner)].into_iter(), "");
    let unknown: String = (0..many).map(|n| format!(", \"k{n}\": 1")).collect();
    let unknown = object([].into_iter(), &unknown);
    for (text, rule, limit) in [
        (all_wrong, "too-many-faults", "faults"),
        (lost, "too-many-faults", "faults"),
        (defaults, "", ""),
        (long_names, "too-many-subschemas", "pointers"),
        (unknown, "", ""),
    ] {
        let begun = started.elapsed();
        let (_, diagnostics) = Catalog::parse(&memory(&[("a.json", &text)]), &Limits::default());
        println!("{} bytes, {limit}: {:?}", text.len(), started.elapsed() - begun);
        assert!(diagnostics.len() <= 502, "{} diagnostics", diagnostics.len());
        let met = diagnostics.iter().find(|d| d.rule == rule);
        assert_eq!(met.is_some(), !rule.is_empty(), "{rule}");
        if let Some(met) = met {
            assert!(met.message.contains(&format!("limit `{limit}`")), "{met}");
        }
    }
    // Generous: a busy machine and a debug build. Without the limits these take minutes.
    assert!(started.elapsed().as_secs() < 120, "{:?}", started.elapsed());
}

#[test]
fn limits_hold_on_disk_too() {
    let (_guard, root) = folder();
    for name in ["a", "b", "c"] {
        write(&root, &format!("{name}.json"), TOOL);
    }
    let few = Limits { files: 2, ..Limits::default() };
    let sources = Sources::read_within(&root, &few);
    assert_eq!(sources.files().count(), 2);
    assert!(sources.faults()[0].message.contains("limit `files`"));
    let small = Limits { total_bytes: TOOL.len() * 2, ..Limits::default() };
    let sources = Sources::read_within(&root, &small);
    assert_eq!(sources.files().count(), 2);
    assert!(sources.faults()[0].message.contains("limit `total_bytes`"));
}

#[test]
fn places_in_bundled_schemas_lead_back_to_their_files() {
    let tool = r##"{
  "description": "Does a thing.",
  "type": "object",
  "properties": {
    "to": { "$ref": "defs/address.json#/definitions/Address" }
  },
  "x-tool": {
    "output": {
      "type": "object",
      "properties": { "ok": { "type": "boolean" } }
    }
  }
}"##;
    let address = r#"{
  "$schema": "http://json-schema.org/draft-07/schema#",
  "definitions": {
    "Address": {
      "type": "array",
      "items": [{ "type": "string", "minLength": 3 }]
    }
  }
}"#;
    let (catalog, diagnostics) = Catalog::parse(
        &memory(&[("send.json", tool), ("defs/address.json", address)]),
        &Limits::default(),
    );
    assert_eq!(diagnostics, []);
    let contract = catalog.get("send").expect("it is kept");
    let place = |part, pointer| {
        let origin = catalog.origin(contract, part, pointer).expect("it has an origin");
        let position = origin.position.expect("it is in a file");
        (origin.file.into_string(), position.line, position.column)
    };
    let address = "schemas/defs/address.json".to_owned();
    assert_eq!(place(Part::Input, "/properties/to/$ref"), ("schemas/send.json".to_owned(), 5, 13));
    assert_eq!(place(Part::Input, "/$defs/Address/type"), (address.clone(), 5, 7));
    assert_eq!(place(Part::Input, "/$defs/Address/prefixItems/0/minLength"), (address, 6, 37));
    assert_eq!(place(Part::Output, "/properties/ok"), ("schemas/send.json".to_owned(), 10, 23));
    let located = catalog.locate(contract, "/x-tool/output/properties").expect("it is there");
    assert_eq!((located.line, located.column), (10, 7));
}
