//! What one object held when it was last read, in few bytes: each look goes over all of them.

use std::sync::Arc;

use surefoot_state::Label;

use crate::api::Object;
use crate::forms::{Form, Place, Reading};
use crate::known::Known;
use crate::layout;
use crate::raw::Raw;

/// Where the slots of a class lie in its instances.
pub(crate) type Slots = Arc<[(Label, usize)]>;

#[derive(Debug)]
pub(crate) struct Mark {
    object: usize,
    class: usize,
    /// What the check came to.
    number: u64,
    check: Check,
    /// It cannot change, and is the one that it was as long as the dicts that led to it have their versions.
    is_steady: bool,
}

/// How to tell without much ado that an object holds what it held.
#[derive(Debug, Clone, Copy)]
enum Check {
    /// By the version of the dict that holds everything.
    Version { dict: usize, place: Place },
    /// By what lies in it, as [`Raw`] reads it. Of a list also where its items lay.
    Raw { form: Form, items: usize },
    /// By what lies in its slots, which are those of this number in a list of them.
    Slots(u32),
    /// It has to be read as it was when the mark was made.
    Reading,
}

impl Mark {
    /// The slots are of this number in a list of them.
    pub(crate) fn of(reading: Reading<'_, '_>, slots: u32, is_steady: bool, known: &Known) -> Mark {
        let Reading { object, form, .. } = reading;
        let (check, number) = if let Some((version, dict, place)) = reading.versioned(known) {
            (Check::Version { dict, place }, version.number())
        } else if form == Form::Slots {
            (Check::Slots(slots), in_slots(object, reading.slots))
        } else if let Some(number) = reading.raw(&known.raw) {
            let items = if form == Form::List { Raw::place_of_items(object) } else { 0 };
            (Check::Raw { form, items }, number)
        } else {
            (Check::Reading, 0)
        };
        let (object, class) = (object.address(), object.type_of().address());
        Mark { object, class, number, check, is_steady }
    }

    pub(crate) fn is_steady(&self) -> bool {
        self.is_steady
    }

    /// Whether what the object holds is surely the very same as long as this is as before.
    pub(crate) fn has_version(&self) -> bool {
        matches!(self.check, Check::Version { .. })
    }

    /// # Safety
    /// It is alive, as what held it when the mark was made holds it now.
    pub(crate) unsafe fn object<'a>(&self) -> Option<Object<'a>> {
        // SAFETY: as the caller says.
        unsafe { Object::borrowed(self.object as *mut _) }
    }

    pub(crate) fn is_of_class_of(&self, object: Object<'_>) -> bool {
        object.type_of().address() == self.class
    }

    /// Whether the object surely holds what it held. It is of the class that it was of.
    #[inline]
    pub(crate) fn is_as_before(&self, object: Object<'_>, slots: &[Slots], known: &Known) -> bool {
        match self.check {
            Check::Version { dict, place } => {
                let is_there = match place {
                    Place::Itself => true,
                    // SAFETY: it is where this object had its dict, and the caller has seen that it is of the same class.
                    Place::At(place) => unsafe { layout::refers_to(object, place, dict) },
                    Place::Asked => {
                        let version = known.version_of_instance(object);
                        return version.is_some_and(|version| version.number() == self.number);
                    }
                };
                is_there
                    // SAFETY: the object is this dict, or has just been seen to refer to it.
                    && unsafe { Object::borrowed(dict as *mut _) }
                        .is_some_and(|dict| layout::version(dict).number() == self.number)
            }
            Check::Raw { form, .. } => {
                let reading = Reading { object, form, of_library: false, slots: &[] };
                reading.raw(&known.raw) == Some(self.number)
            }
            Check::Slots(at) => in_slots(object, &slots[at as usize]) == self.number,
            Check::Reading => false,
        }
    }

    /// Asks for what the check is about to read: it lies all over the place, and most of the time goes into waiting for it. Nothing of
    /// it is read, so it need not be there any more.
    #[inline]
    pub(crate) fn ask_ahead(&self) {
        if self.is_steady {
            return;
        }
        layout::ask_for(self.object);
        match self.check {
            Check::Version { dict, place } => {
                layout::ask_for(dict);
                if let Place::At(place) = place {
                    layout::ask_for(self.object.wrapping_add_signed(place as isize));
                }
            }
            Check::Raw { form: Form::List, items } => layout::ask_for(items),
            Check::Raw { .. } | Check::Slots(_) => layout::ask_for(self.object + 64),
            Check::Reading => {}
        }
    }
}

fn in_slots(object: Object<'_>, slots: &[(Label, usize)]) -> u64 {
    let mut content = crate::raw::Content::default();
    for (_, at) in slots {
        content.take(layout::slot(object, *at).map_or(0, |held| held.address() as u64));
    }
    content.0
}
