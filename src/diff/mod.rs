//! `toolcast diff`: two versions in, one report out. A version that cannot be read is an error or a breaking change, never
//! "no change".

mod config;
pub mod format;
mod git;
pub mod report;
mod version;
pub mod witnesses;

use crate::failure::Failure;
use camino::{Utf8Path, Utf8PathBuf};
use config::Config;
use report::{Change, Report};
use std::collections::BTreeSet;
use toolcast_codegen::contract::{Catalog, Contract, Part, one_line};
use toolcast_review::changes::{self, Lens};
use toolcast_review::diff::Settings;
use version::Version;

/// What to compare, and how.
#[derive(Clone, Debug)]
pub struct Question {
    /// Folder of contracts, or one file.
    pub schemas: Utf8PathBuf,
    /// A revision, folder or file.
    pub against: Option<String>,
    /// Bare schemas, of this part.
    pub bare: Option<Part>,
    /// Whom a break must concern.
    pub lens: Option<Lens>,
    /// The configuration file.
    pub config: Option<Utf8PathBuf>,
}

/// Compares the two versions.
pub fn diff(question: &Question) -> Result<Report, Failure> {
    let config = Config::read(question.config.as_deref())?;
    let lens = question.lens.unwrap_or(config.lens);
    let settings = Settings::default();
    let versions = version::versions(question)?;
    let (found, tools, catalog) = match &versions {
        (Version::Bare { value: old, .. }, Version::Bare { value: new, name }) => {
            let part = question.bare.unwrap_or(Part::Input);
            (changes::bare(name, old, new, part, lens, &settings), 1, None)
        }
        (Version::Contracts(old), Version::Contracts(new)) => {
            let mut found = changes::changes(&old.catalog, &new.catalog, lens, &settings);
            let unreadable = unreadable(old, new);
            // A contract that cannot be read on one side is neither new nor gone.
            found.retain(|change| {
                let alone = ["tool-added", "tool-removed"].contains(&change.rule.id);
                !(alone && unreadable.1.contains(&change.tool))
            });
            found.extend(unreadable.0);
            found.extend(api(&old.catalog, &new.catalog));
            (found, new.catalog.contracts.len() as u64, Some(&new.catalog))
        }
        _ => {
            return Err(Failure::new(
                "a folder of contracts cannot be compared with a bare schema",
            ));
        }
    };
    let mut changes: Vec<Change> = Vec::new();
    for mut change in found {
        if !config.apply(&mut change) {
            continue;
        }
        let mut told = Change::new(&change);
        if let (Some(catalog), Some((part, pointer))) = (catalog, &change.place)
            && let Some(contract) = catalog.get(&change.tool)
            && let Some(origin) = catalog.origin(contract, *part, pointer)
        {
            told.locate(&origin);
        } else if let Some(contract) = catalog.and_then(|catalog| catalog.get(&change.tool)) {
            told.file = catalog.map(|catalog| catalog.root().join(&contract.source).to_string());
        }
        told.accepted = config.accepted(&change)?;
        changes.push(told);
    }
    changes.sort_by_key(|change| (change.accepted.is_some(), change.level));
    Ok(Report {
        before: versions.0.name().to_owned(),
        after: versions.1.name().to_owned(),
        tools,
        fail_on: config.fail_on,
        changes,
    })
}

/// The faults of either version as changes, and the tools whose files they lie in.
fn unreadable(
    old: &version::Contracts,
    new: &version::Contracts,
) -> (Vec<changes::Change>, BTreeSet<String>) {
    let mut found = Vec::new();
    let mut tools = BTreeSet::new();
    for version in [old, new] {
        for fault in &version.faults {
            // A contract is named by its file until it can be read.
            let tool = one_line(fault.file.file_stem().unwrap_or(fault.file.as_str())).into_owned();
            found.push(changes::unreadable(&tool, format!("{}: {fault}", version.name)));
            tools.insert(tool);
        }
    }
    (found, tools)
}

/// What changes in the generated Rust items.
fn api(old: &Catalog, new: &Catalog) -> Vec<changes::Change> {
    let code = |contract: &Contract| {
        let alone = Catalog::new(vec![contract.clone()]);
        let files = toolcast_codegen::render(&alone).ok()?;
        let rust: Vec<&str> = files
            .iter()
            .filter(|(path, _)| path.extension() == Some("rs") && path.file_stem() != Some("mod"))
            .map(|(_, text)| text)
            .collect();
        Some(rust.join("\n"))
    };
    let mut found = Vec::new();
    for tool in &new.contracts {
        let before = old.get(&tool.name).filter(|before| *before != tool);
        if let Some(before) = before
            && let (Some(before), Some(after)) = (code(before), code(tool))
        {
            found.extend(changes::api_change(tool, &before, &after));
        }
    }
    found
}

/// The configuration that is used without `--config`, where it exists.
fn default_config() -> &'static Utf8Path {
    Utf8Path::new("toolcast.toml")
}
