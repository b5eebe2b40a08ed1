//! What is taken from the interpreter once: its own types and functions, before anybody can have replaced them.

use std::ffi::CStr;

use crate::api::{self, Object, Owned};
use crate::layout::{self, Version};
use crate::raw::Raw;

#[derive(Debug)]
pub(crate) struct Known {
    pub(crate) none: Owned,
    pub(crate) yes: Owned,
    pub(crate) int: Owned,
    pub(crate) float: Owned,
    pub(crate) complex: Owned,
    pub(crate) text: Owned,
    pub(crate) bytes: Owned,
    pub(crate) byte_array: Owned,
    pub(crate) list: Owned,
    pub(crate) tuple: Owned,
    pub(crate) dict: Owned,
    pub(crate) set: Owned,
    pub(crate) frozen_set: Owned,
    pub(crate) set_iterator: Owned,
    pub(crate) frozen_set_iterator: Owned,
    pub(crate) default_dict: Owned,
    pub(crate) deque: Owned,
    pub(crate) deque_iterator: Owned,
    pub(crate) function: Owned,
    pub(crate) code: Owned,
    pub(crate) method: Owned,
    pub(crate) builtin: Owned,
    pub(crate) cell: Owned,
    pub(crate) member: Owned,
    pub(crate) context_variable: Owned,
    pub(crate) pattern: Owned,
    /// Wrappers that are written in C, with their parts.
    pub(crate) wrappers: Vec<(Owned, Vec<(&'static str, usize)>)>,
    /// Of builtin functions: what gives the name, and what they belong to.
    builtin_name: Owned,
    builtin_owner: Owned,
    pattern_text: Owned,
    gc_enable: Owned,
    gc_disable: Owned,
    gc_is_enabled: Owned,
    /// Asked for by the probes; see `settings.rs`.
    pub(crate) get_signal: Option<Owned>,
    pub(crate) recursion_limit: Owned,
    /// Types that are written in C and keep all that they are at in their instances: iterators, generators of random numbers, streams in
    /// memory.
    bare: Vec<Owned>,
    /// Where containers of this CPython keep what they hold.
    pub(crate) raw: Raw,
    keeps_versions: bool,
    /// Also of the dicts of instances, whose attributes may lie elsewhere. From 3.13 on, one that is set may leave the version as it was.
    keeps_versions_of_attributes: bool,
}

impl Known {
    /// None if this Python is not laid out as expected.
    pub(crate) fn new() -> Option<Known> {
        let builtin = |name: &CStr| Owned::import(c"builtins", name);
        let types = |name: &CStr| Owned::import(c"types", name);
        let set = builtin(c"set")?;
        let frozen_set = builtin(c"frozenset")?;
        let deque = Owned::import(c"_collections", c"deque")?;
        let builtin_type = types(c"BuiltinFunctionType")?;
        let pattern = Owned::import(c"re", c"Pattern")?;
        let getter = |class: &Owned, name: &str| class.own(name)?.attribute(c"__get__");
        let known = Known {
            keeps_versions_of_attributes: api::is_before(13),
            keeps_versions: layout::keeps_versions(none()?.get(), yes()?.get()),
            raw: Raw::new(none()?.get(), yes()?.get(), any_function()?.get()),
            none: none()?,
            yes: yes()?,
            int: builtin(c"int")?,
            float: builtin(c"float")?,
            complex: builtin(c"complex")?,
            text: builtin(c"str")?,
            bytes: builtin(c"bytes")?,
            byte_array: builtin(c"bytearray")?,
            list: builtin(c"list")?,
            tuple: builtin(c"tuple")?,
            dict: builtin(c"dict")?,
            set_iterator: set.attribute(c"__iter__")?,
            frozen_set_iterator: frozen_set.attribute(c"__iter__")?,
            set,
            frozen_set,
            default_dict: Owned::import(c"_collections", c"defaultdict")?,
            deque_iterator: deque.attribute(c"__iter__")?,
            deque,
            function: types(c"FunctionType")?,
            code: types(c"CodeType")?,
            method: types(c"MethodType")?,
            builtin_name: getter(&builtin_type, "__qualname__")?,
            builtin_owner: getter(&builtin_type, "__self__")?,
            builtin: builtin_type,
            cell: types(c"CellType")?,
            member: types(c"MemberDescriptorType")?,
            context_variable: Owned::import(c"_contextvars", c"ContextVar")?,
            pattern_text: getter(&pattern, "pattern")?,
            pattern,
            wrappers: vec![
                wrapper(builtin(c"staticmethod")?, &["__func__"])?,
                wrapper(builtin(c"classmethod")?, &["__func__"])?,
                wrapper(builtin(c"property")?, &["fget", "fset", "fdel"])?,
                wrapper(Owned::import(c"functools", c"partial")?, &["func", "args", "keywords"])?,
            ],
            bare: bare(),
            gc_enable: Owned::import(c"gc", c"enable")?,
            gc_disable: Owned::import(c"gc", c"disable")?,
            gc_is_enabled: Owned::import(c"gc", c"isenabled")?,
            get_signal: Owned::import(c"_signal", c"getsignal"),
            recursion_limit: Owned::import(c"sys", c"getrecursionlimit")?,
        };
        Some(known)
    }

    /// Whether types are laid out as expected: the plug-in hands in what `layout::fits` wants.
    pub(crate) fn fits(&self, sample: &Owned, instance: &Owned, held: &Owned) -> bool {
        layout::fits(sample, instance, held, self.member.get())
    }

    /// None where CPython keeps none.
    pub(crate) fn version(&self, dict: Object<'_>) -> Option<Version> {
        self.keeps_versions.then(|| layout::version(dict))
    }

    /// Whether what objects of a type are at lies in themselves.
    pub(crate) fn is_bare(&self, class: Object<'_>) -> bool {
        self.bare.iter().any(|bare| class.is_below(bare.get()))
    }

    /// The same for any dict: that of an instance may be held like others.
    pub(crate) fn version_of_dict(&self, dict: Object<'_>) -> Option<Version> {
        let is_told = self.keeps_versions_of_attributes || !layout::has_values_elsewhere(dict);
        if is_told { self.version(dict) } else { None }
    }

    /// The same for the attributes of an instance.
    pub(crate) fn version_of_attributes(&self, dict: Object<'_>) -> Option<Version> {
        if self.keeps_versions_of_attributes { self.version(dict) } else { None }
    }

    /// The same, for an instance that has attributes.
    pub(crate) fn version_of_instance(&self, instance: Object<'_>) -> Option<Version> {
        self.version_of_attributes(instance.instance_dict()?)
    }

    /// Keeps the garbage collector from running code of the user's until it is dropped.
    pub(crate) fn pause(&self) -> Pause<'_> {
        let was_on = self.gc_is_enabled.call(&[]);
        let was_on = was_on.is_some_and(|on| on.get().address() == self.yes.get().address());
        if was_on {
            self.gc_disable.call(&[]);
        }
        Pause { known: self, was_on }
    }

    /// The name of a builtin function, with the module that it belongs to.
    pub(crate) fn builtin_name(&self, function: Object<'_>) -> String {
        let text = |getter: &Owned| getter.call(&[function]);
        let name = text(&self.builtin_name).map(|name| name.get().any_text()).unwrap_or_default();
        let owner = text(&self.builtin_owner);
        let module = owner.as_ref().and_then(|owner| owner.get().module_dict());
        let module = module.and_then(|dict| {
            dict.entries().find(|(key, _)| key.text() == Some("__name__"))?.1.text()
        });
        match module {
            Some(module) => format!("{module}.{name}"),
            None => name,
        }
    }

    pub(crate) fn pattern_text(&self, pattern: Object<'_>) -> String {
        let text = self.pattern_text.call(&[pattern]);
        match text.as_ref().map(Owned::get) {
            Some(text) if text.is_text() => text.any_text(),
            Some(bytes) => String::from_utf8_lossy(bytes.bytes()).into_owned(),
            None => String::new(),
        }
    }
}

/// Those of them that there are.
fn bare() -> Vec<Owned> {
    const ALL: &[(&CStr, &[&CStr])] = &[
        (c"itertools", &[c"count", c"cycle", c"chain", c"islice", c"repeat", c"accumulate"]),
        (c"builtins", &[c"enumerate", c"zip", c"map", c"filter", c"reversed"]),
        (c"_random", &[c"Random"]),
        (c"_io", &[c"BytesIO", c"StringIO"]),
    ];
    let classes = ALL
        .iter()
        .flat_map(|(module, names)| names.iter().filter_map(|name| Owned::import(module, name)));
    classes.collect()
}

/// Where the parts of a type that is written in C lie in its instances.
fn wrapper(class: Owned, parts: &[&'static str]) -> Option<(Owned, Vec<(&'static str, usize)>)> {
    let offset = |name: &&'static str| Some((*name, layout::slot_offset(class.own(name)?.get())?));
    let parts = parts.iter().map(offset).collect::<Option<_>>()?;
    Some((class, parts))
}

/// One that is written in Python.
fn any_function() -> Option<Owned> {
    let function = Owned::import(c"functools", c"update_wrapper")?;
    let class = Owned::import(c"types", c"FunctionType")?;
    (function.get().type_of() == class.get()).then_some(function)
}

fn none() -> Option<Owned> {
    // SAFETY: it is never null and never goes away.
    unsafe { Object::borrowed(pyo3_ffi::Py_None()) }.map(Object::to_owned)
}

fn yes() -> Option<Owned> {
    // SAFETY: as above.
    unsafe { Object::borrowed(pyo3_ffi::Py_True()) }.map(Object::to_owned)
}

/// No code of the user's runs as long as it lives, as far as that is up to us.
#[derive(Debug)]
pub(crate) struct Pause<'k> {
    known: &'k Known,
    /// Whether the user has the collector on.
    pub(crate) was_on: bool,
}

impl Drop for Pause<'_> {
    fn drop(&mut self) {
        if self.was_on {
            self.known.gc_enable.call(&[]);
        }
    }
}
