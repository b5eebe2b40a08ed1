//! Listings of directories, and all that is built on them: `os.walk`, `glob`, `pathlib`, `shutil`.
//!
//! Of `os.listdir`: "The list is in arbitrary order". Of `os.scandir`: "The entries are yielded in arbitrary order".

use std::ffi::c_void;
use std::sync::Mutex;

use pyo3_ffi::{self as ffi, Py_ssize_t, PyObject};

use super::hooks::{Convention, ManyNamed, Original, into_python, list, tried};
use super::values;
use crate::api::{Object, Owned};

pub(crate) const MODEL: &str = "os.listdir";

static LIST: Original = Original::new();
static SCAN: Original = Original::new();

/// Makes what `os.scandir` returns of a list of entries.
static ENTRIES: Mutex<Option<Owned>> = Mutex::new(None);

/// What could not be done, and why.
pub(crate) fn hook(entries: Owned) -> Vec<String> {
    if let Ok(mut known) = ENTRIES.lock() {
        *known = Some(entries);
    }
    let functions = [
        (&LIST, c"listdir", list_directory as *mut c_void),
        (&SCAN, c"scandir", scan_directory as *mut c_void),
    ];
    let mut troubles = Vec::new();
    for (original, name, ours) in functions {
        let Some(function) = Owned::import(c"posix", name) else { continue };
        // SAFETY: both are of the type of the convention, and hand on to their originals.
        let done = unsafe { original.stand_before(&function, name, Convention::ManyNamed, ours) };
        troubles.extend(done.err());
    }
    troubles
}

unsafe extern "C" fn list_directory(
    module: *mut PyObject,
    arguments: *const *mut PyObject,
    count: Py_ssize_t,
    names: *mut PyObject,
) -> *mut PyObject {
    // SAFETY: it is what we stand before, with the arguments that it is called with.
    let listing = unsafe { LIST.get::<ManyNamed>()(module, arguments, count, names) };
    let ours = tried(|| {
        // SAFETY: it is null or a new reference, which the caller will own.
        let found = unsafe { Object::borrowed(listing) }?;
        if !super::is_under_way() || found.flags() & crate::api::LIST == 0 {
            return None;
        }
        let names: Vec<Owned> = found.list_items().map(Object::to_owned).collect();
        if names.len() < 2 {
            return None;
        }
        let place = super::place(MODEL, "os.listdir", false)?;
        let order = super::order(MODEL, &place, &names, values::sorted(&names).as_ref())?;
        list(&names, &order)
    });
    match ours {
        Some(ours) => {
            // SAFETY: the listing is not null, and nobody else has it.
            unsafe { ffi::Py_DECREF(listing) };
            into_python(ours)
        }
        None => listing,
    }
}

unsafe extern "C" fn scan_directory(
    module: *mut PyObject,
    arguments: *const *mut PyObject,
    count: Py_ssize_t,
    names: *mut PyObject,
) -> *mut PyObject {
    // SAFETY: as above.
    let scan = unsafe { SCAN.get::<ManyNamed>()(module, arguments, count, names) };
    if scan.is_null() || !super::is_under_way() {
        return scan;
    }
    let Some(place) = tried(|| super::place(MODEL, "os.scandir", false)) else { return scan };
    // SAFETY: it is an iterator of CPython's own, and a new reference that nobody else has.
    let (entries, failed) = unsafe {
        let scan = Owned::from_new(scan);
        let mut entries = Vec::new();
        while let Some(entry) =
            scan.as_ref().map(|scan| ffi::PyIter_Next(scan.pointer())).filter(|at| !at.is_null())
        {
            entries.extend(Owned::from_new(entry));
        }
        (entries, !ffi::PyErr_Occurred().is_null())
    };
    if failed {
        // The directory cannot be read to its end: told now instead of later.
        return std::ptr::null_mut();
    }
    let order = tried(|| {
        let names: Option<Vec<Owned>> =
            entries.iter().map(|entry| entry.attribute(c"name")).collect();
        let names = names.filter(|names| names.len() > 1)?;
        super::order(MODEL, &place, &names, values::sorted(&names).as_ref())
    });
    let order = order.unwrap_or_else(|| (0..entries.len() as u32).collect());
    let made = tried(|| {
        let entries = list(&entries, &order)?;
        ENTRIES.lock().ok()?.as_ref()?.call(&[entries.get()])
    });
    match made {
        Some(made) => into_python(made),
        // SAFETY: the GIL is held.
        None => unsafe { ffi::PyErr_NoMemory() },
    }
}
