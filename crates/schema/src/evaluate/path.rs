//! Ways into a value or a schema. They live on the stack of the evaluation: a step costs nothing until someone asks.

use crate::pointer::join;

/// One step of a path.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Step<'p> {
    /// To a member of an object.
    Key(&'p str),
    /// To an element of an array.
    Index(usize),
}

/// A way from a root.
#[derive(Clone, Copy, Debug, Default)]
pub struct Path<'p> {
    last: Option<&'p Link<'p>>,
}

/// The last step of a path, and all before it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Link<'p> {
    pub before: Path<'p>,
    pub step: Step<'p>,
}

impl<'p> Path<'p> {
    pub(super) fn of(link: &'p Link<'p>) -> Self {
        Self { last: Some(link) }
    }

    /// Whether it leads nowhere but to its root.
    pub fn is_empty(self) -> bool {
        self.last.is_none()
    }

    /// All steps, from the root.
    pub fn steps(self) -> Vec<Step<'p>> {
        let mut steps = Vec::new();
        let mut here = self;
        while let Some(link) = here.last {
            steps.push(link.step);
            here = link.before;
        }
        steps.reverse();
        steps
    }

    /// As a JSON pointer.
    pub fn pointer(self) -> String {
        self.steps().into_iter().fold(String::new(), |pointer, step| match step {
            Step::Key(key) => join(&pointer, key),
            Step::Index(index) => format!("{pointer}/{index}"),
        })
    }
}
