//! Says of a value that it certainly does not fit a schema, and otherwise keeps silent. The validator proper lives where
//! its cost does not fall on build scripts; this checks the plain keywords and answers [`Fit::Unknown`] for the rest, so
//! that it never claims a misfit that is none.

use crate::dialect::Dialect;
use crate::finding::shown;
use crate::form::count;
use crate::index::{Index, Location};
use crate::pointer::join;
use serde_json::{Map, Value};

/// Whether a value fits.
#[derive(Clone, Debug, PartialEq)]
pub enum Fit {
    /// It fits.
    Yes,
    /// It does not, for this reason.
    No(String),
    /// Neither can be said.
    Unknown,
}

/// How many schemas one question may look at: chains of references that double must not take forever.
const STEPS: usize = 5_000;
/// How many schemas all questions of one run may look at.
pub const ALL_STEPS: usize = 5_000_000;
/// How deep one question may follow references: a cycle that consumes nothing has no answer.
const DEPTH: usize = 64;

/// Whether `value` fits the schema at `location`; `left` are the steps that all questions together may still take.
pub fn fits(index: &Index, location: &Location, value: &Value, left: &mut usize) -> Fit {
    let given = STEPS.min(*left);
    let mut checker = Checker { index, steps: given };
    let Some(schema) = index.value(location) else { return Fit::Unknown };
    let fit = checker.fit(location, schema, value, DEPTH);
    *left -= given - checker.steps;
    fit
}

struct Checker<'a> {
    index: &'a Index,
    steps: usize,
}

impl Checker<'_> {
    fn fit(&mut self, at: &Location, schema: &Value, value: &Value, depth: usize) -> Fit {
        if self.steps == 0 || depth == 0 {
            return Fit::Unknown;
        }
        self.steps -= 1;
        let members = match schema {
            Value::Bool(true) => return Fit::Yes,
            Value::Bool(false) => return Fit::No("nothing fits `false`".to_owned()),
            Value::Object(members) => members,
            _ => return Fit::Unknown,
        };
        let dialect = self.index.resources[self.index.resource_of(at)].dialect;
        if dialect == Dialect::Draft7 && members.contains_key("$ref") {
            return self.keyword(at, "$ref", &members["$ref"], members, value, depth);
        }
        let mut unknown = false;
        for (name, argument) in members {
            match self.keyword(at, name, argument, members, value, depth) {
                Fit::Yes => {}
                Fit::No(reason) => return Fit::No(reason),
                Fit::Unknown => unknown = true,
            }
        }
        if unknown { Fit::Unknown } else { Fit::Yes }
    }

    /// Takes the steps for a list that is gone through; false where too few are left.
    fn charge(&mut self, length: usize) -> bool {
        match self.steps.checked_sub(length / 4) {
            Some(left) => {
                self.steps = left;
                true
            }
            None => {
                self.steps = 0;
                false
            }
        }
    }

    fn below(
        &mut self,
        at: &Location,
        tokens: &[&str],
        schema: &Value,
        value: &Value,
        depth: usize,
    ) -> Fit {
        // The pointer is copied, and may be megabytes.
        if !self.charge(at.pointer.len() / 8) {
            return Fit::Unknown;
        }
        let pointer =
            tokens.iter().fold(at.pointer.clone(), |pointer, token| join(&pointer, token));
        let at = Location { document: at.document, pointer };
        self.fit(&at, schema, value, depth - 1)
    }

    fn keyword(
        &mut self,
        at: &Location,
        name: &str,
        argument: &Value,
        members: &Map<String, Value>,
        value: &Value,
        depth: usize,
    ) -> Fit {
        match name {
            "type" => fits_type(argument, value),
            "const" if equal(argument, value) => Fit::Yes,
            "const" => Fit::No(format!("it is not {}", shown(argument))),
            "enum" => match argument {
                Value::Array(allowed) if !self.charge(allowed.len()) => Fit::Unknown,
                Value::Array(allowed) if !allowed.iter().any(|allowed| equal(allowed, value)) => {
                    Fit::No(format!("it is none of {}", shown(argument)))
                }
                _ => Fit::Yes,
            },
            "$ref" => {
                let Some(reference) = argument.as_str() else { return Fit::Unknown };
                let Ok(target) = self.index.follow(at, reference) else { return Fit::Unknown };
                match self.index.value(&target.location) {
                    Some(schema) => self.fit(&target.location, schema, value, depth - 1),
                    None => Fit::Unknown,
                }
            }
            "minimum" | "maximum" | "exclusiveMinimum" | "exclusiveMaximum" | "multipleOf" => {
                number(name, argument, value)
            }
            "minLength" | "maxLength" | "minItems" | "maxItems" | "minProperties"
            | "maxProperties" => size(name, argument, value),
            "required" => match (argument, value) {
                (Value::Array(names), Value::Object(given)) => {
                    let missing =
                        names.iter().filter_map(Value::as_str).find(|n| !given.contains_key(*n));
                    match missing {
                        Some(missing) => Fit::No(format!("it lacks the required `{missing}`")),
                        None => Fit::Yes,
                    }
                }
                _ => Fit::Yes,
            },
            "properties" => self.properties(at, argument, value, depth),
            "additionalProperties" => self.undeclared(at, argument, members, value, depth),
            "items" => match argument {
                Value::Array(schemas) => self.prefix(at, "items", schemas, value, depth),
                _ => {
                    let skipped =
                        members.get("prefixItems").and_then(Value::as_array).map_or(0, Vec::len);
                    let Value::Array(elements) = value else { return Fit::Yes };
                    let each = elements.iter().skip(skipped);
                    all(each.map(|element| self.below(at, &["items"], argument, element, depth)))
                }
            },
            "prefixItems" => match argument {
                Value::Array(schemas) => self.prefix(at, "prefixItems", schemas, value, depth),
                _ => Fit::Unknown,
            },
            "allOf" => {
                let Value::Array(branches) = argument else { return Fit::Unknown };
                let fits = branches.iter().enumerate();
                all(fits.map(|(i, branch)| {
                    self.below(at, &["allOf", &i.to_string()], branch, value, depth)
                }))
            }
            "anyOf" | "oneOf" => {
                let Value::Array(branches) = argument else { return Fit::Unknown };
                let fits: Vec<Fit> = branches
                    .iter()
                    .enumerate()
                    .map(|(i, branch)| {
                        self.below(at, &[name, &i.to_string()], branch, value, depth)
                    })
                    .collect();
                let yes = fits.iter().filter(|fit| **fit == Fit::Yes).count();
                let unknown = fits.contains(&Fit::Unknown);
                match (name, yes, unknown) {
                    (_, 0, false) => Fit::No(format!("it fits no branch of `{name}`")),
                    ("oneOf", 2.., _) => {
                        Fit::No("it fits more than one branch of `oneOf`".to_owned())
                    }
                    ("oneOf", _, true) => Fit::Unknown,
                    ("anyOf", 0, true) => Fit::Unknown,
                    _ => Fit::Yes,
                }
            }
            "pattern" => match (argument, value) {
                (Value::String(pattern), Value::String(text)) => plain_pattern(pattern, text),
                _ => Fit::Yes,
            },
            "uniqueItems"
            | "format"
            | "not"
            | "if"
            | "then"
            | "else"
            | "contains"
            | "minContains"
            | "maxContains"
            | "propertyNames"
            | "patternProperties"
            | "dependentRequired"
            | "dependentSchemas"
            | "dependencies"
            | "unevaluatedItems"
            | "unevaluatedProperties"
            | "additionalItems"
            | "$dynamicRef"
            | "$recursiveRef" => Fit::Unknown,
            // Annotations, identifiers and keywords that nobody knows.
            _ => Fit::Yes,
        }
    }

    fn properties(&mut self, at: &Location, argument: &Value, value: &Value, depth: usize) -> Fit {
        let (Value::Object(schemas), Value::Object(given)) = (argument, value) else {
            return Fit::Yes;
        };
        if !self.charge(schemas.len()) {
            return Fit::Unknown;
        }
        let mut unknown = false;
        for (name, schema) in schemas {
            let Some(member) = given.get(name) else { continue };
            match self.below(at, &["properties", name], schema, member, depth) {
                Fit::Yes => {}
                Fit::No(reason) => return Fit::No(format!("its `{name}` does not fit: {reason}")),
                Fit::Unknown => unknown = true,
            }
        }
        if unknown { Fit::Unknown } else { Fit::Yes }
    }

    fn undeclared(
        &mut self,
        at: &Location,
        argument: &Value,
        members: &Map<String, Value>,
        value: &Value,
        depth: usize,
    ) -> Fit {
        let Value::Object(given) = value else { return Fit::Yes };
        if members.contains_key("patternProperties") {
            return Fit::Unknown;
        }
        let declared = members.get("properties").and_then(Value::as_object);
        let further =
            given.iter().filter(|(name, _)| declared.is_none_or(|d| !d.contains_key(*name)));
        all(further.map(|(name, member)| {
            match self.below(at, &["additionalProperties"], argument, member, depth) {
                Fit::No(_) if *argument == Value::Bool(false) => {
                    Fit::No(format!("its `{name}` is not declared"))
                }
                Fit::No(reason) => Fit::No(format!("its `{name}` does not fit: {reason}")),
                other => other,
            }
        }))
    }

    fn prefix(
        &mut self,
        at: &Location,
        name: &str,
        schemas: &[Value],
        value: &Value,
        depth: usize,
    ) -> Fit {
        let Value::Array(elements) = value else { return Fit::Yes };
        let pairs = schemas.iter().zip(elements).enumerate();
        all(pairs.map(|(i, (schema, element))| {
            self.below(at, &[name, &i.to_string()], schema, element, depth)
        }))
    }
}

fn all(fits: impl Iterator<Item = Fit>) -> Fit {
    let mut unknown = false;
    for fit in fits {
        match fit {
            Fit::Yes => {}
            Fit::No(reason) => return Fit::No(reason),
            Fit::Unknown => unknown = true,
        }
    }
    if unknown { Fit::Unknown } else { Fit::Yes }
}

fn fits_type(argument: &Value, value: &Value) -> Fit {
    let one = |name: &str| match (name, value) {
        ("null", Value::Null)
        | ("boolean", Value::Bool(_))
        | ("string", Value::String(_))
        | ("array", Value::Array(_))
        | ("object", Value::Object(_))
        | ("number", Value::Number(_)) => true,
        ("integer", Value::Number(number)) => {
            number.is_i64() || number.is_u64() || number.as_f64().is_some_and(|n| n.fract() == 0.0)
        }
        _ => false,
    };
    let (fits, wanted) = match argument {
        Value::String(name) => (one(name), name.clone()),
        Value::Array(names) => {
            let names: Vec<&str> = names.iter().filter_map(Value::as_str).collect();
            (names.iter().any(|name| one(name)), names.join(" or "))
        }
        _ => return Fit::Unknown,
    };
    if fits { Fit::Yes } else { Fit::No(format!("its type is not {wanted}")) }
}

/// Equality as JSON Schema has it: `1` and `1.0` are one number, members have no order.
pub fn equal(a: &Value, b: &Value) -> bool {
    match (a, b) {
        (Value::Number(a), Value::Number(b)) => {
            a == b
                || match (whole(a), whole(b)) {
                    (Some(a), Some(b)) => a == b,
                    (None, None) => a.as_f64() == b.as_f64(),
                    _ => false,
                }
        }
        (Value::Array(a), Value::Array(b)) => {
            a.len() == b.len() && a.iter().zip(b).all(|(a, b)| equal(a, b))
        }
        (Value::Object(a), Value::Object(b)) => {
            a.len() == b.len() && a.iter().all(|(name, a)| b.get(name).is_some_and(|b| equal(a, b)))
        }
        (a, b) => a == b,
    }
}

fn whole(number: &serde_json::Number) -> Option<i128> {
    number.as_i64().map(i128::from).or_else(|| number.as_u64().map(i128::from)).or_else(|| {
        let float = number.as_f64()?;
        // Within ±2^100 a whole float converts exactly.
        (float.fract() == 0.0 && float.abs() < 1.2e30).then_some(float as i128)
    })
}

fn number(name: &str, argument: &Value, value: &Value) -> Fit {
    let Value::Number(given) = value else { return Fit::Yes };
    let Value::Number(bound) = argument else {
        // Draft 4's booleans: the plain bound is checked by its own keyword, equality is left open.
        return if argument == &Value::Bool(false) { Fit::Yes } else { Fit::Unknown };
    };
    let order = match (whole(given), whole(bound)) {
        (Some(given), Some(bound)) => given.cmp(&bound),
        _ => match given.as_f64().zip(bound.as_f64()).and_then(|(g, b)| g.partial_cmp(&b)) {
            Some(order) => order,
            None => return Fit::Unknown,
        },
    };
    let fits = match name {
        "minimum" => order.is_ge(),
        "maximum" => order.is_le(),
        "exclusiveMinimum" => order.is_gt(),
        "exclusiveMaximum" => order.is_lt(),
        _ => match (whole(given), whole(bound)) {
            (Some(given), Some(step)) if step > 0 => given % step == 0,
            _ => return Fit::Unknown,
        },
    };
    if fits {
        return Fit::Yes;
    }
    Fit::No(match name {
        "minimum" => format!("it is below the minimum {bound}"),
        "maximum" => format!("it is above the maximum {bound}"),
        "exclusiveMinimum" => format!("it is not above {bound}"),
        "exclusiveMaximum" => format!("it is not below {bound}"),
        _ => format!("it is not a multiple of {bound}"),
    })
}

fn size(name: &str, argument: &Value, value: &Value) -> Fit {
    let Value::Number(bound) = argument else { return Fit::Unknown };
    let Some(bound) = count(bound) else { return Fit::Unknown };
    let (size, of) = match (name, value) {
        ("minLength" | "maxLength", Value::String(text)) => (text.chars().count(), "characters"),
        ("minItems" | "maxItems", Value::Array(elements)) => (elements.len(), "elements"),
        ("minProperties" | "maxProperties", Value::Object(members)) => (members.len(), "members"),
        _ => return Fit::Yes,
    };
    let size = size as u64;
    if name.starts_with("min") && size < bound {
        return Fit::No(format!("it has {size} {of}, at least {bound} are wanted"));
    }
    if name.starts_with("max") && size > bound {
        return Fit::No(format!("it has {size} {of}, at most {bound} are wanted"));
    }
    Fit::Yes
}

/// A pattern is plain where it is literal text, perhaps anchored at either end; no other is judged.
fn plain_pattern(pattern: &str, text: &str) -> Fit {
    let (start, rest) = match pattern.strip_prefix('^') {
        Some(rest) => (true, rest),
        None => (false, pattern),
    };
    let (end, literal) = match rest.strip_suffix('$') {
        Some(rest) => (true, rest),
        None => (false, rest),
    };
    if literal
        .contains(|c: char| !c.is_alphanumeric() && !matches!(c, ' ' | '_' | '-' | ':' | '@' | '#'))
    {
        return Fit::Unknown;
    }
    let fits = match (start, end) {
        (true, true) => text == literal,
        (true, false) => text.starts_with(literal),
        (false, true) => text.ends_with(literal),
        (false, false) => text.contains(literal),
    };
    if fits { Fit::Yes } else { Fit::No(format!("it does not match the pattern `{pattern}`")) }
}
