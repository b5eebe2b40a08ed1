//! Whether anything changed in what modules and classes hold, those of libraries included, and in all that these lead to.
//!
//! That tells which tests may end otherwise when they run again. It is no pollution: libraries fill in data of their own all the time,
//! and where an iterator of the project's is at is nothing to report.

use std::sync::Arc;

use rustc_hash::{FxHashMap, FxHashSet};
use surefoot_state::Label;

use crate::api::Object;
use crate::known::Known;
use crate::marks::{Explorer, Marks};
use crate::outline::{Outline, top};
use crate::walk::Memory;

/// More changes are not named.
const MOST: usize = 10;

/// Modules whose state is looked at in another way, or belongs to whoever runs the tests.
const LEFT_OUT: &[&str] = &[
    "__main__",
    "_frozen_importlib",
    "_frozen_importlib_external",
    "importlib",
    "logging",
    "unittest",
    "zipimport",
];

/// A module by its name, with the address of its dict.
type Key = (Label, usize);

#[derive(Debug, Default)]
pub(crate) struct Libraries {
    /// The modules that there were.
    modules: Arc<[(Label, usize)]>,
    marks: FxHashMap<Key, Marks>,
    /// All that any of them leads to.
    reached: FxHashSet<usize>,
}

impl Libraries {
    /// What changed since the last look, by the names of attributes of modules. The outline has just been brought up to date.
    pub(crate) fn look(
        &mut self,
        known: &Known,
        memory: &mut Memory,
        outline: &Outline,
    ) -> Vec<String> {
        let all: Vec<(Label, Object<'_>)> =
            outline.of_all().filter(|(name, _)| !is_left_out(memory.names.text(*name))).collect();
        let modules = outline.modules();
        if !Arc::ptr_eq(&modules, &self.modules) {
            let there: FxHashSet<Key> =
                all.iter().map(|(name, dict)| (*name, dict.address())).collect();
            self.keep(|key| there.contains(key));
            self.modules = modules;
        }
        let mut changed = Vec::new();
        let mut again = FxHashSet::default();
        for (name, dict) in &all {
            let key = (*name, dict.address());
            let Some(marks) = self.marks.get_mut(&key) else { continue };
            if let Some(change) = marks.changed(known, memory) {
                let module = memory.names.text(*name);
                changed.push(match change.0 {
                    Some(attribute) => format!("{module}.{}", memory.names.text(attribute)),
                    None => module.to_owned(),
                });
                again.insert(key);
            }
        }
        self.keep(|key| !again.contains(key));
        self.explore(&all, known, memory, outline);
        changed.truncate(MOST);
        changed
    }

    /// Takes in what there are no marks of.
    fn explore(
        &mut self,
        all: &[(Label, Object<'_>)],
        known: &Known,
        memory: &mut Memory,
        outline: &Outline,
    ) {
        let is_elsewhere = |module: &str| is_left_out(module) || !outline.has(module);
        for (name, dict) in all {
            let key = (*name, dict.address());
            if self.marks.contains_key(&key) {
                continue;
            }
            let (reached, is_elsewhere) = (&mut self.reached, &is_elsewhere);
            let mut explorer = Explorer { known, memory, reached, is_elsewhere };
            self.marks.insert(key, Marks::of(*dict, &mut explorer));
        }
    }

    /// Forgets the others, with all that they lead to.
    fn keep(&mut self, is_kept: impl Fn(&Key) -> bool) {
        let reached = &mut self.reached;
        self.marks.retain(|key, marks| {
            let is_kept = is_kept(key);
            if !is_kept {
                marks.reached().iter().for_each(|address| {
                    reached.remove(address);
                });
            }
            is_kept
        });
    }
}

fn is_left_out(module: &str) -> bool {
    LEFT_OUT.contains(&top(module)) || LEFT_OUT.contains(&module)
}
