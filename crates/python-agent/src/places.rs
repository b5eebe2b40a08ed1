//! Where each object was first reached: in which part of the snapshot, and as which of its things. Kept from one walk to the next.

use rustc_hash::{FxBuildHasher, FxHashMap};
use surefoot_state::Label;

use crate::part::Part;

#[derive(Debug, Clone, Copy)]
struct Place {
    part: u32,
    number: u32,
    class: Label,
    /// Other parts lead to it too, or did.
    is_shared: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum State {
    /// Of the last walk; nobody knows yet whether this one has it too.
    Open,
    /// Of the last walk, and something in it is not as it was, or belongs to another part now.
    Changed,
    /// Of this walk.
    Settled,
}

#[derive(Debug, Default)]
pub(crate) struct Places {
    /// By address.
    of: FxHashMap<usize, Place>,
    /// By the number of the part.
    states: Vec<State>,
    /// Numbers that no part has any more.
    free: Vec<u32>,
}

/// Where an object is, for a part that leads to it.
pub(crate) enum Found {
    Here(u32),
    Elsewhere(Label),
    Nowhere,
}

impl Places {
    pub(crate) fn with_room_for(objects: usize) -> Places {
        Places {
            of: FxHashMap::with_capacity_and_hasher(objects, FxBuildHasher),
            ..Places::default()
        }
    }

    pub(crate) fn len(&self) -> usize {
        self.of.len()
    }

    /// A new walk begins.
    pub(crate) fn reopen(&mut self) {
        self.states.fill(State::Open);
    }

    /// The part that has this object has to be made anew.
    pub(crate) fn change(&mut self, address: usize) {
        if let Some(place) = self.of.get(&address) {
            self.states[place.part as usize] = State::Changed;
        }
    }

    /// A number for a part of this walk.
    pub(crate) fn part(&mut self) -> u32 {
        let id = self.free.pop().unwrap_or_else(|| {
            self.states.push(State::Settled);
            self.states.len() as u32 - 1
        });
        self.states[id as usize] = State::Settled;
        id
    }

    pub(crate) fn is_open(&self, part: u32) -> bool {
        self.states[part as usize] == State::Open
    }

    pub(crate) fn settle(&mut self, part: u32) {
        self.states[part as usize] = State::Settled;
    }

    /// Where an object is that the part `here` leads to. One that only a later part of the last walk had is nowhere any more: it
    /// is reached first from here.
    pub(crate) fn find(&mut self, address: usize, here: u32) -> Found {
        let Some(place) = self.of.get_mut(&address) else { return Found::Nowhere };
        if place.part == here {
            return Found::Here(place.number);
        }
        let state = &mut self.states[place.part as usize];
        if *state == State::Settled {
            place.is_shared = true;
            return Found::Elsewhere(place.class);
        }
        *state = State::Changed;
        Found::Nowhere
    }

    /// The class of an object that this walk has reached.
    pub(crate) fn settled(&self, address: usize) -> Option<Label> {
        let place = self.of.get(&address)?;
        (self.states[place.part as usize] == State::Settled).then_some(place.class)
    }

    pub(crate) fn put(&mut self, address: usize, part: u32, number: u32, class: Label) {
        let place =
            self.of.entry(address).or_insert(Place { part, number, class, is_shared: false });
        // Parts that are not made again may lead to it, wherever it is.
        *place = Place { part, number, class, is_shared: place.is_shared };
    }

    /// The objects of a part of the last walk that other parts led to, and that no part of this one has reached so far.
    pub(crate) fn shared_of<'p>(&'p self, part: &'p Part) -> impl Iterator<Item = usize> + 'p {
        let addresses = part.things().iter().map(|thing| thing.identity as usize);
        addresses.filter(|address| {
            let place = self.of.get(address);
            place.is_some_and(|place| place.part == part.id && place.is_shared)
        })
    }

    /// Forgets a part of the last walk, and what no part of this one has reached.
    pub(crate) fn forget(&mut self, part: &Part) {
        for address in part.things().iter().map(|thing| thing.identity as usize) {
            if self.of.get(&address).is_some_and(|place| place.part == part.id) {
                self.of.remove(&address);
            }
        }
        self.free.push(part.id);
    }
}
