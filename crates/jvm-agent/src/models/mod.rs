//! The models: which methods of the JDK leave an order open, and how they are made to ask for one.
//!
//! Each model is a file here, with the sentence of the specification that allows it, and a class in `java/models` that does
//! the work. docs/models.md is their table. What a model needs of a class is looked at in the very class of the running VM; a
//! model whose classes look otherwise is left out as a whole, and that is told.

mod annotations;
mod concurrent_hash_map;
mod declared;
mod directory;
mod files;
mod hash_map;
mod hashtable;
mod identity_hash_map;
mod immutable;
mod locales;
mod look;
mod priority_blocking_queue;
mod priority_queue;
mod reflection;
mod weak_hash_map;
mod weaver;
mod zone_strings;

use std::borrow::Cow;

use surefoot_classfile::Argument;
use surefoot_model::ChoiceKind;

use look::Look;

pub(crate) use declared::{is_declared, woven};
pub(crate) use weaver::{declare, rewrite, weave};

/// By their numbers, which woven code passes on.
static MODELS: &[&Model] = &[
    &hash_map::MODEL,
    &concurrent_hash_map::MODEL,
    &hashtable::MODEL,
    &weak_hash_map::MODEL,
    &identity_hash_map::MODEL,
    &immutable::MODEL,
    &priority_queue::MODEL,
    &priority_blocking_queue::MODEL,
    &reflection::MODEL,
    &annotations::MODEL,
    &locales::MODEL,
    &zone_strings::MODEL,
    &files::MODEL,
    &directory::MODEL,
];

/// The classes that do the work, each after those that it needs to be defined.
const HELPERS: &[&str] = &[
    "java/util/SurefootMemory$Entry",
    "java/util/SurefootMemory",
    "java/util/SurefootOften",
    "java/util/SurefootChoices",
    "java/util/SurefootSource",
    "java/util/SurefootIterator",
    "java/util/SurefootSpliterator",
    "java/util/SurefootArrays",
    "java/util/SurefootDeclared",
    "java/util/SurefootWalk",
    "java/util/SurefootIdentityHashMap$Entry",
    "java/util/SurefootIdentityHashMap",
    "java/util/SurefootDirectory",
    "java/util/SurefootHashMap",
    "java/util/SurefootImmutable",
    "java/util/SurefootPriorityQueue",
    "java/util/concurrent/SurefootConcurrentHashMap",
    "java/util/SurefootLooks",
];

#[derive(Debug)]
struct Model {
    /// What people know it by.
    name: &'static str,
    kind: ChoiceKind,
    /// What it shows lies outside the VM: objects that show the same are the same thing.
    by_content: bool,
    classes: &'static [Woven],
}

/// A class of the JDK that a model changes, or only looks into.
#[derive(Debug)]
struct Woven {
    class: &'static str,
    /// Older JDKs do not have it.
    optional: bool,
    /// What the model reads: it must be there, of this type.
    fields: &'static [(&'static str, &'static str)],
    /// What the model calls: it must be there.
    calls: &'static [(&'static str, &'static str)],
    /// The ways to look at its elements that the class has methods for.
    looks: &'static [Look],
    /// What these show, and which view of it.
    of: Passed,
    view: i16,
    /// Methods of the model's own by which the class shows elements.
    methods: &'static [Method],
    /// Public methods that show no order, or go by way of those above. One that is neither here nor there is a way of looking
    /// that the model does not know: it might show another order. Empty if the class has too many to list.
    others: &'static [&'static str],
}

impl Woven {
    /// What most classes do not have.
    const ONLY_READ: Woven = Woven {
        class: "",
        optional: false,
        fields: &[],
        calls: &[],
        looks: &[],
        of: Passed::This,
        view: look::KEYS,
        methods: &[],
        others: &[],
    };

    /// All that is changed.
    fn methods(&self) -> Vec<Method> {
        self.looks.iter().map(|look| look.method()).chain(self.methods.iter().copied()).collect()
    }
}

#[derive(Debug, Clone, Copy)]
struct Method {
    name: &'static str,
    descriptor: &'static str,
    weaving: Weaving,
    helper: &'static str,
    helper_method: &'static str,
    helper_descriptor: &'static str,
    passed: &'static [Passed],
    /// Else, where it is missing, what the class inherits goes by way of its other methods.
    required: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Weaving {
    /// The helper is called before anything else happens.
    Before,
    /// The helper makes what is returned of what would be.
    Returned,
    /// The helper does all of it, or says that it did not.
    Substitute,
    /// The helper says whether another one of its methods makes what is returned.
    Alternative { value: &'static str, descriptor: &'static str },
}

/// What a helper gets.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Passed {
    This,
    /// The method's only parameter.
    Parameter,
    Field(&'static str, &'static str),
    /// The number of the model.
    Model,
    Number(i16),
    /// What the class's looks show, and which view of it.
    Of,
    View,
}

impl Passed {
    fn argument(self, woven: &Woven, model: i16) -> Argument {
        match self {
            Passed::Of => woven.of.argument(woven, model),
            Passed::View => Argument::Int(woven.view),
            Passed::This => Argument::Local(0),
            Passed::Parameter => Argument::Local(1),
            Passed::Field(name, descriptor) => Argument::Field { name, descriptor },
            Passed::Model => Argument::Int(model),
            Passed::Number(number) => Argument::Int(number),
        }
    }
}

/// What a choice is of.
#[derive(Debug, Clone)]
pub(crate) struct Asked {
    pub(crate) name: Cow<'static, str>,
    pub(crate) kind: ChoiceKind,
    /// Only what it shows tells things apart.
    pub(crate) by_content: bool,
}

/// The model, or the method that was declared, with this number.
pub(crate) fn find(number: usize) -> Option<Asked> {
    if let Some(model) = MODELS.get(number) {
        let Model { name, kind, by_content, .. } = **model;
        return Some(Asked { name: Cow::Borrowed(name), kind, by_content });
    }
    let declared = declared::find(number)?;
    Some(Asked { name: Cow::Owned(declared.name), kind: declared.kind, by_content: false })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bundle;

    #[test]
    fn every_helper_is_carried_and_every_class_that_is_carried_is_defined() {
        for helper in HELPERS {
            assert!(bundle::class(helper).is_some(), "{helper}");
        }
        let carried = bundle::names().filter(|name| name.starts_with("java/util/"));
        let models =
            carried.filter(|name| ![bundle::PROBE, bundle::LOADER, bundle::RECALL].contains(name));
        for name in models.filter(|name| !name.contains("SurefootProbe$")) {
            assert!(HELPERS.contains(&name), "{name}");
        }
    }

    #[test]
    fn the_models_are_those_that_everybody_knows() {
        let names: Vec<&str> = MODELS.iter().map(|model| model.name).collect();
        // Those of Python come after them.
        let known = surefoot_model::choice::MODELS;
        assert_eq!(names, known[..names.len()]);
        assert!(known[names.len()..].iter().all(|name| !name.starts_with("java.")), "{known:?}");
    }

    #[test]
    fn names_are_documented() {
        let table = include_str!("../../../../docs/models.md");
        for model in MODELS {
            assert!(table.contains(&format!("`{}`", model.name)), "{}", model.name);
        }
    }
}
