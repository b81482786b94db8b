//! Two validators that share no code: a witness must convince both.

use boon::{Compiler, Draft, Schemas};
use serde_json::Value;

/// What `boon` says of a value; `None` where it does not read the schema.
pub fn boon_accepts(schema: &Value, value: &Value, formats: bool) -> Option<bool> {
    let mut schema = schema.clone();
    if !formats {
        // It asserts formats under the older drafts, whatever it is told.
        drop_formats(&mut schema);
    }
    let mut compiler = Compiler::new();
    compiler.set_default_draft(Draft::V2020_12);
    if formats {
        compiler.enable_format_assertions();
    }
    compiler.add_resource("mem:///schema.json", schema).ok()?;
    let mut schemas = Schemas::new();
    let index = compiler.compile("mem:///schema.json", &mut schemas).ok()?;
    Some(schemas.validate(value, index).is_ok())
}

fn drop_formats(schema: &mut Value) {
    match schema {
        Value::Object(members) => {
            members.retain(|keyword, value| keyword != "format" || !value.is_string());
            members.values_mut().for_each(drop_formats);
        }
        Value::Array(items) => items.iter_mut().for_each(drop_formats),
        _ => {}
    }
}

/// What `jsonschema` says, built anew.
pub fn accepts(schema: &Value, value: &Value, formats: bool) -> bool {
    jsonschema::options()
        .offline()
        .should_validate_formats(formats)
        .build(schema)
        .is_ok_and(|validator| validator.is_valid(value))
}

/// Fails unless both validators confirm that `old` accepts the witness and `new` rejects it.
pub fn confirm(id: &str, old: &Value, new: &Value, witness: &Value, formats: bool) {
    assert!(accepts(old, witness, formats), "{id}: the old schema rejects {witness}");
    assert!(!accepts(new, witness, formats), "{id}: the new schema accepts {witness}");
    if let Some(accepted) = boon_accepts(old, witness, formats) {
        assert!(accepted, "{id}: boon: the old schema rejects {witness}");
    }
    if let Some(accepted) = boon_accepts(new, witness, formats) {
        assert!(!accepted, "{id}: boon: the new schema accepts {witness}");
    }
}
