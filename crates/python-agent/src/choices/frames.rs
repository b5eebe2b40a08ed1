//! The stack of this thread, frame by frame, read without running any code of Python's.

use std::ffi::{CStr, c_int};

use pyo3_ffi::{self as ffi, PyObject};

use crate::api::{Object, Owned};
use crate::settings::entry;

// Public functions of every CPython from 3.9 on that the limited API of 3.9 leaves out; see `api.rs`.
unsafe extern "C" {
    fn PyFrame_GetBack(frame: *mut PyObject) -> *mut PyObject;
    fn PyFrame_GetCode(frame: *mut PyObject) -> *mut PyObject;
    fn PyFrame_GetLineNumber(frame: *mut PyObject) -> c_int;
}

#[derive(Debug)]
pub(crate) struct Frame {
    frame: Owned,
    code: Owned,
}

impl Frame {
    /// Of the code of Python's that runs in this thread, or that called what does.
    pub(crate) fn current() -> Option<Frame> {
        // SAFETY: the GIL is held; the frame is borrowed from the thread, which is at it.
        let frame = unsafe { Object::borrowed(ffi::PyEval_GetFrame().cast()) }?;
        Frame::of(frame.to_owned())
    }

    pub(crate) fn caller(&self) -> Option<Frame> {
        // SAFETY: it is a frame; a new reference or null comes back.
        let frame = unsafe { Owned::from_new(PyFrame_GetBack(self.frame.pointer())) };
        Frame::of(frame?)
    }

    fn of(frame: Owned) -> Option<Frame> {
        // SAFETY: it is a frame; a new reference comes back.
        let code = unsafe { Owned::from_new(PyFrame_GetCode(frame.pointer())) }?;
        Some(Frame { frame, code })
    }

    pub(crate) fn line(&self) -> i32 {
        // SAFETY: it is a frame.
        unsafe { PyFrame_GetLineNumber(self.frame.pointer()) }
    }

    pub(crate) fn file(&self) -> String {
        self.text(c"co_filename")
    }

    pub(crate) fn function(&self) -> String {
        self.text(c"co_name")
    }

    /// With the classes around it, which CPython knows from 3.11 on.
    pub(crate) fn qualified(&self) -> String {
        let name = self.text(c"co_qualname");
        if name.is_empty() { self.function() } else { name }
    }

    /// The module's name as the code itself sees it.
    pub(crate) fn module(&self) -> String {
        let globals = self.frame.attribute(c"f_globals").filter(|globals| globals.get().is_dict());
        let name = globals.as_ref().and_then(|globals| entry(globals.get(), "__name__"));
        name.filter(|name| name.is_text()).map(Object::any_text).unwrap_or_default()
    }

    fn text(&self, attribute: &CStr) -> String {
        let text = self.code.attribute(attribute);
        let text = text.as_ref().map(Owned::get).filter(|text| text.is_text());
        text.map(Object::any_text).unwrap_or_default()
    }
}
