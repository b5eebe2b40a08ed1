//! Which node of one graph stands for which of the other: a partial bijection that grows from the common roots.
//!
//! A [`Manner::Strict`] pairing gives up at the first thing that differs; when it completes, it is an isomorphism of what the
//! common roots reach, because every edge of every pair was checked. A [`Manner::Lenient`] one pairs as much as makes sense,
//! for telling what differs.

use std::collections::VecDeque;

use crate::graph::{Edge, Graph};
use crate::links::{Group, Link, Runs, links};
use crate::refinement::Colours;

/// No node.
pub(crate) const NONE: u32 = u32::MAX;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Manner {
    Strict,
    Lenient,
}

/// What is the same for nodes that may be paired, among edges without order.
#[derive(Debug)]
pub(crate) enum Hints {
    Identity,
    Colours(Colours),
}

#[derive(Debug)]
pub(crate) struct Pairing<'g> {
    pub(crate) before: &'g Graph,
    pub(crate) after: &'g Graph,
    /// From before to after, and back.
    pub(crate) forth: Vec<u32>,
    pub(crate) back: Vec<u32>,
    pub(crate) pairs: Vec<(u32, u32)>,
    /// How many of the pairs were visited.
    visited: usize,
    manner: Manner,
    pub(crate) hints: Hints,
    /// Edges without order, not yet looked at.
    pub(crate) groups: VecDeque<Group>,
    /// Those that wait for colours. Lenient only.
    pub(crate) uncoloured: VecDeque<Group>,
    /// Those where hints are not enough.
    pub(crate) tied: VecDeque<Group>,
    /// Those with members that nothing is equal to. Lenient only.
    pub(crate) leftovers: VecDeque<Group>,
    /// The same place, yet not the same object: it waits for a better partner for either. Lenient only.
    deferred: VecDeque<(u32, u32)>,
    /// Edges looked at, to bound the work.
    pub(crate) work: u64,
}

/// To go back to after a trial.
#[derive(Debug, Clone)]
pub(crate) struct Mark {
    pairs: usize,
    groups: VecDeque<Group>,
}

impl<'g> Pairing<'g> {
    pub(crate) fn new(before: &'g Graph, after: &'g Graph, manner: Manner) -> Self {
        Pairing {
            before,
            after,
            forth: vec![NONE; before.len()],
            back: vec![NONE; after.len()],
            pairs: Vec::with_capacity(before.len().min(after.len())),
            visited: 0,
            manner,
            hints: Hints::Identity,
            groups: VecDeque::new(),
            uncoloured: VecDeque::new(),
            tied: VecDeque::new(),
            leftovers: VecDeque::new(),
            deferred: VecDeque::new(),
            work: 0,
        }
    }

    /// Pairs what only one isomorphism, if any, can pair: what ordered edges reach. False if they differ.
    pub(crate) fn start(&mut self) -> bool {
        self.visit_roots() && self.drain()
    }

    /// Pairs the rest as far as hints go. False if that failed; a strict pairing is then to be rewound.
    pub(crate) fn complete(&mut self) -> bool {
        loop {
            if !self.settle() {
                return false;
            }
            if !self.uncoloured.is_empty() {
                // What is paired by now needs no colour.
                if matches!(self.hints, Hints::Identity) {
                    self.hints = Hints::Colours(Colours::forward(self));
                }
                self.groups.append(&mut self.uncoloured);
            } else if let Some(group) = self.tied.pop_front() {
                if !self.match_ties(group) {
                    return false;
                }
            } else if let Some((before, after)) = self.deferred.pop_front() {
                self.join_if_free(before, after);
            } else if let Some(group) = self.leftovers.pop_front() {
                self.match_leftovers(&group);
            } else {
                return true;
            }
        }
    }

    /// Everything that follows from the pairs so far without a choice.
    pub(crate) fn settle(&mut self) -> bool {
        loop {
            if !self.drain() {
                return false;
            }
            let Some(group) = self.groups.pop_front() else {
                return true;
            };
            if self.is_lenient() && matches!(self.hints, Hints::Identity) {
                self.match_known(group);
            } else if !self.match_unique(group) {
                return false;
            }
        }
    }

    pub(crate) fn mark(&self) -> Mark {
        Mark { pairs: self.visited, groups: self.groups.clone() }
    }

    pub(crate) fn rewind(&mut self, mark: &Mark) {
        for (before, after) in self.pairs.drain(mark.pairs..) {
            self.forth[before as usize] = NONE;
            self.back[after as usize] = NONE;
        }
        self.visited = mark.pairs;
        self.groups = mark.groups.clone();
        self.tied.clear();
    }

    pub(crate) fn is_lenient(&self) -> bool {
        self.manner == Manner::Lenient
    }

    pub(crate) fn join(&mut self, before: u32, after: u32) {
        self.forth[before as usize] = after;
        self.back[after as usize] = before;
        self.pairs.push((before, after));
    }

    /// Pairs are of one class, so that whoever tells differences need not look.
    pub(crate) fn join_if_free(&mut self, before: u32, after: u32) -> bool {
        let free = self.forth[before as usize] == NONE
            && self.back[after as usize] == NONE
            && self.before.record(before).class == self.after.record(after).class;
        if free {
            self.join(before, after);
        }
        free
    }

    fn drain(&mut self) -> bool {
        while let Some(&(before, after)) = self.pairs.get(self.visited) {
            self.visited += 1;
            if self.is_lenient() {
                self.visit_leniently(before, after);
            } else if !self.visit(before, after) {
                return false;
            }
        }
        true
    }

    fn visit_roots(&mut self) -> bool {
        let edges = self.edges(self.before.root(), self.after.root());
        for run in Runs::new(self.before, self.after, edges) {
            if run.before.is_empty() || run.after.is_empty() {
                continue;
            }
            if run.before.len() == 1 && run.after.len() == 1 {
                let (before, after) = (run.before.start, run.after.start);
                if !self.meet(self.before.edge(before), self.after.edge(after)) {
                    return false;
                }
            } else if self.is_lenient() || run.before.len() == run.after.len() {
                self.groups.push_back(run);
            } else {
                return false;
            }
        }
        true
    }

    fn edges(&self, before: u32, after: u32) -> Group {
        Group { before: self.before.range(before), after: self.after.range(after) }
    }

    fn visit(&mut self, before: u32, after: u32) -> bool {
        let Group { before: old_range, after: new_range } = self.edges(before, after);
        self.work += old_range.len() as u64 + 1;
        let (old, new) =
            (self.before.slice(old_range.clone()), self.after.slice(new_range.clone()));
        if self.before.record(before).class != self.after.record(after).class
            || self.before.content(before) != self.after.content(after)
            || old.len() != new.len()
        {
            return false;
        }
        let mut at = 0;
        while at < old.len() {
            let label = old[at].label_key();
            let end = at + old[at..].iter().take_while(|edge| edge.label_key() == label).count();
            if new[at..end].iter().any(|edge| edge.label_key() != label) {
                return false;
            }
            if end == at + 1 {
                if !self.meet(old[at], new[at]) {
                    return false;
                }
            } else {
                let range = |start: u32| start + at as u32..start + end as u32;
                let (before, after) = (range(old_range.start), range(new_range.start));
                self.groups.push_back(Group { before, after });
            }
            at = end;
        }
        true
    }

    /// The targets of two edges that belong together.
    fn meet(&mut self, old: Edge, new: Edge) -> bool {
        match (old.target_node(), new.target_node()) {
            (None, None) => self.is_lenient() || old.value_key() == new.value_key(),
            (Some(old), Some(new)) if self.is_lenient() => {
                let identity = (self.before.record(old).identity, self.after.record(new).identity);
                if identity.0 == identity.1 || identity.0 == 0 || identity.1 == 0 {
                    self.join_if_free(old, new);
                } else {
                    self.deferred.push_back((old, new));
                }
                true
            }
            (Some(old), Some(new)) => {
                let partners = (self.forth[old as usize], self.back[new as usize]);
                if partners == (NONE, NONE) {
                    self.join(old, new);
                }
                partners == (NONE, NONE) || partners == (new, old)
            }
            _ => self.is_lenient(),
        }
    }

    fn visit_leniently(&mut self, before: u32, after: u32) {
        let edges = self.edges(before, after);
        let (old, new) = (self.before, self.after);
        links(old, new, edges, |link| match link {
            Link::Both(before, after) => {
                self.meet(old.edge(before), new.edge(after));
            }
            Link::Group(group) => self.groups.push_back(group),
            Link::OnlyBefore(_) | Link::OnlyAfter(_) => {}
        });
    }
}
