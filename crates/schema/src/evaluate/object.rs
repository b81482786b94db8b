//! Keywords of objects: which members must be there, and what each must be.

use super::marks::{Mark, Marks};
use super::path::{Link, Path, Step};
use super::{Answer, At, Detail, Evaluation, Node, Pair, Part, References};
use serde_json::{Map, Value};

impl<'s, R: References<'s>> Evaluation<'_, 's, R> {
    /// `required` and `dependentRequired`.
    pub(super) fn required(
        &mut self,
        pair: Pair<'_, 's, R::Place>,
        keyword: &'static str,
        argument: &'s Value,
    ) -> Answer {
        let Value::Object(members) = pair.node.value else { return Answer::Yes };
        match argument {
            Value::Array(names) => self.missing(pair, keyword, argument, names, None),
            Value::Object(dependent) => {
                let mut answer = Answer::Yes;
                for (name, others) in dependent {
                    if members.contains_key(name)
                        && let Value::Array(others) = others
                    {
                        let one = self.missing(pair, keyword, argument, others, Some(name));
                        answer = answer.and(one);
                    }
                    if !self.goes_on(answer) || !self.spend(1) {
                        break;
                    }
                }
                answer
            }
            _ => Answer::Unknown,
        }
    }

    pub(super) fn missing(
        &mut self,
        pair: Pair<'_, 's, R::Place>,
        keyword: &'static str,
        argument: &'s Value,
        names: &'s [Value],
        beside: Option<&'s str>,
    ) -> Answer {
        let Value::Object(members) = pair.node.value else { return Answer::Yes };
        let mut answer = Answer::Yes;
        for name in names.iter().filter_map(Value::as_str) {
            if !members.contains_key(name) {
                let detail = Detail::Missing { name, beside };
                answer = self.fail(pair, keyword, argument, pair.node, detail);
                if !self.goes_on(answer) {
                    return answer;
                }
            }
        }
        answer
    }

    /// `properties`, `patternProperties`, `additionalProperties` and `propertyNames`.
    pub(super) fn members(
        &mut self,
        pair: Pair<'_, 's, R::Place>,
        mut marks: Option<&mut Marks>,
    ) -> Answer {
        let Value::Object(members) = pair.node.value else { return Answer::Yes };
        let mut answer = Answer::Yes;
        for (position, (name, member)) in members.iter().enumerate() {
            if !self.spend(1) {
                return answer.and(Answer::Unknown);
            }
            let link = Link { before: pair.node.path, step: Step::Key(name) };
            let node = Node { value: member, path: Path::of(&link) };
            let (one, mark) = self.member(pair, name, node);
            if let Some(marks) = marks.as_deref_mut() {
                marks.set(position, mark);
            }
            answer = answer.and(one);
            if !self.goes_on(answer) {
                return answer;
            }
        }
        answer
    }

    /// Whether a member fits, and whether it is looked at.
    fn member(
        &mut self,
        pair: Pair<'_, 's, R::Place>,
        name: &str,
        node: Node<'_>,
    ) -> (Answer, Mark) {
        let mut answer = Answer::Yes;
        if let Some(names) = pair.schema.get("propertyNames") {
            let text = Value::String(name.to_owned());
            let below = Link { before: pair.at.below, step: Step::Key("propertyNames") };
            let at = At { place: pair.at.place, below: Path::of(&below) };
            answer = self.part(Part::Name, &text, |one| {
                one.schema(at, names, Node { value: &text, path: node.path }, None)
            });
            if answer == Answer::No {
                self.fail(pair, "propertyNames", names, node, Detail::Plain);
            }
        }
        let mut mark = Mark::No;
        let declared = map(pair.schema, "properties").and_then(|known| known.get_key_value(name));
        if let Some((key, schema)) = declared {
            mark = Mark::Yes;
            let required = pair.schema.get("required").and_then(Value::as_array);
            let is_required =
                required.is_some_and(|names| names.iter().any(|required| required == name));
            let one = self.part(Part::Member { is_required }, node.value, |one| {
                one.child(pair, "properties", Some(key), schema, node)
            });
            answer = answer.and(one);
        }
        for (pattern, schema) in map(pair.schema, "patternProperties").into_iter().flatten() {
            if !self.goes_on(answer) || !self.spend(1 + name.len() / 8) {
                break;
            }
            match self.oracle.pattern(pattern, name) {
                Answer::No => {}
                Answer::Yes => {
                    mark = Mark::Yes;
                    let one = self.child(pair, "patternProperties", Some(pattern), schema, node);
                    answer = answer.and(one);
                }
                Answer::Unknown => {
                    mark = mark.max(Mark::Maybe);
                    let one = self.quietly(|quiet| {
                        quiet.child(pair, "patternProperties", Some(pattern), schema, node)
                    });
                    if one != Answer::Yes {
                        answer = answer.and(Answer::Unknown);
                    }
                }
            }
        }
        let Some(further) = pair.schema.get("additionalProperties") else { return (answer, mark) };
        if mark == Mark::Yes || !self.goes_on(answer) {
            return (answer, Mark::Yes);
        }
        let one = match (mark, further) {
            (Mark::No, Value::Bool(false)) => {
                self.fail(pair, "additionalProperties", further, node, Detail::Plain)
            }
            (Mark::No, _) => self.child(pair, "additionalProperties", None, further, node),
            _ => {
                let one = self.quietly(|quiet| {
                    quiet.child(pair, "additionalProperties", None, further, node)
                });
                if one == Answer::Yes { Answer::Yes } else { Answer::Unknown }
            }
        };
        (answer.and(one), Mark::Yes)
    }

    /// Whether a part of the value fits a subschema.
    pub(super) fn child(
        &mut self,
        pair: Pair<'_, 's, R::Place>,
        keyword: &str,
        entry: Option<&str>,
        schema: &'s Value,
        node: Node<'_>,
    ) -> Answer {
        let below = Link { before: pair.at.below, step: Step::Key(keyword) };
        let place = pair.at.place;
        match entry {
            Some(entry) => {
                let below = Link { before: Path::of(&below), step: Step::Key(entry) };
                self.schema(At { place, below: Path::of(&below) }, schema, node, None)
            }
            None => self.schema(At { place, below: Path::of(&below) }, schema, node, None),
        }
    }
}

pub(super) fn map<'a>(
    schema: &'a Map<String, Value>,
    keyword: &str,
) -> Option<&'a Map<String, Value>> {
    schema.get(keyword).and_then(Value::as_object)
}
