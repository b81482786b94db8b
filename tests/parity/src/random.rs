//! Contracts and calls made up from a seed: what no corpus has, in every mixture. The same seed gives the same batch.
//!
//! Schemas are drawn from the whole of the dialect, names from the worst that a contract may hold. Calls follow the
//! schema, then some are damaged; which of them are valid is asked of a validator, not assumed.

use crate::bindings::{self, Batch, Folder};
use crate::corpus::Call;
use serde_json::{Map, Value, json};

/// Property and definition names. Most are harmless; the rest are keywords, clash after a change of case, or are no
/// identifiers at all.
const NAMES: [&str; 40] = [
    "id",
    "name",
    "kind",
    "type",
    "value",
    "items",
    "user_id",
    "userId",
    "UserID",
    "user-id",
    "self",
    "Self",
    "super",
    "crate",
    "async",
    "match",
    "r#try",
    "",
    " ",
    "a b",
    "$ref",
    "1st",
    "é",
    "😀",
    "__proto__",
    "x-y",
    "X_Y",
    "rest",
    "input",
    "Input",
    "Error",
    "String",
    "Option",
    "Value",
    "None",
    "Some",
    "ctx",
    "size",
    "a/b~c",
    "%25",
];

const TITLES: [&str; 8] = ["Input", "Filter", "Error", "Vec", "user id", "Kind", "🦀", "Self"];

const STRINGS: [&str; 14] = [
    "",
    "a",
    "A",
    "<",
    ">=",
    "newest",
    "null",
    "true",
    "1",
    "Self",
    "type",
    "a b",
    "\u{202e}x",
    "\"quoted\\\"",
];

/// A small generator of numbers (splitmix64): the harness needs the same ones on every machine and nothing more.
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    }

    fn below(&mut self, bound: usize) -> usize {
        // The remainder is below a `usize`, so the cast cannot cut.
        (self.next() % bound.max(1) as u64) as usize
    }

    fn one_in(&mut self, count: usize) -> bool {
        self.below(count) == 0
    }

    fn pick<'a, T>(&mut self, from: &'a [T]) -> &'a T {
        &from[self.below(from.len())]
    }
}

/// One made-up contract: its file's text, and its schema without the format's own members.
pub struct Contract {
    /// The contract as it stands in a file.
    pub document: Value,
    /// The schema of its arguments.
    pub schema: Value,
}

/// The contract of a seed.
pub fn contract(seed: u64) -> Contract {
    let mut maker = Maker { random: Random(seed), definitions: Vec::new() };
    let count = maker.random.below(4);
    maker.definitions = (0..count).map(|_| (*maker.random.pick(&NAMES)).to_owned()).collect();
    maker.definitions.sort();
    maker.definitions.dedup();
    let mut schema = maker.object(3);
    let names = maker.definitions.clone();
    let definitions: Map<String, Value> =
        names.into_iter().map(|name| (name, maker.schema(2))).collect();
    if !definitions.is_empty() {
        schema["$defs"] = Value::Object(definitions);
    }
    let mut document = schema.clone();
    document["description"] = json!("Made up.");
    // The same schema for the result: what the handler decoded can then go back, and is checked again on its way out.
    if maker.random.one_in(3) {
        document["x-tool"] = json!({ "output": schema });
    }
    Contract { document, schema }
}

/// A batch of `count` contracts with a few calls each.
pub fn batch(seed: u64, count: u64) -> Batch {
    let mut batch = Batch { name: format!("random {seed}"), ..Batch::default() };
    for index in 0..count {
        let seed = seed.wrapping_mul(1_000_003).wrapping_add(index);
        let Contract { document, schema } = contract(seed);
        let Ok(validator) = jsonschema::options()
            .with_draft(jsonschema::Draft::Draft202012)
            .should_validate_formats(true)
            .build(&schema)
        else {
            continue;
        };
        let tool = format!("tool_{index}");
        let folder = Folder::from([(format!("{tool}.json"), document.to_string())]);
        // A definition that is nothing but itself says nothing; such a contract is refused, and rightly.
        let (_, faults) = bindings::load(&folder);
        if faults.iter().any(|fault| fault.what.contains("error[ref-loop]")) {
            continue;
        }
        batch.folders.push(folder);
        batch.listed += 1;
        batch.imported += 1;
        let mut caller = Caller { random: Random(!seed), root: &schema };
        for _ in 0..12 {
            let mut arguments = caller.value(&schema, 0);
            if caller.random.one_in(4) {
                caller.damage(&mut arguments);
            }
            if !arguments.is_object() {
                continue;
            }
            batch.calls.push(Call {
                tool: tool.clone(),
                line: json!({ "tool": tool, "arguments": arguments }).to_string(),
                valid: validator.is_valid(&arguments),
                arguments,
                echo: None,
            });
        }
    }
    batch
}

struct Maker {
    random: Random,
    definitions: Vec<String>,
}

impl Maker {
    fn schema(&mut self, depth: usize) -> Value {
        let kinds = if depth == 0 { 9 } else { 19 };
        let mut schema = match self.random.below(kinds) {
            0 => json!({ "type": "string" }),
            1 => json!({ "type": "integer" }),
            2 => json!({ "type": "integer", "minimum": self.random.below(2) }),
            3 => json!({ "type": "number" }),
            4 => json!({ "type": "boolean" }),
            5 => json!({ "enum": self.literals() }),
            6 => json!({ "const": self.literal() }),
            7 => self.reference(),
            8 => match self.random.below(6) {
                0 => json!({}),
                1 => json!(true),
                2 => json!({ "type": "null" }),
                3 => json!({ "type": ["string", "null"] }),
                4 => json!({ "type": ["integer", "boolean", "null"] }),
                _ => json!({ "type": "string", "minLength": 1, "pattern": "^[a-z1]" }),
            },
            9 | 10 => self.object(depth - 1),
            11 | 12 => json!({ "type": "array", "items": self.schema(depth - 1) }),
            13 => json!({
                "type": "array",
                "prefixItems": [self.schema(depth - 1), self.schema(depth - 1)],
                "items": *self.random.pick(&[Value::Bool(false), json!({}), json!({"type": "string"})]),
            }),
            14 => self.tagged(depth - 1),
            15 => {
                let word = *self.random.pick(&["anyOf", "oneOf"]);
                let count = 2 + self.random.below(2);
                let branches: Vec<Value> = (0..count).map(|_| self.schema(depth - 1)).collect();
                json!({ word: branches })
            }
            16 => json!({ "anyOf": [self.schema(depth - 1), { "type": "null" }] }),
            17 => json!({ "allOf": [self.object(depth - 1), self.object(depth - 1)] }),
            _ => self.composed(depth - 1),
        };
        self.annotate(&mut schema);
        schema
    }

    fn composed(&mut self, depth: usize) -> Value {
        let mut object = self.object(depth);
        match self.random.below(5) {
            0 => {
                object["if"] = json!({ "required": [self.random.pick(&NAMES)] });
                object["then"] = self.object(0);
                object["else"] = self.object(0);
            }
            1 => object["not"] = json!({ "required": [self.random.pick(&NAMES)] }),
            2 => object["anyOf"] = json!([self.object(0), self.object(0)]),
            3 => object["minProperties"] = json!(1),
            _ => object["dependentSchemas"] = json!({ *self.random.pick(&NAMES): self.object(0) }),
        }
        object
    }

    fn object(&mut self, depth: usize) -> Value {
        let mut object = json!({ "type": "object" });
        let count = self.random.below(5);
        let mut properties = Map::new();
        for _ in 0..count {
            let name = *self.random.pick(&NAMES);
            properties.insert(name.to_owned(), self.schema(depth));
        }
        let names: Vec<String> = properties.keys().cloned().collect();
        let required: Vec<&String> = names.iter().filter(|_| self.random.one_in(2)).collect();
        if !required.is_empty() {
            object["required"] = json!(required);
        }
        if count > 0 || self.random.one_in(2) {
            object["properties"] = Value::Object(properties);
        }
        match self.random.below(8) {
            0 | 1 => object["additionalProperties"] = json!(false),
            2 => object["additionalProperties"] = json!(true),
            3 => object["additionalProperties"] = self.schema(depth.min(1)),
            4 => object["patternProperties"] = json!({ "^x": self.schema(0) }),
            _ => {}
        }
        object
    }

    fn tagged(&mut self, depth: usize) -> Value {
        let tag = *self.random.pick(&["kind", "type", "a b"]);
        let branches: Vec<Value> = (0..2 + self.random.below(2))
            .map(|index| {
                let mut branch = self.object(depth);
                if branch.get("properties").is_none() {
                    branch["properties"] = json!({});
                }
                let name = STRINGS[index + 3];
                branch["properties"][tag] = match self.random.below(2) {
                    0 => json!({ "const": name }),
                    _ => json!({ "enum": [name] }),
                };
                let required = branch["required"].as_array().cloned().unwrap_or_default();
                let mut required: Vec<Value> =
                    required.into_iter().filter(|name| name != tag).collect();
                required.push(json!(tag));
                branch["required"] = Value::Array(required);
                branch
            })
            .collect();
        json!({ *self.random.pick(&["oneOf", "anyOf"]): branches })
    }

    fn reference(&mut self) -> Value {
        if self.definitions.is_empty() {
            return json!({});
        }
        let name = self.random.pick(&self.definitions).clone();
        let escaped = name.replace('~', "~0").replace('/', "~1");
        let encoded: String = escaped
            .bytes()
            .map(|byte| match byte {
                b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'-' | b'_' | b'~' => {
                    char::from(byte).to_string()
                }
                other => format!("%{other:02X}"),
            })
            .collect();
        json!({ "$ref": format!("#/$defs/{encoded}") })
    }

    fn annotate(&mut self, schema: &mut Value) {
        let Some(object) = schema.as_object_mut() else { return };
        if self.random.one_in(6) {
            object.insert("title".to_owned(), json!(self.random.pick(&TITLES)));
        }
        if self.random.one_in(5) && !object.contains_key("$ref") {
            let validator = jsonschema::options()
                .with_draft(jsonschema::Draft::Draft202012)
                .build(&Value::Object(object.clone()));
            let default = self.literal();
            if validator.is_ok_and(|validator| validator.is_valid(&default)) {
                object.insert("default".to_owned(), default);
            }
        }
    }

    fn literals(&mut self) -> Vec<Value> {
        let mut all: Vec<Value> = Vec::new();
        for _ in 0..1 + self.random.below(5) {
            let literal = self.literal();
            // Equal as JSON Schema has it: `1` and `1.0` are one value.
            if !all.iter().any(|known| {
                known == &literal || known.as_f64() == literal.as_f64() && literal.is_number()
            }) {
                all.push(literal);
            }
        }
        all
    }

    fn literal(&mut self) -> Value {
        match self.random.below(12) {
            0 => Value::Null,
            1 => json!(self.random.one_in(2)),
            2 => json!(self.random.below(3)),
            3 => json!(-1),
            4 => json!(1.5),
            5 => json!([]),
            6 => json!({}),
            7 => json!([1, "a"]),
            _ => json!(self.random.pick(&STRINGS)),
        }
    }
}

struct Caller<'a> {
    random: Random,
    root: &'a Value,
}

impl Caller<'_> {
    /// A value that follows the schema where that is easy; the validator has the last word.
    fn value(&mut self, schema: &Value, depth: usize) -> Value {
        let Some(object) = schema.as_object().filter(|_| depth < 8) else { return self.any() };
        if let Some(literal) = object.get("const") {
            return literal.clone();
        }
        if let Some(literals) =
            object.get("enum").and_then(Value::as_array).filter(|all| !all.is_empty())
        {
            return self.random.pick(literals).clone();
        }
        if let Some(target) = object.get("$ref").and_then(Value::as_str) {
            let pointer = percent_decode(target.trim_start_matches('#'));
            let root = self.root;
            return root
                .pointer(&pointer)
                .map_or(Value::Null, |target| self.value(target, depth + 1));
        }
        for word in ["anyOf", "oneOf"] {
            if let Some(branches) = object.get(word).and_then(Value::as_array)
                && !object.contains_key("properties")
            {
                let branch = self.random.pick(branches).clone();
                return self.value(&branch, depth + 1);
            }
        }
        if let Some(branches) = object.get("allOf").and_then(Value::as_array) {
            let mut all = Map::new();
            for branch in branches {
                if let Value::Object(members) = self.value(branch, depth + 1) {
                    all.extend(members);
                }
            }
            return Value::Object(all);
        }
        let types = match object.get("type") {
            Some(Value::Array(types)) => self.random.pick(types).clone(),
            Some(name) => name.clone(),
            None if object.contains_key("properties") => json!("object"),
            None => return self.any(),
        };
        match types.as_str().unwrap_or_default() {
            "object" => self.object(object, depth),
            "array" => {
                let prefix = object.get("prefixItems").and_then(Value::as_array);
                let mut items: Vec<Value> =
                    prefix.into_iter().flatten().map(|item| self.value(item, depth + 1)).collect();
                let further = if object.get("items") == Some(&json!(false)) {
                    0
                } else {
                    self.random.below(3)
                };
                let item = object.get("items").cloned().unwrap_or(json!({}));
                items.extend((0..further).map(|_| self.value(&item, depth + 1)));
                Value::Array(items)
            }
            "string" => json!(self.random.pick(&STRINGS)),
            "integer" => match self.random.below(5) {
                0 => json!(5.0),
                1 => json!(1e2),
                2 => json!(i64::MAX),
                _ => json!(self.random.below(9)),
            },
            "number" => match self.random.below(4) {
                0 => json!(-0.0),
                1 => json!(1e300),
                2 => json!(7),
                _ => json!(0.25),
            },
            "boolean" => json!(self.random.one_in(2)),
            _ => Value::Null,
        }
    }

    fn object(&mut self, schema: &Map<String, Value>, depth: usize) -> Value {
        let mut members = Map::new();
        let required = schema.get("required").and_then(Value::as_array);
        let properties = schema.get("properties").and_then(Value::as_object);
        for (name, property) in properties.into_iter().flatten() {
            let needed = required.is_some_and(|required| required.contains(&json!(name)));
            if needed || self.random.one_in(2) {
                members.insert(name.clone(), self.value(property, depth + 1));
            }
        }
        if schema.get("additionalProperties") != Some(&json!(false)) && self.random.one_in(3) {
            let further = schema.get("additionalProperties").cloned().unwrap_or(json!({}));
            let name = if self.random.one_in(2) { "x1" } else { *self.random.pick(&NAMES) };
            if !members.contains_key(name) {
                members.insert(name.to_owned(), self.value(&further, depth + 1));
            }
        }
        Value::Object(members)
    }

    fn any(&mut self) -> Value {
        match self.random.below(7) {
            0 => Value::Null,
            1 => json!([{"x": [1.0, null]}]),
            2 => json!({"type": {"": 1}}),
            3 => json!(3),
            4 => json!(true),
            _ => json!(self.random.pick(&STRINGS)),
        }
    }

    /// Changes one member, drops one, or adds one.
    fn damage(&mut self, arguments: &mut Value) {
        let Some(members) = arguments.as_object_mut() else { return };
        let names: Vec<String> = members.keys().cloned().collect();
        let wrong = self.any();
        match self.random.below(3) {
            0 if !names.is_empty() => {
                members.insert(self.random.pick(&names).clone(), wrong);
            }
            1 if !names.is_empty() => {
                members.remove(self.random.pick(&names).as_str());
            }
            _ => {
                members.insert((*self.random.pick(&NAMES)).to_owned(), wrong);
            }
        }
    }
}

fn percent_decode(text: &str) -> String {
    crate::compare::percent_decode(text)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_same_seed_gives_the_same_batch_and_both_kinds_of_calls() {
        let batch_of = || batch(7, 40);
        let (one, two) = (batch_of(), batch_of());
        assert_eq!(one.folders, two.folders);
        let valid = one.calls.iter().filter(|call| call.valid).count();
        assert!(valid * 2 > one.calls.len(), "{valid} of {} are valid", one.calls.len());
        assert!(valid < one.calls.len());
    }
}
