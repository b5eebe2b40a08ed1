//! An iterator over the members of a set in another order; otherwise as CPython's own.

use std::ffi::{CStr, c_int, c_void};
use std::ptr::null_mut;
use std::sync::atomic::{AtomicPtr, Ordering};

use pyo3_ffi::{self as ffi, Py_ssize_t, PyMethodDef, PyMethodDefPointer, PyObject, PyTypeObject};

use super::hooks::into_python;
use super::sets::{Visit, has_size};
use crate::api::{Object, Owned};

static CLASS: AtomicPtr<PyTypeObject> = AtomicPtr::new(null_mut());

/// An instance. Both references are null once it is through.
#[repr(C)]
struct Instance {
    head: PyObject,
    set: *mut PyObject,
    /// A list of the members.
    members: *mut PyObject,
    /// How many of them were handed out.
    at: Py_ssize_t,
    /// Of the set when it began; negative once it has changed.
    size: Py_ssize_t,
}

const fn method(name: &'static CStr, function: ffi::PyCFunction) -> PyMethodDef {
    PyMethodDef {
        ml_name: name.as_ptr(),
        ml_meth: PyMethodDefPointer { PyCFunction: function },
        ml_flags: ffi::METH_NOARGS,
        ml_doc: std::ptr::null(),
    }
}

static mut METHODS: [PyMethodDef; 3] =
    [method(c"__length_hint__", length_hint), method(c"__reduce__", reduce), PyMethodDef::zeroed()];

/// Makes the class, once.
pub(crate) fn define() -> Result<(), String> {
    if !CLASS.load(Ordering::Acquire).is_null() {
        return Ok(());
    }
    let slot = |slot: c_int, pfunc: *mut c_void| ffi::PyType_Slot { slot, pfunc };
    let mut slots = [
        slot(ffi::Py_tp_dealloc, deallocate as *mut c_void),
        slot(ffi::Py_tp_traverse, traverse as *mut c_void),
        slot(ffi::Py_tp_clear, clear as *mut c_void),
        slot(ffi::Py_tp_iter, ffi::PyObject_SelfIter as *mut c_void),
        slot(ffi::Py_tp_iternext, next as *mut c_void),
        slot(ffi::Py_tp_methods, (&raw mut METHODS).cast()),
        slot(0, null_mut()),
    ];
    let mut spec = ffi::PyType_Spec {
        name: c"builtins.set_iterator".as_ptr(),
        basicsize: size_of::<Instance>() as c_int,
        itemsize: 0,
        flags: (ffi::Py_TPFLAGS_DEFAULT | ffi::Py_TPFLAGS_HAVE_GC) as _,
        slots: slots.as_mut_ptr(),
    };
    // SAFETY: the functions are of the types of their slots; CPython copies all but the methods, which live as long as the
    // process. The class is kept for as long.
    let class = unsafe { Owned::from_new(ffi::PyType_FromSpec(&raw mut spec)) };
    let class = class.ok_or("an iterator over sets cannot be made")?;
    CLASS.store(into_python(class).cast(), Ordering::Release);
    Ok(())
}

/// Over these members of a set.
pub(crate) fn over(set: Object<'_>, members: Owned) -> Option<Owned> {
    let class = CLASS.load(Ordering::Acquire);
    if class.is_null() {
        return None;
    }
    // SAFETY: the class is ours, so a new instance has room for the fields, all of them zero.
    unsafe {
        let iterator = Owned::from_new(ffi::PyType_GenericAlloc(class, 0))?;
        let instance = iterator.pointer().cast::<Instance>();
        (*instance).size = ffi::PySet_Size(set.as_ptr());
        (*instance).set = into_python(set.to_owned());
        (*instance).members = into_python(members);
        Some(iterator)
    }
}

unsafe extern "C" fn next(iterator: *mut PyObject) -> *mut PyObject {
    let instance = iterator.cast::<Instance>();
    // SAFETY: CPython hands in an instance of the class, whose fields are as `over` and this have left them.
    unsafe {
        if (*instance).set.is_null() {
            return null_mut();
        }
        if !has_size((*instance).set, (*instance).size) {
            // As CPython's own: from now on at every call.
            (*instance).size = -1;
            let words = c"Set changed size during iteration";
            ffi::PyErr_SetString(ffi::PyExc_RuntimeError, words.as_ptr());
            return null_mut();
        }
        let member = ffi::PyList_GetItem((*instance).members, (*instance).at);
        if member.is_null() {
            ffi::PyErr_Clear();
            clear(iterator);
            return null_mut();
        }
        ffi::Py_INCREF(member);
        (*instance).at += 1;
        member
    }
}

unsafe extern "C" fn length_hint(iterator: *mut PyObject, _: *mut PyObject) -> *mut PyObject {
    let instance = iterator.cast::<Instance>();
    // SAFETY: as above.
    unsafe {
        let is_left = !(*instance).set.is_null() && has_size((*instance).set, (*instance).size);
        ffi::PyLong_FromSsize_t(if is_left { (*instance).size - (*instance).at } else { 0 })
    }
}

/// As a copy is made, or a pickle: `iter` of a list of what is left.
unsafe extern "C" fn reduce(iterator: *mut PyObject, _: *mut PyObject) -> *mut PyObject {
    let instance = iterator.cast::<Instance>();
    // SAFETY: as above; new references or null come back, and the tuples take references of their own.
    unsafe {
        let (members, at) = ((*instance).members, (*instance).at);
        let left = match members.is_null() {
            true => ffi::PyList_New(0),
            false => ffi::PyList_GetSlice(members, at, ffi::PyList_Size(members)),
        };
        let parts = (Owned::import(c"builtins", c"iter"), Owned::from_new(left));
        let (Some(iter), Some(left)) = parts else { return ffi::PyErr_NoMemory() };
        let Some(arguments) = Owned::from_new(ffi::PyTuple_Pack(1, left.pointer())) else {
            return ffi::PyErr_NoMemory();
        };
        ffi::PyTuple_Pack(2, iter.pointer(), arguments.pointer())
    }
}

unsafe extern "C" fn traverse(
    iterator: *mut PyObject,
    visit: Visit,
    argument: *mut c_void,
) -> c_int {
    let instance = iterator.cast::<Instance>();
    // SAFETY: as above; an instance of a class that was made holds its class, too.
    unsafe {
        let class: *mut PyObject = ffi::Py_TYPE(iterator).cast();
        for held in [(*instance).set, (*instance).members, class] {
            if !held.is_null() {
                let result = visit(held, argument);
                if result != 0 {
                    return result;
                }
            }
        }
    }
    0
}

unsafe extern "C" fn clear(iterator: *mut PyObject) -> c_int {
    let instance = iterator.cast::<Instance>();
    // SAFETY: as above; the fields are empty before anything can run that looks at them.
    unsafe {
        let held = [(*instance).set, (*instance).members];
        ((*instance).set, (*instance).members) = (null_mut(), null_mut());
        for held in held {
            if !held.is_null() {
                ffi::Py_DECREF(held);
            }
        }
    }
    0
}

unsafe extern "C" fn deallocate(iterator: *mut PyObject) {
    // SAFETY: CPython calls it once for an instance that nobody refers to any more.
    unsafe {
        let class = ffi::Py_TYPE(iterator);
        ffi::PyObject_GC_UnTrack(iterator.cast());
        clear(iterator);
        ffi::PyObject_GC_Del(iterator.cast());
        ffi::Py_DECREF(class.cast());
    }
}
