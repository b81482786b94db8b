//! Definitions of a bundle that were written inside another schema of it. A reference into the middle of a definition
//! becomes a definition of its own when schemas are bundled; here both are found to be one place, and so one type.

use super::escape;
use serde_json::Value;
use std::collections::{BTreeMap, HashMap, HashSet};
use toolcast_contract::{Catalog, Contract, Part};

/// Where definitions of one bundled schema stand a second time.
#[derive(Debug, Default)]
pub(crate) struct Aliases {
    /// Pointer of a definition, and that of the same schema inside another.
    inside: HashMap<String, String>,
    targets: HashSet<String>,
}

impl Aliases {
    /// Those of a contract's input and output schema.
    pub(crate) fn of(catalog: &Catalog, contract: &Contract) -> [Self; 2] {
        let output = contract.output.as_ref();
        [(Part::Input, Some(&contract.input)), (Part::Output, output)].map(|(part, root)| {
            root.map(|root| Self::within(catalog, contract, part, root)).unwrap_or_default()
        })
    }

    fn within(catalog: &Catalog, contract: &Contract, part: Part, root: &Value) -> Self {
        let Some(Value::Object(definitions)) = root.get("$defs") else { return Self::default() };
        // Pointers in the contract's own file, and where the bundle has them.
        let mut written: BTreeMap<String, String> = BTreeMap::new();
        let names = definitions.keys().map(|name| format!("/$defs/{}", escape(name)));
        for here in names.chain([String::new()]) {
            if let Some((file, pointer)) = catalog.written(contract, part, &here)
                && file == contract.source
            {
                written.insert(pointer, here);
            }
        }
        let mut aliases = Self::default();
        for (pointer, here) in written.iter().filter(|(_, here)| !here.is_empty()) {
            // Outermost first: that is where a reader finds it.
            for (at, _) in pointer.match_indices('/') {
                let Some(outer) = written.get(&pointer[..at]) else { continue };
                let inside = format!("{outer}{}", &pointer[at..]);
                if inside != *here
                    && root.pointer(&inside).is_some_and(|same| Some(same) == root.pointer(here))
                {
                    aliases.targets.insert(inside.clone());
                    aliases.inside.insert(here.clone(), inside);
                    break;
                }
            }
        }
        aliases
    }

    /// Where a definition stands inside another schema.
    pub(super) fn inside(&self, definition: &str) -> Option<&String> {
        self.inside.get(definition)
    }

    /// Whether a reference leads to this place inside another schema.
    pub(crate) fn leads_to(&self, pointer: &str) -> bool {
        self.targets.contains(pointer)
    }
}
