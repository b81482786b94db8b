//! A schema uses no keyword of OpenAPI 3.0 that looks as if it allowed or told apart something: here it does nothing.

use super::{Member, Rule};
use serde_json::Value;
use toolcast_schema::finding::{Finding, printable, shown};
use toolcast_schema::json::End;

/// A schema uses no keyword of OpenAPI 3.0 that JSON Schema ignores: `nullable`, `discriminator`.
pub const RULE: Rule = Rule::warning(
    "foreign-keyword",
    "A schema uses no keyword of OpenAPI 3.0 that JSON Schema ignores: `nullable`, `discriminator`.",
);

pub(super) fn check(member: &Member<'_>, out: &mut Vec<Finding>) {
    let help = match (member.name, member.value) {
        ("nullable", Value::Bool(true)) => nullable(member),
        ("nullable", Value::Bool(false)) => {
            "remove it: null is allowed only where it is named".into()
        }
        ("discriminator", Value::Object(_) | Value::String(_)) => discriminator(member.value),
        _ => return,
    };
    let name = member.name;
    let effect = match name {
        "nullable" => "null is accepted or refused as if it were not there",
        _ => "alternatives are told apart by their own keywords alone",
    };
    let message = format!("`{name}` is a keyword of OpenAPI 3.0, not of JSON Schema: {effect}");
    out.push(RULE.finding(member.pointer(), End::Key, message).help(help));
}

fn nullable(member: &Member<'_>) -> String {
    let more = match member.members.contains_key("enum") {
        true => ", and name `null` in `enum`",
        false => "",
    };
    match member.members.get("type") {
        Some(Value::String(name)) => {
            let name = shown(&Value::String(name.clone()));
            format!("write `\"type\": [{}, \"null\"]`{more}", name.trim_matches('`'))
        }
        Some(Value::Array(_)) => format!("name `\"null\"` in `type`{more}"),
        _ => "write `\"anyOf\": [..., { \"type\": \"null\" }]`".to_owned(),
    }
}

fn discriminator(value: &Value) -> String {
    let tag = value.get("propertyName").unwrap_or(value).as_str();
    let tag = tag.map_or_else(|| "tag".to_owned(), printable);
    format!(
        "require `{tag}` in each alternative, with a `const` of its own: `\"{tag}\": {{ \"const\": ... }}`"
    )
}
