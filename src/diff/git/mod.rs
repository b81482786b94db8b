//! Reads a folder as it was in a commit, through the `git` program. Whatever a person names as a revision is only ever
//! given to `git rev-parse` behind `--end-of-options`; all later commands take the hash that came back.

mod command;
mod tree;

use crate::failure::Failure;
use camino::{Utf8Path, Utf8PathBuf};
use command::{Git, Refused};
use toolcast_codegen::contract::one_line;

/// The repository of the current folder.
pub struct Repository {
    git: Git,
    top: Utf8PathBuf,
}

/// A commit, and how a person calls it.
pub struct Base {
    /// Its hash.
    pub commit: String,
    /// How messages name it.
    pub name: String,
}

impl Repository {
    /// The repository that the current folder lies in.
    pub fn open() -> Result<Self, Failure> {
        let git = Git::open().map_err(refused)?;
        let top = git.path(&["rev-parse", "--show-toplevel"]).map_err(refused)?;
        let top = top.canonicalize().unwrap_or(top);
        let top = Utf8PathBuf::from_path_buf(top).map_err(|path| {
            let shown = path.to_string_lossy().into_owned();
            Failure::new(format!("{}: the repository's path is not UTF-8", one_line(&shown)))
        })?;
        if top.as_str().is_empty() {
            return Err(Failure::new("this is not a git working tree").help(FOLDER));
        }
        Ok(Self { git, top })
    }

    /// A path as the repository has it, whether it exists or not. Links on the way to the repository are followed; those
    /// within are the commit's to follow.
    pub fn inside(&self, path: &Utf8Path) -> Result<Utf8PathBuf, Failure> {
        let outside = || {
            Failure::new(format!(
                "{}: this does not lie in the repository of the current folder",
                one_line(path.as_str())
            ))
            .help("run the command in the repository that holds the contracts")
        };
        let here =
            std::env::current_dir().map_err(|error| Failure::io(Utf8Path::new("."), &error))?;
        let here = Utf8PathBuf::from_path_buf(here).map_err(|_| outside())?;
        let mut full = here.join(path);
        if full.components().any(|part| part.as_str() == "..") {
            full = match full.canonicalize_utf8() {
                Ok(full) => full,
                // What is gone has no links that `..` could come from.
                Err(_) => lexical(&full),
            };
        }
        if let Ok(real) = full.canonicalize_utf8()
            && !real.starts_with(&self.top)
        {
            return Err(outside());
        }
        let mut ancestors: Vec<&Utf8Path> = full.ancestors().collect();
        ancestors.reverse();
        for ancestor in ancestors {
            let Ok(real) = ancestor.canonicalize_utf8() else { break };
            if let (Ok(start), Ok(rest)) =
                (real.strip_prefix(&self.top), full.strip_prefix(ancestor))
            {
                return Ok(start.join(rest));
            }
        }
        Err(outside())
    }

    /// The commit that a revision names.
    pub fn commit(&self, revision: &str) -> Result<String, Failure> {
        let wanted = format!("{revision}^{{commit}}");
        match self.git.run(&["rev-parse", "--verify", "--end-of-options", &wanted]) {
            Ok(answer) if answer.warnings.contains("is ambiguous") => Err(Failure::new(format!(
                "`{}` names more than one thing in this repository",
                one_line(revision)
            ))
            .help("write which is meant: `refs/heads/NAME`, `refs/tags/NAME` or a whole hash")),
            Ok(answer) => Ok(String::from_utf8_lossy(&answer.output).trim().to_owned()),
            Err(_) if !self.has_commits() => Err(unborn()),
            Err(_) => {
                let shown = one_line(revision);
                let failure = Failure::new(format!("`{shown}` is no revision of this repository"));
                Err(if !revision.is_empty() && revision.bytes().all(|byte| byte == b'0') {
                    failure.help(
                        "a push that makes a branch has no commit before it: leave `--against` out to compare with the \
                         merge base, or say `--allow-empty-base`",
                    )
                } else if Utf8Path::new(revision).exists() {
                    failure.help(format!(
                        "a folder or file is named with `--against-path {shown}` or `--against ./{shown}`"
                    ))
                } else if self.is_shallow() {
                    failure.help(
                        "this is a shallow clone: fetch the revision (`git fetch --unshallow`, or `fetch-depth: 0` \
                         in actions/checkout)",
                    )
                } else {
                    failure.help("fetch it first, or check how it is written")
                })
            }
        }
    }

    /// The last commit that a revision has in common with the current one.
    pub fn merge_base(&self, revision: &str) -> Result<Base, Failure> {
        let other = self.commit(revision)?;
        let shown = one_line(revision).into_owned();
        match self.git.line(&["merge-base", "HEAD", &other]) {
            Ok(commit) => Ok(Base { commit, name: format!("the merge base with {shown}") }),
            Err(_) if self.is_shallow() => Err(Failure::new(format!(
                "the history of this shallow clone does not reach back to {shown}"
            ))
            .help("`git fetch --unshallow`, or `fetch-depth: 0` in actions/checkout")),
            Err(_) => Err(Failure::new(format!("this branch and {shown} have no common commit"))
                .help("name what to compare with: `--against REV`")),
        }
    }

    /// The commit where the current branch left the default branch, and how a person calls it.
    pub fn base(&self) -> Result<Base, Failure> {
        if !self.has_commits() {
            return Err(unborn());
        }
        let default = self.default_branch().ok_or_else(|| {
            Failure::new("the default branch of this repository is not known here")
                .help("name what to compare with: `--against REV`")
        })?;
        self.merge_base(&default).map(|base| Base {
            name: base.name.replace("refs/remotes/", "").replace("refs/heads/", ""),
            ..base
        })
    }

    /// Whether this is the commit that is checked out.
    pub fn is_head(&self, commit: &str) -> bool {
        let head = ["rev-parse", "--verify", "--quiet", "--end-of-options", "HEAD"];
        self.git.line(&head).is_ok_and(|head| head == commit)
    }

    /// The full name of the default branch: a tag of its short name is none.
    fn default_branch(&self) -> Option<String> {
        if let Ok(name) = self.git.line(&["symbolic-ref", "--quiet", "refs/remotes/origin/HEAD"]) {
            return Some(name);
        }
        let names = ["refs/remotes/origin/main", "refs/remotes/origin/master"];
        names.into_iter().chain(["refs/heads/main", "refs/heads/master"]).find_map(|name| {
            let known =
                self.git.line(&["rev-parse", "--verify", "--quiet", "--end-of-options", name]);
            known.ok().map(|_| name.to_owned())
        })
    }

    /// Whether the current branch has a commit.
    pub fn has_commits(&self) -> bool {
        self.git.run(&["rev-parse", "--verify", "--quiet", "--end-of-options", "HEAD"]).is_ok()
    }

    fn is_shallow(&self) -> bool {
        self.git.line(&["rev-parse", "--is-shallow-repository"]).is_ok_and(|text| text == "true")
    }
}

const FOLDER: &str = "name a folder or file to compare with: `--against-path PATH`";

fn refused(refused: Refused) -> Failure {
    let failure = Failure::new(refused.to_string());
    match refused {
        Refused::Missing => failure.help(format!("install it, or {FOLDER}")),
        _ => failure.help(FOLDER),
    }
}

/// A path without `.` and `..`, by its letters alone.
pub fn lexical(path: &Utf8Path) -> Utf8PathBuf {
    let mut plain = Utf8PathBuf::new();
    for part in path.components() {
        match part.as_str() {
            ".." => drop(plain.pop()),
            "." => {}
            part => plain.push(part),
        }
    }
    plain
}

/// A path without what says nothing; one that leads upward stays as it is.
pub fn plain(path: &Utf8Path) -> String {
    let mut plain: Vec<&str> = Vec::new();
    for part in path.as_str().split('/') {
        match part {
            "." => {}
            "" if !plain.is_empty() => {}
            ".." if plain.last().is_some_and(|last| !["..", ""].contains(last)) => {
                plain.pop();
            }
            part => plain.push(part),
        }
    }
    plain.join("/")
}

/// A repository without a commit.
fn unborn() -> Failure {
    Failure::new("this branch has no commit yet, so that there is nothing to compare with").help(
        "commit the contracts first, say `--allow-empty-base`, or name a folder or file with `--against-path`",
    )
}
