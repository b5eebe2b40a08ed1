//! The forms in which objects hold others, and what they hold, by address.

use std::sync::Arc;

use surefoot_state::Label;

use crate::api::Object;
use crate::kinds::{Contents, Kind, module_of};
use crate::known::Known;
use crate::layout::{self, Version};
use crate::marks::Explorer;
use crate::own_names::{is_cache, is_of_class_itself, is_of_library_itself, is_of_module_itself};
use crate::raw::{Content, Raw};
use crate::walk::Memory;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Form {
    /// The dict of a module of the project.
    Module,
    /// The dict of a module of a library.
    Library,
    Class,
    Dict,
    /// The attributes of an instance.
    Attributes,
    Slots,
    List,
    Tuple,
    Set,
    FrozenSet,
    Deque,
    Function,
    Method,
    Cell,
    ContextVariable,
    Buffer,
    /// What an object that is written in C keeps in itself: see `Known::is_bare`.
    Memory,
}

/// An object, and how it is read.
#[derive(Clone, Copy)]
pub(crate) struct Reading<'a, 'm> {
    pub(crate) object: Object<'a>,
    pub(crate) form: Form,
    /// Reached from a library: what its name says to be a cache is left out.
    pub(crate) of_library: bool,
    pub(crate) slots: &'m [(Label, usize)],
}

/// Where an object refers to the dict that holds everything.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Place {
    /// It is that dict.
    Itself,
    /// So far behind where the object begins, or before it.
    At(i32),
    /// CPython has to be asked for it.
    Asked,
}

impl<'a> Reading<'a, '_> {
    /// Tells all that the object holds, with the names of attributes and the keys of dicts; the same number as long as that is the same.
    pub(crate) fn each(
        self,
        known: &Known,
        mut tell: impl FnMut(Option<Object<'a>>, Object<'a>),
    ) -> u64 {
        let mut content = Content::default();
        let object = self.object;
        let mut one = |name: Option<Object<'a>>, held: Option<Object<'a>>| {
            content.take(name.map_or(1, |name| name.address() as u64));
            content.take(held.map_or(2, |held| held.address() as u64));
            if let Some(held) = held {
                tell(name, held);
            }
        };
        let mut entries = |dict: Option<Object<'a>>, is_state: fn(&str) -> bool| {
            for (key, value) in dict.into_iter().flat_map(Object::entries) {
                if key
                    .text()
                    .is_none_or(|name| is_state(name) && !(self.of_library && is_cache(name)))
                {
                    one(Some(key), Some(value));
                }
            }
        };
        match self.form {
            Form::Module => entries(Some(object), |name| !is_of_module_itself(name)),
            Form::Library => entries(Some(object), |name| !is_of_library_itself(name)),
            Form::Class => entries(layout::class_dict(object), |name| !is_of_class_itself(name)),
            Form::Dict => object.entries().for_each(|(key, value)| one(Some(key), Some(value))),
            Form::Attributes => entries(object.instance_dict(), |_| true),
            Form::Slots => {
                self.slots.iter().for_each(|(_, at)| one(None, layout::slot(object, *at)));
            }
            Form::List => object.list_items().for_each(|item| one(None, Some(item))),
            Form::Tuple => object.tuple_items().for_each(|item| one(None, Some(item))),
            Form::Set | Form::FrozenSet | Form::Deque => {
                let iterator = match self.form {
                    Form::Set => &known.set_iterator,
                    Form::FrozenSet => &known.frozen_set_iterator,
                    _ => &known.deque_iterator,
                };
                if let Some(iterator) = iterator.call(&[object]) {
                    // SAFETY: the iterator is ours for as long as it is used; what it yields is the container's.
                    let iterated = unsafe { Object::<'a>::borrowed(iterator.pointer()) };
                    let items = iterated.into_iter().flat_map(Object::iterated);
                    items.for_each(|item| one(None, Some(item)));
                }
            }
            Form::Function => {
                let parts = object.function();
                for part in [parts.code, parts.defaults, parts.keyword_defaults] {
                    one(None, part);
                }
                let cells = parts.closure.into_iter().flat_map(Object::tuple_items);
                cells.for_each(|cell| one(None, Some(cell)));
                // Most have none until somebody sets one.
                content.take(u64::from(layout::has_attributes(object)));
            }
            Form::Method => {
                let (function, instance) = object.method();
                one(None, function);
                one(None, instance);
            }
            Form::Cell => one(None, object.cell_content()),
            Form::ContextVariable => one(None, object.context_value()),
            Form::Buffer => {
                let digest = object.with_buffer(|bytes, _| xxhash_rust::xxh3::xxh3_64(bytes));
                content.take(digest.unwrap_or(0));
            }
            Form::Memory => content.take(xxhash_rust::xxh3::xxh3_64(layout::memory(object))),
        }
        content.0
    }

    /// Of the dict that holds everything in this form, where a version tells each change of it.
    pub(crate) fn version(self, known: &Known) -> Option<Version> {
        match self.form {
            Form::Attributes => known.version_of_attributes(self.dict()?),
            Form::Dict => known.version_of_dict(self.object),
            _ => known.version(self.dict()?),
        }
    }

    /// The same number as long as this dict has the same entries, those included that are no state: names need not be read for that.
    pub(crate) fn entries(self) -> Option<u64> {
        let dict = self.dict()?;
        let mut content = Content::default();
        for (key, value) in dict.entries() {
            content.take(key.address() as u64);
            content.take(value.address() as u64);
        }
        Some(content.0)
    }

    /// The dict whose version tells each change of what is held in this form, and where the object refers to it.
    pub(crate) fn versioned(self, known: &Known) -> Option<(Version, usize, Place)> {
        let version = self.version(known)?;
        let dict = self.dict()?;
        let place = match self.form {
            Form::Class => Place::At(layout::PLACE_OF_CLASS_DICT),
            Form::Attributes => {
                layout::place_of_dict(self.object, dict).map_or(Place::Asked, Place::At)
            }
            _ => Place::Itself,
        };
        Some((version, dict.address(), place))
    }

    /// The same number only if the object holds the same in this form, where that can be read in place.
    #[inline]
    pub(crate) fn raw(self, raw: &Raw) -> Option<u64> {
        match self.form {
            Form::List => raw.lists.then(|| Raw::list(self.object)),
            Form::Tuple => raw.tuple(self.object),
            Form::Set | Form::FrozenSet => raw.sets.then(|| Raw::set(self.object)),
            Form::Cell => raw.cells.then(|| Raw::cell(self.object)),
            Form::Function => raw.function(self.object),
            _ => None,
        }
    }

    fn dict(self) -> Option<Object<'a>> {
        match self.form {
            Form::Module | Form::Library | Form::Dict => Some(self.object),
            Form::Class => layout::class_dict(self.object),
            Form::Attributes => self.object.instance_dict(),
            _ => None,
        }
    }
}

/// In which forms an object holds what may change. It may be sure that nobody can put another object in its place without a trace.
pub(crate) fn forms(
    object: Object<'_>,
    is_sure: bool,
    explorer: &mut Explorer<'_>,
    mut is: impl FnMut(Form, Arc<[(Label, usize)]>),
) {
    let Memory { names, kinds, .. } = &mut *explorer.memory;
    let known = explorer.known;
    let reading = kinds.of(object.type_of(), known, names);
    let form = match reading.kind {
        Kind::Parts => {
            if reading.is_bare {
                is(Form::Memory, Arc::default());
            }
            let is_left_out =
                !explorer.of_project && is_plain_wrapper(object, &reading.slots, known);
            if !reading.slots.is_empty() && !is_left_out {
                is(Form::Slots, Arc::clone(&reading.slots));
            }
            // Some have no dict until an attribute is set.
            if reading.has_dict {
                is(Form::Attributes, Arc::default());
            }
            match reading.contents {
                Contents::Nothing | Contents::Text | Contents::Integer => return,
                Contents::Items => Form::List,
                Contents::TupleItems => Form::Tuple,
                Contents::Entries | Contents::DefaultEntries => Form::Dict,
                Contents::SetMembers => Form::Set,
                Contents::FrozenSetMembers => Form::FrozenSet,
                Contents::DequeItems => Form::Deque,
            }
        }
        Kind::Function if !explorer.of_project && is_plain_function(object, known) => return,
        Kind::Function => {
            if object.instance_dict().is_some() {
                is(Form::Attributes, Arc::default());
            }
            Form::Function
        }
        Kind::Class => {
            let module = layout::class_dict(object).and_then(|_| module_of(object));
            match module {
                Some(module) if !(explorer.is_elsewhere)(module) => Form::Class,
                _ => return,
            }
        }
        Kind::Method => Form::Method,
        Kind::Cell => Form::Cell,
        Kind::ContextVariable => Form::ContextVariable,
        Kind::Buffer => Form::Buffer,
        Kind::Reduced => Form::Memory,
        // Another one may lie in the same place: which it is lies in itself.
        Kind::Builtin if !is_sure => Form::Memory,
        _ if reading.is_bare => Form::Memory,
        _ => return,
    };
    is(form, Arc::default());
}

/// What cannot change and has no finaliser: a number, text, code or a pattern, or a tuple of them.
pub(crate) fn is_value(object: Object<'_>, known: &Known) -> bool {
    let is_one = |object: Object<'_>| {
        let class = object.type_of();
        let numbers = [&known.int, &known.float, &known.complex];
        let others = [&known.text, &known.bytes, &known.code, &known.pattern];
        numbers.iter().chain(&others).any(|one| one.get() == class)
    };
    is_one(object)
        || object.type_of() == known.tuple.get() && object.tuple_items().all(is_one)
        || object == known.none.get()
}

/// A tuple or a frozenset, whatever the state of what it holds.
pub(crate) fn cannot_change(object: Object<'_>, known: &Known) -> bool {
    let class = object.type_of();
    class == known.tuple.get() || class == known.frozen_set.get()
}

/// A function that keeps nothing between calls, unless somebody changes it.
fn is_plain_function(function: Object<'_>, known: &Known) -> bool {
    let parts = function.function();
    parts.closure.is_none()
        && parts.keyword_defaults.is_none_or(|defaults| holds_values(defaults, known))
        && parts.defaults.is_none_or(|defaults| is_value(defaults, known))
        && layout::lacks_dict(function)
}

fn holds_values(dict: Object<'_>, known: &Known) -> bool {
    dict.entries().all(|(_, value)| is_value(value, known))
}

/// A static method, a class method or a property of functions that keep nothing.
fn is_plain_wrapper(object: Object<'_>, slots: &[(Label, usize)], known: &Known) -> bool {
    let class = object.type_of();
    known.wrappers.iter().any(|(wrapper, _)| wrapper.get() == class)
        && slots.iter().filter_map(|(_, at)| layout::slot(object, *at)).all(|part| {
            is_value(part, known)
                || part.type_of() == known.function.get() && is_plain_function(part, known)
        })
}
