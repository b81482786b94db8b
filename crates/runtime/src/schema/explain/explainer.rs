//! Hears of each assertion that fails, and puts it into words. The evaluator decides; this only tells.

use super::declared::Declared;
use super::found::{Found, Repairable};
use super::keywords;
use super::oracle::SingleKeywords;
use super::path::{Step, steps};
use super::{union, wording};
use serde_json::{Map, Value};
use toolcast_schema::evaluate::{
    Answer, Detail, Failure, Observer, Part, References, SingleDocument,
};

/// References that are followed from one to the next in search of a literal.
const REFERENCES: usize = 16;
/// Faults that are collected of one branch.
const OF_A_BRANCH: usize = 20;
/// Bytes of the paths of all faults that are ever met: one long name may stand above thousands of faults, and most of
/// those are of branches that are not told of.
const PATHS: usize = 32 << 20;
/// What a step of a path takes besides its name.
const STEP: usize = 64;

/// The faults of one value, or of one branch that it may take.
#[derive(Default)]
struct Collected {
    found: Vec<Found>,
    most: usize,
    /// Branches of the union that is being looked at, which the value does not fit.
    failed: Vec<(usize, Vec<Found>)>,
    /// How many faults there were when each member began that is being looked at.
    members: Vec<usize>,
}

impl Collected {
    fn of(most: usize) -> Self {
        Self { most, ..Self::default() }
    }

    fn push(&mut self, found: Found) {
        if self.found.len() < self.most {
            self.found.push(found);
        }
    }
}

pub(super) struct Explainer<'d, 's> {
    document: &'d SingleDocument<'s>,
    /// Whether faults come with their repairs; those of unions are costly.
    is_repairing: bool,
    all: Collected,
    /// Branches within each other that are being looked at, the innermost last.
    branches: Vec<Collected>,
    /// What is wrong with the name that was looked at last.
    name: Option<Found>,
    patterns: SingleKeywords,
    paths: usize,
}

impl<'d, 's> Explainer<'d, 's> {
    pub(super) fn new(document: &'d SingleDocument<'s>, most: usize, is_repairing: bool) -> Self {
        let (all, branches) = (Collected::of(most), Vec::new());
        let patterns = SingleKeywords::default();
        Self { document, is_repairing, all, branches, name: None, patterns, paths: PATHS }
    }

    /// Whether faults were met that there was no room for.
    pub(super) fn is_spent(&self) -> bool {
        self.paths == 0
    }

    pub(super) fn found(self) -> Vec<Found> {
        self.all.found
    }

    fn here(&mut self) -> &mut Collected {
        self.branches.last_mut().unwrap_or(&mut self.all)
    }

    /// What a schema wants, through one reference.
    fn describe(&self, schema: &'s Value) -> Option<String> {
        let schema = schema.as_object()?;
        wording::wanted(schema).or_else(|| wording::wanted(self.target(schema)?.as_object()?))
    }

    /// The values that a schema spells out, perhaps through references.
    fn literals(&self, mut schema: &'s Value) -> Option<Vec<Value>> {
        for _ in 0..REFERENCES {
            let members = schema.as_object()?;
            if let Some(value) = members.get("const") {
                return Some(vec![value.clone()]);
            }
            if let Some(Value::Array(values)) = members.get("enum") {
                return Some(values.clone());
            }
            schema = self.target(members)?;
        }
        None
    }

    fn target(&self, schema: &'s Map<String, Value>) -> Option<&'s Value> {
        self.document.follow(&(), schema.get("$ref")?.as_str()?).map(|((), target)| target)
    }

    fn missing(
        &self,
        mut path: Vec<Step>,
        schema: &'s Map<String, Value>,
        name: &str,
        beside: Option<&str>,
    ) -> Found {
        let properties = schema.get("properties").and_then(Value::as_object);
        let wanted = properties.and_then(|known| known.get(name));
        let mut message = "missing".to_owned();
        if let Some(beside) = beside {
            message.push_str(&format!(" beside {}", wording::quoted(beside)));
        }
        if let Some(described) = wanted.and_then(|schema| self.describe(schema)) {
            message.push_str(&format!("; expected {described}"));
        }
        path.push(Step::Key(name.to_owned()));
        let allowed = wanted.and_then(|schema| self.literals(schema));
        Found { allowed, ..Found::new(path, "required", message) }
    }

    /// What is wrong, where it is the object or array as a whole that a schema closes.
    fn left_over(&mut self, failure: &Failure<'_, 's>, path: Vec<Step>) -> Found {
        let keyword = failure.keyword;
        let message = match (failure.detail, path.last()) {
            (Detail::AtMost(most), _) => {
                let got = failure.value.as_array().map_or(0, Vec::len);
                format!("expected at most {}, got {got}", wording::count(most, "item"))
            }
            (_, Some(Step::Key(name))) => self.unknown(failure, name),
            _ => "this item has no place here".to_owned(),
        };
        Found::new(path, keyword, message)
    }

    fn unknown(&mut self, failure: &Failure<'_, 's>, name: &str) -> String {
        let keys = |keyword| {
            let entries = failure.schema.and_then(|schema| schema.get(keyword)?.as_object());
            entries.into_iter().flat_map(Map::keys).map(String::as_str).collect()
        };
        if failure.keyword == "additionalProperties" {
            let (names, patterns): (Vec<&str>, Vec<&str>) =
                (keys("properties"), keys("patternProperties"));
            return keywords::unknown(name, &names, &patterns);
        }
        let declared = failure.schema.map(|schema| Declared::by(schema, self.document));
        let declared = declared.unwrap_or_default();
        if declared.has(name, &mut self.patterns) {
            return "not allowed beside the other properties: only an alternative that does not fit \
                    them declares it"
                .to_owned();
        }
        let names: Vec<&str> = declared.names.into_iter().collect();
        let patterns: Vec<&str> = declared.patterns.into_iter().collect();
        keywords::unknown(name, &names, &patterns)
    }

    fn fault(&mut self, failure: &Failure<'_, 's>, path: Vec<Step>) -> Found {
        let (keyword, argument) = (failure.keyword, failure.argument);
        let schema = failure.schema;
        let what = |what: Option<String>, before: &str, after: &str| {
            what.map(|what| format!("{before}{what}{after}")).unwrap_or_default()
        };
        match (keyword, failure.detail, schema) {
            (_, Detail::Missing { name, beside }, Some(schema)) => {
                self.missing(path, schema, name, beside)
            }
            ("false", ..) => Found::new(path, "false", "no value is allowed here".to_owned()),
            ("type", _, Some(schema)) => keywords::of_type(path, schema, argument, failure.value),
            ("propertyNames", ..) => {
                let why = self.name.take().map(|found| found.text());
                let message = format!("this name is not allowed{}", what(why, ": ", ""));
                Found::new(path, "propertyNames", message)
            }
            ("not", ..) => {
                let what = what(self.describe(argument), ": ", "");
                Found::new(path, "not", format!("the value is one that is excluded{what}"))
            }
            ("contains", Detail::Fitting(fitting), Some(schema)) => {
                let what = what(self.describe(argument), " (", ")");
                let bound = keywords::how_many(schema, fitting);
                let message = format!("expected {bound} matching items{what}, got {fitting}");
                Found::new(path, "contains", message)
            }
            (
                "additionalProperties" | "items" | "unevaluatedProperties" | "unevaluatedItems",
                ..,
            ) => self.left_over(failure, path),
            (_, _, Some(schema)) => {
                keywords::of_value(path, keyword, schema, argument, failure.value)
            }
            _ => Found::new(path, "schema", "the value does not fit the schema here".to_owned()),
        }
    }
}

impl<'s> Observer<'s> for Explainer<'_, 's> {
    fn failed(&mut self, failure: &Failure<'_, 's>) {
        if self.is_spent() {
            return;
        }
        let path = steps(failure.instance);
        let bytes = path.iter().map(|step| match step {
            Step::Key(key) => STEP + key.len(),
            Step::Index(_) => STEP,
        });
        self.paths = self.paths.saturating_sub(bytes.sum());
        let union @ ("anyOf" | "oneOf") = failure.keyword else {
            let found = self.fault(failure, path);
            return self.here().push(found);
        };
        let failed = std::mem::take(&mut self.here().failed);
        let branches = failure.argument.as_array().map_or(&[][..], Vec::as_slice);
        let found = match failure.detail {
            Detail::Fitting(many @ 2..) => {
                let message =
                    format!("the value fits {many} alternatives where exactly one is wanted");
                vec![Found::new(path, union, message)]
            }
            _ => union::none_fits(path, branches, failed, self.is_repairing),
        };
        found.into_iter().for_each(|one| self.here().push(one));
    }

    fn begins(&mut self, part: Part) {
        match part {
            Part::Branch(position) => {
                if position == 0 {
                    self.here().failed.clear();
                }
                self.branches.push(Collected::of(OF_A_BRANCH));
            }
            Part::Name => self.branches.push(Collected::of(1)),
            Part::Member { .. } => {
                let here = self.here();
                here.members.push(here.found.len());
            }
        }
    }

    fn ends(&mut self, part: Part, value: &Value, answer: Answer) {
        match part {
            Part::Branch(position) => {
                let branch = self.branches.pop().unwrap_or_default();
                if answer == Answer::No {
                    self.here().failed.push((position, branch.found));
                }
            }
            Part::Name => {
                self.name = self.branches.pop().and_then(|name| name.found.into_iter().next());
            }
            Part::Member { is_required } => {
                let here = self.here();
                let before = here.members.pop().unwrap_or(0);
                let is_empty = value.is_null() || value.as_str() == Some("");
                if is_empty && !is_required && here.found.len() > before {
                    here.found.truncate(before + 1);
                    let depth = here.found[before].path.len();
                    here.found[before].repair = Some((depth, Repairable::Absent));
                }
            }
        }
    }

    fn goes_on(&self) -> bool {
        self.all.found.len() < self.all.most && self.paths > 0
    }

    fn counts_failing_parts(&self) -> bool {
        true
    }
}
