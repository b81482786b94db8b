//! Decimal numbers, exactly: `0.3 * 3` must be `0.9`, or a proof about `multipleOf` would rest on rounding.

use super::numbers::gcd;
use serde_json::{Number, Value};
use std::cmp::Ordering;

/// `mantissa * 10^-scale`.
#[derive(Clone, Copy, Debug)]
pub(super) struct Decimal {
    mantissa: i128,
    scale: u32,
}

impl Decimal {
    pub(super) fn integer(value: i64) -> Self {
        Self { mantissa: i128::from(value), scale: 0 }
    }

    /// `None` where the number does not fit (an exponent past what any sensible schema writes).
    pub(super) fn of(number: &Number) -> Option<Self> {
        Self::parse(&number.to_string())
    }

    pub(super) fn of_value(value: &Value) -> Option<Self> {
        value.as_number().and_then(Self::of)
    }

    fn parse(text: &str) -> Option<Self> {
        let (digits, exponent) = match text.split_once(['e', 'E']) {
            Some((digits, exponent)) => (digits, exponent.parse::<i32>().ok()?),
            None => (text, 0),
        };
        let (whole, fraction) = digits.split_once('.').unwrap_or((digits, ""));
        let mantissa: i128 = format!("{whole}{fraction}").parse().ok()?;
        let scale = i32::try_from(fraction.len()).ok()?.checked_sub(exponent)?;
        let value = if scale >= 0 {
            Self { mantissa, scale: u32::try_from(scale).ok()? }
        } else {
            let factor = 10i128.checked_pow(scale.unsigned_abs())?;
            Self { mantissa: mantissa.checked_mul(factor)?, scale: 0 }
        };
        (value.scale <= 30).then(|| value.reduced())
    }

    fn reduced(mut self) -> Self {
        while self.scale > 0 && self.mantissa % 10 == 0 {
            self.mantissa /= 10;
            self.scale -= 1;
        }
        self
    }

    /// Both mantissas at one scale.
    fn aligned(self, other: Self) -> Option<(i128, i128, u32)> {
        let scale = self.scale.max(other.scale);
        let lift =
            |d: Self| d.mantissa.checked_mul(10i128.checked_pow(scale.checked_sub(d.scale)?)?);
        Some((lift(self)?, lift(other)?, scale))
    }

    pub(super) fn is_integer(self) -> bool {
        self.scale == 0
    }

    pub(super) fn is_multiple_of(self, divisor: Self) -> Option<bool> {
        let (value, divisor, _) = self.aligned(divisor)?;
        (divisor != 0).then(|| value % divisor == 0)
    }

    pub(super) fn compare(self, other: Self) -> Option<Ordering> {
        let (left, right, _) = self.aligned(other)?;
        Some(left.cmp(&right))
    }

    pub(super) fn plus(self, other: Self) -> Option<Self> {
        let (left, right, scale) = self.aligned(other)?;
        Some(Self { mantissa: left.checked_add(right)?, scale }.reduced())
    }

    pub(super) fn times(self, factor: i64) -> Option<Self> {
        let mantissa = self.mantissa.checked_mul(i128::from(factor))?;
        Some(Self { mantissa, scale: self.scale }.reduced())
    }

    pub(super) fn half(self) -> Option<Self> {
        let mantissa = self.mantissa.checked_mul(5)?;
        Some(Self { mantissa, scale: self.scale.checked_add(1)? }.reduced())
    }

    pub(super) fn whole(value: i128) -> Option<Self> {
        // Held well within the type, so that sums of two still fit.
        (value.unsigned_abs() < 1 << 120).then_some(Self { mantissa: value, scale: 0 })
    }

    pub(super) fn thousandths(count: i32) -> Self {
        Self { mantissa: i128::from(count), scale: 3 }.reduced()
    }

    /// The largest whole number that is not larger.
    pub(super) fn floor(self) -> Option<i128> {
        Some(self.mantissa.div_euclid(10_i128.checked_pow(self.scale)?))
    }

    /// The least whole number above zero that is a multiple of it.
    pub(super) fn whole_part(self) -> Option<i128> {
        let unit = 10_i128.checked_pow(self.scale)?;
        let mantissa = self.mantissa.checked_abs().filter(|mantissa| *mantissa != 0)?;
        Some(mantissa / gcd(mantissa, unit))
    }

    /// The first multiple of `step` above it.
    pub(super) fn next_multiple(self, step: Self) -> Option<Self> {
        let (value, step, scale) = self.aligned(step)?;
        let count = value.checked_div_euclid(step)?.checked_add(1)?;
        Some(Self { mantissa: count.checked_mul(step)?, scale }.reduced())
    }

    /// The greatest number of which all divisors are multiples, and how many of its multiples pass until all of them
    /// meet again.
    pub(super) fn lattice(divisors: &[Self]) -> Option<(Self, i128)> {
        let scale = divisors.iter().map(|divisor| divisor.scale).max()?;
        let (mut step, mut round) = (0, 1);
        for divisor in divisors {
            let lift = 10_i128.checked_pow(scale - divisor.scale)?;
            let value = divisor.mantissa.checked_abs()?.checked_mul(lift)?;
            if value == 0 {
                return None;
            }
            step = gcd(value, step);
            round = (round / gcd(round, value)).checked_mul(value)?;
        }
        Some((Self { mantissa: step, scale }.reduced(), round / step))
    }

    /// How often `divisor` fits, rounded towards zero.
    pub(super) fn quotient(self, divisor: Self) -> Option<i64> {
        let (value, divisor, _) = self.aligned(divisor)?;
        if divisor == 0 {
            return None;
        }
        i64::try_from(value / divisor).ok()
    }

    pub(super) fn to_value(self) -> Option<Value> {
        if self.scale == 0 {
            if let Ok(value) = i64::try_from(self.mantissa) {
                return Some(Value::from(value));
            }
            if let Ok(value) = u64::try_from(self.mantissa) {
                return Some(Value::from(value));
            }
        }
        let text = format!("{}e-{}", self.mantissa, self.scale);
        let float: f64 = text.parse().ok()?;
        Number::from_f64(float).map(Value::Number)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn decimal(value: &Value) -> Decimal {
        Decimal::of_value(value).expect("the test writes numbers")
    }

    #[test]
    fn arithmetic_is_exact() {
        let tenth = decimal(&json!(0.3));
        assert_eq!(tenth.times(3).and_then(Decimal::to_value), Some(json!(0.9)));
        assert_eq!(decimal(&json!(6)).is_multiple_of(decimal(&json!(1.5))), Some(true));
        assert_eq!(decimal(&json!(3)).is_multiple_of(tenth), Some(true));
        assert_eq!(decimal(&json!(1)).is_multiple_of(tenth), Some(false));
        assert_eq!(decimal(&json!(5.0)).to_value(), Some(json!(5)));
        assert!(decimal(&json!(5.0)).is_integer());
        assert_eq!(decimal(&json!(1e3)).to_value(), Some(json!(1000)));
        assert_eq!(decimal(&json!(-7)).half().and_then(Decimal::to_value), Some(json!(-3.5)));
        assert!(Decimal::of_value(&json!(1e300)).is_none());
        assert_eq!(decimal(&json!(2)).compare(decimal(&json!(1.99))), Some(Ordering::Greater));
    }
}
