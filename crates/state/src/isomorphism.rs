//! Are two states the same? Common-roots isomorphism (PolDet, definitions 2 and 4), exactly.

use crate::graph::Graph;
use crate::pairing::{Hints, Manner, Pairing};
use crate::refinement::{Partition, Region};

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Verdict {
    Same,
    Different,
    /// Isomorphism has no quick algorithm for every graph. These two look the same to all that is quick, and a bounded search
    /// found no proof.
    Unknown,
}

/// How many edges a search may look at: about a second. It only begins where everything else left a choice.
const SEARCH: u64 = 40_000_000;

/// Whether what the common roots reach in one graph is the same as in the other: the same objects but for their identity,
/// with the same sharing and the same cycles.
pub fn isomorphic(before: &Graph, after: &Graph) -> Verdict {
    isomorphic_within(before, after, SEARCH)
}

fn isomorphic_within(before: &Graph, after: &Graph, work: u64) -> Verdict {
    let mut pairing = Pairing::new(before, after, Manner::Strict);
    if !pairing.start() {
        return Verdict::Different;
    }
    if pairing.groups.is_empty() {
        return Verdict::Same;
    }
    // The usual case: nothing changed, and each object is where it was.
    let mark = pairing.mark();
    if pairing.complete() {
        return Verdict::Same;
    }
    pairing.rewind(&mark);
    search(&mut pairing, work)
}

/// A decision that may turn out to be wrong.
struct Choice {
    partition: Partition,
    node: u32,
    candidates: Vec<u32>,
}

/// Refines, and where that leaves a choice, tries each (individualisation and refinement).
fn search(pairing: &mut Pairing<'_>, mut work: u64) -> Verdict {
    if !pairing.groups.iter().all(|group| pairing.same_fixed_part(group)) {
        return Verdict::Different;
    }
    let region = Region::new(pairing, true);
    if !region.agrees() {
        return Verdict::Different;
    }
    let mark = pairing.mark();
    let mut partition = Partition::new(&region);
    // The first refinement is O(edges * log nodes), whatever the graph.
    let mut unbounded = u64::MAX;
    partition.refine(&region, &mut unbounded);
    let mut choices: Vec<Choice> = Vec::new();
    loop {
        if partition.is_balanced(&region) {
            pairing.hints = Hints::Colours(region.colours(&partition));
            let before = pairing.work;
            if pairing.complete() {
                return Verdict::Same;
            }
            work = work.saturating_sub(pairing.work - before);
            pairing.rewind(&mark);
            if let Some((node, candidates)) = partition.choice(&region) {
                choices.push(Choice { partition, node, candidates });
            }
        }
        // What is left to try, the latest choice first.
        let (last, candidate) = loop {
            let Some(last) = choices.last_mut() else {
                return Verdict::Different;
            };
            match last.candidates.pop() {
                Some(candidate) => break (last, candidate),
                None => choices.pop(),
            };
        };
        // Copies are kept, so they count for the memory that they take.
        work = work.saturating_sub(8 * region.size());
        if work == 0 {
            return Verdict::Unknown;
        }
        partition = last.partition.clone();
        partition.individualise(&region, [last.node, candidate], &mut work);
        partition.refine(&region, &mut work);
        if work == 0 {
            return Verdict::Unknown;
        }
    }
}

#[cfg(test)]
mod tests;
