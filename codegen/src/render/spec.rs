//! A contract as a constant: the calls on `ToolSpec::new(...)` that say all that is not its name or description.

use super::{json_literal, literal};
use crate::model::RustModule;
use proc_macro2::Literal;
use serde_json::Value;
use toolcast_contract::Contract;

pub(super) fn calls(contract: &Contract, module: &RustModule) -> Vec<String> {
    let text = |method: &str, text: &str| format!("{method}({})", literal(text));
    let json =
        |method: &str, value: Value| format!("{method}({})", json_literal(&value.to_string()));
    let mut calls = Vec::new();
    calls.extend(contract.title.as_deref().map(|title| text("title", title)));
    calls
        .push(format!("input(include_str!({}))", literal(&format!("{}.input.json", module.ident))));
    if contract.output.is_some() {
        calls.push(format!(
            "output(include_str!({}))",
            literal(&format!("{}.output.json", module.ident))
        ));
    }
    if contract.exclusive {
        calls.push("exclusive()".into());
    }
    if let Some(seconds) = contract.timeout_seconds.filter(|seconds| seconds.is_finite()) {
        calls.push(format!("timeout_seconds({})", Literal::f64_unsuffixed(seconds)));
    }
    let hints = &contract.annotations;
    calls.extend(hints.title.as_deref().map(|title| text("annotation_title", title)));
    for (method, hint) in [
        ("read_only", hints.read_only),
        ("destructive", hints.destructive),
        ("idempotent", hints.idempotent),
        ("open_world", hints.open_world),
    ] {
        calls.extend(hint.map(|hint| format!("{method}({hint})")));
    }
    if !contract.icons.is_empty() {
        calls.push(json("icons", Value::from(contract.icons.clone())));
    }
    if !contract.meta.is_empty() {
        calls.push(json("meta", Value::from(contract.meta.clone())));
    }
    calls
}
