//! From the state as it lies in memory to the state as programs see it (PolDet, section 3.2): a map is its entries, whatever
//! its table looks like.
//!
//! [`Rules`] say which class is what [`Shape`] of collection. The data about Java's classes is in `java.rs`; the readers of
//! shapes are in `lists.rs` and `maps.rs`. An object that does not have the shape that its rule expects is left as it is.

mod java;
mod lists;
mod maps;
mod reader;
mod rule;

pub use rule::{RingEnd, Rule, Rules, Shape};

use crate::builder::sort;
use crate::graph::{Edge, EdgeLabel, Graph, NO_CONTENT, NodeId, Record, Target};
use crate::names::Label;
use crate::pairing::NONE;
use reader::{Entry, Found, Reader};

impl Rules {
    /// The abstract graph: every object that has a rule as the rule sees it, and without what was only its inside.
    pub fn apply(&self, raw: &Graph) -> Graph {
        let mut writer = Writer {
            raw,
            number: vec![NONE; raw.len()],
            origins: Vec::with_capacity(raw.len()),
            entries: Vec::new(),
            graph: Graph {
                records: Vec::with_capacity(raw.len()),
                first_edge: vec![0],
                edges: Vec::new(),
                contents: Vec::new(),
            },
        };
        let mut roots: Vec<Edge> = raw.roots().to_vec();
        for root in &mut roots {
            *root = Edge::new(root.label(), writer.renumbered(root.target()));
        }
        let mut reader = Reader::new(raw, self);
        let mut at = 0;
        while let Some(&origin) = writer.origins.get(at) {
            writer.write(&mut reader, origin);
            at += 1;
        }
        let mut graph = writer.graph;
        graph.edges.append(&mut roots);
        graph.edges.shrink_to_fit();
        graph.records.shrink_to_fit();
        graph.first_edge.push(graph.edges.len() as u32);
        graph
    }
}

/// What a node of the abstract graph stands for.
#[derive(Debug, Clone, Copy)]
enum Origin {
    Node(u32),
    /// By its place in [`Writer::entries`].
    Entry(u32),
}

struct Writer<'g> {
    raw: &'g Graph,
    /// From raw node to abstract one.
    number: Vec<u32>,
    /// By abstract node.
    origins: Vec<Origin>,
    entries: Vec<Entry>,
    graph: Graph,
}

impl Writer<'_> {
    fn write(&mut self, reader: &mut Reader<'_>, origin: Origin) {
        let start = self.graph.edges.len();
        let (record, content) = match origin {
            Origin::Entry(at) => {
                let Entry { key, value, identity } = self.entries[at as usize];
                self.edge(EdgeLabel::Field(Label::KEY), key);
                self.edge(EdgeLabel::Field(Label::VALUE), value);
                (Record { identity, class: Label::ENTRY, content: NO_CONTENT }, None)
            }
            Origin::Node(node) => {
                if reader.read(node) {
                    let first = self.origins.len() as u32;
                    let places = self.entries.len()..self.entries.len() + reader.entries.len();
                    self.origins.extend(places.map(|at| Origin::Entry(at as u32)));
                    self.entries.append(&mut reader.entries);
                    for &(label, found) in &reader.edges {
                        match found {
                            Found::Target(target) => self.edge(label, target),
                            Found::Entry(at) => {
                                let entry = Target::Node(NodeId(first + at as u32));
                                self.graph.edges.push(Edge::new(label, entry));
                            }
                        }
                    }
                    sort(&mut self.graph.edges[start..]);
                } else {
                    for &edge in self.raw.slice(self.raw.range(node)) {
                        self.edge(edge.label(), edge.target());
                    }
                }
                (*self.raw.record(node), self.raw.content(node))
            }
        };
        self.graph.push_record(record, content);
    }

    fn edge(&mut self, label: EdgeLabel, target: Target) {
        let edge = Edge::new(label, self.renumbered(target));
        self.graph.edges.push(edge);
    }

    fn renumbered(&mut self, target: Target) -> Target {
        let Target::Node(node) = target else {
            return target;
        };
        let number = &mut self.number[node.0 as usize];
        if *number == NONE {
            *number = self.origins.len() as u32;
            self.origins.push(Origin::Node(node.0));
        }
        Target::Node(NodeId(*number))
    }
}

#[cfg(test)]
mod tests;
