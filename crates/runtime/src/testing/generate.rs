//! Values that a schema accepts, from a seed. Every value is confirmed by the validator before it is given.

use super::sample;
use crate::schema;
use serde_json::{Map, Number, Value};
use toolcast_validate::Validator;

/// Tries for one value.
const TRIES: usize = 60;
/// Levels after which only what is required is made.
const SHALLOW: usize = 4;
/// Levels after which nothing is made: a recursion that no value ends.
const DEEPEST: usize = 40;
/// Schemas looked at for one value, in all tries: members that lead back to their schema multiply.
const STEPS: usize = 20_000;
/// Schemas looked at in one try, after half of which only what is required is made.
const STEPS_OF_TRY: usize = 5_000;
/// Characters of a text, or values of a schema that is copied, that count as one more step.
const SIZE_OF_STEP: usize = 100;
/// Steps that a pattern takes: it is parsed, and all its parts are visited.
const STEPS_OF_PATTERN: usize = 10;

/// Marsaglia's xorshift: the same choices for the same seed, everywhere.
pub(super) struct Choices(u64);

impl Choices {
    pub(super) fn below(&mut self, bound: u64) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0 % bound.max(1)
    }

    fn of<'a, T>(&mut self, items: &'a [T]) -> Option<&'a T> {
        items.get(self.below(items.len() as u64) as usize)
    }

    fn one_in(&mut self, bound: u64) -> bool {
        self.below(bound) == 0
    }
}

/// Makes values that a schema accepts.
///
/// ```
/// use serde_json::json;
/// let schema = json!({ "type": "object", "properties": { "id": { "pattern": "^SUP-[0-9]+$", "type": "string" } }, "required": ["id"] });
/// let mut generator = toolcast::testing::Generator::new(&schema, 7)?;
/// let value = generator.value().expect("this schema is easy");
/// assert!(value["id"].as_str().unwrap().starts_with("SUP-"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct Generator {
    root: Value,
    validator: Validator,
    choices: Choices,
}

impl Generator {
    /// A generator for a schema; the same seed gives the same values.
    ///
    /// # Errors
    ///
    /// A schema that does not compile, with the compiler's message.
    pub fn new(schema: &Value, seed: u64) -> Result<Self, String> {
        let validator = schema::compile(schema)?;
        let choices = Choices(seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1);
        Ok(Self { root: schema.clone(), validator, choices })
    }

    /// Another value, or `None` where none was found in many tries: a schema may be unsatisfiable, or too clever.
    pub fn value(&mut self) -> Option<Value> {
        let mut steps = STEPS;
        (0..TRIES).find_map(|_| {
            let given = steps.min(STEPS_OF_TRY);
            let mut making = Making { root: &self.root, choices: &mut self.choices, steps: given };
            let value = making.make(&self.root, 0);
            steps -= given - making.steps;
            value.filter(|value| self.validator.is_valid(value))
        })
    }
}

struct Making<'a> {
    root: &'a Value,
    choices: &'a mut Choices,
    steps: usize,
}

impl Making<'_> {
    /// Counts work; `None` where none is left.
    fn step(&mut self, work: usize) -> Option<()> {
        let left = self.steps.checked_sub(work);
        self.steps = left.unwrap_or(0);
        left.map(|_| ())
    }

    /// Whether only what is required is to be made.
    fn is_sparse(&self, depth: usize) -> bool {
        depth > SHALLOW || self.steps < STEPS_OF_TRY / 2
    }

    fn make(&mut self, schema: &Value, depth: usize) -> Option<Value> {
        if depth > DEEPEST {
            return None;
        }
        self.step(1 + nodes(schema) / SIZE_OF_STEP)?;
        let schema = match schema {
            Value::Bool(true) => return Some(self.anything()),
            Value::Object(schema) => self.merged(schema.clone(), 0)?,
            _ => return None,
        };
        if let Some(value) = schema.get("const") {
            return Some(value.clone());
        }
        if let Some(Value::Array(values)) = schema.get("enum") {
            return self.choices.of(values).cloned();
        }
        if self.choices.one_in(8)
            && let Some(Value::Array(examples)) = schema.get("examples")
        {
            return self.choices.of(examples).cloned();
        }
        let types: Vec<String> = match schema.get("type") {
            Some(Value::String(name)) => vec![name.clone()],
            Some(Value::Array(names)) => {
                names.iter().filter_map(Value::as_str).map(str::to_owned).collect()
            }
            _ => implied(&schema).map(str::to_owned).into_iter().collect(),
        };
        match self.choices.of(&types).map(String::as_str) {
            Some("null") => Some(Value::Null),
            Some("boolean") => Some(self.choices.one_in(2).into()),
            Some("integer") => self.number(&schema, true),
            Some("number") => {
                let whole = self.choices.one_in(2);
                self.number(&schema, whole)
            }
            Some("string") => {
                if let Some(pattern) = schema.get("pattern").and_then(Value::as_str) {
                    self.step(STEPS_OF_PATTERN + pattern.len() / SIZE_OF_STEP)?;
                }
                let text = self.text(&schema);
                self.step(text.len() / SIZE_OF_STEP)?;
                Some(text.into())
            }
            Some("array") => self.array(&schema, depth),
            Some("object") => self.object(&schema, depth),
            _ => Some(self.anything()),
        }
    }

    fn anything(&mut self) -> Value {
        match self.choices.below(5) {
            0 => Value::Null,
            1 => true.into(),
            2 => (self.choices.below(100) as i64 - 50).into(),
            3 => "text".into(),
            _ => Value::Array(vec!["a".into(), 1.into()]),
        }
    }

    /// A schema with its references, `allOf` and one branch of each union drawn into it.
    fn merged(
        &mut self,
        mut schema: Map<String, Value>,
        depth: usize,
    ) -> Option<Map<String, Value>> {
        if depth > DEEPEST {
            return None;
        }
        self.step(1)?;
        let mut drawn = Vec::new();
        if let Some(Value::String(reference)) = schema.remove("$ref") {
            let target = self.root.pointer(reference.strip_prefix('#')?)?;
            self.step(nodes(target) / SIZE_OF_STEP)?;
            drawn.push(target.clone());
        }
        if let Some(Value::Array(parts)) = schema.remove("allOf") {
            drawn.extend(parts);
        }
        for keyword in ["anyOf", "oneOf"] {
            if let Some(Value::Array(branches)) = schema.remove(keyword) {
                drawn.push(self.choices.of(&branches)?.clone());
            }
        }
        // Either side of a condition may hold; which one did is the validator's to say.
        let (then, otherwise) = (schema.remove("then"), schema.remove("else"));
        if let Some(condition) = schema.remove("if") {
            if self.choices.one_in(2) {
                drawn.push(condition);
                drawn.extend(then);
            } else {
                drawn.extend(otherwise);
            }
        }
        for part in drawn {
            match part {
                Value::Object(part) => {
                    let part = self.merged(part, depth + 1)?;
                    merge(&mut schema, part);
                }
                Value::Bool(true) => {}
                _ => return None,
            }
        }
        Some(schema)
    }

    fn number(&mut self, schema: &Map<String, Value>, whole: bool) -> Option<Value> {
        let bound = |name: &str| schema.get(name).and_then(Value::as_f64);
        let step = bound("multipleOf").unwrap_or(if whole { 1.0 } else { 0.25 });
        let least =
            bound("minimum").or_else(|| bound("exclusiveMinimum").map(|least| least + step));
        let most = bound("maximum").or_else(|| bound("exclusiveMaximum").map(|most| most - step));
        let (least, most) = match (least, most) {
            (Some(least), Some(most)) => (least, most),
            (Some(least), None) => (least, least + 1_000.0 * step),
            (None, Some(most)) => (most - 1_000.0 * step, most),
            (None, None) => (-1_000.0 * step, 1_000.0 * step),
        };
        let first = (least / step).ceil();
        let steps = ((most / step).floor() - first).clamp(0.0, 1e15) as u64;
        let chosen = match self.choices.below(4) {
            0 => 0,
            1 => steps,
            _ => self.choices.below(steps.saturating_add(1)),
        };
        let number = (first + chosen as f64) * step;
        if number.fract() == 0.0 && number.abs() < 9e15 {
            // JSON Schema's integers may be spelled as floats; types must take them.
            if self.choices.one_in(6) {
                return Number::from_f64(number).map(Value::Number);
            }
            return Some((number as i64).into());
        }
        Number::from_f64(number).map(Value::Number)
    }

    fn text(&mut self, schema: &Map<String, Value>) -> String {
        let named = |name: &str| schema.get(name).and_then(Value::as_str);
        if let Some(text) = named("pattern").and_then(|p| sample::of_pattern(p, self.choices)) {
            return text;
        }
        if let Some(text) = named("format").and_then(|f| sample::of_format(f, self.choices)) {
            return text;
        }
        let bound = |name: &str| schema.get(name).and_then(Value::as_u64);
        let least = bound("minLength").unwrap_or(0).min(10_000);
        let most = bound("maxLength").unwrap_or(least + 12).min(least + 12);
        let length = least + self.choices.below(most.saturating_sub(least) + 1);
        let alphabet = ['a', 'Z', '0', ' ', '-', '"', '\\', 'é', '✓', '\n'];
        (0..length).filter_map(|_| self.choices.of(&alphabet)).collect()
    }

    fn array(&mut self, schema: &Map<String, Value>, depth: usize) -> Option<Value> {
        let bound = |name: &str| schema.get(name).and_then(Value::as_u64);
        let prefix = schema.get("prefixItems").and_then(Value::as_array);
        let prefix = prefix.map_or(&[][..], Vec::as_slice);
        let least = bound("minItems").unwrap_or(0).min(1_000);
        let most = bound("maxItems").unwrap_or(least + 3).min(least + 3);
        let most = if self.is_sparse(depth) { least } else { most };
        let length = least + self.choices.below(most.saturating_sub(least) + 1);
        let anything = Value::Bool(true);
        let further = schema.get("items").or(schema.get("contains")).unwrap_or(&anything);
        let is_unique = schema.get("uniqueItems") == Some(&Value::Bool(true));
        let mut items: Vec<Value> = Vec::new();
        for position in 0..length as usize {
            let item = prefix.get(position).unwrap_or(further);
            let Some(value) = (0..8).find_map(|_| {
                let value = self.make(item, depth + 1)?;
                (!is_unique || !items.contains(&value)).then_some(value)
            }) else {
                break;
            };
            items.push(value);
        }
        Some(items.into())
    }

    fn object(&mut self, schema: &Map<String, Value>, depth: usize) -> Option<Value> {
        let empty = Map::new();
        let properties = schema.get("properties").and_then(Value::as_object).unwrap_or(&empty);
        let required = schema.get("required").and_then(Value::as_array);
        let required: Vec<&str> =
            required.into_iter().flatten().filter_map(Value::as_str).collect();
        let mut members = Map::new();
        for (name, property) in properties {
            let is_required = required.contains(&name.as_str());
            if is_required || !self.is_sparse(depth) && self.choices.one_in(2) {
                match self.make(property, depth + 1) {
                    Some(value) => drop(members.insert(name.clone(), value)),
                    None if is_required => return None,
                    None => {}
                }
            }
        }
        let anything = Value::Bool(true);
        let further = schema.get("additionalProperties").unwrap_or(&anything);
        for name in required {
            if !properties.contains_key(name) {
                members.insert(name.to_owned(), self.make(further, depth + 1)?);
            }
        }
        let least = schema.get("minProperties").and_then(Value::as_u64).unwrap_or(0) as usize;
        let is_open = schema.contains_key("additionalProperties") && *further != Value::Bool(false);
        let wanted =
            if is_open && !self.is_sparse(depth) { least.max(members.len() + 1) } else { least };
        for position in 0..wanted.min(100) {
            if members.len() >= wanted {
                break;
            }
            if let Some(value) = self.make(further, depth + 1) {
                members.insert(format!("member_{position}"), value);
            }
        }
        Some(members.into())
    }
}

/// Values within a value, itself included.
fn nodes(value: &Value) -> usize {
    1 + match value {
        Value::Array(items) => items.iter().map(nodes).sum(),
        Value::Object(members) => members.values().map(nodes).sum(),
        _ => 0,
    }
}

/// The type that other keywords speak of.
fn implied(schema: &Map<String, Value>) -> Option<&'static str> {
    const SIGNS: [(&str, &[&str]); 4] = [
        (
            "object",
            &[
                "properties",
                "required",
                "additionalProperties",
                "patternProperties",
                "minProperties",
            ],
        ),
        ("array", &["items", "prefixItems", "minItems", "contains", "uniqueItems"]),
        ("string", &["pattern", "format", "minLength", "maxLength"]),
        ("number", &["minimum", "maximum", "multipleOf", "exclusiveMinimum", "exclusiveMaximum"]),
    ];
    let signs = SIGNS.iter().find(|(_, signs)| signs.iter().any(|sign| schema.contains_key(*sign)));
    signs.map(|(name, _)| *name)
}

/// Draws one schema into another: properties and required names add up, other keywords of `from` fill gaps.
fn merge(into: &mut Map<String, Value>, from: Map<String, Value>) {
    for (keyword, value) in from {
        match (into.get_mut(&keyword), value) {
            (None, value) => drop(into.insert(keyword, value)),
            (Some(Value::Object(here)), Value::Object(there)) if keyword == "properties" => {
                for (name, property) in there {
                    match here.get_mut(&name) {
                        Some(both) => {
                            let parts = vec![both.take(), property];
                            *both =
                                Value::Object(Map::from_iter([("allOf".to_owned(), parts.into())]));
                        }
                        None => drop(here.insert(name, property)),
                    }
                }
            }
            (Some(Value::Array(here)), Value::Array(there)) if keyword == "required" => {
                here.extend(there);
            }
            (Some(here), there) if keyword == "type" && here.is_array() && there.is_string() => {
                *here = there;
            }
            _ => {}
        }
    }
}
