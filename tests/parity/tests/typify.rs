//! typify 0.8.0 as the oracle, on the plain subset: where it is right, both generators see the same members, by the
//! same wire names, present or optional alike, of the same kinds, and the same values of string enums.
//!
//! Structure is compared for every schema: typify's output is read with syn, ours is the intermediate form. Values are
//! compared for a sample, since what typify writes has to be compiled: both sides' types read the same calls, and what
//! they write again must be the same. Titles are taken off first: typify merges types that share one.
//!
//! With `TOOLCAST_CORPUS` set, the tools of `corpus/servers/*.json` and the calls of `corpus/calls/*.jsonl` there are
//! compared as well.

use parity::plain::{is_plain, untitled, without};
use parity::{corpus, peer, scratch};
use serde_json::{Map, Value, json};
use std::collections::{BTreeMap, BTreeSet};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;
use std::sync::Mutex;
use toolcast_codegen::lower;
use toolcast_codegen::model::{ItemKind, RustModule, RustType};
use toolcast_contract::{Annotations, Contract};

/// What a type takes, as far as both sides can say it.
#[derive(Debug, PartialEq)]
enum Shape {
    Bool,
    Integer,
    Number,
    Text,
    Words(BTreeSet<String>),
    List(Box<Shape>),
    /// Each member with whether it may be absent.
    Struct(BTreeMap<String, (bool, Shape)>),
}

mod ours {
    use super::*;

    pub fn shape(schema: &Value) -> Result<Shape, String> {
        let contract = Contract {
            name: "any".into(),
            toolset: Vec::new(),
            source: "any.json".into(),
            title: None,
            description: "Any.".into(),
            input: schema.clone(),
            output: None,
            exclusive: false,
            timeout_seconds: None,
            annotations: Annotations::default(),
            icons: Vec::new(),
            meta: Map::new(),
            renamed_from: None,
        };
        let module =
            lower(&contract, Vec::new(), "any".into()).map_err(|error| error.to_string())?;
        item(&module, 0)
    }

    fn item(module: &RustModule, index: usize) -> Result<Shape, String> {
        match &module.items[index].kind {
            ItemKind::Struct { fields, rest: None } => {
                let mut members = BTreeMap::new();
                for field in fields {
                    let (optional, ty) = match &field.ty {
                        RustType::Option(ty) => (true, &**ty),
                        ty => (false, ty),
                    };
                    members.insert(field.wire.clone(), (optional, kind(module, ty)?));
                }
                Ok(Shape::Struct(members))
            }
            ItemKind::Literals(variants) => Ok(Shape::Words(
                variants.iter().filter_map(|one| Some(one.value.as_str()?.to_owned())).collect(),
            )),
            other => Err(format!("a plain schema became {other:?}")),
        }
    }

    fn kind(module: &RustModule, ty: &RustType) -> Result<Shape, String> {
        Ok(match ty {
            RustType::Bool => Shape::Bool,
            RustType::I64 | RustType::U64 => Shape::Integer,
            RustType::F64 => Shape::Number,
            RustType::String => Shape::Text,
            RustType::Vec(each) => Shape::List(Box::new(kind(module, each)?)),
            RustType::Item(index) => item(module, *index)?,
            other => return Err(format!("a plain schema became {other:?}")),
        })
    }
}

mod theirs {
    use super::*;
    use syn::{Fields, GenericArgument, Item, PathArguments, Type};

    /// What typify writes for the schema; it may panic.
    pub fn shape(schema: &Value) -> Result<Shape, String> {
        let schema: schemars::schema::Schema =
            serde_json::from_value(schema.clone()).map_err(|error| error.to_string())?;
        let mut space = typify_impl::TypeSpace::default();
        space
            .add_type_with_name(&schema, Some("Input".to_owned()))
            .map_err(|error| error.to_string())?;
        let file: syn::File = syn::parse2(space.to_stream())
            .map_err(|error| format!("it does not parse: {error}"))?;
        let items = file
            .items
            .iter()
            .filter_map(|item| match item {
                Item::Struct(one) => Some((one.ident.to_string(), item)),
                Item::Enum(one) => Some((one.ident.to_string(), item)),
                _ => None,
            })
            .collect();
        item(&items, "Input")
    }

    type Items<'a> = BTreeMap<String, &'a Item>;

    fn item(items: &Items<'_>, name: &str) -> Result<Shape, String> {
        match items.get(name) {
            Some(Item::Struct(one)) => match &one.fields {
                Fields::Named(fields) => {
                    let mut members = BTreeMap::new();
                    for field in &fields.named {
                        let ident =
                            field.ident.as_ref().map(ToString::to_string).unwrap_or_default();
                        let serde = serde(&field.attrs)?;
                        let wire =
                            serde.rename.unwrap_or(ident.trim_start_matches("r#").to_owned());
                        let (option, kind) = kind(items, &field.ty)?;
                        members.insert(wire, (option || serde.default, kind));
                    }
                    Ok(Shape::Struct(members))
                }
                Fields::Unnamed(fields) if fields.unnamed.len() == 1 => {
                    Ok(kind(items, &fields.unnamed[0].ty)?.1)
                }
                _ => Err(format!("`{name}` is a struct of another form")),
            },
            Some(Item::Enum(one)) => {
                let mut words = BTreeSet::new();
                for variant in &one.variants {
                    words
                        .insert(serde(&variant.attrs)?.rename.unwrap_or(variant.ident.to_string()));
                }
                Ok(Shape::Words(words))
            }
            _ => Err(format!("no type `{name}`")),
        }
    }

    /// A field's type, and whether it is an `Option`.
    fn kind(items: &Items<'_>, ty: &Type) -> Result<(bool, Shape), String> {
        let path = match ty {
            Type::Path(path) => &path.path,
            Type::Array(array) => {
                return Ok((false, Shape::List(Box::new(kind(items, &array.elem)?.1))));
            }
            _ => return Err("a type of another form".to_owned()),
        };
        let Some(last) = path.segments.last() else { return Err("an empty path".to_owned()) };
        let name = last.ident.to_string();
        let inner = match &last.arguments {
            PathArguments::AngleBracketed(arguments) => match arguments.args.first() {
                Some(GenericArgument::Type(ty)) => Some(ty),
                _ => None,
            },
            _ => None,
        };
        let shape = match (name.as_str(), inner) {
            ("Option", Some(ty)) => return Ok((true, kind(items, ty)?.1)),
            ("Vec", Some(ty)) => Shape::List(Box::new(kind(items, ty)?.1)),
            ("bool", _) => Shape::Bool,
            ("f64" | "f32", _) => Shape::Number,
            ("String", _) => Shape::Text,
            ("i8" | "i16" | "i32" | "i64" | "u8" | "u16" | "u32" | "u64", _) => Shape::Integer,
            _ if name.starts_with("NonZero") => Shape::Integer,
            _ => item(items, &name)?,
        };
        Ok((false, shape))
    }

    #[derive(Default)]
    struct Serde {
        rename: Option<String>,
        default: bool,
    }

    fn serde(attributes: &[syn::Attribute]) -> Result<Serde, String> {
        let mut serde = Serde::default();
        for attribute in attributes.iter().filter(|one| one.path().is_ident("serde")) {
            attribute
                .parse_nested_meta(|meta| {
                    if meta.path.is_ident("rename") {
                        serde.rename = Some(meta.value()?.parse::<syn::LitStr>()?.value());
                    } else {
                        serde.default |= meta.path.is_ident("default");
                        if meta.input.peek(syn::Token![=]) {
                            meta.value()?.parse::<syn::Expr>()?;
                        }
                    }
                    Ok(())
                })
                .map_err(|error| error.to_string())?;
        }
        Ok(serde)
    }
}

/// How a comparison went.
#[derive(Debug, Default)]
struct Tally {
    schemas: usize,
    plain: usize,
    same: usize,
    /// Plain schemas that typify refuses or panics on.
    typify_fails: BTreeMap<String, String>,
    differ: Vec<String>,
}

fn compare(schemas: &[(String, Value)]) -> Tally {
    let tally = Mutex::new(Tally { schemas: schemas.len(), ..Tally::default() });
    let half = schemas.len().div_ceil(2).max(1);
    std::thread::scope(|scope| {
        for part in schemas.chunks(half) {
            let tally = &tally;
            scope.spawn(move || {
                for (name, schema) in part.iter().filter(|(_, schema)| is_plain(schema)) {
                    let schema = untitled(schema);
                    let theirs = catch_unwind(AssertUnwindSafe(|| theirs::shape(&schema)))
                        .unwrap_or_else(|_| Err("it panics".to_owned()));
                    let ours = ours::shape(&schema);
                    let mut tally = tally.lock().expect("nothing panics under this lock");
                    tally.plain += 1;
                    match (ours, theirs) {
                        (Ok(ours), Ok(theirs)) if ours == theirs => tally.same += 1,
                        (Ok(_), Err(reason)) => {
                            tally.typify_fails.insert(name.clone(), reason);
                        }
                        (ours, theirs) => {
                            tally
                                .differ
                                .push(format!("{name}\n  ours: {ours:?}\n  typify: {theirs:?}"));
                        }
                    }
                }
            });
        }
    });
    let tally = tally.into_inner().expect("nothing panics under this lock");
    println!(
        "{} schemas, {} of them plain: {} the same, {} that typify fails on, {} that differ",
        tally.schemas,
        tally.plain,
        tally.same,
        tally.typify_fails.len(),
        tally.differ.len()
    );
    for (name, reason) in &tally.typify_fails {
        println!("  typify fails on {name}: {reason}");
    }
    tally
}

#[test]
fn both_see_the_same_in_contracts_of_our_own() {
    let root = scratch::project_folder();
    let mut schemas = Vec::new();
    let goldens =
        std::fs::read_dir(root.join("codegen/tests/golden")).expect("part of the project");
    let folders = goldens.map(|entry| entry.expect("readable").path().join("schemas"));
    for folder in folders.chain([root.join("schemas"), root.join("examples/helpdesk/schemas")]) {
        let folder = camino::Utf8PathBuf::try_from(folder).expect("our names are UTF-8");
        let (catalog, _) = toolcast_contract::load(&folder);
        for contract in catalog.contracts {
            schemas.push((format!("{} {}", folder, contract.source), contract.input));
            schemas.extend(
                contract.output.map(|output| (format!("{} output", contract.source), output)),
            );
        }
    }
    schemas.extend(
        (1..=300).map(|seed| (format!("seed {seed}"), plain(&mut Random(seed * 0x9E37_79B9), 3))),
    );
    let tally = compare(&schemas);
    assert!(tally.differ.is_empty(), "{}", tally.differ.join("\n"));
    assert!(tally.same >= 300, "{tally:?}");
}

/// xorshift: the same seeds are the same schemas on every machine.
struct Random(u64);

impl Random {
    fn below(&mut self, end: u64) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0 % end
    }
}

/// An object of the plain subset.
fn plain(random: &mut Random, depth: usize) -> Value {
    const NAMES: [&str; 10] =
        ["id", "pageSize", "type", "Self", "a b", "a-c", "größe", "x1", "$ref", "created_at"];
    let (mut members, mut required) = (Map::new(), Vec::new());
    for name in NAMES {
        if members.is_empty() || random.below(3) == 0 {
            members.insert(name.to_owned(), member(random, depth));
            if random.below(2) == 0 {
                required.push(name);
            }
        }
    }
    json!({ "type": "object", "properties": members, "required": required })
}

fn member(random: &mut Random, depth: usize) -> Value {
    match random.below(if depth == 0 { 6 } else { 9 }) {
        0 => json!({ "type": "boolean" }),
        1 => json!({ "type": "integer", "minimum": 0 }),
        2 => json!({ "type": "integer", "maximum": 10 }),
        3 => json!({ "type": "number" }),
        4 => json!({ "type": "string", "minLength": 1 }),
        5 => json!({ "type": "string", "enum": ["one", "two words", "<=", "Three"] }),
        6 => json!({ "type": "array", "items": member(random, depth - 1) }),
        _ => plain(random, depth - 1),
    }
}

#[test]
fn both_see_the_same_in_the_corpus() {
    let Some(corpus) = std::env::var_os("TOOLCAST_CORPUS") else {
        println!("skipped: TOOLCAST_CORPUS is not set");
        return;
    };
    let mut schemas = Vec::new();
    let servers = std::fs::read_dir(Path::new(&corpus).join("corpus/servers"))
        .expect("corpus/servers/*.json");
    let mut servers: Vec<_> = servers.map(|entry| entry.expect("readable").path()).collect();
    servers.sort();
    for server in servers {
        let text = std::fs::read_to_string(&server).expect("readable");
        let answer: Value = serde_json::from_str(&text).expect("an answer to tools/list");
        for tool in answer["tools"].as_array().expect("a list of tools") {
            let name = format!("{} {}", server.display(), tool["name"]);
            schemas.push((name, tool["inputSchema"].clone()));
        }
    }
    let tally = compare(&schemas);
    assert!(tally.differ.is_empty(), "{}", tally.differ.join("\n"));
    assert!(tally.same * 10 >= tally.plain * 9, "typify fails on more than a tenth");
    assert!(tally.plain > 100, "the corpus has plain tools");
}

/// What typify writes for a schema; `None` where it refuses or panics.
fn typified(schema: &Value) -> Option<String> {
    let schema: schemars::schema::Schema = serde_json::from_value(schema.clone()).ok()?;
    let written = catch_unwind(AssertUnwindSafe(|| {
        let mut space = typify_impl::TypeSpace::default();
        space.add_type_with_name(&schema, Some("Input".to_owned())).ok()?;
        Some(space.to_stream().to_string())
    }));
    written.ok().flatten()
}

/// Runs every pair through both and says how it went; anything but the same is in the list.
fn send(folder: &str, pairs: &[peer::Pair]) -> (usize, usize, Vec<String>) {
    let answers = peer::answers(&scratch::scratch_folder(folder), pairs).unwrap();
    let (mut same, mut refused, mut differ) = (0, 0, Vec::new());
    for peer::Answer { name, sent, ours, theirs } in answers {
        match (&ours, &theirs) {
            (Ok(ours), Ok(theirs)) if peer::same(ours, theirs) => same += 1,
            (Ok(_), Err(reason)) => {
                println!("  typify refuses a call of {name}: {reason}");
                refused += 1;
            }
            _ => differ.push(format!("{name}: {sent}\n  ours: {ours:?}\n  typify: {theirs:?}")),
        }
    }
    println!("{} tools: {same} calls the same, {refused} that typify refuses", pairs.len());
    (same, refused, differ)
}

#[test]
fn both_keep_the_same_of_calls_of_our_own() {
    let schema = json!({
        "type": "object",
        "properties": {
            "id": { "type": "integer", "minimum": 1 }, "Self": { "type": "string", "minLength": 1 },
            "ratio": { "type": "number" }, "tags": { "type": "array", "items": { "type": "string" } },
            "mode": { "type": "string", "enum": ["<=", "two words"] },
            "page": { "type": "object", "properties": { "a-b": { "type": "boolean" } }, "required": ["a-b"] },
        },
        "required": ["id", "mode"],
    });
    let theirs = typified(&schema).unwrap();
    let calls = vec![
        json!({ "id": 1, "mode": "<=" }),
        json!({ "id": 2, "mode": "two words", "Self": "x", "ratio": 5, "tags": [], "page": { "a-b": true } }),
        json!({ "id": 3, "mode": "<=", "tags": ["a", "a"], "undeclared": 1 }),
        json!({ "id": 4.0, "mode": "<=" }),
    ];
    let pair = peer::Pair { name: "own".to_owned(), schema, theirs, calls };
    let (same, refused, differ) = send("peer_own", &[pair]);
    assert_eq!((same, refused, differ), (3, 1, Vec::new()), "typify takes no `4.0` for an integer");
}

/// How many tools of the corpus are compiled on both sides: about a minute of one core.
const COMPILED: usize = 200;

#[test]
fn both_keep_the_same_of_the_calls_of_the_corpus() {
    let Some(folder) = std::env::var_os("TOOLCAST_CORPUS") else {
        println!("skipped: TOOLCAST_CORPUS is not set");
        return;
    };
    let mut pairs = Vec::new();
    for server in corpus::read(&Path::new(&folder).join("corpus")).unwrap() {
        let answer: Value = serde_json::from_str(&server.listing).expect("an answer to tools/list");
        let tools = answer["tools"].as_array().expect("a list of tools");
        for tool in tools {
            // Which of two tools of one name a call is for, its name does not say.
            if tools.iter().filter(|other| other["name"] == tool["name"]).count() > 1 {
                continue;
            }
            let calls = server.calls.iter().filter(|call| tool["name"] == call.tool.as_str());
            let calls: Vec<Value> = calls.map(|call| call.arguments.clone()).collect();
            // For a pattern typify asks for one more crate; what it makes of patterns is not compared.
            let schema = without(&untitled(&tool["inputSchema"]), &["pattern"]);
            if is_plain(&schema)
                && !calls.is_empty()
                && let Some(theirs) = typified(&schema)
            {
                let name = format!("{} {}", server.name, tool["name"]);
                pairs.push(peer::Pair { name, schema, theirs, calls });
            }
        }
    }
    println!("{} plain tools have calls", pairs.len());
    let step = pairs.len().div_ceil(COMPILED).max(1);
    let sample: Vec<peer::Pair> = pairs.into_iter().step_by(step).collect();
    let (same, refused, differ) = send("peer", &sample);
    assert!(differ.is_empty(), "{}", differ.join("\n"));
    assert!(same > 100 && refused * 10 <= same, "{same} the same, {refused} refused");
}
