//! The folder and its files can be read, are JSON of a known dialect, and keep within the limits.

use super::Rule;

/// An object names each of its members once.
pub const DUPLICATE_KEY: Rule =
    Rule::error("duplicate-key", "An object names each of its members once.");

/// No two paths differ only in case: some file systems hold them for one.
pub const FILE_CLASH: Rule = Rule::error(
    "file-clash",
    "No two paths differ only in case: some file systems hold them for one.",
);

/// A file is one JSON value, as RFC 8259 has it.
pub const INVALID_JSON: Rule =
    Rule::error("invalid-json", "A file is one JSON value, as RFC 8259 has it.");

/// The schemas folder is there.
pub const NO_FOLDER: Rule = Rule::error("no-folder", "The schemas folder is there.");

/// No file in the folder looks like a contract but for its ending.
pub const NOT_READ: Rule =
    Rule::warning("not-read", "No file in the folder looks like a contract but for its ending.");

/// A file is UTF-8, without a byte order mark.
pub const NOT_UTF8: Rule = Rule::error("not-utf8", "A file is UTF-8, without a byte order mark.");

/// A number fits a 64-bit float.
pub const NUMBER_RANGE: Rule = Rule::error("number-range", "A number fits a 64-bit float.");

/// A file's name is UTF-8: tools and Rust modules are named after it.
pub const PATH_NOT_UTF8: Rule = Rule::error(
    "path-not-utf8",
    "A file's name is UTF-8: tools and Rust modules are named after it.",
);

/// A symbolic link leads to a file in the schemas folder.
pub const SYMLINK: Rule =
    Rule::error("symlink", "A symbolic link leads to a file in the schemas folder.");

/// A file is nested no deeper than the limit `depth`.
pub const TOO_DEEP: Rule =
    Rule::error("too-deep", "A file is nested no deeper than the limit `depth`.");

/// Files and bundled contracts are no larger than their limits.
pub const TOO_LARGE: Rule =
    Rule::error("too-large", "Files and bundled contracts are no larger than their limits.");

/// A file has no more faults than the limit `faults`; further ones are only counted.
pub const TOO_MANY_FAULTS: Rule = Rule::error(
    "too-many-faults",
    "A file has no more faults than the limit `faults`; further ones are only counted.",
);

/// The folder holds no more files than the limit `files`.
pub const TOO_MANY_FILES: Rule =
    Rule::error("too-many-files", "The folder holds no more files than the limit `files`.");

/// Files have no more subschemas than the limits, each and together.
pub const TOO_MANY_SUBSCHEMAS: Rule = Rule::error(
    "too-many-subschemas",
    "Files have no more subschemas than the limits, each and together.",
);

/// A file's `$schema` is draft 2020-12 or draft 7.
pub const UNKNOWN_DIALECT: Rule =
    Rule::error("unknown-dialect", "A file's `$schema` is draft 2020-12 or draft 7.");

/// A file can be read.
pub const UNREADABLE: Rule = Rule::error("unreadable", "A file can be read.");
