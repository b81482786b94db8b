//! Whole numbers in any spelling. Decimal text is read digit by digit: a float never stands between.

use super::DecodeError;
use serde_json::Number;

/// The integer that a number in float spelling is (`5.0`, `1e2`), or one that `as_i64` and `as_u64` do not hold.
#[cold]
pub(super) fn whole<T: TryFrom<i128>>(number: &Number) -> Result<T, DecodeError> {
    match parse(&number.to_string()) {
        Whole::Number(whole) => T::try_from(whole)
            .map_err(|_| DecodeError::new("the integer does not fit the 64 bits of its type")),
        Whole::Beyond => Err(DecodeError::new("the integer does not fit the 64 bits of its type")),
        Whole::Fraction => {
            Err(DecodeError::new("expected an integer, got a number with a fraction"))
        }
    }
}

/// Whether the value is a number without a fraction, however it is spelled.
pub(super) fn is_whole(value: &serde_json::Value) -> bool {
    match value {
        serde_json::Value::Number(number) => {
            number.is_i64()
                || number.is_u64()
                || !matches!(parse(&number.to_string()), Whole::Fraction)
        }
        _ => false,
    }
}

/// Whether the number is whole and within this type.
pub(super) fn fits<T: TryFrom<i128>>(number: &Number) -> bool {
    let known = number.as_i64().map(i128::from).or_else(|| number.as_u64().map(i128::from));
    match known {
        Some(known) => T::try_from(known).is_ok(),
        None => whole::<T>(number).is_ok(),
    }
}

enum Whole {
    Number(i128),
    Beyond,
    Fraction,
}

/// Reads decimal text as JSON spells it.
fn parse(text: &str) -> Whole {
    let (negative, text) = match text.strip_prefix('-') {
        Some(rest) => (true, rest),
        None => (false, text),
    };
    let (mantissa, exponent) = match text.split_once(['e', 'E']) {
        Some((mantissa, exponent)) => (mantissa, exponent.parse::<i64>().ok()),
        None => (text, Some(0)),
    };
    let (before, after) = mantissa.split_once('.').unwrap_or((mantissa, ""));
    let after = after.trim_end_matches('0');
    let digits = format!("{before}{after}");
    let significant = digits.trim_start_matches('0');
    if significant.is_empty() {
        return Whole::Number(0);
    }
    // A number of digits is bounded by the text's length, so the cast cannot wrap.
    let Some(shift) = exponent.and_then(|exponent| exponent.checked_sub(after.len() as i64)) else {
        return if text.contains("e-") || text.contains("E-") {
            Whole::Fraction
        } else {
            Whole::Beyond
        };
    };
    let kept = if shift < 0 {
        let drop = usize::try_from(shift.unsigned_abs()).unwrap_or(usize::MAX);
        match significant.len().checked_sub(drop) {
            Some(keep) if significant[keep..].bytes().all(|digit| digit == b'0') => {
                &significant[..keep]
            }
            _ => return Whole::Fraction,
        }
    } else {
        significant
    };
    let zeros = usize::try_from(shift.max(0)).unwrap_or(usize::MAX);
    // No 64-bit integer has more than 20 digits.
    if kept.len().saturating_add(zeros) > 20 {
        return Whole::Beyond;
    }
    let mut whole: i128 = 0;
    for digit in kept.bytes().chain(std::iter::repeat_n(b'0', zeros)) {
        whole = whole * 10 + i128::from(digit - b'0');
    }
    Whole::Number(if negative { -whole } else { whole })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Option<i128> {
        match parse(text) {
            Whole::Number(whole) => Some(whole),
            Whole::Beyond | Whole::Fraction => None,
        }
    }

    #[test]
    fn float_spellings_are_whole_numbers() {
        for (text, whole) in [
            ("5.0", 5),
            ("1e2", 100),
            ("1E+2", 100),
            ("-0.0", 0),
            ("0e999999999999999999999", 0),
            ("1200e-2", 12),
            ("1.50e1", 15),
            ("-3.0e0", -3),
            ("9223372036854775807.0", i128::from(i64::MAX)),
            ("18446744073709551615.0", i128::from(u64::MAX)),
        ] {
            assert_eq!(read(text), Some(whole), "{text}");
        }
    }

    #[test]
    fn fractions_and_giants_are_not() {
        for text in
            ["0.5", "1e-1", "1e400", "1e99999999999999999999", "1e-99999999999999999999", "123e-2"]
        {
            assert_eq!(read(text), None, "{text}");
        }
    }
}
