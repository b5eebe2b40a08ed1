//! Which edges of two nodes belong together, by their labels alone.

use std::ops::Range;

use crate::alignment::align;
use crate::graph::{Edge, Graph, INDEX, ORDER};

/// Edges by their place in their graph.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Link {
    /// The same label, or the same element at another index.
    Both(u32, u32),
    OnlyBefore(u32),
    OnlyAfter(u32),
    /// One label, any number of edges without order.
    Group(Group),
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Group {
    pub(crate) before: Range<u32>,
    pub(crate) after: Range<u32>,
}

/// Edges of one label in both graphs; one of the ranges may be empty.
#[derive(Debug)]
pub(crate) struct Runs<'g> {
    before: &'g Graph,
    after: &'g Graph,
    rest: Group,
}

impl<'g> Runs<'g> {
    pub(crate) fn new(before: &'g Graph, after: &'g Graph, rest: Group) -> Self {
        Runs { before, after, rest }
    }
}

impl Iterator for Runs<'_> {
    type Item = Group;

    fn next(&mut self) -> Option<Group> {
        let key = |graph: &Graph, range: &Range<u32>| {
            (!range.is_empty()).then(|| graph.edge(range.start).label_key())
        };
        let (before, after) =
            (key(self.before, &self.rest.before), key(self.after, &self.rest.after));
        let least = match (before, after) {
            (None, None) => return None,
            (Some(key), None) | (None, Some(key)) => key,
            (Some(before), Some(after)) => before.min(after),
        };
        let take = |graph: &Graph, range: &mut Range<u32>| {
            let start = range.start;
            while range.start < range.end && graph.edge(range.start).label_key() == least {
                range.start += 1;
            }
            start..range.start
        };
        let before = take(self.before, &mut self.rest.before);
        Some(Group { before, after: take(self.after, &mut self.rest.after) })
    }
}

/// The links between the edges of two nodes that stand for one, for telling what differs. Positions in an order are left out:
/// they follow from the members, but for the order itself.
pub(crate) fn links(before: &Graph, after: &Graph, edges: Group, mut link: impl FnMut(Link)) {
    if are_fields(before, after, &edges) {
        let both = edges.before.zip(edges.after);
        return both.for_each(|(before, after)| link(Link::Both(before, after)));
    }
    let lists =
        Group { before: elements(before, &edges.before), after: elements(after, &edges.after) };
    let aligned = is_dense(before, &lists.before) && is_dense(after, &lists.after);
    if aligned {
        align(before, after, lists, &mut link);
    }
    for run in Runs::new(before, after, edges) {
        let edge = if run.before.is_empty() {
            after.edge(run.after.start)
        } else {
            before.edge(run.before.start)
        };
        if edge.label_kind() == ORDER || (aligned && edge.label_kind() == INDEX) {
            continue;
        }
        if run.after.is_empty() {
            run.before.for_each(|at| link(Link::OnlyBefore(at)));
        } else if run.before.is_empty() {
            run.after.for_each(|at| link(Link::OnlyAfter(at)));
        } else if run.before.len() == 1 && run.after.len() == 1 && !edge.is_unordered() {
            link(Link::Both(run.before.start, run.after.start));
        } else {
            link(Link::Group(run));
        }
    }
}

/// The usual object: the same fields on both sides, each once.
fn are_fields(before: &Graph, after: &Graph, edges: &Group) -> bool {
    let (old, new) = (before.slice(edges.before.clone()), after.slice(edges.after.clone()));
    old.len() == new.len()
        && old.last().is_none_or(Edge::is_field)
        && old.iter().zip(new).all(|(old, new)| old.label_key() == new.label_key())
        && old.windows(2).all(|two| two[0].label_key() != two[1].label_key())
}

fn elements(graph: &Graph, range: &Range<u32>) -> Range<u32> {
    of_kind(graph, range, INDEX)
}

pub(crate) fn of_kind(graph: &Graph, range: &Range<u32>, kind: u8) -> Range<u32> {
    let edges = graph.slice(range.clone());
    let start = edges.partition_point(|edge| edge.label_kind() < kind);
    let end = edges.partition_point(|edge| edge.label_kind() <= kind);
    range.start + start as u32..range.start + end as u32
}

/// A list without gaps: an array without its null elements is none, and is compared index by index.
fn is_dense(graph: &Graph, range: &Range<u32>) -> bool {
    let edges = graph.slice(range.clone());
    edges.iter().enumerate().all(|(at, edge)| edge.label_key() as u64 == at as u64)
}
