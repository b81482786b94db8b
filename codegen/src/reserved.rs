//! Names that generated items, fields and modules never take.

/// Every name of the hub `::toolcast::generated::v1`, of a generated module itself, and of the prelude.
const TYPES: &[&str] = &[
    // The hub.
    "Arc",
    "Context",
    "Decode",
    "DecodeError",
    "Encode",
    "Error",
    "Future",
    "Json",
    "Map",
    "Maybe",
    "Reply",
    "Tool",
    "ToolSpec",
    "Toolset",
    "Value",
    // A generated module.
    "Handler",
    "Input",
    "Output",
    "SPEC",
    "SPECS",
    // The prelude, of all editions.
    "AsMut",
    "AsRef",
    "AsyncFn",
    "AsyncFnMut",
    "AsyncFnOnce",
    "Box",
    "Clone",
    "Copy",
    "Default",
    "DoubleEndedIterator",
    "Drop",
    "Eq",
    "Err",
    "ExactSizeIterator",
    "Extend",
    "Fn",
    "FnMut",
    "FnOnce",
    "From",
    "FromIterator",
    "Into",
    "IntoFuture",
    "IntoIterator",
    "Iterator",
    "None",
    "Ok",
    "Option",
    "Ord",
    "PartialEq",
    "PartialOrd",
    "Result",
    "Send",
    "Sized",
    "Some",
    "String",
    "Sync",
    "ToOwned",
    "ToString",
    "TryFrom",
    "TryInto",
    "Unpin",
    "Vec",
    // Derives of generated items, and words a reader would take for theirs.
    "Debug",
    "Hash",
    "Deserialize",
    "Serialize",
    "Self",
];

/// Words that the language keeps for itself, of all editions.
const KEYWORDS: &[&str] = &[
    "abstract", "as", "async", "await", "become", "box", "break", "const", "continue", "do", "dyn",
    "else", "enum", "extern", "false", "final", "fn", "for", "gen", "if", "impl", "in", "let",
    "loop", "macro", "match", "mod", "move", "mut", "override", "priv", "pub", "ref", "return",
    "static", "struct", "trait", "true", "try", "type", "typeof", "unsafe", "unsized", "use",
    "virtual", "where", "while", "yield",
];

/// Keywords that no raw identifier may spell.
const NEVER_RAW: &[&str] = &["crate", "self", "super", "_", "Self"];

/// Names that Windows does not take for a file.
const DEVICES: &[&str] = &[
    "aux", "con", "nul", "prn", "com1", "com2", "com3", "com4", "com5", "com6", "com7", "com8",
    "com9", "lpt1", "lpt2", "lpt3", "lpt4", "lpt5", "lpt6", "lpt7", "lpt8", "lpt9",
];

/// Whether a type may not have this name.
pub(crate) fn is_type(name: &str) -> bool {
    TYPES.contains(&name)
}

/// Whether a field or module of this name is spelled `r#name`.
pub(crate) fn is_keyword(name: &str) -> bool {
    KEYWORDS.contains(&name)
}

/// Whether not even a raw identifier spells this name.
pub(crate) fn is_never_raw(name: &str) -> bool {
    NEVER_RAW.contains(&name)
}

/// Whether no file may have this stem, or a module of the name would shadow one that `include_tools!` stands beside.
pub(crate) fn is_module(name: &str) -> bool {
    DEVICES.contains(&name) || matches!(name, "mod" | "lib" | "main" | "toolset")
}
