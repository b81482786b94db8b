//! The modules of a folder, under one attribute.

/// Declares modules that share one attribute, which stands in front of them as an inner attribute does.
///
/// ```text
/// modules! {
///     #![allow(missing_docs, reason = "the contracts are documented elsewhere")]
///     pub mod boards;
///     pub mod ticket_status;
/// }
/// ```
///
/// A file that `include!` brings in may have no inner attribute of its own.
#[doc(hidden)]
#[macro_export]
macro_rules! __modules {
    (#![$shared:meta] $(pub mod $name:ident;)*) => {
        $(#[$shared] pub mod $name;)*
    };
}
