//! Which `toolcast.toml` counts. A comparison with a commit goes by the file of that commit: whoever opens a pull request
//! must not pass it by a line in that same request. Where the working tree's file says something else, that is a finding.

use super::config::Config;
use super::version::Origin;
use super::{ConfigFrom, Question};
use crate::failure::Failure;
use camino::{Utf8Path, Utf8PathBuf};
use toolcast_codegen::contract::{self, one_line, reader};
use toolcast_review::changes::{self, Change};

const NAME: &str = "toolcast.toml";

/// The largest file that is read.
const LARGEST: usize = 1 << 20;

/// What counts, and what changed of it.
#[derive(Default)]
pub struct Configuration {
    /// What counts.
    pub config: Config,
    /// Which file says so.
    pub name: Option<String>,
    /// What the change brings.
    pub change: Option<Change>,
}

/// A file's text, and how messages name the file.
struct File {
    name: String,
    /// And whether a link led to it.
    text: Result<(String, bool), Failure>,
}

impl File {
    fn config(&self) -> Result<Config, Failure> {
        let (text, linked) = match &self.text {
            Ok(read) => read,
            Err(failure) => return Err(Failure::new(failure.to_string())),
        };
        Config::parse(text).map_err(|message| match linked {
            // What a link leads to may be no one's configuration, and is not for everyone to read.
            true => {
                Failure::new(format!("{}: what this link leads to is no configuration", self.name))
                    .help("put the file itself here")
            }
            false => Failure::new(format!("{}: {message}", self.name)),
        })
    }
}

/// The configuration of a comparison.
pub fn configuration(
    question: &Question,
    origin: Option<&Origin>,
    base: &str,
) -> Result<Configuration, Failure> {
    let only = |file: Option<File>| match file {
        None => Ok(Configuration::default()),
        Some(file) => {
            let config = file.config()?;
            Ok(Configuration { config, name: Some(file.name), change: None })
        }
    };
    if let Some(path) = &question.config {
        return only(Some(File { name: one_line(path.as_str()).into_owned(), text: read(path) }));
    }
    let here = working_tree(&question.schemas)?;
    let Some((origin, commit)) = origin.and_then(|it| Some((it, it.commit.as_ref()?))) else {
        return only(here);
    };
    let then = committed(origin, commit, base)?;
    // A file that says nothing must not become the one that counts.
    let here_says = here.as_ref().map_or_else(|| Ok(Config::default()), File::config)?;
    let then_says = then.as_ref().map_or_else(|| Ok(Config::default()), File::config);
    let is_same = then_says.is_ok_and(|then| then == here_says);
    let (used, unused) = match question.config_from {
        ConfigFrom::Base => (then, here),
        ConfigFrom::WorkingTree => (here, then),
    };
    let mut found = only(used).map_err(|failure| match question.config_from {
        ConfigFrom::Base => Failure::new(failure.to_string())
            .help("`--config-from working-tree` goes by the file that stands in the working tree"),
        ConfigFrom::WorkingTree => failure,
    })?;
    if !is_same {
        let named = |file: &Option<String>| file.clone().unwrap_or_else(|| "no file".to_owned());
        let used = named(&found.name);
        let unused = named(&unused.map(|file| file.name));
        let message = match question.config_from {
            ConfigFrom::Base => {
                format!(
                    "the configuration changed: {used} counts here, {unused} once this is merged"
                )
            }
            ConfigFrom::WorkingTree => {
                format!(
                    "the configuration changed, and the changed one counts: {used}, before: {unused}"
                )
            }
        };
        found.change = Some(changes::configuration_changed(NAME, message));
    }
    Ok(found)
}

/// The nearest file from the folder of contracts upward, in a commit.
fn committed(origin: &Origin, commit: &str, base: &str) -> Result<Option<File>, Failure> {
    for folder in origin.folder.ancestors() {
        let path = folder.join(NAME);
        if let Some(bytes) = origin.repository.file(commit, &path, LARGEST + 1)? {
            let name = format!("{} at {base}", one_line(path.as_str()));
            let text = match bytes.len() > LARGEST {
                true => Err(Failure::new(format!("{name}: larger than {LARGEST} bytes"))),
                false => contract::text(&bytes)
                    .map(|text| (text.to_owned(), false))
                    .map_err(|fault| Failure::new(format!("{name}: {}", fault.message))),
            };
            return Ok(Some(File { name, text }));
        }
    }
    Ok(None)
}

/// The nearest file from the folder of contracts upward, on disk.
fn working_tree(schemas: &Utf8Path) -> Result<Option<File>, Failure> {
    let root = root(schemas)?;
    let start = absolute(schemas)?;
    for folder in start.ancestors() {
        let path = folder.join(NAME);
        if path.symlink_metadata().is_ok() {
            let here = absolute(Utf8Path::new(""))?;
            let path = path.strip_prefix(&here).unwrap_or(&path);
            let name = one_line(path.as_str()).into_owned();
            return Ok(Some(File { name, text: read(path) }));
        }
        if folder == root {
            break;
        }
    }
    Ok(None)
}

/// The folder above which nothing is looked for: the repository's, else the current one.
fn root(schemas: &Utf8Path) -> Result<Utf8PathBuf, Failure> {
    let start = absolute(schemas)?;
    let repository =
        start.ancestors().find(|folder| folder.join(".git").symlink_metadata().is_ok());
    if let Some(repository) = repository {
        return Ok(repository.to_owned());
    }
    let here = absolute(Utf8Path::new(""))?;
    match start.starts_with(&here) {
        true => Ok(here),
        false => Ok(start.parent().unwrap_or(&start).to_owned()),
    }
}

fn absolute(path: &Utf8Path) -> Result<Utf8PathBuf, Failure> {
    let here = std::env::current_dir().map_err(|error| Failure::io(Utf8Path::new("."), &error))?;
    let here = Utf8PathBuf::from_path_buf(here)
        .map_err(|_| Failure::new("the current folder's path is not UTF-8"))?;
    Ok(super::git::lexical(&here.join(path)))
}

/// The file, and whether a link led to it.
fn read(path: &Utf8Path) -> Result<(String, bool), Failure> {
    let content =
        reader::read_named(path, LARGEST).map_err(|unread| Failure::unread(path, &unread))?;
    let text = contract::text(&content.bytes).map_err(|fault| {
        Failure::new(format!("{}: {}", one_line(path.as_str()), fault.message)).help(fault.help)
    })?;
    Ok((text.to_owned(), content.linked))
}
