//! Reads a folder as it was in a commit, through the `git` program. Whatever a person names as a revision is only ever
//! given to `git rev-parse` behind `--end-of-options`; all later commands take the hash that came back.

use crate::failure::Failure;
use camino::{Utf8Path, Utf8PathBuf};
use std::io::{Read, Write};
use std::process::{Command, Stdio};
use toolcast_codegen::contract::one_line;

/// The largest file that is read.
const LARGEST: usize = 64 << 20;

/// A folder in a working tree.
pub struct Repository<'a> {
    folder: &'a Utf8Path,
}

impl<'a> Repository<'a> {
    /// The repository that the folder lies in.
    pub fn open(folder: &'a Utf8Path) -> Result<Self, Failure> {
        let repository = Self { folder };
        match repository.run(&["rev-parse", "--is-inside-work-tree"]) {
            Ok(text) if text.trim() == "true" => Ok(repository),
            Ok(_) => Err(Failure::new(format!(
                "{}: not in a git working tree",
                one_line(folder.as_str())
            ))),
            Err(Refused::Missing) => Err(Failure::new("the `git` program was not found")
                .help("install it, or name a folder or file with `--against`")),
            Err(Refused::Said(text)) => {
                Err(Failure::new(format!("{}: {text}", one_line(folder.as_str())))
                    .help("name a folder or file with `--against`"))
            }
        }
    }

    /// The commit that a revision names.
    pub fn commit(&self, revision: &str) -> Result<String, Failure> {
        let wanted = format!("{revision}^{{commit}}");
        let found = self.run(&["rev-parse", "--verify", "--quiet", "--end-of-options", &wanted]);
        match found {
            Ok(hash) => Ok(hash.trim().to_owned()),
            Err(_) if !self.has_commits() => Err(unborn()),
            Err(_) => {
                let failure = Failure::new(format!(
                    "`{}` is no revision of this repository, no folder and no file",
                    one_line(revision)
                ));
                Err(match self.is_shallow() {
                    true => failure.help(
                        "this is a shallow clone: fetch the revision (`git fetch --unshallow`, or `fetch-depth: 0` \
                         in actions/checkout)",
                    ),
                    false => failure.help("fetch it first, or check how it is written"),
                })
            }
        }
    }

    /// The commit where the current branch left the default branch, and how a person calls it.
    pub fn base(&self) -> Result<(String, String), Failure> {
        if !self.has_commits() {
            return Err(unborn());
        }
        let default = self.default_branch().ok_or_else(|| {
            Failure::new("the default branch of this repository is not known here")
                .help("name what to compare with: `--against REF`")
        })?;
        let branch = self.commit(&default)?;
        match self.run(&["merge-base", "HEAD", &branch]) {
            Ok(hash) => Ok((hash.trim().to_owned(), format!("the merge base with {default}"))),
            Err(_) if self.is_shallow() => Err(Failure::new(format!(
                "the history of this shallow clone does not reach back to {default}"
            ))
            .help("`git fetch --unshallow`, or `fetch-depth: 0` in actions/checkout")),
            Err(_) => Err(Failure::new(format!("this branch and {default} have no common commit"))
                .help("name what to compare with: `--against REF`")),
        }
    }

    fn default_branch(&self) -> Option<String> {
        if let Ok(name) =
            self.run(&["symbolic-ref", "--quiet", "--short", "refs/remotes/origin/HEAD"])
        {
            return Some(name.trim().to_owned());
        }
        ["origin/main", "origin/master", "main", "master"].into_iter().find_map(|name| {
            let known = self.run(&["rev-parse", "--verify", "--quiet", "--end-of-options", name]);
            known.ok().map(|_| name.to_owned())
        })
    }

    fn has_commits(&self) -> bool {
        self.run(&["rev-parse", "--verify", "--quiet", "HEAD"]).is_ok()
    }

    fn is_shallow(&self) -> bool {
        self.run(&["rev-parse", "--is-shallow-repository"]).is_ok_and(|text| text.trim() == "true")
    }

    /// The JSON files under the folder as they were in a commit, by their paths in the folder.
    pub fn files(&self, commit: &str) -> Result<Vec<(Utf8PathBuf, Vec<u8>)>, Failure> {
        let failed = |refused: Refused| Failure::new(refused.to_string());
        let prefix = self.run(&["rev-parse", "--show-prefix"]).map_err(failed)?;
        let prefix = prefix.trim_end_matches('\n');
        let mut list = vec!["ls-tree", "-r", "-z", "--full-tree", commit];
        if !prefix.is_empty() {
            list.extend(["--", prefix]);
        }
        let listed = self.run(&list).map_err(failed)?;
        let mut wanted = Vec::new();
        for entry in listed.split('\0').filter(|entry| !entry.is_empty()) {
            let (meta, path) = entry.split_once('\t').unwrap_or(("", entry));
            let mut meta = meta.split(' ');
            let (mode, hash) = (meta.next().unwrap_or(""), meta.nth(1).unwrap_or(""));
            // Links and submodules are no files of this folder.
            let Some(inner) = path.strip_prefix(prefix) else { continue };
            let hidden = inner.split('/').any(|part| part.starts_with('.'));
            if mode.starts_with("100") && inner.ends_with(".json") && !hidden {
                wanted.push((Utf8PathBuf::from(inner), hash.to_owned()));
            }
        }
        self.blobs(wanted)
    }

    fn blobs(
        &self,
        wanted: Vec<(Utf8PathBuf, String)>,
    ) -> Result<Vec<(Utf8PathBuf, Vec<u8>)>, Failure> {
        let broken = |error: std::io::Error| Failure::new(format!("git cat-file: {error}"));
        let mut child = self
            .command(&["cat-file", "--batch"])
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .map_err(broken)?;
        let requests: String = wanted.iter().map(|(_, hash)| format!("{hash}\n")).collect();
        let mut stdin = child.stdin.take();
        // Written aside: git answers while it reads.
        let writer = std::thread::spawn(move || {
            if let Some(stdin) = &mut stdin {
                // Whatever is not asked is missed below.
                let _ = stdin.write_all(requests.as_bytes());
            }
        });
        let mut answers = Vec::new();
        if let Some(stdout) = &mut child.stdout {
            stdout.read_to_end(&mut answers).map_err(broken)?;
        }
        let _ = writer.join();
        child.wait().map_err(broken)?;
        let mut rest = &answers[..];
        let mut files = Vec::new();
        for (path, _) in wanted {
            let unreadable = || Failure::new(format!("git cat-file: {path} could not be read"));
            let end = rest.iter().position(|byte| *byte == b'\n').ok_or_else(unreadable)?;
            let header = String::from_utf8_lossy(&rest[..end]).into_owned();
            let size = header.rsplit(' ').next().and_then(|size| size.parse::<usize>().ok());
            let size = size.filter(|size| *size <= LARGEST).ok_or_else(unreadable)?;
            let start = end + 1;
            let bytes = rest.get(start..start + size).ok_or_else(unreadable)?.to_vec();
            rest = rest.get(start + size + 1..).ok_or_else(unreadable)?;
            files.push((path, bytes));
        }
        Ok(files)
    }

    fn command(&self, arguments: &[&str]) -> Command {
        let mut command = Command::new("git");
        command
            .args(["--literal-pathspecs", "--no-pager", "-C", self.folder.as_str()])
            .args(arguments)
            .env("GIT_OPTIONAL_LOCKS", "0")
            .env("LC_ALL", "C")
            .stdin(Stdio::null());
        command
    }

    fn run(&self, arguments: &[&str]) -> Result<String, Refused> {
        let output = self.command(arguments).output().map_err(|_| Refused::Missing)?;
        if !output.status.success() {
            let said = String::from_utf8_lossy(&output.stderr);
            return Err(Refused::Said(said.trim().to_owned()));
        }
        Ok(String::from_utf8_lossy(&output.stdout).into_owned())
    }
}

enum Refused {
    Missing,
    Said(String),
}

impl std::fmt::Display for Refused {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Missing => f.write_str("the `git` program was not found"),
            Self::Said(text) => write!(f, "git: {text}"),
        }
    }
}

fn unborn() -> Failure {
    Failure::new("this branch has no commit yet, so that there is nothing to compare with")
        .help("commit the contracts first, or name a folder or file with `--against`")
}
