//! Finds every fault of every document: shapes of keywords, references, defaults, and what a contract's root must have.

use crate::diagnostic::Severity;
use crate::index::{Index, Location, Lost, Role};
use crate::instance::{self, Fit};
use crate::json::{End, join};
use crate::keyword::subschemas;
use crate::limits::Limits;
use crate::loops;
use crate::shape::{self, Finding, printable, shown};
use crate::tool::{self, Tool};
use serde_json::Value;
use std::collections::HashSet;

/// The faults of all documents, each with its document's number.
pub(crate) struct Report {
    pub(crate) findings: Vec<(usize, Finding)>,
    /// Documents that cannot be used.
    pub(crate) broken: HashSet<usize>,
    /// What `x-tool` says, for every contract.
    pub(crate) tools: Vec<(usize, Tool)>,
}

/// Checks all documents of `index`.
pub(crate) fn check(index: &Index, limits: &Limits) -> Report {
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
        match document.role {
            Role::Metaschema => continue,
            Role::Contract => checker.contract(number),
            Role::Definitions => checker.definitions(number),
            Role::Imported => {}
        }
        for subschema in &document.schemas {
            let location = Location { document: number, pointer: subschema.pointer.clone() };
            checker.schema(&location);
        }
    }
    checker.outside_schemas();
    checker.identifiers();
    checker.report.findings.extend(loops::find(index));
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
        let error = |rule, pointer: &str, end, message: String| {
            Finding::new(Severity::Error, rule, pointer.to_owned(), end, message)
        };
        let Value::Object(members) = root else {
            let message = format!("a contract is a schema for an object, not {}", shown(root));
            let finding = error("root-not-object", "", End::Value, message);
            return self.find(number, finding.help("write `{ \"type\": \"object\", ... }`"));
        };
        match members.get("type") {
            Some(Value::String(name)) if name == "object" => {}
            None => out.push(
                error("root-not-object", "", End::Value, "the root has no `type`".to_owned())
                    .help("add `\"type\": \"object\"`: a tool's arguments are an object"),
            ),
            Some(other) => out.push(
                error(
                    "root-not-object",
                    "/type",
                    End::Value,
                    format!(
                        "the root's `type` is {}, but a tool's arguments are an object",
                        shown(other)
                    ),
                )
                .help("write `\"type\": \"object\"`"),
            ),
        }
        match members.get("description") {
            Some(Value::String(text)) if text.trim().is_empty() => out.push(
                error("missing-description", "/description", End::Value, "the description is empty".to_owned())
                    .help("say what the tool does and when to use it: this is what a model reads"),
            ),
            // Anything but a string is found as the keyword's shape.
            Some(_) => {}
            None => out.push(
                error("missing-description", "", End::Value, "the contract has no `description`".to_owned())
                    .help("say at the root what the tool does and when to use it: this is what a model reads"),
            ),
        }
        let tool = tool::read(root, &mut out);
        self.report.tools.push((number, tool));
        self.report.findings.extend(out.into_iter().map(|finding| (number, finding)));
    }

    fn definitions(&mut self, number: usize) {
        let root = &self.index.documents[number].value;
        if !matches!(root, Value::Object(_) | Value::Bool(_)) {
            let message = format!("a file of definitions is a schema, not {}", shown(root));
            let finding = Finding::new(
                Severity::Error,
                "root-not-object",
                String::new(),
                End::Value,
                message,
            );
            self.find(number, finding.help("write `{ \"$defs\": { ... } }`"));
        } else if root.get("x-tool").is_some() {
            let message =
                "a file in a `defs` folder is no contract, so `x-tool` means nothing here"
                    .to_owned();
            let pointer = "/x-tool".to_owned();
            let finding =
                Finding::new(Severity::Warning, "misplaced-x-tool", pointer, End::Key, message);
            self.find(number, finding.help("move the file out of `defs`, or remove `x-tool`"));
        }
    }

    fn schema(&mut self, location: &Location) {
        let Some(schema) = self.index.value(location) else { return };
        let dialect = self.index.resources[self.index.resource_of(location)].dialect;
        let mut out = Vec::new();
        shape::check(schema, &location.pointer, dialect, &mut out);
        for keyword in ["$ref", "$dynamicRef", "$recursiveRef"] {
            let Some(Value::String(reference)) = schema.get(keyword) else { continue };
            match self.index.follow(location, reference) {
                Ok(target) => {
                    let place = target.location;
                    let metaschema = self.index.documents[place.document].role == Role::Metaschema;
                    if !metaschema {
                        self.outside(place);
                    }
                }
                // The file that could not be read has a diagnostic of its own.
                Err(Lost::Unread) => {
                    self.report.broken.insert(location.document);
                }
                Err(lost) => out.push(lost_reference(&lost, keyword, reference, &location.pointer)),
            }
        }
        if let Some(default) = schema.get("default")
            && let Fit::No(reason) = instance::fits(self.index, location, default, &mut self.steps)
        {
            let message =
                format!("the default {} does not fit its schema: {reason}", shown(default));
            let pointer = join(&location.pointer, "default");
            out.push(
                Finding::new(Severity::Error, "default-mismatch", pointer, End::Value, message)
                    .help("change the default, the schema, or remove `default`"),
            );
        }
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
                let finding = Finding::new(
                    Severity::Error,
                    "too-many-subschemas",
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
            subschemas(value, &location.pointer, |pointer, _| {
                self.outside(Location { document: location.document, pointer });
            });
        }
    }

    fn identifiers(&mut self) {
        for &(second, first) in &self.index.claimed_twice {
            let [second, first] = [second, first].map(|number| &self.index.resources[number]);
            let other = &self.index.documents[first.document].path;
            let message = format!("the `$id` `{}` is taken by `{other}`", printable(&second.base));
            let pointer = join(&second.pointer, "$id");
            let finding =
                Finding::new(Severity::Error, "id-used-twice", pointer, End::Value, message);
            self.find(
                second.document,
                finding.help("give each schema an `$id` of its own, or none"),
            );
        }
        for (location, name) in &self.index.anchors_twice {
            let message = format!("the anchor `{}` stands twice in one schema", printable(name));
            let pointer = location.pointer.clone();
            let finding =
                Finding::new(Severity::Error, "anchor-used-twice", pointer, End::Value, message);
            self.find(location.document, finding.help("rename one of the two"));
        }
    }
}

fn lost_reference(lost: &Lost, keyword: &str, reference: &str, pointer: &str) -> Finding {
    let named = printable(reference);
    let (rule, message, help) = match lost {
        Lost::LeavesFolder => (
            "ref-leaves-folder",
            format!("`{keyword}` leads out of the schemas folder: `{named}`"),
            Some("copy the definition into a `defs` folder and refer to it there".to_owned()),
        ),
        Lost::Network => (
            "ref-network",
            format!("`{keyword}` names a network address: `{named}`"),
            Some(
                "nothing is fetched: save the schema under `defs/` and refer to the file"
                    .to_owned(),
            ),
        ),
        Lost::NoDocument { wanted, near } => (
            "ref-dangling",
            format!("`{keyword}` leads nowhere: there is no `{}`", printable(wanted)),
            Some(near.as_ref().map_or_else(
                || "a reference names a file by its path from this one, or something in this one by `#`".to_owned(),
                |near| format!("did you mean `{}`?", printable(near)),
            )),
        ),
        Lost::NoPlace { document, near } => (
            "ref-dangling",
            format!("`{keyword}` leads nowhere: `{document}` has no `{}`", fragment(&named)),
            Some(near.as_ref().map_or_else(
                || "define it there (`$defs`), or refer to something that is there".to_owned(),
                |near| format!("did you mean `{}`?", printable(near)),
            )),
        ),
        Lost::NotSchema => (
            "ref-not-schema",
            format!("`{keyword}` leads to a value that is no schema: `{named}`"),
            Some("refer to an object, `true` or `false`".to_owned()),
        ),
        Lost::Escape => (
            "ref-escape",
            format!("`{keyword}` has a broken escape: `{named}`"),
            Some(
                "`%` takes two hexadecimal digits (`%25` is `%`), `~` takes `0` or `1`".to_owned(),
            ),
        ),
        Lost::Unread => ("ref-dangling", format!("`{keyword}` leads to a broken file"), None),
    };
    let place = join(pointer, keyword);
    let mut finding = Finding::new(Severity::Error, rule, place, End::Value, message);
    finding.help = help;
    finding
}

fn fragment(reference: &str) -> &str {
    reference.find('#').map_or("#", |at| &reference[at..])
}
