//! What objects held when they were last read, by addresses alone: tells within nanoseconds whether they still do.
//!
//! Marks keep no reference to what has state of its own. So each may only be checked once those before it in its list have been:
//! they stand in the order in which they were reached, and what held an object then and is unchanged holds it now.

use std::sync::Arc;

use rustc_hash::FxHashSet;
use surefoot_state::Label;

use crate::api::{Object, Owned};
use crate::forms::{Form, Place, Reading, forms, is_value};
use crate::known::Known;
use crate::layout::{self, Version};
use crate::reached::Reached;
use crate::walk::Memory;

/// More objects than this are not followed from one module of a library.
const MOST: usize = 50_000;

/// Nor from one of the project, which is walked through as a whole at each look if it is not followed.
const MOST_OF_PROJECT: usize = 1_000_000;

#[derive(Debug)]
struct Mark {
    object: usize,
    class: usize,
    form: Form,
    dict: Option<Dict>,
}

/// A dict whose version tells enough.
#[derive(Debug, Clone, Copy)]
struct Dict {
    address: usize,
    place: Place,
    version: Version,
}

/// What is needed of an object where that does not tell.
#[derive(Debug)]
struct Content {
    /// Where slots lie.
    slots: Arc<[(Label, usize)]>,
    entries: Option<u64>,
    content: u64,
    /// The attribute of the module that led here.
    attribute: Option<Label>,
}

impl Mark {
    /// Whether a version says that all is as it was. The object is there, and is of the same class as it was.
    fn is_same_version(&self, object: Object<'_>, known: &Known) -> bool {
        let Some(dict) = self.dict else { return false };
        let is_there = match dict.place {
            Place::Itself => true,
            // SAFETY: it is where this object has its dict; the caller has seen that it is of the same class.
            Place::At(place) => unsafe { layout::refers_to(place, dict.address) },
            Place::Asked => return known.version_of_instance(object) == Some(dict.version),
        };
        is_there
            // SAFETY: the object is this dict, or has just been seen to refer to it.
            && unsafe { Object::borrowed(dict.address as *mut _) }
                .is_some_and(|object| layout::version(object) == dict.version)
    }
}

impl Dict {
    fn of(reading: Reading<'_, '_>, known: &Known) -> Option<Dict> {
        let (version, address, place) = reading.versioned(known)?;
        Some(Dict { address, place, version })
    }
}

/// The marks of all that one module leads to.
#[derive(Debug, Default)]
pub(crate) struct Marks {
    /// See [`Reached`].
    number: u32,
    of_library: bool,
    list: Vec<Mark>,
    /// Of each mark.
    contents: Vec<Content>,
    /// The attributes of the module, with the addresses of their values.
    attributes: Vec<(Label, usize)>,
    /// All that was reached, with a mark or without.
    reached: Vec<usize>,
    /// There is more than was followed.
    too_large: bool,
    /// Values without any state, kept so that no other gets the address of one. They have no finalisers.
    kept: Vec<Owned>,
}

/// What is needed to find out what there is.
pub(crate) struct Explorer<'m> {
    pub(crate) known: &'m Known,
    pub(crate) memory: &'m mut Memory,
    /// Whether it is the project's, or what libraries keep: of these, functions that keep nothing are left out.
    pub(crate) of_project: bool,
    /// What others have led to already.
    pub(crate) reached: &'m mut Reached,
    /// Whether a class of this module is looked at elsewhere, or not at all.
    pub(crate) is_elsewhere: &'m dyn Fn(&str) -> bool,
}

/// To be looked into.
struct Item<'a> {
    object: Object<'a>,
    form: Form,
    slots: Arc<[(Label, usize)]>,
    attribute: Option<Label>,
}

impl Marks {
    /// Of all that a dict leads to, which is a module's or holds values of fixtures.
    pub(crate) fn of(dict: Object<'_>, form: Form, explorer: &mut Explorer<'_>) -> Marks {
        let number = explorer.reached.next_number();
        let mut marks = Marks { number, of_library: form == Form::Library, ..Marks::default() };
        let first = Item { object: dict, form, slots: Arc::default(), attribute: None };
        let mut queue = vec![first];
        let mut next = 0;
        while next < queue.len() {
            marks.add(next, &mut queue, explorer);
            next += 1;
        }
        marks
    }

    fn add<'a>(&mut self, at: usize, queue: &mut Vec<Item<'a>>, explorer: &mut Explorer<'_>) {
        let Item { object, form, attribute, .. } = queue[at];
        let slots = Arc::clone(&queue[at].slots);
        let known = explorer.known;
        let reading = Reading { object, form, of_library: self.of_library, slots: &slots };
        let content = reading.each(known, |name, held| {
            let mut attribute = attribute;
            if at == 0 {
                let Memory { names, labels, .. } = &mut *explorer.memory;
                attribute = name.and_then(|name| labels.attribute(name, names));
                self.attributes.extend(attribute.map(|name| (name, held.address())));
            }
            if let Some(key) = name.filter(|_| form == Form::Dict) {
                self.reach(key, attribute, queue, explorer);
            }
            self.reach(held, attribute, queue, explorer);
        });
        let (dict, entries) = (Dict::of(reading, known), reading.entries());
        let (object, class) = (object.address(), object.type_of().address());
        self.list.push(Mark { object, class, form, dict });
        self.contents.push(Content { slots, entries, content, attribute });
    }

    /// Something that is held: kept if it is a value, to be looked into if it has state.
    fn reach<'a>(
        &mut self,
        held: Object<'a>,
        attribute: Option<Label>,
        queue: &mut Vec<Item<'a>>,
        explorer: &mut Explorer<'_>,
    ) {
        if is_value(held, explorer.known) {
            self.kept.push(held.to_owned());
        } else if explorer.reached.has(held.address(), self.number) {
            // Whoever reached it first has its mark.
        } else if queue.len() >= (if explorer.of_project { MOST_OF_PROJECT } else { MOST }) {
            self.too_large = true;
        } else {
            explorer.reached.add(held.address(), self.number);
            self.reached.push(held.address());
            forms(held, explorer, |form, slots| {
                queue.push(Item { object: held, form, slots, attribute });
            });
        }
    }

    /// The attribute below which something is not as it was; brings the versions of what is up to date.
    pub(crate) fn changed(&mut self, known: &Known, memory: &mut Memory) -> Option<Change> {
        for (at, mark) in self.list.iter_mut().enumerate() {
            // SAFETY: what led here was found unchanged just now, and so holds this object. The first is the dict of a module that is
            // in `sys.modules`.
            let object = unsafe { Object::borrowed(mark.object as *mut _) }?;
            if object.type_of().address() != mark.class {
                return Some(Change(self.contents[at].attribute));
            }
            if mark.is_same_version(object, known) {
                continue;
            }
            let before = &mut self.contents[at];
            let (form, of_library) = (mark.form, self.of_library);
            let reading = Reading { object, form, of_library, slots: &before.slots };
            let entries = reading.entries();
            let is_same = entries.is_some() && entries == before.entries;
            if !is_same && reading.each(known, |_, _| {}) != before.content {
                let attribute = match form {
                    Form::Module | Form::Library => {
                        other_attribute(&self.attributes, reading, known, memory)
                    }
                    _ => before.attribute,
                };
                return Some(Change(attribute));
            }
            mark.dict = Dict::of(reading, known);
            before.entries = entries;
        }
        None
    }

    /// Whether no change is missed.
    pub(crate) fn are_complete(&self) -> bool {
        !self.too_large
    }

    pub(crate) fn reached(&self) -> &[usize] {
        &self.reached
    }
}

/// What changed: an attribute of the module, or what it leads to.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Change(pub(crate) Option<Label>);

/// The first attribute that is new, gone or another object.
fn other_attribute(
    before: &[(Label, usize)],
    module: Reading<'_, '_>,
    known: &Known,
    memory: &mut Memory,
) -> Option<Label> {
    let mut now = Vec::with_capacity(before.len());
    module.each(known, |name, held| {
        let Memory { names, labels, .. } = &mut *memory;
        let name = name.and_then(|name| labels.attribute(name, names));
        now.extend(name.map(|name| (name, held.address())));
    });
    let (old, new): (FxHashSet<_>, FxHashSet<_>) =
        (before.iter().copied().collect(), now.iter().copied().collect());
    let other = now.iter().find(|one| !old.contains(one));
    other.or_else(|| before.iter().find(|one| !new.contains(one))).map(|(name, _)| *name)
}
