//! Definitions that are shared, that cannot be, and far too many of them.

use serde_json::{Value, json};
use toolcast_codegen::contract::{Catalog, Limits, Sources};
use toolcast_codegen::{Files, render};

fn rendered(files: Vec<(String, Value)>) -> Files {
    let files =
        files.into_iter().map(|(path, value)| (path.into(), value.to_string().into_bytes()));
    let sources = Sources::from_files("schemas", files);
    let (catalog, diagnostics) = Catalog::parse(&sources, &Limits::default());
    assert!(diagnostics.is_empty(), "{diagnostics:#?}");
    render(&catalog).expect("no bound is met")
}

fn contract(member: Value) -> Value {
    json!({ "description": "Any.", "type": "object", "properties": { "member": member } })
}

#[test]
fn a_definition_that_leads_back_into_a_contract_is_a_type_of_each_contract() {
    let files = rendered(vec![
        ("one.json".into(), contract(json!({ "$ref": "defs/back.json#/$defs/Back" }))),
        ("two.json".into(), contract(json!({ "$ref": "defs/back.json#/$defs/Outer" }))),
        (
            "defs/back.json".into(),
            json!({ "$defs": {
                "Back": { "type": "object", "properties": { "to": { "$ref": "../one.json" } } },
                "Outer": { "type": "object", "properties": { "back": { "$ref": "#/$defs/Back" } } },
            } }),
        ),
    ]);
    assert!(files.iter().all(|(path, _)| !path.starts_with("defs")));
    for path in ["one.rs", "two.rs"] {
        assert!(files.get(path).is_some_and(|text| text.contains("pub struct Back {")), "{path}");
    }
}

#[test]
fn a_chain_and_a_circle_of_many_definitions_become_types() {
    let file = |next: Value| json!({ "$defs": { "Node": { "type": "object", "properties": { "next": next } } } });
    let mut files = vec![
        ("tool.json".into(), contract(json!({ "$ref": "defs/c0.json#/$defs/Node" }))),
        ("other.json".into(), contract(json!({ "$ref": "defs/r0.json#/$defs/Node" }))),
    ];
    for at in 0..300 {
        let chain = json!({ "$ref": format!("c{}.json#/$defs/Node", at + 1) });
        files.push((format!("defs/c{at}.json"), file(chain)));
        let ring = json!({ "$ref": format!("r{}.json#/$defs/Node", (at + 1) % 300) });
        files.push((format!("defs/r{at}.json"), file(ring)));
    }
    files.push(("defs/c300.json".into(), file(json!({ "type": "string" }))));
    let files = rendered(files);
    let deepest = files.get("defs/c299.rs").expect("every file of the chain is a module");
    assert!(deepest.contains("use super::c300::Node") || deepest.contains("super::c300::Node"));
}
