use super::{Operations, bound, load_folder};
use crate::tools::generate::{Handler, Input, Output};
use camino::{Utf8Path, Utf8PathBuf};
use toolcast::{Context, Error};
use toolcast_codegen::contract::Severity;
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
            "{out}: the bindings would stand among the contracts of {}, to be read as contracts\n  help: write them to a \
             folder beside it",
            input.schemas
        )));
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
    path.ancestors()
        .find_map(|there| there.canonicalize_utf8().ok())
        .is_some_and(|there| there.starts_with(folder))
}
