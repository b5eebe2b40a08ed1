//! CPython's C interface, as far as it is needed to read objects. Together with `layout.rs` and `entry.rs` the only place that
//! calls it.
//!
//! A walk reads objects while the GIL is held and the garbage collector is switched off, and calls only functions that run no
//! code of the user's: none that compares, hashes, converts or looks attributes up through a type. So nothing that was reached
//! can go away before the walk is over.

use std::ffi::{CStr, c_char, c_int, c_void};
use std::marker::PhantomData;
use std::ptr::{NonNull, null_mut};

use crate::layout;
use pyo3_ffi::{self as ffi, Py_ssize_t, PyObject};

// Public functions of CPython that the limited API of 3.9 leaves out. All of them are in every version from 3.9 on; where one
// were missing, the module could not be loaded, and the plug-in says so.
unsafe extern "C" {
    fn PyUnicode_AsUTF8AndSize(text: *mut PyObject, size: *mut Py_ssize_t) -> *const c_char;
    fn PyObject_GenericGetDict(object: *mut PyObject, context: *mut c_void) -> *mut PyObject;
    fn PyFunction_GetCode(function: *mut PyObject) -> *mut PyObject;
    fn PyFunction_GetGlobals(function: *mut PyObject) -> *mut PyObject;
    fn PyFunction_GetDefaults(function: *mut PyObject) -> *mut PyObject;
    fn PyFunction_GetKwDefaults(function: *mut PyObject) -> *mut PyObject;
    fn PyFunction_GetClosure(function: *mut PyObject) -> *mut PyObject;
    fn PyMethod_Function(method: *mut PyObject) -> *mut PyObject;
    fn PyMethod_Self(method: *mut PyObject) -> *mut PyObject;
    fn PyCell_Get(cell: *mut PyObject) -> *mut PyObject;
    fn PyContextVar_Get(
        variable: *mut PyObject,
        default: *mut PyObject,
        value: *mut *mut PyObject,
    ) -> c_int;
    fn PyObject_GetBuffer(object: *mut PyObject, view: *mut Buffer, flags: c_int) -> c_int;
    fn PyBuffer_Release(view: *mut Buffer);
}

/// `Py_buffer`, whose layout is part of the stable interface since 3.11 and was the same before.
#[repr(C)]
struct Buffer {
    bytes: *mut c_void,
    object: *mut PyObject,
    length: Py_ssize_t,
    item_size: Py_ssize_t,
    read_only: c_int,
    dimensions: c_int,
    format: *mut c_char,
    shape: *mut Py_ssize_t,
    strides: *mut Py_ssize_t,
    offsets: *mut Py_ssize_t,
    internal: *mut c_void,
}

/// Contiguous, in whichever order, read only, with its format.
const PLAIN: c_int = 0x0008 | 0x0010 | 0x0080 | 0x0004;

/// An object that somebody refers to for as long as `'a`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Object<'a> {
    pointer: NonNull<PyObject>,
    alive: PhantomData<&'a PyObject>,
}

/// A reference of our own. Only made and dropped in calls from Python, and so while the GIL is held.
#[derive(Debug)]
pub(crate) struct Owned(NonNull<PyObject>);

// SAFETY: it is only touched while the GIL is held, by whichever thread that is.
unsafe impl Send for Owned {}

impl Drop for Owned {
    fn drop(&mut self) {
        // SAFETY: the reference is ours, and the GIL is held.
        unsafe { ffi::Py_DECREF(self.0.as_ptr()) }
    }
}

impl Owned {
    /// # Safety
    /// `pointer` is null, with or without an error set, or a reference that is handed over.
    pub(crate) unsafe fn from_new(pointer: *mut PyObject) -> Option<Owned> {
        let owned = NonNull::new(pointer).map(Owned);
        if owned.is_none() {
            // SAFETY: the GIL is held.
            unsafe { ffi::PyErr_Clear() };
        }
        owned
    }

    pub(crate) fn get(&self) -> Object<'_> {
        Object { pointer: self.0, alive: PhantomData }
    }

    pub(crate) fn pointer(&self) -> *mut PyObject {
        self.0.as_ptr()
    }

    /// What a module of the standard library calls by this name.
    pub(crate) fn import(module: &CStr, name: &CStr) -> Option<Owned> {
        // SAFETY: the GIL is held; both return new references or null.
        unsafe {
            let module = Owned::from_new(ffi::PyImport_ImportModule(module.as_ptr()))?;
            Owned::from_new(ffi::PyObject_GetAttrString(module.pointer(), name.as_ptr()))
        }
    }

    /// An attribute, looked up as Python does: only for what is CPython's own.
    pub(crate) fn attribute(&self, name: &CStr) -> Option<Owned> {
        // SAFETY: the GIL is held; it returns a new reference or null.
        unsafe { Owned::from_new(ffi::PyObject_GetAttrString(self.pointer(), name.as_ptr())) }
    }

    /// What a class of CPython's own has by this name, as it stands there.
    pub(crate) fn own(&self, name: &str) -> Option<Owned> {
        let dict = self.attribute(c"__dict__")?;
        let name = std::ffi::CString::new(name).ok()?;
        // SAFETY: the GIL is held; it returns a new reference or null.
        unsafe { Owned::from_new(ffi::PyMapping_GetItemString(dict.pointer(), name.as_ptr())) }
    }

    /// As `repr` gives it: only for what is CPython's own.
    pub(crate) fn representation(&self) -> Option<String> {
        // SAFETY: the GIL is held; it returns a new reference or null.
        let text = unsafe { Owned::from_new(ffi::PyObject_Repr(self.pointer()))? };
        Some(text.get().any_text())
    }

    pub(crate) fn from_integer(value: i64) -> Option<Owned> {
        // SAFETY: the GIL is held; it returns a new reference or null.
        unsafe { Owned::from_new(ffi::PyLong_FromLongLong(value)) }
    }

    /// Calls something that is written in C and runs no other code, with at most three arguments.
    pub(crate) fn call(&self, arguments: &[Object<'_>]) -> Option<Owned> {
        let function = self.pointer();
        let mut given = [null_mut::<PyObject>(); 4];
        for (place, argument) in given[..3].iter_mut().zip(arguments) {
            *place = argument.as_ptr();
        }
        let [one, two, three, end] = given;
        // SAFETY: the GIL is held, the arguments are alive and the list of them ends with the first null; it returns a new reference
        // or null.
        unsafe {
            Owned::from_new(ffi::PyObject_CallFunctionObjArgs(function, one, two, three, end))
        }
    }
}

impl<'a> Object<'a> {
    /// # Safety
    /// `pointer` is null or an object that stays alive for `'a`.
    pub(crate) unsafe fn borrowed(pointer: *mut PyObject) -> Option<Object<'a>> {
        NonNull::new(pointer).map(|pointer| Object { pointer, alive: PhantomData })
    }

    pub(crate) fn as_ptr(self) -> *mut PyObject {
        self.pointer.as_ptr()
    }

    /// Which object it is, as long as it is alive.
    pub(crate) fn address(self) -> usize {
        self.as_ptr() as usize
    }

    pub(crate) fn type_of(self) -> Object<'a> {
        // SAFETY: the object is alive, and refers to its type.
        let class = unsafe { ffi::Py_TYPE(self.as_ptr()) };
        // SAFETY: a type is an object; it is never null.
        Object { pointer: unsafe { NonNull::new_unchecked(class.cast()) }, alive: PhantomData }
    }

    pub(crate) fn to_owned(self) -> Owned {
        // SAFETY: the object is alive and the GIL is held.
        unsafe { ffi::Py_INCREF(self.as_ptr()) };
        Owned(self.pointer)
    }

    /// The bits of its type that tell which built-in class it descends from.
    pub(crate) fn flags(self) -> u64 {
        // SAFETY: its type is alive.
        unsafe { ffi::PyType_GetFlags(ffi::Py_TYPE(self.as_ptr())) as u64 }
    }

    pub(crate) fn is_type(self) -> bool {
        self.flags() & TYPE != 0
    }

    pub(crate) fn is_dict(self) -> bool {
        self.flags() & DICT != 0
    }

    pub(crate) fn is_text(self) -> bool {
        self.flags() & TEXT != 0
    }

    pub(crate) fn is_module(self) -> bool {
        // SAFETY: both types are alive.
        unsafe { ffi::PyModule_Check(self.as_ptr()) != 0 }
    }

    /// Whether this type is that one or below it, by the types' own lists.
    pub(crate) fn is_below(self, base: Object<'_>) -> bool {
        // SAFETY: the callers hand in types.
        unsafe { ffi::PyType_IsSubtype(self.as_ptr().cast(), base.as_ptr().cast()) != 0 }
    }

    /// Of a `str`; none if it holds lone surrogates.
    pub(crate) fn text(self) -> Option<&'a str> {
        if !self.is_text() {
            return None;
        }
        let mut size = 0;
        // SAFETY: it is a `str`, whose UTF-8 form lives as long as it does.
        unsafe {
            let start = PyUnicode_AsUTF8AndSize(self.as_ptr(), &raw mut size);
            if start.is_null() {
                ffi::PyErr_Clear();
                return None;
            }
            let bytes = std::slice::from_raw_parts(start.cast::<u8>(), size as usize);
            Some(std::str::from_utf8_unchecked(bytes))
        }
    }

    /// Of a `str`, whatever it holds.
    pub(crate) fn any_text(self) -> String {
        if let Some(text) = self.text() {
            return text.to_owned();
        }
        // SAFETY: it is a `str`; it returns new bytes or null.
        let bytes = unsafe {
            Owned::from_new(ffi::PyUnicode_AsEncodedString(
                self.as_ptr(),
                c"utf-8".as_ptr(),
                c"backslashreplace".as_ptr(),
            ))
        };
        let text = bytes.as_ref().map(|bytes| bytes.get().bytes());
        text.map(|bytes| String::from_utf8_lossy(bytes).into_owned()).unwrap_or_default()
    }

    /// Of `bytes`.
    pub(crate) fn bytes(self) -> &'a [u8] {
        let (mut start, mut size) = (null_mut(), 0);
        // SAFETY: it is checked whether it is `bytes`, which do not change as long as they live.
        unsafe {
            if ffi::PyBytes_AsStringAndSize(self.as_ptr(), &raw mut start, &raw mut size) != 0 {
                ffi::PyErr_Clear();
                return &[];
            }
            std::slice::from_raw_parts(start.cast::<u8>(), size as usize)
        }
    }

    /// Of an `int`, or of a class below it; none if it does not fit.
    pub(crate) fn integer(self) -> Option<i64> {
        let mut overflow = 0;
        // SAFETY: it is an `int`, so no conversion runs.
        let value = unsafe { ffi::PyLong_AsLongLongAndOverflow(self.as_ptr(), &raw mut overflow) };
        (overflow == 0).then_some(value)
    }

    /// Of an `int` of any size.
    pub(crate) fn hexadecimal(self) -> Option<String> {
        // SAFETY: it is exactly an `int`; it returns a new reference or null.
        let text = unsafe { Owned::from_new(ffi::PyNumber_ToBase(self.as_ptr(), 16))? };
        text.get().text().map(str::to_owned)
    }

    /// Of a `float`.
    pub(crate) fn float(self) -> f64 {
        // SAFETY: it is a `float`, so no conversion runs.
        unsafe { ffi::PyFloat_AsDouble(self.as_ptr()) }
    }

    /// Of what is exactly a `complex`.
    pub(crate) fn complex(self) -> (f64, f64) {
        // SAFETY: it is exactly a `complex`, so no conversion runs.
        unsafe {
            (ffi::PyComplex_RealAsDouble(self.as_ptr()), ffi::PyComplex_ImagAsDouble(self.as_ptr()))
        }
    }

    /// The entries of a `dict`, or of a class below it, as the dict itself has them. Nobody may change it meanwhile.
    pub(crate) fn entries(self) -> Entries<'a> {
        Entries { dict: self, position: 0 }
    }

    pub(crate) fn list_items(self) -> impl Iterator<Item = Object<'a>> {
        // SAFETY: the callers hand in a `list`, or a class below it, which nobody changes meanwhile.
        let size = unsafe { ffi::PyList_Size(self.as_ptr()) };
        (0..size).filter_map(move |at| {
            // SAFETY: as above; the list refers to the item.
            unsafe { Object::borrowed(ffi::PyList_GetItem(self.as_ptr(), at)) }
        })
    }

    pub(crate) fn tuple_items(self) -> impl Iterator<Item = Object<'a>> {
        // SAFETY: the callers hand in a `tuple`, or a class below it, which cannot change.
        let size = unsafe { ffi::PyTuple_Size(self.as_ptr()) };
        (0..size).filter_map(move |at| {
            // SAFETY: as above; the tuple refers to the item.
            unsafe { Object::borrowed(ffi::PyTuple_GetItem(self.as_ptr(), at)) }
        })
    }

    /// A `set` or `frozenset`, or of a class below them, without members.
    pub(crate) fn is_empty_set(self) -> bool {
        // SAFETY: the object is alive; what is no set is an error, which is cleared.
        unsafe {
            let size = ffi::PySet_Size(self.as_ptr());
            if size < 0 {
                ffi::PyErr_Clear();
            }
            size == 0
        }
    }

    /// What an iterator of CPython's own yields, which its container refers to as well.
    pub(crate) fn iterated(self) -> impl Iterator<Item = Object<'a>> {
        std::iter::from_fn(move || {
            // SAFETY: it is an iterator over a built-in container, which keeps the item alive beyond our reference to it.
            unsafe {
                let item = ffi::PyIter_Next(self.as_ptr());
                if item.is_null() {
                    ffi::PyErr_Clear();
                    return None;
                }
                ffi::Py_DECREF(item);
                Object::borrowed(item)
            }
        })
    }

    /// The attributes of an instance, past whatever its class says of `__dict__`. Its class has room for them.
    pub(crate) fn instance_dict(self) -> Option<Object<'a>> {
        // To ask for one that is not there would make it.
        if layout::lacks_dict(self) {
            return None;
        }
        // SAFETY: the object refers to the dict as long as nobody replaces it.
        unsafe {
            let dict = Owned::from_new(PyObject_GenericGetDict(self.as_ptr(), null_mut()))?;
            let borrowed = Object::borrowed(dict.pointer())?;
            borrowed.is_dict().then_some(borrowed)
        }
    }

    pub(crate) fn module_dict(self) -> Option<Object<'a>> {
        if !self.is_module() {
            return None;
        }
        // SAFETY: it is a module, which refers to its dict.
        unsafe { Object::borrowed(ffi::PyModule_GetDict(self.as_ptr())) }
    }

    /// The parts of a function, or none where there is none.
    pub(crate) fn function(self) -> Function<'a> {
        let object = self.as_ptr();
        // SAFETY: the callers hand in exactly a function, which refers to its parts.
        unsafe {
            Function {
                code: Object::borrowed(PyFunction_GetCode(object)),
                globals: Object::borrowed(PyFunction_GetGlobals(object)),
                defaults: Object::borrowed(PyFunction_GetDefaults(object)),
                keyword_defaults: Object::borrowed(PyFunction_GetKwDefaults(object)),
                closure: Object::borrowed(PyFunction_GetClosure(object)),
            }
        }
    }

    /// The function and the instance of what is exactly a bound method.
    pub(crate) fn method(self) -> (Option<Object<'a>>, Option<Object<'a>>) {
        // SAFETY: the callers hand in exactly a method, which refers to both.
        unsafe {
            (
                Object::borrowed(PyMethod_Function(self.as_ptr())),
                Object::borrowed(PyMethod_Self(self.as_ptr())),
            )
        }
    }

    /// What is exactly a cell holds, if anything.
    pub(crate) fn cell_content(self) -> Option<Object<'a>> {
        // SAFETY: the callers hand in exactly a cell, which refers to its content.
        unsafe {
            let content = Owned::from_new(PyCell_Get(self.as_ptr()))?;
            Object::borrowed(content.pointer())
        }
    }

    /// The value of what is exactly a context variable, in the context of this thread.
    pub(crate) fn context_value(self) -> Option<Object<'a>> {
        let mut value = null_mut();
        // SAFETY: the callers hand in exactly a context variable; its context or its default refers to the value.
        unsafe {
            if PyContextVar_Get(self.as_ptr(), null_mut(), &raw mut value) != 0 {
                ffi::PyErr_Clear();
                return None;
            }
            let value = Owned::from_new(value)?;
            Object::borrowed(value.pointer())
        }
    }

    /// What an object of CPython's or numpy's own holds as bytes, unless these are references to objects.
    /// Also how many items these are.
    pub(crate) fn with_buffer<T>(self, read: impl Fn(&[u8], usize) -> T) -> Option<T> {
        self.with_lent_buffer(&read).or_else(|| self.as_numbers()?.get().with_lent_buffer(&read))
    }

    /// Of dates and times numpy lends no bytes, but those of the same array as numbers.
    fn as_numbers(self) -> Option<Owned> {
        let dates = [c"datetime64", c"timedelta64"];
        let scalar = self.to_owned().attribute(c"dtype")?.attribute(c"type")?;
        let is_one =
            |name| Owned::import(c"numpy", name).is_some_and(|one| one.get() == scalar.get());
        dates.into_iter().any(is_one).then_some(())?;
        self.to_owned().attribute(c"view")?.call(&[Owned::import(c"numpy", c"int64")?.get()])
    }

    fn with_lent_buffer<T>(self, read: &impl Fn(&[u8], usize) -> T) -> Option<T> {
        // SAFETY: all zeros are a buffer that holds nothing.
        let mut view: Buffer = unsafe { std::mem::zeroed() };
        // SAFETY: the callers hand in objects whose class is known to answer without other code; what they fill in is given
        // back below, and nobody changes it meanwhile.
        unsafe {
            if PyObject_GetBuffer(self.as_ptr(), &raw mut view, PLAIN) != 0 {
                ffi::PyErr_Clear();
                return None;
            }
            let of_objects =
                !view.format.is_null() && CStr::from_ptr(view.format).to_bytes().contains(&b'O');
            let bytes = match view.bytes.is_null() {
                true => &[],
                false => std::slice::from_raw_parts(view.bytes.cast(), view.length as usize),
            };
            let items = bytes.len() / usize::try_from(view.item_size).unwrap_or(1).max(1);
            let result = (!of_objects).then(|| read(bytes, items));
            PyBuffer_Release(&raw mut view);
            result
        }
    }

    /// As long as a weak reference lives, it tells whether what it refers to still does.
    pub(crate) fn weak_reference(self) -> Option<Owned> {
        // SAFETY: the object is alive; it returns a new reference or null.
        unsafe { Owned::from_new(ffi::PyWeakref_NewRef(self.as_ptr(), null_mut())) }
    }
}

#[derive(Clone, Copy, Debug)]
pub(crate) struct Function<'a> {
    pub(crate) code: Option<Object<'a>>,
    pub(crate) globals: Option<Object<'a>>,
    pub(crate) defaults: Option<Object<'a>>,
    pub(crate) keyword_defaults: Option<Object<'a>>,
    pub(crate) closure: Option<Object<'a>>,
}

pub(crate) struct Entries<'a> {
    dict: Object<'a>,
    position: Py_ssize_t,
}

impl<'a> Iterator for Entries<'a> {
    type Item = (Object<'a>, Object<'a>);

    fn next(&mut self) -> Option<Self::Item> {
        let (mut key, mut value) = (null_mut(), null_mut());
        let (dict, at) = (self.dict.as_ptr(), &raw mut self.position);
        // SAFETY: it is a dict that nobody changes meanwhile, and that refers to its keys and values.
        unsafe {
            if ffi::PyDict_Next(dict, at, &raw mut key, &raw mut value) == 0 {
                return None;
            }
            Some((Object::borrowed(key)?, Object::borrowed(value)?))
        }
    }
}

/// Whether this is a CPython before 3.`minor`.
pub(crate) fn is_before(minor: u32) -> bool {
    // SAFETY: it is a text that lives as long as the process.
    let version = unsafe { CStr::from_ptr(ffi::Py_GetVersion()) }.to_string_lossy();
    let ours = version.split('.').nth(1).and_then(|part| part.parse::<u32>().ok());
    ours.is_some_and(|ours| ours < minor)
}

/// All modules that were imported, by name.
pub(crate) fn modules<'a>() -> Option<Object<'a>> {
    // SAFETY: the interpreter refers to the dict.
    unsafe { Object::borrowed(ffi::PyImport_GetModuleDict()) }.filter(|modules| modules.is_dict())
}

/// An attribute of the module `sys`.
pub(crate) fn of_sys<'a>(name: &CStr) -> Option<Object<'a>> {
    // SAFETY: the module refers to it.
    unsafe { Object::borrowed(ffi::PySys_GetObject(name.as_ptr())) }
}

/// Lets other threads run while this one sleeps.
pub(crate) fn sleep(duration: std::time::Duration) {
    // SAFETY: the GIL is held, and taken again before anything of Python's is touched.
    let state = unsafe { ffi::PyEval_SaveThread() };
    std::thread::sleep(duration);
    // SAFETY: it is the state of above.
    unsafe { ffi::PyEval_RestoreThread(state) };
}

pub(crate) const INT: u64 = 1 << 24;
pub(crate) const LIST: u64 = 1 << 25;
pub(crate) const TUPLE: u64 = 1 << 26;
pub(crate) const TEXT: u64 = 1 << 28;
pub(crate) const DICT: u64 = 1 << 29;
pub(crate) const TYPE: u64 = 1 << 31;
pub(crate) const HEAP: u64 = 1 << 9;
