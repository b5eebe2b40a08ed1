//! Two lists side by side, such that an insertion is one difference and not one for each element behind it.

use std::ops::Range;

use crate::graph::{Edge, Graph};
use crate::hash::mix;
use crate::links::{Group, Link};

/// Links elements with the same index, unless moving elements leaves fewer differences.
pub(crate) fn align(before: &Graph, after: &Graph, lists: Group, link: &mut impl FnMut(Link)) {
    let known = |graph: &Graph, range: &Range<u32>| {
        let nodes = graph.slice(range.clone()).iter().filter_map(Edge::target_node);
        nodes.into_iter().all(|node| graph.record(node).identity != 0)
    };
    let by_identity = known(before, &lists.before) && known(after, &lists.after);
    let old = keys(before, &lists.before, by_identity);
    let new = keys(after, &lists.after, by_identity);
    let prefix = old.iter().zip(&new).take_while(|(old, new)| old == new).count();
    let pairs = old[prefix..].iter().rev().zip(new[prefix..].iter().rev());
    let suffix = pairs.take_while(|(old, new)| old == new).count();
    let mut anchors = if prefix < old.len() || prefix < new.len() {
        anchors(&old[prefix..old.len() - suffix], &new[prefix..new.len() - suffix])
    } else {
        Vec::new()
    };
    for anchor in &mut anchors {
        *anchor = (anchor.0 + prefix, anchor.1 + prefix);
    }
    let gaps = || gaps(prefix, suffix, old.len(), new.len(), &anchors);
    let moved: usize = gaps().map(|(old, new)| old.len().max(new.len())).sum();
    let changed = old.iter().zip(&new).filter(|(old, new)| old != new).count();
    let mut both = |old: Range<usize>, new: Range<usize>| {
        let common = old.len().min(new.len());
        let place = |list: &Range<u32>, at: usize| list.start + at as u32;
        for at in 0..common {
            let (old, new) = (old.start + at, new.start + at);
            link(Link::Both(place(&lists.before, old), place(&lists.after, new)));
        }
        for at in old.start + common..old.end {
            link(Link::OnlyBefore(place(&lists.before, at)));
        }
        for at in new.start + common..new.end {
            link(Link::OnlyAfter(place(&lists.after, at)));
        }
    };
    if moved < changed + old.len().abs_diff(new.len()) {
        both(0..prefix, 0..prefix);
        for &(old, new) in &anchors {
            both(old..old + 1, new..new + 1);
        }
        both(old.len() - suffix..old.len(), new.len() - suffix..new.len());
        for (old, new) in gaps() {
            both(old, new);
        }
    } else {
        both(0..old.len(), 0..new.len());
    }
}

/// Equal for elements that are worth linking.
fn keys(graph: &Graph, range: &Range<u32>, by_identity: bool) -> Vec<u64> {
    let key = |edge: &Edge| match edge.target_node() {
        Some(node) if by_identity => mix(graph.record(node).identity, 1),
        Some(node) => mix(graph.shallow_digest(node), 2),
        None => mix(edge.value_hash(), 3),
    };
    graph.slice(range.clone()).iter().map(key).collect()
}

/// What lies between linked elements.
fn gaps(
    prefix: usize,
    suffix: usize,
    old: usize,
    new: usize,
    anchors: &[(usize, usize)],
) -> impl Iterator<Item = (Range<usize>, Range<usize>)> {
    let starts =
        std::iter::once((prefix, prefix)).chain(anchors.iter().map(|a| (a.0 + 1, a.1 + 1)));
    let ends = anchors.iter().copied().chain(std::iter::once((old - suffix, new - suffix)));
    starts.zip(ends).map(|(start, end)| (start.0..end.0, start.1..end.1))
}

/// Patience: elements that are unique on both sides, as many as stand in the same order on both.
fn anchors(old: &[u64], new: &[u64]) -> Vec<(usize, usize)> {
    let (old, new) = (unique(old), unique(new));
    let mut common: Vec<(usize, usize)> = Vec::new();
    let mut at = 0;
    for &(key, place) in &old {
        while at < new.len() && new[at].0 < key {
            at += 1;
        }
        if at < new.len() && new[at].0 == key {
            common.push((place, new[at].1));
        }
    }
    common.sort_unstable();
    // The longest increasing run: `tails[n]` ends the best one of length n + 1.
    let mut tails: Vec<usize> = Vec::new();
    let mut previous: Vec<Option<usize>> = Vec::with_capacity(common.len());
    for (index, &(_, place)) in common.iter().enumerate() {
        let length = tails.partition_point(|&tail| common[tail].1 < place);
        previous.push(length.checked_sub(1).map(|shorter| tails[shorter]));
        match tails.get_mut(length) {
            Some(tail) => *tail = index,
            None => tails.push(index),
        }
    }
    let last = tails.last().copied();
    let mut longest: Vec<(usize, usize)> =
        std::iter::successors(last, |&index| previous[index]).map(|index| common[index]).collect();
    longest.reverse();
    longest
}

/// Sorted by key, without keys that occur twice.
fn unique(keys: &[u64]) -> Vec<(u64, usize)> {
    let mut sorted: Vec<(u64, usize)> =
        keys.iter().enumerate().map(|(at, &key)| (key, at)).collect();
    sorted.sort_unstable();
    let alone = sorted.chunk_by(|a, b| a.0 == b.0).filter(|run| run.len() == 1);
    alone.map(|run| run[0]).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::samples::State;

    /// Old and new index of each element, `-` where it is not.
    fn aligned(old: &str, new: &str) -> String {
        let mut state = State::new();
        let mut list = |elements: &str| {
            let edges: Vec<String> =
                elements.chars().enumerate().map(|(at, c)| format!("[{at}]={c}")).collect();
            state.graph(&format!("A.x = @a\n@a List: {}", edges.join(" ")))
        };
        let (before, after) = (list(old), list(new));
        let lists = Group { before: 0..old.len() as u32, after: 0..new.len() as u32 };
        let mut links = Vec::new();
        align(&before, &after, lists, &mut |link| links.push(link));
        let place = |link: &Link| match link {
            Link::Both(old, new) => (*old, format!("{old}:{new}")),
            Link::OnlyBefore(old) => (*old, format!("{old}:-")),
            Link::OnlyAfter(new) => (*new, format!("-:{new}")),
            Link::Group(_) => (0, "group".to_owned()),
        };
        let mut places: Vec<(u32, String)> = links.iter().map(place).collect();
        places.sort();
        places.into_iter().map(|(_, text)| text).collect::<Vec<_>>().join(" ")
    }

    #[test]
    fn what_is_inserted_or_removed_moves_the_rest() {
        assert_eq!(aligned("abc", "xabc"), "-:0 0:1 1:2 2:3");
        assert_eq!(aligned("abc", "bc"), "0:- 1:0 2:1");
        assert_eq!(aligned("abc", "abcx"), "0:0 1:1 2:2 -:3");
        assert_eq!(aligned("abcd", "bcde"), "0:- 1:0 2:1 -:3 3:2");
        assert_eq!(aligned("", "ab"), "-:0 -:1");
        assert_eq!(aligned("aaab", "xaaab"), "-:0 0:1 1:2 2:3 3:4");
    }

    #[test]
    fn what_changed_in_place_stays_in_place() {
        assert_eq!(aligned("abc", "axc"), "0:0 1:1 2:2");
        assert_eq!(aligned("abc", "cba"), "0:0 1:1 2:2");
        assert_eq!(aligned("aaa", "bbb"), "0:0 1:1 2:2");
    }
}
