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

/// What the processor fetches at once.
const LINE: usize = 64;

#[derive(Debug)]
pub(crate) struct Mark {
    object: usize,
    class: usize,
    /// What the check came to.
    number: u64,
    /// Where the dict lies that holds everything, or where the items of a list lay.
    elsewhere: usize,
    check: Check,
}

/// How to tell without much ado that an object holds what it held.
#[derive(Debug, Clone, Copy)]
enum Check {
    /// By the version of the dict that it is.
    Itself,
    /// By that of the dict to which it refers in this place: see [`Place`].
    At(i32),
    /// By that of the dict which it is said to have.
    Asked,
    /// By what lies in it, as [`Raw`] reads it. What is steady cannot change, and is the one that it was as long as the dicts that led
    /// to it have their versions.
    Raw { form: Form, is_steady: bool },
    /// By what lies in its slots, which are those of this number in a list of them.
    Slots(u32),
    /// It has to be read as it was when the mark was made.
    Reading,
}

impl Mark {
    /// The slots are of this number in a list of them.
    pub(crate) fn of(reading: Reading<'_, '_>, slots: u32, is_steady: bool, known: &Known) -> Mark {
        let Reading { object, form, .. } = reading;
        let mut elsewhere = 0;
        let (check, number) = if let Some((version, dict, place)) = reading.versioned(known) {
            elsewhere = dict;
            let check = match place {
                Place::Itself => Check::Itself,
                Place::At(place) => Check::At(place),
                Place::Asked => Check::Asked,
            };
            (check, version.number())
        } else if form == Form::Slots {
            (Check::Slots(slots), in_slots(object, reading.slots))
        } else if let Some(number) = reading.raw(&known.raw) {
            if form == Form::List {
                elsewhere = Raw::place_of_items(object);
            }
            (Check::Raw { form, is_steady }, number)
        } else {
            (Check::Reading, 0)
        };
        let (object, class) = (object.address(), object.type_of().address());
        Mark { object, class, number, elsewhere, check }
    }

    pub(crate) fn is_steady(&self) -> bool {
        matches!(self.check, Check::Raw { is_steady: true, .. })
    }

    /// Whether what the object holds is surely the very same as long as this is as before.
    pub(crate) fn has_version(&self) -> bool {
        matches!(self.check, Check::Itself | Check::At(_) | Check::Asked)
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
            // SAFETY: the object is the dict.
            Check::Itself => unsafe { self.has_dict_of_version() },
            // SAFETY: it is where this object had its dict, and the caller has seen that it is of the same class; so the object is seen to
            // refer to the dict before that is read.
            Check::At(place) => unsafe {
                layout::refers_to(object, place, self.elsewhere) && self.has_dict_of_version()
            },
            Check::Asked => {
                let version = known.version_of_instance(object);
                version.is_some_and(|version| version.number() == self.number)
            }
            Check::Raw { form, .. } => {
                let reading = Reading { object, form, of_library: false, slots: &[] };
                reading.raw(&known.raw) == Some(self.number)
            }
            Check::Slots(at) => in_slots(object, &slots[at as usize]) == self.number,
            Check::Reading => false,
        }
    }

    /// # Safety
    /// The dict is alive.
    unsafe fn has_dict_of_version(&self) -> bool {
        // SAFETY: as the caller says.
        let dict = unsafe { Object::borrowed(self.elsewhere as *mut _) };
        dict.is_some_and(|dict| layout::version(dict).number() == self.number)
    }

    /// Asks for what the check is about to read: it lies all over the place, and most of the time goes into waiting for it. Nothing of
    /// it is read, so it need not be there any more.
    #[inline]
    pub(crate) fn ask_ahead(&self) {
        if self.is_steady() {
            return;
        }
        layout::ask_for(self.object);
        match self.check {
            Check::At(place) => {
                layout::ask_for(self.elsewhere);
                layout::ask_for(self.object.wrapping_add_signed(place as isize));
            }
            Check::Raw { form: Form::List, .. } => layout::ask_for(self.elsewhere),
            // Some reach beyond what the processor fetches at once.
            Check::Raw { .. } | Check::Slots(_) => layout::ask_for(self.object.wrapping_add(LINE)),
            Check::Itself | Check::Asked | Check::Reading => {}
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
