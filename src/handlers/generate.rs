use super::{Operations, bound, load_folder};
use crate::failure::Failure;
use crate::tools::generate::{Handler, Input, Output};
use camino::{Utf8Component, Utf8Path, Utf8PathBuf};
use toolcast::{Context, Error};
use toolcast_codegen::contract::{Severity, one_line};
use toolcast_codegen::{Mode, place, render};

impl Handler for Operations {
    async fn call(&self, input: Input, ctx: &Context) -> Result<Output, Error> {
        ctx.blocking(move || generate(&input)).await
    }
}

fn generate(input: &Input) -> Result<Output, Error> {
    let (catalog, diagnostics) = load_folder(&input.schemas)?;
    let out = Utf8Path::new(&input.out);
    if is_within(out, Utf8Path::new(&input.schemas)) {
        return Err(Error::tool(format!(
            "{}: the bindings would stand among the contracts of {}, to be read as contracts\n  help: write them to a \
             folder beside it",
            one_line(&input.out),
            one_line(&input.schemas)
        )));
    }
    if let Some(failure) = Failure::no_folder(out) {
        return Err(Error::tool(failure.to_string()));
    }
    let broken = diagnostics.iter().any(|diagnostic| diagnostic.severity == Severity::Error);
    let mut output = Output {
        tools: catalog.contracts.len() as u64,
        written: Vec::new(),
        removed: Vec::new(),
        stale: Vec::new(),
        findings: diagnostics.into_iter().map(Into::into).collect(),
    };
    // Bindings of some of the contracts would drop the others' handlers.
    if broken {
        return Ok(output);
    }
    let files = match render(&catalog) {
        Ok(files) => files,
        Err(error) => {
            output.findings.push(bound(error, &catalog)?.into());
            return Ok(output);
        }
    };
    let mode = if input.check { Mode::Check } else { Mode::Write };
    let report =
        place(&files, out, mode).map_err(|error| Error::caused(error.to_string(), error))?;
    let named =
        |paths: Vec<Utf8PathBuf>| paths.into_iter().map(|path| out.join(path).into_string());
    match mode {
        Mode::Write => {
            output.written = named(report.written).collect();
            output.removed = named(report.removed).collect();
        }
        Mode::Check => {
            output.stale = named(report.written).chain(named(report.removed)).collect();
            output.stale.sort();
        }
    }
    Ok(output)
}

/// Whether a path, of which the last parts need not be there yet, leads into a folder or is the folder.
fn is_within(path: &Utf8Path, folder: &Utf8Path) -> bool {
    let Ok(folder) = folder.canonicalize_utf8() else { return false };
    let Ok(path) = camino::absolute_utf8(path) else { return false };
    resolved(&path).starts_with(folder)
}

/// An absolute path without links and dots, as it will be once what is missing of it is made. Part by part: a `..` after a
/// link leads to where the link's target lies, and one after a missing folder back out of that.
fn resolved(path: &Utf8Path) -> Utf8PathBuf {
    path.components().fold(Utf8PathBuf::new(), |mut known, part| {
        match part {
            Utf8Component::CurDir => {}
            Utf8Component::ParentDir => {
                known.pop();
            }
            part => known.push(part),
        }
        known.canonicalize_utf8().unwrap_or(known)
    })
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;
    use std::fs;
    use std::os::unix::fs::symlink;

    #[test]
    fn no_way_into_a_folder_is_missed() {
        let place = tempfile::tempdir().expect("there is a folder for temporary files");
        let root = Utf8Path::from_path(place.path()).expect("its name is UTF-8");
        let schemas = root.join("schemas");
        fs::create_dir_all(schemas.join("boards")).expect("the folder is ours");
        fs::create_dir_all(root.join("elsewhere/deep")).expect("the folder is ours");
        symlink(&schemas, root.join("link")).expect("the folder is ours");
        symlink(root.join("elsewhere/deep"), root.join("far")).expect("the folder is ours");
        for inside in [
            "schemas",
            "schemas/new/deeper",
            "missing/../schemas",
            "missing/../schemas/new",
            "a/b/../../schemas/new",
            "schemas/missing/..",
            "link",
            "link/new",
            "link/missing/../new",
            "far/../../schemas",
            "missing/../link/new",
        ] {
            assert!(is_within(&root.join(inside), &schemas), "{inside}");
        }
        // A link's parent is that of its target.
        for outside in [
            "",
            "out",
            "schemas/..",
            "schemas_new",
            "link/../out",
            "far/../schemas",
            "missing/schemas",
        ] {
            assert!(!is_within(&root.join(outside), &schemas), "{outside}");
        }
    }
}
