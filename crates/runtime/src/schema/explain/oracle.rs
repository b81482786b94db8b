//! Assertions that need a library are decided by the validator itself, one keyword at a time, so that what explains a
//! refusal never knows better than what refused.

use crate::schema::compile;
use serde_json::{Value, json};
use std::collections::HashMap;
use toolcast_schema::evaluate::{Answer, Oracle};
use toolcast_validate::Validator;

/// Validators of single keywords, by keyword and the JSON text of its value; `None` where one does not compile alone.
#[derive(Default)]
pub(crate) struct SingleKeywords {
    known: HashMap<&'static str, HashMap<String, Option<Validator>>>,
}

impl SingleKeywords {
    fn holds(&mut self, keyword: &'static str, argument: &Value, value: &Value) -> Answer {
        let text = match argument {
            Value::String(text) => text.clone(),
            other => other.to_string(),
        };
        let known = self.known.entry(keyword).or_default();
        let validator =
            known.entry(text).or_insert_with(|| compile(&json!({ keyword: argument })).ok());
        validator.as_ref().map_or(Answer::Unknown, |validator| validator.is_valid(value).into())
    }
}

impl Oracle for SingleKeywords {
    fn pattern(&mut self, pattern: &str, text: &str) -> Answer {
        let known = self.known.entry("pattern").or_default();
        if !known.contains_key(pattern) {
            known.insert(pattern.to_owned(), compile(&json!({ "pattern": pattern })).ok());
        }
        match known.get(pattern) {
            Some(Some(validator)) => validator.is_valid(&Value::from(text)).into(),
            _ => Answer::Unknown,
        }
    }

    fn format(&mut self, format: &Value, value: &Value) -> Answer {
        self.holds("format", format, value)
    }

    fn multiple(&mut self, divisor: &Value, value: &Value) -> Answer {
        self.holds("multipleOf", divisor, value)
    }
}
