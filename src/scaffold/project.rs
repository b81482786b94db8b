//! `toolcast init`: a project with one tool that builds and runs at once.

use super::create;
use crate::cli::Init;
use crate::failure::Failure;
use camino::{Utf8Path, Utf8PathBuf};
use toolcast_codegen::contract::one_line;
use toolcast_codegen::contract::reader::Root;

/// Bytes of a `Cargo.lock` that is taken over: 16 MiB.
const LARGEST_LOCK: usize = 16 << 20;

/// What a new project is made of: where each file goes, and its text.
const FILES: &[(&str, &str)] = &[
    ("build.rs", include_str!("project/build.rs")),
    ("schemas/greet.json", include_str!("project/greet.json")),
    ("src/main.rs", include_str!("project/main.rs")),
    ("src/handlers/mod.rs", include_str!("project/handlers.rs")),
    ("src/handlers/greet.rs", include_str!("project/greet.rs")),
    (".gitattributes", "generated/** linguist-generated text eol=lf\n"),
    (".gitignore", "/target\n"),
];

/// Writes the project and returns its package name.
pub fn init(options: &Init) -> Result<String, Failure> {
    // The bindings follow once the project stands: what would stop them stops it before.
    for folder in [options.dir.clone(), options.dir.join("generated")] {
        if let Some(failure) = Failure::no_folder(&folder) {
            return Err(failure);
        }
    }
    let name = package_name(options)?;
    let checkout = options.toolcast_path.as_deref().map(checkout).transpose()?;
    let mut files: Vec<(Utf8PathBuf, String)> = FILES
        .iter()
        .map(|(path, text)| (options.dir.join(path), text.replace("{{name}}", &name)))
        .collect();
    files.push((
        options.dir.join("Cargo.toml"),
        manifest(&name, checkout.as_deref(), inside_workspace(&options.dir)),
    ));
    // The checkout's own choice of versions is the one that was tested, and needs nothing that is not already fetched.
    let lock = checkout.and_then(|checkout| {
        let content = Root::folder(&checkout).ok()?.read("Cargo.lock".into(), LARGEST_LOCK).ok()?;
        String::from_utf8(content.bytes).ok()
    });
    if let Some(lock) = lock {
        files.push((options.dir.join("Cargo.lock"), lock));
    }
    // A fresh repository often has these already, and they serve as well.
    files.retain(|(path, _)| {
        let of_git = path.file_name().is_some_and(|name| name.starts_with(".git"));
        !(of_git && path.exists())
    });
    create(&files)?;
    Ok(name)
}

fn manifest(name: &str, checkout: Option<&Utf8Path>, nested: bool) -> String {
    let source = |folder: &str| match checkout {
        Some(checkout) => format!("path = {}", toml_string(checkout.join(folder).as_str())),
        None => format!("version = {}", toml_string(env!("CARGO_PKG_VERSION"))),
    };
    let mut manifest = include_str!("project/Cargo.toml.in")
        .replace("{{name}}", &toml_string(name))
        .replace("{{toolcast}}", &source("crates/runtime"))
        .replace("{{serve}}", &source("crates/serve"))
        .replace("{{codegen}}", &source("codegen"));
    if nested {
        manifest.push_str(
            "\n# A workspace of its own. To make it a member of the one around it, add it there and drop this.\n[workspace]\n",
        );
    }
    manifest
}

/// A TOML basic string. JSON's escapes are a subset of TOML's, but for the one control character JSON lets stand.
fn toml_string(text: &str) -> String {
    serde_json::Value::from(text).to_string().replace('\u{7f}', "\\u007f")
}

/// The folder of a checkout, absolute, so that the project may be moved.
fn checkout(path: &Utf8Path) -> Result<Utf8PathBuf, Failure> {
    let path = path.canonicalize_utf8().map_err(|error| Failure::io(path, &error))?;
    for part in ["crates/runtime", "crates/serve", "codegen"] {
        if !path.join(part).join("Cargo.toml").is_file() {
            return Err(Failure::new(format!(
                "{}: not a checkout of Toolcast: it has no `{part}/Cargo.toml`",
                one_line(path.as_str())
            ))
            .help("give the folder that holds Toolcast's own Cargo.toml"));
        }
    }
    Ok(path)
}

fn package_name(options: &Init) -> Result<String, Failure> {
    if let Some(name) = &options.name {
        return match is_package_name(name) {
            true => Ok(name.clone()),
            false => Err(Failure::new(format!("{name:?} is no package name"))
                .help("use a-z, 0-9, `_` and `-`, and start with a letter")),
        };
    }
    // `.` and `..` have no name of their own.
    let full = std::path::absolute(&options.dir)
        .ok()
        .and_then(|path| Utf8PathBuf::from_path_buf(path).ok());
    let folder = match options.dir.canonicalize_utf8().ok().or(full) {
        Some(path) => path.file_name().unwrap_or_default().to_lowercase(),
        None => String::new(),
    };
    let name: String = folder
        .chars()
        .map(|c| if c.is_ascii_alphanumeric() || c == '_' { c } else { '-' })
        .collect();
    let name = name.trim_matches('-').to_owned();
    match is_package_name(&name) {
        true => Ok(name),
        false => {
            let dir = one_line(options.dir.as_str());
            Err(Failure::new(format!("{dir}: no package can be named after this folder"))
                .help("name the package with `--name`"))
        }
    }
}

fn is_package_name(name: &str) -> bool {
    // The first three are crates that the project links; cargo itself refuses the rest.
    const TAKEN: &[&str] = &[
        "toolcast",
        "toolcast-codegen",
        "toolcast-serve",
        "core",
        "std",
        "alloc",
        "test",
        "proc-macro",
        "proc_macro",
    ];
    name.len() <= 64
        && name.starts_with(|c: char| c.is_ascii_lowercase())
        && name
            .chars()
            .all(|c| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '_' || c == '-')
        && !TAKEN.contains(&name)
        && !KEYWORDS.contains(&name)
}

/// Words that name no package because they name no crate.
const KEYWORDS: &[&str] = &[
    "abstract", "as", "async", "await", "become", "box", "break", "const", "continue", "crate",
    "do", "dyn", "else", "enum", "extern", "false", "final", "fn", "for", "gen", "if", "impl",
    "in", "let", "loop", "macro", "match", "mod", "move", "mut", "override", "priv", "pub", "ref",
    "return", "self", "static", "struct", "super", "trait", "true", "try", "type", "typeof",
    "unsafe", "unsized", "use", "virtual", "where", "while", "yield",
];

/// Whether a folder around `dir` holds a Cargo.toml: cargo would take a package there for a forgotten member.
fn inside_workspace(dir: &Utf8Path) -> bool {
    let Ok(dir) = std::path::absolute(dir) else { return false };
    dir.ancestors().skip(1).any(|folder| folder.join("Cargo.toml").is_file())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn name_of(dir: &str) -> Option<String> {
        package_name(&Init { dir: dir.into(), toolcast_path: None, name: None }).ok()
    }

    #[test]
    fn the_folder_names_the_package() {
        assert_eq!(name_of("/a/shop").as_deref(), Some("shop"));
        assert_eq!(name_of("/a/My Shop (2)").as_deref(), Some("my-shop--2"));
        assert_eq!(name_of("/a/2nd"), None);
        assert_eq!(name_of("/a/match"), None);
        assert_eq!(name_of("/"), None);
    }

    #[test]
    fn a_path_with_quotes_stays_one_string() {
        assert_eq!(toml_string("a\"b\\c\nd\u{7f}"), r#""a\"b\\c\nd\u007f""#);
    }
}
