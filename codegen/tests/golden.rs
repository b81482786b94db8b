//! Each folder of `golden/` is a schemas folder and what it becomes. A new test is a new folder;
//! `UPDATE_EXPECT=1 cargo test -p toolcast-codegen --test golden` writes what is expected.

use camino::{Utf8Path, Utf8PathBuf};
use toolcast_codegen::{Mode, Options, place, render_with};

fn cases() -> Vec<Utf8PathBuf> {
    let folder = Utf8Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/golden");
    let mut cases: Vec<_> = folder
        .read_dir_utf8()
        .expect("the folder is part of the crate")
        .map(|entry| entry.expect("its entries are UTF-8").path().to_owned())
        .collect();
    cases.sort();
    cases
}

/// What is asked beyond the contracts.
fn options(case: &Utf8Path) -> Options {
    match case.file_name() {
        Some("externs") => Options::default()
            .extern_type("uuid", "::uuid::Uuid")
            .extern_type("defs::colour::*", "crate::Colour")
            .extern_type("Point", "crate::Point"),
        _ => Options::default(),
    }
}

#[test]
fn contracts_become_what_is_expected() {
    let bless = std::env::var_os("UPDATE_EXPECT").is_some();
    let mut wrong = Vec::new();
    for case in cases() {
        let (catalog, diagnostics) = toolcast_contract::load(&case.join("schemas"));
        assert!(diagnostics.is_empty(), "{case}: {diagnostics:#?}");
        let files = render_with(&catalog, &options(&case))
            .unwrap_or_else(|error| panic!("{case}: {error}"));
        let mode = if bless { Mode::Write } else { Mode::Check };
        let report = place(&files, &case.join("expected"), mode)
            .unwrap_or_else(|error| panic!("{case}: {error}"));
        if !bless && !report.is_clean() {
            wrong.push(format!("{case}: {report:?}"));
        }
    }
    assert!(
        wrong.is_empty(),
        "run with UPDATE_EXPECT=1 and read the difference:\n{}",
        wrong.join("\n")
    );
}

#[test]
fn every_case_is_compiled() {
    let compiled = include_str!("compiles.rs");
    for case in cases() {
        let line = format!(
            "include!(\"golden/{}/expected/mod.rs\");",
            case.file_name().unwrap_or_default()
        );
        assert!(compiled.contains(&line), "compiles.rs lacks {line}");
    }
}

#[test]
fn a_name_that_is_not_used_is_told_of() {
    let folder = Utf8Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/golden/names/schemas");
    let (catalog, _) = toolcast_contract::load(&folder);
    let notes = toolcast_codegen::notes(&catalog).expect("the goldens meet no bound");
    let told: Vec<String> = notes
        .iter()
        .filter(|note| note.rule == toolcast_codegen::UNUSED_NAME)
        .map(|note| {
            let position = note.position.expect("it stands in a file");
            format!("{}: {}", position.line, note.message)
        })
        .collect();
    let wanted = [
        "12: `x-rust-name` is not used: `two words` is no name; write one like `SortOrder` for a type or variant, `sort_order` for a field",
        "13: `x-rust-name` is not used: nothing here is a type or a variant that could be called `Scalar`",
        "14: `x-rust-name` is not used: generated code needs `Error` for itself",
        "16: `x-rust-name` is not used: `/properties/first` asks for `twice` too, and only one can have it",
    ];
    assert_eq!(told, wanted);
}

#[test]
fn what_no_type_says_is_listed_with_its_place() {
    let folder = Utf8Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/golden/value/schemas");
    let (catalog, _) = toolcast_contract::load(&folder);
    let notes = toolcast_codegen::notes(&catalog).expect("the goldens meet no bound");
    let told: Vec<String> = notes.iter().map(|note| note.message.clone()).collect();
    assert!(notes.iter().all(|note| note.position.is_some()), "{notes:#?}");
    for reason in [
        "it has no `type`, so that any value fits",
        "its items differ by position and their number is not fixed",
    ] {
        assert!(told.iter().any(|message| message.ends_with(reason)), "{told:#?}");
    }
}
