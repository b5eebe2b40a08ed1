//! What containers hold, read where CPython has it and told as one number: a look does so for every object that has no version.
//!
//! The same number twice means that the same addresses were there twice. Another number need not mean a change: a set may have moved
//! its members. So whoever sees one reads the object in the other way, through CPython's functions ([`crate::forms`]).
//!
//! Where things lie is looked for in samples. What is not found there is not read here.

use std::ptr::null_mut;

use pyo3_ffi::{self as ffi, PyObject};

use crate::api::{Object, Owned};
use crate::layout::{self, slot};

// Public functions of CPython that the limited API of 3.9 leaves out, as in `api.rs`.
unsafe extern "C" {
    fn PyCell_New(content: *mut PyObject) -> *mut PyObject;
    fn PyFunction_New(code: *mut PyObject, globals: *mut PyObject) -> *mut PyObject;
    fn PyFunction_SetDefaults(function: *mut PyObject, defaults: *mut PyObject) -> i32;
    fn PyFunction_SetKwDefaults(function: *mut PyObject, defaults: *mut PyObject) -> i32;
    fn PyFunction_SetClosure(function: *mut PyObject, closure: *mut PyObject) -> i32;
}

/// `PyListObject`.
#[repr(C)]
struct ListLayout {
    head: [usize; 2],
    size: usize,
    items: *const usize,
}

/// The beginning of `PyTupleObject`; where its items begin depends on the version.
#[repr(C)]
struct TupleLayout {
    head: [usize; 2],
    size: usize,
}

/// `PySetObject`, up to its table for few members.
#[repr(C)]
struct SetLayout {
    head: [usize; 2],
    /// With those that were taken out.
    filled: usize,
    used: usize,
    /// One less than there are places.
    mask: usize,
    table: *const SetPlace,
}

#[repr(C)]
#[derive(Clone, Copy)]
struct SetPlace {
    member: usize,
    hash: usize,
}

/// Addresses, one after the other, as one number.
#[derive(Debug, Default)]
pub(crate) struct Content(pub(crate) u64);

impl Content {
    pub(crate) fn take(&mut self, word: u64) {
        self.0 = (self.0.rotate_left(23) ^ word).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    }

    fn take_all(mut self, words: &[usize]) -> u64 {
        words.iter().for_each(|word| self.take(*word as u64));
        self.0
    }
}

/// Where things lie in this CPython, as far as it has been found out.
#[derive(Debug, Default)]
pub(crate) struct Raw {
    pub(crate) lists: bool,
    pub(crate) sets: bool,
    pub(crate) cells: bool,
    tuple_items: Option<usize>,
    function: Option<FunctionParts>,
}

#[derive(Debug, Clone, Copy)]
struct FunctionParts {
    code: usize,
    defaults: usize,
    keyword_defaults: usize,
    closure: usize,
}

/// What every object begins with.
const HEAD: usize = size_of::<[usize; 2]>();

impl Raw {
    /// Takes two objects of CPython's own to put into samples, and any function.
    pub(crate) fn new(one: Object<'_>, other: Object<'_>, function: Object<'_>) -> Raw {
        let tuple_items = place_of_tuple_items(one, other);
        Raw {
            lists: are_lists_as_expected(one, other).is_some_and(|are| are),
            sets: are_sets_as_expected(one, other).is_some_and(|are| are),
            cells: are_cells_as_expected(one).is_some_and(|are| are),
            tuple_items,
            function: tuple_items.and_then(|_| places_in_functions(function, one)),
        }
    }

    pub(crate) fn list(object: Object<'_>) -> u64 {
        Content::default().take_all(list_items(object))
    }

    /// Where the items of a list lie.
    pub(crate) fn place_of_items(list: Object<'_>) -> usize {
        list_items(list).as_ptr() as usize
    }

    /// None if it is not known where they lie.
    pub(crate) fn tuple(&self, object: Object<'_>) -> Option<u64> {
        Some(Content::default().take_all(self.tuple_items(object)?))
    }

    fn tuple_items<'a>(&self, tuple: Object<'a>) -> Option<&'a [usize]> {
        let first = self.tuple_items?;
        // SAFETY: the callers hand in a tuple, which cannot change, and whose items lie where those of a sample did.
        unsafe {
            let size = (*tuple.as_ptr().cast::<TupleLayout>()).size;
            let items = tuple.as_ptr().cast::<u8>().add(first).cast::<usize>();
            Some(std::slice::from_raw_parts(items, size))
        }
    }

    pub(crate) fn set(object: Object<'_>) -> u64 {
        let mut content = Content::default();
        // A place whose member was taken out has one that is none, and no others do. Hashes follow from members.
        set_places(object).iter().for_each(|place| content.take(place.member as u64));
        content.0
    }

    pub(crate) fn cell(object: Object<'_>) -> u64 {
        slot(object, HEAD).map_or(0, |content| content.address() as u64)
    }

    /// Without what lies in its attributes, but for whether it has any. None if it is not known where its parts lie.
    pub(crate) fn function(&self, object: Object<'_>) -> Option<u64> {
        let FunctionParts { code, defaults, keyword_defaults, closure } = self.function?;
        let mut content = Content::default();
        for part in [code, defaults, keyword_defaults] {
            content.take(slot(object, part).map_or(0, |part| part.address() as u64));
        }
        content.take(u64::from(layout::has_attributes(object)));
        match slot(object, closure) {
            Some(cells) => Some(content.take_all(self.tuple_items(cells)?)),
            None => Some(content.0),
        }
    }
}

fn list_items<'a>(list: Object<'a>) -> &'a [usize] {
    // SAFETY: the callers hand in a list that nobody changes meanwhile, laid out as a sample was.
    unsafe {
        let list = list.as_ptr().cast::<ListLayout>();
        match (*list).size {
            // There need not be any place for them then.
            0 => &[],
            size => std::slice::from_raw_parts((*list).items, size),
        }
    }
}

fn set_places<'a>(set: Object<'a>) -> &'a [SetPlace] {
    // SAFETY: the callers hand in a set that nobody changes meanwhile, laid out as a sample was; it always has a table.
    unsafe {
        let set = set.as_ptr().cast::<SetLayout>();
        std::slice::from_raw_parts((*set).table, (*set).mask + 1)
    }
}

/// What lies in an object behind its head, as far as all of its class have it.
fn words<'a>(object: Object<'a>) -> &'a [usize] {
    let bytes = layout::memory(object);
    // SAFETY: objects lie at multiples of what a word takes, and all is within these bytes.
    unsafe {
        std::slice::from_raw_parts(bytes.as_ptr().cast::<usize>(), bytes.len() / size_of::<usize>())
    }
}

fn are_lists_as_expected(one: Object<'_>, other: Object<'_>) -> Option<bool> {
    // SAFETY: the GIL is held; it returns a new reference or null.
    let list = unsafe { Owned::from_new(ffi::PyList_New(0))? };
    let items = [one, other, one];
    let was_empty = words(list.get()).get(..2) == Some(&[0, 0]);
    for item in items {
        // SAFETY: it is a list of ours, and the item is alive.
        if unsafe { ffi::PyList_Append(list.pointer(), item.as_ptr()) } != 0 {
            return None;
        }
    }
    let has_size = was_empty && words(list.get())[0] == items.len() && words(list.get())[1] != 0;
    Some(has_size && list_items(list.get()) == items.map(Object::address))
}

fn are_sets_as_expected(one: Object<'_>, other: Object<'_>) -> Option<bool> {
    // SAFETY: the GIL is held; it returns a new reference or null.
    let set = unsafe { Owned::from_new(ffi::PySet_New(null_mut()))? };
    for member in [one, other] {
        // SAFETY: it is a set of ours, and the member is alive.
        if unsafe { ffi::PySet_Add(set.pointer(), member.as_ptr()) } != 0 {
            return None;
        }
    }
    // Few members lie in the set itself, in eight places behind all that is read here, its hash and where it was last at.
    let table = set.get().address() + size_of::<SetLayout>() + size_of::<[usize; 2]>();
    if words(set.get()).get(..4) != Some(&[2, 2, 7, table]) {
        return Some(false);
    }
    let members = || set_places(set.get()).iter().map(|place| place.member);
    let has = |object: Object<'_>| members().filter(|member| *member == object.address()).count();
    let others = || members().filter(|member| *member == 0).count();
    let is_as_expected = has(one) == 1 && has(other) == 1 && others() == 6;
    // SAFETY: as above.
    let is_out = unsafe { ffi::PySet_Discard(set.pointer(), one.as_ptr()) } == 1;
    Some(is_as_expected && is_out && has(one) == 0 && has(other) == 1 && others() == 6)
}

fn are_cells_as_expected(one: Object<'_>) -> Option<bool> {
    // SAFETY: the GIL is held, and the content alive; it returns a new reference or null.
    let cell = unsafe { Owned::from_new(PyCell_New(one.as_ptr()))? };
    Some(words(cell.get()).first() == Some(&one.address()))
}

/// They begin where that ends which all tuples have.
fn place_of_tuple_items(one: Object<'_>, other: Object<'_>) -> Option<usize> {
    let tuple = pair(one, other)?;
    let own = words(tuple.get());
    let raw = Raw { tuple_items: Some(HEAD + size_of_val(own)), ..Raw::default() };
    let is_there = own.first() == Some(&2)
        && raw.tuple_items(tuple.get()) == Some(&[one.address(), other.address()][..]);
    raw.tuple_items.filter(|_| is_there)
}

fn pair(one: Object<'_>, other: Object<'_>) -> Option<Owned> {
    // SAFETY: the GIL is held, and both are alive; it returns a new reference or null.
    unsafe { Owned::from_new(ffi::PyTuple_Pack(2, one.as_ptr(), other.as_ptr())) }
}

/// In a function of ours, which nobody calls, with parts that lie nowhere else in it.
fn places_in_functions(function: Object<'_>, one: Object<'_>) -> Option<FunctionParts> {
    let (code, globals) = (function.function().code?, function.function().globals?);
    let (defaults, closure) = (pair(one, one)?, pair(one, one)?);
    // SAFETY: the GIL is held, and all that is handed in is alive and of the class that is wanted; each returns a new reference or null,
    // or whether it was set.
    let (sample, keyword_defaults) = unsafe {
        let sample = Owned::from_new(PyFunction_New(code.as_ptr(), globals.as_ptr()))?;
        let keyword_defaults = Owned::from_new(ffi::PyDict_New())?;
        let are_set = PyFunction_SetDefaults(sample.pointer(), defaults.pointer()) == 0
            && PyFunction_SetKwDefaults(sample.pointer(), keyword_defaults.pointer()) == 0
            && PyFunction_SetClosure(sample.pointer(), closure.pointer()) == 0;
        are_set.then_some((sample, keyword_defaults))?
    };
    let place = |part: Object<'_>| {
        let all = words(sample.get());
        let mut places = (0..all.len()).filter(|at| all[*at] == part.address());
        let place = HEAD + places.next()? * size_of::<usize>();
        places.next().is_none().then_some(place)
    };
    Some(FunctionParts {
        code: place(code)?,
        defaults: place(defaults.get())?,
        keyword_defaults: place(keyword_defaults.get())?,
        closure: place(closure.get())?,
    })
}
