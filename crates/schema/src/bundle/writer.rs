//! The members of one bundled schema, while they are collected.

use serde_json::{Map, Value};

pub(super) struct Writer {
    pub(super) out: Map<String, Value>,
    /// What `$dynamicRef` and `$recursiveRef` lead to.
    pub(super) references: Vec<Value>,
}

impl Writer {
    /// Old and new spellings may stand side by side: both hold.
    pub(super) fn merge(&mut self, name: &str, entries: Map<String, Value>) {
        match self.out.get_mut(name) {
            Some(Value::Object(there)) => {
                for (key, value) in entries {
                    match there.get_mut(&key) {
                        None => {
                            there.insert(key, value);
                        }
                        Some(Value::Array(names)) => {
                            if let Value::Array(more) = value {
                                for name in more {
                                    if !names.contains(&name) {
                                        names.push(name);
                                    }
                                }
                            }
                        }
                        Some(schema) => {
                            let first = std::mem::take(schema);
                            *schema = serde_json::json!({ "allOf": [first, value] });
                        }
                    }
                }
            }
            _ => {
                self.out.insert(name.to_owned(), Value::Object(entries));
            }
        }
    }

    /// The schema: it has one `$ref`, and what else must hold joins its `allOf`.
    pub(super) fn finish(mut self) -> Map<String, Value> {
        let mut references = std::mem::take(&mut self.references).into_iter();
        if self.out.contains_key("$ref") || references.len() > 0 {
            let further: Vec<Value> = match self.out.contains_key("$ref") {
                true => references.collect(),
                false => {
                    if let Some(first) = references.next() {
                        self.out.insert("$ref".to_owned(), first);
                    }
                    references.collect()
                }
            };
            if !further.is_empty() {
                let all = self.out.entry("allOf").or_insert_with(|| Value::Array(Vec::new()));
                if let Value::Array(all) = all {
                    all.extend(
                        further.into_iter().map(|target| serde_json::json!({ "$ref": target })),
                    );
                }
            }
        }
        self.out
    }
}
