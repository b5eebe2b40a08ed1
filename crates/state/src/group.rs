//! Edges without order: which member of one group is paired with which of the other.

use crate::graph::{Edge, Graph, Target};
use crate::hash::mix;
use crate::links::Group;
use crate::names::Label;
use crate::pairing::{Hints, NONE, Pairing};

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Member {
    hint: u64,
    identity: u64,
    node: u32,
}

/// Members with the same hint, as places in the two lists.
struct Run<'a> {
    old: &'a [Member],
    new: &'a [Member],
}

impl Pairing<'_> {
    /// Pairs the members whose hint nobody else in the group has.
    pub(crate) fn match_unique(&mut self, group: Group) -> bool {
        self.work += group.before.len() as u64;
        if matches!(self.hints, Hints::Identity) && self.match_in_place(&group) {
            return true;
        }
        let (old, new) = self.free_members(&group);
        let fits = self.is_lenient() || (same_hints(&old, &new) && self.same_fixed_part(&group));
        if !fits {
            return false;
        }
        let (mut tied, mut left) = (false, false);
        for run in runs(&old, &new) {
            match (run.old, run.new) {
                ([old], [new]) => {
                    if !self.join_if_free(old.node, new.node) && !self.is_lenient() {
                        return false;
                    }
                }
                ([], _) | (_, []) => left = true,
                _ => tied = true,
            }
        }
        if tied {
            self.tied.push_back(group);
        } else if left {
            self.leftovers.push_back(group);
        }
        true
    }

    /// Pairs objects that are known to be the same and look the same by themselves; the others wait for colours.
    pub(crate) fn match_known(&mut self, group: Group) {
        if self.match_in_place(&group) {
            return;
        }
        let (old, new) = self.free_members(&group);
        for run in runs(&old, &new) {
            if let ([old], [new]) = (run.old, run.new)
                && old.identity != 0
                && self.look_the_same(old.node, new.node)
            {
                self.join_if_free(old.node, new.node);
            }
        }
        self.uncoloured.push_back(group);
    }

    fn look_the_same(&self, old: u32, new: u32) -> bool {
        self.before.shallow_digest(old) == self.after.shallow_digest(new)
    }

    /// Two captures of one VM mostly meet the same objects in the same order. True if that was so.
    fn match_in_place(&mut self, group: &Group) -> bool {
        if group.before.len() != group.after.len() {
            return false;
        }
        for (at, to) in group.before.clone().zip(group.after.clone()) {
            let (old, new) = (self.before.edge(at), self.after.edge(to));
            let same = match (old.target_node(), new.target_node()) {
                (Some(old), Some(new)) => {
                    let identity = self.before.record(old).identity;
                    self.forth[old as usize] == new
                        || (identity != 0
                            && identity == self.after.record(new).identity
                            && (!self.is_lenient() || self.look_the_same(old, new))
                            && self.join_if_free(old, new))
                }
                (None, None) => old.value_key() == new.value_key(),
                _ => false,
            };
            if !same {
                return false;
            }
        }
        true
    }

    /// Pairs members that share their hint with others. What follows from each pair is settled before the next.
    pub(crate) fn match_ties(&mut self, group: Group) -> bool {
        self.work += group.before.len() as u64;
        let (old, new) = self.free_members(&group);
        for run in runs(&old, &new) {
            let same = self.same_identity(&run);
            for (old, new) in same {
                self.join_if_free(old, new);
                if !self.settle() {
                    return false;
                }
            }
            let mut candidates = run.new.iter();
            for member in run.old {
                if self.forth[member.node as usize] != NONE {
                    continue;
                }
                let free = candidates.find(|new| self.back[new.node as usize] == NONE);
                let Some(new) = free else {
                    break;
                };
                self.join_if_free(member.node, new.node);
                if !self.settle() {
                    return false;
                }
            }
        }
        if self.is_lenient() {
            self.leftovers.push_back(group);
            return true;
        }
        let (old, new) = self.free_members(&group);
        old.is_empty() && new.is_empty() && self.same_fixed_part(&group)
    }

    /// Pairs what is not equal but better seen as one object that changed than as one that went and one that came.
    pub(crate) fn match_leftovers(&mut self, group: &Group) {
        let (old, new) = self.free_members(group);
        let class = |graph: &Graph, node: u32| u64::from(graph.record(node).class.0);
        self.match_by(&old, &new, |graph, _, node| {
            let identity = graph.record(node).identity;
            (identity != 0).then(|| mix(identity, class(graph, node)))
        });
        self.match_by(&old, &new, |graph, pairing, node| {
            pairing.key_hint(graph, node).filter(|_| graph.record(node).class == Label::ENTRY)
        });
        // Two objects that are known to be different ones are no change of one.
        let unknown = |graph: &Graph, node: u32| {
            let record = graph.record(node);
            record.identity == 0 && record.class != Label::ENTRY
        };
        self.match_by(&old, &new, |graph, _, node| {
            unknown(graph, node).then(|| graph.shallow_digest(node))
        });
        self.match_by(&old, &new, |graph, _, node| {
            unknown(graph, node).then(|| class(graph, node))
        });
    }

    fn match_by(
        &mut self,
        old: &[Member],
        new: &[Member],
        hint: impl Fn(&Graph, &Self, u32) -> Option<u64>,
    ) {
        let members = |members: &[Member], graph: &Graph, taken: &[u32]| {
            let free = members.iter().filter(|member| taken[member.node as usize] == NONE);
            let mut hinted: Vec<Member> = free
                .filter_map(|member| {
                    hint(graph, self, member.node).map(|hint| Member { hint, ..*member })
                })
                .collect();
            hinted.sort_unstable();
            hinted
        };
        let old = members(old, self.before, &self.forth);
        let new = members(new, self.after, &self.back);
        for run in runs(&old, &new) {
            for (old, new) in run.old.iter().zip(run.new) {
                self.join_if_free(old.node, new.node);
            }
        }
    }

    /// Of an entry, what is the same for the same key.
    fn key_hint(&self, graph: &Graph, entry: u32) -> Option<u64> {
        match graph.field(entry, Label::KEY)? {
            Target::Value(value) => {
                let (kind, payload) = value.pack();
                Some(mix(u64::from(kind), payload))
            }
            Target::Node(key) => {
                let is_before = std::ptr::eq(graph, self.before);
                let partner = if is_before {
                    let paired = self.forth.get(key.0 as usize).is_some_and(|&a| a != NONE);
                    if paired { key.0 } else { NONE }
                } else {
                    self.back.get(key.0 as usize).copied().unwrap_or(NONE)
                };
                if partner != NONE {
                    return Some(mix(u64::from(partner), 1));
                }
                Some(mix(self.hint(is_before, key.0), 2))
            }
        }
    }

    fn hint(&self, is_before: bool, node: u32) -> u64 {
        match &self.hints {
            Hints::Identity if is_before => self.before.record(node).identity,
            Hints::Identity => self.after.record(node).identity,
            Hints::Colours(colours) if is_before => u64::from(colours.before[node as usize]),
            Hints::Colours(colours) => u64::from(colours.after[node as usize]),
        }
    }

    /// Members that are not paired yet, sorted by hint.
    fn free_members(&self, group: &Group) -> (Vec<Member>, Vec<Member>) {
        let members = |is_before: bool| {
            let (graph, range, taken) = if is_before {
                (self.before, &group.before, &self.forth)
            } else {
                (self.after, &group.after, &self.back)
            };
            let nodes = graph.slice(range.clone()).iter().filter_map(Edge::target_node);
            let free = nodes.filter(|&node| taken[node as usize] == NONE);
            let member = |node| Member {
                hint: self.hint(is_before, node),
                identity: graph.record(node).identity,
                node,
            };
            let mut members: Vec<Member> = free.map(member).collect();
            members.sort_unstable();
            once_each(&mut members);
            members
        };
        (members(true), members(false))
    }

    /// Values, and members that are paired already: they must be the same on both sides.
    pub(crate) fn same_fixed_part(&self, group: &Group) -> bool {
        let fixed = |graph: &Graph, range: &std::ops::Range<u32>, number: &dyn Fn(u32) -> u32| {
            let edges = graph.slice(range.clone()).iter();
            let mut fixed: Vec<(u8, u64)> = edges
                .filter_map(|edge| match edge.target_node() {
                    Some(node) if number(node) == NONE => None,
                    Some(node) => Some((0, u64::from(number(node)))),
                    None => Some(edge.value_key()),
                })
                .collect();
            fixed.sort_unstable();
            fixed
        };
        let forth = |node: u32| if self.forth[node as usize] == NONE { NONE } else { node };
        let back = |node: u32| self.back[node as usize];
        fixed(self.before, &group.before, &forth) == fixed(self.after, &group.after, &back)
    }

    fn same_identity(&self, run: &Run<'_>) -> Vec<(u32, u32)> {
        let mut same = Vec::new();
        let mut at = 0;
        for old in run.old.iter().filter(|member| member.identity != 0) {
            while at < run.new.len() && run.new[at].identity < old.identity {
                at += 1;
            }
            if at < run.new.len() && run.new[at].identity == old.identity {
                same.push((old.node, run.new[at].node));
                at += 1;
            }
        }
        same
    }
}

/// A member that several edges lead to is listed once; how often is part of its hint.
fn once_each(members: &mut Vec<Member>) {
    if !members.windows(2).any(|two| two[0] == two[1]) {
        return;
    }
    let once: Vec<Member> = members
        .chunk_by(|a, b| a == b)
        .map(|same| match same {
            [member] => *member,
            _ => Member { hint: mix(same[0].hint, same.len() as u64), ..same[0] },
        })
        .collect();
    *members = once;
    members.sort_unstable();
}

fn same_hints(old: &[Member], new: &[Member]) -> bool {
    old.len() == new.len() && old.iter().zip(new).all(|(old, new)| old.hint == new.hint)
}

/// Both lists are sorted by hint.
fn runs<'a>(old: &'a [Member], new: &'a [Member]) -> impl Iterator<Item = Run<'a>> {
    let (mut old, mut new) = (old, new);
    std::iter::from_fn(move || {
        let hint = match (old.first(), new.first()) {
            (None, None) => return None,
            (Some(only), None) | (None, Some(only)) => only.hint,
            (Some(old), Some(new)) => old.hint.min(new.hint),
        };
        let take = |list: &mut &'a [Member]| {
            let (run, rest) = list.split_at(list.iter().take_while(|m| m.hint == hint).count());
            *list = rest;
            run
        };
        Some(Run { old: take(&mut old), new: take(&mut new) })
    })
}
