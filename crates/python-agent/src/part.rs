//! What one root leads to: the objects that were first reached from there, and what these hold.

use std::hash::{Hash, Hasher};

use surefoot_state::{Digest, EdgeLabel, Label, Value};

/// Where an edge leads.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Held {
    /// By its number in the same part.
    Node(u32),
    /// An object that was first reached from another root: where it lies, and its class.
    Other(u64, Label),
    Value(Value),
}

/// An object of the walk.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Thing {
    /// Where it lies in memory.
    pub(crate) identity: u64,
    pub(crate) class: Label,
    pub(crate) content: Option<Digest>,
    /// Where its edges begin.
    first_edge: u32,
}

/// Things in the order in which they were reached. While it is being made, those come last whose edges are not there yet.
#[derive(Debug, Clone, Default)]
pub(crate) struct Part {
    /// See [`crate::places::Places`].
    pub(crate) id: u32,
    things: Vec<Thing>,
    edges: Vec<(EdgeLabel, Held)>,
    /// Objects that are none of its things, but on whose state it depends what these are said to hold.
    pub(crate) depends_on: Vec<usize>,
}

impl Part {
    /// An empty one, with the room that this one has.
    pub(crate) fn clear(&mut self, id: u32) {
        self.id = id;
        self.things.clear();
        self.edges.clear();
        self.depends_on.clear();
    }

    pub(crate) fn thing(&mut self, identity: usize, class: Label, content: Option<Digest>) -> u32 {
        let number = self.things.len() as u32;
        self.things.push(Thing { identity: identity as u64, class, content, first_edge: u32::MAX });
        number
    }

    /// The edges of this thing follow; those of things with lower numbers are all there.
    pub(crate) fn edges_of(&mut self, number: u32) {
        self.things[number as usize].first_edge = self.edges.len() as u32;
    }

    pub(crate) fn edge(&mut self, label: EdgeLabel, held: Held) {
        self.edges.push((label, held));
    }

    pub(crate) fn edge_count(&self) -> usize {
        self.edges.len()
    }

    pub(crate) fn things(&self) -> &[Thing] {
        &self.things
    }

    pub(crate) fn edges(&self) -> &[(EdgeLabel, Held)] {
        &self.edges
    }

    pub(crate) fn edges_at(&self, number: u32) -> &[(EdgeLabel, Held)] {
        let at = number as usize;
        let start = self.things[at].first_edge as usize;
        let next = self.things.get(at + 1);
        let end = next.map_or(self.edges.len(), |next| next.first_edge as usize);
        &self.edges[start.min(self.edges.len())..end.min(self.edges.len())]
    }

    /// Of a root that holds this, and of all that was first reached from there.
    pub(crate) fn digest(&self, held: Held) -> [u64; 2] {
        let mut digest = Mixer::default();
        self.mix(held, &mut digest);
        for (number, thing) in self.things.iter().enumerate() {
            digest.write_u64(thing.identity);
            thing.class.hash(&mut digest);
            thing.content.hash(&mut digest);
            for (label, held) in self.edges_at(number as u32) {
                label.hash(&mut digest);
                self.mix(*held, &mut digest);
            }
        }
        digest.0
    }

    fn mix(&self, held: Held, digest: &mut Mixer) {
        match held {
            Held::Node(number) => digest.write_u64(self.things[number as usize].identity),
            Held::Other(identity, _) => digest.write_u64(identity),
            Held::Value(value) => value.hash(digest),
        }
    }
}

/// Quick, and good enough that two states with the same digest are the same.
#[derive(Debug)]
struct Mixer([u64; 2]);

impl Default for Mixer {
    fn default() -> Self {
        Mixer([0x243f_6a88_85a3_08d3, 0x1319_8a2e_0370_7344])
    }
}

impl Hasher for Mixer {
    fn finish(&self) -> u64 {
        self.0[0]
    }

    fn write(&mut self, bytes: &[u8]) {
        for chunk in bytes.chunks(8) {
            let mut word = [0; 8];
            word[..chunk.len()].copy_from_slice(chunk);
            self.write_u64(u64::from_le_bytes(word));
        }
        self.write_u64(bytes.len() as u64);
    }

    fn write_u8(&mut self, value: u8) {
        self.write_u64(u64::from(value));
    }

    fn write_u32(&mut self, value: u32) {
        self.write_u64(u64::from(value));
    }

    fn write_isize(&mut self, value: isize) {
        self.write_u64(value as u64);
    }

    fn write_u64(&mut self, value: u64) {
        let [one, other] = &mut self.0;
        *one = (*one ^ value).wrapping_mul(0x9e37_79b9_7f4a_7c15).rotate_left(29);
        *other =
            other.rotate_left(23).wrapping_add(value).wrapping_mul(0xc2b2_ae3d_27d4_eb4f) ^ *one;
    }
}
