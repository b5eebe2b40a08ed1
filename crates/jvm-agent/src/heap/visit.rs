//! Walks objects one by one through JNI. Its time goes with what is walked and with nothing else, so that it is quick where
//! there is little state; and the VM does not stand still. Objects that are known to hold what they held are not read again.

use jvmti_bindings::sys::jni::{jclass, jobject};
use xxhash_rust::xxh3::xxh3_128;

use super::camera::Vm;
use super::classes::Classes;
use super::fields::FieldId;
use super::memory::{self, Content, Holder};
use super::notes::{Again, Met, Notes, Walked};
use super::recall::Recall;
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
    /// What is known from the last walk, and is to be known from this one.
    recall: Option<&'a mut Recall>,
    /// What is known is not to be told.
    only_new: bool,
    /// Objects to look into, with their classes, as local references if they are at hand.
    open: Vec<(Thing, usize, Option<jobject>)>,
    /// What the object that is being read holds so far.
    references: Vec<u32>,
    values: Vec<u64>,
    /// By the number of the object: entered in this walk.
    entered: Vec<bool>,
    most_edges: usize,
}

/// From the static fields of these classes and from thread locals; gives up when there are more references than that.
pub(crate) fn visit(
    roots: &[(usize, jclass)],
    locals: &[Local],
    most_edges: usize,
    recall: Option<&mut Recall>,
    classes: &mut Classes,
    mut notes: Notes<'_>,
    vm: Vm<'_>,
) -> Walked {
    let mut visit = Visit::new(most_edges, recall, classes, &mut notes, vm);
    visit.recall.iter_mut().for_each(|recall| recall.memory_mut().begin_walk());
    for (index, class) in roots {
        visit.statics(*index, *class);
    }
    for local in locals {
        let value = vm.jni.new_local(local.value);
        visit.reference(local.key, Some(Treatment::Walk), Place::Local(local.thread), value);
    }
    visit.enter_all();
    notes.end()
}

/// From these things, which are to be read anew, to all that is not known yet and no further.
pub(crate) fn visit_new(
    things: &[Thing],
    most_edges: usize,
    recall: &mut Recall,
    classes: &mut Classes,
    mut notes: Notes<'_>,
    vm: Vm<'_>,
) -> Walked {
    let mut visit = Visit::new(most_edges, Some(recall), classes, &mut notes, vm);
    visit.only_new = true;
    for thing in things {
        match thing.class_index() {
            Some(index) => match visit.classes.local(vm.jni, index) {
                Some(class) => {
                    visit.statics(index, class);
                    vm.jni.delete_local(class);
                }
                None => visit.notes.give_up(Again::Misread),
            },
            None => {
                visit.first_entry(*thing);
                let class = visit.notes.objects.class_of(*thing);
                visit.open.extend(class.map(|class| (*thing, class, None)));
            }
        }
    }
    visit.enter_all();
    notes.end()
}

impl<'a, 'n> Visit<'a, 'n> {
    fn new(
        most_edges: usize,
        recall: Option<&'a mut Recall>,
        classes: &'a mut Classes,
        notes: &'a mut Notes<'n>,
        Vm { jvmti, jni, .. }: Vm<'_>,
    ) -> Visit<'a, 'n> {
        Visit {
            classes,
            notes,
            jvmti,
            jni,
            recall,
            only_new: false,
            open: Vec::new(),
            references: Vec::new(),
            values: Vec::new(),
            entered: Vec::new(),
            most_edges,
        }
    }

    fn enter_all(&mut self) {
        while let Some((thing, class, object)) = self.open.pop() {
            if self.notes.edges() <= self.most_edges {
                self.enter(thing, class, object);
            } else {
                self.notes.give_up(Again::TooLarge);
            }
            object.into_iter().for_each(|object| self.jni.delete_local(object));
        }
    }

    fn statics(&mut self, index: usize, class: jclass) {
        let Some(from) = u32::try_from(index).ok().and_then(Thing::class) else { return };
        let holder = Holder::Statics(index);
        if self.recalls(from, holder, None) {
            return;
        }
        if let Some(recall) = &mut self.recall {
            recall.position(from, class, self.jni);
            recall.memory_mut().meet(from);
        }
        let fields: Vec<_> = self
            .notes
            .roots
            .of(index)
            .map(|(number, root)| (number, root.id, Primitive::initial(&root.signature)))
            .collect();
        self.begin();
        for (number, id, primitive) in &fields {
            let place = Place::Static(*number);
            match primitive {
                Some(kind) => {
                    let value = self.jni.static_primitive(class, *id, *kind);
                    self.values.push(value.bits());
                    self.notes.primitive(from, None, place, value);
                }
                None => {
                    let target = self.jni.static_object(class, *id);
                    self.reference(from, None, place, target);
                }
            }
        }
        self.record(from, holder, &fields);
    }

    fn enter(&mut self, thing: Thing, class: usize, object: Option<jobject>) {
        let treatment = self.classes.treatments().get(class).copied();
        if self.recalls(thing, Holder::Object(class), treatment) {
            return;
        }
        self.recall.iter_mut().for_each(|recall| recall.memory_mut().meet(thing));
        let found = match object {
            Some(_) => None,
            None => self.recall.as_ref().and_then(|recall| recall.object(thing, self.jni)),
        };
        match object.or(found) {
            Some(object) => self.read(thing, class, treatment, object),
            None => self.notes.give_up(Again::Misread),
        }
        found.into_iter().for_each(|object| self.jni.delete_local(object));
    }

    fn read(&mut self, thing: Thing, class: usize, treatment: Option<Treatment>, object: jobject) {
        if treatment == Some(Treatment::Text) {
            if let Some(units) = self.jni.units(object) {
                self.notes.text(thing, &units);
            }
            return;
        }
        let signature = self.classes.get(class).map_or("", |class| &class.signature);
        match signature.strip_prefix('[').map(Primitive::initial) {
            Some(Some(element)) => {
                let of = |bytes: &[u8]| (xxh3_128(bytes), memory::check(bytes));
                let (length, (digest, check)) = self.jni.with_elements(object, element, of);
                let array = Array { thing, length, digest };
                self.notes.array(array);
                if let Some(recall) = self.recall_of(thing, treatment) {
                    recall.memory_mut().record_primitives(element, array, check);
                }
            }
            Some(None) => self.elements(thing, treatment, object),
            None => self.fields(thing, class, treatment, object),
        }
    }

    fn elements(&mut self, thing: Thing, treatment: Option<Treatment>, array: jobject) {
        let length = self.jni.length(array);
        self.notes.array(Array { thing, length, digest: 0 });
        self.begin();
        for index in 0..length {
            let element = self.jni.element(array, index);
            self.reference(thing, treatment, Place::Element(index), element);
            // The rest of a huge array would only be thrown away.
            if self.notes.edges() > self.most_edges {
                return;
            }
        }
        let references = std::mem::take(&mut self.references);
        if let Some(recall) = self.recall_of(thing, treatment) {
            recall.memory_mut().record_elements(thing, &references);
        }
        self.references = references;
    }

    fn fields(
        &mut self,
        thing: Thing,
        class: usize,
        treatment: Option<Treatment>,
        object: jobject,
    ) {
        self.begin();
        for at in 0..self.classes.state_fields(self.jvmti, self.jni, class).len() {
            let field = self.classes.state_fields(self.jvmti, self.jni, class)[at];
            let place = Place::Field(field.number);
            match field.primitive {
                Some(kind) => {
                    let value = self.jni.primitive(object, field.id, kind);
                    self.values.push(value.bits());
                    self.notes.primitive(thing, treatment, place, value);
                }
                None => {
                    let target = self.jni.object(object, field.id);
                    self.reference(thing, treatment, place, target);
                }
            }
        }
        if self.notes.is_state(thing, treatment) && self.recall.is_some() {
            let fields = self.classes.state_fields(self.jvmti, self.jni, class);
            let fields: Vec<_> =
                fields.iter().map(|field| (field.number, field.id, field.primitive)).collect();
            self.record(thing, Holder::Object(class), &fields);
        }
    }

    /// Another object is read.
    fn begin(&mut self) {
        self.references.clear();
        self.values.clear();
    }

    fn record(
        &mut self,
        thing: Thing,
        holder: Holder,
        fields: &[(u32, FieldId, Option<Primitive>)],
    ) {
        let Some(recall) = &mut self.recall else { return };
        if !recall.knows_layout(holder, fields.len()) {
            recall.learn_layout(holder, fields, self.classes, self.jni);
        }
        if recall.knows_layout(holder, fields.len()) {
            recall.memory_mut().record_fields(thing, holder, &self.references, &self.values);
        }
    }

    /// If what the object holds is state.
    fn recall_of(&mut self, thing: Thing, treatment: Option<Treatment>) -> Option<&mut Recall> {
        let is_state = self.notes.is_state(thing, treatment);
        self.recall.as_deref_mut().filter(|_| is_state)
    }

    /// Writes down what the object held when it was last read, if that is what it holds.
    fn recalls(&mut self, thing: Thing, holder: Holder, treatment: Option<Treatment>) -> bool {
        let Some(recall) = self.recall.take() else { return false };
        let begin = recall.recorded(thing);
        if let Some(begin) = begin {
            recall.memory_mut().meet(thing);
            recall.memory().for_each(begin, holder, |content| match content {
                Content::Array(array) => self.notes.array(array),
                Content::Primitive(number, value) => {
                    self.notes.primitive(thing, treatment, holder.place(number), value);
                }
                Content::Reference(number, target) => {
                    // Since it was read, a static field may have turned out to be no root.
                    let class = thing.class_index();
                    if class.is_none_or(|class| self.notes.roots.has(class, number)) {
                        self.known_reference(thing, holder.place(number), target);
                    }
                }
                Content::Element(index, target) => {
                    self.known_reference(thing, Place::Element(index), target);
                }
            });
        }
        self.recall = Some(recall);
        begin.is_some()
    }

    fn known_reference(&mut self, from: Thing, place: Place, target: Thing) {
        let number = target.number() as usize;
        let entered = self.entered.get(number).copied().unwrap_or(false);
        let treatments = self.classes.treatments();
        let mut class = None;
        let enters = self.notes.known_reference(from, place, target, !entered, |objects| {
            class = objects.class_of(target);
            let treatment = class.and_then(|class| treatments.get(class).copied());
            Met { thing: Some(target), class, treatment }
        });
        if let (true, Some(class)) = (enters && self.first_entry(target), class) {
            self.open.push((target, class, None));
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
        let Some(target) = target else { return self.references.push(0) };
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
        if let Some(recall) = &mut self.recall {
            let position = next.thing.map_or(0, |thing| recall.position(thing, target, self.jni));
            if position == 0 {
                recall.give_up();
            }
            self.references.push(position);
        }
        match (next.thing, class) {
            (Some(thing), Some(class))
                if next.enter && !self.leaves_out(thing) && self.first_entry(thing) =>
            {
                self.open.push((thing, class, Some(target)));
            }
            _ => self.jni.delete_local(target),
        }
    }

    fn leaves_out(&self, thing: Thing) -> bool {
        self.only_new && self.recall.as_ref().is_some_and(|it| it.recorded(thing).is_some())
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
