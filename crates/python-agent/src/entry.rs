//! What Python calls.

use std::ffi::{CStr, CString};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::ptr::{addr_of_mut, null_mut};
use std::sync::{Mutex, MutexGuard, PoisonError};

use pyo3_ffi::{self as ffi, PyMethodDef, PyMethodDefPointer, PyModuleDef, PyObject};

use crate::api::{Object, Owned};
use crate::choices::entry as choices;
use crate::choices::lists;
use crate::fork::fork_aside;
use crate::known::Known;
use crate::observer::Observer;

static OBSERVER: Mutex<Option<Observer>> = Mutex::new(None);

type Function = unsafe extern "C" fn(*mut PyObject, *mut PyObject) -> *mut PyObject;

const fn method(name: &'static CStr, function: Function, flags: i32) -> PyMethodDef {
    PyMethodDef {
        ml_name: name.as_ptr(),
        ml_meth: PyMethodDefPointer { PyCFunction: function },
        ml_flags: flags,
        ml_doc: std::ptr::null(),
    }
}

/// Python writes to neither of them but for reference counts, under the GIL.
static mut METHODS: [PyMethodDef; 19] = [
    method(c"begin", begin, ffi::METH_VARARGS),
    method(c"test_starts", test_starts, ffi::METH_NOARGS),
    method(c"fixture_starts", fixture_starts, ffi::METH_NOARGS),
    method(c"fixture_ends", fixture_ends, ffi::METH_NOARGS),
    method(c"others_are_set_up", others_are_set_up, ffi::METH_NOARGS),
    method(c"test_is_over", test_is_over, ffi::METH_NOARGS),
    method(c"test_ends", test_ends, ffi::METH_NOARGS),
    method(c"lose_track", lose_track, ffi::METH_NOARGS),
    method(c"troubles", troubles, ffi::METH_NOARGS),
    method(c"choose_begin", choices::begin, ffi::METH_VARARGS),
    method(c"choose_connections", choices::connections, ffi::METH_VARARGS),
    method(c"choose_starts", choices::test_starts, ffi::METH_O),
    method(c"choose_pause", choices::pause, ffi::METH_O),
    method(c"choose_ends", choices::test_ends, ffi::METH_NOARGS),
    method(c"choose", choices::choose, ffi::METH_VARARGS),
    method(c"choose_listed", lists::listed, ffi::METH_O),
    method(c"end_with_parent", end_with_parent, ffi::METH_NOARGS),
    method(c"fork_aside", fork_aside, ffi::METH_NOARGS),
    PyMethodDef::zeroed(),
];

static mut MODULE: PyModuleDef = PyModuleDef {
    m_base: ffi::PyModuleDef_HEAD_INIT,
    m_name: c"surefoot_pytest._state".as_ptr(),
    m_doc: c"The state that tests share, and the orders that they see; see Surefoot's crates/python-agent.".as_ptr(),
    m_size: -1,
    m_methods: addr_of_mut!(METHODS).cast(),
    m_slots: null_mut(),
    m_traverse: None,
    m_clear: None,
    m_free: None,
};

/// # Safety
/// Called by Python's import system, once.
#[unsafe(no_mangle)]
unsafe extern "C" fn PyInit__state() -> *mut PyObject {
    // What goes wrong is told as an exception; nothing is printed into the user's output. The hook is that of this library's own
    // copy of the standard library.
    std::panic::set_hook(Box::new(|_| {}));
    // SAFETY: the definition lives as long as the process.
    unsafe { ffi::PyModule_Create(&raw mut MODULE) }
}

fn observer() -> Option<MutexGuard<'static, Option<Observer>>> {
    match OBSERVER.try_lock() {
        Ok(guard) => Some(guard),
        Err(std::sync::TryLockError::Poisoned(guard)) => Some(PoisonError::into_inner(guard)),
        // Another thread is at it: tests overlap, and nobody can tell which of them changed what.
        Err(std::sync::TryLockError::WouldBlock) => None,
    }
}

/// Runs what a call is for; a panic becomes an exception, and ends the looks.
pub(crate) fn guarded(work: impl FnOnce() -> Result<Option<String>, String>) -> *mut PyObject {
    let result = catch_unwind(AssertUnwindSafe(work)).unwrap_or_else(|_| {
        if let Some(mut observer) = observer() {
            *observer = None;
        }
        Err("the state of a test could not be read; later ones are not looked at".to_owned())
    });
    // SAFETY: the GIL is held; each returns a new reference, or null with an error set.
    unsafe {
        match result {
            Ok(Some(text)) => {
                ffi::PyUnicode_FromStringAndSize(text.as_ptr().cast(), text.len() as isize)
            }
            Ok(None) => {
                let none = ffi::Py_None();
                ffi::Py_INCREF(none);
                none
            }
            Err(what) => {
                let what = CString::new(what.replace('\0', " ")).unwrap_or_default();
                ffi::PyErr_SetString(ffi::PyExc_RuntimeError, what.as_ptr());
                null_mut()
            }
        }
    }
}

fn with(look: impl FnOnce(&mut Observer) -> Option<String>) -> *mut PyObject {
    guarded(|| {
        let Some(mut guard) = observer() else { return Ok(None) };
        Ok(guard.as_mut().and_then(look))
    })
}

pub(crate) fn json(value: Option<impl serde::Serialize>) -> Option<String> {
    value.and_then(|value| serde_json::to_string(&value).ok())
}

/// `begin(wanted, fixtures, sample, instance, held)`: from now on. See [`Known::fits`] for the last three.
unsafe extern "C" fn begin(_: *mut PyObject, arguments: *mut PyObject) -> *mut PyObject {
    guarded(|| {
        // SAFETY: Python hands over a tuple that lives until this call returns.
        let arguments = unsafe { Object::borrowed(arguments) };
        let arguments: Vec<Object<'_>> =
            arguments.into_iter().flat_map(Object::tuple_items).collect();
        let [wanted, fixtures, sample, instance, held] = arguments[..] else {
            return Err("begin takes five arguments".to_owned());
        };
        let wanted = wanted.text().ok_or("no text")?;
        let wanted = serde_json::from_str(wanted).map_err(|error| error.to_string())?;
        if !fixtures.is_dict() {
            return Err("the fixtures are no dict".to_owned());
        }
        let unknown = "this Python keeps its objects in a way that Surefoot does not know";
        let known = Known::new().ok_or(unknown)?;
        let [sample, instance, held] = [sample, instance, held].map(Object::to_owned);
        if !known.fits(&sample, &instance, &held) {
            return Err(unknown.to_owned());
        }
        let fixtures: Owned = fixtures.to_owned();
        if let Some(mut observer) = observer() {
            *observer = Some(Observer::new(known, wanted, fixtures));
        }
        Ok(None)
    })
}

unsafe extern "C" fn test_starts(_: *mut PyObject, _: *mut PyObject) -> *mut PyObject {
    with(|observer| json(observer.test_starts()))
}

unsafe extern "C" fn fixture_starts(_: *mut PyObject, _: *mut PyObject) -> *mut PyObject {
    with(|observer| {
        observer.fixture_starts();
        None
    })
}

unsafe extern "C" fn others_are_set_up(_: *mut PyObject, _: *mut PyObject) -> *mut PyObject {
    with(|observer| {
        observer.others_are_set_up();
        None
    })
}

unsafe extern "C" fn fixture_ends(_: *mut PyObject, _: *mut PyObject) -> *mut PyObject {
    with(|observer| json(observer.fixture_ends()))
}

unsafe extern "C" fn test_is_over(_: *mut PyObject, _: *mut PyObject) -> *mut PyObject {
    with(|observer| {
        observer.test_is_over();
        None
    })
}

unsafe extern "C" fn test_ends(_: *mut PyObject, _: *mut PyObject) -> *mut PyObject {
    with(|observer| json(observer.test_ends()))
}

unsafe extern "C" fn lose_track(_: *mut PyObject, _: *mut PyObject) -> *mut PyObject {
    with(|observer| {
        observer.lose_track();
        None
    })
}

unsafe extern "C" fn troubles(_: *mut PyObject, _: *mut PyObject) -> *mut PyObject {
    with(|observer| json(Some(observer.troubles()).filter(|troubles| !troubles.is_empty())))
}

/// From now on, this process is killed when the one that forked it ends.
unsafe extern "C" fn end_with_parent(_: *mut PyObject, _: *mut PyObject) -> *mut PyObject {
    guarded(|| {
        let kill = Some(rustix::process::Signal::KILL);
        let done = rustix::process::set_parent_process_death_signal(kill);
        done.map(|()| None).map_err(|error| error.to_string())
    })
}
