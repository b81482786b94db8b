//! Faults as they are met, each with what lenient input and the choice between branches want to know of it.

use super::Fault;
use super::path::{Step, pointer};
use super::wording::quoted;
use serde_json::Value;

/// A fault and what else the repairs of lenient input and the choice between branches want to know.
#[derive(Clone, Debug)]
pub(super) struct Found {
    pub path: Vec<Step>,
    pub code: &'static str,
    pub message: String,
    /// What may mend it, and how many steps of the path lead to what is mended.
    pub repair: Option<(usize, Repairable)>,
    /// The values that the schema allows here, of `const` and `enum`.
    pub allowed: Option<Vec<Value>>,
    /// The types that the schema allows here, of `type`.
    pub types: Vec<String>,
    /// The branch of a union that is explained, where the value fits none of several.
    pub closest: Option<Branch>,
}

/// A branch of a union, as a text names it.
#[derive(Clone, Debug)]
pub(super) enum Branch {
    /// By its own title.
    Titled(String),
    /// By its position among so many.
    Numbered(usize, usize),
}

/// What a lenient tool may try where a fault was found.
#[derive(Clone, Debug)]
pub(crate) enum Repairable {
    /// The value should be of one of these types.
    Type(Vec<String>),
    /// The value should be one of these.
    Allowed(Vec<Value>),
    /// One of several branches; each with the repairs that all its faults suggest.
    Union(Vec<Vec<(Vec<Step>, Repairable)>>),
    /// The member may be absent, and its value is `null` or `""`, which does not fit.
    Absent,
    /// The repair of another fault of the same union mends this one too.
    Jointly,
}

impl Found {
    /// A fault that nothing mends.
    pub(super) fn new(path: Vec<Step>, code: &'static str, message: String) -> Self {
        let (allowed, types) = (None, Vec::new());
        Self { path, code, message, repair: None, allowed, types, closest: None }
    }

    /// Notes the union's branch that this is about. Of unions within unions the innermost is named, which says most,
    /// unless only an outer one has a name.
    pub(super) fn of_branch(&mut self, branch: &Branch) {
        if !matches!((&self.closest, branch), (Some(_), Branch::Numbered(..)))
            && !matches!(&self.closest, Some(Branch::Titled(_)))
        {
            self.closest = Some(branch.clone());
        }
    }

    /// The message, and which branch of a union it is about.
    pub(super) fn text(&self) -> String {
        let message = &self.message;
        match &self.closest {
            None => message.clone(),
            Some(Branch::Titled(title)) => format!("{message} (closest: {})", quoted(title)),
            Some(Branch::Numbered(number, all)) => {
                format!("{message} (closest: alternative {number} of {all})")
            }
        }
    }

    pub(super) fn into_fault(self) -> Fault {
        Fault { code: self.code, pointer: pointer(&self.path), message: self.text() }
    }
}
