//! Keywords of arrays: what each item must be, and how many of one kind there are.

use super::marks::{Mark, Marks};
use super::path::{Link, Path, Step};
use super::{Answer, At, Detail, Evaluation, Node, Pair, References};
use crate::dialect::Dialect;
use crate::form::count;
use serde_json::Value;

impl<'s, R: References<'s>> Evaluation<'_, 's, R> {
    /// `prefixItems`, `items`, `additionalItems` and `contains`.
    pub(super) fn items(
        &mut self,
        pair: Pair<'_, 's, R::Place>,
        mut marks: Option<&mut Marks>,
    ) -> Answer {
        let Value::Array(items) = pair.node.value else { return Answer::Yes };
        let is_new = pair.dialect == Dialect::Draft2020;
        let list = |keyword: &'static str| {
            Some((keyword, pair.schema.get(keyword)?.as_array()?.as_slice()))
        };
        // A list of `items` is the old spelling, which newer dialects are read with too.
        let (listed, prefix) = (if is_new { list("prefixItems") } else { None })
            .or_else(|| list("items"))
            .unwrap_or(("prefixItems", &[]));
        let rest = if listed == "items" { "additionalItems" } else { "items" };
        let further = pair.schema.get(rest).filter(|further| !further.is_array());
        let mut answer = Answer::Yes;
        for (position, item) in items.iter().enumerate() {
            if !self.spend(1) {
                return answer.and(Answer::Unknown);
            }
            let link = Link { before: pair.node.path, step: Step::Index(position) };
            let node = Node { value: item, path: Path::of(&link) };
            let one = match (prefix.get(position), further) {
                (Some(schema), _) => self.listed(pair, listed, position, schema, node),
                (None, Some(closed @ Value::Bool(false))) => {
                    let detail = Detail::AtMost(prefix.len());
                    // Once for all that are too many.
                    answer = self.fail(pair, rest, closed, pair.node, detail);
                    break;
                }
                (None, Some(schema)) => self.child(pair, rest, None, schema, node),
                (None, None) => break,
            };
            if let Some(marks) = marks.as_deref_mut() {
                marks.set(position, Mark::Yes);
            }
            answer = answer.and(one);
            if !self.goes_on(answer) {
                return answer;
            }
        }
        if let (Some(marks), Some(_)) = (marks.as_deref_mut(), further) {
            marks.all(Mark::Yes);
        }
        match pair.schema.get("contains") {
            Some(contained) if self.goes_on(answer) => {
                answer.and(self.contains(pair, items, contained, marks))
            }
            _ => answer,
        }
    }

    /// Whether an item fits the schema at its own position.
    pub(super) fn listed(
        &mut self,
        pair: Pair<'_, 's, R::Place>,
        keyword: &str,
        position: usize,
        schema: &'s Value,
        node: Node<'_>,
    ) -> Answer {
        let below = Link { before: pair.at.below, step: Step::Key(keyword) };
        let below = Link { before: Path::of(&below), step: Step::Index(position) };
        let at = At { place: pair.at.place, below: Path::of(&below) };
        self.schema(at, schema, node, None)
    }

    fn contains(
        &mut self,
        pair: Pair<'_, 's, R::Place>,
        items: &[Value],
        contained: &'s Value,
        mut marks: Option<&mut Marks>,
    ) -> Answer {
        let limit = |keyword| match pair.schema.get(keyword) {
            Some(limit) if pair.dialect == Dialect::Draft2020 => {
                limit.as_number().and_then(count).map(Some)
            }
            _ => Some(None),
        };
        let (Some(least), Some(most)) = (limit("minContains"), limit("maxContains")) else {
            return Answer::Unknown;
        };
        let (mut fitting, mut unknown) = (0_usize, 0_usize);
        for (position, item) in items.iter().enumerate() {
            let node = Node { value: item, path: pair.node.path };
            let one = self.quietly(|quiet| quiet.child(pair, "contains", None, contained, node));
            let mark = match one {
                Answer::Yes => Mark::Yes,
                Answer::Unknown => Mark::Maybe,
                Answer::No => Mark::No,
            };
            fitting += usize::from(mark == Mark::Yes);
            unknown += usize::from(mark == Mark::Maybe);
            if let Some(marks) = marks.as_deref_mut() {
                marks.set(position, mark);
            }
        }
        let (least, most) = (least.unwrap_or(1), most.unwrap_or(u64::MAX));
        let (fewest, highest) = (fitting as u64, (fitting + unknown) as u64);
        if highest < least || fewest > most {
            return self.fail(pair, "contains", contained, pair.node, Detail::Fitting(fitting));
        }
        if fewest >= least && highest <= most { Answer::Yes } else { Answer::Unknown }
    }
}
