//! The files of a commit, read without a checkout: names may hold anything, links are followed within the folder alone,
//! and counts and sizes are bounded while git answers.

use super::Repository;
use crate::failure::Failure;
use camino::{Utf8Path, Utf8PathBuf};
use std::collections::BTreeMap;
use std::io::{BufRead, BufReader, Read};
use toolcast_codegen::contract::{Diagnostic, Limits, Severity, one_line};

/// How many links are followed on the way to one place.
const LINKS: usize = 40;

/// What the first line of a file is that Git LFS keeps elsewhere.
const LFS: &[u8] = b"version https://git-lfs.github.com/spec/";

/// The JSON files of a folder in a commit, and what of it cannot be read.
#[derive(Default)]
pub struct Tree {
    /// By path in the folder.
    pub files: Vec<(Utf8PathBuf, Vec<u8>)>,
    /// What cannot be read.
    pub faults: Vec<Diagnostic>,
}

#[derive(Clone, Debug, PartialEq)]
enum Kind {
    Folder,
    File,
    Link,
    Submodule,
}

#[derive(Clone, Debug)]
struct Entry {
    kind: Kind,
    hash: String,
    path: Vec<u8>,
}

impl Repository {
    /// The JSON files under a folder of the commit, by their paths in it; none where there is no such folder. `shown` is
    /// how messages name the folder.
    pub fn tree(&self, commit: &str, folder: &Utf8Path, shown: &Utf8Path) -> Result<Tree, Failure> {
        let Some(entry) = self.entry(commit, folder)? else { return Ok(Tree::default()) };
        match entry.kind {
            Kind::Folder => self.read(&entry.hash, shown),
            Kind::Submodule => Err(submodule(shown.as_str())),
            Kind::File | Kind::Link => Err(Failure::new(format!(
                "{}: in that revision this is a file, where a folder is wanted",
                one_line(shown.as_str())
            ))),
        }
    }

    /// A file of the commit, at most `limit` bytes of it; `None` where there is none.
    pub fn file(
        &self,
        commit: &str,
        path: &Utf8Path,
        limit: usize,
    ) -> Result<Option<Vec<u8>>, Failure> {
        let Some(entry) = self.entry(commit, path)? else { return Ok(None) };
        if entry.kind != Kind::File {
            let shown = one_line(path.as_str());
            return Err(Failure::new(format!("{shown}: in that revision this is no file")));
        }
        let mut contents = self.contents(&[&entry.hash], limit)?;
        Ok(contents.pop())
    }

    /// What stands at a path of the commit, links on the way followed as long as they stay in the repository.
    fn entry(&self, commit: &str, path: &Utf8Path) -> Result<Option<Entry>, Failure> {
        let mut left: Vec<String> = parts(path.as_str());
        left.reverse();
        let mut known: Vec<String> = Vec::new();
        let mut followed = 0;
        while let Some(part) = left.pop() {
            if part == ".." {
                if known.pop().is_none() {
                    return Err(leads_out(path));
                }
                continue;
            }
            known.push(part);
            let here = known.join("/");
            let found = self.list(&["ls-tree", "-z", "--full-tree", commit, "--", &here])?;
            let Some(entry) = found.into_iter().find(|entry| entry.path == here.as_bytes()) else {
                return Ok(None);
            };
            match entry.kind {
                Kind::Link => {
                    followed += 1;
                    known.pop();
                    let target = self.contents(&[&entry.hash], 4_096)?.pop().unwrap_or_default();
                    let target = String::from_utf8(target).map_err(|_| leads_out(path))?;
                    if followed > LINKS || target.starts_with('/') {
                        return Err(leads_out(path));
                    }
                    left.extend(parts(&target).into_iter().rev());
                }
                Kind::Folder => {}
                _ if left.is_empty() => return Ok(Some(entry)),
                Kind::Submodule => return Err(submodule(path.as_str())),
                Kind::File => return Ok(None),
            }
        }
        let wanted = match known.is_empty() {
            true => format!("{commit}^{{tree}}"),
            false => format!("{commit}:{}", known.join("/")),
        };
        let hash =
            self.git.line(&["rev-parse", "--verify", "--quiet", "--end-of-options", &wanted]);
        let hash = hash.map_err(|refused| Failure::new(refused.to_string()))?;
        Ok(Some(Entry { kind: Kind::Folder, hash, path: known.join("/").into_bytes() }))
    }

    fn read(&self, tree: &str, shown: &Utf8Path) -> Result<Tree, Failure> {
        let limits = Limits::default();
        let mut result = Tree::default();
        let mut files: BTreeMap<Utf8PathBuf, String> = BTreeMap::new();
        let mut links: Vec<(Utf8PathBuf, String)> = Vec::new();
        let fault = |rule, path: &Utf8Path, message: &str| Diagnostic {
            severity: Severity::Error,
            rule,
            file: shown.join(path),
            position: None,
            message: message.to_owned(),
            help: None,
        };
        for entry in self.list(&["ls-tree", "-r", "-z", tree])? {
            let hidden = entry.path.split(|byte| *byte == b'/').any(|part| part.starts_with(b"."));
            let counts = entry.path.ends_with(b".json") || entry.kind == Kind::Submodule;
            if hidden || !(counts || entry.kind == Kind::Link) {
                continue;
            }
            let path = match String::from_utf8(entry.path) {
                Ok(path) => Utf8PathBuf::from(path),
                Err(error) => {
                    let path = String::from_utf8_lossy(error.as_bytes()).into_owned();
                    let message = "the file's name is not UTF-8";
                    result.faults.push(fault("path-not-utf8", path.as_str().into(), message));
                    continue;
                }
            };
            match entry.kind {
                Kind::Submodule => return Err(submodule(shown.join(path).as_str())),
                Kind::Link => links.push((path, entry.hash)),
                _ => {
                    files.insert(path, entry.hash);
                }
            }
            if files.len() + links.len() > limits.files {
                let most = limits.files;
                return Err(Failure::new(format!(
                    "{}: more than {most} files in that revision (limit `files`)",
                    one_line(shown.as_str())
                )));
            }
        }
        // As in a working tree: a link to a file of the folder counts as that file, one that leads out is a fault.
        let hashes: Vec<&String> = links.iter().map(|(_, hash)| hash).collect();
        let targets = self.contents(&hashes, 4_096)?;
        let mut linked = Vec::new();
        for ((path, _), target) in links.iter().zip(targets) {
            let aim = String::from_utf8(target).ok().and_then(|target| aim(path, &target));
            match aim.map(|aim| (files.get(&aim).cloned(), aim)) {
                Some((Some(hash), _)) if path.extension() == Some("json") => {
                    linked.push((path.clone(), hash));
                }
                Some((_, aim)) if path.extension() != Some("json") && !has(&files, &aim) => {}
                Some((_, aim)) if has(&files, &aim) => {
                    let message = "a symbolic link to a folder";
                    result.faults.push(fault("symlink", path, message));
                }
                _ => {
                    let message = "a symbolic link that leads to no contract of this folder";
                    result.faults.push(fault("symlink", path, message));
                }
            }
        }
        files.extend(linked);
        let hashes: Vec<&String> = files.values().collect();
        let contents = self.contents(&hashes, limits.file_bytes + 1)?;
        for (path, bytes) in files.into_keys().zip(contents) {
            if bytes.starts_with(LFS) {
                return Err(Failure::new(format!(
                    "{}: Git LFS keeps this file elsewhere, so that its revisions cannot be compared",
                    one_line(shown.join(path).as_str())
                ))
                .help("check contracts in as plain files, or compare two folders with `--against-path`"));
            }
            result.files.push((path, bytes));
        }
        Ok(result)
    }

    fn list(&self, arguments: &[&str]) -> Result<Vec<Entry>, Failure> {
        let answer =
            self.git.run(arguments).map_err(|refused| Failure::new(refused.to_string()))?;
        let entries = answer.output.split(|byte| *byte == 0).filter(|entry| !entry.is_empty());
        let read = |entry: &[u8]| {
            let at = entry.iter().position(|byte| *byte == b'\t')?;
            let meta = std::str::from_utf8(&entry[..at]).ok()?;
            let mut meta = meta.split(' ');
            let mode = meta.next()?;
            let hash = meta.nth(1)?.to_owned();
            let kind = match mode {
                "040000" => Kind::Folder,
                "120000" => Kind::Link,
                "160000" => Kind::Submodule,
                _ => Kind::File,
            };
            Some(Entry { kind, hash, path: entry[at + 1..].to_vec() })
        };
        entries
            .map(|entry| read(entry).ok_or_else(|| Failure::new("git ls-tree: an unknown answer")))
            .collect()
    }

    /// The contents of blobs, of each at most `limit` bytes.
    fn contents(&self, hashes: &[impl AsRef<str>], limit: usize) -> Result<Vec<Vec<u8>>, Failure> {
        if hashes.is_empty() {
            return Ok(Vec::new());
        }
        let most = Limits::default().total_bytes;
        let input: String = hashes.iter().map(|hash| format!("{}\n", hash.as_ref())).collect();
        let mut contents = Vec::new();
        let mut total = 0;
        let read = self.git.stream(&["cat-file", "--batch"], input, |answer| {
            let mut answer = BufReader::new(answer);
            for _ in hashes {
                let mut header = String::new();
                (&mut answer).take(4_096).read_line(&mut header)?;
                // `HASH blob SIZE`, or `HASH missing`.
                let size = header.trim_end().rsplit(' ').next();
                let size = size.and_then(|size| size.parse::<u64>().ok()).ok_or_else(|| {
                    std::io::Error::other("an object is not in this clone; fetch it first")
                })?;
                let mut bytes = Vec::new();
                (&mut answer).take(size.min(limit as u64)).read_to_end(&mut bytes)?;
                total += bytes.len();
                if total > most {
                    let message = format!("more than {most} bytes (limit `total_bytes`)");
                    return Err(std::io::Error::other(message));
                }
                let left = size - bytes.len() as u64;
                // The line end that follows belongs to the answer, not to the blob.
                std::io::copy(&mut (&mut answer).take(left + 1), &mut std::io::sink())?;
                contents.push(bytes);
            }
            Ok(())
        });
        read.map_err(|refused| Failure::new(refused.to_string()))?;
        match contents.len() == hashes.len() {
            true => Ok(contents),
            false => Err(Failure::new("git cat-file: not all files could be read")),
        }
    }
}

/// The parts of a path, `.` left out.
fn parts(path: &str) -> Vec<String> {
    path.split('/').filter(|part| !part.is_empty() && *part != ".").map(str::to_owned).collect()
}

/// Where a link of the folder leads, as a path in the folder.
fn aim(link: &Utf8Path, target: &str) -> Option<Utf8PathBuf> {
    if target.starts_with('/') {
        return None;
    }
    let mut known = parts(link.parent().map_or("", Utf8Path::as_str));
    for part in parts(target) {
        match part.as_str() {
            ".." => drop(known.pop()?),
            _ => known.push(part),
        }
    }
    Some(known.join("/").into())
}

/// Whether there is a file in the folder.
fn has(files: &BTreeMap<Utf8PathBuf, String>, folder: &Utf8Path) -> bool {
    files.keys().any(|file| file.starts_with(folder))
}

fn leads_out(path: &Utf8Path) -> Failure {
    Failure::new(format!(
        "{}: in that revision this is a symbolic link that leads out of the repository",
        one_line(path.as_str())
    ))
}

fn submodule(path: &str) -> Failure {
    Failure::new(format!(
        "{}: this is a submodule, whose files are not in this repository",
        one_line(path)
    ))
    .help("run the command inside the submodule, or compare two folders with `--against-path`")
}
