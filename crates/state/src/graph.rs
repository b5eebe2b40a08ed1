//! A captured state: a multi-rooted graph with labelled edges (PolDet, definition 1).
//!
//! Stored as columns: the edges of a node lie side by side, sorted by label, so that two nodes are compared by walking two
//! slices. Numbers, texts and constants are no nodes but targets of edges.

use std::fmt;
use std::ops::Range;

use crate::hash::{mix, mix3};
use crate::names::Label;
use crate::value::Value;

/// An object, by its number in its graph. The numbers mean nothing beyond that.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct NodeId(pub(crate) u32);

impl NodeId {
    pub fn new(index: u32) -> Self {
        NodeId(index)
    }

    pub fn index(self) -> u32 {
        self.0
    }
}

/// What an edge is called.
///
/// Edges of one node with the same label, whichever it is, are a multiset: their order means nothing.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum EdgeLabel {
    Field(Label),
    /// An element of an array or a list.
    Index(u32),
    /// An entry of a map, or a member of a set, by its key.
    Key(Value),
    /// One of many without order: an entry whose key is an object, an object in a set.
    Unordered(Label),
    /// Where in a map or set with a visible order a key or a member stands.
    Order(u32),
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Target {
    Node(NodeId),
    Value(Value),
}

impl From<Value> for Target {
    fn from(value: Value) -> Self {
        Target::Value(value)
    }
}

impl From<NodeId> for Target {
    fn from(node: NodeId) -> Self {
        Target::Node(node)
    }
}

/// What stands for a payload that is not looked into, such as the numbers of an array.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct Digest {
    /// All zero for an array of objects: its elements are edges, and only its length is told here.
    pub hash: [u64; 2],
    /// How many elements.
    pub length: u64,
}

impl Digest {
    pub fn of(bytes: &[u8], length: u64) -> Self {
        let hash = xxhash_rust::xxh3::xxh3_128(bytes);
        Digest { hash: [hash as u64, (hash >> 64) as u64], length }
    }

    pub fn of_length(length: u64) -> Self {
        Digest { hash: [0; 2], length }
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Node {
    pub class: Label,
    pub content: Option<Digest>,
    /// Which object of the VM it was; 0 if that is not known. A hint for speed and for better reports: it never decides
    /// whether states are the same.
    pub identity: u64,
}

impl Node {
    pub fn of(class: Label) -> Self {
        Node { class, content: None, identity: 0 }
    }
}

pub(crate) const NO_CONTENT: u32 = u32::MAX;

#[derive(Debug, Clone, Copy)]
pub(crate) struct Record {
    pub(crate) identity: u64,
    pub(crate) class: Label,
    /// Into the graph's contents.
    pub(crate) content: u32,
}

const FIELD: u8 = 0;
pub(crate) const INDEX: u8 = 1;
const UNORDERED: u8 = 2;
pub(crate) const ORDER: u8 = 3;
/// And above: the kind of the key's value is added.
const KEY: u8 = 16;
const NODE: u8 = 0;

/// Label and target, packed: there may be millions, and 24 bytes are enough.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct Edge {
    label: u64,
    target: u64,
    label_kind: u8,
    target_kind: u8,
}

impl Edge {
    pub(crate) fn new(label: EdgeLabel, target: Target) -> Self {
        let (label_kind, label) = match label {
            EdgeLabel::Field(name) => (FIELD, u64::from(name.0)),
            EdgeLabel::Index(index) => (INDEX, u64::from(index)),
            EdgeLabel::Unordered(name) => (UNORDERED, u64::from(name.0)),
            EdgeLabel::Order(position) => (ORDER, u64::from(position)),
            EdgeLabel::Key(value) => {
                let (kind, payload) = value.pack();
                (KEY + kind, payload)
            }
        };
        let (target_kind, target) = match target {
            Target::Node(node) => (NODE, u64::from(node.0)),
            Target::Value(value) => value.pack(),
        };
        Edge { label, target, label_kind, target_kind }
    }

    pub fn label(&self) -> EdgeLabel {
        match self.label_kind {
            FIELD => EdgeLabel::Field(Label(self.label as u32)),
            INDEX => EdgeLabel::Index(self.label as u32),
            UNORDERED => EdgeLabel::Unordered(Label(self.label as u32)),
            ORDER => EdgeLabel::Order(self.label as u32),
            kind => EdgeLabel::Key(Value::unpack(kind - KEY, self.label)),
        }
    }

    pub fn target(&self) -> Target {
        match self.target_node() {
            Some(node) => Target::Node(NodeId(node)),
            None => Target::Value(Value::unpack(self.target_kind, self.target)),
        }
    }

    pub(crate) fn target_node(&self) -> Option<u32> {
        (self.target_kind == NODE).then_some(self.target as u32)
    }

    pub(crate) fn with_node(self, node: u32) -> Self {
        Edge { target: u64::from(node), target_kind: NODE, ..self }
    }

    /// Labels are sorted by it; equal labels have equal keys and others do not.
    pub(crate) fn label_key(&self) -> u128 {
        u128::from(self.label_kind) << 64 | u128::from(self.label)
    }

    pub(crate) fn label_kind(&self) -> u8 {
        self.label_kind
    }

    /// No label sorts before a field's.
    pub(crate) fn is_field(&self) -> bool {
        self.label_kind == FIELD
    }

    pub(crate) fn is_unordered(&self) -> bool {
        self.label_kind == UNORDERED
    }

    pub(crate) fn is_key(&self) -> bool {
        self.label_kind >= KEY
    }

    pub(crate) fn label_hash(&self) -> u64 {
        mix(u64::from(self.label_kind), self.label)
    }

    /// Of targets that are values, the same for the same value.
    pub(crate) fn value_key(&self) -> (u8, u64) {
        (self.target_kind, self.target)
    }

    pub(crate) fn value_hash(&self) -> u64 {
        mix(u64::from(self.target_kind), self.target)
    }
}

impl fmt::Debug for Edge {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:?} -> {:?}", self.label(), self.target())
    }
}

/// Immutable; a [`GraphBuilder`](crate::GraphBuilder) makes one.
#[derive(Debug)]
pub struct Graph {
    pub(crate) records: Vec<Record>,
    /// Where each node's edges begin. The roots are the edges of one more node, which is no object.
    pub(crate) first_edge: Vec<u32>,
    pub(crate) edges: Vec<Edge>,
    pub(crate) contents: Vec<Digest>,
}

impl Graph {
    /// How many objects.
    pub fn len(&self) -> usize {
        self.records.len()
    }

    pub fn is_empty(&self) -> bool {
        self.records.is_empty()
    }

    pub fn node(&self, node: NodeId) -> Option<Node> {
        let record = self.records.get(node.0 as usize)?;
        let content = self.contents.get(record.content as usize).copied();
        Some(Node { class: record.class, content, identity: record.identity })
    }

    /// Sorted so that equal labels lie side by side; none for a node that is not in this graph.
    pub fn edges(&self, node: NodeId) -> &[Edge] {
        if (node.0 as usize) < self.records.len() { self.slice(self.range(node.0)) } else { &[] }
    }

    /// Each is a `Field` with the root's name.
    pub fn roots(&self) -> &[Edge] {
        self.slice(self.range(self.root()))
    }

    /// The number of the node whose edges are the roots.
    pub(crate) fn root(&self) -> u32 {
        self.records.len() as u32
    }

    pub(crate) fn range(&self, node: u32) -> Range<u32> {
        self.first_edge[node as usize]..self.first_edge[node as usize + 1]
    }

    pub(crate) fn slice(&self, range: Range<u32>) -> &[Edge] {
        &self.edges[range.start as usize..range.end as usize]
    }

    pub(crate) fn edge(&self, at: u32) -> Edge {
        self.edges[at as usize]
    }

    pub(crate) fn record(&self, node: u32) -> &Record {
        &self.records[node as usize]
    }

    pub(crate) fn content(&self, node: u32) -> Option<&Digest> {
        self.contents.get(self.record(node).content as usize)
    }

    /// Where the first edge with this name leads.
    pub(crate) fn field(&self, node: u32, name: Label) -> Option<Target> {
        let edges = self.slice(self.range(node));
        let wanted = Edge::new(EdgeLabel::Field(name), Target::Value(Value::Null)).label_key();
        let at = edges.partition_point(|edge| edge.label_key() < wanted);
        edges.get(at).filter(|edge| edge.label_key() == wanted).map(Edge::target)
    }

    /// The same for nodes that look the same by themselves: class, content and values, but no other objects.
    pub(crate) fn shallow_digest(&self, node: u32) -> u64 {
        let class = u64::from(self.record(node).class.0);
        let mut digest = match self.content(node) {
            Some(content) => mix3(class, mix(content.hash[0], content.hash[1]), content.length),
            None => mix(class, 0),
        };
        for edge in self.slice(self.range(node)) {
            if edge.target_node().is_none() {
                digest = digest.wrapping_add(mix(edge.label_hash(), edge.value_hash()));
            }
        }
        digest
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_edge_takes_24_bytes() {
        assert_eq!(size_of::<Edge>(), 24);
        assert_eq!(size_of::<Record>(), 16);
    }

    #[test]
    fn an_edge_survives_packing() {
        let labels = [
            EdgeLabel::Field(Label(5)),
            EdgeLabel::Index(7),
            EdgeLabel::Key(Value::Int(-1)),
            EdgeLabel::Key(Value::Null),
            EdgeLabel::Unordered(Label::ENTRY),
            EdgeLabel::Order(3),
        ];
        let targets = [Target::Node(NodeId(4)), Target::Value(Value::Bool(true))];
        for label in labels {
            for target in targets {
                let edge = Edge::new(label, target);
                assert_eq!((edge.label(), edge.target()), (label, target));
            }
        }
    }
}
