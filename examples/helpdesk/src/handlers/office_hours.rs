//! A tool without a contract file: which offices there are stands in the database, so that its schema is made from it.

use crate::Database;
use serde_json::{Value, json};
use toolcast::{Definition, Error, Tool};

/// `office_hours`, for the offices of a database.
pub fn tool(database: Database) -> Result<Tool, Error> {
    let offices: Vec<String> = database
        .lock()
        .prepare("SELECT name FROM offices ORDER BY name")?
        .query_map([], |row| row.get(0))?
        .collect::<Result<_, _>>()?;
    let definition = Definition::new("office_hours", "Tell when an office answers the phone.").input(json!({
        "type": "object",
        "properties": { "office": { "enum": offices } },
        "required": ["office"],
        "additionalProperties": false,
        "examples": offices.iter().map(|office| json!({ "office": office })).collect::<Vec<_>>(),
    }));
    let tool = Tool::define_with(definition, move |input: Value, ctx| {
        let database = database.clone();
        Box::pin(async move {
            let hours = database.run(ctx, move |connection| {
                let office = input["office"].as_str();
                connection.query_row("SELECT hours FROM offices WHERE name = ?1", [office], |row| {
                    row.get::<_, String>("hours")
                })
            });
            hours.await
        })
    })?;
    Ok(tool)
}
