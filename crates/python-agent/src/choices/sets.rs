//! Sets and frozen sets, in every form in which CPython reads them one by one.
//!
//! "A set object is an unordered collection of distinct hashable objects. [...] Being an unordered collection, sets do not
//! record element position or order of insertion." (The Python Standard Library, Set Types). Of `pop`: "Remove and return an
//! arbitrary element from the set."

use std::ffi::{c_int, c_void};
use std::ptr::null_mut;

use pyo3_ffi::{self as ffi, Py_ssize_t, PyObject, PyTypeObject};

use super::hooks::{Convention, Many, None0, Original, into_python, list, tried};
use super::{iterator, lists};
use crate::api::{Object, Owned};
use crate::layout;

pub(crate) const MODEL: &str = "set";

/// To pick one of many again and again would take longer than the tests do.
const MOST_TO_POP: usize = 1000;

static ITERATE: Original = Original::new();
static POP: Original = Original::new();
static FROM_KEYS: Original = Original::new();

/// What could not be done, and why.
pub(crate) fn hook() -> Vec<String> {
    let mut troubles = Vec::new();
    let mut tell = |done: Result<(), String>| troubles.extend(done.err());
    tell(iterator::define());
    tell(hook_iteration());
    // SAFETY: each function is of the type of its convention, and hands on to the original that it is put away in.
    unsafe {
        let none = Convention::None;
        tell(before(&POP, method(c"set", c"pop"), c"pop", none, pop as *mut c_void));
        let from_keys = method(c"dict", c"fromkeys");
        let many = Convention::Many;
        tell(before(&FROM_KEYS, from_keys, c"fromkeys", many, from_keys_of as *mut c_void));
    }
    lists::hook(&mut tell);
    troubles
}

/// A method of a new instance of a built-in class: its definition is that of all of them.
pub(crate) fn method(class: &std::ffi::CStr, name: &std::ffi::CStr) -> Option<Owned> {
    Owned::import(c"builtins", class)?.call(&[])?.attribute(name)
}

/// # Safety
/// As for [`Original::stand_before`].
pub(crate) unsafe fn before(
    original: &Original,
    function: Option<Owned>,
    name: &std::ffi::CStr,
    convention: Convention,
    ours: *mut c_void,
) -> Result<(), String> {
    let missing = || format!("there is no {}", name.to_string_lossy());
    // SAFETY: as the caller says.
    unsafe { original.stand_before(&function.ok_or_else(missing)?, name, convention, ours) }
}

fn hook_iteration() -> Result<(), String> {
    if ITERATE.is_set() {
        return Ok(());
    }
    let places = [&raw mut ffi::PySet_Type, &raw mut ffi::PyFrozenSet_Type].map(layout::iteration);
    let unknown = "sets are not laid out as expected";
    let [Some(of_set), Some(of_frozen)] = places else { return Err(unknown.to_owned()) };
    // SAFETY: `iteration` has seen that they are slots of types, which CPython reads with the GIL held, as we do.
    unsafe {
        if *of_set != *of_frozen {
            return Err(unknown.to_owned());
        }
        ITERATE.set(*of_set);
        *of_set = iterate as *mut c_void;
        *of_frozen = iterate as *mut c_void;
    }
    Ok(())
}

/// The members of a set as they come in CPython's own order.
fn members(set: Object<'_>) -> Option<Vec<Owned>> {
    // SAFETY: it is a set; its own iterator, which runs no other code, gives new references.
    unsafe {
        let iterate: ffi::getiterfunc = ITERATE.get();
        let iterator = Owned::from_new(iterate(set.as_ptr()))?;
        let next = || Owned::from_new(ffi::PyIter_Next(iterator.pointer()));
        Some(std::iter::from_fn(next).collect())
    }
}

/// The members in another order, if whoever asks is to see one.
pub(crate) fn ordered(set: Object<'_>, api: &str, most: usize) -> Option<(Vec<Owned>, Vec<u32>)> {
    if !super::is_under_way() {
        return None;
    }
    // SAFETY: it is a set.
    let size = usize::try_from(unsafe { ffi::PySet_Size(set.as_ptr()) }).unwrap_or(0);
    if size < 2 || size > most {
        return None;
    }
    let place = super::place(MODEL, api, false)?;
    let members = members(set)?;
    let order = super::order_of(MODEL, &place, set, &members)?;
    Some((members, order))
}

/// A list of the members of what is exactly a set or a frozen set.
pub(crate) fn instead(argument: *mut PyObject, api: &str) -> Option<Owned> {
    tried(|| {
        // SAFETY: the caller of the function that we stand before holds its argument.
        let set = unsafe { Object::borrowed(argument) }?;
        if !is_set(set) {
            return None;
        }
        let (members, order) = ordered(set, api, usize::MAX)?;
        list(&members, &order)
    })
}

pub(crate) fn is_set(object: Object<'_>) -> bool {
    let class: *mut PyTypeObject = object.type_of().as_ptr().cast();
    class == &raw mut ffi::PySet_Type || class == &raw mut ffi::PyFrozenSet_Type
}

unsafe extern "C" fn iterate(set: *mut PyObject) -> *mut PyObject {
    let ours = tried(|| {
        // SAFETY: the caller holds it.
        let object = unsafe { Object::borrowed(set) }?;
        let (members, order) = ordered(object, "iteration of a set", usize::MAX)?;
        iterator::over(object, list(&members, &order)?)
    });
    match ours {
        Some(iterator) => into_python(iterator),
        // SAFETY: it is what we stand before.
        None => unsafe { ITERATE.get::<ffi::getiterfunc>()(set) },
    }
}

unsafe extern "C" fn pop(set: *mut PyObject, nothing: *mut PyObject) -> *mut PyObject {
    let chosen = tried(|| {
        // SAFETY: the caller holds it.
        let (members, order) = ordered(unsafe { Object::borrowed(set) }?, "set.pop", MOST_TO_POP)?;
        members.into_iter().nth(*order.first()? as usize)
    });
    if let Some(member) = chosen {
        // SAFETY: it is a set that its caller may change. An error is the member's own, whose hash cannot be computed again.
        match unsafe { ffi::PySet_Discard(set, member.pointer()) } {
            1 => return into_python(member),
            0 => {}
            _ => return null_mut(),
        }
    }
    // SAFETY: it is what we stand before.
    unsafe { POP.get::<None0>()(set, nothing) }
}

/// The arguments with the first one replaced, as long as ours is alive.
///
/// # Safety
/// `arguments` has that many.
pub(crate) unsafe fn replaced(
    ours: &Owned,
    arguments: *const *mut PyObject,
    count: usize,
) -> Vec<*mut PyObject> {
    // SAFETY: as the caller says.
    let mut all = unsafe { std::slice::from_raw_parts(arguments, count) }.to_vec();
    all[0] = ours.pointer();
    all
}

unsafe extern "C" fn from_keys_of(
    class: *mut PyObject,
    arguments: *const *mut PyObject,
    count: Py_ssize_t,
) -> *mut PyObject {
    // SAFETY: it is what we stand before, with the arguments that it is called with, of which there are so many.
    unsafe {
        let original: Many = FROM_KEYS.get();
        let ours = if count > 0 { instead(*arguments, "dict.fromkeys") } else { None };
        match ours {
            Some(ours) => {
                let all = replaced(&ours, arguments, count as usize);
                original(class, all.as_ptr(), count)
            }
            None => original(class, arguments, count),
        }
    }
}

/// Whether a set still has as many members as it had.
pub(crate) fn has_size(set: *mut PyObject, size: Py_ssize_t) -> bool {
    // SAFETY: the iterator holds the set.
    unsafe { ffi::PySet_Size(set) == size }
}

/// What CPython calls to visit what an object refers to.
pub(crate) type Visit = unsafe extern "C" fn(*mut PyObject, *mut c_void) -> c_int;
