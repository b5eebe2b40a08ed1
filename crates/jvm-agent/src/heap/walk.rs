//! One walk over the heap. The VM stands still meanwhile: nothing here allocates more than a list's next room, and nothing
//! calls back into the VM.

use std::collections::HashSet;
use std::ffi::c_void;

use jvmti_bindings::sys::jni::{jchar, jint, jlong, jobject, jvalue};
use jvmti_bindings::sys::jvmti::{
    JVMTI_HEAP_REFERENCE_ARRAY_ELEMENT, JVMTI_HEAP_REFERENCE_FIELD,
    JVMTI_HEAP_REFERENCE_STATIC_FIELD, JVMTI_PRIMITIVE_TYPE_BOOLEAN, JVMTI_PRIMITIVE_TYPE_BYTE,
    JVMTI_PRIMITIVE_TYPE_CHAR, JVMTI_PRIMITIVE_TYPE_DOUBLE, JVMTI_PRIMITIVE_TYPE_FLOAT,
    JVMTI_PRIMITIVE_TYPE_INT, JVMTI_PRIMITIVE_TYPE_LONG, JVMTI_PRIMITIVE_TYPE_SHORT,
    JVMTI_VISIT_ABORT, JVMTI_VISIT_OBJECTS, jvmtiHeapCallbacks, jvmtiHeapReferenceInfo,
    jvmtiHeapReferenceKind, jvmtiPrimitiveType,
};
use surefoot_state::Texts;
use xxhash_rust::xxh3::xxh3_128;

use super::roots::Roots;
use super::snapshot::{
    Array, Edge, Held, Objects, Place, Primitive, Snapshot, Thing, UNKNOWN_CLASS,
};
use super::treatment::Treatment;
use crate::jvmti::{Jvmti, JvmtiError};

struct Walk<'a> {
    treatments: &'a [Treatment],
    roots: &'a Roots,
    objects: &'a mut Objects,
    texts: &'a mut Texts,
    snapshot: Snapshot,
    /// Enum constants that were met in the static fields of their own classes.
    own_constants: HashSet<Thing>,
    /// Enum constants that were met elsewhere for the first time, so that their fields were read as those of a value.
    new_constants: HashSet<Thing>,
    again: Option<Again>,
}

#[derive(Debug)]
pub(crate) enum Walked {
    All(Snapshot),
    /// Nothing may be concluded yet.
    Again(Again),
}

/// Why a walk must be done again.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Again {
    /// Objects of classes that are not known were met.
    Strangers,
    /// Something was read as a value before it turned out to be state; the next time that is known.
    Misread,
}

/// From an array of classes, tagged [`Thing::ROOTS`], or from one class.
pub(crate) fn walk(
    jvmti: Jvmti,
    from: jobject,
    treatments: &[Treatment],
    roots: &Roots,
    objects: &mut Objects,
    texts: &mut Texts,
) -> Result<Walked, JvmtiError> {
    let mut walk = Walk {
        treatments,
        roots,
        objects,
        texts,
        snapshot: Snapshot::default(),
        own_constants: HashSet::new(),
        new_constants: HashSet::new(),
        again: None,
    };
    let callbacks = jvmtiHeapCallbacks {
        heap_reference_callback: Some(reference),
        primitive_field_callback: Some(primitive_field),
        array_primitive_value_callback: Some(primitive_array),
        string_primitive_value_callback: Some(string),
        ..jvmtiHeapCallbacks::default()
    };
    let data: *mut Walk<'_> = &mut walk;
    // SAFETY: the callbacks below take the data for a `Walk`, use it one after the other, and call nothing of the VM.
    unsafe { jvmti.follow_references(from, &callbacks, data.cast::<c_void>())? };
    Ok(match walk.again {
        Some(again) => Walked::Again(again),
        None => Walked::All(walk.snapshot),
    })
}

impl Walk<'_> {
    fn treatment(&self, class: Thing) -> Option<Treatment> {
        self.treatments.get(class.class_index()?).copied()
    }

    /// What to do with a reference, and the tag that its target gets if it has none. None: the walk cannot go on.
    fn reference(
        &mut self,
        from: Thing,
        from_class: Option<Thing>,
        place: Place,
        target_class: Option<Thing>,
        target: Option<Thing>,
        length: i32,
    ) -> Option<(Thing, bool)> {
        if from == Thing::ROOTS {
            // Classes, all of them tagged.
            return target.map(|class| (class, true));
        }
        let holder = from_class.and_then(|class| self.treatment(class));
        if matches!(holder, Some(Treatment::Text | Treatment::Boxed)) {
            return Some((target.unwrap_or(from), false));
        }
        if let (Some(class), Place::Static(field)) = (from.class_index(), place)
            && !self.roots.has(class, field)
        {
            return Some((target.unwrap_or(from), false));
        }
        let class = target_class.and_then(Thing::class_index);
        let treatment = class.and_then(|class| self.treatments.get(class).copied());
        let is_new = target.is_none();
        let target = match target {
            Some(target) => target,
            None => self.objects.add(class.map_or(UNKNOWN_CLASS, |class| class as u32))?,
        };
        let frozen = self.is_frozen(from, holder);
        if frozen && is_new {
            self.objects.below_frozen.insert(target);
        }
        let edge = Edge { from, place, to: target };
        if frozen {
            self.objects.frozen.entry(from).or_default().edges.push(edge);
        } else {
            self.snapshot.edge(edge);
        }
        if target.class_index().is_some() {
            return Some((target, false));
        }
        let visit = match treatment {
            None => {
                self.again = Some(Again::Strangers);
                false
            }
            Some(Treatment::Walk) => true,
            Some(Treatment::Text | Treatment::Boxed | Treatment::Frozen) => is_new,
            // Its name is read once; its fields are state where its own class holds it.
            Some(Treatment::Enum) => {
                let own = matches!(place, Place::Static(_)) && from.class_index() == class;
                if own {
                    self.own_constants.insert(target);
                    if self.new_constants.contains(&target) {
                        self.again.get_or_insert(Again::Misread);
                    }
                } else if is_new {
                    self.new_constants.insert(target);
                }
                is_new || own
            }
            Some(Treatment::Opaque) => false,
        };
        if visit && length >= 0 {
            self.array(Array { thing: target, length: length.cast_unsigned(), digest: 0 });
        }
        Some((target, visit))
    }

    /// What is written down once and for all: a frozen object with all that it alone holds, and an enum constant that is not
    /// met where it is state.
    fn is_frozen(&self, thing: Thing, treatment: Option<Treatment>) -> bool {
        match treatment {
            Some(Treatment::Frozen) => true,
            Some(Treatment::Enum) => !self.own_constants.contains(&thing),
            _ => self.objects.below_frozen.contains(&thing),
        }
    }

    fn array(&mut self, array: Array) {
        if self.objects.below_frozen.contains(&array.thing) {
            self.objects.frozen.entry(array.thing).or_default().array = Some(array);
        } else {
            self.snapshot.array(array);
        }
    }

    fn primitive(&mut self, by: Thing, class: Option<Thing>, place: Place, value: Primitive) {
        if let (Some(holder), Place::Static(field)) = (by.class_index(), place) {
            if self.roots.has(holder, field) {
                self.snapshot.hold(Held { by, place, value });
            }
            return;
        }
        match class.and_then(|class| self.treatment(class)) {
            Some(Treatment::Boxed) => {
                self.objects.boxed.insert(by, value);
            }
            Some(Treatment::Text | Treatment::Opaque) | None => {}
            treatment => {
                let held = Held { by, place, value };
                if self.is_frozen(by, treatment) {
                    self.objects.frozen.entry(by).or_default().held.push(held);
                } else {
                    self.snapshot.hold(held);
                }
            }
        }
    }
}

/// SAFETY of the callbacks: the VM calls them one at a time with the data that [`walk`] passed, and with places for tags that
/// are valid for the call.
fn walk_of<'a>(data: *mut c_void) -> Option<&'a mut Walk<'a>> {
    // SAFETY: see above; `walk` keeps the `Walk` alive until the VM is done.
    unsafe { data.cast::<Walk<'a>>().as_mut() }
}

fn thing_at(tag: *const jlong) -> Option<Thing> {
    // SAFETY: the VM passes null or a place that holds a tag for the time of the call.
    unsafe { tag.as_ref() }.and_then(|tag| Thing::from_tag(*tag))
}

fn place(kind: jvmtiHeapReferenceKind, info: *const jvmtiHeapReferenceInfo) -> Option<Place> {
    // SAFETY: the VM passes the information that belongs to the kind; both kinds used here are one index.
    let index = unsafe { info.as_ref()?.field.index };
    let index = u32::try_from(index).ok()?;
    match kind {
        JVMTI_HEAP_REFERENCE_FIELD => Some(Place::Field(index)),
        JVMTI_HEAP_REFERENCE_STATIC_FIELD => Some(Place::Static(index)),
        JVMTI_HEAP_REFERENCE_ARRAY_ELEMENT => Some(Place::Element(index)),
        _ => None,
    }
}

unsafe extern "system" fn reference(
    kind: jvmtiHeapReferenceKind,
    info: *const jvmtiHeapReferenceInfo,
    class_tag: jlong,
    referrer_class_tag: jlong,
    _size: jlong,
    tag: *mut jlong,
    referrer_tag: *mut jlong,
    length: jint,
    data: *mut c_void,
) -> jint {
    // Classes, loaders, constant pools and the like are how the VM works.
    if !matches!(
        kind,
        JVMTI_HEAP_REFERENCE_FIELD
            | JVMTI_HEAP_REFERENCE_STATIC_FIELD
            | JVMTI_HEAP_REFERENCE_ARRAY_ELEMENT
    ) {
        return 0;
    }
    let (Some(walk), Some(place), Some(from)) =
        (walk_of(data), place(kind, info), thing_at(referrer_tag))
    else {
        return 0;
    };
    let target = thing_at(tag);
    let from_class = Thing::from_tag(referrer_class_tag);
    let target_class = Thing::from_tag(class_tag);
    match walk.reference(from, from_class, place, target_class, target, length) {
        Some((thing, visit)) => {
            if target.is_none() && thing != from {
                // SAFETY: the VM passes a place for the target's tag.
                unsafe { *tag = thing.tag() };
            }
            if visit { JVMTI_VISIT_OBJECTS } else { 0 }
        }
        None => JVMTI_VISIT_ABORT,
    }
}

unsafe extern "system" fn primitive_field(
    kind: jvmtiHeapReferenceKind,
    info: *const jvmtiHeapReferenceInfo,
    class_tag: jlong,
    tag: *mut jlong,
    value: jvalue,
    value_type: jvmtiPrimitiveType,
    data: *mut c_void,
) -> jint {
    let (Some(walk), Some(place), Some(by)) = (walk_of(data), place(kind, info), thing_at(tag))
    else {
        return 0;
    };
    // SAFETY: the VM says which member of the union it has set.
    let value = unsafe {
        match value_type {
            JVMTI_PRIMITIVE_TYPE_BOOLEAN => Primitive::Boolean(value.z != 0),
            JVMTI_PRIMITIVE_TYPE_BYTE => Primitive::Byte(value.b),
            JVMTI_PRIMITIVE_TYPE_CHAR => Primitive::Char(value.c),
            JVMTI_PRIMITIVE_TYPE_SHORT => Primitive::Short(value.s),
            JVMTI_PRIMITIVE_TYPE_INT => Primitive::Int(value.i),
            JVMTI_PRIMITIVE_TYPE_LONG => Primitive::Long(value.j),
            JVMTI_PRIMITIVE_TYPE_FLOAT => Primitive::Float(value.f.to_bits()),
            JVMTI_PRIMITIVE_TYPE_DOUBLE => Primitive::Double(value.d.to_bits()),
            _ => return 0,
        }
    };
    walk.primitive(by, Thing::from_tag(class_tag), place, value);
    0
}

unsafe extern "system" fn primitive_array(
    _class_tag: jlong,
    _size: jlong,
    tag: *mut jlong,
    count: jint,
    element_type: jvmtiPrimitiveType,
    elements: *const c_void,
    data: *mut c_void,
) -> jint {
    let width = match element_type {
        JVMTI_PRIMITIVE_TYPE_BOOLEAN | JVMTI_PRIMITIVE_TYPE_BYTE => 1,
        JVMTI_PRIMITIVE_TYPE_CHAR | JVMTI_PRIMITIVE_TYPE_SHORT => 2,
        JVMTI_PRIMITIVE_TYPE_INT | JVMTI_PRIMITIVE_TYPE_FLOAT => 4,
        _ => 8,
    };
    let (Some(walk), Some(thing)) = (walk_of(data), thing_at(tag)) else { return 0 };
    let count = usize::try_from(count).unwrap_or(0);
    let bytes = if count == 0 || elements.is_null() {
        &[][..]
    } else {
        // SAFETY: the VM passes as many elements of that type, for the time of the call.
        unsafe { std::slice::from_raw_parts(elements.cast::<u8>(), count * width) }
    };
    walk.array(Array { thing, length: count as u32, digest: xxh3_128(bytes) });
    0
}

unsafe extern "system" fn string(
    _class_tag: jlong,
    _size: jlong,
    tag: *mut jlong,
    value: *const jchar,
    length: jint,
    data: *mut c_void,
) -> jint {
    let (Some(walk), Some(thing)) = (walk_of(data), thing_at(tag)) else { return 0 };
    let length = usize::try_from(length).unwrap_or(0);
    let units = if length == 0 || value.is_null() {
        &[][..]
    } else {
        // SAFETY: the VM passes as many characters, for the time of the call.
        unsafe { std::slice::from_raw_parts(value, length) }
    };
    let text = walk.texts.intern_utf16(units);
    walk.objects.texts.insert(thing, text);
    0
}
