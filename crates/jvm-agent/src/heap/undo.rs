//! Puts static fields that a test set back before another test runs, so that the VM is as good as new again.
//!
//! Only flags and counters, and the default locales, which cannot change themselves: then it takes no more than to set them, and
//! no object is touched that a thread may be working on. What was null stays set: it may have been set by the initialiser of a
//! class, which does not run again.

use std::collections::BTreeMap;

use surefoot_model::{Difference, StateChange};

use super::camera::Vm;
use super::classes::Classes;
use super::global::Global;
use super::roots::Roots;
use super::snapshot::Primitive;

/// A static field, by the indices of its class and of itself.
type Place = (usize, u32);

/// One call sets all of them.
const LOCALES: [&str; 3] =
    ["Locale.getDefault()", "Locale.getDefault(DISPLAY)", "Locale.getDefault(FORMAT)"];

#[derive(Debug, Default)]
pub(crate) struct Undo {
    /// The address of the test that set them.
    test: String,
    /// What they held before.
    former: BTreeMap<Place, Primitive>,
    /// What the test found.
    locales: Vec<(Place, Option<Global>)>,
    sets_locale: bool,
}

impl Undo {
    /// A test begins that may be another one: is there anything to put back before?
    pub(crate) fn is_due(&self, test: &str) -> bool {
        self.test != test && (self.sets_locale || !self.former.is_empty())
    }

    /// This test is about to run; what it finds may have to be put back.
    pub(crate) fn begin(&mut self, test: &str, roots: &Roots, classes: &Classes, vm: Vm<'_>) {
        if self.test == test {
            return;
        }
        test.clone_into(&mut self.test);
        for (_, former) in self.locales.drain(..) {
            former.into_iter().for_each(|Global(former)| vm.jni.delete_global(former));
        }
        for (place, root) in LOCALES.iter().filter_map(|name| roots.only(name)) {
            let Some(class) = classes.local(vm.jni, place.0) else { continue };
            let held = vm.jni.static_object(class, root.id);
            let former = held.and_then(|held| vm.jni.new_global(held)).map(Global);
            held.into_iter().for_each(|held| vm.jni.delete_local(held));
            vm.jni.delete_local(class);
            self.locales.push((place, former));
        }
    }

    /// What the test has changed, and says which of it will be put back. Of several runs, the first found what is put back.
    pub(crate) fn note(&mut self, change: &mut StateChange, roots: &Roots) {
        for difference in &change.differences {
            if LOCALES.contains(&difference.root.as_str()) && self.locales.len() == LOCALES.len() {
                self.sets_locale = true;
            } else if let Some((place, former)) = former(difference, roots) {
                self.former.entry(place).or_insert(former);
            } else {
                continue;
            }
            change.put_back.push(difference.path.clone());
        }
    }

    pub(crate) fn put_back(&mut self, roots: &Roots, classes: &Classes, vm: Vm<'_>) {
        for (place, former) in std::mem::take(&mut self.former) {
            set(place, Value::Primitive(former), roots, classes, vm);
        }
        if std::mem::take(&mut self.sets_locale) {
            for (place, former) in &self.locales {
                set(*place, Value::Object(*former), roots, classes, vm);
            }
        }
    }
}

enum Value {
    Primitive(Primitive),
    Object(Option<Global>),
}

fn set((index, number): Place, value: Value, roots: &Roots, classes: &Classes, vm: Vm<'_>) {
    let Some(root) = roots.get(index, number) else { return };
    let Some(class) = classes.local(vm.jni, index) else { return };
    match value {
        Value::Primitive(value) => vm.jni.set_static_primitive(class, root.id, value),
        Value::Object(object) => {
            vm.jni.set_static_object(class, root.id, object.map(|Global(object)| object));
        }
    }
    vm.jni.delete_local(class);
}

/// Which field it is and what it held, if that can be put back.
fn former(difference: &Difference, roots: &Roots) -> Option<(Place, Primitive)> {
    let before = difference.before.as_deref().filter(|_| difference.steps == 0)?;
    let (place, root) = roots.only(&difference.root).filter(|(_, root)| !root.is_final())?;
    let kind = Primitive::initial(&root.signature)?;
    Some((place, kind.parse(before)?))
}

impl Primitive {
    /// Of the same type. Texts of characters and fractions are made for people.
    fn parse(self, text: &str) -> Option<Primitive> {
        match self {
            Primitive::Boolean(_) => text.parse().ok().map(Primitive::Boolean),
            Primitive::Byte(_) => text.parse().ok().map(Primitive::Byte),
            Primitive::Short(_) => text.parse().ok().map(Primitive::Short),
            Primitive::Int(_) => text.parse().ok().map(Primitive::Int),
            Primitive::Long(_) => text.parse().ok().map(Primitive::Long),
            Primitive::Char(_) | Primitive::Float(_) | Primitive::Double(_) => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn whole_numbers_and_truth_values_are_read_back() {
        let read = |signature: &str, text: &str| {
            Primitive::initial(signature).and_then(|kind| kind.parse(text))
        };
        assert_eq!(read("Z", "true"), Some(Primitive::Boolean(true)));
        assert_eq!(read("J", "-9223372036854775808"), Some(Primitive::Long(i64::MIN)));
        assert_eq!(read("B", "300"), None);
        assert_eq!(read("D", "1.5"), None);
        assert_eq!(read("I", "null"), None);
    }

    #[test]
    fn what_a_test_sets_is_due_when_another_begins() {
        let mut undo = Undo::default();
        assert!(!undo.is_due("b"));
        undo.test = "a".to_owned();
        undo.former.insert((0, 0), Primitive::Int(7));
        assert!(undo.is_due("b") && !undo.is_due("a"));
    }
}
