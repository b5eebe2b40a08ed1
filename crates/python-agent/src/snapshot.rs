//! A captured state: objects and what they hold, root by root, with a digest for each root.

use std::sync::Arc;

use rustc_hash::{FxHashMap, FxHashSet};
use surefoot_model::Access;
use surefoot_state::{Graph, GraphBuilder, Label, Names, Node, NodeId, Target, Value};

use crate::part::{Held, Part, Thing};

#[derive(Debug, Clone)]
pub(crate) struct Root {
    pub(crate) name: Label,
    /// The module or the class that it is an attribute of; none for settings of the process.
    pub(crate) owner: Option<Label>,
    pub(crate) access: Access,
    pub(crate) held: Held,
    /// The objects that were first reached from here, if there are any. Several snapshots have it, as long as it stays the same.
    pub(crate) part: Option<Arc<Part>>,
    pub(crate) digest: [u64; 2],
}

#[derive(Debug, Default)]
pub(crate) struct Snapshot {
    /// The roots that nothing below has changed since, with all that they lead to: they are in several snapshots.
    base: Option<Arc<Snapshot>>,
    roots: Vec<Root>,
    owners: Vec<Label>,
}

/// What of two snapshots has to be compared.
#[derive(Debug, Default)]
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
        }
    }

    pub(crate) fn owner(&mut self, owner: Label) {
        self.owners.push(owner);
    }

    pub(crate) fn root(&mut self, root: Root) {
        self.roots.push(root);
    }

    /// Without those of the base.
    pub(crate) fn own_roots(&self) -> &[Root] {
        &self.roots
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
        let (old, new): (Vec<&Root>, Vec<&Root>) =
            (self.roots().collect(), after.roots().collect());
        let all = || old.iter().copied().zip(new.iter().copied());
        let is_same = |(one, other): &(&Root, &Root)| one.name == other.name;
        if old.len() == new.len() && all().all(|pair| is_same(&pair)) {
            return focus_of_the_same_roots(all());
        }
        // What came or went did so in few places.
        let first = all().take_while(is_same).count();
        let (rest_of_old, rest_of_new) = (&old[first..], &new[first..]);
        let backwards = rest_of_old.iter().rev().copied().zip(rest_of_new.iter().rev().copied());
        let last = backwards.take_while(is_same).count();
        let (old_between, old_end) = rest_of_old.split_at(rest_of_old.len() - last);
        let (new_between, new_end) = rest_of_new.split_at(rest_of_new.len() - last);
        let mut focus = Focus::default();
        focus.add_changed(all().take(first));
        self.add_between(old_between, new_between, after, &mut focus);
        focus.add_changed(old_end.iter().copied().zip(new_end.iter().copied()));
        (!focus.is_empty()).then_some(focus)
    }

    /// Where roots came or went.
    fn add_between<'s>(
        &'s self,
        old: &[&'s Root],
        new: &[&'s Root],
        after: &'s Snapshot,
        focus: &mut Focus<'s>,
    ) {
        let by_name: FxHashMap<Label, &Root> = old.iter().map(|root| (root.name, *root)).collect();
        for root in new {
            match by_name.get(&root.name).copied() {
                Some(before) => focus.add_changed(std::iter::once((before, *root))),
                None => {
                    focus.after.push(root);
                    if root.owner.is_some_and(|owner| self.has_owner(owner)) {
                        focus.added.push(root);
                    }
                }
            }
        }
        let there: FxHashSet<Label> = new.iter().map(|root| root.name).collect();
        for root in old.iter().filter(|root| !there.contains(&root.name)) {
            focus.before.push(root);
            if root.owner.is_some_and(|owner| after.has_owner(owner)) {
                focus.removed.push(root);
            }
        }
    }

    /// Of some of the roots. What was first reached from others is the same object in both states, and stands for itself.
    pub(crate) fn graph(&self, roots: &[&Root], names: &mut Names) -> Option<Graph> {
        let mut builder = GraphBuilder::new();
        let mut by_identity: FxHashMap<u64, NodeId> = FxHashMap::default();
        let mut nodes: Vec<Vec<NodeId>> = Vec::with_capacity(roots.len());
        for root in roots {
            let add = |thing: &Thing| {
                let Thing { identity, class, content, .. } = *thing;
                let node = builder.node(Node { class, content, identity });
                by_identity.insert(identity, node);
                node
            };
            nodes.push(things(root).iter().map(add).collect());
        }
        let mut target = |held: Held, nodes: &[NodeId]| match held {
            Held::Value(value) => Target::Value(value),
            Held::Node(number) => Target::Node(nodes[number as usize]),
            Held::Other(identity, class) => match by_identity.get(&identity) {
                Some(node) => Target::Node(*node),
                None => Target::Value(Value::Named(stand_in(identity, class, names))),
            },
        };
        for (root, nodes) in roots.iter().zip(&nodes) {
            let Some(part) = &root.part else { continue };
            for (number, node) in nodes.iter().enumerate() {
                for (label, held) in part.edges_at(number as u32) {
                    builder.edge(*node, *label, target(*held, nodes));
                }
            }
        }
        for (root, nodes) in roots.iter().zip(&nodes) {
            builder.root(root.name, target(root.held, nodes));
        }
        builder.build().ok()
    }

    pub(crate) fn all_roots(&self) -> Vec<&Root> {
        self.roots().collect()
    }
}

impl Root {
    /// The class of the object that it holds, if it is one.
    pub(crate) fn class(&self) -> Option<Label> {
        match self.held {
            Held::Node(number) => Some(things(self).get(number as usize)?.class),
            Held::Other(_, class) => Some(class),
            Held::Value(_) => None,
        }
    }
}

fn things(root: &Root) -> &[Thing] {
    root.part.as_ref().map(|part| part.things()).unwrap_or_default()
}

/// See [`without_identity`].
fn stand_in(identity: u64, class: Label, names: &mut Names) -> Label {
    let text = identified(names.text(class), identity as usize);
    names.label(&text)
}

impl<'s> Focus<'s> {
    fn add_changed(&mut self, roots: impl Iterator<Item = (&'s Root, &'s Root)>) {
        for (before, after) in roots.filter(|(before, after)| before.digest != after.digest) {
            self.before.push(before);
            self.after.push(after);
        }
    }

    fn is_empty(&self) -> bool {
        self.before.is_empty() && self.after.is_empty()
    }
}

/// Nearly always both have the same roots in the same order.
fn focus_of_the_same_roots<'s>(
    roots: impl Iterator<Item = (&'s Root, &'s Root)>,
) -> Option<Focus<'s>> {
    let mut focus = Focus::default();
    focus.add_changed(roots);
    (!focus.is_empty()).then_some(focus)
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
