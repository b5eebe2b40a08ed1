//! What differs between two states: access paths, the shortest first, each difference once.
//!
//! A lenient [`Pairing`] says which objects are taken for the same. A walk over its pairs, breadth first from the common
//! roots, then meets each pair by a shortest path and tells every edge that does not agree. What lies below such an edge is
//! not told: it is part of the same difference. If the walk finds nothing, the pairing is an isomorphism; so states that are
//! not the same always have a difference.

mod difference;
mod walk;

pub use difference::{Change, Difference, Seen};

use crate::graph::Graph;
use crate::isomorphism::{Verdict, isomorphic};
use crate::names::Names;
use crate::pairing::{Manner, Pairing};
use walk::Walk;

#[derive(Debug)]
pub struct Differences {
    pub verdict: Verdict,
    /// Empty unless the verdict is that the states are different.
    pub list: Vec<Difference>,
    /// How many there are beside those listed.
    pub more: u64,
}

/// What differs, at most `limit` differences of it. Where several roots lead to the same by equally short paths, it is told by the
/// one whose name comes first: the order in which a VM loads classes is another one each time.
pub fn differences(before: &Graph, after: &Graph, names: &Names, limit: usize) -> Differences {
    let verdict = isomorphic(before, after);
    if verdict != Verdict::Different {
        return Differences { verdict, list: Vec::new(), more: 0 };
    }
    let mut pairing = Pairing::new(before, after, Manner::Lenient);
    pairing.start();
    pairing.complete();
    let mut walk = Walk::new(&pairing, names, limit.max(1));
    walk.run();
    let (list, more) = walk.told();
    Differences { verdict, list, more }
}

#[cfg(test)]
mod tests;
