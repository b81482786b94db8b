//! What the one reader of files takes, and what it refuses without waiting.

use camino::{Utf8Path, Utf8PathBuf};
use std::fs;
use toolcast_contract::reader::{Root, Unread, read_named};

fn folder() -> (tempfile::TempDir, Utf8PathBuf) {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let path = folder.path().canonicalize().expect("it is there");
    let path = Utf8PathBuf::from_path_buf(path).expect("its path is UTF-8");
    (folder, path)
}

#[test]
fn a_file_is_read_whole_or_not_at_all() {
    let (_guard, root) = folder();
    fs::write(root.join("a.json"), "1234").expect("the folder is ours");
    fs::create_dir(root.join("b.json")).expect("the folder is ours");
    let within = Root::folder(&root).expect("it is there");
    let content = within.read("a.json".into(), 4).expect("it is a file");
    assert_eq!((content.bytes.as_slice(), content.linked), (&b"1234"[..], false));
    assert!(matches!(within.read("a.json".into(), 3), Err(Unread::TooLarge(3))));
    assert!(matches!(within.read("b.json".into(), 3), Err(Unread::NoFile)));
    assert!(within.read("c.json".into(), 3).is_err_and(|unread| unread.is_missing()));
    assert!(matches!(within.read("../x".into(), 3), Err(Unread::Io(_) | Unread::Leaves)));
    assert_eq!(read_named(&root.join("a.json"), 4).expect("it is a file"), content);
}

#[cfg(unix)]
#[test]
fn links_stay_in_the_folder_and_lead_to_nothing_hidden() {
    use std::os::unix::fs::symlink;
    let (_guard, root) = folder();
    let (_other, outside) = folder();
    fs::create_dir_all(root.join("in/.git")).expect("the folder is ours");
    for path in [outside.join("secret"), root.join("in/real"), root.join("in/.git/config")] {
        fs::write(path, "text").expect("the folder is ours");
    }
    fs::write(root.join("in/.named"), "text").expect("the folder is ours");
    for (target, link) in [
        (outside.join("secret"), "in/out"),
        (outside.clone(), "in/folder"),
        ("real".into(), "in/fine"),
        ("fine".into(), "in/twice"),
        (".git/config".into(), "in/hidden"),
        ("..".into(), "in/up"),
    ] {
        symlink(target, root.join(link)).expect("the folder is ours");
    }
    let within = Root::folder(&root.join("in")).expect("it is there");
    for path in ["out", "folder/secret", "hidden", "up/in/hidden"] {
        let read = within.read(path.into(), 9);
        assert!(matches!(read, Err(Unread::Leaves)), "{path}: {read:?}");
    }
    for (path, linked) in [("real", false), ("fine", true), ("twice", true), (".named", false)] {
        assert_eq!(within.read(path.into(), 9).expect(path).linked, linked, "{path}");
    }
}

#[cfg(unix)]
#[test]
fn a_path_elsewhere_is_trusted_but_for_its_last_part() {
    use std::os::unix::fs::symlink;
    let (_guard, root) = folder();
    let (_other, outside) = folder();
    fs::write(outside.join("tools.json"), "[]").expect("the folder is ours");
    symlink(&outside, root.join("known")).expect("the folder is ours");
    symlink(outside.join("tools.json"), root.join("tools.json")).expect("the folder is ours");
    assert!(read_named(&root.join("known/tools.json"), 9).is_ok());
    assert!(matches!(read_named(&root.join("tools.json"), 9), Err(Unread::Leaves)));
    // Below a working tree's root, what the tree holds may be led to.
    fs::create_dir_all(root.join("deep/er")).expect("the folder is ours");
    fs::create_dir(root.join(".git")).expect("the folder is ours");
    fs::write(root.join("shared"), "x").expect("the folder is ours");
    symlink("../../shared", root.join("deep/er/link")).expect("the folder is ours");
    assert!(read_named(&root.join("deep/er/link"), 9).is_ok_and(|content| content.linked));
}

#[cfg(unix)]
#[test]
fn pipes_and_devices_are_refused_at_once() {
    let (_guard, root) = folder();
    let pipe = root.join("pipe.json");
    let made = std::process::Command::new("mkfifo").arg(&pipe).status();
    assert!(made.expect("every unix has mkfifo").success());
    let within = Root::folder(&root).expect("it is there");
    assert!(matches!(within.read("pipe.json".into(), 9), Err(Unread::NoFile)));
    for device in ["/dev/zero", "/dev/tty", "/dev/stdin"] {
        let read = read_named(Utf8Path::new(device), 9);
        assert!(read.is_err(), "{device}: {read:?}");
    }
}
