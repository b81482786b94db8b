//! Reviews contracts: what is wrong with one, and what a change to one breaks.
//!
//! A verdict never rests on a guess: `Compatible` carries a proof, `Breaking` a value that the old schema accepts and
//! the new one rejects (both asked of the validator that the run time uses), and all else is `Unproven`.

pub mod changes;
pub mod check;
pub mod diff;
