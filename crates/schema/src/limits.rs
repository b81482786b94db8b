//! How much a folder of contracts may hold. Every bound that is met is a diagnostic of its own that names it.

/// Bounds on what is read and made. The defaults stand beside each field.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// Levels of objects and arrays in one file: 100. (serde_json reads 128 back, and bundling adds two.) Values above
    /// 512 count as 512.
    pub depth: usize,
    /// Bytes of one file: 4 MiB.
    pub file_bytes: usize,
    /// Bytes of all files together: 256 MiB.
    pub total_bytes: usize,
    /// Number of files, of whatever kind, in the folder: 20,000.
    pub files: usize,
    /// Subschemas of one file: 50,000.
    pub subschemas: usize,
    /// Subschemas of all files together: 400,000.
    pub total_subschemas: usize,
    /// Bytes of the JSON pointers of one file's subschemas, and of one bundled contract's: 16 MiB. It bounds long names
    /// that are nested deep.
    pub pointers: usize,
    /// Faults told of one file: 500.
    pub faults: usize,
    /// Subschemas of one contract once what it refers to is bundled: 100,000.
    pub bundled_subschemas: usize,
    /// Bytes of one bundled contract, as JSON text: 8 MiB.
    pub bundled_bytes: usize,
    /// Bytes of all bundled contracts together: 512 MiB.
    pub total_bundled_bytes: usize,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            depth: 100,
            file_bytes: 4 << 20,
            total_bytes: 256 << 20,
            files: 20_000,
            subschemas: 50_000,
            total_subschemas: 400_000,
            pointers: 16 << 20,
            faults: 500,
            bundled_subschemas: 100_000,
            bundled_bytes: 8 << 20,
            total_bundled_bytes: 512 << 20,
        }
    }
}
