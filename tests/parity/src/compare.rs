//! What counts as the same: the rules by which decoded arguments are compared with those that were sent.
//!
//! `5.0` equals `5`. A member that was absent may come back as its `default`. A member may get lost only where its
//! object's schema lists `properties` and says nothing of further ones. Everything else is a difference.

use serde_json::{Map, Value};

/// One place where what came back is not what was sent.
#[derive(Clone, Debug, PartialEq)]
pub struct Difference {
    /// JSON pointer from the root of the arguments.
    pub pointer: String,
    /// What was sent; `None` where the member was absent.
    pub sent: Option<Value>,
    /// What came back; `None` where the member was lost.
    pub back: Option<Value>,
}

/// Every difference between `sent` and `back` under the schema `root`.
pub fn differences(root: &Value, sent: &Value, back: &Value) -> Vec<Difference> {
    let mut walk = Walk { root, found: Vec::new() };
    walk.value(sent, back, "", &[Place { schema: root, pointer: String::new() }]);
    walk.found
}

/// The difference between what must come back and what did: none may be, but that `5.0` equals `5`.
pub fn exactly(expected: &Value, back: &Value) -> Vec<Difference> {
    match same(expected, back) {
        true => Vec::new(),
        false => vec![Difference {
            pointer: String::new(),
            sent: Some(expected.clone()),
            back: Some(back.clone()),
        }],
    }
}

fn same(a: &Value, b: &Value) -> bool {
    match (a, b) {
        (Value::Object(a), Value::Object(b)) => {
            a.len() == b.len() && a.iter().all(|(name, a)| b.get(name).is_some_and(|b| same(a, b)))
        }
        (Value::Array(a), Value::Array(b)) => {
            a.len() == b.len() && a.iter().zip(b).all(|(a, b)| same(a, b))
        }
        (a, b) => same_scalar(a, b),
    }
}

/// A schema that applies to the instance in hand, and where it stands in the root document.
#[derive(Clone)]
struct Place<'a> {
    schema: &'a Value,
    pointer: String,
}

struct Walk<'a> {
    root: &'a Value,
    found: Vec<Difference>,
}

impl<'a> Walk<'a> {
    fn value(&mut self, sent: &Value, back: &Value, at: &str, places: &[Place<'a>]) {
        match (sent, back) {
            (Value::Object(sent), Value::Object(back)) => {
                let places = self.applying(places, &Value::Object(sent.clone()));
                self.object(sent, back, at, &places);
            }
            (Value::Array(left), Value::Array(right)) if left.len() == right.len() => {
                if left == right {
                    return;
                }
                let places = self.applying(places, sent);
                for (index, (left, right)) in left.iter().zip(right).enumerate() {
                    let inner = self.items(&places, index);
                    self.value(left, right, &format!("{at}/{index}"), &inner);
                }
            }
            _ if same_scalar(sent, back) => {}
            _ => self.found.push(Difference {
                pointer: at.to_owned(),
                sent: Some(sent.clone()),
                back: Some(back.clone()),
            }),
        }
    }

    fn object(
        &mut self,
        sent: &Map<String, Value>,
        back: &Map<String, Value>,
        at: &str,
        places: &[Place<'a>],
    ) {
        for (name, value) in sent {
            let pointer = format!("{at}/{}", escape(name));
            match back.get(name) {
                Some(came) if came == value => {}
                Some(came) => {
                    let inner = self.member(places, name);
                    self.value(value, came, &pointer, &inner);
                }
                None if !self.keeps(places, name) => {}
                None => {
                    self.found.push(Difference { pointer, sent: Some(value.clone()), back: None });
                }
            }
        }
        for (name, came) in back.iter().filter(|(name, _)| !sent.contains_key(*name)) {
            let inner = self.member(places, name);
            if !self.is_default(&inner, came) {
                self.found.push(Difference {
                    pointer: format!("{at}/{}", escape(name)),
                    sent: None,
                    back: Some(came.clone()),
                });
            }
        }
    }

    /// Whether the object's schemas oblige the types to keep a member of this name.
    ///
    /// Only an object that lists `properties`, and is silent about others, may lose one: what has no `properties` is a
    /// map or any value.
    fn keeps(&self, places: &[Place<'a>], name: &str) -> bool {
        let explicit = places.iter().filter_map(|place| place.schema.as_object()).any(|schema| {
            let listed = schema.get("properties").is_some_and(|listed| listed.get(name).is_some());
            let open = ["additionalProperties", "unevaluatedProperties", "patternProperties"]
                .iter()
                .any(|keyword| {
                    schema.get(*keyword).is_some_and(|value| *value != Value::Bool(false))
                });
            listed || open
        });
        explicit || !places.iter().any(|place| place.schema.get("properties").is_some())
    }

    fn is_default(&self, places: &[Place<'a>], came: &Value) -> bool {
        let mut all = Vec::new();
        for place in places {
            self.collect(place.clone(), None, &mut all, 0);
        }
        all.iter().filter_map(|place| place.schema.get("default")).any(|default| {
            let mut inner = Walk { root: self.root, found: Vec::new() };
            inner.value(default, came, "", places);
            inner.found.is_empty()
        })
    }

    fn member(&self, places: &[Place<'a>], name: &str) -> Vec<Place<'a>> {
        let mut inner = Vec::new();
        for place in places {
            let escaped = escape(name);
            let listed = place.schema.get("properties").and_then(|listed| listed.get(name));
            if let Some(schema) = listed {
                let pointer = format!("{}/properties/{escaped}", place.pointer);
                inner.push(Place { schema, pointer });
                continue;
            }
            // Which pattern took the name is for the validator; a schema that is one too many only makes the walk
            // stricter where it names a default.
            if let Some(patterns) = place.schema.get("patternProperties").and_then(Value::as_object)
            {
                for (pattern, schema) in patterns {
                    let pointer =
                        format!("{}/patternProperties/{}", place.pointer, escape(pattern));
                    inner.push(Place { schema, pointer });
                }
            }
            for keyword in ["additionalProperties", "unevaluatedProperties"] {
                if let Some(schema) = place.schema.get(keyword) {
                    inner.push(Place { schema, pointer: format!("{}/{keyword}", place.pointer) });
                }
            }
        }
        inner
    }

    fn items(&self, places: &[Place<'a>], index: usize) -> Vec<Place<'a>> {
        let mut inner = Vec::new();
        for place in places {
            let prefix = place.schema.get("prefixItems").and_then(|items| items.get(index));
            if let Some(schema) = prefix {
                let pointer = format!("{}/prefixItems/{index}", place.pointer);
                inner.push(Place { schema, pointer });
            } else if let Some(schema) = place.schema.get("items") {
                inner.push(Place { schema, pointer: format!("{}/items", place.pointer) });
            }
        }
        inner
    }

    /// All schemas that apply to the instance: through `$ref`, `allOf`, conditions, and those branches that accept it.
    fn applying(&self, places: &[Place<'a>], instance: &Value) -> Vec<Place<'a>> {
        let mut all = Vec::new();
        for place in places {
            self.collect(place.clone(), Some(instance), &mut all, 0);
        }
        all
    }

    /// Without an instance every branch counts.
    fn collect(
        &self,
        place: Place<'a>,
        instance: Option<&Value>,
        all: &mut Vec<Place<'a>>,
        depth: usize,
    ) {
        // A cycle of references adds nothing after the first turn.
        if depth > 64 || all.iter().any(|known| std::ptr::eq(known.schema, place.schema)) {
            return;
        }
        all.push(place.clone());
        let Some(schema) = place.schema.as_object() else { return };
        for keyword in ["$ref", "$dynamicRef"] {
            let target = schema.get(keyword).and_then(Value::as_str);
            if let Some(pointer) = target.and_then(|target| target.strip_prefix('#'))
                && let Some(target) = self.root.pointer(&percent_decode(pointer))
            {
                let pointer = percent_decode(pointer);
                self.collect(Place { schema: target, pointer }, instance, all, depth + 1);
            }
        }
        for keyword in ["allOf", "anyOf", "oneOf"] {
            let branches = schema.get(keyword).and_then(Value::as_array);
            for (index, branch) in branches.into_iter().flatten().enumerate() {
                let pointer = format!("{}/{keyword}/{index}", place.pointer);
                if keyword == "allOf" || self.accepts(&pointer, instance) {
                    self.collect(Place { schema: branch, pointer }, instance, all, depth + 1);
                }
            }
        }
        if let Some(condition) = schema.get("if") {
            let pointer = format!("{}/if", place.pointer);
            let holds = self.accepts(&pointer, instance);
            if holds {
                self.collect(Place { schema: condition, pointer }, instance, all, depth + 1);
            }
            let keyword = if holds { "then" } else { "else" };
            if let Some(schema) = schema.get(keyword) {
                let pointer = format!("{}/{keyword}", place.pointer);
                self.collect(Place { schema, pointer }, instance, all, depth + 1);
            }
        }
        let dependent = schema.get("dependentSchemas").and_then(Value::as_object);
        for (name, schema) in dependent.into_iter().flatten() {
            if instance.is_none_or(|instance| instance.get(name).is_some()) {
                let pointer = format!("{}/dependentSchemas/{}", place.pointer, escape(name));
                self.collect(Place { schema, pointer }, instance, all, depth + 1);
            }
        }
    }

    /// Asks the validator. A schema that it cannot build counts as accepting: the comparison is then stricter.
    fn accepts(&self, pointer: &str, instance: Option<&Value>) -> bool {
        const ROOT: &str = "toolcast:root";
        let Some(instance) = instance else { return true };
        let mut root = self.root.clone();
        if let Some(root) = root.as_object_mut() {
            root.remove("$id");
        }
        let Ok(registry) = jsonschema::Registry::new().add(ROOT, &root).and_then(|r| r.prepare())
        else {
            return true;
        };
        let schema = serde_json::json!({ "$ref": format!("{ROOT}#{}", percent_encode(pointer)) });
        jsonschema::options()
            .with_draft(jsonschema::Draft::Draft202012)
            .with_registry(&registry)
            .build(&schema)
            .map_or(true, |validator| validator.is_valid(instance))
    }
}

fn same_scalar(sent: &Value, back: &Value) -> bool {
    if sent == back {
        return true;
    }
    let (Value::Number(sent), Value::Number(back)) = (sent, back) else { return false };
    match (exact(sent), exact(back)) {
        (Some(sent), Some(back)) => sent == back,
        (None, None) => sent.as_f64() == back.as_f64(),
        _ => false,
    }
}

/// A whole number exactly; `None` for one with a fraction or beyond 128 bits.
fn exact(number: &serde_json::Number) -> Option<i128> {
    let integer = number.as_i128().or_else(|| number.as_u64().map(i128::from));
    integer.or_else(|| {
        let float = number.as_f64()?;
        // The bound keeps the cast exact; past it both sides are compared as floats.
        (float.fract() == 0.0 && float.abs() < 1e38).then_some(float as i128)
    })
}

fn escape(name: &str) -> String {
    name.replace('~', "~0").replace('/', "~1")
}

fn percent_encode(pointer: &str) -> String {
    let keep = |byte: u8| byte.is_ascii_alphanumeric() || b"/~-_.".contains(&byte);
    pointer
        .bytes()
        .map(|byte| if keep(byte) { char::from(byte).to_string() } else { format!("%{byte:02X}") })
        .collect()
}

pub(crate) fn percent_decode(pointer: &str) -> String {
    let mut bytes = Vec::new();
    let mut rest = pointer.as_bytes();
    while let Some((&byte, tail)) = rest.split_first() {
        let hex = tail.get(..2).filter(|_| byte == b'%');
        let code = hex.and_then(|hex| std::str::from_utf8(hex).ok());
        match code.and_then(|hex| u8::from_str_radix(hex, 16).ok()) {
            Some(decoded) => {
                bytes.push(decoded);
                rest = &tail[2..];
            }
            None => {
                bytes.push(byte);
                rest = tail;
            }
        }
    }
    String::from_utf8_lossy(&bytes).into_owned()
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn pointers(schema: Value, sent: Value, back: Value) -> Vec<String> {
        differences(&schema, &sent, &back).into_iter().map(|found| found.pointer).collect()
    }

    #[test]
    fn whole_numbers_are_equal_in_every_spelling_and_no_others() {
        let schema = json!({});
        assert_eq!(pointers(schema.clone(), json!({"a": 5.0}), json!({"a": 5})), [""; 0]);
        assert_eq!(pointers(schema.clone(), json!({"a": 5.5}), json!({"a": 5})), ["/a"]);
        let big = json!({"a": 9_007_199_254_740_993_u64});
        assert_eq!(pointers(schema, big, json!({"a": 9_007_199_254_740_992.0})), ["/a"]);
    }

    #[test]
    fn only_a_default_may_appear() {
        let schema = json!({"properties": {"a": {"default": 1}, "b": {}}});
        assert_eq!(pointers(schema.clone(), json!({}), json!({"a": 1})), [""; 0]);
        assert_eq!(pointers(schema.clone(), json!({}), json!({"a": 2})), ["/a"]);
        assert_eq!(pointers(schema, json!({}), json!({"b": null})), ["/b"]);
    }

    #[test]
    fn a_nested_default_may_fill_a_default() {
        let schema = json!({"properties": {
            "a": {"default": {}, "properties": {"b": {"default": 1}}}
        }});
        assert_eq!(pointers(schema, json!({}), json!({"a": {"b": 1}})), [""; 0]);
    }

    #[test]
    fn undeclared_members_may_be_lost_only_in_silence() {
        let sent = json!({"a": 1, "x": 2});
        let silent = json!({"properties": {"a": {}}});
        assert_eq!(pointers(silent, sent.clone(), json!({"a": 1})), [""; 0]);
        for open in [
            json!({"properties": {"a": {}}, "additionalProperties": true}),
            json!({"properties": {"a": {}}, "patternProperties": {"x": {}}}),
            json!({"properties": {"a": {}}, "unevaluatedProperties": {}}),
            json!({"properties": {"a": {}}, "allOf": [{"properties": {"x": {}}}]}),
        ] {
            assert_eq!(pointers(open, sent.clone(), json!({"a": 1})), ["/x"]);
        }
    }

    #[test]
    fn an_object_without_properties_keeps_all_at_the_root_as_well() {
        let schema = json!({"type": "object"});
        assert_eq!(pointers(schema.clone(), json!({"x": 1}), json!({})), ["/x"]);
        let inner = json!({"properties": {"a": schema}});
        assert_eq!(pointers(inner, json!({"a": {"x": 1}}), json!({"a": {}})), ["/a/x"]);
    }

    #[test]
    fn a_branch_that_refuses_the_value_obliges_to_nothing() {
        let schema = json!({
            "properties": {"kind": {}},
            "anyOf": [
                {"properties": {"kind": {"const": 1}, "x": {}}},
                {"$ref": "#/$defs/second"}
            ],
            "$defs": {"second": {"properties": {"kind": {"const": 2}, "y": {}}}}
        });
        let back = json!({"kind": 1});
        assert_eq!(pointers(schema.clone(), json!({"kind": 1, "y": 1}), back.clone()), [""; 0]);
        assert_eq!(pointers(schema, json!({"kind": 1, "x": 1}), back), ["/x"]);
    }

    #[test]
    fn a_declared_member_is_followed_through_references_and_arrays() {
        let schema = json!({
            "properties": {"list": {"items": {"$ref": "#/$defs/a%25b"}}},
            "$defs": {"a%b": {"properties": {"x": {}}}}
        });
        let sent = json!({"list": [{"x": 1, "z": 1}]});
        assert_eq!(pointers(schema, sent, json!({"list": [{}]})), ["/list/0/x"]);
    }
}
