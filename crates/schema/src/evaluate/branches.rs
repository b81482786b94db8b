//! Keywords whose subschemas look at the same value: unions, conditions, dependencies; and, once all have looked, what
//! none of them has looked at.

use super::marks::{Mark, Marks};
use super::path::{Link, Path, Step};
use super::{Answer, At, Detail, Evaluation, Node, Pair, Part, References};
use crate::dialect::Dialect;
use serde_json::Value;

impl<'s, R: References<'s>> Evaluation<'_, 's, R> {
    pub(super) fn branches(
        &mut self,
        pair: Pair<'_, 's, R::Place>,
        keyword: &'static str,
        argument: &'s Value,
        marks: Option<&mut Marks>,
    ) -> Answer {
        match (keyword, argument) {
            ("allOf", Value::Array(branches)) => self.all_of(pair, branches, marks),
            ("anyOf" | "oneOf", Value::Array(branches)) => {
                self.union(pair, keyword, argument, branches, marks)
            }
            ("not", unwanted) => {
                let answer = self.quietly(|quiet| !quiet.beside(pair, "not", None, unwanted, None));
                if answer == Answer::No {
                    self.fail(pair, "not", unwanted, pair.node, Detail::Plain);
                }
                answer
            }
            ("if", condition) => self.condition(pair, condition, marks),
            ("dependentSchemas", _) => self.dependent(pair, argument, marks),
            ("dependencies", Value::Object(_)) => {
                let answer = self.dependencies(pair, argument);
                // Newer dialects do not know it, though it is read as what replaced it.
                match (answer, pair.dialect) {
                    (Answer::No, Dialect::Draft2020) => Answer::Unknown,
                    _ => answer,
                }
            }
            _ => Answer::Unknown,
        }
    }

    /// Whether the value fits a subschema that looks at it; what that looks at is added to `marks`, as far as it counts.
    pub(super) fn in_place(
        &mut self,
        at: At<'_, R::Place>,
        schema: &'s Value,
        node: Node<'_>,
        marks: Option<&mut Marks>,
    ) -> Answer {
        let Some(marks) = marks else { return self.schema(at, schema, node, None) };
        let mut inner = marks.beside();
        let answer = if self.spend(marks.len() / 8) {
            self.schema(at, schema, node, Some(&mut inner))
        } else {
            Answer::Unknown
        };
        marks.add(&inner, self.counts(answer));
        answer
    }

    /// How far what a part looks at counts.
    fn counts(&self, answer: Answer) -> Mark {
        match answer {
            Answer::Yes => Mark::Yes,
            Answer::Unknown => Mark::Maybe,
            Answer::No if self.silent == 0 && self.observer.counts_failing_parts() => Mark::Yes,
            Answer::No => Mark::No,
        }
    }

    /// As [`Self::in_place`], for the subschema of a keyword or one of its entries.
    fn beside(
        &mut self,
        pair: Pair<'_, 's, R::Place>,
        keyword: &str,
        entry: Option<Step<'_>>,
        schema: &'s Value,
        marks: Option<&mut Marks>,
    ) -> Answer {
        let below = Link { before: pair.at.below, step: Step::Key(keyword) };
        let place = pair.at.place;
        match entry {
            Some(step) => {
                let below = Link { before: Path::of(&below), step };
                let at = At { place, below: Path::of(&below) };
                self.in_place(at, schema, pair.node, marks)
            }
            None => {
                let at = At { place, below: Path::of(&below) };
                self.in_place(at, schema, pair.node, marks)
            }
        }
    }

    fn all_of(
        &mut self,
        pair: Pair<'_, 's, R::Place>,
        branches: &'s [Value],
        mut marks: Option<&mut Marks>,
    ) -> Answer {
        let mut answer = Answer::Yes;
        for (position, branch) in branches.iter().enumerate() {
            let step = Some(Step::Index(position));
            answer = answer.and(self.beside(pair, "allOf", step, branch, marks.as_deref_mut()));
            if !self.goes_on(answer) {
                break;
            }
        }
        answer
    }

    fn union(
        &mut self,
        pair: Pair<'_, 's, R::Place>,
        keyword: &'static str,
        argument: &'s Value,
        branches: &'s [Value],
        marks: Option<&mut Marks>,
    ) -> Answer {
        let (mut fitting, mut unknown) = (0, 0);
        // Those of branches that do not fit count only where none does.
        let mut fallen = marks.as_deref().map(Marks::beside);
        let mut seen = fallen.clone();
        for (position, branch) in branches.iter().enumerate() {
            let step = Some(Step::Index(position));
            let mut inner = fallen.as_ref().map(Marks::beside);
            let answer = self.part(Part::Branch(position), pair.node.value, |one| {
                one.beside(pair, keyword, step, branch, inner.as_mut())
            });
            fitting += usize::from(answer == Answer::Yes);
            unknown += usize::from(answer == Answer::Unknown);
            if let (Some(fallen), Some(seen), Some(inner)) = (&mut fallen, &mut seen, &inner) {
                match answer {
                    Answer::No => fallen.add(inner, Mark::Yes),
                    _ => seen.add(inner, Mark::Yes),
                }
            }
            // One that fits is enough, unless all that fit are wanted.
            let is_decided = match keyword {
                "anyOf" => fitting > 0 && seen.is_none(),
                _ => fitting > 1 && self.silent > 0,
            };
            if is_decided {
                break;
            }
        }
        if let (Some(marks), Some(seen)) = (marks, &seen) {
            marks.add(seen, Mark::Yes);
            if let Some(fallen) = &fallen
                && fitting + unknown == 0
            {
                marks.add(fallen, self.counts(Answer::No));
            }
        }
        let answer = match (keyword, fitting, unknown) {
            (_, 0, 0) => Answer::No,
            ("oneOf", 2.., _) => Answer::No,
            ("anyOf", 1.., _) | ("oneOf", 1, 0) => Answer::Yes,
            _ => Answer::Unknown,
        };
        if answer == Answer::No {
            self.fail(pair, keyword, argument, pair.node, Detail::Fitting(fitting));
        }
        answer
    }

    fn condition(
        &mut self,
        pair: Pair<'_, 's, R::Place>,
        condition: &'s Value,
        mut marks: Option<&mut Marks>,
    ) -> Answer {
        let holds =
            self.quietly(|quiet| quiet.beside(pair, "if", None, condition, marks.as_deref_mut()));
        let branch = |keyword| pair.schema.get(keyword).map(|schema| (keyword, schema));
        let branches = match holds {
            Answer::Yes => [branch("then"), None],
            Answer::No => [branch("else"), None],
            Answer::Unknown => [branch("then"), branch("else")],
        };
        if holds != Answer::Unknown {
            let [branch, _] = branches;
            return branch.map_or(Answer::Yes, |(keyword, schema)| {
                self.beside(pair, keyword, None, schema, marks)
            });
        }
        // One of them applies, and it is not known which.
        let mut answers = Vec::new();
        for (keyword, schema) in branches.into_iter().flatten() {
            let mut inner = marks.as_deref().map(Marks::beside);
            answers.push(
                self.quietly(|quiet| quiet.beside(pair, keyword, None, schema, inner.as_mut())),
            );
            if let (Some(marks), Some(inner)) = (marks.as_deref_mut(), &inner) {
                marks.add(inner, Mark::Maybe);
            }
        }
        let is_certain = answers.iter().all(|answer| *answer == Answer::Yes);
        if is_certain { Answer::Yes } else { Answer::Unknown }
    }

    fn dependent(
        &mut self,
        pair: Pair<'_, 's, R::Place>,
        argument: &'s Value,
        mut marks: Option<&mut Marks>,
    ) -> Answer {
        let (Value::Object(schemas), Value::Object(members)) = (argument, pair.node.value) else {
            return Answer::Unknown;
        };
        let mut answer = Answer::Yes;
        for (name, schema) in schemas {
            if members.contains_key(name) {
                let step = Some(Step::Key(name));
                let one = self.beside(pair, "dependentSchemas", step, schema, marks.as_deref_mut());
                answer = answer.and(one);
            }
            if !self.goes_on(answer) {
                break;
            }
        }
        answer
    }

    /// Draft 7's `dependencies`: lists of names and schemas.
    fn dependencies(&mut self, pair: Pair<'_, 's, R::Place>, argument: &'s Value) -> Answer {
        let (Value::Object(all), Value::Object(members)) = (argument, pair.node.value) else {
            return Answer::Unknown;
        };
        let mut answer = Answer::Yes;
        for (name, dependency) in all.iter().filter(|(name, _)| members.contains_key(*name)) {
            let one = match dependency {
                Value::Array(names) => {
                    self.missing(pair, "dependencies", argument, names, Some(name))
                }
                schema => self.beside(pair, "dependencies", Some(Step::Key(name)), schema, None),
            };
            answer = answer.and(one);
            if !self.goes_on(answer) {
                break;
            }
        }
        answer
    }

    /// `unevaluatedProperties` and `unevaluatedItems`, once every other keyword has left its marks.
    pub(super) fn unevaluated(
        &mut self,
        pair: Pair<'_, 's, R::Place>,
        marks: &mut Marks,
    ) -> Answer {
        let keyword = match pair.node.value {
            Value::Object(_) => "unevaluatedProperties",
            _ => "unevaluatedItems",
        };
        let Some(further) = pair.schema.get(keyword) else { return Answer::Yes };
        let answer = match pair.node.value {
            Value::Object(members) => {
                let steps = members.iter().map(|(name, member)| (Step::Key(name), member));
                self.left_over(pair, keyword, further, marks, steps)
            }
            Value::Array(items) => match marks.first() {
                Some(first) if first == items.len() => Answer::Yes,
                Some(first) if *further == Value::Bool(false) => {
                    self.fail(pair, keyword, further, pair.node, Detail::AtMost(first))
                }
                _ => {
                    let steps = items.iter().enumerate();
                    let steps = steps.map(|(position, item)| (Step::Index(position), item));
                    self.left_over(pair, keyword, further, marks, steps)
                }
            },
            _ => Answer::Yes,
        };
        marks.all(Mark::Yes);
        answer
    }

    fn left_over<'v>(
        &mut self,
        pair: Pair<'_, 's, R::Place>,
        keyword: &'static str,
        further: &'s Value,
        marks: &Marks,
        parts: impl Iterator<Item = (Step<'v>, &'v Value)>,
    ) -> Answer {
        let mut answer = Answer::Yes;
        for (position, (step, value)) in parts.enumerate() {
            if !self.goes_on(answer) {
                return answer;
            }
            let mark = marks.of(position);
            if mark == Mark::Yes {
                continue;
            }
            let link = Link { before: pair.node.path, step };
            let node = Node { value, path: Path::of(&link) };
            let one = match (mark, further) {
                (Mark::No, Value::Bool(false)) => {
                    self.fail(pair, keyword, further, node, Detail::Plain)
                }
                (Mark::No, _) => self.child(pair, keyword, None, further, node),
                _ => {
                    let one = self.quietly(|quiet| quiet.child(pair, keyword, None, further, node));
                    if one == Answer::Yes { Answer::Yes } else { Answer::Unknown }
                }
            };
            answer = answer.and(one);
        }
        answer
    }
}
