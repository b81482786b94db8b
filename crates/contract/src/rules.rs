//! The table of rules: what each id means. Every diagnostic of this crate carries one of these ids, and a test holds the
//! table against the sources.

use crate::diagnostic::Severity;

/// A rule that a folder of contracts must keep.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Rule {
    /// The stable id, in kebab case.
    pub id: &'static str,
    /// How bad a breach is.
    pub severity: Severity,
    /// What is asked, in one sentence.
    pub summary: &'static str,
}

const fn error(id: &'static str, summary: &'static str) -> Rule {
    Rule { id, severity: Severity::Error, summary }
}

const fn warning(id: &'static str, summary: &'static str) -> Rule {
    Rule { id, severity: Severity::Warning, summary }
}

/// Every rule of loading, by id. `toolcast-review` adds those that need a validator.
pub const RULES: &[Rule] = &[
    error(
        "anchor-used-twice",
        "An anchor's name is unique in its schema resource (2020-12 §8.2.2).",
    ),
    error("default-mismatch", "A `default` fits the schema that it stands in."),
    error("duplicate-key", "An object names each of its members once."),
    error("file-clash", "No two paths differ only in case: some file systems hold them for one."),
    error("id-used-twice", "An `$id` is unique in the folder."),
    error("invalid-json", "A file is one JSON value, as RFC 8259 has it."),
    error("keyword-shape", "Each keyword has the kind of value that 2020-12 gives it."),
    warning(
        "later-keyword",
        "A draft 7 file uses no keyword of a later draft: that draft ignores it.",
    ),
    warning("misplaced-x-tool", "`x-tool` stands at the root of a contract and nowhere else."),
    error("missing-description", "A contract has a root `description`: it is what a model reads."),
    error(
        "name-characters",
        "A tool's name takes A-Z, a-z, 0-9, `_` and `-`, as every provider does.",
    ),
    error("name-empty", "A tool has a name."),
    error("name-too-long", "A tool's name has at most 64 characters, as every provider asks."),
    error("name-used-twice", "A tool's name is unique in the folder, sub-folders included."),
    error("no-folder", "The schemas folder is there."),
    warning("not-read", "No file in the folder looks like a contract but for its ending."),
    error("not-utf8", "A file is UTF-8, without a byte order mark."),
    error("number-range", "A number fits a 64-bit float."),
    warning(
        "old-spelling",
        "A file that does not declare draft 7 uses no spelling of older drafts; they are upgraded.",
    ),
    error("path-not-utf8", "A file's name is UTF-8: tools and Rust modules are named after it."),
    error(
        "pattern-syntax",
        "A `pattern`, and each name in `patternProperties`, is a regular expression that the run time can read.",
    ),
    error("ref-dangling", "A reference leads to something that is there."),
    error("ref-escape", "The escapes of a reference (`%`, `~`) are well formed."),
    error("ref-leaves-folder", "A reference stays in the schemas folder."),
    error("ref-loop", "A reference does not lead back to itself with nothing in between."),
    error(
        "ref-network",
        "A reference names no network address, unless a file here claims it by `$id`.",
    ),
    error("ref-not-schema", "A reference leads to a schema."),
    error(
        "root-not-object",
        "A contract is a schema whose root `type` is `object` (MCP asks for it).",
    ),
    error("symlink", "A symbolic link leads to a file in the schemas folder."),
    error("too-deep", "A file is nested no deeper than the limit `depth`."),
    error("too-large", "Files and bundled contracts are no larger than their limits."),
    error(
        "too-many-faults",
        "A file has no more faults than the limit `faults`; further ones are only counted.",
    ),
    error("too-many-files", "The folder holds no more files than the limit `files`."),
    error(
        "too-many-subschemas",
        "Files have no more subschemas than the limits, each and together.",
    ),
    error("unknown-dialect", "A file's `$schema` is draft 2020-12 or draft 7."),
    warning("unknown-format", "A `format` is one of JSON Schema's or a widely used one."),
    warning("unknown-keyword", "A keyword is not a slip of a known one."),
    error("unknown-x-tool", "`x-tool` has no members but the known ones."),
    error("unreadable", "A file can be read."),
    error("x-tool-shape", "Each member of `x-tool` has the kind of value that it asks for."),
];
