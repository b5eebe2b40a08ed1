//! Walks objects one by one through JNI. Its time goes with what is walked and with nothing else, so that it is quick where
//! there is little state; and the VM does not stand still.

use jvmti_bindings::sys::jni::{jclass, jobject};
use xxhash_rust::xxh3::xxh3_128;

use super::classes::Classes;
use super::notes::{Again, Met, Notes, Walked};
use super::snapshot::{Array, Place, Primitive, Thing};
use super::threads::Local;
use super::treatment::Treatment;
use crate::jni::Jni;
use crate::jvmti::Jvmti;

struct Visit<'a, 'n> {
    classes: &'a mut Classes,
    notes: &'a mut Notes<'n>,
    jvmti: Jvmti,
    jni: Jni,
    /// Objects to look into, with their classes, as local references.
    open: Vec<(Thing, usize, jobject)>,
    /// By the number of the object: entered in this walk.
    entered: Vec<bool>,
    most_edges: usize,
}

/// From the static fields of these classes and from thread locals; gives up when there are more references than that.
pub(crate) fn visit(
    roots: &[(usize, jclass)],
    locals: &[Local],
    most_edges: usize,
    classes: &mut Classes,
    mut notes: Notes<'_>,
    jvmti: Jvmti,
    jni: Jni,
) -> Walked {
    let entered = Vec::new();
    let open = Vec::new();
    let mut visit = Visit { classes, notes: &mut notes, jvmti, jni, open, entered, most_edges };
    for (index, class) in roots {
        visit.statics(*index, *class);
    }
    for local in locals {
        let value = jni.new_local(local.value);
        visit.reference(local.key, Some(Treatment::Walk), Place::Local(local.thread), value);
    }
    while let Some((thing, class, object)) = visit.open.pop() {
        if visit.notes.edges() <= most_edges {
            visit.enter(thing, class, object);
        } else {
            visit.notes.give_up(Again::TooLarge);
        }
        jni.delete_local(object);
    }
    notes.end()
}

impl Visit<'_, '_> {
    fn statics(&mut self, index: usize, class: jclass) {
        let Some(from) = u32::try_from(index).ok().and_then(Thing::class) else { return };
        let fields: Vec<_> = self
            .notes
            .roots
            .of(index)
            .map(|(number, root)| (number, root.id, Primitive::initial(&root.signature)))
            .collect();
        for (number, id, primitive) in fields {
            let place = Place::Static(number);
            match primitive {
                Some(kind) => {
                    let value = self.jni.static_primitive(class, id, kind);
                    self.notes.primitive(from, None, place, value);
                }
                None => {
                    let target = self.jni.static_object(class, id);
                    self.reference(from, None, place, target);
                }
            }
        }
    }

    fn enter(&mut self, thing: Thing, class: usize, object: jobject) {
        let treatment = self.classes.treatments().get(class).copied();
        if treatment == Some(Treatment::Text) {
            if let Some(units) = self.jni.units(object) {
                self.notes.text(thing, &units);
            }
            return;
        }
        let signature = self.classes.get(class).map_or("", |class| &class.signature);
        match signature.strip_prefix('[').map(Primitive::initial) {
            Some(Some(element)) => {
                let (length, digest) = self.jni.with_elements(object, element, xxh3_128);
                self.notes.array(Array { thing, length, digest });
            }
            Some(None) => self.elements(thing, treatment, object),
            None => self.fields(thing, class, treatment, object),
        }
    }

    fn elements(&mut self, thing: Thing, treatment: Option<Treatment>, array: jobject) {
        let length = self.jni.length(array);
        self.notes.array(Array { thing, length, digest: 0 });
        for index in 0..length {
            let element = self.jni.element(array, index);
            self.reference(thing, treatment, Place::Element(index), element);
            // The rest of a huge array would only be thrown away.
            if self.notes.edges() > self.most_edges {
                return;
            }
        }
    }

    fn fields(
        &mut self,
        thing: Thing,
        class: usize,
        treatment: Option<Treatment>,
        object: jobject,
    ) {
        for at in 0..self.classes.state_fields(self.jvmti, self.jni, class).len() {
            let field = self.classes.state_fields(self.jvmti, self.jni, class)[at];
            let place = Place::Field(field.number);
            match field.primitive {
                Some(kind) => {
                    let value = self.jni.primitive(object, field.id, kind);
                    self.notes.primitive(thing, treatment, place, value);
                }
                None => {
                    let target = self.jni.object(object, field.id);
                    self.reference(thing, treatment, place, target);
                }
            }
        }
    }

    /// Takes over the target.
    fn reference(
        &mut self,
        from: Thing,
        holder: Option<Treatment>,
        place: Place,
        target: Option<jobject>,
    ) {
        let Some(target) = target else { return };
        let thing = self.jvmti.tag(target).and_then(Thing::from_tag);
        let class = match thing {
            Some(thing) => self.notes.objects.class_of(thing),
            None => self.class_of(target),
        };
        let mut met = Met {
            thing,
            class,
            treatment: class.and_then(|class| self.classes.treatments().get(class).copied()),
        };
        if thing.is_none() && class.is_some() && class == self.classes.class_of_classes() {
            // A class that nobody has looked at.
            let index = self.classes.learn(self.jvmti, self.jni, target);
            met.thing = index.and_then(|index| Thing::class(u32::try_from(index).ok()?));
        }
        let next = self.notes.reference(from, holder, place, met);
        if let (None, Some(thing)) = (met.thing, next.thing)
            && self.jvmti.set_tag(target, thing.tag()).is_err()
        {
            self.notes.give_up(Again::Strangers);
        }
        match (next.thing, class) {
            (Some(thing), Some(class)) if next.enter && self.first_entry(thing) => {
                self.open.push((thing, class, target));
            }
            _ => self.jni.delete_local(target),
        }
    }

    fn class_of(&mut self, object: jobject) -> Option<usize> {
        let class = self.jni.class_of(object)?;
        let index = self.classes.learn(self.jvmti, self.jni, class);
        self.jni.delete_local(class);
        index
    }

    fn first_entry(&mut self, thing: Thing) -> bool {
        let number = thing.number() as usize;
        if self.entered.len() <= number {
            self.entered.resize(number + 1, false);
        }
        !std::mem::replace(&mut self.entered[number], true)
    }
}
