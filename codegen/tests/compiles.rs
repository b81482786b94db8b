//! The expected code of every golden folder, compiled, and the values it must hold without loss.

#![deny(warnings, missing_docs)]

macro_rules! golden {
    ($($name:ident { $($include:tt)* })*) => {
        $(#[allow(missing_docs, reason = "stands for a crate")] pub mod $name { $($include)* })*
    };
}

golden! {
    all_of { include!("golden/all_of/expected/mod.rs"); }
    compiler { include!("golden/compiler/expected/mod.rs"); }
    definitions { include!("golden/definitions/expected/mod.rs"); }
    descriptions { include!("golden/descriptions/expected/mod.rs"); }
    empty { include!("golden/empty/expected/mod.rs"); }
    enums { include!("golden/enums/expected/mod.rs"); }
    externs { include!("golden/externs/expected/mod.rs"); }
    folders { include!("golden/folders/expected/mod.rs"); }
    held { include!("golden/held/expected/mod.rs"); }
    maps { include!("golden/maps/expected/mod.rs"); }
    names { include!("golden/names/expected/mod.rs"); }
    numbers { include!("golden/numbers/expected/mod.rs"); }
    presence { include!("golden/presence/expected/mod.rs"); }
    unions { include!("golden/unions/expected/mod.rs"); }
    value { include!("golden/value/expected/mod.rs"); }
}

/// A type of the user's own for a definition that is a string.
#[derive(Clone, Debug, PartialEq)]
pub struct Colour(u32);

impl std::str::FromStr for Colour {
    type Err = String;
    fn from_str(text: &str) -> Result<Self, String> {
        let digits = text.strip_prefix('#').ok_or("a colour starts with `#`")?;
        u32::from_str_radix(digits, 16).map(Self).map_err(|error| format!("{text}: {error}"))
    }
}

impl std::fmt::Display for Colour {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "#{:06x}", self.0)
    }
}

/// One for a definition that is an object.
#[derive(Clone, Debug, PartialEq, serde::Serialize, serde::Deserialize)]
pub struct Point {
    x: i32,
    y: i32,
}

use serde_json::{Value, json};
use toolcast::generated::v1::{Decode, Encode, Maybe};

#[track_caller]
fn round<T: Decode + Encode>(value: Value) {
    assert_eq!(encoded::<T>(&value), value);
}

#[track_caller]
fn encoded<T: Decode + Encode>(value: &Value) -> Value {
    T::decode(value).unwrap_or_else(|error| panic!("{value}: {error}")).encode()
}

#[test]
fn absent_empty_and_null_are_told_apart() {
    use presence::{nullable, optional};
    round::<optional::Input>(json!({ "must": [] }));
    round::<optional::Input>(json!({ "must": [1], "tags": [], "labels": {}, "anything": null }));
    round::<optional::Input>(json!({ "must": [1], "anything": [1, { "a": null }] }));
    round::<nullable::Input>(json!({ "required_or_null": null }));
    round::<nullable::Input>(json!({
        "required_or_null": "x", "maybe": null, "through_ref": null, "through_union": null, "null_only": null,
        "null_in_enum": null, "list": ["a", null],
    }));
    let absent = nullable::Input::decode(&json!({ "required_or_null": null })).unwrap();
    assert_eq!((absent.maybe, absent.through_ref), (Maybe::Absent, Maybe::Absent));
}

#[test]
fn defaults_fill_what_is_absent_and_nothing_else() {
    use presence::default::Input;
    let filled = json!({
        "count": 10, "floor": 18_446_744_073_709_551_615_u64, "below": -5, "ratio": 0.5, "whole_ratio": 1.0,
        "loud": false, "greeting": "say \"hi\"\n", "unit": "celsius", "tags": [], "more": [1, 2], "labels": {},
        "some": { "a": 1 }, "page": { "size": 20 }, "perhaps": null, "perhaps_not": "x",
        "anything": { "deep": [1, null] }, "required": 1,
    });
    assert_eq!(encoded::<Input>(&json!({ "required": 1 })), filled);
    let mut given = filled;
    given["perhaps"] = json!("y");
    given["perhaps_not"] = json!(null);
    given["tags"] = json!(["t"]);
    round::<Input>(given);
}

#[test]
fn whole_numbers_come_in_any_spelling() {
    use numbers::integers::Input;
    let value = json!({ "signed": 5.0, "unsigned": 1e2, "real": 3 });
    assert_eq!(encoded::<Input>(&value), json!({ "signed": 5, "unsigned": 100, "real": 3.0 }));
    round::<Input>(json!({ "signed": i64::MIN, "unsigned": u64::MAX }));
    let error = Input::decode(&json!({ "signed": u64::MAX })).unwrap_err();
    assert_eq!(error.pointer, "/signed");
}

#[test]
fn enums_keep_every_value() {
    use enums::literals::Input;
    for operator in ["<", "<=", ">", ">=", "=", "==", "!=", "+", "-", "*", "/", "%"] {
        round::<Input>(json!({ "operator": operator }));
    }
    for hostile in [
        json!("<"),
        json!(""),
        json!("+1"),
        json!("-1"),
        json!("a"),
        json!("A"),
        json!(1),
        json!(null),
    ] {
        round::<Input>(json!({ "hostile": hostile }));
    }
    for mixed in [
        json!("1"),
        json!(1),
        json!(true),
        json!("true"),
        json!([1, 2]),
        json!({ "a": "b" }),
        json!([]),
    ] {
        round::<Input>(json!({ "mixed": mixed }));
    }
    round::<Input>(
        json!({ "cases": "日本", "yes": true, "flag": false, "number": 0.5, "list": ["x", "y"] }),
    );
}

#[test]
fn undeclared_members_stay_where_the_schema_allows_them() {
    use crate::maps::{maps as free, rest};
    round::<free::Input>(json!({
        "free": { "z": 1, "a": null }, "open": {}, "typed": { "b": 1 }, "objects": { "x": { "id": "1" } },
        "patterns": { "x-a": "1" }, "two_patterns": { "n-a": 1, "x-b": "2" }, "empty": {},
    }));
    round::<rest::Input>(json!({
        "id": 1, "z": [1], "inner": { "rest": "r", "more": "m" }, "patterned": { "x-a": 1 },
        "loose": { "a": 1, "b": null }, "conditional": { "kind": "a", "extra": "e" },
    }));
}

#[test]
fn branches_are_found() {
    use unions::{tagged, untagged};
    for target in [
        json!({ "kind": "user", "id": 1 }),
        json!({ "kind": "team", "slug": "s", "more": 1 }),
        json!({ "kind": "all" }),
    ] {
        round::<tagged::Input>(
            json!({ "target": target, "lone_cat": { "type": "cat" }, "version": { "v": 2 } }),
        );
    }
    for value in [json!("a"), json!(1.5), json!(true), json!(["a"]), json!(null)] {
        round::<untagged::Input>(json!({ "value": value }));
    }
    round::<untagged::Input>(json!({
        "id": 7, "closed": { "phone": "1" }, "open": { "email": "a", "phone": "b" },
        "constants": { "mode": "c", "y": 1 }, "preset": "small", "any": null,
        "shared": { "kind": "r", "base": "b", "right": 1 }, "two": { "a": "1", "c": "2", "d": "3" },
    }));
    round::<untagged::Input>(json!({ "preset": "else", "open": { "email": 1, "phone": "b" } }));
    let preset = |value| untagged::Input::decode(&json!({ "preset": value })).unwrap().preset;
    assert!(matches!(preset("small"), Some(untagged::Preset::Known(untagged::PresetKnown::Small))));
    assert!(matches!(preset("other"), Some(untagged::Preset::Text(_))));
}

#[test]
fn recursion_ends_where_the_value_ends() {
    use unions::recursion::Input;
    round::<Input>(json!({
        "tree": { "name": "a", "children": [{ "name": "b", "children": [] }, { "name": "c" }] },
        "expr": { "op": "add", "left": 1.0, "right": { "op": "add", "left": 2.0, "right": 3.0 } },
        "linked": { "next": { "next": {} }, "other": null }, "nest": [[], [[]]],
    }));
}

#[test]
fn any_member_name_is_a_field() {
    let mut value = json!({});
    for name in [
        "type",
        "self",
        "Self",
        "_",
        "",
        "$",
        "$ref",
        "a b",
        "a-b",
        "a_b",
        "aB",
        "🔥",
        "__proto__",
        "rest",
    ] {
        value[name] = json!(name);
    }
    value["undeclared"] = json!([1]);
    round::<names::fields::Input>(value);
}

#[test]
fn a_shared_definition_is_one_type_for_all_who_refer_to_it() {
    use definitions::defs::address::{Address, AddressGeo, Country, Level};
    use definitions::defs::money::{Currency, Money};
    use definitions::defs::shapes::{Circle, CircleKind, Filter, Shape};
    use definitions::orders::place;
    use definitions::track;

    let address = json!({ "street": "Rue 1", "country": "fr", "level": "ground", "note": null });
    let placed = place::Input::decode(&json!({
        "lines": [{ "price": { "cents": 5 }, "title": "Tea" }],
        "to": address, "bill_to": null, "currency": "USD", "geo": { "lat": 1.0, "lon": 2.0 },
        "ends": [{ "open": true }, { "open": false }], "any": [1],
    }))
    .unwrap();
    let geo: Option<AddressGeo> = placed.geo;
    assert!(geo.is_some(), "a part of a definition is the part's own type");
    assert_eq!(placed.lines[0].price, Money { cents: 5, currency: Currency::Eur });
    assert_eq!((placed.lines[0].currency, placed.currency), (Currency::Usd, Currency::Usd));
    assert_eq!(placed.bill_to, Maybe::Null);
    // One contract's address is another's.
    let tracked = track::Input { to: Some(placed.to), ..track::Input::decode(&json!({})).unwrap() };
    assert_eq!(tracked.encode(), json!({ "to": address }));
    let to: Address = tracked.to.unwrap();
    assert_eq!((to.country, to.level, to.note), (Country::Fr, Level::Ground, Maybe::Null));
    let output: place::Output = Money { cents: 1, currency: Currency::Eur };
    round::<place::Output>(output.encode());

    // A branch of a tagged union is the definition, tag and all, here and there.
    let circle = Circle { kind: CircleKind::Circle, radius: 1.5 };
    let both = json!({
        "shape": { "kind": "circle", "radius": 1.5 }, "circle": { "kind": "circle", "radius": 1.5 },
        "own_shape": { "kind": "square", "side": 2.0 },
    });
    round::<track::Input>(both.clone());
    let both = track::Input::decode(&both).unwrap();
    assert_eq!(both.shape, Some(Shape::Circle(circle.clone())));
    assert_eq!(both.circle, Some(circle));

    // Overlapping branches are told apart by the definitions' own schemas, and no member is lost.
    for (value, range) in [
        (json!({ "from": 1, "terms": ["a"] }), true),
        (json!({ "from": "x", "terms": ["a"] }), false),
    ] {
        assert_eq!(encoded::<Filter>(&value), value);
        assert_eq!(matches!(Filter::decode(&value), Ok(Filter::Range(_))), range, "{value}");
        round::<track::Input>(json!({ "filter": value, "own_filter": value }));
    }

    // Definitions of two files that lead to each other.
    round::<track::Input>(json!({
        "tree": { "name": "a", "next": { "back": { "name": "b" }, "many": [{ "many": [] }] } },
    }));
}

#[test]
fn types_are_written_and_read_in_other_formats_than_json() {
    use definitions::{defs::address::Address, track::Input};
    let input = Input::decode(&json!({
        "to": { "street": "Rue 1", "country": "fr", "level": "first", "note": "n", "geo": { "lat": 1.5, "lon": 2.0 } },
        "own_shape": { "kind": "square", "side": 2.0 },
        "own_filter": { "from": 1, "terms": ["a"] },
    }))
    .unwrap();
    let packed = rmp_serde::to_vec(&input).unwrap();
    assert_eq!(rmp_serde::from_slice::<Input>(&packed).unwrap(), input);
    let text = toml::to_string(&input).unwrap();
    assert_eq!(toml::from_str::<Input>(&text).unwrap(), input, "{text}");
    // A default fills what is absent there as well, and a wrong value says where it stands.
    let address: Address = toml::from_str("street = 'Rue 1'\ncountry = 'de'").unwrap();
    assert_eq!(address.level.to_string(), "ground");
    let error = toml::from_str::<Address>("street = 'Rue 1'\ncountry = 'atlantis'").unwrap_err();
    assert!(error.to_string().contains("/country"), "{error}");
}

#[test]
fn types_of_the_users_own_stand_in_every_place() {
    use externs::convert::{By, Input, OrText};
    let one = "00000000-0000-0000-0000-000000000001";
    let id: uuid::Uuid = one.parse().unwrap();
    let whole = json!({
        "id": one, "or_null": null, "optional": one, "maybe": null, "list": [one, null], "map": { "a": one },
        "pair": [one, 3], "filled": one, "null-filled": one, "by": one, "or_text": "me", "same": one,
        "colour": "#00ff00", "at": { "x": 1, "y": -2 }, "path": [{ "x": 0, "y": 0 }],
        "known": "00000000-0000-0000-0000-000000000002", "other": "2020-01-01", "further": one,
    });
    round::<Input>(whole.clone());
    let input = Input::decode(&whole).unwrap();
    let list: Option<Vec<Option<uuid::Uuid>>> = input.list;
    let pair: Option<(uuid::Uuid, i64)> = input.pair;
    assert_eq!((list, pair), (Some(vec![Some(id), None]), Some((id, 3))));
    assert_eq!((input.id, input.maybe, &input.rest["further"]), (id, Maybe::Null, &id));
    assert_eq!((input.colour, input.at), (Colour(0xff00), Some(Point { x: 1, y: -2 })));
    assert!(matches!(input.by, Some(By::Text(by)) if by == id));
    assert!(matches!(input.or_text, Some(OrText::Me(_))));

    // What is absent is filled or left out.
    let least = json!({ "id": one, "or_null": one });
    let filled = json!({
        "id": one, "or_null": one, "filled": one, "null-filled": null, "colour": "#000000",
    });
    assert_eq!(encoded::<Input>(&least), filled);
    for (member, value) in [("by", json!(7)), ("or_text", json!(one)), ("or_text", json!(7))] {
        let mut value_of = filled.clone();
        value_of[member] = value;
        round::<Input>(value_of);
    }

    // A caller learns where and what, and reads no value.
    let uuid = "expected a string of format `uuid`, got a string that does not convert to it";
    for (member, value, wanted) in [
        ("id", json!("secret"), format!("/id: {uuid}")),
        ("id", json!(1), "/id: expected a string of format `uuid`, got a number".into()),
        ("or_null", json!("secret"), format!("/or_null: {uuid}")),
        ("maybe", json!("secret"), format!("/maybe: {uuid}")),
        ("list", json!([one, "secret"]), format!("/list/1: {uuid}")),
        ("map", json!({ "a/b": "secret" }), format!("/map/a~1b: {uuid}")),
        ("pair", json!(["secret", 1]), format!("/pair/0: {uuid}")),
        ("by", json!("secret"), format!("/by: {uuid}")),
        ("further", json!("secret"), format!("/further: {uuid}")),
        (
            "colour",
            json!("secret"),
            "/colour: expected a `Colour`, got a string that does not convert to it".into(),
        ),
        (
            "at",
            json!({ "x": "secret" }),
            "/at: expected a `Point`, got a value that does not convert to it".into(),
        ),
    ] {
        let mut wrong = least.clone();
        wrong[member] = value;
        assert_eq!(Input::decode(&wrong).unwrap_err().to_string(), wanted);
    }
    let error = Input::decode(&json!({ "or_null": one })).unwrap_err();
    assert_eq!(error.to_string(), "the member `id` is missing");
    let wrong = toolcast::generated::convert::default::<toolcast::generated::convert::Text, u8>(
        "\"secret\"",
        "a byte",
    );
    assert_eq!(
        wrong.unwrap_err().to_string(),
        "a default of the contract does not fit: expected a byte, got a string that does not convert to it"
    );
    let packed = rmp_serde::to_vec(&Input::decode(&whole).unwrap()).unwrap();
    assert_eq!(rmp_serde::from_slice::<Input>(&packed).unwrap().encode(), whole);
}
