//! Functions and classes of libraries that were replaced: attributes of modules that are not the project's, and of classes that
//! the project imports.
//!
//! Libraries fill in data of their own all the time; but who replaces a function of somebody else's module has patched it.

use std::collections::HashMap;
use std::sync::Arc;

use surefoot_model::{Access, Difference, DifferenceKind};
use surefoot_state::Label;

use crate::api::{Object, TYPE};
use crate::known::Known;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum What {
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
pub(crate) type Entry = (usize, usize, What);

/// What one dict holds of it.
pub(crate) type Code = Arc<[Entry]>;

/// The code that modules and classes hold.
#[derive(Debug, Default)]
pub(crate) struct Patches {
    pub(crate) owners: Arc<[(Label, Code)]>,
}

impl Patches {
    /// Nearly always both have the very lists that the outline read once.
    pub(crate) fn are_the_same_as(&self, other: &Patches) -> bool {
        if Arc::ptr_eq(&self.owners, &other.owners) {
            return true;
        }
        let are_the_same = |one: &(Label, Code), other: &(Label, Code)| {
            one.0 == other.0 && (Arc::ptr_eq(&one.1, &other.1) || one.1 == other.1)
        };
        self.owners.len() == other.owners.len()
            && self
                .owners
                .iter()
                .zip(other.owners.iter())
                .all(|(one, other)| are_the_same(one, other))
    }

    /// Attributes that were code before and are something else now. `dict` gives what an owner holds now, and its name.
    pub(crate) fn since<'a>(
        &self,
        before: &Patches,
        dict: impl Fn(Label) -> Option<(String, Object<'a>)>,
        shown: impl Fn(Object<'a>) -> String,
    ) -> Vec<Difference> {
        let mut differences = Vec::new();
        let was: HashMap<Label, &Code> =
            before.owners.iter().map(|(owner, code)| (*owner, code)).collect();
        for (owner, code) in self.owners.iter() {
            let Some(old) = was.get(owner).copied() else { continue };
            if old == code {
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

pub(crate) fn code_in(dict: Object<'_>, known: &Known) -> Code {
    let code = dict.entries().filter_map(|(key, value)| {
        what(value, known).map(|what| (key.address(), value.address(), what))
    });
    code.collect()
}

fn patched(path: &str, was: What, after: String) -> Difference {
    Difference {
        root: path.to_owned(),
        path: path.to_owned(),
        steps: 0,
        field: None,
        through: Vec::new(),
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
