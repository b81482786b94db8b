//! Objects: the smallest that the old schema accepts, and those around each member, pair and size that either side names.

use super::*;

impl<'a> Generator<'a> {
    /// What the parts demand of the member `name`.
    fn member(side: Evaluator<'a>, parts: &Parts<'a>, name: &str) -> Vec<&'a Value> {
        parts.iter().flat_map(|part| side.member(part, name)).collect()
    }

    pub(super) fn smallest_object(
        &self,
        shape: &Shape<'a>,
        depth: u32,
    ) -> Option<Map<String, Value>> {
        let mut object = Map::new();
        for part in &shape.parts {
            for name in names(part, "required") {
                self.insert(&mut object, shape, name, depth)?;
            }
        }
        let least = shape.parts.iter().filter_map(|part| length(part, "minProperties")).max();
        self.fill(&mut object, shape, least.unwrap_or(0), depth);
        self.complete(&mut object, shape, depth);
        Some(object)
    }

    fn insert(
        &self,
        object: &mut Map<String, Value>,
        shape: &Shape<'a>,
        name: &str,
        depth: u32,
    ) -> Option<()> {
        if !object.contains_key(name) {
            let demands = Self::member(self.old, &shape.parts, name);
            object.insert(name.to_owned(), self.one(&demands, depth + 1)?);
        }
        Some(())
    }

    /// Adds members until the object has `wanted`, declared ones first.
    fn fill(&self, object: &mut Map<String, Value>, shape: &Shape<'a>, wanted: usize, depth: u32) {
        if object.len() >= wanted || wanted > MOST_MEMBERS {
            return;
        }
        let declared = shape.parts.iter().flat_map(|part| entries(part, "properties"));
        let mut names: Vec<String> = declared.map(|(name, _)| name.clone()).collect();
        names.extend(self.pattern_names(&shape.parts));
        names.extend((0..wanted).map(|index| format!("member{index}")));
        names.extend(('a'..='z').map(String::from));
        for name in names {
            if object.len() >= wanted {
                return;
            }
            let allowed = shape
                .parts
                .iter()
                .filter_map(|part| part.get("propertyNames"))
                .all(|names| self.old.accepts(names, &Value::String(name.clone())));
            if allowed {
                let _ = self.insert(object, shape, &name, depth);
            }
        }
    }

    /// Adds what the members that are there demand.
    fn complete(&self, object: &mut Map<String, Value>, shape: &Shape<'a>, depth: u32) {
        for _ in 0..8 {
            let before = object.len();
            for part in &shape.parts {
                for (name, dependency) in self.old.document.dependencies(part) {
                    if let Dependency::Names(demanded) = dependency
                        && object.contains_key(name)
                    {
                        for name in demanded {
                            let _ = self.insert(object, shape, name, depth);
                        }
                    }
                }
            }
            if object.len() == before {
                return;
            }
        }
    }

    /// Names that the patterns and name schemas of the parts allow.
    fn pattern_names(&self, parts: &Parts<'a>) -> Vec<String> {
        let mut found = Vec::new();
        for part in parts {
            for (pattern, _) in entries(part, "patternProperties").take(32) {
                found.extend(self.old.patterns.samples(pattern, &[]).into_iter().take(8));
            }
            if let Some(names) = part.get("propertyNames") {
                let spoken = self.old.document.hints(&[names], 16);
                let texts = scalars::strings(&spoken, &spoken, self.old.patterns);
                found.extend(texts.into_iter().take(24));
            }
        }
        found
    }

    pub(super) fn objects(
        &self,
        shape: &Shape<'a>,
        around: &Parts<'a>,
        depth: u32,
        budget: usize,
        pool: &mut Vec<Value>,
    ) {
        let Some(base) = self.smallest_object(shape, depth) else { return };
        pool.push(Value::Object(base.clone()));
        if budget < 2 {
            return;
        }
        let both: Vec<_> = shape.parts.iter().chain(around).copied().collect();
        let members: Vec<(String, Vec<&'a Value>, Vec<&'a Value>)> = self
            .spoken_names(&both)
            .into_iter()
            .map(|name| {
                let demands = Self::member(self.old, &shape.parts, &name);
                let hints = Self::member(self.new, around, &name);
                (name, demands, hints)
            })
            .filter(|(_, demands, _)| !demands.contains(&&Value::Bool(false)))
            .collect();
        let changed = members.iter().filter(|(_, d, h)| !self.same(d, h)).count();
        let share = (budget / changed.max(1)).clamp(4, budget);

        let mut full = base.clone();
        for (name, demands, _) in &members {
            let declared = shape
                .parts
                .iter()
                .any(|part| part.get("properties").is_some_and(|all| all.get(name).is_some()));
            if declared && !demands.is_empty() {
                let _ = self.insert(&mut full, shape, name, depth);
            }
        }
        self.complete(&mut full, shape, depth);
        pool.push(Value::Object(full.clone()));

        for (name, demands, hints) in &members {
            self.old.fuel.spend(base.len());
            if self.old.fuel.is_spent() {
                break;
            }
            let values = if self.same(demands, hints) {
                self.one(demands, depth + 1).into_iter().collect()
            } else {
                self.values(demands, hints, depth + 1, share)
            };
            for value in values {
                self.old.fuel.spend(base.len());
                let mut object = base.clone();
                object.insert(name.clone(), value);
                self.complete(&mut object, shape, depth);
                pool.push(Value::Object(object));
            }
        }
        for (name, ..) in members.iter().take(64) {
            if full.contains_key(name) && !base.contains_key(name) {
                let mut object = full.clone();
                object.shift_remove(name);
                pool.push(Value::Object(object));
            }
        }
        if budget >= 24 {
            self.combinations(shape, &both, &base, &members, depth, pool);
        }
    }

    /// Two optional members at once, and objects at the sizes that either schema names.
    fn combinations(
        &self,
        shape: &Shape<'a>,
        both: &Parts<'a>,
        base: &Map<String, Value>,
        members: &[(String, Vec<&'a Value>, Vec<&'a Value>)],
        depth: u32,
        pool: &mut Vec<Value>,
    ) {
        let optional: Vec<&String> = members
            .iter()
            .map(|(name, ..)| name)
            .filter(|name| !base.contains_key(*name))
            .take(10)
            .collect();
        for (at, first) in optional.iter().enumerate() {
            for second in &optional[at + 1..] {
                let mut object = base.clone();
                let _ = self.insert(&mut object, shape, first, depth);
                let _ = self.insert(&mut object, shape, second, depth);
                self.complete(&mut object, shape, depth);
                pool.push(Value::Object(object));
            }
        }
        let mut sizes: Vec<usize> = both
            .iter()
            .flat_map(|part| [length(part, "minProperties"), length(part, "maxProperties")])
            .flatten()
            .flat_map(|limit| [limit.saturating_sub(1), limit, limit.saturating_add(1)])
            .filter(|size| *size <= NAMES)
            .collect();
        sizes.sort_unstable();
        sizes.dedup();
        let sizes = sizes.into_iter().take(12);
        let beyond = arrays::beyond(both, &["minProperties", "maxProperties"], NAMES, MOST_MEMBERS);
        for size in sizes.chain(beyond) {
            self.old.fuel.spend(size);
            let mut object = base.clone();
            self.fill(&mut object, shape, size, depth);
            pool.push(Value::Object(object));
        }
    }

    /// The member names that either side speaks of, and one that neither does.
    fn spoken_names(&self, both: &Parts<'a>) -> Vec<String> {
        let mut found: Vec<String> = Vec::new();
        for part in both {
            found.extend(names(part, "required").into_iter().map(ToOwned::to_owned));
            found.extend(entries(part, "properties").map(|(name, _)| name.clone()));
            for (name, dependency) in self.old.document.dependencies(part) {
                found.push(name.to_owned());
                if let Dependency::Names(names) = dependency {
                    found.extend(names.into_iter().map(ToOwned::to_owned));
                }
            }
        }
        found.truncate(NAMES);
        found.extend(self.pattern_names(both).into_iter().take(128));
        // Literal objects of either side name members, too.
        for part in both.iter().take(32) {
            for literal in scalars::literals(part).take(8).filter_map(Value::as_object) {
                found.extend(literal.keys().take(8).cloned());
            }
        }
        found.extend(["extra".to_owned(), "Extra_2".to_owned()]);
        let mut seen = HashSet::new();
        found.retain(|name| seen.insert(name.clone()));
        found
    }
}
