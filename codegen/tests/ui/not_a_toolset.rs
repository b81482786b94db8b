//! A provider that returns no tools.

use toolcast::Toolset;

fn main() {
    let _ = Toolset::provider(|_| "tools");
}
