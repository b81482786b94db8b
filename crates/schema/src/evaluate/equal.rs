//! Equality and order of JSON values as JSON Schema has them: `1` and `1.0` are one number, members have no order.

use serde_json::{Number, Value};
use std::cmp::Ordering;

/// Whether two values are one and the same.
pub fn equal(a: &Value, b: &Value) -> bool {
    match (a, b) {
        (Value::Number(a), Value::Number(b)) => a == b || compare(a, b) == Some(Ordering::Equal),
        (Value::Array(a), Value::Array(b)) => {
            a.len() == b.len() && a.iter().zip(b).all(|(a, b)| equal(a, b))
        }
        (Value::Object(a), Value::Object(b)) => {
            a.len() == b.len() && a.iter().all(|(name, a)| b.get(name).is_some_and(|b| equal(a, b)))
        }
        (a, b) => a == b,
    }
}

/// How two numbers stand to each other, exactly.
pub fn compare(a: &Number, b: &Number) -> Option<Ordering> {
    match (whole(a), whole(b)) {
        (Some(a), Some(b)) => Some(a.cmp(&b)),
        (Some(a), None) => beside_float(a, b.as_f64()?),
        (None, Some(b)) => beside_float(b, a.as_f64()?).map(Ordering::reverse),
        (None, None) => a.as_f64()?.partial_cmp(&b.as_f64()?),
    }
}

/// A whole number beside a float that is not whole, or larger than any number that [`whole`] gives.
fn beside_float(whole: i128, float: f64) -> Option<Ordering> {
    if float.abs() >= LARGEST {
        return 0.0.partial_cmp(&float);
    }
    // Between two whole numbers: equal to neither.
    Some(if whole <= float.floor() as i128 { Ordering::Less } else { Ordering::Greater })
}

/// Within 2^100, a whole float converts exactly.
const LARGEST: f64 = 1.2e30;

/// The whole number that a number is, however it is written.
pub(super) fn whole(number: &Number) -> Option<i128> {
    number.as_i64().map(i128::from).or_else(|| number.as_u64().map(i128::from)).or_else(|| {
        let float = number.as_f64()?;
        (float.fract() == 0.0 && float.abs() < LARGEST).then_some(float as i128)
    })
}

/// A text that equal values share and different ones do not.
pub(super) fn canonical(value: &Value, text: &mut String) {
    match value {
        Value::Number(number) => match whole(number) {
            Some(whole) => text.push_str(&whole.to_string()),
            None => text.push_str(&number.to_string()),
        },
        Value::Array(items) => {
            text.push('[');
            for item in items {
                canonical(item, text);
                text.push(',');
            }
            text.push(']');
        }
        Value::Object(members) => {
            let mut sorted: Vec<_> = members.iter().collect();
            sorted.sort_unstable_by_key(|(name, _)| *name);
            text.push('{');
            for (name, member) in sorted {
                text.push_str(&Value::from(name.as_str()).to_string());
                text.push(':');
                canonical(member, text);
                text.push(',');
            }
            text.push('}');
        }
        other => text.push_str(&other.to_string()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn order(a: Value, b: Value) -> Option<Ordering> {
        let number = |value: Value| value.as_number().cloned().expect("the test compares numbers");
        compare(&number(a), &number(b))
    }

    #[test]
    fn numbers_are_compared_exactly() {
        assert!(equal(&json!([1, {"a": 2.0, "b": 0}]), &json!([1.0, {"b": 0, "a": 2}])));
        assert!(!equal(&json!(true), &json!(1)));
        let past_floats = 9_007_199_254_740_993_i64;
        assert_eq!(
            order(json!(past_floats), json!(9_007_199_254_740_992.0)),
            Some(Ordering::Greater)
        );
        assert_eq!(order(json!(-1), json!(-1.5)), Some(Ordering::Greater));
        assert_eq!(order(json!(-2), json!(-1.5)), Some(Ordering::Less));
        assert_eq!(order(json!(1e300), json!(u64::MAX)), Some(Ordering::Greater));
        assert_eq!(order(json!(u64::MAX), json!(-1e300)), Some(Ordering::Greater));
        assert_eq!(order(json!(0.1), json!(0.2)), Some(Ordering::Less));
    }
}
