//! What one walk met, as numbers. Pure.

use rustc_hash::FxHashMap;
use surefoot_state::TextId;

use super::things::ThingSet;

/// An object, for as long as the VM lives: the tag that it has in the VM. A class object is one too.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) struct Thing(u32);

/// Things from here on are classes.
const FIRST_CLASS: u32 = 1 << 31;

impl Thing {
    /// The array that a walk starts from.
    pub(crate) const ROOTS: Thing = Thing(u32::MAX);

    pub(crate) fn object(number: u32) -> Option<Thing> {
        (0 < number && number < FIRST_CLASS).then_some(Thing(number))
    }

    pub(crate) fn class(index: u32) -> Option<Thing> {
        let number = index.checked_add(FIRST_CLASS)?;
        (number < u32::MAX).then_some(Thing(number))
    }

    /// None for an object without a tag.
    pub(crate) fn from_tag(tag: i64) -> Option<Thing> {
        u32::try_from(tag).ok().filter(|number| *number > 0).map(Thing)
    }

    pub(crate) fn tag(self) -> i64 {
        i64::from(self.0)
    }

    pub(crate) fn number(self) -> u32 {
        self.0
    }

    pub(crate) fn class_index(self) -> Option<usize> {
        (self != Thing::ROOTS && self.0 >= FIRST_CLASS).then(|| (self.0 - FIRST_CLASS) as usize)
    }
}

/// A field, by the number that the VM gives it, or an element of an array.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Edge {
    pub(crate) from: Thing,
    pub(crate) place: Place,
    pub(crate) to: Thing,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Place {
    Field(u32),
    Static(u32),
    Element(u32),
    /// What a thread local holds in a thread, by the number of the thread's name.
    Local(u32),
}

/// A field that holds a primitive.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Held {
    pub(crate) by: Thing,
    pub(crate) place: Place,
    pub(crate) value: Primitive,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Primitive {
    Boolean(bool),
    Char(u16),
    Byte(i8),
    Short(i16),
    Int(i32),
    Long(i64),
    Float(u32),
    Double(u64),
}

impl Primitive {
    /// What a field of this type holds before anything is put into it; none if it is no primitive.
    pub(crate) fn initial(signature: &str) -> Option<Primitive> {
        match signature {
            "Z" => Some(Primitive::Boolean(false)),
            "C" => Some(Primitive::Char(0)),
            "B" => Some(Primitive::Byte(0)),
            "S" => Some(Primitive::Short(0)),
            "I" => Some(Primitive::Int(0)),
            "J" => Some(Primitive::Long(0)),
            "F" => Some(Primitive::Float(0)),
            "D" => Some(Primitive::Double(0)),
            _ => None,
        }
    }

    /// In bytes, as an element of an array.
    pub(crate) fn width(self) -> usize {
        match self {
            Primitive::Boolean(_) | Primitive::Byte(_) => 1,
            Primitive::Char(_) | Primitive::Short(_) => 2,
            Primitive::Int(_) | Primitive::Float(_) => 4,
            Primitive::Long(_) | Primitive::Double(_) => 8,
        }
    }

    pub(crate) fn bits(self) -> u64 {
        match self {
            Primitive::Boolean(value) => u64::from(value),
            Primitive::Char(unit) => u64::from(unit),
            Primitive::Byte(value) => i64::from(value).cast_unsigned(),
            Primitive::Short(value) => i64::from(value).cast_unsigned(),
            Primitive::Int(value) => i64::from(value).cast_unsigned(),
            Primitive::Long(value) => value.cast_unsigned(),
            Primitive::Float(bits) => u64::from(bits),
            Primitive::Double(bits) => bits,
        }
    }

    /// The one of this type that has these bits.
    pub(crate) fn with_bits(self, bits: u64) -> Primitive {
        match self {
            Primitive::Boolean(_) => Primitive::Boolean(bits != 0),
            Primitive::Char(_) => Primitive::Char(bits as u16),
            Primitive::Byte(_) => Primitive::Byte(bits as i8),
            Primitive::Short(_) => Primitive::Short(bits as i16),
            Primitive::Int(_) => Primitive::Int(bits as i32),
            Primitive::Long(_) => Primitive::Long(bits.cast_signed()),
            Primitive::Float(_) => Primitive::Float(bits as u32),
            Primitive::Double(_) => Primitive::Double(bits),
        }
    }
}

/// An array, by the number of its elements and, if they are primitives, a digest of them.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Array {
    pub(crate) thing: Thing,
    pub(crate) length: u32,
    pub(crate) digest: u128,
}

#[derive(Debug, Clone, Default)]
pub(crate) struct Snapshot {
    edges: Vec<Edge>,
    held: Vec<Held>,
    arrays: Vec<Array>,
}

impl Snapshot {
    pub(crate) fn edge(&mut self, edge: Edge) {
        self.edges.push(edge);
    }

    pub(crate) fn hold(&mut self, held: Held) {
        self.held.push(held);
    }

    pub(crate) fn array(&mut self, array: Array) {
        self.arrays.push(array);
    }

    /// What is left when these places are not looked at; an array as a whole is at the place of its first element.
    pub(crate) fn without(&self, mut left_out: impl FnMut(Thing, Place) -> bool) -> Snapshot {
        let edges = self.edges.iter().filter(|edge| !left_out(edge.from, edge.place));
        let edges = edges.copied().collect();
        let held = self.held.iter().filter(|held| !left_out(held.by, held.place));
        let held = held.copied().collect();
        let arrays = self.arrays.iter().filter(|it| !left_out(it.thing, Place::Element(0)));
        Snapshot { edges, held, arrays: arrays.copied().collect() }
    }

    pub(crate) fn append(&mut self, more: &Snapshot) {
        self.edges.extend(&more.edges);
        self.held.extend(&more.held);
        self.arrays.extend(&more.arrays);
    }

    /// What holds something, as often as it does.
    pub(crate) fn holders(&self) -> impl Iterator<Item = Thing> {
        let edges = self.edges.iter().map(|edge| edge.from);
        let held = self.held.iter().map(|held| held.by);
        edges.chain(held).chain(self.arrays.iter().map(|array| array.thing))
    }

    /// Nothing differs: not a value, not an object, not even which of two equal objects is where. The same heap is walked in the
    /// same order.
    pub(crate) fn is_same(&self, other: &Snapshot) -> bool {
        self.edges == other.edges && self.held == other.held && self.arrays == other.arrays
    }

    /// What is left of both without what they begin and end with alike. Two walks meet most of the heap in the same order.
    pub(crate) fn unlike(&self, other: &Snapshot) -> (Snapshot, Snapshot) {
        let edges = unlike(&self.edges, &other.edges);
        let held = unlike(&self.held, &other.held);
        let arrays = unlike(&self.arrays, &other.arrays);
        let mut rest = (Snapshot::default(), Snapshot::default());
        edges.0.iter().for_each(|edge| rest.0.edge(*edge));
        edges.1.iter().for_each(|edge| rest.1.edge(*edge));
        held.0.iter().for_each(|held| rest.0.hold(*held));
        held.1.iter().for_each(|held| rest.1.hold(*held));
        arrays.0.iter().for_each(|array| rest.0.array(*array));
        arrays.1.iter().for_each(|array| rest.1.array(*array));
        rest
    }

    /// What every thing holds at these places, bit by bit: a digest for each bit.
    pub(crate) fn for_each_content(
        &self,
        counts: impl Fn(Thing, Place) -> bool,
        mut tell: impl FnMut(Thing, u64),
    ) {
        for edge in self.edges.iter().filter(|edge| counts(edge.from, edge.place)) {
            tell(edge.from, mixed(place_bits(edge.place), u64::from(edge.to.0)));
        }
        for held in self.held.iter().filter(|held| counts(held.by, held.place)) {
            tell(held.by, mixed(place_bits(held.place), held.value.bits()));
        }
        for array in &self.arrays {
            let digest = array.digest as u64 ^ (array.digest >> 64) as u64;
            tell(array.thing, mixed(u64::from(array.length), digest));
        }
    }

    pub(crate) fn edges(&self) -> &[Edge] {
        &self.edges
    }

    pub(crate) fn held(&self) -> &[Held] {
        &self.held
    }

    pub(crate) fn arrays(&self) -> &[Array] {
        &self.arrays
    }
}

fn unlike<'a, T: PartialEq>(a: &'a [T], b: &'a [T]) -> (&'a [T], &'a [T]) {
    let begin = a.iter().zip(b).take_while(|(a, b)| a == b).count();
    let (a, b) = (&a[begin..], &b[begin..]);
    let end = a.iter().rev().zip(b.iter().rev()).take_while(|(a, b)| a == b).count();
    (&a[..a.len() - end], &b[..b.len() - end])
}

/// Spread over all bits, so that sums of them tell.
fn mixed(a: u64, b: u64) -> u64 {
    let mut bits = a.wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ b.wrapping_add(0x6a09_e667_f3bc_c909);
    bits = (bits ^ bits >> 32).wrapping_mul(0xd6e8_feb8_6659_fd93);
    bits = (bits ^ bits >> 32).wrapping_mul(0xd6e8_feb8_6659_fd93);
    bits ^ bits >> 32
}

fn place_bits(place: Place) -> u64 {
    match place {
        Place::Field(index) => u64::from(index),
        Place::Static(index) => 1 << 33 | u64::from(index),
        Place::Element(index) => 1 << 32 | u64::from(index),
        Place::Local(thread) => 1 << 34 | u64::from(thread),
    }
}

/// What is known of every object that any walk met: an object never changes its class, nor a value what it is.
#[derive(Debug, Default)]
pub(crate) struct Objects {
    /// By the object's number; the index of its class.
    classes: Vec<u32>,
    pub(crate) texts: FxHashMap<Thing, TextId>,
    pub(crate) boxed: FxHashMap<Thing, Primitive>,
    /// What frozen objects hold; they are walked once.
    pub(crate) frozen: FxHashMap<Thing, Frozen>,
    /// How many references to it frozen objects have.
    held_by_frozen: FxHashMap<Thing, u32>,
    /// Objects that are frozen though their class is not.
    pub(crate) below_frozen: ThingSet,
    /// Objects below this number have been judged: frozen or not.
    judged: u32,
}

#[derive(Debug, Default)]
pub(crate) struct Frozen {
    pub(crate) edges: Vec<Edge>,
    pub(crate) held: Vec<Held>,
    pub(crate) array: Option<Array>,
}

/// Classes that are not known yet have this index.
pub(crate) const UNKNOWN_CLASS: u32 = u32::MAX;

impl Objects {
    pub(crate) fn add(&mut self, class: u32) -> Option<Thing> {
        if self.classes.is_empty() {
            self.classes.push(UNKNOWN_CLASS); // No object has number 0.
        }
        let thing = Thing::object(u32::try_from(self.classes.len()).ok()?)?;
        self.classes.push(class);
        Some(thing)
    }

    /// All numbers of objects are below it.
    pub(crate) fn len(&self) -> usize {
        self.classes.len()
    }

    /// The numbers of objects that were met since this was last asked.
    pub(crate) fn not_judged(&mut self) -> std::ops::Range<u32> {
        let end = u32::try_from(self.classes.len()).unwrap_or(u32::MAX);
        std::mem::replace(&mut self.judged, end)..end
    }

    /// What a frozen object holds.
    pub(crate) fn freeze_edge(&mut self, edge: Edge) {
        self.frozen.entry(edge.from).or_default().edges.push(edge);
        *self.held_by_frozen.entry(edge.to).or_default() += 1;
    }

    /// How many references to it frozen objects have.
    pub(crate) fn frozen_references_to(&self, thing: Thing) -> u32 {
        self.held_by_frozen.get(&thing).copied().unwrap_or(0)
    }

    pub(crate) fn class_of(&self, thing: Thing) -> Option<usize> {
        let class = *self.classes.get(thing.0 as usize)?;
        (class != UNKNOWN_CLASS).then_some(class as usize)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn edge(from: u32, place: Place, to: u32) -> Edge {
        Edge { from: Thing(from), place, to: Thing(to) }
    }

    #[test]
    fn one_state_is_itself_and_every_change_is_another() {
        let mut before = Snapshot::default();
        before.edge(edge(1, Place::Field(0), 2));
        before.hold(Held { by: Thing(2), place: Place::Field(1), value: Primitive::Int(7) });
        assert!(before.is_same(&before.clone()));

        let mut other_target = Snapshot::default();
        other_target.edge(edge(1, Place::Field(0), 3));
        other_target.hold(before.held()[0]);
        assert!(!before.is_same(&other_target));

        let mut other_value = Snapshot::default();
        other_value.edge(before.edges()[0]);
        other_value.hold(Held { value: Primitive::Int(8), ..before.held()[0] });
        assert!(!before.is_same(&other_value));
    }

    #[test]
    fn what_two_snapshots_have_in_common_is_left_out_from_both_ends() {
        let edges = |targets: &[u32]| {
            let mut snapshot = Snapshot::default();
            targets.iter().for_each(|to| snapshot.edge(edge(1, Place::Field(0), *to)));
            snapshot
        };
        let targets = |snapshot: &Snapshot| -> Vec<u32> {
            snapshot.edges().iter().map(|edge| edge.to.number()).collect()
        };
        for (a, b, left_of_a, left_of_b) in [
            (&[2, 3, 4][..], &[2, 5, 6, 4][..], &[3][..], &[5, 6][..]),
            (&[2, 2], &[2, 2, 2], &[], &[2]),
            (&[2, 3], &[2, 3], &[], &[]),
            (&[], &[7], &[], &[7]),
        ] {
            let (rest_of_a, rest_of_b) = edges(a).unlike(&edges(b));
            assert_eq!(
                (targets(&rest_of_a), targets(&rest_of_b)),
                (left_of_a.into(), left_of_b.into())
            );
        }
    }

    #[test]
    fn a_primitive_is_its_type_and_its_bits() {
        for value in [
            Primitive::Boolean(true),
            Primitive::Char(u16::MAX),
            Primitive::Byte(-1),
            Primitive::Short(-2),
            Primitive::Int(-3),
            Primitive::Long(i64::MIN),
            Primitive::Float(u32::MAX),
            Primitive::Double(u64::MAX),
        ] {
            assert_eq!(value.with_bits(value.bits()), value);
        }
    }

    #[test]
    fn objects_and_classes_have_tags_of_their_own() {
        let mut objects = Objects::default();
        let thing = objects.add(5).unwrap();
        assert_eq!(Thing::from_tag(thing.tag()), Some(thing));
        assert_eq!(objects.class_of(thing), Some(5));
        assert_eq!(thing.class_index(), None);
        assert_eq!(Thing::class(5).unwrap().class_index(), Some(5));
        assert_eq!(Thing::from_tag(0), None);
    }
}
