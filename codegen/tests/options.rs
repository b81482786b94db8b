//! What a build script may ask for, and what it is told where it asks for what there is not.

use camino::Utf8Path;
use toolcast_codegen::{Files, Options, render_with};

fn rendered(options: &Options) -> Result<Files, String> {
    let golden = Utf8Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/golden/definitions/schemas");
    let (catalog, diagnostics) = toolcast_contract::load(&golden);
    assert!(diagnostics.is_empty(), "{diagnostics:#?}");
    render_with(&catalog, options).map_err(|error| error.to_string())
}

#[test]
fn attributes_and_derives_reach_the_types_that_a_pattern_fits() {
    let options = Options::default()
        .derive("defs::money::*", "Eq")
        .derive("Money", "Hash")
        .type_attribute("defs::shapes::C*e", "#[non_exhaustive]\n#[must_use = \"it\"]");
    let files = rendered(&options).expect("the options are right");
    let money = files.get("defs/money.rs").expect("it is shared");
    // The enum of words has both already.
    assert_eq!(money.matches("#[derive(Eq, Hash)]\npub struct Money").count(), 1, "{money}");
    assert_eq!(money.matches("#[derive(Eq").count(), 1, "{money}");
    let shapes = files.get("defs/shapes.rs").expect("it is shared");
    let wanted = "#[non_exhaustive]\n#[must_use = \"it\"]\npub struct Circle {";
    assert!(shapes.contains(wanted), "{shapes}");
    assert_eq!(shapes.matches("#[non_exhaustive]").count(), 1, "{shapes}");
}

#[test]
fn contracts_are_chosen_by_file_or_name() {
    let paths = |options: Options| -> Vec<String> {
        let files = rendered(&options).expect("the options are right");
        files
            .iter()
            .map(|(path, _)| path.to_string())
            .filter(|path| !path.contains("defs"))
            .collect()
    };
    let orders = [
        "mod.rs",
        "orders/mod.rs",
        "orders/place.input.json",
        "orders/place.output.json",
        "orders/place.rs",
    ];
    assert_eq!(paths(Options::default().include("orders/*")), orders);
    assert_eq!(paths(Options::default().exclude("track")), orders);
    // What only the contract that is left out refers to goes with it.
    let files = rendered(&Options::default().include("place")).expect("the options are right");
    assert!(files.get("defs/tree.rs").is_none() && files.get("defs/money.rs").is_some());
}

#[test]
fn every_wrong_option_is_told_with_its_remedy() {
    let told = |options: Options| rendered(&options).expect_err("the options are wrong");
    let both = told(Options::default().derive("Money", "a b").type_attribute("Nobody", "allow"));
    let lines: Vec<&str> = both.lines().collect();
    // What the parser says of the text is its own business.
    assert!(lines[0].starts_with("`type_attribute`: `allow` is none: "), "{both}");
    assert!(lines[4].starts_with("`derive`: `a b` is none: "), "{both}");
    assert_eq!(
        [lines[1], lines[2], lines[3], lines[5]],
        [
            "  help: write one such as `#[non_exhaustive]`",
            "`type_attribute`: no type fits `Nobody`",
            "  help: write a path such as `defs::*` or a name; `*` stands for any characters",
            "  help: write one such as `Eq`",
        ]
    );
    for text in ["", "// x", "#![allow(dead_code)]", "#[a] struct Other;", "#[unclosed"] {
        let told = told(Options::default().type_attribute("Money", text));
        assert!(told.starts_with("`type_attribute`: `"), "{told}");
    }
    assert_eq!(
        told(Options::default().include("nobody/*").exclude("no\none")),
        "`include`: no contract fits `nobody/*`\n  \
           help: write a file such as `boards/*`; `*` stands for any characters\n\
         `exclude`: no contract fits `no\\none`\n  \
           help: write a file such as `boards/*`; `*` stands for any characters"
    );
}

#[test]
fn types_of_the_users_own_are_checked() {
    let files = rendered(
        &Options::default()
            .extern_type("defs::address::Country", "crate::Country")
            .extern_type("Circle", "::shapes::Circle")
            .extern_type("defs::money::*", "crate::Money"),
    );
    // The result of one contract is the definition itself.
    assert_eq!(
        files.expect_err("a whole result is not converted"),
        "`extern_type`: orders/place.json: its whole `Output` would be made of `crate::Money`\n  \
           help: make it an object with such a member; only a member or a branch is converted"
    );
    let files = rendered(
        &Options::default()
            .extern_type("defs::address::Country", "crate::Country")
            .extern_type("Circle", "::shapes::Circle"),
    )
    .expect("the options are right");
    let address = files.get("defs/address.rs").expect("it is shared");
    assert!(address.contains("pub country: crate::Country,"), "{address}");
    assert!(address.contains("country via (convert::Text, \"a `Country`\")"), "{address}");
    assert!(!address.contains("pub enum Country"), "{address}");
    let shapes = files.get("defs/shapes.rs").expect("it is shared");
    assert!(shapes.contains("Circle(::shapes::Circle)"), "{shapes}");
    let branch = "Circle via (convert::Serde, \"a `Circle`\") = \"circle\"";
    assert!(shapes.contains(branch), "{shapes}");

    let told = |what: &str, path: &str| {
        rendered(&Options::default().extern_type(what, path)).expect_err("the option is wrong")
    };
    for path in
        ["", "Uuid", "uuid::Uuid", "::uuid::", "::a b", "crate::A; fn f() {}", "::a<", "&::a::B"]
    {
        let told = told("Circle", path);
        assert!(told.starts_with("`extern_type`: `"), "{told}");
        assert!(
            told.contains("` is no path of a type\n  help: write one such as `::uuid::Uuid`"),
            "{told}"
        );
    }
    let nothing = "`extern_type`: no string has the format `uu\\nid`, and no shared definition that a contract uses fits it\n  \
        help: write a format such as `uuid`, or a path such as `defs::money::Money`; the first that fits counts";
    assert_eq!(told("uu\nid", "::uuid::Uuid"), nothing);
    let twice =
        Options::default().extern_type("Circle", "crate::A").extern_type("Circle", "crate::B");
    assert!(rendered(&twice).expect_err("the first counts").contains("`Circle`"));
}

#[test]
fn a_format_that_no_validator_knows_tells_no_branch() {
    let folder = Utf8Path::new(env!("CARGO_TARGET_TMPDIR")).join("unasserted");
    std::fs::create_dir_all(&folder).expect("the scratch folder is ours");
    let told = |branches: &str| {
        let contract = format!(
            r#"{{ "$schema": "https://json-schema.org/draft/2020-12/schema", "description": "Pay.", "type": "object",
            "properties": {{ "sum": {{ "anyOf": [{branches}] }} }} }}"#
        );
        std::fs::write(folder.join("pay.json"), contract).expect("the scratch folder is ours");
        let (catalog, diagnostics) = toolcast_contract::load(&folder);
        assert!(diagnostics.is_empty(), "{diagnostics:#?}");
        let options = Options::default().extern_type("decimal", "::rust_decimal::Decimal");
        render_with(&catalog, &options).map(|_| ()).map_err(|error| error.to_string())
    };
    let (decimal, text) =
        (r#"{ "type": "string", "format": "decimal" }"#, r#"{ "type": "string", "maxLength": 3 }"#);
    assert_eq!(
        told(&format!("{decimal}, {text}")).expect_err("any string fits the first"),
        "`extern_type`: pay.json: in `Sum`, no validator tells a `decimal` from the other strings\n  \
           help: put that branch behind them, or leave out its `format`"
    );
    // Behind the others it takes what they leave.
    assert_eq!(told(&format!("{text}, {decimal}")), Ok(()));
    assert_eq!(told(&format!(r#"{decimal}, {{ "type": "integer" }}"#)), Ok(()));
}
