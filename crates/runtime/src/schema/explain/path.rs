//! Where a fault is: the way from the root of a value to one of its parts.

use std::rc::Rc;

/// One step of a path. Names sort before each other as text, positions as numbers.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Step {
    Index(usize),
    Key(String),
}

/// The way from the root to where the walk is. Cheap to keep: faults share their beginnings.
#[derive(Clone, Debug, Default)]
pub(super) struct Path {
    last: Option<Rc<Link>>,
}

#[derive(Debug)]
struct Link {
    before: Path,
    step: Step,
    length: usize,
}

impl Path {
    pub(super) fn to(&self, step: Step) -> Self {
        let link = Link { before: self.clone(), step, length: self.len() + 1 };
        Self { last: Some(Rc::new(link)) }
    }

    pub(super) fn len(&self) -> usize {
        self.last.as_ref().map_or(0, |link| link.length)
    }

    pub(super) fn last(&self) -> Option<&Step> {
        self.last.as_ref().map(|link| &link.step)
    }

    /// All steps, from the root.
    pub(super) fn steps(&self) -> Vec<Step> {
        let mut steps = Vec::with_capacity(self.len());
        let mut here = self;
        while let Some(link) = &here.last {
            steps.push(link.step.clone());
            here = &link.before;
        }
        steps.reverse();
        steps
    }
}

/// A path as a JSON pointer.
pub(crate) fn pointer(path: &[Step]) -> String {
    let mut pointer = String::new();
    for step in path {
        pointer.push('/');
        match step {
            Step::Index(position) => pointer.push_str(&position.to_string()),
            Step::Key(key) => pointer.push_str(&key.replace('~', "~0").replace('/', "~1")),
        }
    }
    pointer
}
