//! Puts functions of ours in front of functions of CPython's own.
//!
//! A built-in function is a pointer to a definition that CPython reads at every call. To change the pointer in there reaches
//! everybody who has the function already, and leaves every object of Python's as it is. What is put in stays until the process
//! ends, and hands everything on while no test is under way.

use std::ffi::{CStr, c_char, c_int, c_void};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicPtr, Ordering};

use pyo3_ffi::{self as ffi, Py_ssize_t, PyObject};

use crate::api::{Object, Owned};

/// `PyMethodDef`.
#[repr(C)]
struct Definition {
    name: *const c_char,
    function: *mut c_void,
    flags: c_int,
    description: *const c_char,
}

/// The beginning of `PyCFunctionObject`; the same in all versions from 3.9 on.
#[repr(C)]
struct BuiltinLayout {
    head: [usize; 2],
    definition: *mut Definition,
}

/// How CPython calls a function.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Convention {
    None,
    One,
    Many,
    ManyNamed,
    Tuple,
}

impl Convention {
    fn of(flags: c_int) -> Option<Convention> {
        let known = [
            (ffi::METH_NOARGS, Convention::None),
            (ffi::METH_O, Convention::One),
            (METH_FASTCALL, Convention::Many),
            (METH_FASTCALL | ffi::METH_KEYWORDS, Convention::ManyNamed),
            (ffi::METH_VARARGS | ffi::METH_KEYWORDS, Convention::Tuple),
        ];
        let plain = flags & !(ffi::METH_CLASS | ffi::METH_STATIC);
        known.into_iter().find(|(flag, _)| *flag == plain).map(|(_, convention)| convention)
    }
}

/// Part of the limited API only since 3.10, and the same before.
const METH_FASTCALL: c_int = 0x0080;

pub(crate) type None0 = unsafe extern "C" fn(*mut PyObject, *mut PyObject) -> *mut PyObject;
pub(crate) type Many =
    unsafe extern "C" fn(*mut PyObject, *const *mut PyObject, Py_ssize_t) -> *mut PyObject;
pub(crate) type ManyNamed = unsafe extern "C" fn(
    *mut PyObject,
    *const *mut PyObject,
    Py_ssize_t,
    *mut PyObject,
) -> *mut PyObject;
pub(crate) type Tuple =
    unsafe extern "C" fn(*mut PyObject, *mut PyObject, *mut PyObject) -> *mut PyObject;

/// A function of CPython's that one of ours stands in front of.
#[derive(Debug)]
pub(crate) struct Original(AtomicPtr<c_void>);

impl Original {
    pub(crate) const fn new() -> Original {
        Original(AtomicPtr::new(std::ptr::null_mut()))
    }

    /// # Safety
    /// `F` is the type of the function that was put away here; ours is only called where it stands in front of it.
    pub(crate) unsafe fn get<F: Copy>(&self) -> F {
        const { assert!(size_of::<F>() == size_of::<*mut c_void>()) };
        let function = self.0.load(Ordering::Acquire);
        // SAFETY: a pointer to a function of the type that the caller vouches for.
        unsafe { std::mem::transmute_copy(&function) }
    }

    pub(crate) fn set(&self, function: *mut c_void) {
        self.0.store(function, Ordering::Release);
    }

    pub(crate) fn is_set(&self) -> bool {
        !self.0.load(Ordering::Acquire).is_null()
    }

    /// Puts `ours` in front of a built-in function that is called by this convention; fails if it is none.
    ///
    /// # Safety
    /// `ours` is a function of the type that goes with the convention, and hands on to this original.
    pub(crate) unsafe fn stand_before(
        &self,
        function: &Owned,
        name: &CStr,
        convention: Convention,
        ours: *mut c_void,
    ) -> Result<(), String> {
        let unknown = || format!("{} is not as expected", name.to_string_lossy());
        if self.is_set() {
            return Ok(());
        }
        let definition = definition(function.get()).ok_or_else(unknown)?;
        // SAFETY: `definition` has seen that it is one; CPython keeps it in writable memory for as long as the process lives, and
        // reads it with the GIL held, as we do.
        unsafe {
            let named = CStr::from_ptr((*definition).name) == name;
            if !named || Convention::of((*definition).flags) != Some(convention) {
                return Err(unknown());
            }
            self.set((*definition).function);
            (*definition).function = ours;
        }
        Ok(())
    }
}

/// How a built-in function wants to be called.
pub(crate) fn convention(function: &Owned) -> Option<Convention> {
    // SAFETY: `definition` has seen that it is one.
    definition(function.get()).and_then(|definition| unsafe { Convention::of((*definition).flags) })
}

/// Of what is exactly a built-in function, after a look at whether it is where it is expected.
fn definition(function: Object<'_>) -> Option<*mut Definition> {
    // SAFETY: the type is CPython's own; a function of exactly that type has the layout, as the comparison with what CPython
    // itself tells confirms.
    unsafe {
        if function.type_of().as_ptr() != (&raw mut ffi::PyCFunction_Type).cast() {
            return None;
        }
        let told = ffi::PyCFunction_GetFunction(function.as_ptr())?;
        let flags = ffi::PyCFunction_GetFlags(function.as_ptr());
        let definition = (*function.as_ptr().cast::<BuiltinLayout>()).definition;
        let is_there = !definition.is_null()
            && std::ptr::eq((*definition).function, told as *mut c_void)
            && (*definition).flags == flags;
        is_there.then_some(definition)
    }
}

/// What `work` makes; none if it does not want to, or fails in any way. No error is left behind.
pub(crate) fn tried<T>(work: impl FnOnce() -> Option<T>) -> Option<T> {
    catch_unwind(AssertUnwindSafe(work)).ok().flatten()
}

/// A new list of these.
pub(crate) fn list(elements: &[Owned], order: &[u32]) -> Option<Owned> {
    // SAFETY: the GIL is held; the list is new, and takes over a reference for each place.
    unsafe {
        let list = Owned::from_new(ffi::PyList_New(order.len() as Py_ssize_t))?;
        for (to, from) in order.iter().enumerate() {
            let element = elements.get(*from as usize)?.pointer();
            ffi::Py_INCREF(element);
            ffi::PyList_SetItem(list.pointer(), to as Py_ssize_t, element);
        }
        Some(list)
    }
}

/// Hands the reference over to Python.
pub(crate) fn into_python(owned: Owned) -> *mut PyObject {
    let pointer = owned.pointer();
    std::mem::forget(owned);
    pointer
}
