//! Walks the heap with the VM's own walker. It takes the least time for each object, but on many VMs a time that goes with
//! all that is on the heap, garbage included, even to walk a little of it.
//!
//! The VM stands still meanwhile: nothing here allocates more than a list's next room, and nothing calls back into the VM.

use std::ffi::c_void;

use jvmti_bindings::sys::jni::{jchar, jint, jlong, jobject, jvalue};
use jvmti_bindings::sys::jvmti::{
    JVMTI_HEAP_REFERENCE_ARRAY_ELEMENT, JVMTI_HEAP_REFERENCE_FIELD,
    JVMTI_HEAP_REFERENCE_STATIC_FIELD, JVMTI_PRIMITIVE_TYPE_BOOLEAN, JVMTI_PRIMITIVE_TYPE_BYTE,
    JVMTI_PRIMITIVE_TYPE_CHAR, JVMTI_PRIMITIVE_TYPE_DOUBLE, JVMTI_PRIMITIVE_TYPE_FLOAT,
    JVMTI_PRIMITIVE_TYPE_INT, JVMTI_PRIMITIVE_TYPE_LONG, JVMTI_PRIMITIVE_TYPE_SHORT,
    JVMTI_VISIT_OBJECTS, jvmtiHeapCallbacks, jvmtiHeapReferenceInfo, jvmtiHeapReferenceKind,
    jvmtiPrimitiveType,
};
use xxhash_rust::xxh3::xxh3_128;

use super::classes::Classes;
use super::notes::{Again, Met, Notes, Walked};
use super::snapshot::{Array, Place, Primitive, Thing};
use super::threads::Local;
use super::treatment::Treatment;
use crate::jni::Jni;
use crate::jvmti::{Jvmti, JvmtiError};

struct Walk<'a> {
    treatments: &'a [Treatment],
    class_of_classes: Option<usize>,
    notes: Notes<'a>,
}

/// From an array of classes, tagged [`Thing::ROOTS`]. `class_of_classes` is the index of `java.lang.Class`.
pub(crate) fn follow(
    jvmti: Jvmti,
    from: jobject,
    treatments: &[Treatment],
    class_of_classes: Option<usize>,
    notes: Notes<'_>,
) -> Result<Walked, JvmtiError> {
    let mut walk = Walk { treatments, class_of_classes, notes };
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
    Ok(walk.notes.end())
}

/// Writes down what thread locals hold, and says which of it is to be walked too.
pub(crate) fn enter(
    locals: &[Local],
    classes: &mut Classes,
    notes: &mut Notes<'_>,
    jvmti: Jvmti,
    jni: Jni,
) -> Vec<jobject> {
    let mut entered = Vec::new();
    for local in locals {
        let mut thing = jvmti.tag(local.value).and_then(Thing::from_tag);
        let class = match thing {
            Some(thing) => notes.objects.class_of(thing),
            None => jni.class_of(local.value).and_then(|class| {
                let index = classes.learn(jvmti, jni, class);
                jni.delete_local(class);
                index
            }),
        };
        if thing.is_none() && class.is_some() && class == classes.class_of_classes() {
            let index = classes.learn(jvmti, jni, local.value);
            thing = index.and_then(|index| Thing::class(u32::try_from(index).ok()?));
        }
        let treatment = class.and_then(|class| classes.treatments().get(class).copied());
        let met = Met { thing, class, treatment };
        let place = Place::Local(local.thread);
        let next = notes.reference(local.key, Some(Treatment::Walk), place, met);
        if let (None, Some(new)) = (thing, next.thing)
            && jvmti.set_tag(local.value, new.tag()).is_err()
        {
            notes.give_up(Again::Strangers);
        }
        if next.enter {
            entered.push(local.value);
        }
    }
    entered
}

impl Walk<'_> {
    fn treatment(&self, class: Option<Thing>) -> Option<Treatment> {
        self.treatments.get(class?.class_index()?).copied()
    }
}

/// SAFETY of the callbacks: the VM calls them one at a time with the data that [`follow`] passed, and with places for tags
/// that are valid for the call.
fn walk_of<'a>(data: *mut c_void) -> Option<&'a mut Walk<'a>> {
    // SAFETY: see above; `follow` keeps the `Walk` alive until the VM is done.
    unsafe { data.cast::<Walk<'a>>().as_mut() }
}

fn thing_at(tag: *const jlong) -> Option<Thing> {
    // SAFETY: the VM passes null or a place that holds a tag for the time of the call.
    unsafe { tag.as_ref() }.and_then(|tag| Thing::from_tag(*tag))
}

fn place(kind: jvmtiHeapReferenceKind, info: *const jvmtiHeapReferenceInfo) -> Option<Place> {
    // SAFETY: the VM passes the information that belongs to the kind; for these kinds it is one index.
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
    let thing = thing_at(tag);
    if from == Thing::ROOTS {
        // A class, or what a thread local holds, which may be an array.
        if let (Some(thing), Ok(length)) = (thing, u32::try_from(length)) {
            walk.notes.array(Array { thing, length, digest: 0 });
        }
        return JVMTI_VISIT_OBJECTS;
    }
    let class = Thing::from_tag(class_tag);
    let index = class.and_then(Thing::class_index);
    let mut treatment = walk.treatment(class);
    if thing.is_none() && index.is_some() && index == walk.class_of_classes {
        // A class that nobody has looked at.
        treatment = None;
    }
    let met = Met { thing, class: index, treatment };
    let holder = walk.treatment(Thing::from_tag(referrer_class_tag));
    let is_new_stranger = thing.is_none() && treatment.is_none();
    let next = walk.notes.reference(from, holder, place, met);
    if let (Some(thing), false) = (next.thing, is_new_stranger) {
        // SAFETY: the VM passes a place for the target's tag.
        unsafe { *tag = thing.tag() };
    }
    if !next.enter {
        return 0;
    }
    if let (Some(thing), Ok(length)) = (next.thing, u32::try_from(length)) {
        walk.notes.array(Array { thing, length, digest: 0 });
    }
    JVMTI_VISIT_OBJECTS
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
    let treatment = walk.treatment(Thing::from_tag(class_tag));
    walk.notes.primitive(by, treatment, place, value);
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
    walk.notes.array(Array { thing, length: count as u32, digest: xxh3_128(bytes) });
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
    walk.notes.text(thing, units);
    0
}
