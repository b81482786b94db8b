//! What a project's `cargo build` does with its contracts: generate, mirror, notice every change, and nothing else.

mod scratch;

use scratch::{CHECKOUT, Scratch, contract, stderr, tree};
use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::os::unix::process::CommandExt;
use std::path::Path;
use std::process::Command;

#[test]
fn the_mirror_is_what_compiles() {
    let project = Scratch::project("scratch-mirror");
    let build = project.build();
    assert_eq!(
        tree(&build.out_dir("scratch-mirror").join("toolcast")),
        tree(&project.root().join("generated"))
    );
    assert!(project.read("generated/greet.rs").contains("pub person: String"));
}

#[test]
fn no_change_means_no_work() {
    let project = Scratch::project("scratch-fresh");
    project.build();
    // The first build wrote the mirror, which the build script watches: that alone must not cost a second run.
    assert!(project.build().was_fresh("scratch-fresh"));
    assert!(project.build().was_fresh("scratch-fresh"));
}

#[test]
fn changed_new_renamed_and_deleted_contracts_are_noticed() {
    let project = Scratch::project("scratch-notice");
    project.build();

    project.write("schemas/greet.json", &contract("Greet a person.", "whom"));
    project.build();
    assert!(project.read("generated/greet.rs").contains("pub whom: String"));

    project.write("schemas/team/wave.json", &contract("Wave at a person.", "person"));
    project.build();
    assert!(project.has("generated/team/wave.rs"));

    project.rename("schemas/team/wave.json", "schemas/team/nod.json");
    project.build();
    assert!(project.has("generated/team/nod.rs"));
    assert!(!project.has("generated/team/wave.rs"));

    project.remove("schemas/team");
    project.build();
    assert!(!project.has("generated/team"));
    assert!(project.build().was_fresh("scratch-notice"));
}

#[test]
fn an_edited_or_deleted_mirror_is_restored() {
    let project = Scratch::project("scratch-restore");
    project.build();
    let mirror = tree(&project.root().join("generated"));

    project
        .write("generated/greet.rs", &format!("{}// edited\n", project.read("generated/greet.rs")));
    project.build();
    assert_eq!(tree(&project.root().join("generated")), mirror);

    project.remove("generated");
    project.build();
    assert_eq!(tree(&project.root().join("generated")), mirror);
    assert!(project.build().was_fresh("scratch-restore"));
}

#[test]
fn files_of_other_hands_stay_in_the_mirror() {
    let project = Scratch::project("scratch-others");
    project.write("generated/README.md", "What reviewers should know.\n");
    project.write("generated/by_hand.rs", "pub fn by_hand() {}\n");
    project.build();
    assert!(project.has("generated/README.md"));
    assert!(project.has("generated/by_hand.rs"));
}

#[test]
fn off_writes_no_mirror() {
    let project = Scratch::project("scratch-off");
    let output = project.cargo(["build"]).env("TOOLCAST_MIRROR", "off").output().unwrap();
    assert!(output.status.success(), "{}", stderr(&output));
    assert!(!project.has("generated"));
}

#[test]
fn check_refuses_a_stale_mirror_and_names_the_command() {
    let project = Scratch::project("scratch-check");
    project.build();
    let check = || project.cargo(["build"]).env("TOOLCAST_MIRROR", "check").output().unwrap();
    let fresh = check();
    assert!(fresh.status.success(), "{}", stderr(&fresh));

    project.write("schemas/greet.json", &contract("Greet somebody.", "person"));
    let before = project.files();
    let stale = check();
    assert!(!stale.status.success());
    assert!(stderr(&stale).contains("cargo build"), "{}", stderr(&stale));
    assert!(stderr(&stale).contains("generated/greet.rs"), "{}", stderr(&stale));
    assert_eq!(project.files(), before, "a check writes nothing");
}

#[test]
fn every_fault_of_every_contract_is_in_one_build() {
    let project = Scratch::project("scratch-faults");
    project.write("schemas/nameless.json", r#"{ "type": "object" }"#);
    project.write("schemas/broken.json", "{\n  \"type\": \"object\",\n}\n");
    let printed = project.build_fails();
    assert!(printed.contains("schemas/nameless.json:1:"), "{printed}");
    assert!(printed.contains("schemas/broken.json:3:1"), "{printed}");
    assert!(printed.contains("help: "), "{printed}");
    assert_eq!(
        printed.matches("schemas/broken.json:3:1").count(),
        1,
        "each fault is printed once: {printed}"
    );

    project.remove("schemas/nameless.json");
    project.remove("schemas/broken.json");
    project.build();
}

#[test]
fn a_tree_that_cannot_be_written_to_still_builds() {
    let project = Scratch::project("scratch-read-only");
    let build = project.build();
    let script = build.out_dir("scratch-read-only").parent().unwrap().parent().unwrap().to_owned();
    project.remove("generated");

    // Root may write anywhere, so that the script runs as nobody where the tests run as root. It is copied out of the
    // target folder, which nobody may not be able to reach.
    let place = tempfile::Builder::new().prefix("toolcast-").tempdir().unwrap();
    let out = place.path().join("out");
    fs::create_dir(&out).unwrap();
    let exe = place.path().join("build-script");
    fs::copy(build_script(&script, "scratch-read-only"), &exe).unwrap();
    fs::set_permissions(place.path(), fs::Permissions::from_mode(0o755)).unwrap();
    fs::set_permissions(&out, fs::Permissions::from_mode(0o777)).unwrap();
    fs::set_permissions(project.root().parent().unwrap(), fs::Permissions::from_mode(0o755))
        .unwrap();
    fs::set_permissions(project.root(), fs::Permissions::from_mode(0o555)).unwrap();

    let mut command = Command::new(&exe);
    command
        .current_dir(project.root())
        .env("OUT_DIR", &out)
        .env("CARGO_MANIFEST_DIR", project.root())
        .env_remove("TOOLCAST_MIRROR");
    let root =
        fs::metadata("/proc/self").is_ok_and(|own| std::os::unix::fs::MetadataExt::uid(&own) == 0);
    if root {
        command.uid(65534).gid(65534);
    }
    let output = command.output().unwrap();
    fs::set_permissions(project.root(), fs::Permissions::from_mode(0o755)).unwrap();

    assert!(output.status.success(), "{}", stderr(&output));
    assert!(!scratch::stdout(&output).contains("cargo::error"), "{}", scratch::stdout(&output));
    assert!(out.join("toolcast/greet.rs").is_file());
    assert!(!project.has("generated"));
}

/// The compiled build script whose output folder is given.
fn build_script(_run: &Path, package: &str) -> std::path::PathBuf {
    let folder = scratch::target().join("debug/build");
    fs::read_dir(folder)
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .filter(|path| path.file_name().unwrap().to_str().unwrap().starts_with(package))
        .map(|path| path.join("build-script-build"))
        .filter(|path| path.is_file())
        .max_by_key(|path| fs::metadata(path).unwrap().modified().unwrap())
        .expect("the project was built")
}

#[test]
fn two_builds_on_two_paths_give_the_same_bytes() {
    let one = Scratch::project("scratch-here");
    let other = Scratch::project("scratch-elsewhere");
    for project in [&one, &other] {
        project.write("schemas/team/wave.json", &contract("Wave at a person.", "person"));
    }
    let trees = [("scratch-here", &one), ("scratch-elsewhere", &other)].map(|(name, project)| {
        let build = project.build();
        (tree(&build.out_dir(name).join("toolcast")), tree(&project.root().join("generated")))
    });
    assert_eq!(trees[0], trees[1]);
    for bytes in trees[0].0.values() {
        let text = std::str::from_utf8(bytes).unwrap();
        assert!(!text.contains(one.root().to_str().unwrap()), "no path of this machine: {text}");
    }
}

#[test]
fn a_packaged_library_verifies_and_its_source_stays_as_it_was() {
    packages(&Scratch::project("scratch-library"));
}

#[test]
fn a_packaged_application_verifies_and_its_source_stays_as_it_was() {
    packages(&Scratch::helpdesk("scratch-application"));
}

fn packages(project: &Scratch) {
    project.build();
    // Stale on purpose: the verification build must neither refresh the mirror nor refuse it.
    project.write("generated/mod.rs", "// stale\n");
    let before = project.files();
    let mut arguments: Vec<String> =
        ["package", "--allow-dirty", "--offline"].map(str::to_owned).to_vec();
    for (name, folder) in [
        ("toolcast", "crates/runtime"),
        ("toolcast-codegen", "codegen"),
        ("toolcast-contract", "crates/contract"),
        ("toolcast-schema", "crates/schema"),
        ("toolcast-validate", "crates/validate"),
        ("toolcast-serve", "crates/serve"),
        ("toolcast-templates", "templates"),
    ] {
        // The packaged manifest names versions; this is where they come from until they are published.
        arguments.push("--config".to_owned());
        arguments.push(format!("patch.crates-io.{name}.path={:?}", format!("{CHECKOUT}/{folder}")));
    }
    let output = project.cargo(&arguments).output().unwrap();
    assert!(output.status.success(), "{}", stderr(&output));
    assert!(stderr(&output).contains("Verifying"), "{}", stderr(&output));
    assert_eq!(project.files(), before);
}
