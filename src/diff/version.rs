//! The two versions that are compared, from wherever they come. What a person names is told apart by how it is written,
//! never by what happens to exist: whoever adds a folder of a revision's name changes nothing.

use super::Question;
use super::git::{Base, Repository};
use crate::failure::Failure;
use camino::{Utf8Path, Utf8PathBuf};
use serde_json::Value;
use toolcast_codegen::contract::{
    Catalog, Diagnostic, Limits, Severity, Sources, one_line, reader, text,
};

/// What to compare with.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Against {
    /// A revision of the current folder's repository.
    Revision(String),
    /// A folder or a file.
    Path(Utf8PathBuf),
}

impl Against {
    /// What a person wrote: a path where it begins as one (`./`, `../`, `/`), ends in `/` or in `.json`; else a revision.
    pub fn written(text: &str) -> Self {
        let is_path = ["./", "../", "/"].iter().any(|start| text.starts_with(start))
            || [".", ".."].contains(&text)
            || text.ends_with('/')
            || text.ends_with(".json")
            || Utf8Path::new(text).is_absolute()
            || (cfg!(windows) && text.contains('\\'));
        match is_path {
            true => Self::Path(text.into()),
            false => Self::Revision(text.to_owned()),
        }
    }
}

/// One version.
pub enum Version {
    /// Contracts.
    Contracts(Contracts),
    /// A bare JSON Schema.
    Bare {
        /// How messages name it.
        name: String,
        /// The schema.
        value: Value,
    },
}

/// The contracts of one version.
pub struct Contracts {
    /// How messages name it.
    pub name: String,
    /// What could be read.
    pub catalog: Catalog,
    /// What could not, each with the bytes of its file.
    pub faults: Vec<(Diagnostic, Vec<u8>)>,
}

/// Both versions.
pub struct Versions {
    /// What was compared with.
    pub old: Version,
    /// What was compared.
    pub new: Version,
    /// Where the old one comes from a commit: the repository, the commit, and the folder in it.
    pub origin: Option<Origin>,
    /// What should be said of the comparison as a whole.
    pub notes: Vec<String>,
}

/// The commit that the old version comes from.
pub struct Origin {
    /// The repository.
    pub repository: Repository,
    /// The commit; `None` where it was said that there is none yet.
    pub commit: Option<String>,
    /// The folder of contracts, as the repository has it.
    pub folder: Utf8PathBuf,
}

impl Version {
    /// How messages name it.
    pub fn name(&self) -> &str {
        match self {
            Self::Contracts(contracts) => &contracts.name,
            Self::Bare { name, .. } => name,
        }
    }
}

/// Both versions, read.
pub fn versions(question: &Question) -> Result<Versions, Failure> {
    let here = question.schemas.as_path();
    let plain = |old, new| Versions { old, new, origin: None, notes: Vec::new() };
    if question.bare.is_some() {
        let Some(old) = question.against_path() else {
            return Err(Failure::new("bare schemas are compared file by file")
                .help("`toolcast diff --as input --against OLD.json NEW.json`"));
        };
        return Ok(plain(bare(&old)?, bare(here)?));
    }
    if let Some(failure) = here.is_dir().then(|| Failure::no_folder(here)).flatten() {
        return Err(failure);
    }
    let versions = match &question.against {
        Some(Against::Path(old)) => {
            exists(old)?;
            exists(here)?;
            match (old.is_dir(), here.is_dir()) {
                (true, true) => plain(folder(old), folder(here)),
                (false, false) => plain(file(old)?, file(here)?),
                _ => {
                    return Err(Failure::new(format!(
                        "{} and {}: a folder is compared with a folder, a file with a file",
                        one_line(old.as_str()),
                        one_line(here.as_str())
                    )));
                }
            }
        }
        _ => from_git(question)?,
    };
    some_tools(&versions, question)?;
    Ok(versions)
}

fn exists(path: &Utf8Path) -> Result<(), Failure> {
    if path.exists() {
        return Ok(());
    }
    let shown = one_line(path.as_str());
    Err(Failure::new(format!("{shown}: there is no such folder or file"))
        .help("name the folder that holds the contracts; a revision is written without `./`, `/` or `.json`"))
}

/// The working tree, against a commit.
fn from_git(question: &Question) -> Result<Versions, Failure> {
    let here = question.schemas.as_path();
    if here.is_file() {
        let shown = one_line(here.as_str());
        return Err(Failure::new(format!("{shown}: a file is compared with a file"))
            .help("`toolcast diff --against ./OLD.json NEW.json`"));
    }
    // Where nothing is known of the path, a repository could not help.
    let gone = !here.exists();
    let repository = match Repository::open() {
        Err(_) if gone => return Err(no_folder(here)),
        repository => repository?,
    };
    let new_folder = repository.inside(here)?;
    let folder_then = question.base_schemas.as_deref().unwrap_or(here);
    let old_folder = match &question.base_schemas {
        Some(folder) => repository.inside(folder)?,
        None => new_folder,
    };
    let base = match base(&repository, question) {
        Err(_) if question.allow_empty_base && !has_base(&repository, question) => None,
        base => Some(base?),
    };
    let mut notes = Vec::new();
    let (name, tree, commit) = match base {
        None => ("no earlier version".to_owned(), Default::default(), None),
        Some(base) => {
            let tree = repository.tree(&base.commit, &old_folder, folder_then)?;
            // Who names a commit knows it.
            if question.against.is_none() && repository.is_head(&base.commit) {
                notes.push(format!(
                    "{} is the commit that is checked out: only what is not committed was compared",
                    base.name
                ));
            }
            (base.name, tree, Some(base.commit))
        }
    };
    let mut old = contracts(name, &Sources::from_files(folder_then, tree.files));
    old.faults.extend(tree.faults.into_iter().map(|fault| (fault, Vec::new())));
    if gone && old.catalog.contracts.is_empty() && old.faults.is_empty() {
        return Err(no_folder(here));
    }
    let new = match gone {
        // Its tools are gone, and that is what is to be said.
        true => contracts(shown(here), &Sources::from_files(here, [])),
        false => read_folder(here),
    };
    Ok(Versions {
        old: Version::Contracts(old),
        new: Version::Contracts(new),
        origin: Some(Origin { repository, commit, folder: old_folder }),
        notes,
    })
}

fn base(repository: &Repository, question: &Question) -> Result<Base, Failure> {
    match &question.against {
        Some(Against::Revision(revision)) if question.merge_base => repository.merge_base(revision),
        Some(Against::Revision(revision)) => {
            Ok(Base { commit: repository.commit(revision)?, name: one_line(revision).into_owned() })
        }
        _ => repository.base(),
    }
}

/// Whether there may be something to compare with: not in a repository without commits, nor before the push that made the
/// branch.
fn has_base(repository: &Repository, question: &Question) -> bool {
    let nothing =
        |revision: &str| !revision.is_empty() && revision.bytes().all(|byte| byte == b'0');
    let made = matches!(&question.against, Some(Against::Revision(revision)) if nothing(revision));
    !made && repository.has_commits()
}

fn no_folder(path: &Utf8Path) -> Failure {
    Failure::new(format!("{}: there is no such folder or file", one_line(path.as_str())))
        .help("name the folder that holds the contracts")
}

/// A comparison with nothing is no comparison, and never "no change".
fn some_tools(versions: &Versions, question: &Question) -> Result<(), Failure> {
    let (Version::Contracts(old), Version::Contracts(new)) = (&versions.old, &versions.new) else {
        return Ok(());
    };
    let empty = |side: &Contracts| side.catalog.contracts.is_empty() && side.faults.is_empty();
    let shown = shown(&question.schemas);
    if empty(old) && empty(new) {
        return Err(Failure::new(format!(
            "there are no contracts in {shown}, and none in {}: nothing was compared",
            old.name
        ))
        .help("name the folder that holds the contracts"));
    }
    if empty(old) && !question.allow_empty_base {
        let then = question.base_schemas.as_deref().map_or(shown, self::shown);
        return Err(Failure::new(format!(
            "there are no contracts in {then} at {}: nothing to compare with",
            old.name
        ))
        .help(
            "if the folder was moved, say where it was with `--base-schemas DIR`; if these are the first contracts, \
             say `--allow-empty-base`",
        ));
    }
    Ok(())
}

/// One file, no larger than a contract may be.
fn read(path: &Utf8Path) -> Result<reader::Content, Failure> {
    reader::read_named(path, Limits::default().file_bytes)
        .map_err(|unread| Failure::unread(path, &unread))
}

/// A path as messages show it.
fn shown(path: &Utf8Path) -> String {
    one_line(path.as_str()).into_owned()
}

fn contracts(name: String, sources: &Sources) -> Contracts {
    let (catalog, diagnostics) = Catalog::parse(sources, &Limits::default());
    let faults = diagnostics.into_iter().filter(|fault| fault.severity == Severity::Error);
    let faults = faults.map(|fault| {
        let inner = fault.file.strip_prefix(sources.root()).ok();
        let bytes = inner.and_then(|path| sources.bytes(path)).unwrap_or_default().to_vec();
        (fault, bytes)
    });
    let faults = faults.collect();
    Contracts { name, catalog, faults }
}

fn read_folder(path: &Utf8Path) -> Contracts {
    contracts(shown(path), &Sources::read(path))
}

fn folder(path: &Utf8Path) -> Version {
    Version::Contracts(read_folder(path))
}

/// One contract. Its name is the same on both sides, or every comparison of two files would find a rename.
fn file(path: &Utf8Path) -> Result<Version, Failure> {
    let content = read(path)?;
    let parent = path.parent().unwrap_or(Utf8Path::new(""));
    let name = path.file_name().unwrap_or("contract.json");
    let sources = Sources::from_files(parent, [(name.into(), content.bytes)]);
    let mut found = contracts(shown(path), &sources);
    if content.linked && !found.faults.is_empty() {
        // What a link leads to may not be checked in, and is not for everyone to read.
        return Err(Failure::new(format!("{} leads to what is no contract", shown(path)))
            .help("name the file itself"));
    }
    if let Some((first, _)) = found.faults.first() {
        return Err(Failure::new(format!("{} is no contract:\n{first}", one_line(path.as_str())))
            .help("compare bare JSON Schemas with `--as input` or `--as output`"));
    }
    for contract in &mut found.catalog.contracts {
        contract.name = "contract".to_owned();
    }
    Ok(Version::Contracts(found))
}

fn bare(path: &Utf8Path) -> Result<Version, Failure> {
    let bytes = read(path)?.bytes;
    let named = one_line(path.as_str());
    let text = text(&bytes)
        .map_err(|fault| Failure::new(format!("{named}: {}", fault.message)).help(fault.help))?;
    let value = serde_json::from_str(text)
        .map_err(|error| Failure::new(format!("{named}: not JSON: {error}")))?;
    Ok(Version::Bare { name: shown(path), value })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_and_revisions_are_told_apart_by_how_they_are_written() {
        for path in ["./old", "../old", "/tmp/old", ".", "..", "old/", "old.json", "a/b.json"] {
            assert_eq!(Against::written(path), Against::Path(path.into()), "{path}");
        }
        for revision in ["main", "v1.4.0", "origin/main", "HEAD~1", "a.json~0", "-p", "@{u}"] {
            assert_eq!(Against::written(revision), Against::Revision(revision.into()));
        }
    }
}
