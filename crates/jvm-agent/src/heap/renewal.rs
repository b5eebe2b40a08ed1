//! Recognises objects that took the places of others just like them.
//!
//! Set-up before each test gives the fields of a shared test instance new objects, like those that the last test had: the state
//! is the same, and to draw and compare all of it would only show that. So a new object that is all that another one was, in
//! all its places, becomes its heir: it takes over the other's name and record, and nothing has changed.

use std::collections::BTreeMap;

use jvmti_bindings::sys::jni::jobject;
use rustc_hash::FxHashMap;
use surefoot_state::Texts;
use xxhash_rust::xxh3::xxh3_128;

use super::camera::Vm;
use super::classes::Classes;
use super::memory::{Content, Holder};
use super::recall::Recall;
use super::roots::Roots;
use super::snapshot::{Array, Objects, Place, Primitive, Thing};
use super::treatment::Treatment;

/// With more of them it is quicker to read everything anew.
const MOST_HEIRS: usize = 4096;

pub(crate) struct Renewal<'a> {
    pub(crate) recall: &'a mut Recall,
    pub(crate) classes: &'a mut Classes,
    pub(crate) objects: &'a Objects,
    pub(crate) texts: &'a mut Texts,
    pub(crate) roots: &'a Roots,
    /// Thread locals and what they hold; no record has those references.
    pub(crate) locals: Vec<Thing>,
    pub(crate) vm: Vm<'a>,
}

/// An object that took the place of another one.
struct Heir {
    /// A local reference.
    object: jobject,
    /// In how many places it is where the other one was.
    places: u32,
}

#[derive(Default)]
struct Heirs {
    all: BTreeMap<Thing, Heir>,
    /// Those whose content is not compared yet.
    open: Vec<Thing>,
}

/// What an object held when it was last read.
#[derive(Default)]
struct Held {
    /// By the number of the field, or by the index of the element.
    references: FxHashMap<u32, Thing>,
    values: FxHashMap<u32, Primitive>,
    array: Option<Array>,
}

impl Renewal<'_> {
    /// Whether all that these objects hold now is as it was but for the names of objects, and the names are mended.
    pub(crate) fn is_as_before(&mut self, differing: &[u32]) -> bool {
        let mut heirs = Heirs::default();
        let is_as_before = self.all_alike(differing, &mut heirs) && self.all_moved(&heirs);
        for (thing, heir) in heirs.all {
            if is_as_before {
                self.pass_on(thing, heir.object);
            } else {
                let _ = self.vm.jvmti.set_tag(heir.object, 0);
            }
            self.vm.jni.delete_local(heir.object);
        }
        is_as_before
    }

    fn all_alike(&mut self, differing: &[u32], heirs: &mut Heirs) -> bool {
        // What holds others has been met before them, and so comes first: what has an heir needs not be as it was.
        let mut differing = differing.to_vec();
        differing.sort_unstable();
        differing.into_iter().all(|position| {
            let Some(thing) = self.recall.memory().thing_of(position) else { return false };
            if !heirs.all.contains_key(&thing) {
                let Some(object) = self.recall.object(thing, self.vm.jni) else { return false };
                let is_alike = self.is_alike(thing, object, heirs);
                self.vm.jni.delete_local(object);
                if !is_alike {
                    return false;
                }
            }
            while let Some(thing) = heirs.open.pop() {
                let object = heirs.all[&thing].object;
                if !self.is_alike(thing, object, heirs) {
                    return false;
                }
            }
            true
        })
    }

    /// What somebody still holds cannot have an heir.
    fn all_moved(&self, heirs: &Heirs) -> bool {
        heirs.all.iter().all(|(thing, heir)| {
            let recorded = self.recall.memory().references_to(*thing);
            let references = recorded + self.objects.frozen_references_to(*thing);
            references == heir.places && !self.locals.contains(thing)
        })
    }

    fn pass_on(&mut self, thing: Thing, heir: jobject) {
        let jni = self.vm.jni;
        if let Some(old) = self.recall.object(thing, jni) {
            // Taking a tag away needs nothing that could be missing.
            let _ = self.vm.jvmti.set_tag(old, 0);
            jni.delete_local(old);
        }
        self.recall.replace(thing, heir, jni);
    }

    /// Whether an object holds what the thing did, heirs for what they are heirs of.
    fn is_alike(&mut self, thing: Thing, object: jobject, heirs: &mut Heirs) -> bool {
        if let Some(class) = thing.class_index() {
            return self.has_statics(thing, class, object, heirs);
        }
        let Some(class) = self.objects.class_of(thing) else { return false };
        let Some(held) = self.held(thing, class) else { return false };
        let signature = self.classes.get(class).map_or("", |class| &class.signature);
        match signature.strip_prefix('[').map(Primitive::initial) {
            Some(Some(element)) => {
                let (length, digest) = self.vm.jni.with_elements(object, element, xxh3_128);
                held.array.is_some_and(|array| (array.length, array.digest) == (length, digest))
            }
            Some(None) => {
                let length = self.vm.jni.length(object);
                held.array.is_none_or(|array| array.length == length)
                    && (0..length).all(|index| {
                        let element = self.vm.jni.element(object, index);
                        self.is_expected(held.references.get(&index), element, heirs)
                    })
            }
            None => self.has_fields(class, object, &held, heirs),
        }
    }

    fn has_fields(
        &mut self,
        class: usize,
        object: jobject,
        held: &Held,
        heirs: &mut Heirs,
    ) -> bool {
        let Vm { jvmti, jni, .. } = self.vm;
        let fields = self.classes.state_fields(jvmti, jni, class).to_vec();
        fields.into_iter().all(|field| match field.primitive {
            Some(kind) => {
                held.values.get(&field.number) == Some(&jni.primitive(object, field.id, kind))
            }
            None => {
                let target = jni.object(object, field.id);
                self.is_expected(held.references.get(&field.number), target, heirs)
            }
        })
    }

    fn has_statics(
        &mut self,
        thing: Thing,
        index: usize,
        class: jobject,
        heirs: &mut Heirs,
    ) -> bool {
        let Some(held) = self.recorded(thing, Holder::Statics(index)) else { return false };
        let (jni, roots) = (self.vm.jni, self.roots);
        roots.of(index).all(|(number, root)| match Primitive::initial(&root.signature) {
            Some(kind) => {
                held.values.get(&number) == Some(&jni.static_primitive(class, root.id, kind))
            }
            None => {
                let target = jni.static_object(class, root.id);
                self.is_expected(held.references.get(&number), target, heirs)
            }
        })
    }

    /// Takes over the object.
    fn is_expected(
        &mut self,
        expected: Option<&Thing>,
        object: Option<jobject>,
        heirs: &mut Heirs,
    ) -> bool {
        match (expected, object) {
            (None, None) => true,
            (Some(thing), Some(object)) => {
                let is_heir = self.is_or_succeeds(*thing, object, heirs);
                if !is_heir || heirs.all.get(thing).is_none_or(|heir| heir.object != object) {
                    self.vm.jni.delete_local(object);
                }
                is_heir
            }
            (None, Some(object)) => {
                self.vm.jni.delete_local(object);
                false
            }
            (Some(_), None) => false,
        }
    }

    /// Whether the object is the thing, or its heir, from now on if it can be that.
    fn is_or_succeeds(&mut self, thing: Thing, object: jobject, heirs: &mut Heirs) -> bool {
        let Vm { jvmti, jni, .. } = self.vm;
        if let Some(heir) = heirs.all.get_mut(&thing) {
            heir.places += 1;
            return jni.same(heir.object, object);
        }
        let tag = jvmti.tag(object).unwrap_or(0);
        if tag == thing.tag() {
            return true;
        }
        // What has a tag of its own is known as something else.
        if tag != 0
            || heirs.all.len() == MOST_HEIRS
            || self.recall.memory().position_of(thing).is_none()
        {
            return false;
        }
        let (Some(class), Some(local)) = (self.objects.class_of(thing), jni.class_of(object))
        else {
            return false;
        };
        let is_of_class = self.classes.learn(jvmti, jni, local) == Some(class);
        jni.delete_local(local);
        let is_alike = is_of_class
            && match self.classes.treatments().get(class) {
                Some(Treatment::Text) => {
                    let text = jni.units(object).map(|units| self.texts.intern_utf16(&units));
                    text.is_some() && text == self.objects.texts.get(&thing).copied()
                }
                Some(Treatment::Boxed) => {
                    let fields = self.classes.state_fields(jvmti, jni, class);
                    let field = fields.iter().find_map(|field| Some((field.id, field.primitive?)));
                    let value = field.map(|(id, kind)| jni.primitive(object, id, kind));
                    value.is_some() && value == self.objects.boxed.get(&thing).copied()
                }
                Some(Treatment::Walk | Treatment::Frozen) => {
                    heirs.open.push(thing);
                    true
                }
                // One constant is never another, and which stream a setting holds matters.
                Some(Treatment::Enum | Treatment::Opaque) | None => false,
            };
        if !is_alike || jvmti.set_tag(object, thing.tag()).is_err() {
            return false;
        }
        heirs.all.insert(thing, Heir { object, places: 1 });
        true
    }

    fn held(&self, thing: Thing, class: usize) -> Option<Held> {
        let treatment = self.classes.treatments().get(class);
        if treatment != Some(&Treatment::Frozen) && !self.objects.below_frozen.contains(thing) {
            return self.recorded(thing, Holder::Object(class));
        }
        // Nothing is written down of one that holds nothing.
        let Some(frozen) = self.objects.frozen.get(&thing) else { return Some(Held::default()) };
        let mut held = Held { array: frozen.array, ..Held::default() };
        for edge in &frozen.edges {
            if let Place::Field(number) | Place::Element(number) = edge.place {
                held.references.insert(number, edge.to);
            }
        }
        for one in &frozen.held {
            if let Place::Field(number) = one.place {
                held.values.insert(number, one.value);
            }
        }
        Some(held)
    }

    fn recorded(&self, thing: Thing, holder: Holder) -> Option<Held> {
        let begin = self.recall.recorded(thing)?;
        let mut held = Held::default();
        self.recall.memory().for_each(begin, holder, |content| match content {
            Content::Reference(number, to) | Content::Element(number, to) => {
                held.references.insert(number, to);
            }
            Content::Primitive(number, value) => {
                held.values.insert(number, value);
            }
            Content::Array(array) => held.array = Some(array),
        });
        Some(held)
    }
}
