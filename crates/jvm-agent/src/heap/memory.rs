//! What objects held when they were last read, so that only those that have changed are read again. Pure.
//!
//! An object has a position, under which the VM finds it again, and a record of what it holds. The Java half compares records
//! with the objects (`SurefootRecall.java`), so both are numbers that it can read where they lie:
//!
//! | record | |
//! |---|---|
//! | length, position, form | of all; the length is that of the record, and position 0 says that it is forgotten |
//! | positions | of an array of references; 0 is null |
//! | kind, bytes, check (2) | of an array of primitives; then, for us, its length and its digest (4) |
//! | positions, values (2 each) | of an object: its references, then its primitives, both in the order of its layout |
//!
//! The form is [`REFERENCES`], [`PRIMITIVES`], or where the layout of the object's class begins: the number of references with
//! their offsets, and the number of primitives with their offsets and kinds.

use std::ops::Range;

use rustc_hash::FxHashMap;

use super::links::Referrers;
use super::snapshot::{Array, Edge, Held, Place, Primitive, Snapshot, Thing};

const REFERENCES: i32 = -1;
const PRIMITIVES: i32 = -2;
const HEADER: usize = 3;

/// Layouts begin with where the elements of arrays begin, by their kind.
pub(crate) const KINDS: [Primitive; 8] = [
    Primitive::Boolean(false),
    Primitive::Byte(0),
    Primitive::Char(0),
    Primitive::Short(0),
    Primitive::Int(0),
    Primitive::Float(0),
    Primitive::Long(0),
    Primitive::Double(0),
];

/// The objects of a class, or its static fields.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) enum Holder {
    Object(usize),
    Statics(usize),
}

impl Holder {
    pub(crate) fn place(self, field: u32) -> Place {
        match self {
            Holder::Object(_) => Place::Field(field),
            Holder::Statics(_) => Place::Static(field),
        }
    }
}

/// A field of a holder, in its order.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Slot {
    pub(crate) number: u32,
    /// A value of its type; none for a reference.
    pub(crate) primitive: Option<Primitive>,
    pub(crate) offset: i32,
}

#[derive(Debug)]
struct Layout {
    begin: i32,
    slots: Vec<Slot>,
}

#[derive(Debug, Default)]
pub(crate) struct Memory {
    /// By position; nothing has position 0.
    things: Vec<Thing>,
    /// By the number of the object.
    positions: Vec<u32>,
    class_positions: FxHashMap<Thing, u32>,
    records: Vec<i32>,
    /// By position: where its record begins.
    begins: Vec<Option<u32>>,
    /// By position: how many references to it the records have.
    references: Vec<u32>,
    /// By position: which ones refer to it; none until that is asked for.
    referrers: Option<Referrers>,
    /// By position: the last walk that met it where it is state.
    met: Vec<u32>,
    walk: u32,
    /// So much of the records is of no use any more.
    forgotten: usize,
    layouts: Vec<i32>,
    holders: FxHashMap<Holder, Layout>,
}

/// What a record says of a place.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Content {
    /// By the number of the field.
    Reference(u32, Thing),
    Primitive(u32, Primitive),
    Array(Array),
    /// By its index.
    Element(u32, Thing),
}

impl Memory {
    /// `bases`: where the elements of arrays begin, by [`KINDS`].
    pub(crate) fn new(bases: &[i32]) -> Memory {
        let nothing = Thing::ROOTS;
        let layouts = bases.to_vec();
        Memory {
            things: vec![nothing],
            begins: vec![None],
            references: vec![0],
            met: vec![0],
            layouts,
            ..Memory::default()
        }
    }

    pub(crate) fn position_of(&self, thing: Thing) -> Option<u32> {
        let position = match thing.class_index() {
            Some(_) => self.class_positions.get(&thing).copied(),
            None => self.positions.get(thing.number() as usize).copied(),
        };
        position.filter(|position| *position > 0)
    }

    /// Gives it the next position.
    pub(crate) fn add(&mut self, thing: Thing) -> Option<u32> {
        let position = u32::try_from(self.things.len()).ok()?;
        if thing.class_index().is_some() {
            self.class_positions.insert(thing, position);
        } else {
            let number = thing.number() as usize;
            if self.positions.len() <= number {
                self.positions.resize((number + 1).max(self.positions.len() * 2), 0);
            }
            self.positions[number] = position;
        }
        self.things.push(thing);
        self.begins.push(None);
        self.references.push(0);
        self.met.push(0);
        Some(position)
    }

    pub(crate) fn knows_layout(&self, holder: Holder, fields: usize) -> bool {
        self.holders.get(&holder).is_some_and(|layout| layout.slots.len() == fields)
    }

    pub(crate) fn learn_layout(&mut self, holder: Holder, slots: Vec<Slot>) -> Option<()> {
        let begin = i32::try_from(self.layouts.len()).ok()?;
        let references = slots.iter().filter(|slot| slot.primitive.is_none());
        self.layouts.push(i32::try_from(references.clone().count()).ok()?);
        self.layouts.extend(references.map(|slot| slot.offset));
        let primitives = slots.iter().filter_map(|slot| Some((slot.offset, slot.primitive?)));
        self.layouts.push(i32::try_from(primitives.clone().count()).ok()?);
        self.layouts.extend(primitives.flat_map(|(offset, value)| [offset, kind_of(value)]));
        self.holders.insert(holder, Layout { begin, slots });
        Some(())
    }

    /// What an object with fields holds, or a class in static ones: positions and values, in the order of its layout.
    pub(crate) fn record_fields(
        &mut self,
        thing: Thing,
        holder: Holder,
        references: &[u32],
        values: &[u64],
    ) {
        let Some(layout) = self.holders.get(&holder) else { return };
        let form = layout.begin;
        let values = values.iter().flat_map(|value| halves(*value));
        let content: Vec<i32> =
            references.iter().map(|position| position.cast_signed()).chain(values).collect();
        self.record(thing, form, content);
    }

    pub(crate) fn record_elements(&mut self, thing: Thing, elements: &[u32]) {
        self.record(thing, REFERENCES, elements.iter().map(|position| position.cast_signed()));
    }

    pub(crate) fn record_primitives(&mut self, element: Primitive, array: Array, check: u64) {
        let bytes = u64::from(array.length) * element.width() as u64;
        let Ok(bytes) = i32::try_from(bytes) else { return };
        let [low, high] = halves(array.digest as u64);
        let [higher, highest] = halves((array.digest >> 64) as u64);
        let [check, check_high] = halves(check);
        let (kind, length) = (kind_of(element), array.length.cast_signed());
        let content = [kind, bytes, check, check_high, length, low, high, higher, highest];
        self.record(array.thing, PRIMITIVES, content);
    }

    fn record(&mut self, thing: Thing, form: i32, content: impl IntoIterator<Item = i32>) {
        let (Some(position), Ok(begin)) =
            (self.position_of(thing), u32::try_from(self.records.len()))
        else {
            return;
        };
        self.forget(position);
        let at = begin as usize;
        self.records.extend([0, position.cast_signed(), form]);
        self.records.extend(content);
        self.records[at] = (self.records.len() - at) as i32;
        self.begins[position as usize] = Some(begin);
        for at in self.references_in(at) {
            let target = self.records[at].unsigned_abs();
            self.references[target as usize] += 1;
            if let Some(referrers) = &mut self.referrers {
                referrers.add(target, position);
            }
        }
    }

    pub(crate) fn forget(&mut self, position: u32) {
        if let Some(begin) = self.begins.get_mut(position as usize).and_then(Option::take) {
            let begin = begin as usize;
            for at in self.references_in(begin) {
                self.references[self.records[at].unsigned_abs() as usize] -= 1;
            }
            self.records[begin + 1] = 0;
            self.forgotten += self.records[begin].unsigned_abs() as usize;
        }
    }

    pub(crate) fn forget_thing(&mut self, thing: Thing) {
        if let Some(position) = self.position_of(thing) {
            self.forget(position);
        }
    }

    /// A walk begins.
    pub(crate) fn begin_walk(&mut self) {
        self.walk += 1;
    }

    /// The walk has come to a thing whose content is state.
    pub(crate) fn meet(&mut self, thing: Thing) {
        if let Some(position) = self.position_of(thing) {
            self.met[position as usize] = self.walk;
        }
    }

    /// Forgets what the last walk did not meet, and what is not state any more.
    pub(crate) fn forget_all_but(&mut self, is_state: impl Fn(Thing) -> bool) {
        self.referrers = None;
        for at in 1..self.things.len() {
            let is_met = self.met[at] == self.walk && is_state(self.things[at]);
            if self.begins[at].is_some() && !is_met {
                self.forget(at as u32);
            }
        }
    }

    /// From now on it can be told what refers to what.
    pub(crate) fn index_referrers(&mut self) {
        if self.referrers.is_some() {
            return;
        }
        let memory = &*self;
        let recorded = (1..).zip(&memory.begins[1..]);
        let references = recorded.filter_map(|(position, begin)| Some((position, (*begin)?)));
        let references = references.flat_map(|(position, begin)| {
            let targets = memory.references_in(begin as usize);
            targets.map(move |at| (position, memory.records[at].unsigned_abs() as usize))
        });
        self.referrers = Some(Referrers::of(memory.things.len(), references));
    }

    /// What refers to it, and what did when that was indexed.
    pub(crate) fn for_each_holder(&self, of: Thing, tell: &mut dyn FnMut(Thing)) {
        let Some(position) = self.position_of(of) else { return };
        let referrers = self.referrers.iter().flat_map(|referrers| referrers.to(position));
        referrers.for_each(|referrer| tell(self.things[*referrer as usize]));
    }

    /// What its record refers to.
    pub(crate) fn for_each_held(&self, by: Thing, tell: &mut dyn FnMut(Thing)) {
        let targets = self.recorded(by).map(|begin| self.references_in(begin));
        let targets = targets.into_iter().flatten().filter(|at| self.records[*at] != 0);
        targets.for_each(|at| tell(self.thing_at(at)));
    }

    /// What its record says. `holder` is what the thing is.
    pub(crate) fn copy(&self, thing: Thing, holder: Holder, to: &mut Snapshot) {
        let Some(begin) = self.recorded(thing) else { return };
        self.for_each(begin, holder, |content| match content {
            Content::Reference(number, target) => {
                to.edge(Edge { from: thing, place: holder.place(number), to: target });
            }
            Content::Element(index, target) => {
                to.edge(Edge { from: thing, place: Place::Element(index), to: target });
            }
            Content::Primitive(number, value) => {
                to.hold(Held { by: thing, place: holder.place(number), value });
            }
            Content::Array(array) => to.array(array),
        });
    }

    /// How many references to it the records have.
    pub(crate) fn references_to(&self, thing: Thing) -> u32 {
        self.position_of(thing).map_or(0, |position| self.references[position as usize])
    }

    /// What has this position.
    pub(crate) fn thing_of(&self, position: u32) -> Option<Thing> {
        self.things.get(position as usize).copied()
    }

    /// Where a record has positions.
    fn references_in(&self, begin: usize) -> Range<usize> {
        let content = self.content(begin);
        let count = match self.records[begin + 2] {
            REFERENCES => content.len(),
            PRIMITIVES => 0,
            layout => self.layouts[layout.unsigned_abs() as usize].unsigned_abs() as usize,
        };
        content.start..content.start + count
    }

    /// Where the record of an object begins, if it has one.
    pub(crate) fn recorded(&self, thing: Thing) -> Option<usize> {
        let position = self.position_of(thing)?;
        self.begins[position as usize].map(|begin| begin as usize)
    }

    /// Everything that a record says, in the order in which it was read.
    pub(crate) fn for_each(&self, begin: usize, holder: Holder, mut tell: impl FnMut(Content)) {
        let content = self.content(begin);
        match self.records[begin + 2] {
            REFERENCES => {
                let thing = self.thing_at(begin + 1);
                let length = content.len() as u32;
                tell(Content::Array(Array { thing, length, digest: 0 }));
                let full = (0..).zip(content).filter(|(_, at)| self.records[*at] != 0);
                full.for_each(|(index, at)| tell(Content::Element(index, self.thing_at(at))));
            }
            PRIMITIVES => {
                let thing = self.thing_at(begin + 1);
                let at = content.start;
                let length = self.records[at + 4].cast_unsigned();
                let digest =
                    u128::from(self.long_at(at + 7)) << 64 | u128::from(self.long_at(at + 5));
                tell(Content::Array(Array { thing, length, digest }));
            }
            _ => {
                let Some(layout) = self.holders.get(&holder) else { return };
                let references = layout.slots.iter().filter(|slot| slot.primitive.is_none());
                let mut reference = content.start;
                let mut value = content.start + references.count();
                for slot in &layout.slots {
                    match slot.primitive {
                        Some(kind) => {
                            let bits = self.long_at(value);
                            tell(Content::Primitive(slot.number, kind.with_bits(bits)));
                            value += 2;
                        }
                        None => {
                            if self.records[reference] != 0 {
                                tell(Content::Reference(slot.number, self.thing_at(reference)));
                            }
                            reference += 1;
                        }
                    }
                }
            }
        }
    }

    fn thing_at(&self, at: usize) -> Thing {
        self.things[self.records[at].unsigned_abs() as usize]
    }

    fn long_at(&self, at: usize) -> u64 {
        let [low, high] = [at, at + 1].map(|at| u64::from(self.records[at].cast_unsigned()));
        high << 32 | low
    }

    fn content(&self, begin: usize) -> Range<usize> {
        begin + HEADER..begin + self.records[begin].unsigned_abs() as usize
    }

    /// How many positions there are, that of nothing included.
    pub(crate) fn len(&self) -> usize {
        self.things.len()
    }

    /// More of it is of no use than is.
    pub(crate) fn is_worn(&self) -> bool {
        self.forgotten * 2 > self.records.len()
    }

    pub(crate) fn records(&self) -> &[i32] {
        &self.records
    }

    pub(crate) fn layouts(&self) -> &[i32] {
        &self.layouts
    }
}

/// Of the bytes of an array: what the Java half works out in the same way. Each step is a bijection of the check: one change
/// alone is never missed.
pub(crate) fn check(bytes: &[u8]) -> u64 {
    const ODD: u64 = 0x9e37_79b9_7f4a_7c15;
    let (words, rest) = bytes.as_chunks::<8>();
    let words = words.iter().map(|word| u64::from_ne_bytes(*word));
    let words = words.chain(rest.iter().map(|byte| u64::from(*byte)));
    words.fold(bytes.len() as u64, |check, word| (check.rotate_left(29) ^ word).wrapping_mul(ODD))
}

fn kind_of(value: Primitive) -> i32 {
    let of_type = |kind: &Primitive| std::mem::discriminant(kind) == std::mem::discriminant(&value);
    KINDS.iter().position(of_type).map_or(0, |kind| kind as i32)
}

fn halves(bits: u64) -> [i32; 2] {
    [(bits as u32).cast_signed(), ((bits >> 32) as u32).cast_signed()]
}

#[cfg(test)]
mod tests;
