//! The only place that starts `git`. What a pull request brings never decides what git does: no command that a tracked
//! folder could name is ever run, nothing is fetched, and of the caller's environment only the place of the repository
//! counts.

use std::ffi::{OsStr, OsString};
use std::io::{Read, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::mpsc::{self, RecvTimeoutError};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;
use toolcast_codegen::contract::one_line;

/// How long one command may take. Only a tree built to be endless takes longer.
const PATIENCE: Duration = Duration::from_secs(60);

/// The most that a command may answer, contents of files aside.
const LARGEST: u64 = 64 << 20;

/// What a repository's own configuration must not say.
const CONFIGURATION: &[&str] = &[
    // A tracked folder that looks like a bare repository is no repository.
    "safe.bareRepository=explicit",
    "core.fsmonitor=false",
    "core.hooksPath=/dev/null",
    "core.attributesFile=/dev/null",
    "core.pager=cat",
    "core.sshCommand=false",
    "core.askPass=",
    "credential.helper=",
    "diff.external=",
    "gc.auto=0",
    "maintenance.auto=false",
    "submodule.recurse=false",
    "protocol.allow=never",
    "protocol.file.allow=never",
    "protocol.ext.allow=never",
    "protocol.git.allow=never",
    "protocol.http.allow=never",
    "protocol.https.allow=never",
    "protocol.ssh.allow=never",
    "core.warnAmbiguousRefs=true",
];

/// What a hook is told of its repository, and what therefore reaches git. The index is never read.
const FROM_A_HOOK: &[&str] = &[
    "GIT_DIR",
    "GIT_WORK_TREE",
    "GIT_COMMON_DIR",
    "GIT_OBJECT_DIRECTORY",
    "GIT_ALTERNATE_OBJECT_DIRECTORIES",
];

/// The `git` program, for one repository.
pub(super) struct Git {
    program: PathBuf,
    folder: PathBuf,
    place: Vec<(&'static str, OsString)>,
}

/// What git said.
pub(super) struct Answer {
    pub(super) output: Vec<u8>,
    pub(super) warnings: String,
}

/// Why git gave no answer.
pub(super) enum Refused {
    /// The program is not there.
    Missing,
    /// No folder from the current one upward is a repository.
    NoRepository,
    /// It ended with an error.
    Said(String),
}

impl Git {
    /// The repository that the current folder lies in, or that a hook was told of.
    pub(super) fn open() -> Result<Self, Refused> {
        let program = program().ok_or(Refused::Missing)?;
        let here = std::env::current_dir().map_err(|error| Refused::Said(error.to_string()))?;
        let place: Vec<(&'static str, OsString)> =
            FROM_A_HOOK.iter().filter_map(|name| Some((*name, std::env::var_os(name)?))).collect();
        let told = |name: &str| place.iter().find(|(known, _)| *known == name);
        // Git itself looks for a bare repository in each folder on the way up; here only a `.git` counts, which nobody can
        // check in.
        let found = here.ancestors().find(|folder| folder.join(".git").symlink_metadata().is_ok());
        let (Some((_, directory)), None) = (told("GIT_DIR"), told("GIT_WORK_TREE")) else {
            let folder = match (place.is_empty(), found) {
                (true, found) => found.ok_or(Refused::NoRepository)?.to_owned(),
                (false, _) => here,
            };
            return Ok(Self { program, folder, place });
        };
        // With its folder alone given, git would take any current folder for the top of the working tree. Where the same
        // repository is found from here, its top is known.
        let given = Path::new(directory).canonicalize();
        let same = |folder: &&Path| {
            let git =
                Self { program: program.clone(), folder: folder.to_path_buf(), place: Vec::new() };
            let own = git.path(&["rev-parse", "--absolute-git-dir"]).ok();
            own.and_then(|own| own.canonicalize().ok()) == given.as_ref().ok().cloned()
        };
        match found.filter(same) {
            Some(folder) if given.is_ok() => {
                let folder = folder.to_owned();
                let place = place.into_iter().filter(|(name, _)| *name != "GIT_DIR").collect();
                Ok(Self { program, folder, place })
            }
            _ => Ok(Self { program, folder: here, place }),
        }
    }

    /// Runs a command to its end.
    pub(super) fn run<S: AsRef<OsStr>>(&self, arguments: &[S]) -> Result<Answer, Refused> {
        let mut output = Vec::new();
        let warnings = self.stream(arguments, String::new(), |answer| {
            answer.take(LARGEST + 1).read_to_end(&mut output)?;
            match output.len() as u64 > LARGEST {
                true => Err(std::io::Error::other(format!("more than {LARGEST} bytes"))),
                false => Ok(()),
            }
        })?;
        Ok(Answer { output, warnings })
    }

    /// Runs a command whose answer is one line of text.
    pub(super) fn line<S: AsRef<OsStr>>(&self, arguments: &[S]) -> Result<String, Refused> {
        let answer = self.run(arguments)?;
        Ok(String::from_utf8_lossy(&answer.output).trim().to_owned())
    }

    /// Runs a command whose answer is a path, which may hold anything.
    pub(super) fn path<S: AsRef<OsStr>>(&self, arguments: &[S]) -> Result<PathBuf, Refused> {
        let mut bytes = self.run(arguments)?.output;
        if bytes.last() == Some(&b'\n') {
            bytes.pop();
        }
        path_of(bytes).ok_or_else(|| Refused::Said("the path is not UTF-8".to_owned()))
    }

    /// Runs a command with `input`, and gives its answer to `read` while it comes. Returns what it warned of.
    pub(super) fn stream<S: AsRef<OsStr>>(
        &self,
        arguments: &[S],
        input: String,
        read: impl FnOnce(&mut dyn Read) -> std::io::Result<()>,
    ) -> Result<String, Refused> {
        let mut command = self.command();
        command.args(arguments);
        command.stdin(if input.is_empty() { Stdio::null() } else { Stdio::piped() });
        let mut child = command.spawn().map_err(|_| Refused::Missing)?;
        let (stdin, stdout, stderr) =
            (child.stdin.take(), child.stdout.take(), child.stderr.take());
        let child = Arc::new(Mutex::new(child));
        let guard = Guard::new(&child);
        // Both are aside: git answers while it reads, and warns while it answers.
        let writer = std::thread::spawn(move || {
            if let Some(mut stdin) = stdin {
                // What it does not take it does not answer, and that is missed.
                let _ = stdin.write_all(input.as_bytes());
            }
        });
        let warner = std::thread::spawn(move || {
            let mut said = Vec::new();
            if let Some(mut stderr) = stderr {
                let _ = (&mut stderr).take(1 << 16).read_to_end(&mut said);
                let _ = std::io::copy(&mut stderr, &mut std::io::sink());
            }
            String::from_utf8_lossy(&said).trim().to_owned()
        });
        let outcome = match stdout {
            Some(mut stdout) => read(&mut stdout),
            None => Ok(()),
        };
        if outcome.is_err() {
            let _ = lock(&child).kill();
        }
        let status = wait(&child);
        let late = guard.end();
        let _ = writer.join();
        let said = warner.join().unwrap_or_default();
        let shown = || one_line(&said).chars().take(400).collect::<String>();
        match (outcome, status) {
            _ if late => Err(Refused::Said(format!("no answer within {} s", PATIENCE.as_secs()))),
            (Ok(()), Ok(true)) => Ok(said),
            (_, Ok(false)) if !said.is_empty() => Err(Refused::Said(shown())),
            (Err(error), _) | (_, Err(error)) => Err(Refused::Said(error.to_string())),
            (Ok(()), Ok(false)) => Err(Refused::Said("it failed without a word".to_owned())),
        }
    }

    fn command(&self) -> Command {
        let mut command = Command::new(&self.program);
        for (name, _) in std::env::vars_os() {
            if name.to_string_lossy().to_ascii_uppercase().starts_with("GIT_") {
                command.env_remove(name);
            }
        }
        command
            .current_dir(&self.folder)
            .args(["--literal-pathspecs", "--no-pager"])
            .args(CONFIGURATION.iter().flat_map(|setting| ["-c", setting]))
            .envs(self.place.iter().map(|(name, value)| (name, value)))
            .env("GIT_OPTIONAL_LOCKS", "0")
            .env("GIT_NO_LAZY_FETCH", "1")
            // Overrides what configuration says of protocols; there is none of this name.
            .env("GIT_ALLOW_PROTOCOL", "none")
            // A commit is what its hash says.
            .env("GIT_NO_REPLACE_OBJECTS", "1")
            .env("GIT_TERMINAL_PROMPT", "0")
            .env("LC_ALL", "C")
            .stdout(Stdio::piped())
            .stderr(Stdio::piped());
        command
    }
}

/// Ends a command that takes too long.
struct Guard {
    done: mpsc::Sender<()>,
    thread: std::thread::JoinHandle<bool>,
}

impl Guard {
    fn new(child: &Arc<Mutex<Child>>) -> Self {
        let (done, waits) = mpsc::channel();
        let child = Arc::clone(child);
        let thread = std::thread::spawn(move || {
            let late = waits.recv_timeout(PATIENCE) == Err(RecvTimeoutError::Timeout);
            if late {
                let _ = lock(&child).kill();
            }
            late
        });
        Self { done, thread }
    }

    /// Whether the command had to be ended.
    fn end(self) -> bool {
        let _ = self.done.send(());
        self.thread.join().unwrap_or(false)
    }
}

fn lock(child: &Mutex<Child>) -> std::sync::MutexGuard<'_, Child> {
    child.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Waits without holding the child: whoever ends it must reach it.
fn wait(child: &Mutex<Child>) -> std::io::Result<bool> {
    loop {
        if let Some(status) = lock(child).try_wait()? {
            return Ok(status.success());
        }
        std::thread::sleep(Duration::from_millis(1));
    }
}

/// The program on the search path; a relative entry, which would lead into the checkout, is passed over.
fn program() -> Option<PathBuf> {
    let name = format!("git{}", std::env::consts::EXE_SUFFIX);
    let path = std::env::var_os("PATH")?;
    std::env::split_paths(&path)
        .filter(|folder| folder.is_absolute())
        .map(|folder| folder.join(&name))
        .find(|file| file.is_file())
}

#[cfg(unix)]
fn path_of(bytes: Vec<u8>) -> Option<PathBuf> {
    use std::os::unix::ffi::OsStringExt;
    Some(OsString::from_vec(bytes).into())
}

#[cfg(not(unix))]
fn path_of(bytes: Vec<u8>) -> Option<PathBuf> {
    String::from_utf8(bytes).ok().map(PathBuf::from)
}

impl std::fmt::Display for Refused {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Missing => f.write_str("the `git` program was not found"),
            Self::NoRepository => f.write_str("this is not a git repository"),
            Self::Said(text) => write!(f, "git: {text}"),
        }
    }
}
