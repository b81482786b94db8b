//! Bounds for contracts that nobody has read: depth, size and work. All are counted, none is timed, so that the same
//! contract meets the same bound on every machine.

use crate::merged::Types;
use crate::{Error, Side};
use std::collections::HashMap;

/// Levels of types within types; deeper ones are `Value`, with a note.
pub(crate) const DEPTH: usize = 48;
/// Types of one contract.
pub(crate) const ITEMS: usize = 5_000;
/// Schemas visited for one contract, counted again for every place that uses them.
pub(crate) const STEPS: usize = 2_000_000;
/// Values of one enum; more of them are a `String`, or `Value`, with a note.
pub(crate) const LITERALS: usize = 2_000;
/// Members of one struct; an object with more is a map, with a note.
pub(crate) const MEMBERS: usize = 6_000;
/// Branches of one union; more of them are `Value`, with a note.
pub(crate) const BRANCHES: usize = 200;

/// What is left of the work for one contract.
pub(crate) struct Budget {
    contract: String,
    steps: usize,
    items: usize,
    /// Types of unions' branches by their pointers: a chain of definitions is walked once.
    pub(crate) types: HashMap<(Side, String), Types>,
}

impl Budget {
    pub(crate) fn new(contract: &str) -> Self {
        Self { contract: contract.to_owned(), steps: 0, items: 0, types: HashMap::new() }
    }

    /// The work for another definition: what was learnt of types stays.
    pub(crate) fn restart(&mut self, contract: &str) {
        contract.clone_into(&mut self.contract);
        (self.steps, self.items) = (0, 0);
    }

    pub(crate) fn step(&mut self, side: Side, pointer: &str) -> Result<(), Error> {
        self.steps += 1;
        if self.steps > STEPS {
            Err(self.met(side, pointer, format!("{STEPS} schema visits")))
        } else {
            Ok(())
        }
    }

    pub(crate) fn item(&mut self, side: Side, pointer: &str) -> Result<(), Error> {
        self.items += 1;
        if self.items > ITEMS {
            Err(self.met(side, pointer, format!("{ITEMS} types")))
        } else {
            Ok(())
        }
    }

    fn met(&self, side: Side, pointer: &str, bound: String) -> Error {
        Error::Limit { contract: self.contract.clone(), side, pointer: pointer.to_owned(), bound }
    }
}
