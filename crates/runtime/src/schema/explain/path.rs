//! Where a fault is: the way from the root of a value to one of its parts.

use toolcast_schema::evaluate;

/// One step of a path. Names sort before each other as text, positions as numbers.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Step {
    Index(usize),
    Key(String),
}

/// A path that outlives the evaluation that was there.
pub(super) fn steps(path: evaluate::Path<'_>) -> Vec<Step> {
    let step = |step| match step {
        evaluate::Step::Key(key) => Step::Key(key.to_owned()),
        evaluate::Step::Index(position) => Step::Index(position),
    };
    path.steps().into_iter().map(step).collect()
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
