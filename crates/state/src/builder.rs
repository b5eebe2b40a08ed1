//! Builds a graph from a walk over a heap, which meets objects and references in any order.

use crate::graph::{Digest, Edge, EdgeLabel, Graph, NO_CONTENT, Node, NodeId, Record, Target};
use crate::names::Label;

/// Nodes or edges. Numbers of them are 32 bits, also where two graphs and what abstraction adds are counted together.
const MOST: usize = 500_000_000;

/// What no graph can be made of.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum BuildError {
    #[error("an edge has a node that the graph does not have; add the node first")]
    UnknownNode,
    #[error("more than 500 million nodes or edges; capture fewer roots")]
    TooLarge,
}

#[derive(Debug, Default)]
pub struct GraphBuilder {
    records: Vec<Record>,
    contents: Vec<Digest>,
    edges: Vec<Edge>,
    /// Where each edge starts.
    sources: Vec<u32>,
    roots: Vec<Edge>,
}

impl GraphBuilder {
    pub fn new() -> Self {
        GraphBuilder::default()
    }

    pub fn with_capacity(nodes: usize, edges: usize) -> Self {
        GraphBuilder {
            records: Vec::with_capacity(nodes),
            edges: Vec::with_capacity(edges),
            sources: Vec::with_capacity(edges),
            ..GraphBuilder::default()
        }
    }

    pub fn node(&mut self, node: Node) -> NodeId {
        let id = NodeId(self.records.len() as u32);
        let content = NO_CONTENT;
        self.records.push(Record { identity: node.identity, class: node.class, content });
        if let Some(content) = node.content {
            self.set_content(id, content);
        }
        id
    }

    /// For a walk that meets an object's payload after the object.
    pub fn set_content(&mut self, node: NodeId, content: Digest) {
        if let Some(record) = self.records.get_mut(node.0 as usize) {
            match self.contents.get_mut(record.content as usize) {
                Some(old) => *old = content,
                None => {
                    record.content = self.contents.len() as u32;
                    self.contents.push(content);
                }
            }
        }
    }

    /// An absent edge is not the same as one to null.
    pub fn edge(&mut self, source: NodeId, label: EdgeLabel, target: impl Into<Target>) {
        self.sources.push(source.0);
        self.edges.push(Edge::new(label, target.into()));
    }

    pub fn root(&mut self, name: Label, target: impl Into<Target>) {
        self.roots.push(Edge::new(EdgeLabel::Field(name), target.into()));
    }

    pub fn build(self) -> Result<Graph, BuildError> {
        let GraphBuilder { records, contents, mut edges, sources, mut roots } = self;
        if records.len() > MOST || edges.len() + roots.len() > MOST {
            return Err(BuildError::TooLarge);
        }
        let known = |edge: &Edge| edge.target_node().is_none_or(|n| (n as usize) < records.len());
        if sources.iter().any(|&source| source as usize >= records.len())
            || !edges.iter().chain(&roots).all(known)
        {
            return Err(BuildError::UnknownNode);
        }
        if !sources.is_sorted() {
            edges = by_source(&sources, &edges, records.len());
        }
        let mut first_edge = vec![0; records.len() + 2];
        for &source in &sources {
            first_edge[source as usize + 1] += 1;
        }
        drop(sources);
        for node in 0..records.len() {
            first_edge[node + 1] += first_edge[node];
        }
        first_edge[records.len() + 1] = (edges.len() + roots.len()) as u32;
        edges.append(&mut roots);
        edges.shrink_to_fit();
        for node in 0..=records.len() {
            sort(&mut edges[first_edge[node] as usize..first_edge[node + 1] as usize]);
        }
        Ok(Graph { records, first_edge, edges, contents })
    }
}

/// Edges with the same label keep their order: two captures usually meet them in the same order, which makes matching quick.
pub(crate) fn sort(edges: &mut [Edge]) {
    edges.sort_by_key(Edge::label_key);
}

/// A counting sort.
fn by_source(sources: &[u32], edges: &[Edge], nodes: usize) -> Vec<Edge> {
    let mut next = vec![0u32; nodes + 1];
    for &source in sources {
        next[source as usize + 1] += 1;
    }
    for node in 0..nodes {
        next[node + 1] += next[node];
    }
    let mut sorted = edges.to_vec();
    for (&source, &edge) in sources.iter().zip(edges) {
        let at = &mut next[source as usize];
        sorted[*at as usize] = edge;
        *at += 1;
    }
    sorted
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::names::Names;
    use crate::value::Value;

    #[test]
    fn edges_may_come_in_any_order() {
        let mut names = Names::new();
        let (class, x, y) = (names.label("Point"), names.label("x"), names.label("y"));
        let mut builder = GraphBuilder::new();
        let first = builder.node(Node::of(class));
        let second = builder.node(Node::of(class));
        builder.edge(second, EdgeLabel::Field(y), Value::Int(4));
        builder.edge(first, EdgeLabel::Field(x), Value::Int(1));
        builder.edge(second, EdgeLabel::Field(x), first);
        builder.root(names.label("origin"), second);
        let graph = builder.build().unwrap();
        let labels: Vec<EdgeLabel> = graph.edges(second).iter().map(Edge::label).collect();
        assert_eq!(labels, [EdgeLabel::Field(x), EdgeLabel::Field(y)]);
        assert_eq!(graph.field(second.0, x), Some(Target::Node(first)));
        assert_eq!(graph.field(first.0, x), Some(Target::Value(Value::Int(1))));
        assert_eq!(graph.field(first.0, y), None);
        assert_eq!(graph.roots().len(), 1);
    }

    #[test]
    fn an_edge_to_nowhere_is_refused() {
        let mut builder = GraphBuilder::new();
        let node = builder.node(Node::of(Label::ENTRY));
        builder.edge(node, EdgeLabel::Index(0), NodeId(1));
        assert_eq!(builder.build().unwrap_err(), BuildError::UnknownNode);
        let mut builder = GraphBuilder::new();
        builder.edge(NodeId(0), EdgeLabel::Index(0), Value::Null);
        assert_eq!(builder.build().unwrap_err(), BuildError::UnknownNode);
        let mut builder = GraphBuilder::new();
        builder.root(Label::ENTRY, NodeId(0));
        assert_eq!(builder.build().unwrap_err(), BuildError::UnknownNode);
    }

    #[test]
    fn a_node_has_its_last_content() {
        let mut builder = GraphBuilder::new();
        let node = builder.node(Node::of(Label::ENTRY));
        builder.set_content(node, Digest::of(b"abc", 3));
        builder.set_content(node, Digest::of(b"ab", 2));
        let graph = builder.build().unwrap();
        assert_eq!(graph.node(node).unwrap().content, Some(Digest::of(b"ab", 2)));
    }
}
