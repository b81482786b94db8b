//! What in an output folder is ours. The indexes that stand there are the manifest of what was written: a header alone, which
//! anyone can write, gives nobody's file away. No link is followed.

use super::{LARGEST, kind, source};
use crate::Error;
use crate::render::MARK;
use camino::{Utf8Path, Utf8PathBuf};
use std::collections::{BTreeMap, BTreeSet};
use std::io;
use toolcast_contract::reader::read_regular;

/// Folders deeper than any contract's.
const DEEPEST: usize = 64;

/// An output folder, as it is found.
pub(super) struct Known<'a> {
    folder: &'a Utf8Path,
    /// Folders below it that were looked at, and whether they may be written into.
    folders: BTreeMap<Utf8PathBuf, Option<(Utf8PathBuf, &'static str)>>,
}

impl<'a> Known<'a> {
    pub(super) fn new(folder: &'a Utf8Path) -> Self {
        Self { folder, folders: BTreeMap::new() }
    }

    /// What stands on the way to a path below the folder where a folder should, or nothing should yet.
    pub(super) fn obstacle(
        &mut self,
        path: &Utf8Path,
    ) -> Result<Option<(Utf8PathBuf, &'static str)>, Error> {
        let Some(parent) = path.parent().filter(|parent| !parent.as_str().is_empty()) else {
            return Ok(None);
        };
        if let Some(known) = self.folders.get(parent) {
            return Ok(known.clone());
        }
        let mut found = self.obstacle(parent)?;
        if found.is_none() {
            let here = self.folder.join(parent);
            match here.symlink_metadata() {
                Ok(metadata) if metadata.is_dir() => {}
                Ok(_) => found = Some((here.clone(), kind(&here))),
                Err(error) if error.kind() == io::ErrorKind::NotFound => {}
                Err(source) => return Err(Error::Io { path: here, source }),
            }
        }
        self.folders.insert(parent.to_owned(), found.clone());
        Ok(found)
    }

    /// Whether a file that stands where one of ours goes is ours: a Rust file carries our header; a schema is named by the
    /// Rust file beside it or, where that is gone, its module by the index.
    pub(super) fn is_ours(&self, path: &Utf8Path, bytes: &[u8]) -> bool {
        if path.extension() == Some("rs") {
            return bytes.starts_with(MARK.as_bytes());
        }
        let Some(module) = module_of(path) else { return false };
        match self.text(&module) {
            Some(text) => {
                text.starts_with(MARK) && schemas(&module, &text).any(|named| named == path)
            }
            None => {
                let index = self.text(&module.with_file_name("mod.rs")).unwrap_or_default();
                !self.folder.join(&module).exists()
                    && index.starts_with(MARK)
                    && modules(&index).any(|name| Some(name) == module.file_stem())
            }
        }
    }

    /// The files that the indexes name, and that were made from the schemas folder `label`. What is `right` already, and so
    /// names nothing that is to go, is passed over.
    pub(super) fn named(
        &mut self,
        label: &str,
        right: &BTreeSet<&Utf8Path>,
    ) -> BTreeSet<Utf8PathBuf> {
        let mut named = BTreeSet::new();
        self.index(label, Utf8Path::new(""), right, &mut named);
        named
    }

    fn index(
        &mut self,
        label: &str,
        folder: &Utf8Path,
        right: &BTreeSet<&Utf8Path>,
        named: &mut BTreeSet<Utf8PathBuf>,
    ) {
        let path = folder.join("mod.rs");
        let Some(index) = self.wrote(label, &path) else { return };
        for name in modules(&index) {
            let module = folder.join(format!("{name}.rs"));
            if right.contains(&*module) {
                continue;
            }
            if let Some(text) = self.wrote(label, &module) {
                let there = |path: &Utf8PathBuf| self.folder.join(path).is_file();
                named.extend(schemas(&module, &text).filter(there));
                named.insert(module);
            } else if folder.components().count() < DEEPEST {
                self.index(label, &folder.join(name), right, named);
            }
        }
        named.insert(path);
    }

    /// The text of a Rust file whose header names our schemas folder, and a source as deep in it as the file is in the output:
    /// another set may stand beside this one or below it.
    fn wrote(&mut self, label: &str, path: &Utf8Path) -> Option<String> {
        if !matches!(self.obstacle(path), Ok(None)) {
            return None;
        }
        let text = self.text(path)?;
        let (folder, inner) = source(&text)?.split_once('/')?;
        // An index names a folder, with a slash at its end; its own name is the folder's.
        let depth = inner.matches('/').count();
        (folder == label && depth == path.components().count() - 1).then_some(text)
    }

    fn text(&self, path: &Utf8Path) -> Option<String> {
        let bytes = read_regular(self.folder.join(path).as_std_path(), LARGEST).ok()?;
        String::from_utf8(bytes).ok()
    }
}

/// The Rust file that a schema stands beside.
fn module_of(path: &Utf8Path) -> Option<Utf8PathBuf> {
    let name = path.file_name()?;
    let endings = [".input.json", ".output.json", ".definitions.json"];
    let stem = endings.iter().find_map(|ending| name.strip_suffix(ending))?;
    Some(path.with_file_name(format!("{stem}.rs")))
}

/// The schemas beside a Rust file that it includes.
fn schemas<'a>(module: &'a Utf8Path, text: &'a str) -> impl Iterator<Item = Utf8PathBuf> + 'a {
    let stem = module.file_stem().unwrap_or_default();
    ["input", "output", "definitions"].into_iter().filter_map(move |side| {
        let name = format!("{stem}.{side}.json");
        text.contains(&format!("include_str!(\"{name}\")")).then(|| module.with_file_name(name))
    })
}

/// The modules that an index declares. One that `rustfmt` laid out anew is read as well.
fn modules(index: &str) -> impl Iterator<Item = &str> {
    index.lines().filter_map(|line| {
        let name = line.trim().strip_prefix("pub mod ")?.strip_suffix(';')?;
        let name = name.strip_prefix("r#").unwrap_or(name);
        let plain = |c: char| c == '_' || c.is_alphanumeric();
        (!name.is_empty() && name.chars().all(plain)).then_some(name)
    })
}
