//! Parts of types and of their slots that no function tells: read where CPython has them, after a look at whether it does.

use std::ffi::{c_char, c_int, c_void};

use pyo3_ffi::{self as ffi, Py_ssize_t, PyObject, PyTypeObject};

use crate::api::{HEAP, Object, Owned};

/// The beginning of `PyTypeObject`; the same in all versions from 3.8 on.
#[repr(C)]
struct TypeLayout {
    head: [usize; 3],
    name: *const c_char,
    sizes: [Py_ssize_t; 2],
    methods_1: [*mut c_void; 15],
    flags: u64,
    methods_2: [*mut c_void; 4],
    weak_list_offset: Py_ssize_t,
    iterate: *mut c_void,
    methods_3: [*mut c_void; 4],
    base: *mut PyObject,
    dict: *mut PyObject,
    descriptor: [*mut c_void; 2],
    dict_offset: Py_ssize_t,
    methods_4: [*mut c_void; 5],
    bases: *mut PyObject,
    mro: *mut PyObject,
    caches: [*mut c_void; 4],
    version: u32,
    finalise: *mut c_void,
    vector_call: *mut c_void,
}

/// Where `tp_repr`, `tp_as_sequence` and `tp_as_mapping` are among the first methods.
const REPR: usize = 5;
const SEQUENCE: usize = 7;
const MAPPING: usize = 8;

/// Where `sq_inplace_concat` is in `PySequenceMethods`, and `mp_ass_subscript` in `PyMappingMethods`.
const IN_PLACE_CONCAT: usize = 8;
const ASSIGN: usize = 2;

/// `PyMemberDescrObject`.
#[repr(C)]
struct MemberLayout {
    head: [usize; 2],
    class: *mut PyObject,
    name: *mut PyObject,
    qualified_name: *mut PyObject,
    member: *const MemberDefinition,
}

/// `PyMemberDef`.
#[repr(C)]
struct MemberDefinition {
    name: *const c_char,
    kind: c_int,
    offset: Py_ssize_t,
    flags: c_int,
}

/// Of types whose instances keep their dict before themselves, from 3.11 on, and where it lies: `_PyObject_ManagedDictPointer`.
const MANAGED_DICT: u64 = 1 << 4;
const BEFORE_INSTANCES: i32 = -3 * size_of::<usize>() as i32;

/// Kinds of members that are references to objects.
const OBJECT: c_int = 6;
const OBJECT_OR_ERROR: c_int = 16;

fn layout(class: Object<'_>) -> *const TypeLayout {
    class.as_ptr().cast::<TypeLayout>().cast_const()
}

/// The attributes of a class of its own. None for the classes that CPython is built with, which keep theirs elsewhere since 3.12.
pub(crate) fn class_dict<'a>(class: Object<'a>) -> Option<Object<'a>> {
    // SAFETY: the callers hand in a type, laid out as `fits` has seen; it refers to its dict.
    let (flags, dict) = unsafe { ((*layout(class)).flags, (*layout(class)).dict) };
    if flags & HEAP == 0 {
        return None;
    }
    // SAFETY: as above.
    unsafe { Object::borrowed(dict) }.filter(|dict| dict.is_dict())
}

pub(crate) fn is_heap_class(class: Object<'_>) -> bool {
    // SAFETY: as above.
    unsafe { (*layout(class)).flags & HEAP != 0 }
}

/// A class and all that it inherits from, in the order in which attributes are looked for.
pub(crate) fn order<'a>(class: Object<'a>) -> Vec<Object<'a>> {
    // SAFETY: as above.
    let order: Option<Object<'a>> = unsafe { Object::borrowed((*layout(class)).mro) };
    order.map(|order| order.tuple_items().collect()).unwrap_or_default()
}

/// A class and those whose instances its own begin like. A compiler may have others among what it inherits from, whose instances are
/// laid out in another way.
pub(crate) fn lineage<'a>(class: Object<'a>) -> impl Iterator<Item = Object<'a>> {
    // SAFETY: as above; a class refers to its base, and null is where it has none.
    std::iter::successors(Some(class), |class| unsafe { Object::borrowed((*layout(*class)).base) })
}

/// Whether instances have attributes beside their slots.
pub(crate) fn has_dict(class: Object<'_>) -> bool {
    // SAFETY: as above.
    unsafe { (*layout(class)).dict_offset != 0 }
}

/// Whether an object whose class has room for a dict has none yet. Where that cannot be told, it is said to have one.
pub(crate) fn lacks_dict(object: Object<'_>) -> bool {
    // SAFETY: as above; a dict that has a place of its own in each instance lies there, or null.
    unsafe {
        let offset = (*layout(object.type_of())).dict_offset;
        offset > 0 && slot(object, offset as usize).is_none()
    }
}

/// Where a class refers to its dict, from where it begins.
pub(crate) const PLACE_OF_CLASS_DICT: i32 = std::mem::offset_of!(TypeLayout, dict) as i32;

/// Where an instance refers to its dict, which is this one, from where it begins. None if it is not known where it does.
pub(crate) fn place_of_dict(instance: Object<'_>, dict: Object<'_>) -> Option<i32> {
    // SAFETY: as above.
    let (flags, offset) = unsafe {
        let class = layout(instance.type_of());
        ((*class).flags, (*class).dict_offset)
    };
    let place = match i32::try_from(offset).ok()? {
        offset if offset > 0 => offset,
        _ if flags & MANAGED_DICT != 0 => BEFORE_INSTANCES,
        _ => return None,
    };
    // SAFETY: it lies in the instance, or before it, where a class with this flag has room for two references and the garbage
    // collector's two words.
    unsafe { refers_to(instance, place, dict.address()) }.then_some(place)
}

/// Whether an object has a reference to what lies at this address in this place.
///
/// # Safety
/// The place is one that the functions above gave for an object of the class that this one is of.
pub(crate) unsafe fn refers_to(object: Object<'_>, place: i32, address: usize) -> bool {
    // SAFETY: as the caller says; nobody else writes there while the GIL is held.
    unsafe { *object.as_ptr().byte_offset(place as isize).cast::<usize>() == address }
}

/// Tells the processor that what lies at an address is about to be read. Nothing need be there.
pub(crate) fn ask_for(address: usize) {
    #[cfg(target_arch = "x86_64")]
    // SAFETY: it reads nothing that the program sees, and does not fail, whatever the address.
    unsafe {
        use std::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};
        _mm_prefetch::<_MM_HINT_T0>(address as *const i8);
    }
    #[cfg(not(target_arch = "x86_64"))]
    let _ = address;
}

/// The name in C: with the module for classes that are written in C, without it for others.
pub(crate) fn name(class: Object<'_>) -> String {
    // SAFETY: as above; a type always has a name.
    let name = unsafe { std::ffi::CStr::from_ptr((*layout(class)).name) };
    name.to_string_lossy().into_owned()
}

/// What lies in an object, behind the reference count and the type, and before what only some of its type have.
pub(crate) fn memory<'a>(object: Object<'a>) -> &'a [u8] {
    let head = size_of::<[usize; 2]>();
    // SAFETY: as above; an object is as long as its type says, and nobody changes it meanwhile.
    unsafe {
        let size = (*layout(object.type_of())).sizes[0] as usize;
        let start = object.as_ptr().cast::<u8>().add(head);
        std::slice::from_raw_parts(start, size.saturating_sub(head))
    }
}

/// Where the name in C lies.
pub(crate) fn name_address(class: Object<'_>) -> usize {
    // SAFETY: as above.
    unsafe { (*layout(class)).name as usize }
}

/// Whether an object whose class has a place for a dict in each instance has any attributes there.
pub(crate) fn has_attributes(object: Object<'_>) -> bool {
    // SAFETY: as above.
    let offset = unsafe { (*layout(object.type_of())).dict_offset };
    let dict = usize::try_from(offset).ok().and_then(|offset| slot(object, offset));
    // SAFETY: a dict begins in this way in every version.
    dict.is_some_and(|dict| unsafe { (*dict.as_ptr().cast::<DictLayout>()).used > 0 })
}

/// `PyDictObject` up to CPython 3.13; later ones have something else in place of the version.
#[repr(C)]
struct DictLayout {
    head: [usize; 2],
    used: Py_ssize_t,
    version: u64,
    keys: *mut c_void,
    values: *mut c_void,
}

/// Tells a state of a dict from all its other states, and from those of all other dicts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Version(u64);

impl Version {
    pub(crate) fn number(self) -> u64 {
        self.0
    }
}

/// The version of a dict; it means something only if [`keeps_versions`].
pub(crate) fn version(dict: Object<'_>) -> Version {
    // SAFETY: the callers hand in a dict, which is longer than this in every version.
    Version(unsafe { (*dict.as_ptr().cast::<DictLayout>()).version })
}

/// Whether the values of a dict lie elsewhere than its keys, as those of an instance's attributes may.
pub(crate) fn has_values_elsewhere(dict: Object<'_>) -> bool {
    // SAFETY: as above.
    unsafe { !(*dict.as_ptr().cast::<DictLayout>()).values.is_null() }
}

/// Whether this CPython gives a dict another version whenever it changes: 3.9 to 3.13 do.
pub(crate) fn keeps_versions(one: Object<'_>, other: Object<'_>) -> bool {
    // SAFETY: the GIL is held; each returns a new reference or null.
    let dicts = unsafe { [Owned::from_new(ffi::PyDict_New()), Owned::from_new(ffi::PyDict_New())] };
    let [Some(dict), Some(another)] = dicts else { return false };
    let mut versions = vec![version(dict.get()), version(another.get())];
    for change in [Some(one), Some(other), None, Some(one)] {
        let (pointer, name) = (dict.pointer(), c"name".as_ptr());
        // SAFETY: it is a dict of ours, and what is put in is alive.
        let status = unsafe {
            match change {
                Some(value) => ffi::PyDict_SetItemString(pointer, name, value.as_ptr()),
                None => ffi::PyDict_DelItemString(pointer, name),
            }
        };
        if status != 0 {
            return false;
        }
        versions.push(version(dict.get()));
    }
    let is_new = |at: usize| !versions[..at].contains(&versions[at]);
    (0..versions.len()).all(is_new) && !has_values_elsewhere(dict.get())
}

/// Where a slot lies in instances, if it is one that holds an object.
pub(crate) fn slot_offset(descriptor: Object<'_>) -> Option<usize> {
    let descriptor = descriptor.as_ptr().cast::<MemberLayout>();
    // SAFETY: the callers hand in exactly a member descriptor, laid out as `fits` has seen.
    let (kind, offset) = unsafe { ((*(*descriptor).member).kind, (*(*descriptor).member).offset) };
    let is_object = kind == OBJECT || kind == OBJECT_OR_ERROR;
    usize::try_from(offset).ok().filter(|offset| is_object && *offset > 0)
}

/// What lies in a slot of an instance, if it is set.
pub(crate) fn slot<'a>(instance: Object<'a>, offset: usize) -> Option<Object<'a>> {
    // SAFETY: the offset is that of a member of the instance's class, which holds a reference or null.
    unsafe {
        let place = instance.as_ptr().cast::<u8>().add(offset).cast::<*mut PyObject>();
        Object::borrowed(*place)
    }
}

/// Where a type of CPython's own keeps what makes its iterators, if it is there.
pub(crate) fn iteration(class: *mut PyTypeObject) -> Option<*mut *mut c_void> {
    // SAFETY: the callers hand in a type; what lies there is compared with what CPython tells.
    unsafe {
        let place = &raw mut (*class.cast::<TypeLayout>()).iterate;
        // 3.9 does not tell it of types that were not made by a program.
        let told = ffi::PyType_GetSlot(class, ffi::Py_tp_iter);
        ffi::PyErr_Clear();
        let fits = !(*place).is_null() && (told.is_null() || told == *place);
        fits.then_some(place)
    }
}

/// Where a type of CPython's own keeps what is called to make instances, if it has any.
pub(crate) fn vector_call(class: *mut PyTypeObject) -> Option<*mut *mut c_void> {
    // SAFETY: the callers hand in a type that is laid out as the versions up to this one are.
    unsafe {
        let place = &raw mut (*class.cast::<TypeLayout>()).vector_call;
        (!(*place).is_null()).then_some(place)
    }
}

/// Where a type of CPython's own keeps what makes its text, if it is there. From 3.10 on, as the following.
pub(crate) fn representation(class: *mut PyTypeObject) -> Option<*mut *mut c_void> {
    // SAFETY: the callers hand in a type that is laid out as the versions up to this one are.
    unsafe {
        slot_of(class, ffi::Py_tp_repr, &raw mut (*class.cast::<TypeLayout>()).methods_1[REPR])
    }
}

/// Where it keeps what `+=` calls.
pub(crate) fn in_place_concat(class: *mut PyTypeObject) -> Option<*mut *mut c_void> {
    // SAFETY: as above; what is compared is not read beyond the methods of a sequence.
    unsafe {
        let methods = (*class.cast::<TypeLayout>()).methods_1[SEQUENCE].cast::<*mut c_void>();
        let place = methods.wrapping_add(IN_PLACE_CONCAT);
        if methods.is_null() { None } else { slot_of(class, ffi::Py_sq_inplace_concat, place) }
    }
}

/// Where it keeps what assigns to items and slices.
pub(crate) fn assignment(class: *mut PyTypeObject) -> Option<*mut *mut c_void> {
    // SAFETY: as above, for the methods of a mapping.
    unsafe {
        let methods = (*class.cast::<TypeLayout>()).methods_1[MAPPING].cast::<*mut c_void>();
        let place = methods.wrapping_add(ASSIGN);
        if methods.is_null() { None } else { slot_of(class, ffi::Py_mp_ass_subscript, place) }
    }
}

/// The place, if what lies there is what CPython tells of this slot.
///
/// # Safety
/// `class` is a type, and `place` can be read.
unsafe fn slot_of(
    class: *mut PyTypeObject,
    slot: c_int,
    place: *mut *mut c_void,
) -> Option<*mut *mut c_void> {
    // SAFETY: as the caller says.
    unsafe {
        let told = ffi::PyType_GetSlot(class, slot);
        ffi::PyErr_Clear();
        (!told.is_null() && told == *place).then_some(place)
    }
}

/// Whether this CPython has the parts where they are expected. `sample` is a class with a slot `held` and an attribute `known`;
/// `instance` one of its instances, whose slot holds `known`.
pub(crate) fn fits(sample: &Owned, instance: &Owned, known: &Owned, member: Object<'_>) -> bool {
    let class = sample.get();
    let Some(dict) = class_dict(class) else { return false };
    let has = |name: &str| {
        dict.entries().find(|(key, _)| key.text() == Some(name)).map(|(_, value)| value)
    };
    let is_known = |value: Object<'_>| value.address() == known.get().address();
    let Some(descriptor) = has("held").filter(|value| value.type_of() == member) else {
        return false;
    };
    let held = slot_offset(descriptor).and_then(|offset| slot(instance.get(), offset));
    has("known").is_some_and(is_known)
        && held.is_some_and(is_known)
        && order(class).first().is_some_and(|first| first.address() == class.address())
        && order(class).len() == 2
        && name(class) == "Sample"
        && !has_dict(class)
        && has_dict(class.type_of())
}
