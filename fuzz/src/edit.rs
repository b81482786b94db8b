//! Single edits of JSON values, most of them such as someone would make to a schema.

use crate::random::Random;
use crate::words;
use serde_json::{Map, Value, json};

/// Copies that one edit makes: enough to meet the bounds that count, in few edits.
const COPIES: u64 = 24;

/// Makes one edit somewhere in one of the values.
pub(crate) fn edit(values: &mut [Value], random: &mut Random) {
    let from = random.index(values.len());
    let donor = node(&mut values[from], random).clone();
    let into = random.index(values.len());
    let target = if random.one_in(4) { reference(&values[into], random) } else { donor };
    let place = node(&mut values[into], random);
    match random.below(12) {
        0 => *place = target,
        1 => *place = words::value(random),
        2 => *place = words::scalar(random),
        3 => wrap(place, target, random),
        4 => hoist(place, random),
        5 => remove(place, random),
        6 => copy(place, random),
        7 => rename(place, random),
        8 => swap(place, random),
        9 => nudge(place, random),
        _ => insert(place, target, random),
    }
}

/// A node of a value, each as likely as another.
fn node<'v>(root: &'v mut Value, random: &mut Random) -> &'v mut Value {
    let mut left = random.index(count(root));
    let mut here = root;
    while left > 0 {
        left -= 1;
        let children: Vec<&mut Value> = match here {
            Value::Array(items) => items.iter_mut().collect(),
            Value::Object(members) => members.values_mut().collect(),
            _ => unreachable!("a scalar counts for one"),
        };
        let mut chosen = None;
        for child in children {
            let nodes = count(child);
            if left < nodes {
                chosen = Some(child);
                break;
            }
            left -= nodes;
        }
        here = chosen.expect("the count is that of all children");
    }
    here
}

fn count(value: &Value) -> usize {
    1 + match value {
        Value::Array(items) => items.iter().map(count).sum(),
        Value::Object(members) => members.values().map(count).sum(),
        _ => 0,
    }
}

/// A reference to some place of a document: recursion, and definitions that are used twice.
fn reference(root: &Value, random: &mut Random) -> Value {
    let mut pointer = String::from("#");
    let mut here = root;
    while !random.one_in(4) {
        match here {
            Value::Object(members) if !members.is_empty() => {
                let (name, member) =
                    members.iter().nth(random.index(members.len())).expect("it is in range");
                pointer.push('/');
                pointer.push_str(&name.replace('~', "~0").replace('/', "~1"));
                here = member;
            }
            Value::Array(items) if !items.is_empty() => {
                let position = random.index(items.len());
                pointer.push_str(&format!("/{position}"));
                here = &items[position];
            }
            _ => break,
        }
    }
    json!({ "$ref": pointer })
}

/// Puts a value into a schema around it.
fn wrap(place: &mut Value, other: Value, random: &mut Random) {
    let inner = place.take();
    *place = match random.below(12) {
        0 => json!({ "anyOf": [inner, other] }),
        1 => json!({ "oneOf": [inner, other] }),
        2 => json!({ "allOf": [inner, other] }),
        3 => json!({ "not": inner }),
        4 => json!({ "type": "array", "items": inner }),
        5 => json!({ "type": "array", "prefixItems": [inner], "items": other }),
        6 => json!({ "type": "object", "properties": { words::name(random): inner } }),
        7 => json!({ "type": "object", "additionalProperties": inner }),
        8 => json!({ "if": other, "then": inner }),
        9 => json!({ "anyOf": [inner, { "type": "null" }] }),
        10 => json!([inner, other]),
        _ => json!({ words::name(random): inner }),
    };
}

/// Puts a child in its parent's place.
fn hoist(place: &mut Value, random: &mut Random) {
    let child = match place {
        Value::Array(items) if !items.is_empty() => items.swap_remove(random.index(items.len())),
        Value::Object(members) if !members.is_empty() => {
            let at = random.index(members.len());
            members.values_mut().nth(at).expect("it is in range").take()
        }
        _ => return,
    };
    *place = child;
}

fn remove(place: &mut Value, random: &mut Random) {
    match place {
        Value::Array(items) if !items.is_empty() => drop(items.remove(random.index(items.len()))),
        Value::Object(members) if !members.is_empty() => {
            let name = key(members, random);
            members.shift_remove(&name);
        }
        _ => {}
    }
}

/// Repeats an item, or a member under other names.
fn copy(place: &mut Value, random: &mut Random) {
    let copies = if random.one_in(2) { 1 } else { random.below(COPIES) };
    match place {
        Value::Array(items) if !items.is_empty() => {
            let item = items[random.index(items.len())].clone();
            items.extend((0..copies).map(|_| item.clone()));
        }
        Value::Object(members) if !members.is_empty() => {
            let name = key(members, random);
            let member = members[&name].clone();
            for copy in 0..copies {
                members.insert(format!("{name}{copy}"), member.clone());
            }
        }
        _ => {}
    }
}

fn rename(place: &mut Value, random: &mut Random) {
    let Value::Object(members) = place else { return };
    if members.is_empty() {
        return;
    }
    let old = key(members, random);
    let new = words::name(random);
    let renamed = std::mem::take(members).into_iter();
    *members =
        renamed.map(|(name, value)| (if name == old { new.clone() } else { name }, value)).collect();
}

fn swap(place: &mut Value, random: &mut Random) {
    match place {
        Value::Array(items) if items.len() > 1 => {
            let (a, b) = (random.index(items.len()), random.index(items.len()));
            items.swap(a, b);
        }
        Value::Object(members) if members.len() > 1 => {
            let (a, b) = (key(members, random), key(members, random));
            let first = members[&a].clone();
            let second = members.insert(b, first).unwrap_or_default();
            members.insert(a, second);
        }
        _ => {}
    }
}

/// Changes a scalar a little; gives a schema a keyword.
fn nudge(place: &mut Value, random: &mut Random) {
    match place {
        Value::Bool(yes) => *yes = !*yes,
        Value::Number(number) => {
            let number = number.as_f64().unwrap_or_default();
            *place = match random.below(5) {
                0 => json!(number + 1.0),
                1 => json!((number as i64).saturating_add(1)),
                2 => json!((number as i64).saturating_sub(1)),
                3 => json!(-number),
                _ => json!(number * 10.0),
            };
        }
        Value::String(text) => match random.below(4) {
            0 => text.push_str(words::text(random)),
            1 => text.truncate(text.char_indices().nth(1).map_or(0, |(at, _)| at)),
            2 => text.insert_str(0, words::text(random)),
            _ => *text = text.repeat(2),
        },
        Value::Object(members) => members.extend(words::keyword(random)),
        other => *other = words::scalar(random),
    }
}

/// Adds a member or an item; to an object mostly a keyword with a value that it takes.
fn insert(place: &mut Value, other: Value, random: &mut Random) {
    match place {
        Value::Array(items) => items.insert(random.index(items.len() + 1), other),
        Value::Object(members) if random.one_in(4) => {
            members.insert(words::name(random), other);
        }
        Value::Object(members) => members.extend(words::keyword(random)),
        other => *other = words::scalar(random),
    }
}

fn key(members: &Map<String, Value>, random: &mut Random) -> String {
    members.keys().nth(random.index(members.len())).cloned().unwrap_or_default()
}
