//! The interpreter that runs the tests, told from others that a test makes in the same process.
//!
//! They share the functions and types of CPython's that are changed here. But from 3.12 on each of them may have a lock and an
//! allocator of its own: what one has made, another can neither touch nor free.

use std::ptr::null_mut;
use std::sync::atomic::{AtomicPtr, Ordering};

use pyo3_ffi::{self as ffi, PyInterpreterState};

use crate::api;

static OF_THE_TESTS: AtomicPtr<PyInterpreterState> = AtomicPtr::new(null_mut());

/// It is the one that asks.
pub(super) fn begin() {
    // SAFETY: the GIL is held.
    OF_THE_TESTS.store(unsafe { ffi::PyInterpreterState_Get() }, Ordering::Release);
}

/// Whether this thread is in it. It must be in one.
pub(super) fn is_that_of_the_tests() -> bool {
    // SAFETY: the caller holds the GIL of some interpreter.
    unsafe { ffi::PyInterpreterState_Get() == OF_THE_TESTS.load(Ordering::Acquire) }
}

/// Whether another interpreter may have an allocator of its own.
pub(super) fn may_have_own_memory() -> bool {
    !api::is_before(12)
}
