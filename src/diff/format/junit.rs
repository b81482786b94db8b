//! JUnit XML: one suite, one case a change; what fails the comparison is a failure.

use super::escaped;
use crate::diff::report::Report;

pub(super) fn render(report: &Report) -> String {
    let fails = |change: &&crate::diff::report::Change| {
        change.accepted.is_none() && change.level <= report.fail_on
    };
    let failures = report.changes.iter().filter(fails).count();
    let skipped = report.changes.iter().filter(|change| change.accepted.is_some()).count();
    let mut text = String::from("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n");
    // A suite without a case is taken for one that did not run.
    let tests = report.changes.len().max(1);
    text += &format!(
        "<testsuites>\n<testsuite name=\"toolcast diff\" tests=\"{tests}\" failures=\"{failures}\" \
         skipped=\"{skipped}\">\n"
    );
    if report.changes.is_empty() {
        text += "<testcase classname=\"contracts\" name=\"no change\"/>\n";
    }
    for change in &report.changes {
        text += &format!(
            "<testcase classname=\"{}\" name=\"{}: {}\"",
            escaped(&change.tool),
            escaped(&change.rule),
            escaped(&change.message)
        );
        let mut body = String::new();
        if let Some(witness) = &change.witness {
            body += &format!("for example: {witness}\n");
        }
        for fault in super::against(change) {
            body += &format!("refused: {}\n", fault);
        }
        if let Some(help) = &change.help {
            body += &format!("help: {help}\n");
        }
        text += &match &change.accepted {
            Some(reason) => format!("><skipped message=\"{}\"/></testcase>\n", escaped(reason)),
            None if fails(&change) => format!(
                "><failure type=\"{}\" message=\"{}\">{}</failure></testcase>\n",
                change.level.as_str(),
                escaped(&change.message),
                escaped(&body)
            ),
            None => format!("><system-out>{}</system-out></testcase>\n", escaped(&body)),
        };
    }
    text + "</testsuite>\n</testsuites>\n"
}
