//! Puts what some roots lead to back to what it was before the first test.
//!
//! That tells which of the things that a test changes make it fail when it runs again: with that one put back, it passes.
//! Objects stay the ones that they are; their fields and elements get their former values. What is held for that is held until
//! the VM ends: a worker that keeps something serves one experiment.

use std::collections::{BTreeSet, HashMap, HashSet};

use jvmti_bindings::sys::jni::{jclass, jobject};

use super::camera::Vm;
use super::classes::Classes;
use super::fields::FieldId;
use super::global::Global;
use super::roots::{Root, Roots};
use super::snapshot::{Primitive, Thing};
use super::treatment::Treatment;

/// More objects below one root are not remembered, and it is not put back: each costs a reference that the VM must keep.
const MOST_OBJECTS: usize = 500_000;

#[derive(Debug)]
pub(crate) struct Keeper {
    /// Names of roots.
    wanted: BTreeSet<String>,
    /// By class and field. None for one that is too large.
    kept: HashMap<(usize, u32), Option<Kept>>,
}

/// What one root led to.
#[derive(Debug)]
struct Kept {
    /// None if the field is final.
    value: Option<Value>,
    objects: Vec<Remembered>,
}

#[derive(Debug)]
struct Remembered {
    object: Global,
    content: Content,
}

#[derive(Debug)]
enum Content {
    Fields(Vec<(FieldId, Value)>),
    Elements(Vec<Option<Global>>),
    Bytes(Vec<u8>),
}

#[derive(Debug, Clone, Copy)]
enum Value {
    Primitive(Primitive),
    Reference(Option<Global>),
}

impl Keeper {
    /// None if nothing is wanted.
    pub(crate) fn new(wanted: &[String]) -> Option<Keeper> {
        let wanted: BTreeSet<String> = wanted.iter().cloned().collect();
        (!wanted.is_empty()).then(|| Keeper { wanted, kept: HashMap::new() })
    }

    /// The roots of a class as they are now, unless they are remembered already.
    pub(crate) fn remember(
        &mut self,
        index: usize,
        class: jclass,
        roots: &Roots,
        classes: &mut Classes,
        vm: Vm<'_>,
    ) {
        for (number, root) in roots.of(index) {
            if !self.wants(root) || self.kept.contains_key(&(index, number)) {
                continue;
            }
            let mut walk = Walk { own: index, classes, vm, seen: HashSet::new(), open: Vec::new() };
            self.kept.insert((index, number), walk.keep(class, root));
        }
    }

    /// The roots of a class that has no initialiser, as they were before anybody used it.
    pub(crate) fn remember_unset(&mut self, index: usize, roots: &Roots) {
        for (number, root) in roots.of(index).filter(|(_, root)| !root.is_final()) {
            if self.wants(root) {
                let value = match Primitive::initial(&root.signature) {
                    Some(initial) => Value::Primitive(initial),
                    None => Value::Reference(None),
                };
                let kept = Kept { value: Some(value), objects: Vec::new() };
                self.kept.entry((index, number)).or_insert(Some(kept));
            }
        }
    }

    pub(crate) fn put_back(&self, roots: &Roots, classes: &Classes, vm: Vm<'_>) {
        // In no order that matters: nobody runs meanwhile who could see half of it.
        let mut places: Vec<&(usize, u32)> = self.kept.keys().collect();
        places.sort();
        for place in places {
            let (index, number) = *place;
            let (Some(Some(kept)), Some(root)) = (self.kept.get(place), roots.get(index, number))
            else {
                continue;
            };
            let Some(class) = classes.local(vm.jni, index) else { continue };
            match kept.value {
                Some(Value::Primitive(value)) => vm.jni.set_static_primitive(class, root.id, value),
                Some(Value::Reference(to)) => {
                    vm.jni.set_static_object(class, root.id, to.map(|Global(object)| object));
                }
                None => {}
            }
            vm.jni.delete_local(class);
            kept.objects.iter().for_each(|object| object.put_back(vm));
        }
    }

    fn wants(&self, root: &Root) -> bool {
        // As it is reported: one call sets all three locales.
        let name = root.name.replace("(DISPLAY)", "()").replace("(FORMAT)", "()");
        self.wanted.contains(&name)
    }
}

impl Remembered {
    fn put_back(&self, vm: Vm<'_>) {
        let Global(object) = self.object;
        match &self.content {
            Content::Fields(fields) => {
                for (field, value) in fields {
                    match *value {
                        Value::Primitive(value) => vm.jni.set_primitive(object, *field, value),
                        Value::Reference(to) => {
                            vm.jni.set_object(object, *field, to.map(|Global(object)| object));
                        }
                    }
                }
            }
            Content::Elements(elements) => {
                for (at, element) in (0..).zip(elements) {
                    vm.jni.set_element(object, at, element.map(|Global(object)| object));
                }
            }
            Content::Bytes(bytes) => vm.jni.set_elements(object, bytes),
        }
    }
}

struct Walk<'a, 'v> {
    /// The class whose root it is: constants of an enum are state there.
    own: usize,
    classes: &'a mut Classes,
    vm: Vm<'v>,
    /// Tags of objects that are remembered or will be.
    seen: HashSet<i64>,
    open: Vec<(Global, usize)>,
}

impl Walk<'_, '_> {
    fn keep(&mut self, class: jclass, root: &Root) -> Option<Kept> {
        let jni = self.vm.jni;
        let value = match Primitive::initial(&root.signature) {
            Some(kind) => Value::Primitive(jni.static_primitive(class, root.id, kind)),
            None => Value::Reference(self.take(jni.static_object(class, root.id))),
        };
        let mut objects = Vec::new();
        while let Some((object, class)) = self.open.pop() {
            if objects.len() == MOST_OBJECTS {
                return None;
            }
            let content = self.content(object, class);
            objects.push(Remembered { object, content });
        }
        Some(Kept { value: (!root.is_final()).then_some(value), objects })
    }

    fn content(&mut self, Global(object): Global, class: usize) -> Content {
        let Vm { jvmti, jni, .. } = self.vm;
        let signature = self.classes.get(class).map_or("", |class| &class.signature);
        match signature.strip_prefix('[').map(Primitive::initial) {
            Some(Some(element)) => {
                let (_, bytes) = jni.with_elements(object, element, <[u8]>::to_vec);
                Content::Bytes(bytes)
            }
            Some(None) => {
                let length = jni.length(object);
                Content::Elements(
                    (0..length).map(|at| self.take(jni.element(object, at))).collect(),
                )
            }
            None => {
                let fields = self.classes.state_fields(jvmti, jni, class).to_vec();
                let changing = fields.into_iter().map(|field| {
                    let value = match field.primitive {
                        Some(kind) => Value::Primitive(jni.primitive(object, field.id, kind)),
                        None => Value::Reference(self.take(jni.object(object, field.id))),
                    };
                    (field, value)
                });
                // A final field leads on, but needs not be put back.
                let changing: Vec<_> = changing.collect();
                let changing = changing.into_iter().filter(|(field, _)| !field.is_final);
                Content::Fields(changing.map(|(field, value)| (field.id, value)).collect())
            }
        }
    }

    /// Takes over a local reference; what it refers to is looked into later, if it can change.
    fn take(&mut self, local: Option<jobject>) -> Option<Global> {
        let Vm { jvmti, jni, .. } = self.vm;
        let local = local?;
        let global = jni.new_global(local).map(Global);
        // What has no tag was not walked when the state was captured: it is no state.
        if let (Some(global), Some(tag)) = (global, jvmti.tag(local).filter(|tag| *tag != 0))
            && let Some(class) = self.class_to_enter(local)
            && self.seen.insert(tag)
        {
            self.open.push((global, class));
        }
        jni.delete_local(local);
        global
    }

    fn class_to_enter(&self, object: jobject) -> Option<usize> {
        let Vm { jvmti, jni, .. } = self.vm;
        let class = jni.class_of(object)?;
        let index = jvmti.tag(class).and_then(Thing::from_tag).and_then(Thing::class_index);
        jni.delete_local(class);
        let index = index?;
        match self.classes.treatments().get(index)? {
            Treatment::Walk => Some(index),
            Treatment::Enum if index == self.own => Some(index),
            _ => None,
        }
    }
}
