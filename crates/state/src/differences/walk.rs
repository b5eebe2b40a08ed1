//! The walk over the pairs of two states that tells where they do not agree.

use std::ops::Range;

use crate::differences::{Change, Difference, Seen};
use crate::graph::{Edge, EdgeLabel, Graph, ORDER, Target};
use crate::links::{Group, Link, links, of_kind};
use crate::names::Names;
use crate::pairing::{NONE, Pairing};
use crate::path::{Path, Step};

/// A pair, and how it was reached. Where there is no edge or no pair, it is [`NONE`].
#[derive(Debug, Clone, Copy)]
struct Visit {
    before: u32,
    after: u32,
    /// The visit that led here.
    parent: u32,
    old_edge: u32,
    new_edge: u32,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Kind {
    Value,
    Class,
    Added,
    Removed,
    Content,
    Length,
    Order,
    Sharing,
}

/// A difference at an edge of a visited pair, or, without edges, of the pair itself.
#[derive(Debug, Clone, Copy)]
struct Found {
    visit: u32,
    kind: Kind,
    old_edge: u32,
    new_edge: u32,
}

pub(super) struct Walk<'a> {
    pairing: &'a Pairing<'a>,
    before: &'a Graph,
    after: &'a Graph,
    names: &'a Names,
    visits: Vec<Visit>,
    /// By node of the graph before.
    visit_of: Vec<u32>,
    found: Vec<Found>,
    limit: usize,
    more: u64,
}

#[derive(Clone, Copy)]
enum Side {
    Before,
    After,
}

impl<'a> Walk<'a> {
    pub(super) fn new(pairing: &'a Pairing<'a>, names: &'a Names, limit: usize) -> Self {
        Walk {
            pairing,
            before: pairing.before,
            after: pairing.after,
            names,
            visits: Vec::with_capacity(pairing.pairs.len() + 1),
            visit_of: vec![NONE; pairing.before.len()],
            found: Vec::new(),
            limit,
            more: 0,
        }
    }

    pub(super) fn run(&mut self) {
        let (before, after) = (self.before.root(), self.after.root());
        let none = NONE;
        self.visits.push(Visit { before, after, parent: none, old_edge: none, new_edge: none });
        self.look_at_roots();
        let mut at = 1;
        while let Some(&visit) = self.visits.get(at) {
            self.look(at as u32, visit);
            at += 1;
        }
    }

    pub(super) fn told(self) -> (Vec<Difference>, u64) {
        let mut list: Vec<Difference> = self.found.iter().map(|&found| self.tell(found)).collect();
        list.sort_by_key(|difference| difference.path.steps.len());
        (list, self.more)
    }

    fn look_at_roots(&mut self) {
        let (before, after) = (self.before, self.after);
        let edges = Group { before: before.range(before.root()), after: after.range(after.root()) };
        let name = |edge: u32| match before.edge(edge).label() {
            EdgeLabel::Field(name) => self.names.text(name),
            _ => "",
        };
        let mut roots = Vec::new();
        links(before, after, edges, |link| match &link {
            Link::Both(old, _) => roots.push((name(*old), link)),
            Link::Group(group) => roots.push((name(group.before.start), link)),
            // A root that only one state has is a class that the other has not loaded.
            Link::OnlyBefore(_) | Link::OnlyAfter(_) => {}
        });
        roots.sort_by_key(|(name, _)| *name);
        for (_, root) in roots {
            match root {
                Link::Both(old, new) => self.compare(0, old, new),
                Link::Group(group) => self.compare_group(0, group),
                Link::OnlyBefore(_) | Link::OnlyAfter(_) => {}
            }
        }
    }

    fn look(&mut self, at: u32, visit: Visit) {
        let known = self.found.len() as u64 + self.more;
        let (before, after) = (self.before, self.after);
        let edges = Group { before: before.range(visit.before), after: after.range(visit.after) };
        links(before, after, edges.clone(), |link| match link {
            Link::Both(old, new) => self.compare(at, old, new),
            Link::OnlyBefore(old) => self.add(at, Kind::Removed, old, NONE),
            Link::OnlyAfter(new) => self.add(at, Kind::Added, NONE, new),
            Link::Group(group) => self.compare_group(at, group),
        });
        let changed = self.found.len() as u64 + self.more > known;
        match (before.content(visit.before), after.content(visit.after)) {
            (old, new) if old == new => {}
            (Some(old), Some(new)) if old.length == new.length => {
                self.add(at, Kind::Content, NONE, NONE);
            }
            // Elements that came or went say it better.
            _ if changed => {}
            _ => self.add(at, Kind::Length, NONE, NONE),
        }
        self.compare_order(at, &edges, changed);
    }

    fn compare(&mut self, visit: u32, old: u32, new: u32) {
        let (from, to) = (self.before.edge(old), self.after.edge(new));
        match (from.target_node(), to.target_node()) {
            (Some(before), Some(after)) => {
                if self.pairing.forth[before as usize] == after {
                    self.reach(visit, old, new, before, after);
                } else if self.before.record(before).class != self.after.record(after).class {
                    self.add(visit, Kind::Class, old, new);
                } else {
                    self.add(visit, Kind::Sharing, old, new);
                }
            }
            (None, None) if from.value_key() == to.value_key() => {}
            _ => self.add(visit, Kind::Value, old, new),
        }
    }

    fn reach(&mut self, parent: u32, old_edge: u32, new_edge: u32, before: u32, after: u32) {
        if self.visit_of[before as usize] == NONE {
            self.visit_of[before as usize] = self.visits.len() as u32;
            self.visits.push(Visit { before, after, parent, old_edge, new_edge });
        }
    }

    /// Members that have no partner in the group came or went.
    fn compare_group(&mut self, visit: u32, group: Group) {
        let sorted = |mut keys: Vec<((u8, u64), u32)>| {
            keys.sort_unstable();
            keys
        };
        let old = sorted(self.keys(&group.before, Side::Before));
        let new = sorted(self.keys(&group.after, Side::After));
        let mut rest = new.as_slice();
        for &(key, old) in &old {
            while let Some(((_, added), others)) = rest.split_first().filter(|(n, _)| n.0 < key) {
                self.add(visit, Kind::Added, NONE, *added);
                rest = others;
            }
            match rest.split_first() {
                Some(((other, new), others)) if *other == key => {
                    rest = others;
                    self.compare(visit, old, *new);
                }
                _ => self.add(visit, Kind::Removed, old, NONE),
            }
        }
        for (_, added) in rest {
            self.add(visit, Kind::Added, NONE, *added);
        }
    }

    /// What is the same for targets that stand for the same, with the edge.
    fn keys(&self, range: &Range<u32>, side: Side) -> Vec<((u8, u64), u32)> {
        let (forth, back) = (&self.pairing.forth, &self.pairing.back);
        let key = |edge: &Edge| match (edge.target_node(), side) {
            (None, _) => edge.value_key(),
            (Some(node), Side::Before) if forth[node as usize] != NONE => (0, u64::from(node)),
            (Some(node), Side::After) if back[node as usize] != NONE => {
                (0, u64::from(back[node as usize]))
            }
            // Equal to none on the other side.
            (Some(node), Side::Before) => (u8::MAX - 1, u64::from(node)),
            (Some(node), Side::After) => (u8::MAX, u64::from(node)),
        };
        let graph = match side {
            Side::Before => self.before,
            Side::After => self.after,
        };
        graph.slice(range.clone()).iter().map(key).zip(range.clone()).collect()
    }

    /// The order has changed if what is in both stands in another order, or if nothing else tells why positions differ.
    fn compare_order(&mut self, visit: u32, edges: &Group, changed: bool) {
        let old_range = of_kind(self.before, &edges.before, ORDER);
        let new_range = of_kind(self.after, &edges.after, ORDER);
        let labels = |graph: &Graph, range: &Range<u32>| -> Vec<u128> {
            graph.slice(range.clone()).iter().map(Edge::label_key).collect()
        };
        let old = self.keys(&old_range, Side::Before);
        let new = self.keys(&new_range, Side::After);
        let same = old.iter().map(|(key, _)| key).eq(new.iter().map(|(key, _)| key));
        if same && labels(self.before, &old_range) == labels(self.after, &new_range) {
            return;
        }
        let within = |list: &[((u8, u64), u32)], other: &[((u8, u64), u32)]| {
            let mut known: Vec<(u8, u64)> = other.iter().map(|(key, _)| *key).collect();
            known.sort_unstable();
            let keys = list.iter().map(|(key, _)| *key);
            keys.filter(|key| known.binary_search(key).is_ok()).collect::<Vec<_>>()
        };
        if !changed || within(&old, &new) != within(&new, &old) {
            self.add(visit, Kind::Order, NONE, NONE);
        }
    }

    fn add(&mut self, visit: u32, kind: Kind, old_edge: u32, new_edge: u32) {
        if self.found.len() < self.limit {
            self.found.push(Found { visit, kind, old_edge, new_edge });
        } else {
            self.more += 1;
        }
    }

    fn tell(&self, found: Found) -> Difference {
        let visit = self.visits[found.visit as usize];
        let target = |graph: &Graph, edge: u32, node: u32| match (edge, found.kind) {
            (NONE, Kind::Added | Kind::Removed) => Seen::Nothing,
            (NONE, _) => Seen::at(graph, Target::Node(crate::NodeId(node))),
            (edge, _) => Seen::at(graph, graph.edge(edge).target()),
        };
        let side = if found.kind == Kind::Added { Side::After } else { Side::Before };
        let edge = if found.kind == Kind::Added { found.new_edge } else { found.old_edge };
        let change = match found.kind {
            Kind::Value => Change::Value,
            Kind::Class => Change::Class,
            Kind::Added => Change::Added,
            Kind::Removed => Change::Removed,
            Kind::Content => Change::Content,
            Kind::Length => Change::Length,
            Kind::Order => Change::Order,
            Kind::Sharing => {
                let old = self.before.edge(found.old_edge).target_node();
                let new = self.after.edge(found.new_edge).target_node();
                let origin = new.map_or(NONE, |new| self.pairing.back[new as usize]);
                Change::Sharing {
                    before: old.and_then(|node| self.path_of(node, Side::Before)),
                    after: self.path_of(origin, Side::After),
                }
            }
        };
        Difference {
            path: self.path(found.visit, edge, side),
            change,
            before: target(self.before, found.old_edge, visit.before),
            after: target(self.after, found.new_edge, visit.after),
        }
    }

    /// To a pair, by its node in the graph before.
    fn path_of(&self, before: u32, side: Side) -> Option<Path> {
        let visit = *self.visit_of.get(before as usize)?;
        (visit != NONE).then(|| self.path(visit, NONE, side))
    }

    /// To the pair, and along the edge if there is one.
    fn path(&self, visit: u32, edge: u32, side: Side) -> Path {
        let graph = match side {
            Side::Before => self.before,
            Side::After => self.after,
        };
        let mut steps = Vec::new();
        let mut visit = self.visits[visit as usize];
        let source = |visit: &Visit| match side {
            Side::Before => visit.before,
            Side::After => visit.after,
        };
        if edge != NONE {
            steps.push(Step::along(graph, source(&visit), edge));
        }
        while let Some(&parent) = self.visits.get(visit.parent as usize) {
            let edge = match side {
                Side::Before => visit.old_edge,
                Side::After => visit.new_edge,
            };
            steps.push(Step::along(graph, source(&parent), edge));
            visit = parent;
        }
        let root = steps.pop();
        steps.reverse();
        let (root, root_ordinal) = match root {
            Some(Step { label: EdgeLabel::Field(name), ordinal, .. }) => (name, ordinal),
            _ => (crate::Label(NONE), 0),
        };
        Path { root, root_ordinal, steps }
    }
}
