//! Objects in arrays in objects: an order with lines and addresses.

use crate::{Case, handle};
use std::sync::Arc;
use toolcast::generated::v1::*;

const SPEC: ToolSpec = ToolSpec::new("create_order", "Create an order.").input(
    r##"{"type":"object","properties":{
        "customer":{"type":"object","properties":{
            "id":{"type":"string"},
            "email":{"type":"string","format":"email"},
            "shipping":{"$ref":"#/$defs/address"},
            "billing":{"$ref":"#/$defs/address"}
        },"required":["id","shipping"],"additionalProperties":false},
        "lines":{"type":"array","minItems":1,"items":{"type":"object","properties":{
            "sku":{"type":"string","pattern":"^[A-Z]{2}-[0-9]+$"},
            "quantity":{"type":"integer","minimum":1},
            "price":{"type":"number","minimum":0},
            "note":{"type":"string"},
            "options":{"type":"array","items":{"type":"object","properties":{
                "name":{"type":"string"},"value":{"type":"string"}
            },"required":["name","value"],"additionalProperties":false}}
        },"required":["sku","quantity","price"],"additionalProperties":false}}
    },"required":["customer","lines"],"additionalProperties":false,
    "$defs":{"address":{"type":"object","properties":{
        "street":{"type":"string"},"city":{"type":"string"},
        "zip":{"type":"string"},"country":{"type":"string","minLength":2,"maxLength":2}
    },"required":["street","city","country"],"additionalProperties":false}}}"##,
);

/// One struct, read both ways.
macro_rules! read_both_ways {
    ($($(#[$doc:meta])* $name:ident / $plain:ident { $($field:ident: $type:ty | $plain_type:ty),* $(,)? })*) => {
        $(
            $(#[$doc])*
            #[derive(Clone, Debug, PartialEq)]
            #[allow(missing_docs)]
            pub struct $name { $(pub $field: $type),* }
            object!($name { $($field),* });

            $(#[$doc])*
            #[derive(serde::Deserialize)]
            #[allow(missing_docs)]
            pub struct $plain { $(pub $field: $plain_type),* }
        )*
    };
}

read_both_ways! {
    /// A place.
    Address / PlainAddress {
        street: String | String,
        city: String | String,
        zip: Option<String> | Option<String>,
        country: String | String,
    }
    /// Who orders.
    Customer / PlainCustomer {
        id: String | String,
        email: Option<String> | Option<String>,
        shipping: Address | PlainAddress,
        billing: Option<Address> | Option<PlainAddress>,
    }
    /// A choice of a line.
    Choice / PlainChoice {
        name: String | String,
        value: String | String,
    }
    /// What is ordered.
    Line / PlainLine {
        sku: String | String,
        quantity: i64 | i64,
        price: f64 | f64,
        note: Option<String> | Option<String>,
        options: Option<Vec<Choice>> | Option<Vec<PlainChoice>>,
    }
    /// All of it.
    Input / Plain {
        customer: Customer | PlainCustomer,
        lines: Vec<Line> | Vec<PlainLine>,
    }
}

/// The case.
pub fn case() -> Case {
    let tool = Tool::replying(&SPEC, Arc::new(()), |(), input: Input, _| {
        std::hint::black_box(&input);
        handle()
    });
    let address = serde_json::json!({ "street": "1 Main Street", "city": "Springfield", "zip": "12345", "country": "US" });
    let lines: Vec<Value> = (0..10)
        .map(|number| {
            serde_json::json!({
                "sku": format!("AB-{number}"),
                "quantity": number + 1,
                "price": 9.5,
                "note": "gift wrapped, please",
                "options": [{ "name": "size", "value": "L" }, { "name": "colour", "value": "green" }],
            })
        })
        .collect();
    let arguments = serde_json::json!({
        "customer": { "id": "c-1", "email": "ada@example.com", "shipping": address.clone(), "billing": address },
        "lines": lines,
    });
    Case { name: "nested", tool, arguments }
}
