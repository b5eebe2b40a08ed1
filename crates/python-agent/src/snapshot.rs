//! A captured state: objects and what they hold, root by root, with a digest for each root.

use std::collections::HashMap;
use std::hash::{Hash, Hasher};
use std::ops::Range;
use std::sync::Arc;

use surefoot_model::Access;
use surefoot_state::{
    Digest, EdgeLabel, Graph, GraphBuilder, Label, Names, Node, NodeId, Target, Value,
};

/// Where an edge leads.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Held {
    Node(u32),
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
    pub(crate) first_edge: u32,
}

#[derive(Debug, Clone)]
pub(crate) struct Root {
    pub(crate) name: Label,
    /// The module or the class that it is an attribute of; none for settings of the process.
    pub(crate) owner: Option<Label>,
    pub(crate) access: Access,
    pub(crate) held: Held,
    /// The objects that were first reached from here.
    pub(crate) things: Range<u32>,
    digest: [u64; 2],
}

#[derive(Debug, Default)]
pub(crate) struct Snapshot {
    /// The roots that nothing below has changed since, with all that they lead to: they are in several snapshots.
    base: Option<Arc<Snapshot>>,
    roots: Vec<Root>,
    owners: Vec<Label>,
    /// Numbered from those of the base on.
    things: Vec<Thing>,
    edges: Vec<(EdgeLabel, Held)>,
}

/// What of two snapshots has to be compared.
#[derive(Debug)]
pub(crate) struct Focus<'s> {
    pub(crate) before: Vec<&'s Root>,
    pub(crate) after: Vec<&'s Root>,
    /// Attributes that a module or a class has gained or lost.
    pub(crate) added: Vec<&'s Root>,
    pub(crate) removed: Vec<&'s Root>,
}

impl Snapshot {
    /// One that goes on where another ends.
    pub(crate) fn upon(base: Arc<Snapshot>) -> Snapshot {
        Snapshot { base: Some(base), ..Snapshot::default() }
    }

    /// An empty one that is about to be as large as another.
    pub(crate) fn like(other: &Snapshot) -> Snapshot {
        Snapshot {
            base: None,
            roots: Vec::with_capacity(other.roots.len()),
            owners: Vec::with_capacity(other.owners.len()),
            things: Vec::with_capacity(other.things.len()),
            edges: Vec::with_capacity(other.edges.len()),
        }
    }

    pub(crate) fn owner(&mut self, owner: Label) {
        self.owners.push(owner);
    }

    pub(crate) fn thing(&mut self, identity: usize, class: Label, content: Option<Digest>) -> u32 {
        let number = self.things();
        self.things.push(Thing { identity: identity as u64, class, content, first_edge: u32::MAX });
        number
    }

    /// The edges of this thing follow; those of things with lower numbers are all there.
    pub(crate) fn edges_of(&mut self, thing: u32) {
        let at = (thing - self.first()) as usize;
        self.things[at].first_edge = self.edges.len() as u32;
    }

    pub(crate) fn edge(&mut self, label: EdgeLabel, held: Held) {
        self.edges.push((label, held));
    }

    pub(crate) fn things(&self) -> u32 {
        self.first() + self.things.len() as u32
    }

    /// The number of the first thing that is not the base's.
    fn first(&self) -> u32 {
        self.base.as_ref().map_or(0, |base| base.things())
    }

    fn thing_at(&self, number: u32) -> &Thing {
        match &self.base {
            Some(base) if number < base.things() => base.thing_at(number),
            _ => &self.things[(number - self.first()) as usize],
        }
    }

    fn roots(&self) -> impl Iterator<Item = &Root> {
        self.base.iter().flat_map(|base| &base.roots).chain(&self.roots)
    }

    fn has_owner(&self, owner: Label) -> bool {
        self.owners.contains(&owner)
            || self.base.as_ref().is_some_and(|base| base.owners.contains(&owner))
    }

    /// Whether the two share what is below most of their roots.
    fn is_upon_the_same_as(&self, other: &Snapshot) -> bool {
        matches!((&self.base, &other.base), (Some(one), Some(other)) if Arc::ptr_eq(one, other))
    }

    pub(crate) fn edge_count(&self) -> usize {
        self.edges.len()
    }

    /// All that `held` leads to is there; what was first reached from here begins at `first`.
    pub(crate) fn root(
        &mut self,
        name: Label,
        owner: Option<Label>,
        access: Access,
        held: Held,
        first: u32,
    ) {
        let things = first..self.things();
        let mut digest = Mixer::default();
        self.mix_held(held, &mut digest);
        for number in things.clone() {
            let thing = self.thing_at(number);
            digest.write_u64(thing.identity);
            thing.class.hash(&mut digest);
            thing.content.hash(&mut digest);
            for (label, held) in self.edges_at(number) {
                label.hash(&mut digest);
                self.mix_held(*held, &mut digest);
            }
        }
        self.roots.push(Root { name, owner, access, held, things, digest: digest.0 });
    }

    fn mix_held(&self, held: Held, digest: &mut Mixer) {
        match held {
            Held::Node(number) => digest.write_u64(self.thing_at(number).identity),
            Held::Value(value) => value.hash(digest),
        }
    }

    fn edges_at(&self, number: u32) -> &[(EdgeLabel, Held)] {
        if let Some(base) = self.base.as_ref().filter(|base| number < base.things()) {
            return base.edges_at(number);
        }
        let at = (number - self.first()) as usize;
        let start = self.things[at].first_edge as usize;
        let next = self.things.get(at + 1);
        let end = next.map_or(self.edges.len(), |next| next.first_edge as usize);
        &self.edges[start.min(self.edges.len())..end.min(self.edges.len())]
    }

    fn by_name(&self) -> HashMap<Label, &Root> {
        self.roots().map(|root| (root.name, root)).collect()
    }

    /// None if the two are the same, object by object.
    pub(crate) fn focus<'s>(&'s self, after: &'s Snapshot) -> Option<Focus<'s>> {
        let upon_the_same = self.is_upon_the_same_as(after);
        let own = || self.roots.iter().zip(&after.roots);
        if upon_the_same
            && self.roots.len() == after.roots.len()
            && own().all(|(one, other)| one.name == other.name)
        {
            return focus_of_the_same_roots(own());
        }
        let all = || self.roots().zip(after.roots());
        if self.roots().count() == after.roots().count()
            && all().all(|(one, other)| one.name == other.name)
        {
            return focus_of_the_same_roots(all());
        }
        let (old, new) = (self.by_name(), after.by_name());
        let mut focus =
            Focus { before: Vec::new(), after: Vec::new(), added: Vec::new(), removed: Vec::new() };
        for root in after.roots() {
            match old.get(&root.name).copied() {
                Some(before) if before.digest == root.digest => {}
                Some(before) => {
                    focus.before.push(before);
                    focus.after.push(root);
                }
                None => {
                    focus.after.push(root);
                    if root.owner.is_some_and(|owner| self.has_owner(owner)) {
                        focus.added.push(root);
                    }
                }
            }
        }
        for root in self.roots() {
            if !new.contains_key(&root.name) {
                focus.before.push(root);
                if root.owner.is_some_and(|owner| after.has_owner(owner)) {
                    focus.removed.push(root);
                }
            }
        }
        let is_same = focus.before.is_empty() && focus.after.is_empty();
        (!is_same).then_some(focus)
    }

    /// Of some of the roots. What was first reached from others is the same object in both states, and stands for itself.
    pub(crate) fn graph(&self, roots: &[&Root], names: &mut Names) -> Option<Graph> {
        let mut builder = GraphBuilder::new();
        let mut nodes: HashMap<u32, NodeId> = HashMap::new();
        for number in roots.iter().flat_map(|root| root.things.clone()) {
            let Thing { identity, class, content, .. } = *self.thing_at(number);
            nodes.insert(number, builder.node(Node { class, content, identity }));
        }
        let mut target = |held: Held| match held {
            Held::Value(value) => Target::Value(value),
            Held::Node(number) => match nodes.get(&number) {
                Some(node) => Target::Node(*node),
                None => Target::Value(Value::Named(self.stand_in(number, names))),
            },
        };
        let mut numbers: Vec<u32> = roots.iter().flat_map(|root| root.things.clone()).collect();
        numbers.sort_unstable();
        for number in numbers {
            for (label, held) in self.edges_at(number) {
                builder.edge(nodes[&number], *label, target(*held));
            }
        }
        for root in roots {
            builder.root(root.name, target(root.held));
        }
        builder.build().ok()
    }

    /// See [`without_identity`].
    fn stand_in(&self, number: u32, names: &mut Names) -> Label {
        let Thing { identity, class, .. } = *self.thing_at(number);
        let text = format!("{}{MARK}{identity:x}", names.text(class));
        names.label(&text)
    }

    pub(crate) fn shown(&self, held: Held) -> Option<(Label, usize)> {
        match held {
            Held::Node(number) => Some((self.thing_at(number).class, self.edges_at(number).len())),
            Held::Value(_) => None,
        }
    }

    pub(crate) fn all_roots(&self) -> Vec<&Root> {
        self.roots().collect()
    }
}

/// Nearly always both have the same roots in the same order.
fn focus_of_the_same_roots<'s>(
    roots: impl Iterator<Item = (&'s Root, &'s Root)>,
) -> Option<Focus<'s>> {
    let (before, after): (Vec<&Root>, Vec<&Root>) =
        roots.filter(|(one, other)| one.digest != other.digest).unzip();
    let focus = Focus { before, after, added: Vec::new(), removed: Vec::new() };
    (!focus.before.is_empty()).then_some(focus)
}

/// Between the name of a class and which of its objects is meant.
const MARK: char = '@';

/// A name that tells which object is meant. No name of Python's has the mark.
pub(crate) fn identified(name: &str, address: usize) -> String {
    format!("{name}{MARK}{address:x}")
}

/// The name as people want it.
pub(crate) fn without_identity(text: &str) -> &str {
    match text.rsplit_once(MARK) {
        Some((name, address))
            if !name.is_empty() && address.bytes().all(|byte| byte.is_ascii_hexdigit()) =>
        {
            name
        }
        _ => text,
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
