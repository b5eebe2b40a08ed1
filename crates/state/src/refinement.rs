//! Colours: nodes of both graphs that might be paired have the same one.
//!
//! The nodes that are not paired yet are split into blocks until the nodes of a block have the same edges to and from the
//! same blocks. Nodes that an isomorphism pairs are never in different blocks, whatever the hashes do; nodes that it cannot
//! pair mostly are. Splits follow Hopcroft's rule (the largest part keeps its number), and signatures are sums that are
//! updated as blocks change, so that the time is O(edges * log nodes) even for a list of a million nodes.

use crate::graph::{Edge, Graph};
use crate::hash::{mix, mix3};
use crate::links::{Group, Runs};
use crate::pairing::{NONE, Pairing};

/// How far nodes are looked at before blocks are split.
const ROUNDS: usize = 2;

/// By node; [`NONE`] for nodes that were paired already or that no common root reaches.
#[derive(Debug)]
pub(crate) struct Colours {
    pub(crate) before: Vec<u32>,
    pub(crate) after: Vec<u32>,
}

impl Colours {
    /// By what a node leads to, not by what leads to it: one change does not spoil the colours of everything around it.
    pub(crate) fn forward(pairing: &Pairing<'_>) -> Colours {
        let region = Region::new(pairing, false);
        let mut partition = Partition::new(&region);
        let mut unbounded = u64::MAX;
        partition.refine(&region, &mut unbounded);
        region.colours(&partition)
    }
}

/// An edge between nodes of the region, seen from one of its ends.
#[derive(Debug, Clone, Copy)]
struct Neighbour {
    node: u32,
    label: u32,
}

/// Neighbours of all nodes, as columns.
#[derive(Debug)]
struct Neighbours {
    first: Vec<u32>,
    all: Vec<Neighbour>,
}

impl Neighbours {
    fn of(&self, node: u32) -> &[Neighbour] {
        let node = node as usize;
        &self.all[self.first[node] as usize..self.first[node + 1] as usize]
    }

    /// The same edges, seen from the other end.
    fn reversed(&self) -> Neighbours {
        let nodes = self.first.len() - 1;
        let mut first = vec![0; nodes + 1];
        for neighbour in &self.all {
            first[neighbour.node as usize + 1] += 1;
        }
        for node in 0..nodes {
            first[node + 1] += first[node];
        }
        let mut next = first.clone();
        let mut all = vec![Neighbour { node: 0, label: 0 }; self.all.len()];
        for node in 0..nodes as u32 {
            for neighbour in self.of(node) {
                let at = &mut next[neighbour.node as usize];
                all[*at as usize] = Neighbour { node, label: neighbour.label };
                *at += 1;
            }
        }
        Neighbours { first, all }
    }
}

/// The nodes of both graphs that common roots reach and that are not paired, numbered anew.
#[derive(Debug)]
pub(crate) struct Region {
    /// Those of the graph before, then those of the graph after.
    nodes: Vec<u32>,
    befores: usize,
    /// From node to number.
    before: Vec<u32>,
    after: Vec<u32>,
    targets: Neighbours,
    sources: Neighbours,
    both_directions: bool,
    /// What is known of each node before blocks are split.
    base: Vec<u64>,
}

impl Region {
    pub(crate) fn new(pairing: &Pairing<'_>, both_directions: bool) -> Self {
        let (before, after) = (pairing.before, pairing.after);
        let (old_roots, new_roots) = common_roots(before, after);
        let mut nodes = Vec::new();
        let old_numbers = numbers(before, &old_roots, &pairing.forth, &mut nodes);
        let befores = nodes.len();
        let new_numbers = numbers(after, &new_roots, &pairing.back, &mut nodes);
        let mut region = Region {
            base: Vec::with_capacity(nodes.len()),
            targets: Neighbours { first: vec![0], all: Vec::new() },
            sources: Neighbours { first: vec![0], all: Vec::new() },
            nodes,
            befores,
            before: old_numbers,
            after: new_numbers,
            both_directions,
        };
        for at in 0..region.nodes.len() {
            if at < befores {
                let paired = |node: u32| (pairing.forth[node as usize] != NONE).then_some(node);
                region.add(before, at, &paired);
            } else {
                region.add(after, at, &|node| Some(pairing.back[node as usize]));
            }
        }
        region.sources = region.targets.reversed();
        if both_directions {
            region.add_sources_outside(pairing, &old_roots, &new_roots);
        }
        for _ in 0..ROUNDS {
            region.look_around();
        }
        region
    }

    /// How much it costs to copy or to look through.
    pub(crate) fn size(&self) -> u64 {
        (self.nodes.len() + self.targets.all.len()) as u64
    }

    /// Adds to what is known of each node what is known of its neighbours. A few rounds of it for all nodes in a row tell
    /// most of them apart, with less jumping about in memory than splitting blocks.
    fn look_around(&mut self) {
        let around = |node: u32| {
            let mut sum = mix(self.base[node as usize], 0);
            for target in self.targets.of(node) {
                let known = self.base[target.node as usize];
                sum = sum.wrapping_add(mix3(known, u64::from(target.label), 1));
            }
            let sources = if self.both_directions { self.sources.of(node) } else { &[] };
            for source in sources {
                let known = self.base[source.node as usize];
                sum = sum.wrapping_add(mix3(known, u64::from(source.label), 2));
            }
            sum
        };
        self.base = (0..self.nodes.len() as u32).map(around).collect();
    }

    /// Whether the graphs agree in what is known before any block is split. Most differences show here.
    pub(crate) fn agrees(&self) -> bool {
        let sum =
            |bases: &[u64]| bases.iter().fold(0u64, |sum, &base| sum.wrapping_add(mix(base, 0)));
        let (before, after) = self.base.split_at(self.befores);
        before.len() == after.len() && sum(before) == sum(after)
    }

    pub(crate) fn colours(&self, partition: &Partition) -> Colours {
        let colours = |numbers: &[u32]| {
            let block = |&number: &u32| partition.block_of.get(number as usize).copied();
            numbers.iter().map(|number| block(number).unwrap_or(NONE)).collect()
        };
        Colours { before: colours(&self.before), after: colours(&self.after) }
    }

    fn add(&mut self, graph: &Graph, at: usize, paired: &dyn Fn(u32) -> Option<u32>) {
        let numbers = if at < self.befores { &self.before } else { &self.after };
        let node = self.nodes[at];
        let mut base = graph.shallow_digest(node);
        for edge in graph.slice(graph.range(node)) {
            let Some(target) = edge.target_node() else {
                continue;
            };
            let number = numbers[target as usize];
            if number != NONE {
                let label = edge.label_hash() as u32;
                self.targets.all.push(Neighbour { node: number, label });
            } else if let Some(pair) = paired(target) {
                base = base.wrapping_add(mix3(edge.label_hash(), u64::from(pair), 1));
            }
        }
        self.base.push(base);
        self.targets.first.push(self.targets.all.len() as u32);
    }

    /// Edges that lead into the region, from pairs and roots.
    fn add_sources_outside(
        &mut self,
        pairing: &Pairing<'_>,
        old_roots: &[Edge],
        new_roots: &[Edge],
    ) {
        let Region { base, before, after, .. } = self;
        let mut add = |numbers: &[u32], edge: &Edge, pair: u32| {
            let number = edge.target_node().map_or(NONE, |node| numbers[node as usize]);
            if number != NONE {
                let base = &mut base[number as usize];
                *base = base.wrapping_add(mix3(edge.label_hash(), u64::from(pair), 2));
            }
        };
        for (graph, numbers, roots) in
            [(pairing.before, &*before, old_roots), (pairing.after, &*after, new_roots)]
        {
            for root in roots {
                add(numbers, root, NONE);
            }
            for &(old, new) in &pairing.pairs {
                let node = if std::ptr::eq(graph, pairing.before) { old } else { new };
                for edge in graph.slice(graph.range(node)) {
                    add(numbers, edge, old);
                }
            }
        }
    }
}

/// Roots that both graphs have, of either graph.
pub(crate) fn common_roots(before: &Graph, after: &Graph) -> (Vec<Edge>, Vec<Edge>) {
    let edges = Group { before: before.range(before.root()), after: after.range(after.root()) };
    let (mut old, mut new) = (Vec::new(), Vec::new());
    for run in Runs::new(before, after, edges) {
        if !run.before.is_empty() && !run.after.is_empty() {
            old.extend_from_slice(before.slice(run.before));
            new.extend_from_slice(after.slice(run.after));
        }
    }
    (old, new)
}

fn numbers(graph: &Graph, roots: &[Edge], partners: &[u32], nodes: &mut Vec<u32>) -> Vec<u32> {
    let reached = graph.reached_from(roots.iter());
    let mut numbers = vec![NONE; graph.len()];
    for node in 0..graph.len() {
        if reached[node] && partners[node] == NONE {
            numbers[node] = nodes.len() as u32;
            nodes.push(node as u32);
        }
    }
    numbers
}

#[derive(Debug, Clone, Copy)]
struct Block {
    start: u32,
    /// From here on, signatures may have changed since the block was last split.
    dirty: u32,
    end: u32,
}

#[derive(Debug, Clone)]
pub(crate) struct Partition {
    /// The nodes of a block lie side by side.
    order: Vec<u32>,
    place: Vec<u32>,
    block_of: Vec<u32>,
    blocks: Vec<Block>,
    signatures: Vec<u64>,
    /// Blocks with dirty nodes.
    todo: Vec<u32>,
    /// Empty but while a block is split.
    sorting: Vec<(bool, u64, u32)>,
}

impl Partition {
    /// By what is known of each node.
    pub(crate) fn new(region: &Region) -> Self {
        let nodes = region.nodes.len();
        let bases = region.base.iter().copied();
        let mut sorted: Vec<(u64, u32)> = bases.zip(0..nodes as u32).collect();
        sorted.sort_unstable();
        let order: Vec<u32> = sorted.into_iter().map(|(_, node)| node).collect();
        let mut partition = Partition {
            place: vec![0; nodes],
            block_of: vec![0; nodes],
            blocks: Vec::new(),
            signatures: region.base.clone(),
            todo: Vec::new(),
            sorting: Vec::new(),
            order,
        };
        let mut start = 0;
        while start < nodes {
            let base = region.base[partition.order[start] as usize];
            let mut end = start;
            while end < nodes && region.base[partition.order[end] as usize] == base {
                let node = partition.order[end] as usize;
                partition.place[node] = end as u32;
                partition.block_of[node] = partition.blocks.len() as u32;
                end += 1;
            }
            partition.todo.push(partition.blocks.len() as u32);
            let (from, to) = (start as u32, end as u32);
            partition.blocks.push(Block { start: from, dirty: from, end: to });
            start = end;
        }
        for node in 0..nodes {
            partition.signatures[node] = partition.signature(region, node as u32);
        }
        partition
    }

    fn signature(&self, region: &Region, node: u32) -> u64 {
        let mut sum = region.base[node as usize];
        for target in region.targets.of(node) {
            sum = sum.wrapping_add(outgoing(target.label, self.block_of[target.node as usize]));
        }
        if region.both_directions {
            for source in region.sources.of(node) {
                sum = sum.wrapping_add(incoming(source.label, self.block_of[source.node as usize]));
            }
        }
        sum
    }

    /// Splits until nothing splits any more, or until the work is used up: blocks are then larger than they need be.
    pub(crate) fn refine(&mut self, region: &Region, work: &mut u64) {
        while let Some(block) = self.todo.pop() {
            let Block { start, dirty, end } = self.blocks[block as usize];
            *work = work.saturating_sub(u64::from(end - dirty) + 1);
            if *work == 0 {
                return;
            }
            self.blocks[block as usize].dirty = end;
            if end - start > 1 {
                self.split(region, block, dirty, work);
            }
        }
    }

    fn split(&mut self, region: &Region, block: u32, dirty: u32, work: &mut u64) {
        let Block { start, end, .. } = self.blocks[block as usize];
        // Nodes that are not dirty have the same signature, all of them.
        let clean = (dirty > start).then(|| self.signatures[self.order[start as usize] as usize]);
        let signatures = &self.signatures;
        let signature = |node: u32| signatures[node as usize];
        let nodes = &mut self.order[dirty as usize..end as usize];
        // Sorted beside their signatures: a block may have millions of nodes, all over the memory.
        self.sorting.clear();
        self.sorting.extend(nodes.iter().map(|&node| {
            let signature = signature(node);
            (Some(signature) != clean, signature, node)
        }));
        self.sorting.sort_unstable();
        for (node, sorted) in nodes.iter_mut().zip(&self.sorting) {
            *node = sorted.2;
        }
        let mut parts: Vec<(u32, u32)> = Vec::new();
        let mut from = start;
        for at in dirty.max(start + 1)..end {
            let (last, next) = (self.order[at as usize - 1], self.order[at as usize]);
            if signature(last) != signature(next) {
                parts.push((from, at));
                from = at;
            }
        }
        parts.push((from, end));
        for at in dirty..end {
            self.place[self.order[at as usize] as usize] = at;
        }
        let largest = parts.iter().copied().max_by_key(|(from, to)| to - from).unwrap_or_default();
        self.blocks[block as usize] = Block { start: largest.0, dirty: largest.1, end: largest.1 };
        parts.retain(|part| *part != largest);
        for &(from, to) in &parts {
            let new = self.new_block(from, to);
            debug_assert!(new > block);
        }
        for (from, to) in parts {
            self.announce(region, from, to, block, work);
        }
    }

    fn new_block(&mut self, start: u32, end: u32) -> u32 {
        let block = self.blocks.len() as u32;
        self.blocks.push(Block { start, dirty: end, end });
        for at in start..end {
            self.block_of[self.order[at as usize] as usize] = block;
        }
        block
    }

    /// The neighbours of nodes that came from `old` into a block of their own have another signature now.
    fn announce(&mut self, region: &Region, start: u32, end: u32, old: u32, work: &mut u64) {
        let nodes: Vec<u32> = self.order[start as usize..end as usize].to_vec();
        for node in nodes {
            let new = self.block_of[node as usize];
            let sources = region.sources.of(node);
            for source in sources {
                let change = outgoing(source.label, new).wrapping_sub(outgoing(source.label, old));
                self.touch(source.node, change);
            }
            let targets = if region.both_directions { region.targets.of(node) } else { &[] };
            for target in targets {
                let change = incoming(target.label, new).wrapping_sub(incoming(target.label, old));
                self.touch(target.node, change);
            }
            *work = work.saturating_sub((sources.len() + targets.len()) as u64);
        }
    }

    fn touch(&mut self, node: u32, change: u64) {
        let signature = &mut self.signatures[node as usize];
        *signature = signature.wrapping_add(change);
        let number = self.block_of[node as usize];
        let block = &mut self.blocks[number as usize];
        let place = self.place[node as usize];
        if place >= block.dirty || block.end - block.start == 1 {
            return;
        }
        if block.dirty == block.end {
            self.todo.push(number);
        }
        block.dirty -= 1;
        let to = block.dirty;
        let other = self.order[to as usize];
        self.order.swap(place as usize, to as usize);
        self.place[other as usize] = place;
        self.place[node as usize] = to;
    }

    /// As many nodes of either graph in every block, as any isomorphism needs.
    pub(crate) fn is_balanced(&self, region: &Region) -> bool {
        self.blocks.iter().all(|block| {
            let nodes = &self.order[block.start as usize..block.end as usize];
            let befores = nodes.iter().filter(|&&node| (node as usize) < region.befores).count();
            befores * 2 == nodes.len()
        })
    }

    /// A node of the smallest block that leaves a choice, and its candidates.
    pub(crate) fn choice(&self, region: &Region) -> Option<(u32, Vec<u32>)> {
        let open = self.blocks.iter().filter(|block| block.end - block.start > 2);
        let block = open.min_by_key(|block| block.end - block.start)?;
        let nodes = &self.order[block.start as usize..block.end as usize];
        let is_before = |node: &u32| (*node as usize) < region.befores;
        let node = nodes.iter().copied().find(is_before)?;
        Some((node, nodes.iter().copied().filter(|node| !is_before(node)).collect()))
    }

    /// Decides that these two are to be paired: they get a block of their own.
    pub(crate) fn individualise(&mut self, region: &Region, pair: [u32; 2], work: &mut u64) {
        let block = self.block_of[pair[0] as usize];
        for node in pair {
            let end = self.blocks[block as usize].end - 1;
            self.blocks[block as usize].end = end;
            self.blocks[block as usize].dirty = end;
            let (place, other) = (self.place[node as usize], self.order[end as usize]);
            self.order.swap(place as usize, end as usize);
            self.place[other as usize] = place;
            self.place[node as usize] = end;
        }
        let end = self.blocks[block as usize].end;
        self.new_block(end, end + 2);
        self.announce(region, end, end + 2, block, work);
    }
}

fn outgoing(label: u32, block: u32) -> u64 {
    mix(u64::from(label), u64::from(block))
}

fn incoming(label: u32, block: u32) -> u64 {
    mix3(u64::from(label), u64::from(block), 1)
}
