//! A state as text (PolDet@JPF): one line for each edge.

use std::collections::{HashMap, VecDeque};
use std::fmt;

use crate::graph::{Digest, Edge, EdgeLabel, Graph, Target};
use crate::names::Label;
use crate::pairing::NONE;
use crate::path::{simple, write_label};
use crate::value::{Value, Words};

/// All of a graph that its roots reach: the roots first, then object by object in the order in which they are met. The same
/// state has the same lines, unless it has members without order. Lines are made as they are asked for.
pub fn triples<'a>(graph: &'a Graph, words: Words<'a>) -> impl Iterator<Item = Triple<'a>> {
    let mut triples = Triples {
        graph,
        words,
        number: vec![NONE; graph.len()],
        counts: HashMap::new(),
        met: VecDeque::new(),
        source: None,
        edges: VecDeque::new(),
    };
    triples.edges = triples.sorted(graph.roots());
    triples
}

/// `(HashMap#1, ["a"], Potion#2)`
#[derive(Debug)]
pub struct Triple<'a> {
    words: Words<'a>,
    /// None for a root.
    source: Option<Object>,
    label: Option<EdgeLabel>,
    target: Shown,
}

#[derive(Debug, Clone, Copy)]
struct Object {
    class: Label,
    /// Among the objects of its class.
    number: u32,
}

#[derive(Debug, Clone, Copy)]
enum Shown {
    Object(Object),
    Value(Value),
    Content(Digest),
}

struct Triples<'a> {
    graph: &'a Graph,
    words: Words<'a>,
    /// Of each node, once it was met.
    number: Vec<u32>,
    counts: HashMap<Label, u32>,
    met: VecDeque<u32>,
    /// The object whose edges are being told.
    source: Option<Object>,
    edges: VecDeque<Edge>,
}

impl<'a> Triples<'a> {
    /// By names, since labels depend on what was met first in the VM.
    fn sorted(&self, edges: &[Edge]) -> VecDeque<Edge> {
        let mut edges = edges.to_vec();
        edges.sort_by_cached_key(|edge| {
            let label = edge.label();
            let name = match label {
                EdgeLabel::Field(name) | EdgeLabel::Unordered(name) => {
                    self.words.names.text(name).to_owned()
                }
                EdgeLabel::Key(value) => value.shown(self.words).to_string(),
                EdgeLabel::Index(_) | EdgeLabel::Order(_) => String::new(),
            };
            (edge.label_kind(), name, edge.label_key())
        });
        edges.into()
    }

    fn object(&mut self, node: u32) -> Object {
        let class = self.graph.record(node).class;
        let number = &mut self.number[node as usize];
        if *number == NONE {
            let count = self.counts.entry(class).or_default();
            *count += 1;
            *number = *count;
            self.met.push_back(node);
        }
        Object { class, number: *number }
    }
}

impl<'a> Iterator for Triples<'a> {
    type Item = Triple<'a>;

    fn next(&mut self) -> Option<Triple<'a>> {
        loop {
            if let Some(edge) = self.edges.pop_front() {
                let target = match edge.target() {
                    Target::Node(node) => Shown::Object(self.object(node.0)),
                    Target::Value(value) => Shown::Value(value),
                };
                let (words, source, label) = (self.words, self.source, Some(edge.label()));
                return Some(Triple { words, source, label, target });
            }
            let node = self.met.pop_front()?;
            self.source = Some(self.object(node));
            self.edges = self.sorted(self.graph.slice(self.graph.range(node)));
            if let Some(&content) = self.graph.content(node) {
                let (words, source, target) = (self.words, self.source, Shown::Content(content));
                return Some(Triple { words, source, label: None, target });
            }
        }
    }
}

impl fmt::Display for Triple<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let object = |f: &mut fmt::Formatter<'_>, object: Object| {
            let class = simple(self.words.names.text(object.class));
            write!(f, "{class}#{}", object.number)
        };
        f.write_str("(")?;
        match self.source {
            Some(source) => object(f, source)?,
            None => f.write_str("root")?,
        }
        f.write_str(", ")?;
        match self.label {
            None => f.write_str("content")?,
            Some(EdgeLabel::Field(name)) => match self.words.names.text(name) {
                "" => f.write_str("wraps")?,
                name => f.write_str(name)?,
            },
            Some(label) => write_label(f, label, None, self.words)?,
        }
        f.write_str(", ")?;
        match self.target {
            Shown::Object(target) => object(f, target)?,
            Shown::Value(value) => write!(f, "{}", value.shown(self.words))?,
            Shown::Content(Digest { hash: [0, 0], length }) => write!(f, "{length} elements")?,
            Shown::Content(Digest { hash, length }) => {
                write!(f, "{length} elements {:016x}{:016x}", hash[1], hash[0])?;
            }
        }
        f.write_str(")")
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::samples::State;

    #[test]
    fn a_state_is_told_edge_by_edge() {
        let mut state = State::new();
        let graph = state.graph(
            "com.acme.Potion.byName = @map
             com.acme.Potion.count = 2
             @map java.util.HashMap: <\"b\">=@p <\"a\">=@q
             @p com.acme.Potion: level=3 other=@q
             @q com.acme.Potion: level=1 other=null
             @gone com.acme.Potion:",
        );
        let lines: Vec<String> = triples(&graph, state.words()).map(|t| t.to_string()).collect();
        assert_eq!(
            lines,
            [
                "(root, com.acme.Potion.byName, HashMap#1)",
                "(root, com.acme.Potion.count, 2)",
                "(HashMap#1, [\"a\"], Potion#1)",
                "(HashMap#1, [\"b\"], Potion#2)",
                "(Potion#1, level, 1)",
                "(Potion#1, other, null)",
                "(Potion#2, level, 3)",
                "(Potion#2, other, Potion#1)",
            ]
        );
    }

    #[test]
    fn a_payload_is_told_by_its_digest() {
        let mut state = State::new();
        let graph = state.graph("A.x = @a\n @a int[]%abc:");
        let lines: Vec<String> = triples(&graph, state.words()).map(|t| t.to_string()).collect();
        assert_eq!(lines[1], "(int[]#1, content, 3 elements 06b05ab6733a618578af5f94892f3950)");
    }
}
