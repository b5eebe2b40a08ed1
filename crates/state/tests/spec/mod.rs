//! Small random states, as plain data.

use proptest::prelude::*;
use surefoot_state::{Digest, EdgeLabel, Graph, GraphBuilder, Label, Node, NodeId, Target, Value};

#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Spec {
    pub(crate) nodes: Vec<NodeSpec>,
    /// Source, label, target; numbers of nodes are taken modulo how many there are.
    pub(crate) edges: Vec<(usize, LabelSpec, TargetSpec)>,
    pub(crate) roots: Vec<(u8, TargetSpec)>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct NodeSpec {
    pub(crate) class: u8,
    pub(crate) content: Option<u8>,
    pub(crate) identity: u64,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum LabelSpec {
    Field(u8),
    Index(u8),
    Key(u8),
    Unordered(u8),
    Order(u8),
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum TargetSpec {
    Node(usize),
    Value(u8),
}

fn label() -> impl Strategy<Value = LabelSpec> {
    prop_oneof![
        3 => (0..2u8).prop_map(LabelSpec::Field),
        2 => (0..3u8).prop_map(LabelSpec::Index),
        1 => (0..2u8).prop_map(LabelSpec::Key),
        5 => (0..2u8).prop_map(LabelSpec::Unordered),
        1 => (0..2u8).prop_map(LabelSpec::Order),
    ]
}

fn target() -> impl Strategy<Value = TargetSpec> {
    prop_oneof![
        5 => (0..16usize).prop_map(TargetSpec::Node),
        1 => (0..3u8).prop_map(TargetSpec::Value),
    ]
}

fn node() -> impl Strategy<Value = NodeSpec> {
    let content = prop_oneof![9 => Just(None), 1 => (0..3u8).prop_map(Some)];
    let class = prop_oneof![4 => Just(0u8), 1 => Just(1u8)];
    (class, content, 0..5u64).prop_map(|(class, content, identity)| NodeSpec {
        class,
        content,
        identity,
    })
}

pub(crate) fn spec(nodes: usize, edges: usize) -> impl Strategy<Value = Spec> {
    let edge = (0..16usize, label(), target());
    (
        prop::collection::vec(node(), 1..=nodes),
        prop::collection::vec(edge, 0..=edges),
        prop::collection::vec((0..3u8, target()), 1..4),
    )
        .prop_map(|(nodes, edges, roots)| {
            let count = nodes.len();
            let target = |target: TargetSpec| match target {
                TargetSpec::Node(node) => TargetSpec::Node(node % count),
                value => value,
            };
            let edges = edges.into_iter().map(|(s, l, t)| (s % count, l, target(t))).collect();
            let roots = roots.into_iter().map(|(name, to)| (name, target(to))).collect();
            Spec { nodes, edges, roots }
        })
}

/// The same state with other numbers, other identities, and edges in another order.
pub(crate) fn renumbered(spec: &Spec, seed: u64) -> Spec {
    let count = spec.nodes.len();
    let mut state = seed | 1;
    let mut random = |below: usize| {
        state =
            state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 33) as usize % below
    };
    let mut places: Vec<usize> = (0..count).collect();
    (1..count).for_each(|at| places.swap(at, random(at + 1)));
    let mut nodes = spec.nodes.clone();
    for (node, &place) in spec.nodes.iter().zip(&places) {
        // Some keep their identity, some lie about it.
        let identity = if random(2) == 0 { node.identity } else { random(5) as u64 };
        nodes[place] = NodeSpec { identity, ..*node };
    }
    let target = |target: TargetSpec| match target {
        TargetSpec::Node(node) => TargetSpec::Node(places[node]),
        value => value,
    };
    let mut edges: Vec<_> =
        spec.edges.iter().map(|&(s, label, to)| (places[s], label, target(to))).collect();
    (1..edges.len()).for_each(|at| edges.swap(at, random(at + 1)));
    let roots = spec.roots.iter().rev().map(|&(name, to)| (name, target(to))).collect();
    Spec { nodes, edges, roots }
}

#[derive(Debug, Clone, Copy)]
pub(crate) enum Change {
    Retarget(usize, TargetSpec),
    Relabel(usize, LabelSpec),
    Drop(usize),
    Add(usize, LabelSpec, TargetSpec),
    Class(usize),
    Content(usize),
    Root(usize, TargetSpec),
    DropRoot(usize),
}

pub(crate) fn change() -> impl Strategy<Value = Change> {
    let at = || 0..16usize;
    prop_oneof![
        4 => (at(), target()).prop_map(|(at, to)| Change::Retarget(at, to)),
        1 => (at(), label()).prop_map(|(at, label)| Change::Relabel(at, label)),
        1 => at().prop_map(Change::Drop),
        2 => (at(), label(), target()).prop_map(|(at, label, to)| Change::Add(at, label, to)),
        1 => at().prop_map(Change::Class),
        1 => at().prop_map(Change::Content),
        1 => (at(), target()).prop_map(|(at, to)| Change::Root(at, to)),
        1 => at().prop_map(Change::DropRoot),
    ]
}

pub(crate) fn mutated(spec: &Spec, changes: &[Change]) -> Spec {
    let mut spec = spec.clone();
    for &change in changes {
        let (nodes, edges, roots) = (spec.nodes.len(), spec.edges.len(), spec.roots.len());
        let target = |target: TargetSpec| match target {
            TargetSpec::Node(node) => TargetSpec::Node(node % nodes),
            value => value,
        };
        match change {
            Change::Retarget(at, to) if edges > 0 => spec.edges[at % edges].2 = target(to),
            Change::Relabel(at, label) if edges > 0 => spec.edges[at % edges].1 = label,
            Change::Drop(at) if edges > 0 => drop(spec.edges.remove(at % edges)),
            Change::Add(at, label, to) => spec.edges.push((at % nodes, label, target(to))),
            Change::Class(at) => spec.nodes[at % nodes].class ^= 1,
            Change::Content(at) => spec.nodes[at % nodes].content = Some(2),
            Change::Root(at, to) if roots > 0 => spec.roots[at % roots].1 = target(to),
            Change::DropRoot(at) if roots > 0 => drop(spec.roots.remove(at % roots)),
            _ => {}
        }
    }
    spec
}

/// Without edges of one node, or roots, that share a label.
pub(crate) fn labels_apart(spec: &Spec) -> Spec {
    let mut edges: Vec<(usize, LabelSpec, TargetSpec)> = Vec::new();
    for edge in &spec.edges {
        if !edges.iter().any(|other| (other.0, other.1) == (edge.0, edge.1)) {
            edges.push(*edge);
        }
    }
    let mut roots: Vec<(u8, TargetSpec)> = Vec::new();
    for root in &spec.roots {
        if !roots.iter().any(|other| other.0 == root.0) {
            roots.push(*root);
        }
    }
    Spec { nodes: spec.nodes.clone(), edges, roots }
}

pub(crate) struct Names {
    pub(crate) all: surefoot_state::Names,
    labels: Vec<Label>,
}

impl Names {
    pub(crate) fn new() -> Self {
        let mut all = surefoot_state::Names::new();
        let labels = (0..20).map(|at| all.label(&format!("name{at}"))).collect();
        Names { all, labels }
    }

    pub(crate) fn graph(&self, spec: &Spec) -> Graph {
        let mut builder = GraphBuilder::new();
        for node in &spec.nodes {
            builder.node(Node {
                class: self.labels[usize::from(node.class)],
                content: node.content.map(|content| Digest::of(&[content], u64::from(content % 2))),
                identity: node.identity,
            });
        }
        let target = |target: TargetSpec| match target {
            TargetSpec::Node(node) => Target::Node(NodeId::new(node as u32)),
            TargetSpec::Value(value) => Target::Value(Value::Int(i64::from(value))),
        };
        for &(source, label, to) in &spec.edges {
            let label = match label {
                LabelSpec::Field(at) => EdgeLabel::Field(self.labels[usize::from(at) + 4]),
                LabelSpec::Index(at) => EdgeLabel::Index(u32::from(at)),
                LabelSpec::Key(at) => EdgeLabel::Key(Value::Int(i64::from(at))),
                LabelSpec::Unordered(at) => EdgeLabel::Unordered(self.labels[usize::from(at) + 8]),
                LabelSpec::Order(at) => EdgeLabel::Order(u32::from(at)),
            };
            builder.edge(NodeId::new(source as u32), label, target(to));
        }
        for &(name, to) in &spec.roots {
            builder.root(self.labels[usize::from(name) + 12], target(to));
        }
        builder.build().expect("a graph")
    }
}
