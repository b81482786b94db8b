//! The verdict engine, from outside: what it may never say, what it must say, and that it always comes to an end.

mod agreement;
mod arbitrary;
mod corpus;
mod fixtures;
mod hostile;
mod pairs;
mod property;
mod references;
mod validators;
mod view;
