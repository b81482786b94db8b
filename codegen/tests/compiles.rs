//! The expected code of every golden folder, compiled, and the values it must hold without loss.

#![deny(warnings, missing_docs)]

macro_rules! golden {
    ($($name:ident { $($include:tt)* })*) => { $(#[allow(missing_docs, reason = "stands for a crate")] pub mod $name { $($include)* })* };
}

golden! {
    all_of { include!("golden/all_of/expected/mod.rs"); }
}
