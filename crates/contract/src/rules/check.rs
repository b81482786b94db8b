//! Puts every rule to every document, and finds what only references make schemas.

use super::{
    default_mismatch, files, identifiers, misplaced_x_tool, missing_description, reference,
    reference_loop, root_not_object,
};
use crate::tool::{self, Tool};
use serde_json::Value;
use std::collections::HashSet;
use toolcast_schema::finding::Finding;
use toolcast_schema::index::{Index, Location, Lost};
use toolcast_schema::instance;
use toolcast_schema::json::End;
use toolcast_schema::keyword::subschemas;
use toolcast_schema::limits::Limits;

/// What a document is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    /// One tool's contract.
    Contract,
    /// Shared definitions only.
    Definitions,
    /// A schema that is neither: one of another system's tool.
    Schema,
}

/// The faults of all documents, each with its document's number.
pub(crate) struct Report {
    pub(crate) findings: Vec<(usize, Finding)>,
    /// Documents that cannot be used.
    pub(crate) broken: HashSet<usize>,
    /// What `x-tool` says, for every contract.
    pub(crate) tools: Vec<(usize, Tool)>,
}

/// Checks all documents of `index`.
pub(crate) fn check(index: &Index, kind: &dyn Fn(usize) -> Kind, limits: &Limits) -> Report {
    let mut checker = Checker {
        index,
        report: Report { findings: Vec::new(), broken: HashSet::new(), tools: Vec::new() },
        outside: HashSet::new(),
        pending: Vec::new(),
        steps: instance::ALL_STEPS,
        subschemas: limits.subschemas,
        pointers: limits.pointers,
    };
    for (number, document) in index.documents.iter().enumerate() {
        if document.is_metaschema {
            continue;
        }
        match kind(number) {
            Kind::Contract => checker.contract(number),
            Kind::Definitions => checker.definitions(number),
            Kind::Schema => {}
        }
        for subschema in &document.schemas {
            let location = Location { document: number, pointer: subschema.pointer.clone() };
            checker.schema(&location);
        }
    }
    checker.outside_schemas();
    checker.report.findings.extend(identifiers::find(index));
    checker.report.findings.extend(reference_loop::find(index));
    let broken = checker.report.findings.iter().filter(|(_, finding)| finding.is_error());
    let broken: HashSet<usize> = broken.map(|(number, _)| *number).collect();
    checker.report.broken.extend(broken);
    checker.report
}

struct Checker<'a> {
    index: &'a Index,
    report: Report,
    /// Schemas that only a reference makes schemas of, such as `#/x-shared/Address`.
    outside: HashSet<Location>,
    pending: Vec<Location>,
    steps: usize,
    /// How many more schemas, and how many more bytes of pointers, may be found outside the keywords.
    subschemas: usize,
    pointers: usize,
}

impl Checker<'_> {
    fn find(&mut self, document: usize, finding: Finding) {
        self.report.findings.push((document, finding));
    }

    fn contract(&mut self, number: usize) {
        let root = &self.index.documents[number].value;
        let mut out = Vec::new();
        if root_not_object::check(root, &mut out) {
            missing_description::check(root, &mut out);
            let tool = tool::read(root, &mut out);
            self.report.tools.push((number, tool));
        }
        self.report.findings.extend(out.into_iter().map(|finding| (number, finding)));
    }

    fn definitions(&mut self, number: usize) {
        let root = &self.index.documents[number].value;
        let mut out = Vec::new();
        root_not_object::check_definitions(root, &mut out);
        misplaced_x_tool::check_definitions(root, &mut out);
        self.report.findings.extend(out.into_iter().map(|finding| (number, finding)));
    }

    fn schema(&mut self, location: &Location) {
        let Some(schema) = self.index.value(location) else { return };
        let dialect = self.index.resources[self.index.resource_of(location)].dialect;
        let mut out = Vec::new();
        super::members(schema, &location.pointer, dialect, &mut out);
        for keyword in ["$ref", "$dynamicRef", "$recursiveRef"] {
            let Some(Value::String(named)) = schema.get(keyword) else { continue };
            match self.index.follow(location, named) {
                Ok(target) => {
                    let place = target.location;
                    if !self.index.documents[place.document].is_metaschema {
                        self.outside(place);
                    }
                }
                // The file that could not be read has a diagnostic of its own.
                Err(Lost::Unread) => {
                    self.report.broken.insert(location.document);
                }
                Err(lost) => {
                    out.push(reference::finding(&lost, keyword, named, &location.pointer));
                }
            }
        }
        default_mismatch::check(self.index, location, schema, &mut self.steps, &mut out);
        self.report.findings.extend(out.into_iter().map(|finding| (location.document, finding)));
    }

    /// Notes a schema that only a reference makes one, once.
    fn outside(&mut self, place: Location) {
        if self.index.is_subschema(&place) || self.outside.contains(&place) {
            return;
        }
        let left =
            self.subschemas.checked_sub(1).zip(self.pointers.checked_sub(place.pointer.len()));
        let Some((subschemas, pointers)) = left else {
            if self.index.too_many.iter().any(|(document, ..)| *document == place.document) {
                return;
            }
            // What was not looked at cannot be vouched for.
            let message = "too many schemas stand where only references lead (limits `subschemas`, `pointers`)";
            if self.report.broken.insert(place.document) {
                let finding = files::TOO_MANY_SUBSCHEMAS.finding(
                    String::new(),
                    End::Value,
                    message.to_owned(),
                );
                self.find(place.document, finding.help("move them into `$defs`"));
            }
            return;
        };
        (self.subschemas, self.pointers) = (subschemas, pointers);
        self.outside.insert(place.clone());
        self.pending.push(place);
    }

    /// Checks what only references lead to, with all that it holds and refers to in turn.
    fn outside_schemas(&mut self) {
        while let Some(location) = self.pending.pop() {
            self.schema(&location);
            let index = self.index;
            let Some(value) = index.value(&location) else { continue };
            subschemas(value, &location.pointer, |_, pointer, _| {
                self.outside(Location { document: location.document, pointer });
            });
        }
    }
}
