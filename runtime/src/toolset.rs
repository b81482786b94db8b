//! Tools declared once for an application.

use crate::Tool;

/// Declared tools, of application lifetime.
#[derive(Clone, Default)]
pub struct Toolset {
    #[allow(dead_code, reason = "binding tools to a run comes next")]
    tools: Vec<Tool>,
}

impl Toolset {
    /// Declares tools. Generated code calls this.
    pub fn of(tools: impl IntoIterator<Item = Tool>) -> Self {
        Self { tools: tools.into_iter().collect() }
    }
}
