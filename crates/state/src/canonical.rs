//! A state as one array of numbers (PolDet@JPF), for keeping a state that is only ever compared with others as a whole.

use crate::graph::{Edge, Graph};
use crate::hash::{mix, mix3};
use crate::pairing::NONE;

/// How often colours are refined, where edges without order must be put into one.
const ROUNDS: usize = 12;

/// The state as numbers: the roots by name, then each object in the order in which a walk from the roots meets it, with its
/// class, content and edges. An object is a number there, its own place in that order.
///
/// Labels and texts are numbers of their interners, so only arrays of graphs that share these can be compared. Equal arrays
/// mean isomorphic graphs. The converse holds for graphs without edges that share a label; such edges are put in order by a
/// digest of what surrounds their targets, and where that leaves a tie, isomorphic graphs may have different arrays.
/// [`isomorphic`](crate::isomorphic) is exact for them too.
pub fn canonical(graph: &Graph) -> Vec<u64> {
    let mut array = Vec::with_capacity(graph.len() * 3 + graph.edges.len() * 3);
    let has_groups = (0..=graph.root()).any(|node| {
        let edges = graph.slice(graph.range(node));
        edges.windows(2).any(|two| two[0].label_key() == two[1].label_key())
    });
    let colours = if has_groups { colours(graph) } else { Vec::new() };
    let mut number = vec![NONE; graph.len()];
    let mut met: Vec<u32> = Vec::new();
    write_edges(graph, graph.root(), &colours, &mut number, &mut met, &mut array);
    let mut at = 0;
    while let Some(&node) = met.get(at) {
        array.push(u64::from(graph.record(node).class.0));
        match graph.content(node) {
            Some(content) => array.extend([1, content.hash[0], content.hash[1], content.length]),
            None => array.push(0),
        }
        write_edges(graph, node, &colours, &mut number, &mut met, &mut array);
        at += 1;
    }
    array
}

fn write_edges(
    graph: &Graph,
    node: u32,
    colours: &[u64],
    number: &mut [u32],
    met: &mut Vec<u32>,
    array: &mut Vec<u64>,
) {
    let edges = graph.slice(graph.range(node));
    array.push(edges.len() as u64);
    for run in edges.chunk_by(|a, b| a.label_key() == b.label_key()) {
        let mut run = run.to_vec();
        if run.len() > 1 {
            run.sort_by_key(|edge| target_colour(edge, colours));
        }
        for edge in run {
            let (kind, payload) = edge.value_key();
            let key = edge.label_key();
            array.extend([(key >> 64) as u64 * 256 + u64::from(kind), key as u64]);
            let Some(node) = edge.target_node() else {
                array.push(payload);
                continue;
            };
            if number[node as usize] == NONE {
                number[node as usize] = met.len() as u32;
                met.push(node);
            }
            array.push(u64::from(number[node as usize]));
        }
    }
}

fn target_colour(edge: &Edge, colours: &[u64]) -> (u8, u64) {
    match edge.target_node() {
        Some(node) => (0, colours.get(node as usize).copied().unwrap_or_default()),
        None => edge.value_key(),
    }
}

/// The same for nodes that look the same as far as [`ROUNDS`] edges away, whatever their numbers.
fn colours(graph: &Graph) -> Vec<u64> {
    let nodes = graph.root();
    let mut colours: Vec<u64> = (0..nodes).map(|node| graph.shallow_digest(node)).collect();
    let mut distinct = 0;
    for _ in 0..ROUNDS {
        let mut next: Vec<u64> = colours.iter().map(|&colour| mix(colour, 0)).collect();
        for root in graph.roots() {
            if let Some(target) = root.target_node() {
                let seen = mix3(root.label_hash(), 0, 2);
                next[target as usize] = next[target as usize].wrapping_add(seen);
            }
        }
        for source in 0..nodes {
            for edge in graph.slice(graph.range(source)) {
                if let Some(target) = edge.target_node() {
                    let (from, to) = (source as usize, target as usize);
                    let outgoing = mix3(edge.label_hash(), colours[to], 1);
                    let incoming = mix3(edge.label_hash(), colours[from], 2);
                    next[from] = next[from].wrapping_add(outgoing);
                    next[to] = next[to].wrapping_add(incoming);
                }
            }
        }
        colours = next;
        let mut sorted = colours.clone();
        sorted.sort_unstable();
        sorted.dedup();
        if sorted.len() == distinct {
            break;
        }
        distinct = sorted.len();
    }
    colours
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::samples::State;

    #[test]
    fn numbers_of_nodes_do_not_matter_but_sharing_does() {
        let mut state = State::new();
        let shared = "A.x = @a\n A.y = @b\n @a Node: next=@b\n @b Node: next=@a size=1";
        let turned = "A.y = @b\n A.x = @a\n @b Node: size=1 next=@a\n @a Node: next=@b";
        let split = "A.x = @a\n A.y = @c\n @a Node: next=@b\n @b Node: next=@a size=1
                     @c Node: next=@a size=1";
        let array = |state: &mut State, text: &str| canonical(&state.graph(text));
        let first = array(&mut state, shared);
        assert_eq!(array(&mut state, turned), first);
        assert_ne!(array(&mut state, split), first);
    }

    #[test]
    fn members_of_a_set_come_in_any_order() {
        let mut state = State::new();
        let mut array = |text: &str| canonical(&state.graph(text));
        let first = array("A.x = @s\n @s Set: <@>=@a <@>=@b\n @a Item: n=1\n @b Item: n=2");
        let second = array("A.x = @s\n @s Set: <@>=@b <@>=@a\n @a Item: n=1\n @b Item: n=2");
        assert_eq!(first, second);
    }
}
