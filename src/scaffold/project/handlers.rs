//! What answers the tools: one file a tool.

mod greet;

/// Holds what the tools need: a database, a client, a configuration.
pub struct Tools;
