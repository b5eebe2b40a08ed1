//! Who asks for the hash of a text, in a process that was started with another seed for these. It is only noted: the hash is what it is.

use std::ffi::c_void;

use pyo3_ffi::PyObject;
use surefoot_model::choice::HASH_SEED;

use super::hooks::{Convention, None0, Original, tried};
use super::values;
use crate::api::{Object, Owned};

/// Most places that are told.
const MOST_PLACES: usize = 4;

static HASH: Original = Original::new();

/// What could not be done, and why.
pub(crate) fn hook() -> Result<(), String> {
    let hash = Owned::import(c"builtins", c"hash").ok_or("there is no hash")?;
    // SAFETY: it is of the type of the convention, and hands on to its original.
    unsafe { HASH.stand_before(&hash, c"hash", Convention::One, hash_of as *mut c_void) }
}

unsafe extern "C" fn hash_of(module: *mut PyObject, object: *mut PyObject) -> *mut PyObject {
    if super::is_under_way() {
        tried(|| {
            // SAFETY: the caller holds its argument.
            let object = unsafe { Object::borrowed(object) }?;
            if !values::holds_text(object) {
                return None;
            }
            let place = super::place(HASH_SEED, "hash", false)?;
            let mut guard = super::making()?;
            let stacks = &mut guard.as_mut()?.hashed;
            if stacks.len() < MOST_PLACES && !stacks.contains(&place.stack) {
                stacks.push(place.stack);
            }
            Some(())
        });
    }
    // SAFETY: it is what we stand before, with the argument that it is called with.
    unsafe { HASH.get::<None0>()(module, object) }
}
