//! What objects held when they were last read, by addresses alone: tells within nanoseconds whether they still do.
//!
//! Marks keep no reference to what has state of its own. So each may only be checked once those before it in its list have been:
//! they stand in the order in which they were reached, and what held an object then and is unchanged holds it now.

use std::sync::Arc;

use rustc_hash::{FxHashMap, FxHashSet};
use surefoot_state::Label;

use crate::api::{Object, Owned};
use crate::forms::{Form, Reading, cannot_change, forms, is_value};
use crate::known::Known;
use crate::mark::{Mark, Slots};
use crate::reached::Reached;
use crate::walk::Memory;

/// More objects than this are not followed from one module of a library.
const MOST: usize = 50_000;

/// Nor from one of the project, which is walked through as a whole at each look if it is not followed.
const MOST_OF_PROJECT: usize = 1_000_000;

/// How many marks ahead memory is asked for.
const AHEAD: usize = 16;

/// What is needed of an object where its mark does not tell that it holds what it held.
#[derive(Debug)]
struct Content {
    form: Form,
    /// Of its slots, in the list of them.
    slots: u32,
    entries: Option<u64>,
    content: u64,
    /// The attribute of the module that led here.
    attribute: Option<Label>,
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
    slots: Vec<Slots>,
    /// Where slots are in that list, by the address of theirs.
    slots_at: FxHashMap<usize, u32>,
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
    /// Attributes of the module that lead to too much.
    pub(crate) unread: Vec<Label>,
}

/// To be looked into.
struct Item<'a> {
    object: Object<'a>,
    form: Form,
    slots: Slots,
    attribute: Option<Label>,
    /// See [`Mark`].
    is_steady: bool,
}

impl Marks {
    /// Of all that a dict leads to, which is a module's or holds values of fixtures.
    pub(crate) fn of(dict: Object<'_>, form: Form, explorer: &mut Explorer<'_>) -> Marks {
        let number = explorer.reached.next_number();
        let mut marks = Marks { number, of_library: form == Form::Library, ..Marks::default() };
        let first =
            Item { object: dict, form, slots: Arc::default(), attribute: None, is_steady: false };
        let mut queue = vec![first];
        let mut next = 0;
        while next < queue.len() {
            marks.add(next, &mut queue, explorer);
            next += 1;
        }
        marks
    }

    fn add<'a>(&mut self, at: usize, queue: &mut Vec<Item<'a>>, explorer: &mut Explorer<'_>) {
        let Item { object, form, attribute, is_steady, .. } = queue[at];
        let slots = Arc::clone(&queue[at].slots);
        let known = explorer.known;
        let reading = Reading { object, form, of_library: self.of_library, slots: &slots };
        let number = self.number_of(&slots);
        let mark = Mark::of(reading, number, is_steady, known);
        let is_sure = mark.is_steady() || mark.has_version();
        let content = reading.each(known, |name, held| {
            let mut attribute = attribute;
            if at == 0 {
                let Memory { names, labels, .. } = &mut *explorer.memory;
                attribute = name.and_then(|name| labels.attribute(name, names));
                self.attributes.extend(attribute.map(|name| (name, held.address())));
                if attribute.is_some_and(|name| explorer.unread.contains(&name)) {
                    return;
                }
            }
            if let Some(key) = name.filter(|_| form == Form::Dict) {
                self.reach(key, attribute, is_sure, queue, explorer);
            }
            self.reach(held, attribute, is_sure, queue, explorer);
        });
        let entries = reading.entries();
        self.list.push(mark);
        self.contents.push(Content { form, slots: number, entries, content, attribute });
    }

    /// Objects of a class share their slots.
    fn number_of(&mut self, slots: &Slots) -> u32 {
        *self.slots_at.entry(slots.as_ptr() as usize).or_insert_with(|| {
            self.slots.push(Arc::clone(slots));
            self.slots.len() as u32 - 1
        })
    }

    /// Something that is held: kept if it is a value, to be looked into if it has state. It may be sure that nobody can put another object
    /// in its place without a trace.
    fn reach<'a>(
        &mut self,
        held: Object<'a>,
        attribute: Option<Label>,
        is_sure: bool,
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
            let is_steady = is_sure && cannot_change(held, explorer.known);
            forms(held, is_sure, explorer, |form, slots| {
                queue.push(Item { object: held, form, slots, attribute, is_steady });
            });
        }
    }

    /// Asks for the memory that is read first.
    pub(crate) fn ask_ahead(&self) {
        self.list.iter().take(AHEAD).for_each(Mark::ask_ahead);
    }

    /// The attribute below which something is not as it was; brings the versions of what is up to date.
    pub(crate) fn changed(&mut self, known: &Known, memory: &mut Memory) -> Option<Change> {
        // Once a dict has another version, what it led to may be something else that lies in the same place.
        let mut is_sure = true;
        for at in 0..self.list.len() {
            if let Some(later) = self.list.get(at + AHEAD) {
                later.ask_ahead();
            }
            let mark = &self.list[at];
            if is_sure && mark.is_steady() {
                continue;
            }
            // SAFETY: what led here was found unchanged just now, and so holds this object. The first is the dict of a module that is
            // in `sys.modules`.
            let object = unsafe { mark.object() }?;
            if !mark.is_of_class_of(object) {
                return Some(Change(self.contents[at].attribute));
            }
            if !mark.is_as_before(object, &self.slots, known) {
                is_sure &= !mark.has_version();
                if let Some(change) = self.other_content(at, object, known, memory) {
                    return Some(change);
                }
            }
        }
        None
    }

    /// What an object that may have changed turns out to hold, if that is something else.
    #[cold]
    fn other_content(
        &mut self,
        at: usize,
        object: Object<'_>,
        known: &Known,
        memory: &mut Memory,
    ) -> Option<Change> {
        let before = &mut self.contents[at];
        let (form, slots) = (before.form, &self.slots[before.slots as usize]);
        let reading = Reading { object, form, of_library: self.of_library, slots };
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
        before.entries = entries;
        let mark = Mark::of(reading, before.slots, self.list[at].is_steady(), known);
        // What it leads to may count upon its having one.
        let has_lost_version = self.list[at].has_version() && !mark.has_version();
        self.list[at] = mark;
        has_lost_version.then_some(Change(before.attribute))
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
