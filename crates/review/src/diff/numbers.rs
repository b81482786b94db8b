//! Schemas of numbers, decided: limits cut the line into pieces, and within a piece only what a number is a multiple of
//! matters, which repeats. So finitely many points stand for all numbers.

use super::decimal::Decimal;
use super::document::Document;
use super::evaluate::bounds;
use super::limits::abandoned;
use super::scalars::literals;
use super::truth::{Formula, Truth};
use super::types::Types;
use serde_json::{Map, Value};
use std::cmp::Ordering;
use std::collections::BTreeSet;
use std::rc::Rc;

/// References and applicators that one formula follows, and its parts.
const DEPTH: u32 = 48;
const PARTS: u32 = 4_000;
/// Points that one question may look at.
const POINTS: i128 = 300_000;
/// Where floats are whole: what cannot be told apart from a whole number is one.
const WHOLE: i64 = 1 << 53;

/// One thing that is said of a number.
#[derive(Clone, Debug)]
pub(super) enum Atom {
    /// It lies on this side of a limit; whether the limit itself does.
    Beyond(Decimal, bool, Ordering),
    MultipleOf(Decimal),
    /// It is one of these, in their order.
    OneOf(Rc<Vec<Decimal>>),
}

/// What a number must satisfy.
pub(super) type Number = Formula<Atom>;

/// The numbers that are asked about.
#[derive(Clone, Copy)]
pub(super) struct Line<'a> {
    pub(super) document: Document<'a>,
    /// `INTEGER` or `FRACTION`.
    pub(super) kind: Types,
}

impl<'a> Line<'a> {
    /// Under draft 4 a float is no integer, whatever its value.
    fn floats_only(self) -> bool {
        self.document.strict_integers()
    }

    fn small(self) -> bool {
        self.kind == Types::FRACTION && !self.floats_only()
    }

    /// What schema objects say together of a number.
    pub(super) fn all_of(self, parts: &[&'a Map<String, Value>]) -> Number {
        let mut left = PARTS;
        Formula::All(parts.iter().map(|part| self.object(part, DEPTH, &mut left)).collect())
    }

    /// What a schema says of a number.
    pub(super) fn number(self, schema: &'a Value) -> Number {
        let mut left = PARTS;
        self.schema(schema, DEPTH, &mut left)
    }

    fn schema(self, schema: &'a Value, depth: u32, left: &mut u32) -> Number {
        match schema {
            Value::Bool(all) => Formula::Known(Truth::of(*all)),
            Value::Object(schema) => self.object(schema, depth, left),
            _ => Formula::UNKNOWN,
        }
    }

    fn object(self, schema: &'a Map<String, Value>, depth: u32, left: &mut u32) -> Number {
        let (Some(depth), Some(fewer)) = (depth.checked_sub(1), left.checked_sub(1)) else {
            return Formula::UNKNOWN;
        };
        *left = fewer;
        let mut all = Vec::new();
        if let Some(reference) = self.document.reference(schema) {
            let target = self.document.target(reference);
            all.push(target.map_or(Formula::UNKNOWN, |target| self.schema(target, depth, left)));
            if !self.document.reads_siblings() {
                return Formula::All(all);
            }
        }
        all.extend(self.limits(schema));
        if ["const", "enum"].iter().any(|keyword| schema.contains_key(*keyword)) {
            let numbers: Option<Vec<Decimal>> =
                literals(schema).filter(|value| value.is_number()).map(Decimal::of_value).collect();
            // `const` and `enum` beside each other are no list of one.
            let both = schema.contains_key("const") && schema.contains_key("enum");
            all.push(match numbers {
                Some(mut numbers) if !both => {
                    numbers.sort_by_key(|number| Place(*number));
                    Formula::Atom(Atom::OneOf(Rc::new(numbers)))
                }
                _ => Formula::UNKNOWN,
            });
        }
        for (keyword, value) in schema {
            let mut list = || {
                let branches = value.as_array().into_iter().flatten();
                branches.map(|branch| self.schema(branch, depth, left)).collect()
            };
            match keyword.as_str() {
                "type" => {
                    let only = Map::from_iter([(keyword.clone(), value.clone())]);
                    let allowed = Types::declared(&only, self.document).meets(self.kind);
                    all.push(Formula::Known(Truth::of(allowed)));
                }
                "multipleOf" => {
                    let divisor = Decimal::of_value(value);
                    let atom = divisor.map(|divisor| Formula::Atom(Atom::MultipleOf(divisor)));
                    all.push(atom.unwrap_or(Formula::UNKNOWN));
                }
                "$dynamicRef" | "$recursiveRef" => all.push(Formula::UNKNOWN),
                "allOf" => all.push(Formula::All(list())),
                "anyOf" => all.push(Formula::Any(list())),
                "oneOf" => all.push(Formula::One(list())),
                "not" => all.push(self.schema(value, depth, left).not()),
                "if" => {
                    let condition = self.schema(value, depth, left);
                    let mut branch = |keyword: &str| {
                        let branch = schema.get(keyword);
                        branch.map_or(Formula::YES, |branch| self.schema(branch, depth, left))
                    };
                    let (then, otherwise) = (branch("then"), branch("else"));
                    all.push(Formula::choice(condition, then, otherwise));
                }
                _ => {}
            }
        }
        Formula::All(all)
    }

    fn limits(self, schema: &Map<String, Value>) -> Vec<Number> {
        let known = bounds(schema);
        let mut all: Vec<Number> = known
            .iter()
            .map(|(limit, inclusive, side)| Formula::Atom(Atom::Beyond(*limit, *inclusive, *side)))
            .collect();
        for keyword in ["minimum", "exclusiveMinimum", "maximum", "exclusiveMaximum"] {
            let limit = schema.get(keyword).filter(|limit| limit.is_number());
            let Some(limit) = limit.filter(|limit| Decimal::of_value(limit).is_none()) else {
                continue;
            };
            // Past all arithmetic; numbers with a fraction are all nearer to zero.
            all.push(match limit.as_f64() {
                Some(limit) if self.small() && limit.abs() > 1e20 => {
                    let upper = keyword.ends_with("aximum");
                    Formula::Known(Truth::of(upper == (limit > 0.0)))
                }
                _ => Formula::UNKNOWN,
            });
        }
        all
    }

    /// Whether the formula may hold of a whole number.
    pub(super) fn may_be(self, formula: &Number, number: i64) -> bool {
        let point = Point::At(Decimal::integer(number));
        formula.holds(&|atom: &Atom| point.satisfies(atom)) != Truth::No
    }

    /// Whether every number of this kind of which `one` holds is one of which `other` holds.
    pub(super) fn within(self, one: &Number, other: &Number) -> bool {
        self.difference(one, other) == Some(Vec::new())
    }

    /// Points at which `one` holds and `other` does not, or may not; `None` where that was not worked out.
    pub(super) fn difference(self, one: &Number, other: &Number) -> Option<Vec<Value>> {
        let (mut ends, mut divisors) = (BTreeSet::new(), Vec::new());
        let mut add = |atom: &Atom| match atom {
            Atom::Beyond(limit, ..) => {
                ends.insert(Place(*limit));
            }
            Atom::OneOf(numbers) => ends.extend(numbers.iter().copied().map(Place)),
            Atom::MultipleOf(divisor) => divisors.push(*divisor),
        };
        one.each_atom(&mut add);
        other.each_atom(&mut add);
        let ends: Vec<Decimal> = ends.into_iter().map(|place| place.0).collect();
        let points = if self.kind == Types::INTEGER {
            whole_points(&ends, &divisors)?
        } else {
            self.points(ends, &divisors)?
        };
        let mut found = Vec::new();
        for point in points {
            if abandoned() {
                return None;
            }
            let holds = |atom: &Atom| point.satisfies(atom);
            if one.holds(&holds) != Truth::No && other.holds(&holds) != Truth::Yes {
                // The point refutes the containment, even where no value can be written for it.
                found.push(point.value().unwrap_or(Value::Null));
                if found.len() >= 8 {
                    break;
                }
            }
        }
        Some(found)
    }

    fn points(self, mut ends: Vec<Decimal>, divisors: &[Decimal]) -> Option<Vec<Point>> {
        let far = [Decimal::integer(-WHOLE), Decimal::integer(WHOLE)];
        let near = |point: Decimal| {
            point.compare(far[0]) == Some(Ordering::Greater)
                && point.compare(far[1]) == Some(Ordering::Less)
        };
        if self.small() {
            ends.extend(far);
        } else if ends.is_empty() {
            ends.push(Decimal::integer(0));
        }
        ends.sort_by(|a, b| a.compare(*b).unwrap_or(Ordering::Equal));
        let mut all = divisors.to_vec();
        all.push(Decimal::integer(1));
        let (step, count) = Decimal::lattice(&all)?;
        if count.checked_mul(i128::try_from(ends.len()).ok()? + 1)? > POINTS {
            return None;
        }
        let mut points = Vec::new();
        let mut add = |point: Decimal| {
            let asked = if self.small() { near(point) && !point.is_integer() } else { true };
            points.extend(asked.then_some(Point::At(point)));
        };
        let mut pieces = Vec::new();
        for (at, end) in ends.iter().enumerate() {
            add(*end);
            let next = ends.get(at + 1).copied();
            let mut point = end.next_multiple(step)?;
            for _ in 0..count {
                if next.is_some_and(|next| point.compare(next) != Some(Ordering::Less)) {
                    break;
                }
                add(point);
                point = point.plus(step)?;
            }
            if !self.small() || (next.is_some() && near(end.plus(next?)?.half()?)) {
                pieces.push(Point::Between(Some(*end), next));
            }
        }
        if !self.small() {
            let first = *ends.first()?;
            pieces.push(Point::Between(None, Some(first)));
            let mut point = first.next_multiple(step)?;
            for _ in 0..count.checked_add(2)? {
                point = point.plus(step.times(-1)?)?;
                if point.compare(first) == Some(Ordering::Less) {
                    add(point);
                }
            }
        }
        points.extend(pieces);
        Some(points)
    }
}

fn whole_points(ends: &[Decimal], divisors: &[Decimal]) -> Option<Vec<Point>> {
    let period = divisors.iter().try_fold(1_i128, |period, divisor| {
        let next = divisor.whole_part()?;
        let both = (period / gcd(period, next)).checked_mul(next)?;
        (both <= 10_000).then_some(both)
    })?;
    let count = i128::try_from(ends.len()).ok()? + 1;
    if count.checked_mul(period.checked_add(3)?)? > POINTS {
        return None;
    }
    let mut points = BTreeSet::new();
    for end in ends {
        let floor = end.floor()?;
        points.extend(floor.checked_sub(1)?..=floor.checked_add(period)?.checked_add(1)?);
    }
    let first = ends.first().map_or(Some(0), |end| end.floor())?;
    points.extend(first.checked_sub(period)?.checked_sub(1)?..=first);
    points.into_iter().map(|point| Some(Point::At(Decimal::whole(point)?))).collect()
}

pub(super) fn gcd(left: i128, right: i128) -> i128 {
    if right == 0 { left.abs() } else { gcd(right, left % right) }
}

/// A limit, in the order of numbers.
#[derive(Clone, Copy)]
struct Place(Decimal);

impl Ord for Place {
    fn cmp(&self, other: &Self) -> Ordering {
        // Limits that cannot be compared do not fit the arithmetic, and are not made.
        self.0.compare(other.0).unwrap_or(Ordering::Equal)
    }
}

impl PartialOrd for Place {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl PartialEq for Place {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other) == Ordering::Equal
    }
}

impl Eq for Place {}

enum Point {
    At(Decimal),
    /// Any number between two ends that is no multiple of anything.
    Between(Option<Decimal>, Option<Decimal>),
}

impl Point {
    fn satisfies(&self, atom: &Atom) -> Truth {
        match (self, atom) {
            (Self::At(point), Atom::Beyond(limit, inclusive, side)) => {
                match point.compare(*limit) {
                    Some(Ordering::Equal) => Truth::of(*inclusive),
                    Some(order) => Truth::of(order == *side),
                    None => Truth::Unknown,
                }
            }
            (Self::At(point), Atom::MultipleOf(divisor)) => {
                point.is_multiple_of(*divisor).map_or(Truth::Unknown, Truth::of)
            }
            (Self::At(point), Atom::OneOf(numbers)) => {
                let found = numbers.binary_search_by_key(&Place(*point), |number| Place(*number));
                Truth::of(found.is_ok())
            }
            (Self::Between(low, high), Atom::Beyond(limit, _, side)) => {
                let (end, outside) = match side {
                    Ordering::Greater => (low, Ordering::Less),
                    _ => (high, Ordering::Greater),
                };
                // The limit is an end of some piece, so it lies on one side of this one.
                match end.map(|end| end.compare(*limit)) {
                    Some(Some(order)) => Truth::of(order != outside),
                    Some(None) => Truth::Unknown,
                    None => Truth::No,
                }
            }
            (Self::Between(..), Atom::MultipleOf(_) | Atom::OneOf(_)) => Truth::No,
        }
    }

    fn value(&self) -> Option<Value> {
        match self {
            Self::At(point) => point.to_value(),
            Self::Between(Some(low), Some(high)) => {
                let middle = low.plus(*high)?.half()?;
                // Not the middle itself: that is often a multiple of something.
                low.plus(middle)?.half()?.plus(middle)?.half()?.to_value()
            }
            Self::Between(Some(low), None) => low.plus(Decimal::thousandths(1_137))?.to_value(),
            Self::Between(None, Some(high)) => high.plus(Decimal::thousandths(-1_137))?.to_value(),
            Self::Between(None, None) => Decimal::thousandths(137).to_value(),
        }
    }
}
