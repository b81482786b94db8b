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
