//! Whether anything changed in what modules and classes hold, those of libraries included, and in all that these lead to.
//!
//! That tells which tests may end otherwise when they run again. It is no pollution: libraries fill in data of their own all the time,
//! and where an iterator of the project's is at is nothing to report. And where nothing of the project changed, there is nothing to
//! walk through once more.

use std::sync::Arc;

use rustc_hash::{FxHashMap, FxHashSet};
use surefoot_state::Label;

use crate::api::Object;
use crate::forms::Form;
use crate::known::Known;
use crate::marks::{Explorer, Marks};
use crate::outline::{Outline, top};
use crate::reached::Reached;
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

/// Where marks begin: a dict, by the name of what it belongs to.
type Beginning<'a> = (Label, Object<'a>, Form);

#[derive(Debug, Default)]
pub(crate) struct Libraries {
    /// The modules that there were.
    modules: Arc<[(Label, usize)]>,
    /// Of what belonged to the project.
    home: u64,
    /// By their names.
    left_out: FxHashMap<Label, bool>,
    /// How many roots were not looked into.
    unread: usize,
    /// Of the project, with the values of fixtures.
    own: Group,
    others: Group,
}

/// Marks that share what they reach: the first of them has it.
#[derive(Debug, Default)]
struct Group {
    marks: FxHashMap<Key, Marks>,
    /// All that any of them leads to.
    reached: Reached,
    /// What those led to that were forgotten since.
    left: Vec<usize>,
}

/// What a look showed.
#[derive(Debug, Default)]
pub(crate) struct Looked {
    /// What changed, by the names of attributes of modules.
    pub(crate) changed: Vec<String>,
    pub(crate) project: Since,
}

/// What may have changed in what the project leads to, since the last look.
#[derive(Debug, Default)]
pub(crate) enum Since {
    /// The project has all that it had, and nothing of it changed.
    Nothing,
    /// What modules led to of which something changed, by address.
    Objects(Vec<usize>),
    /// Nobody can tell.
    #[default]
    Anything,
}

impl Libraries {
    /// What changed since the last look. The outline has just been brought up to date.
    pub(crate) fn look(
        &mut self,
        known: &Known,
        memory: &mut Memory,
        outline: &Outline,
        fixtures: Option<Object<'_>>,
    ) -> Looked {
        let mut own: Vec<Beginning<'_>> = Vec::new();
        let mut others: Vec<Beginning<'_>> = Vec::new();
        for (name, dict, of_project) in outline.of_all() {
            let left_out = || is_left_out(memory.names.text(name));
            if of_project {
                own.push((name, dict, Form::Module));
            } else if !*self.left_out.entry(name).or_insert_with(left_out) {
                others.push((name, dict, Form::Library));
            }
        }
        let of_fixtures = memory.names.label("fixture");
        own.extend(fixtures.map(|values| (of_fixtures, values, Form::Dict)));
        let modules = outline.modules();
        if !Arc::ptr_eq(&modules, &self.modules) {
            self.own = Group::default();
            let there: FxHashSet<Key> = others.iter().map(key).collect();
            self.others.keep(|key| there.contains(key));
            self.modules = modules;
        }
        if self.unread != memory.unread.len() {
            self.own = Group::default();
            self.unread = memory.unread.len();
        }
        let is_known = !self.own.marks.is_empty()
            && self.own.is_complete()
            && self.home == outline.homes()
            && own.iter().all(|beginning| self.own.marks.contains_key(&key(beginning)));
        self.home = outline.homes();
        let mut changed = self.own.look(&own, known, memory);
        let of_project = &outline.home().modules;
        let is_elsewhere = |module: &str| !of_project.contains(module);
        let left = std::mem::take(&mut self.own.left);
        self.own.explore(&own, known, memory, &is_elsewhere);
        // What one of them does not lead to any more may still be what another leads to.
        if self.own.reached.lacks_any_of(&left) {
            self.own = Group::default();
            self.own.explore(&own, known, memory, &is_elsewhere);
        }
        let project = match is_known {
            true if changed.is_empty() => Since::Nothing,
            true => Since::Objects(left),
            false => Since::Anything,
        };
        changed.extend(self.others.look(&others, known, memory));
        self.others.left.clear();
        let is_elsewhere = |module: &str| is_left_out(module) || !outline.has_library(module);
        self.others.explore(&others, known, memory, &is_elsewhere);
        changed.truncate(MOST);
        Looked { changed, project }
    }
}

impl Group {
    /// Names what changed, and forgets it.
    fn look(&mut self, all: &[Beginning<'_>], known: &Known, memory: &mut Memory) -> Vec<String> {
        let mut changed = Vec::new();
        let mut again = FxHashSet::default();
        for (at, beginning) in all.iter().enumerate() {
            // Most modules have few.
            if let Some(later) = all.get(at + 1).and_then(|later| self.marks.get(&key(later))) {
                later.ask_ahead();
            }
            let Some(marks) = self.marks.get_mut(&key(beginning)) else { continue };
            if let Some(change) = marks.changed(known, memory) {
                let module = memory.names.text(beginning.0);
                changed.push(match change.0 {
                    Some(attribute) => format!("{module}.{}", memory.names.text(attribute)),
                    None => module.to_owned(),
                });
                again.insert(key(beginning));
            }
        }
        self.keep(|key| !again.contains(key));
        changed
    }

    fn is_complete(&self) -> bool {
        self.marks.values().all(Marks::are_complete)
    }

    /// Takes in what there are no marks of.
    fn explore(
        &mut self,
        all: &[Beginning<'_>],
        known: &Known,
        memory: &mut Memory,
        is_elsewhere: &dyn Fn(&str) -> bool,
    ) {
        for beginning in all {
            if !self.marks.contains_key(&key(beginning)) {
                let reached = &mut self.reached;
                let of_project = beginning.2 != Form::Library;
                let unread = unread_of(beginning.0, memory);
                let mut explorer =
                    Explorer { known, memory, of_project, reached, is_elsewhere, unread };
                let marks = Marks::of(beginning.1, beginning.2, &mut explorer);
                self.marks.insert(key(beginning), marks);
            }
        }
    }

    /// Forgets the others, with all that they lead to.
    fn keep(&mut self, is_kept: impl Fn(&Key) -> bool) {
        let Group { marks, reached, left, .. } = self;
        marks.retain(|key, marks| {
            let is_kept = is_kept(key);
            if !is_kept {
                reached.forget(marks.reached());
                left.extend(marks.reached());
            }
            is_kept
        });
    }
}

/// The attributes of a module that lead to too much.
fn unread_of(module: Label, memory: &mut Memory) -> Vec<Label> {
    let module = format!("{}.", memory.names.text(module));
    let roots = memory.unread.iter().map(|root| memory.names.text(*root));
    let attributes: Vec<String> =
        roots.filter_map(|root| root.strip_prefix(&module)).map(str::to_owned).collect();
    attributes.iter().map(|attribute| memory.names.label(attribute)).collect()
}

fn key((name, dict, _): &Beginning<'_>) -> Key {
    (*name, dict.address())
}

fn is_left_out(module: &str) -> bool {
    LEFT_OUT.contains(&top(module)) || LEFT_OUT.contains(&module)
}
