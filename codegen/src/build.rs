//! The build script's side: what compiles goes to `OUT_DIR`, and its mirror into the checkout.

use crate::files::place_dated;
use crate::{Error, Mode, Options, place, render_with};
use camino::{Utf8Path, Utf8PathBuf};
use std::time::{Duration, SystemTime};
use std::{env, io};
use toolcast_contract::Severity;
use toolcast_contract::reader::{Root, Unread};

/// Generates bindings from a build script.
#[derive(Clone, Debug)]
pub struct Build {
    schemas: Utf8PathBuf,
    mirror: Option<Utf8PathBuf>,
    options: Options,
}

impl Build {
    /// Bindings for the contracts of a folder, relative to the package.
    pub fn new(schemas: impl Into<Utf8PathBuf>) -> Self {
        Self { schemas: schemas.into(), mirror: None, options: Options::default() }
    }

    /// Keeps a byte-identical copy of the bindings in a folder of the package, for review.
    ///
    /// It is written only in a checkout, and only where bytes differ. `TOOLCAST_MIRROR=off` turns it off;
    /// `TOOLCAST_MIRROR=check` makes a stale mirror an error instead.
    #[must_use]
    pub fn mirror(mut self, folder: impl Into<Utf8PathBuf>) -> Self {
        self.mirror = Some(folder.into());
        self
    }

    /// Puts an attribute on the types that a pattern fits: see [`Options`] for patterns.
    #[must_use]
    pub fn type_attribute(
        mut self,
        pattern: impl Into<String>,
        attribute: impl Into<String>,
    ) -> Self {
        self.options = self.options.type_attribute(pattern, attribute);
        self
    }

    /// Derives a trait for the types that a pattern fits.
    #[must_use]
    pub fn derive(mut self, pattern: impl Into<String>, derive: impl Into<String>) -> Self {
        self.options = self.options.derive(pattern, derive);
        self
    }

    /// Has a type of the user's own for a `format` or for shared definitions: see [`Options::extern_type`].
    #[must_use]
    pub fn extern_type(mut self, what: impl Into<String>, path: impl Into<String>) -> Self {
        self.options = self.options.extern_type(what, path);
        self
    }

    /// Generates the contracts that a pattern fits, and those that further ones fit, alone.
    #[must_use]
    pub fn include(mut self, pattern: impl Into<String>) -> Self {
        self.options = self.options.include(pattern);
        self
    }

    /// Leaves out the contracts that a pattern fits.
    #[must_use]
    pub fn exclude(mut self, pattern: impl Into<String>) -> Self {
        self.options = self.options.exclude(pattern);
        self
    }

    /// Generates the bindings. Faults of contracts are printed as cargo's errors, all of them, and fail the build.
    ///
    /// # Errors
    ///
    /// Where cargo's environment is missing, a file cannot be written, or a contract meets a bound.
    pub fn compile(self) -> Result<(), Error> {
        let started = SystemTime::now();
        let out = Utf8PathBuf::from(variable("OUT_DIR")?).join("toolcast");
        let package = Utf8PathBuf::from(variable("CARGO_MANIFEST_DIR")?);
        println!("cargo::rerun-if-env-changed=TOOLCAST_MIRROR");
        println!("cargo::rerun-if-changed={}", self.schemas);

        let (catalog, diagnostics) = toolcast_contract::load(&self.schemas);
        let faults: Vec<_> =
            diagnostics.into_iter().filter(|fault| fault.severity == Severity::Error).collect();
        if !faults.is_empty() {
            for fault in faults {
                report(&fault.to_string());
            }
            return Ok(());
        }
        let files = match render_with(&catalog, &self.options) {
            Ok(files) => files,
            Err(error @ (Error::Limit { .. } | Error::Faults(_) | Error::Options(_))) => {
                report(&error.to_string());
                return Ok(());
            }
            Err(error) => return Err(error),
        };
        place(&files, &out, Mode::Write)?;

        let Some(mirror) = &self.mirror else { return Ok(()) };
        let mode = match env::var("TOOLCAST_MIRROR").as_deref() {
            Ok("off") => return Ok(()),
            Ok("check") => Mode::Check,
            _ => Mode::Write,
        };
        if !is_checkout(&package) {
            return Ok(());
        }
        let (root, inner) = Root::of(&package.join(mirror))
            .map_err(|source| Error::Io { path: mirror.clone(), source })?;
        if let Err(Unread::Leaves) = root.resolve(&inner) {
            report(&format!(
                "{mirror}: a symbolic link that leads out of the project\n  help: put a folder in its place"
            ));
            return Ok(());
        }
        // The files and not their folder: writing into a folder would look like a change of it.
        for (path, _) in files.iter() {
            println!("cargo::rerun-if-changed={}", mirror.join(path));
        }
        // Cargo reruns a build script where a watched file is younger than the last run, also where that run wrote it.
        let before = started.checked_sub(Duration::from_secs(10));
        match place_dated(&files, &package.join(mirror), mode, before) {
            Ok(changes) if mode == Mode::Check && !changes.is_clean() => {
                let mut text = format!("{mirror} is not what {} says:", self.schemas);
                for path in changes.written.iter().chain(&changes.removed) {
                    text.push_str(&format!("\n  {}", mirror.join(path)));
                }
                text.push_str("\n  help: run `cargo build` without TOOLCAST_MIRROR=check, and commit the result");
                report(&text);
                Ok(())
            }
            Err(Error::Io { source, .. })
                if matches!(
                    source.kind(),
                    io::ErrorKind::PermissionDenied | io::ErrorKind::ReadOnlyFilesystem
                ) =>
            {
                Ok(())
            }
            Err(error @ Error::InTheWay(_)) => {
                report(&error.to_string());
                Ok(())
            }
            Err(error) => Err(error),
            Ok(_) => Ok(()),
        }
    }
}

fn variable(name: &str) -> Result<String, Error> {
    env::var(name).map_err(|error| {
        Error::Environment(format!("{name}: {error}; this runs in a build script"))
    })
}

/// Prints an error as cargo shows it, a line each.
fn report(text: &str) {
    for line in text.lines() {
        println!("cargo::error={line}");
    }
}

/// Whether the package is someone's working copy, and not one that cargo unpacked.
fn is_checkout(package: &Utf8Path) -> bool {
    let unpacked =
        ["Cargo.toml.orig", ".cargo-checksum.json"].iter().any(|name| package.join(name).exists());
    let home = env::var("CARGO_HOME").ok().map(Utf8PathBuf::from);
    let home =
        home.or_else(|| env::var("HOME").ok().map(|home| Utf8Path::new(&home).join(".cargo")));
    let in_home = home.is_some_and(|home| {
        package.starts_with(home.join("registry")) || package.starts_with(home.join("git"))
    });
    !unpacked && !in_home
}
