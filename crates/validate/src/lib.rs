//! The one place that configures `jsonschema`: its options, and the bound on what validating may cost.
