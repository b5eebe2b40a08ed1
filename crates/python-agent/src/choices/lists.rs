//! Lists that are made of sets. From 3.13 on CPython copies the entries of a set past its iterator, so all that makes a list of one
//! is led here: `list`, `extend`, `join`, `sorted`, `+=`, `a[:] = s`, the text of a set, and `[*s]` in code that was compiled anew
//! for it (`displays.py`).

use std::ffi::{c_int, c_void};
use std::ptr::null_mut;

use pyo3_ffi::{self as ffi, Py_ssize_t, PyObject};

use super::hooks::{Convention, ManyNamed, None0, Original, into_python, list, tried};
use super::sets::{before, instead, is_set, method, ordered, replaced};
use crate::api::{Object, Owned};
use crate::layout;

static EXTEND: Original = Original::new();
static JOIN: Original = Original::new();
static SORTED: Original = Original::new();
static LIST: Original = Original::new();
static ADD: Original = Original::new();
static ASSIGN: Original = Original::new();
static TEXT: Original = Original::new();

/// Does nothing where lists are made by way of iterators. What could not be done is told.
pub(crate) fn hook(tell: &mut dyn FnMut(Result<(), String>)) {
    if !reads_sets_past_their_iterators() {
        return;
    }
    // SAFETY: each function is of the type of its convention or slot, and hands on to the original that it is put away in.
    unsafe {
        let one = Convention::One;
        tell(before(&EXTEND, method(c"list", c"extend"), c"extend", one, extend as *mut _));
        tell(before(&JOIN, method(c"str", c"join"), c"join", one, join as *mut c_void));
        let sorted = Owned::import(c"builtins", c"sorted");
        let named = Convention::ManyNamed;
        tell(before(&SORTED, sorted, c"sorted", named, sorted_of as *mut c_void));
        let lists = &raw mut ffi::PyList_Type;
        tell(put(&LIST, layout::vector_call(lists), list_of as *mut c_void));
        tell(put(&ADD, layout::in_place_concat(lists), add as *mut c_void));
        tell(put(&ASSIGN, layout::assignment(lists), assign as *mut c_void));
    }
    tell(hook_text());
}

/// From 3.13 on, what makes a list of a set copies its entries.
pub(crate) fn reads_sets_past_their_iterators() -> bool {
    !crate::api::is_before(13)
}

/// # Safety
/// `ours` is of the type of the slot at `place`, and hands on to this original.
unsafe fn put(
    original: &Original,
    place: Option<*mut *mut c_void>,
    ours: *mut c_void,
) -> Result<(), String> {
    if original.is_set() {
        return Ok(());
    }
    let place = place.ok_or("lists are not laid out as expected")?;
    // SAFETY: `layout` has seen that it is a slot of a type, which CPython reads with the GIL held, as we do.
    unsafe {
        original.set(*place);
        *place = ours;
    }
    Ok(())
}

/// Sets and frozen sets are shown by the same function.
fn hook_text() -> Result<(), String> {
    let places = [&raw mut ffi::PySet_Type, &raw mut ffi::PyFrozenSet_Type];
    let [Some(of_set), Some(of_frozen)] = places.map(layout::representation) else {
        return Err("the text of sets is not where it is expected".to_owned());
    };
    // SAFETY: as in `put`; both places hold the same function, so that one original serves both.
    unsafe {
        if TEXT.is_set() || *of_set != *of_frozen {
            return Ok(());
        }
        TEXT.set(*of_set);
        *of_set = represent as *mut c_void;
        *of_frozen = represent as *mut c_void;
    }
    Ok(())
}

/// `choose_listed(value)`: what `[*value]` is to read instead of the value.
pub(crate) unsafe extern "C" fn listed(_: *mut PyObject, value: *mut PyObject) -> *mut PyObject {
    match instead(value, "[*…]") {
        Some(ours) => into_python(ours),
        None => {
            // SAFETY: the caller holds it, and gets a reference of its own.
            unsafe { ffi::Py_INCREF(value) };
            value
        }
    }
}

/// `a += s`
unsafe extern "C" fn add(object: *mut PyObject, argument: *mut PyObject) -> *mut PyObject {
    let ours = instead(argument, "list +=");
    let argument = ours.as_ref().map_or(argument, Owned::pointer);
    // SAFETY: it is what we stand before, with the arguments that it is called with.
    unsafe { ADD.get::<None0>()(object, argument) }
}

/// `a[:] = s`; the value is null where an item is deleted.
unsafe extern "C" fn assign(
    object: *mut PyObject,
    at: *mut PyObject,
    value: *mut PyObject,
) -> c_int {
    type Assign = unsafe extern "C" fn(*mut PyObject, *mut PyObject, *mut PyObject) -> c_int;
    // SAFETY: the type never goes away; the caller holds what it hands in.
    let is_slice = unsafe { ffi::Py_TYPE(at) == &raw mut ffi::PySlice_Type };
    let ours = if is_slice { instead(value, "list[…] =") } else { None };
    let value = ours.as_ref().map_or(value, Owned::pointer);
    // SAFETY: as above.
    unsafe { ASSIGN.get::<Assign>()(object, at, value) }
}

/// The text of a set, as CPython makes it: `{1, 2}` or `frozenset({1, 2})`.
unsafe extern "C" fn represent(set: *mut PyObject) -> *mut PyObject {
    let ours = tried(|| {
        // SAFETY: the caller holds it.
        let object = unsafe { Object::borrowed(set) }.filter(|object| is_set(*object))?;
        let (members, order) = ordered(object, "repr", usize::MAX)?;
        list(&members, &order)
    });
    let Some(ours) = ours else {
        // SAFETY: it is what we stand before.
        return unsafe { TEXT.get::<ffi::reprfunc>()(set) };
    };
    // SAFETY: the GIL is held; new references or null with an error set come back, and what was entered is left. A set that is
    // shown already is left to the original, which knows how to show that.
    unsafe {
        if ffi::Py_ReprEnter(set) != 0 {
            return TEXT.get::<ffi::reprfunc>()(set);
        }
        let text = ffi::PyObject_Repr(ours.pointer());
        ffi::Py_ReprLeave(set);
        if text.is_null() {
            return null_mut();
        }
        let inner = ffi::PyUnicode_Substring(text, 1, ffi::PyUnicode_GetLength(text) - 1);
        ffi::Py_DECREF(text);
        if inner.is_null() {
            return null_mut();
        }
        let is_plain = ffi::Py_TYPE(set) == &raw mut ffi::PySet_Type;
        let form = if is_plain { c"{%U}" } else { c"frozenset({%U})" };
        let text = ffi::PyUnicode_FromFormat(form.as_ptr(), inner);
        ffi::Py_DECREF(inner);
        text
    }
}

unsafe extern "C" fn extend(object: *mut PyObject, argument: *mut PyObject) -> *mut PyObject {
    let ours = instead(argument, "list.extend");
    let argument = ours.as_ref().map_or(argument, Owned::pointer);
    // SAFETY: it is what we stand before, with the arguments that it is called with.
    unsafe { EXTEND.get::<None0>()(object, argument) }
}

unsafe extern "C" fn join(object: *mut PyObject, argument: *mut PyObject) -> *mut PyObject {
    let ours = instead(argument, "str.join");
    let argument = ours.as_ref().map_or(argument, Owned::pointer);
    // SAFETY: as above.
    unsafe { JOIN.get::<None0>()(object, argument) }
}

/// How many there are with those that are named.
///
/// # Safety
/// `names` is null or a tuple.
unsafe fn with_named(count: Py_ssize_t, names: *mut PyObject) -> usize {
    // SAFETY: as the caller says.
    let named = if names.is_null() { 0 } else { unsafe { ffi::PyTuple_Size(names) } };
    usize::try_from(count + named).unwrap_or(0)
}

unsafe extern "C" fn sorted_of(
    module: *mut PyObject,
    arguments: *const *mut PyObject,
    count: Py_ssize_t,
    names: *mut PyObject,
) -> *mut PyObject {
    // SAFETY: as above.
    unsafe {
        let original: ManyNamed = SORTED.get();
        // Without a key, what is equal cannot be told apart.
        let ours = if count > 0 && !names.is_null() { instead(*arguments, "sorted") } else { None };
        match ours {
            Some(ours) => {
                let all = replaced(&ours, arguments, with_named(count, names));
                original(module, all.as_ptr(), count, names)
            }
            None => original(module, arguments, count, names),
        }
    }
}

/// `list(s)`. The highest bit of the count says that the place before the first argument is free for use.
unsafe extern "C" fn list_of(
    class: *mut PyObject,
    arguments: *const *mut PyObject,
    count: usize,
    names: *mut PyObject,
) -> *mut PyObject {
    type Call = unsafe extern "C" fn(
        *mut PyObject,
        *const *mut PyObject,
        usize,
        *mut PyObject,
    ) -> *mut PyObject;
    const FREE: usize = 1 << (usize::BITS - 1);
    // SAFETY: as above.
    unsafe {
        let original: Call = LIST.get();
        let is_one = count & !FREE == 1 && names.is_null();
        match if is_one { instead(*arguments, "list") } else { None } {
            Some(ours) => original(class, [ours.pointer()].as_ptr(), 1, null_mut()),
            None => original(class, arguments, count, names),
        }
    }
}
