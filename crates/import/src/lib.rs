//! Turns the tool lists of other systems into contracts of ours.
