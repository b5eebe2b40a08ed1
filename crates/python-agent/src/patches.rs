//! Functions and classes of libraries that were replaced: attributes of modules that are not the project's, and of classes that
//! the project imports.
//!
//! Libraries fill in data of their own all the time; but who replaces a function of somebody else's module has patched it.

use std::collections::{HashMap, HashSet};

use surefoot_model::{Access, Difference, DifferenceKind};
use surefoot_state::Label;

use crate::api::{Object, TYPE};
use crate::known::Known;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum What {
    Function,
    Builtin,
    Class,
}

impl What {
    fn word(self) -> &'static str {
        match self {
            What::Function => "function",
            What::Builtin => "builtin function",
            What::Class => "class",
        }
    }
}

/// An attribute: the addresses of its name and its value, and what it is.
type Entry = (usize, usize, What);

/// The code that modules and classes hold.
#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) struct Patches {
    entries: Vec<Entry>,
    /// With where their entries begin.
    owners: Vec<(Label, usize)>,
    classes: HashSet<Label>,
}

impl Patches {
    /// Takes in what a module holds.
    pub(crate) fn look_at_module(&mut self, owner: Label, dict: Object<'_>, known: &Known) {
        self.owners.push((owner, self.entries.len()));
        for (key, value) in dict.entries() {
            if let Some(what) = what(value, known) {
                self.entries.push((key.address(), value.address(), what));
            }
        }
    }

    /// The same for a class, which several modules may name.
    pub(crate) fn look_at_class(&mut self, owner: Label, dict: Object<'_>, known: &Known) {
        if self.classes.insert(owner) {
            self.look_at_module(owner, dict, known);
        }
    }

    fn of(&self, number: usize) -> &[Entry] {
        let end = self.owners.get(number + 1).map_or(self.entries.len(), |(_, start)| *start);
        &self.entries[self.owners[number].1..end]
    }

    /// Attributes that were code before and are something else now. `dict` gives what an owner holds now, and its name.
    pub(crate) fn since<'a>(
        &self,
        before: &Patches,
        dict: impl Fn(Label) -> Option<(String, Object<'a>)>,
        shown: impl Fn(Object<'a>) -> String,
    ) -> Vec<Difference> {
        let mut differences = Vec::new();
        let numbers: HashMap<Label, usize> =
            before.owners.iter().enumerate().map(|(at, (owner, _))| (*owner, at)).collect();
        for (number, (owner, _)) in self.owners.iter().enumerate() {
            let Some(old) = numbers.get(owner).map(|number| before.of(*number)) else { continue };
            if old == self.of(number) {
                continue;
            }
            let Some((name, dict)) = dict(*owner) else { continue };
            let known: HashMap<usize, (usize, What)> =
                old.iter().map(|(key, value, what)| (*key, (*value, *what))).collect();
            for (key, value) in dict.entries() {
                let Some((was, what)) = known.get(&key.address()) else { continue };
                if *was != value.address()
                    && let Some(key) = key.text()
                {
                    differences.push(patched(&format!("{name}.{key}"), *what, shown(value)));
                }
            }
        }
        differences
    }
}

fn patched(path: &str, was: What, after: String) -> Difference {
    Difference {
        root: path.to_owned(),
        path: path.to_owned(),
        steps: 0,
        field: None,
        access: Access::Public,
        kind: DifferenceKind::Value,
        before: Some(was.word().to_owned()),
        after: Some(after),
    }
}

fn what(value: Object<'_>, known: &Known) -> Option<What> {
    let class = value.type_of();
    if class == known.function.get() {
        Some(What::Function)
    } else if class == known.builtin.get() {
        Some(What::Builtin)
    } else {
        (value.flags() & TYPE != 0).then_some(What::Class)
    }
}
