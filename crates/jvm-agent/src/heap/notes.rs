//! What a walk writes down, and where it goes on. Pure: the two ways to walk, [`super::follow`] and [`super::visit`], share it.

use rustc_hash::FxHashSet;
use surefoot_state::Texts;

use super::roots::Roots;
use super::snapshot::{
    Array, Edge, Held, Objects, Place, Primitive, Snapshot, Thing, UNKNOWN_CLASS,
};
use super::treatment::Treatment;

pub(crate) struct Notes<'a> {
    pub(crate) roots: &'a Roots,
    pub(crate) objects: &'a mut Objects,
    pub(crate) texts: &'a mut Texts,
    snapshot: Snapshot,
    /// Enum constants that were met in the static fields of their own classes.
    own_constants: FxHashSet<Thing>,
    /// Enum constants that were met elsewhere for the first time, so that their fields were read as those of a value.
    new_constants: FxHashSet<Thing>,
    again: Option<Again>,
}

#[derive(Debug)]
pub(crate) enum Walked {
    All(Snapshot),
    /// Nothing may be concluded yet.
    Again(Again),
}

/// Why a walk must be done again.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Again {
    /// Objects of classes that are not known were met.
    Strangers,
    /// Something was read as a value before it turned out to be state; the next time that is known.
    Misread,
    /// There is more than this way of walking is made for.
    TooLarge,
}

/// An object that a reference leads to, as far as it is known.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Met {
    /// None if it was never met before.
    pub(crate) thing: Option<Thing>,
    pub(crate) class: Option<usize>,
    pub(crate) treatment: Option<Treatment>,
}

/// What to do with it.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Next {
    /// Its tag from now on; none if it needs none.
    pub(crate) thing: Option<Thing>,
    /// Look into it.
    pub(crate) enter: bool,
}

impl Next {
    const LEAVE: Next = Next { thing: None, enter: false };
}

impl<'a> Notes<'a> {
    pub(crate) fn new(
        roots: &'a Roots,
        objects: &'a mut Objects,
        texts: &'a mut Texts,
    ) -> Notes<'a> {
        Notes {
            roots,
            objects,
            texts,
            snapshot: Snapshot::default(),
            own_constants: FxHashSet::default(),
            new_constants: FxHashSet::default(),
            again: None,
        }
    }

    pub(crate) fn end(self) -> Walked {
        match self.again {
            Some(again) => Walked::Again(again),
            None => Walked::All(self.snapshot),
        }
    }

    pub(crate) fn give_up(&mut self, why: Again) {
        self.again = Some(why);
    }

    /// How much was written down.
    pub(crate) fn edges(&self) -> usize {
        self.snapshot.edges().len()
    }

    /// A reference from an object, or from a static field of a class.
    pub(crate) fn reference(
        &mut self,
        from: Thing,
        holder: Option<Treatment>,
        place: Place,
        met: Met,
    ) -> Next {
        if matches!(holder, Some(Treatment::Text | Treatment::Boxed)) {
            return Next::LEAVE;
        }
        if let (Some(class), Place::Static(field)) = (from.class_index(), place)
            && !self.roots.has(class, field)
        {
            return Next::LEAVE;
        }
        let class = met.class.and_then(|class| u32::try_from(class).ok()).unwrap_or(UNKNOWN_CLASS);
        let Some(target) = met.thing.or_else(|| self.objects.add(class)) else {
            self.again = Some(Again::TooLarge);
            return Next::LEAVE;
        };
        let is_new = met.thing.is_none();
        let frozen = self.is_frozen(from, holder);
        if frozen && is_new {
            self.objects.below_frozen.insert(target);
        }
        let edge = Edge { from, place, to: target };
        if frozen {
            self.objects.freeze_edge(edge);
        } else {
            self.snapshot.edge(edge);
        }
        let enter = target.class_index().is_none() && self.enters(from, place, target, is_new, met);
        Next { thing: Some(target), enter }
    }

    /// The same for a reference that was met before, from an object that is state or from a root. `enter` is asked only if
    /// `may_enter` is so.
    pub(crate) fn known_reference(
        &mut self,
        from: Thing,
        place: Place,
        target: Thing,
        may_enter: bool,
        met: impl FnOnce(&Objects) -> Met,
    ) -> bool {
        self.snapshot.edge(Edge { from, place, to: target });
        may_enter && target.class_index().is_none() && {
            let met = met(self.objects);
            self.enters(from, place, target, false, met)
        }
    }

    fn enters(&mut self, from: Thing, place: Place, target: Thing, is_new: bool, met: Met) -> bool {
        match met.treatment {
            None => {
                self.again = Some(Again::Strangers);
                false
            }
            Some(Treatment::Walk) => is_new || !self.objects.below_frozen.contains(target),
            Some(Treatment::Text | Treatment::Boxed | Treatment::Frozen) => is_new,
            // Its name is read once; its fields are state where its own class holds it.
            Some(Treatment::Enum) => {
                let own = matches!(place, Place::Static(_)) && from.class_index() == met.class;
                if own {
                    self.own_constants.insert(target);
                    if self.new_constants.contains(&target) {
                        self.again.get_or_insert(Again::Misread);
                    }
                } else if is_new {
                    self.new_constants.insert(target);
                }
                is_new || own
            }
            Some(Treatment::Opaque) => false,
        }
    }

    /// What is written down once and for all: a frozen object with all that it alone holds, and an enum constant that is not
    /// met where it is state.
    fn is_frozen(&self, thing: Thing, treatment: Option<Treatment>) -> bool {
        match treatment {
            Some(Treatment::Frozen) => true,
            Some(Treatment::Enum) => !self.own_constants.contains(&thing),
            _ => self.objects.below_frozen.contains(thing),
        }
    }

    /// What the object holds is state, and read each time.
    pub(crate) fn is_state(&self, thing: Thing, treatment: Option<Treatment>) -> bool {
        matches!(treatment, Some(Treatment::Walk | Treatment::Enum))
            && !self.is_frozen(thing, treatment)
    }

    /// Of an object, or of a class if the place is a static field.
    pub(crate) fn primitive(
        &mut self,
        by: Thing,
        treatment: Option<Treatment>,
        place: Place,
        value: Primitive,
    ) {
        let held = Held { by, place, value };
        if let (Some(holder), Place::Static(field)) = (by.class_index(), place) {
            if self.roots.has(holder, field) {
                self.snapshot.hold(held);
            }
            return;
        }
        match treatment {
            Some(Treatment::Boxed) => {
                self.objects.boxed.insert(by, value);
            }
            Some(Treatment::Text | Treatment::Opaque) | None => {}
            treatment if self.is_frozen(by, treatment) => {
                self.objects.frozen.entry(by).or_default().held.push(held);
            }
            Some(_) => self.snapshot.hold(held),
        }
    }

    pub(crate) fn array(&mut self, array: Array) {
        if self.objects.below_frozen.contains(array.thing) {
            self.objects.frozen.entry(array.thing).or_default().array = Some(array);
        } else {
            self.snapshot.array(array);
        }
    }

    pub(crate) fn text(&mut self, thing: Thing, units: &[u16]) {
        let text = self.texts.intern_utf16(units);
        self.objects.texts.insert(thing, text);
    }
}
