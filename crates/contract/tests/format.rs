//! The contract format's own JSON Schema, derived from the types below and checked in as `contract.schema.json`, so that
//! editors complete and check contracts. `UPDATE_EXPECT=1 cargo test -p toolcast-contract` writes it anew.
//!
//! schemars is a dependency of this test alone: build scripts of users must not compile it. The derived schema is
//! bundled by this very crate, so that it holds the metaschema and needs neither network nor `$dynamicRef`, which few
//! editors know.

#![allow(dead_code, reason = "the types are there for their schemas")]

use schemars::{JsonSchema, Schema, SchemaGenerator, generate::SchemaSettings};
use serde::Deserialize;
use serde_json::{Value, json};
use std::collections::{BTreeMap, BTreeSet};
use toolcast_contract::{Catalog, FORMAT_SCHEMA, Limits, RULES, Sources};

const METASCHEMA: &str = "https://json-schema.org/draft/2020-12/schema";

/// One tool's contract: a JSON Schema of its arguments.
#[derive(Deserialize, JsonSchema)]
struct ContractFile {
    /// The dialect: draft 2020-12 (also when absent), or draft 7, which is upgraded.
    #[serde(rename = "$schema", default, skip_serializing_if = "Option::is_none")]
    dialect: Option<Dialect>,
    /// The name that people are shown.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    title: Option<String>,
    /// What the tool does and when to use it: this is what a model reads.
    #[schemars(regex(pattern = r"\S"))]
    description: String,
    /// A tool's arguments are an object.
    r#type: ObjectType,
    /// What JSON Schema has no word for.
    #[serde(rename = "x-tool", default, skip_serializing_if = "Option::is_none")]
    tool: Option<Tool>,
}

#[derive(Deserialize, JsonSchema)]
#[schemars(inline)]
enum Dialect {
    #[serde(rename = "https://json-schema.org/draft/2020-12/schema")]
    Draft2020,
    #[serde(rename = "http://json-schema.org/draft-07/schema#")]
    Draft7,
}

#[derive(Deserialize, JsonSchema)]
#[schemars(inline)]
enum ObjectType {
    #[serde(rename = "object")]
    Object,
}

/// What JSON Schema has no word for.
#[derive(Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
struct Tool {
    /// The tool's name, where the file's stem does not give it.
    #[schemars(regex(pattern = r"^[A-Za-z0-9_-]{1,64}$"))]
    name: Option<String>,
    /// Whether calls of this tool never overlap another exclusive call of the same run. Default: false.
    exclusive: Option<bool>,
    /// How long one call may take, in seconds.
    #[schemars(extend("exclusiveMinimum" = 0))]
    timeout_seconds: Option<f64>,
    /// MCP's hints about what the tool does to the world.
    annotations: Option<Annotations>,
    /// The schema of the result.
    output: Option<AnySchema>,
    /// Icons that a client may show.
    icons: Option<Vec<Icon>>,
    /// Passed through to clients as `_meta`.
    meta: Option<BTreeMap<String, Value>>,
    /// The name the tool had before, so that a comparison of versions pairs the two.
    renamed_from: Option<String>,
}

/// MCP's hints about what a tool does to the world.
#[derive(Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
struct Annotations {
    /// The name that people are shown.
    title: Option<String>,
    /// The tool changes nothing. MCP's default: false.
    read_only_hint: Option<bool>,
    /// The tool may destroy something. MCP's default: true.
    destructive_hint: Option<bool>,
    /// Calling twice with the same arguments does no more than calling once. MCP's default: false.
    idempotent_hint: Option<bool>,
    /// The tool deals with things outside a closed world, as a web search does. MCP's default: true.
    open_world_hint: Option<bool>,
}

/// An icon.
#[derive(Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct Icon {
    /// Where the image is: an `https:` or `data:` URI.
    src: String,
    /// Its media type.
    mime_type: Option<String>,
    /// Its sizes, such as `48x48` or `any`.
    sizes: Option<Vec<String>>,
}

struct AnySchema;

impl<'de> Deserialize<'de> for AnySchema {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        Value::deserialize(deserializer).map(|_| Self)
    }
}

impl JsonSchema for AnySchema {
    fn inline_schema() -> bool {
        true
    }

    fn schema_name() -> std::borrow::Cow<'static, str> {
        "Schema".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        schemars::json_schema!({ "$ref": METASCHEMA })
    }
}

/// Takes `null` out of what an optional member accepts: a contract leaves out what it does not say.
fn without_null(schema: &mut Value) {
    match schema {
        Value::Object(members) => {
            members.values_mut().for_each(without_null);
            if let Some(Value::Array(types)) = members.get_mut("type") {
                types.retain(|name| name != "null");
                if let [only] = types.as_slice() {
                    let only = only.clone();
                    members.insert("type".to_owned(), only);
                }
            }
            if let Some(Value::Array(values)) = members.get_mut("enum") {
                values.retain(|value| !value.is_null());
            }
            if let Some(Value::Array(branches)) = members.get_mut("anyOf") {
                branches.retain(|branch| branch != &json!({ "type": "null" }));
                if let [Value::Object(only)] = branches.as_slice() {
                    let only = only.clone();
                    members.shift_remove("anyOf");
                    members.extend(only);
                }
            }
        }
        Value::Array(elements) => elements.iter_mut().for_each(without_null),
        _ => {}
    }
}

fn derived() -> Value {
    let generator = SchemaSettings::draft2020_12().into_generator();
    let mut schema = generator.into_root_schema_for::<ContractFile>().to_value();
    without_null(&mut schema);
    schema["allOf"] = json!([{ "$ref": METASCHEMA }]);
    let sources =
        Sources::from_files("format", [("contract.json".into(), schema.to_string().into_bytes())]);
    let (catalog, diagnostics) = Catalog::parse(&sources, &Limits::default());
    assert_eq!(diagnostics, [], "the derived schema is itself without fault");
    let mut bundled = catalog.contracts[0].input.clone();
    bundled["title"] = json!("Toolcast contract");
    bundled["description"] = schema["description"].clone();
    bundled
}

#[test]
fn the_checked_in_schema_is_the_derived_one() {
    let text =
        serde_json::to_string_pretty(&derived()).expect("a value can always be written") + "\n";
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/contract.schema.json");
    if std::env::var_os("UPDATE_EXPECT").is_some() {
        std::fs::write(path, &text).expect("the schema can be written");
    } else {
        assert_eq!(FORMAT_SCHEMA, text, "UPDATE_EXPECT=1 writes it anew");
    }
}

#[test]
fn the_schema_knows_what_the_parser_knows() {
    let schema = derived();
    for (definition, inner) in [("Tool", ""), ("Annotations", "annotations")] {
        let known: BTreeSet<String> = schema["$defs"][definition]["properties"]
            .as_object()
            .expect("it has properties")
            .keys()
            .cloned()
            .collect();
        let odd = json!({ "qqqqqqqqqq": 1 });
        let tool = if inner.is_empty() { odd } else { json!({ inner: odd }) };
        let contract = json!({ "description": "x", "type": "object", "x-tool": tool });
        let sources =
            Sources::from_files("s", [("a.json".into(), contract.to_string().into_bytes())]);
        let (_, diagnostics) = Catalog::parse(&sources, &Limits::default());
        let help = diagnostics[0].help.as_deref().expect("it lists the members");
        let listed = help.trim_start_matches("its members are ");
        let listed = listed.split(';').next().expect("there is a first part");
        let listed: BTreeSet<String> = listed.split(", ").map(str::to_owned).collect();
        assert_eq!(known, listed, "{definition}");
    }
}

#[test]
fn the_table_of_rules_is_sorted_and_each_id_is_used() {
    let ids: Vec<&str> = RULES.iter().map(|rule| rule.id).collect();
    let mut sorted = ids.clone();
    sorted.sort_unstable();
    sorted.dedup();
    assert_eq!(ids, sorted);
    let mut sources = vec![std::fs::read_to_string("../schema/src/form.rs").expect("it is there")];
    for folder in ["src", "src/rules"] {
        for entry in std::fs::read_dir(folder).expect("the sources are there") {
            let path = entry.expect("they can be read").path();
            if path.is_file() && !path.ends_with("rules/mod.rs") {
                sources.push(std::fs::read_to_string(path).expect("they can be read"));
            }
        }
    }
    for id in ids {
        let text = format!("\"{id}\"");
        let home = sources.iter().find(|source| {
            source.contains("pub const ") && source.contains(&text) && source.contains("Rule::")
        });
        let home = home.unwrap_or_else(|| panic!("{id} has no file of its own"));
        let before = home[..home.find(&text).expect("it is there")].rsplit("pub const ").next();
        let name = before.and_then(|rest| rest.split(':').next()).expect("a constant has a name");
        // A constant called `RULE` is its own file's.
        let used = match name {
            "RULE" => home.matches("RULE").count() > 1 || sources[0].contains(&text),
            name => sources.iter().map(|source| source.matches(name).count()).sum::<usize>() > 1,
        };
        assert!(used, "no diagnostic is called {id}");
    }
}
