//! `toolcast diff`: two versions in, one report out. A version that cannot be read is an error or a breaking change, never
//! "no change".

mod config;
mod configuration;
mod digest;
pub mod format;
mod git;
pub mod replay;
pub mod report;
mod version;
pub mod witnesses;

use crate::failure::Failure;
use camino::Utf8PathBuf;
use config::Config;
use digest::Sides;
use report::{Change, Decided, Level, Report};
use std::collections::BTreeSet;
use toolcast_codegen::contract::{Catalog, Contract, Part, one_line};
use toolcast_review::changes::{self, Review, View};
use toolcast_review::diff::Settings;
use version::{Contracts, Version, Versions};

pub use version::Against;

/// What to compare, and how.
#[derive(Clone, Debug)]
pub struct Question {
    /// Folder of contracts, or one file.
    pub schemas: Utf8PathBuf,
    /// What to compare with.
    pub against: Option<Against>,
    /// Whether a revision stands for its last commit in common with the current one.
    pub merge_base: bool,
    /// The folder's path in the revision, where it was another.
    pub base_schemas: Option<Utf8PathBuf>,
    /// Whether there may be nothing to compare with.
    pub allow_empty_base: bool,
    /// Bare schemas, of this part.
    pub bare: Option<Part>,
    /// Whom a break must concern.
    pub view: Option<View>,
    /// The mildest level that fails.
    pub fail_on: Option<Level>,
    /// The configuration file.
    pub config: Option<Utf8PathBuf>,
    /// Which version's configuration counts.
    pub config_from: ConfigFrom,
}

/// Which version's configuration counts.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum ConfigFrom {
    /// That of the commit that is compared with.
    #[default]
    Base,
    /// That of the working tree.
    WorkingTree,
}

impl Question {
    /// What to compare with, as a path, whichever way it is written.
    fn against_path(&self) -> Option<Utf8PathBuf> {
        Some(match self.against.as_ref()? {
            Against::Revision(text) => text.into(),
            Against::Path(path) => path.clone(),
        })
    }
}

/// Compares the two versions.
pub fn diff(question: &Question) -> Result<Report, Failure> {
    let versions = version::versions(question)?;
    let found =
        configuration::configuration(question, versions.origin.as_ref(), versions.old.name())?;
    let config = found.config;
    let view = question.view.unwrap_or(config.view);
    let mut review = review(question, &versions, view)?;
    review.changes.extend(found.change);
    let catalog = match &versions.new {
        Version::Contracts(new) => Some(&new.catalog),
        Version::Bare { .. } => None,
    };
    let tools = catalog.map_or(1, |catalog| catalog.contracts.len() as u64);
    let fail_on = question.fail_on.unwrap_or(config.fail_on);
    let sides = Sides::new(&versions);
    let mut changes: Vec<Change> = Vec::new();
    let mut instead: Vec<String> = Vec::new();
    for mut change in review.changes {
        if !config.apply(&mut change) {
            continue;
        }
        let mut told = Change::new(&change);
        locate(&mut told, &change, catalog);
        if change.rule != &changes::CONFIGURATION_CHANGED {
            let exactly = sides.exactly(&change);
            told.accepted = config.accepted(&change, &exactly)?;
            instead.extend(config.instead(&change, &exactly));
            if told.accepted.is_none() && told.level <= fail_on {
                told.acceptance = Some(config::written(&change, &exactly, "WHY", "YYYY-MM-DD"));
            }
        }
        changes.push(told);
    }
    sweeping(&config, found.name.as_deref(), &instead)?;
    changes.sort_by_key(|change| (change.accepted.is_some(), change.level));
    let mut report = Report {
        before: versions.old.name().to_owned(),
        after: versions.new.name().to_owned(),
        tools,
        fail_on,
        fails: false,
        config: found.name,
        // Where something changed, something was compared.
        notes: if changes.is_empty() { versions.notes } else { Vec::new() },
        changes,
        verdicts: review.verdicts.iter().map(Decided::new).collect(),
    };
    report.fails = report.fails(fail_on);
    Ok(report)
}

/// Every change, as the rules find them.
fn review(question: &Question, versions: &Versions, view: View) -> Result<Review, Failure> {
    let settings = Settings::default();
    match (&versions.old, &versions.new) {
        (Version::Bare { value: old, name: before }, Version::Bare { value: new, name }) => {
            for (schema, name) in [(old, before), (new, name)] {
                changes::readable(schema, &settings).map_err(|message| {
                    Failure::new(format!("{name}: no valid schema: {message}"))
                        .help("mend the schema; nothing can be said of a change to it")
                })?;
            }
            let part = question.bare.unwrap_or(Part::Input);
            Ok(changes::bare(name, old, new, part, view, &settings))
        }
        (Version::Contracts(old), Version::Contracts(new)) => {
            let mut review = changes::changes(&old.catalog, &new.catalog, view, &settings);
            let (faults, unreadable) = unreadable(old, new);
            // A contract that cannot be read on one side is neither new nor gone.
            review.changes.retain(|change| {
                let alone = ["tool-added", "tool-removed"].contains(&change.rule.id);
                !(alone && unreadable.contains(&change.tool))
            });
            review.changes.extend(faults);
            review.changes.extend(api(&old.catalog, &new.catalog));
            Ok(review)
        }
        _ => Err(Failure::new("a folder of contracts cannot be compared with a bare schema")),
    }
}

fn locate(told: &mut Change, change: &changes::Change, catalog: Option<&Catalog>) {
    let Some(catalog) = catalog else { return };
    let Some(contract) = catalog.get(&change.tool) else { return };
    let place = change.place.as_ref();
    match place.and_then(|(part, pointer)| catalog.origin(contract, *part, pointer)) {
        Some(origin) => told.locate(&origin),
        None => told.stands_in(&catalog.root().join(&contract.source)),
    }
}

/// An entry that does not say which change it means would hide those to come as well.
fn sweeping(config: &Config, name: Option<&str>, instead: &[String]) -> Result<(), Failure> {
    if !config.is_sweeping() {
        return Ok(());
    }
    let name = name.unwrap_or("the configuration");
    let failure = Failure::new(format!(
        "{name}: an entry of `diff.accepted` does not say which change it accepts (`pointer`, `old`, `new`): it would \
         hide every later one of its rule and tool"
    ));
    Err(match instead {
        [] => failure.help("nothing of this comparison needs such an entry: remove it"),
        entries => failure.help(format!(
            "put this in its place, or remove it where the change is no longer meant:\n\n{}",
            entries.join("\n")
        )),
    })
}

/// The faults of either version as changes, and the tools whose files they lie in.
fn unreadable(old: &Contracts, new: &Contracts) -> (Vec<changes::Change>, BTreeSet<String>) {
    let mut found = Vec::new();
    let mut tools = BTreeSet::new();
    for version in [old, new] {
        for (fault, _) in &version.faults {
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
