//! How objects of a type are read.

use std::collections::HashSet;
use std::sync::Arc;

use rustc_hash::FxHashMap;
use surefoot_state::{Label, Names};

use crate::api::{DICT, INT, LIST, Object, Owned, TEXT, TUPLE};
use crate::known::Known;
use crate::{layout, pandas};

/// How an object is read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Kind {
    None,
    Bool,
    Int,
    Float,
    Complex,
    Text,
    Bytes,
    /// All that it holds are bytes.
    Buffer,
    Function,
    Method,
    Builtin,
    Module,
    Class,
    Cell,
    ContextVariable,
    Pattern,
    /// By its attributes, its slots and what it contains.
    Parts,
    /// By what it tells to those that copy it; only for what is written in C.
    Reduced,
    /// Only which type it is of counts: see [`BOUNDARIES`].
    Boundary,
}

/// What an object holds beside attributes and slots.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Contents {
    Nothing,
    Items,
    TupleItems,
    Entries,
    /// Of a dict that makes a value for each key that it is asked for.
    DefaultEntries,
    SetMembers,
    FrozenSetMembers,
    DequeItems,
    Text,
    Integer,
}

#[derive(Debug)]
pub(crate) struct Reading {
    pub(crate) kind: Kind,
    /// The type's name.
    pub(crate) label: Label,
    pub(crate) contents: Contents,
    pub(crate) has_dict: bool,
    /// See [`Known::is_bare`].
    pub(crate) is_bare: bool,
    pub(crate) slots: Arc<[(Label, usize)]>,
    /// Attributes that are filled in when first asked for, by a descriptor that says so.
    pub(crate) on_demand: Arc<HashSet<Label>>,
    /// The one attribute that counts, of objects that stand for another one; see [`PROXIES`].
    pub(crate) stands_for: Option<Label>,
    /// For what is [`Kind::Reduced`].
    pub(crate) reduce: Option<Owned>,
    /// Whether the type is still there, for those that can go away: another one may have its address by then.
    alive: Option<Owned>,
    checked_in: u64,
}

/// Modules whose objects are not looked into, as a whole or with all modules below them: what tools of the tests keep for
/// themselves, and what stands for something outside of the objects.
const BOUNDARIES: &[&str] = &[
    // The test framework's own; leads to everything else.
    "_pytest",
    "pytest",
    "pluggy",
    "py",
    "surefoot_pytest",
    "hypothesis",
    "xdist",
    "pytest_asyncio",
    "coverage",
    "pytest_cov",
    // Mocks count and keep their calls.
    "unittest",
    "mock",
    // Threads, locks, loops, processes.
    "_thread",
    "threading",
    "asyncio",
    "_asyncio",
    "concurrent",
    "multiprocessing",
    "subprocess",
    "select",
    "selectors",
    // Files and connections.
    "io",
    "_io",
    "socket",
    "_socket",
    "ssl",
    "_ssl",
    "sqlite3",
    "mmap",
    "tempfile",
    // The interpreter's own.
    "importlib",
    "_frozen_importlib",
    "_frozen_importlib_external",
    "zipimport",
    "ctypes",
    "_ctypes",
    "types",
    "weakref",
    "_weakref",
    "_weakrefset",
    "_abc",
    "abc",
    "typing",
    "inspect",
    "ast",
    "code",
    "traceback",
    // Loggers are looked at as a tree of their own.
    "logging",
];

/// Types whose objects are looked at as settings of the process.
const OF_SETTINGS: &[&str] = &["os._Environ"];

/// Types of boundaries that hold nothing but what was put in.
const NO_BOUNDARIES: &[&str] = &["types.SimpleNamespace", "weakref.WeakValueDictionary"];

/// Names of descriptors that keep what they worked out in the instance.
const ON_DEMAND: &[&str] = &["cached_property", "lazyproperty", "reify", "lazy_property", "cached"];

/// Classes whose objects stand for another one, made when it is first needed, with the attribute that holds it. What else they
/// keep are copies of that one's attributes: Django's settings keep each that they were asked for until one is changed.
const PROXIES: &[(&str, &str)] = &[("django.utils.functional.LazyObject", "_wrapped")];

/// Types of the standard library that hold a value and are written in C.
const REDUCED: &[&str] = &[
    "datetime.date",
    "datetime.time",
    "datetime.datetime",
    "datetime.timedelta",
    "decimal.Decimal",
];

/// Attributes of paths that are not worked out from others.
const OF_PATHS: &[&str] = &["_raw_paths", "_raw_path"];

/// How many types are found without a search: a power of two.
const QUICK: usize = 256;

#[derive(Debug)]
pub(crate) struct Kinds {
    readings: Vec<Reading>,
    /// Where the reading of a type is, by its address.
    at: FxHashMap<usize, u32>,
    /// Of types that this capture has met: a walk asks several times for each object.
    quick: [(usize, u32); QUICK],
    /// Whether a class is open, by its address, as far as this capture has asked.
    open: FxHashMap<usize, bool>,
    capture: u64,
}

impl Default for Kinds {
    fn default() -> Self {
        let (readings, at, open) = (Vec::new(), FxHashMap::default(), FxHashMap::default());
        Kinds { readings, at, quick: [(0, 0); QUICK], open, capture: 0 }
    }
}

impl Kinds {
    /// A new capture begins.
    pub(crate) fn begin(&mut self) {
        self.capture += 1;
        self.quick = [(0, 0); QUICK];
        self.open.clear();
    }

    pub(crate) fn of<'s>(
        &'s mut self,
        class: Object<'_>,
        known: &Known,
        names: &mut Names,
    ) -> &'s Reading {
        let address = class.address();
        // Types are far apart, and lie at multiples of 16.
        let place = (address >> 4 ^ address >> 12) % QUICK;
        if let (found, at) = self.quick[place]
            && found == address
        {
            return &self.readings[at as usize];
        }
        let at = self.find(class, known, names);
        self.quick[place] = (address, at);
        &self.readings[at as usize]
    }

    fn find(&mut self, class: Object<'_>, known: &Known, names: &mut Names) -> u32 {
        let address = class.address();
        let Some(at) = self.at.get(&address).copied() else {
            let at = self.readings.len() as u32;
            self.readings.push(read(class, self.capture, known, names));
            self.at.insert(address, at);
            return at;
        };
        let reading = &mut self.readings[at as usize];
        if reading.checked_in != self.capture {
            let same =
                |alive: &Owned| alive.call(&[]).is_some_and(|is| is.get().address() == address);
            if reading.alive.as_ref().is_none_or(same) {
                reading.checked_in = self.capture;
            } else {
                *reading = read(class, self.capture, known, names);
            }
        }
        at
    }

    /// Whether a class is open (see [`crate::walk::Walk`]): worked out once for each capture.
    pub(crate) fn is_open(&mut self, class: Object<'_>, is_open: impl FnOnce() -> bool) -> bool {
        *self.open.entry(class.address()).or_insert_with(is_open)
    }
}

fn read(class: Object<'_>, capture: u64, known: &Known, names: &mut Names) -> Reading {
    let full = full_name(class);
    let mut reading = Reading {
        kind: kind(class, &full, known),
        label: names.label(&full),
        contents: contents(class, known),
        has_dict: layout::has_dict(class),
        is_bare: known.is_bare(class),
        slots: Arc::default(),
        on_demand: Arc::default(),
        stands_for: None,
        reduce: None,
        alive: if layout::is_heap_class(class) { class.weak_reference() } else { None },
        checked_in: capture,
    };
    if reading.kind == Kind::Reduced {
        reading.reduce = class.to_owned().attribute(c"__reduce__");
    }
    let wrapper = known.wrappers.iter().find(|(wrapper, _)| wrapper.get() == class);
    if let Some((_, parts)) = wrapper {
        reading.slots = parts.iter().map(|(name, at)| (names.label(name), *at)).collect();
        reading.has_dict = false;
    } else if reading.kind == Kind::Parts {
        let (mut slots, mut on_demand) = (Vec::new(), HashSet::new());
        let lineage: Vec<Object<'_>> = layout::lineage(class).collect();
        for base in layout::order(class) {
            let is_alike = lineage.contains(&base);
            let Some(dict) = layout::class_dict(base) else { continue };
            let full = full_name(base);
            let of_pandas = pandas::slots(class, base, &full);
            slots.extend(of_pandas.into_iter().map(|(name, at)| (names.label(name), at)));
            if let Some((_, wrapped)) = PROXIES.iter().find(|(proxy, _)| *proxy == full) {
                reading.stands_for = Some(names.label(wrapped));
            }
            for (key, value) in dict.entries() {
                let Some(name) = key.text() else { continue };
                // A class may have its dict elsewhere than the one that it inherits from; and neither of these is a slot.
                let is_apart = matches!(name, "__dict__" | "__weakref__");
                let is_member = is_alike && !is_apart && value.type_of() == known.member.get();
                if let Some(offset) = is_member.then(|| layout::slot_offset(value)).flatten() {
                    slots.push((names.label(name), offset));
                } else if ON_DEMAND.contains(&simple(&layout::name(value.type_of()))) {
                    on_demand.insert(names.label(name));
                }
            }
        }
        let is_of_path = |(label, _): &(Label, usize)| OF_PATHS.contains(&names.text(*label));
        if full.starts_with("pathlib.") && slots.iter().any(is_of_path) {
            slots.retain(is_of_path);
        }
        slots.sort_by_key(|(_, offset)| *offset);
        slots.dedup_by_key(|(_, offset)| *offset);
        (reading.slots, reading.on_demand) = (slots.into(), Arc::new(on_demand));
    }
    reading
}

/// With its module, as far as it is known without asking the class.
pub(crate) fn full_name(class: Object<'_>) -> String {
    let name = layout::name(class);
    if !layout::is_heap_class(class) || name.contains('.') {
        return name.strip_prefix("builtins.").map(str::to_owned).unwrap_or(name);
    }
    match module_of(class) {
        Some(module) => format!("{module}.{name}"),
        None => name,
    }
}

/// What the class says of where it was made.
pub(crate) fn module_of<'a>(class: Object<'a>) -> Option<&'a str> {
    let dict = layout::class_dict(class)?;
    dict.entries().find(|(key, _)| key.text() == Some("__module__"))?.1.text()
}

pub(crate) fn simple(name: &str) -> &str {
    name.rsplit_once('.').map_or(name, |(_, simple)| simple)
}

fn kind(class: Object<'_>, full: &str, known: &Known) -> Kind {
    let exact = [
        (known.int.get(), Kind::Int),
        (known.float.get(), Kind::Float),
        (known.complex.get(), Kind::Complex),
        (known.text.get(), Kind::Text),
        (known.bytes.get(), Kind::Bytes),
        (known.byte_array.get(), Kind::Buffer),
        (known.function.get(), Kind::Function),
        (known.method.get(), Kind::Method),
        (known.builtin.get(), Kind::Builtin),
        (known.cell.get(), Kind::Cell),
        (known.context_variable.get(), Kind::ContextVariable),
        (known.pattern.get(), Kind::Pattern),
        (known.none.get().type_of(), Kind::None),
        (known.yes.get().type_of(), Kind::Bool),
    ];
    if let Some((_, kind)) = exact.iter().find(|(one, _)| *one == class) {
        return *kind;
    }
    let in_c = !layout::is_heap_class(class) || layout::name(class).contains('.');
    if in_c && matches!(full, "array.array" | "numpy.ndarray") {
        return Kind::Buffer;
    }
    if is_below(class, known.int.get().type_of()) {
        return Kind::Class;
    }
    if is_module_class(class) {
        return Kind::Module;
    }
    let is_plain = [&known.list, &known.tuple, &known.dict, &known.set, &known.frozen_set]
        .iter()
        .any(|one| one.get() == class);
    let is_container = contents(class, known) != Contents::Nothing;
    let inside =
        |prefix: &&str| full.strip_prefix(*prefix).is_some_and(|rest| rest.starts_with('.'));
    if NO_BOUNDARIES.contains(&full) || is_plain {
        return Kind::Parts;
    }
    if BOUNDARIES.iter().any(inside) || OF_SETTINGS.contains(&full) {
        return Kind::Boundary;
    }
    if in_c && REDUCED.contains(&full) {
        return Kind::Reduced;
    }
    let is_wrapper = known.wrappers.iter().any(|(wrapper, _)| wrapper.get() == class);
    // What is written in C and not known here has its state where nobody can see it.
    if !in_c || is_container || is_wrapper { Kind::Parts } else { Kind::Boundary }
}

fn is_below(class: Object<'_>, base: Object<'_>) -> bool {
    class.is_below(base)
}

fn is_module_class(class: Object<'_>) -> bool {
    // SAFETY: it is the type of modules, which never goes away.
    let module = unsafe { Object::borrowed((&raw mut pyo3_ffi::PyModule_Type).cast()) };
    module.is_some_and(|module| is_below(class, module))
}

fn contents(class: Object<'_>, known: &Known) -> Contents {
    let flags = class_flags(class);
    if is_filled_on_demand(class) {
        Contents::Nothing
    } else if flags & DICT != 0 && is_below(class, known.default_dict.get()) {
        Contents::DefaultEntries
    } else if flags & DICT != 0 {
        Contents::Entries
    } else if flags & LIST != 0 {
        Contents::Items
    } else if flags & TUPLE != 0 {
        Contents::TupleItems
    } else if flags & TEXT != 0 {
        Contents::Text
    } else if flags & INT != 0 {
        Contents::Integer
    } else if is_below(class, known.set.get()) {
        Contents::SetMembers
    } else if is_below(class, known.frozen_set.get()) {
        Contents::FrozenSetMembers
    } else if is_below(class, known.deque.get()) {
        Contents::DequeItems
    } else {
        Contents::Nothing
    }
}

/// Of a class below `dict` that says itself what to make of a key that is not there: what it holds is what it was asked for.
fn is_filled_on_demand(class: Object<'_>) -> bool {
    class_flags(class) & DICT != 0
        && layout::order(class).into_iter().any(|base| {
            let in_python = layout::is_heap_class(base) && !layout::name(base).contains('.');
            // A Counter says 0 and does not keep it.
            let keeps = in_python && module_of(base) != Some("collections");
            let dict = if keeps { layout::class_dict(base) } else { None };
            dict.is_some_and(|dict| {
                dict.entries().any(|(key, _)| key.text() == Some("__missing__"))
            })
        })
}

fn class_flags(class: Object<'_>) -> u64 {
    // SAFETY: the callers hand in a type.
    unsafe { pyo3_ffi::PyType_GetFlags(class.as_ptr().cast()) as u64 }
}
